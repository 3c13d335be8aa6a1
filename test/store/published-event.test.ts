import { describe, expect, test } from 'vitest';
import { newMerchant } from '../support/api.ts';
import { worldOf } from '../support/resources.ts';

const { commit } = await import('../../shared/store/commit.ts');
const { takeSequences } = await import('../../shared/store/published-event.ts');

describe('sequence numbers', () => {
  test('are given out once: a runner that read them before another took them gets none', async () => {
    const { merchant } = await newMerchant();
    const read = await worldOf(merchant);
    expect(await commit([takeSequences(read, 3)])).toEqual({ kind: 'committed' });
    expect(await commit([takeSequences(read, 1)])).toEqual({ kind: 'conflict', which: [0] });
    const again = await worldOf(merchant);
    expect(again.eventCount).toBe(3);
    expect(await commit([takeSequences(again, 2)])).toEqual({ kind: 'committed' });
    expect(await commit([takeSequences(again, 2)])).toEqual({ kind: 'conflict', which: [0] });
    expect((await worldOf(merchant)).eventCount).toBe(5);
  });

  test('are not given out to a runner of before a purge', async () => {
    const { merchant } = await newMerchant();
    const read = await worldOf(merchant);
    const { kind } = await commit([takeSequences({ ...read, epoch: read.epoch - 1 }, 1)]);
    expect(kind).toBe('conflict');
  });
});
