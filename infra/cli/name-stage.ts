import { say } from '../machine/output.ts';
import { stageOfBranch } from '../stage.ts';

/* For the pipeline: prints the stage of a branch as NAME=VALUE. Needs no installed package. */

say(`stage=${stageOfBranch(String(process.argv[2]))}`);
