import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Runs } from '../../../infra/local/runs.ts';

const record = (eventID: string): DynamoDBRecord => ({ eventID, dynamodb: {} });

/** Runs that end when the test lets them. */
function heldRuns(atOnceMax: number) {
  const held: { readonly event: object; readonly end: (error?: Error) => void }[] = [];
  const runs = new Runs<object>('job-runner', atOnceMax, (event) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.push({ event, end: (error) => (error === undefined ? resolve() : reject(error)) });
    return promise;
  });
  return { runs, held, started: () => held.map(({ event }) => event) };
}

describe('the runs of a worker', () => {
  it('start at once, up to so many, and the oldest that waits follows each that ends', async () => {
    const { runs, held, started } = heldRuns(2);
    for (const name of ['a', 'b', 'c', 'd']) {
      runs.add({ name }, name);
    }
    expect(started()).toEqual([{ name: 'a' }, { name: 'b' }]);
    held[1]?.end();
    await expect.poll(started).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    held[0]?.end();
    await expect.poll(started).toHaveLength(4);
  });

  it('take together what the stream brings for a world that waits, and nothing of another', async () => {
    const { runs, held, started } = heldRuns(1);
    runs.add({ Records: [record('1')] }, 'one');
    for (const [id, world] of [
      ['2', 'one'],
      ['3', 'other'],
      ['4', 'one'],
    ] as const) {
      runs.add({ Records: [record(id)] }, world);
    }
    held[0]?.end();
    await expect.poll(started).toHaveLength(2);
    held[1]?.end();
    await expect.poll(started).toHaveLength(3);
    expect(started()).toEqual([
      { Records: [record('1')] },
      { Records: [record('2'), record('4')] },
      { Records: [record('3')] },
    ]);
  });

  it('leave out a tick of the clock for what already waits, but not for what already runs', async () => {
    const { runs, held, started } = heldRuns(1);
    runs.add({ tick: 1 }, 'one');
    runs.add({ tick: 2 }, 'one');
    runs.add({ tick: 3 }, 'one');
    held[0]?.end();
    await expect.poll(started).toEqual([{ tick: 1 }, { tick: 2 }]);
    held[1]?.end();
    await runs.stop();
    expect(started()).toHaveLength(2);
  });

  it('go on after one that fails, which is printed', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => print.mockRestore());
    const { runs, held, started } = heldRuns(1);
    runs.add({ nth: 1 }, 'one');
    runs.add({ nth: 2 }, 'two');
    const error = new Error('away');
    held[0]?.end(error);
    await expect.poll(started).toHaveLength(2);
    expect(print).toHaveBeenCalledWith('the job runner failed:', error);
  });

  it('that wait are dropped at the end', async () => {
    const { runs, held, started } = heldRuns(1);
    runs.add({ nth: 1 }, 'one');
    runs.add({ nth: 2 }, 'two');
    const stopped = runs.stop();
    held[0]?.end();
    await stopped;
    expect(started()).toEqual([{ nth: 1 }]);
  });
});
