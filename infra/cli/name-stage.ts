import { stackNameOf, stageOfBranch } from '../stage.ts';

/* For the pipeline: the stage of a branch and its stack, as lines of NAME=VALUE. Needs nothing that is installed. */

const stage = stageOfBranch(String(process.argv[2]));
console.log(`stage=${stage}\nstack=${stackNameOf(stage)}`);
