import { say } from '../machine/output.ts';
import { stageOfBranch } from '../stage.ts';

/* For the pipeline: prints the stage of a branch as NAME=VALUE. Needs no installed package. */

const branch = process.argv[2];
if (!branch) {
  throw new Error('Name a branch.');
}
say(`stage=${stageOfBranch(branch)}`);
