import { expect, test } from 'vitest';
import { nextVersion } from '../../../shared/domain/resource-change.ts';
import { readEndpoints, writeEndpoint } from '../../../shared/store/events/endpoint.ts';
import { commit } from '../../../shared/store/table/commit.ts';
import { newMerchant } from '../../support/world/api.ts';
import { anEndpoint } from '../../support/world/entities.ts';
import { worldOf } from '../../support/world/resources.ts';

test.each(['changes', 'deletes'])(
  'a write that %s a deleted endpoint leaves the one that has its slot now',
  async (how) => {
    const { merchant } = await newMerchant();
    const world = await worldOf(merchant);
    const old = anEndpoint({ slot: 3 });
    const created = anEndpoint({ slot: 3, id: 'whe_01h455vb4pex5vsknk084sn02r' });
    expect(old.version).toBe(created.version);
    for (const [before, after] of [
      [null, old],
      [old, null],
      [null, created],
    ] as const) {
      expect(await commit([writeEndpoint(world, { before, after })])).toEqual({ kind: 'committed' });
    }
    // By an attempt that has read the old endpoint before, for example.
    const late = { before: old, after: how === 'changes' ? nextVersion(old, {}, old.updatedAtMs) : null };
    expect(await commit([writeEndpoint(world, late)])).toEqual({ kind: 'conflict', failed: [0] });
    expect(await readEndpoints(world)).toEqual([created]);
  },
);
