import { expect, test } from 'vitest';
import { perResource } from '../../../shared/domain/resource.ts';
import type { SeedRecord, SeedReport } from '../../../shared/domain/testkit/seed.ts';
import { newKey } from '../../support/world/merchant.ts';
import { worldOf } from '../../support/world/resources.ts';

const { commit } = await import('../../../shared/store/table/commit.ts');
const { findPurge, endEpoch } = await import('../../../shared/store/testkit/purge.ts');
const { beginSeed, endSeed, findSeed } = await import('../../../shared/store/testkit/seed-record.ts');

/** As a version stored it that did not know payouts. */
function withoutPayouts<Counts extends object>(counts: Counts): Counts {
  return JSON.parse(JSON.stringify({ ...counts, payout: undefined }));
}

const COUNTS = perResource(() => 2);
const AS_READ = { ...COUNTS, payout: 0 };
const ACTION = 'act_01h455vb4pex5vsknk084sn02q';

test('a seed that an earlier version made counts no resource that it did not know', async () => {
  const world = await worldOf((await newKey()).merchant);
  const record: SeedRecord = {
    ...{ profile: 'small', seededAtMs: 0, baseUrl: 'https://pay.example', secret: 'a' },
    ...{ countsBefore: withoutPayouts(COUNTS), actionId: ACTION, owner: 'a', leaseEndsAtMs: 0, report: null },
  };
  await commit(beginSeed(world, record));
  expect(await findSeed(world, 'small')).toEqual({ ...record, countsBefore: AS_READ });

  const made = { made: withoutPayouts(COUNTS), sinks: 1 };
  const report = {
    ...{ actionId: ACTION, alreadySeeded: false, profile: 'small', created: made, skipped: made, ids: {} },
    summary: {},
  } as unknown as SeedReport;
  await commit([endSeed(world, record, report)]);
  const { created, skipped } = (await findSeed(world, 'small'))?.report ?? {};
  expect(created).toEqual({ made: AS_READ, sinks: 1 });
  expect(skipped).toEqual({ made: AS_READ, sinks: 1 });
});

test('a purge that an earlier version made counts no resource that it did not know', async () => {
  const world = await worldOf((await newKey()).merchant);
  const purge = {
    ...{ actionId: ACTION, epoch: world.epoch, resetAtMs: 0, eventBlock: null },
    counts: withoutPayouts(COUNTS),
  };
  await commit(endEpoch(world, 'key', purge));
  expect(await findPurge(world.id, 'key')).toEqual({ ...purge, counts: AS_READ });
});
