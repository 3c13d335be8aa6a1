import { stageOfBranch } from '../aws/stage.ts';
import { say } from '../terminal/output.ts';

/* For the pipeline: prints the stage of a branch as NAME=VALUE. Needs no installed package. */

const branch = process.argv[2];
if (!branch) {
  throw new Error('Name a branch.');
}
say(`stage=${stageOfBranch(branch)}`);
