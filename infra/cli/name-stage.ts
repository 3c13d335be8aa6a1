import { say } from '../machine/output.ts';
import { stackNameOf, stageOfBranch } from '../stage.ts';

/* For the pipeline: prints the stage of a branch and its stack as lines of NAME=VALUE. Needs no installed package. */

const stage = stageOfBranch(String(process.argv[2]));
say(`stage=${stage}`, `stack=${stackNameOf(stage)}`);
