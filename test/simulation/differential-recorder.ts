import { appendFileSync } from 'node:fs';
import { shapesOf } from './differential-shapes.ts';
import { ModelStore } from './model-store.ts';

/*
 * node --import ./test/simulation/differential-recorder.ts test/simulation/run.ts: notes the shapes of all calls that the
 * service makes in stories, one a line, in the file that SHAPES_FILE names.
 */
const { SHAPES_FILE } = process.env;
const noted = new Set<string>();
const { call } = ModelStore.prototype;

ModelStore.prototype.call = function note(...args) {
  for (const shape of shapesOf(args[0]).filter((each) => !noted.has(each))) {
    noted.add(shape);
    // At once, for whoever tells stories is killed in the end.
    appendFileSync(String(SHAPES_FILE), `${shape}\n`);
  }
  return call.apply(this, args);
};
