import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import { runCommand } from '../support/tools/run-command.ts';
import '../support/world/merchant.ts';
import { startEngines } from './differential-engines.ts';
import { runSequence, shapesIn } from './differential-run.ts';

/** At night, more, and on AWS's engine too: `DIFFERENTIAL_CALLS=100000`. Rounded up to whole sequences. */
const CALLS = Number(process.env.DIFFERENTIAL_CALLS ?? 3_000);
/** Of the first sequence; the other ones follow it. For every change the same ones, at night fresh ones. */
const IS_SAMPLE = process.env.DIFFERENTIAL_CALLS === undefined;
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? (IS_SAMPLE ? 1 : randomInt(2 ** 31)));
/** Short, so that few calls are left to look through where one is answered differently. */
const SEQUENCE_CALLS = 250;
const SEQUENCES_AT_ONCE = 6;
const SEEDS = Array.from({ length: Math.ceil(CALLS / SEQUENCE_CALLS) }, (_, index) => SEED + index);
/** Several times what a call takes on a busy machine. */
const CALL_MAX_MS = 50;
const TIMEOUT_MS = 180_000 + CALLS * CALL_MAX_MS;
const STORIES = '60';
/** So many that each form is drawn some ten times. */
const SHAPE_CALLS = 4_000;

const hasTools = ['javac', 'mvn'].every((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0);

describe('the model of the store', () => {
  test.skipIf(!(IS_SAMPLE || hasTools))(
    'answers random calls as the engines do, refusals too',
    { timeout: TIMEOUT_MS },
    async ({ task }) => {
      const engines = await startEngines({ withAws: !IS_SAMPLE });
      try {
        const results = await mapLimit(SEQUENCES_AT_ONCE, SEEDS, (seed) =>
          runSequence(seed, SEQUENCE_CALLS, engines),
        );
        const sum = (name: 'calls' | 'refused') => results.reduce((total, each) => total + each[name], 0);
        task.meta.figures = {
          [`calls of the model and ${engines.map(({ name }) => name).join(' and ')} from DIFFERENTIAL_SEED=${SEED} on`]:
            sum('calls'),
          'of these, refused': sum('refused'),
        };
        expect(sum('refused')).toBeGreaterThan(CALLS / 20);
      } finally {
        await Promise.all(engines.map(({ stop }) => stop()));
      }
    },
  );

  test('is asked by random calls in every form in which a story asks it', { tags: 'nightly' }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'payments-shapes-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const SHAPES_FILE = path.join(folder, 'shapes');
    const recorder = ['--import', './test/simulation/differential-recorder.ts'];
    const stories = ['test/simulation/run.ts', '--seed', '1', '--stories', STORIES, '--workers', '1'];
    await runCommand(process.execPath, [...recorder, ...stories], { env: { ...process.env, SHAPES_FILE } });
    const asked = [...new Set((await readFile(SHAPES_FILE, 'utf8')).trim().split('\n'))];
    expect(asked.length).toBeGreaterThan(50);
    const drawn = new Set(await shapesIn(SEED, SHAPE_CALLS));
    expect(
      asked.filter((shape) => !drawn.has(shape)),
      `drawn by test/simulation/differential-forms.ts, DIFFERENTIAL_SEED=${SEED}`,
    ).toEqual([]);
  });
});
