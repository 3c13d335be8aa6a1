import { beforeEach, inject } from 'vitest';
import { isNotRun } from '../../deployed/target-exceptions.ts';

// Not by vitest's own arguments, which a project with files of its own does not look at.
beforeEach(({ task, skip }) => {
  const test = { file: task.file.filepath, name: task.fullTestName };
  const exception = inject('exceptions').find((each) => isNotRun(each, test));
  skip(exception !== undefined, exception?.reason);
});
