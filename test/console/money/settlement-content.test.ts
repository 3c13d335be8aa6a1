import { expect, it } from 'vitest';
import { planSettlement } from '../../../shared/console/money/settlement-content.ts';
import { VIEW } from '../../../shared/contract/views.ts';
import { type EntityOf, perResource, type ResourceName } from '../../../shared/domain/resource.ts';
import { runSeedScript } from '../../../shared/domain/testkit/seed.ts';
import { SEED_PROFILES, type SeedProfile } from '../../../shared/domain/testkit/seed-script.ts';
import { simulatedAction } from '../../../shared/providers/simulated/simulated-provider.ts';
import type { BodyReader, ReadRequest } from '../../../shared/story/read-request.ts';
import { aWorld, CREATED_AT_MS } from '../../support/world/entities.ts';

function seeded(profile: SeedProfile) {
  const basis = {
    profile,
    seededAtMs: CREATED_AT_MS,
    baseUrl: 'https://pay.example',
    secret: 'a secret',
    countsBefore: perResource(() => 0),
  };
  const { made } = runSeedScript(aWorld(), basis, simulatedAction);
  const newestOf = <Name extends ResourceName>(name: Name) =>
    made[name].map((one) => VIEW[name]({ mode: 'test' }, one as EntityOf<Name>)).toReversed();
  return {
    settlements: newestOf('settlement'),
    lists: new Map<
      string,
      readonly { readonly id: string; readonly status: string; readonly created_at: string }[]
    >([
      ['payments.ListPayments', newestOf('payment')],
      ['payments.ListRefunds', newestOf('refund')],
      ['payouts.ListPayouts', newestOf('payout')],
      ['settlements.ListSettlements', newestOf('settlement')],
    ]),
  };
}

/** Reads these lists as the service does, page by page. */
function readerOf({ lists }: Pick<ReturnType<typeof seeded>, 'lists'>): BodyReader {
  return (({ operationId, query = {} }: ReadRequest) => {
    const { status, created_to: before = '9999', after, limit = '20' } = query as Record<string, string>;
    const found = (lists.get(operationId) ?? []).filter(
      (row) => (status === undefined || row.status === status) && row.created_at < before,
    );
    const from = found.findIndex(({ id }) => id === after) + 1;
    const data = found.slice(from, from + Number(limit));
    const hasMore = from + data.length < found.length;
    return { data, has_more: hasMore, next_cursor: hasMore ? data.at(-1)?.id : null };
  }) as unknown as BodyReader;
}

it.each(SEED_PROFILES)(
  'a settlement of the seed %s shows exactly what it took, each thing once',
  (profile) => {
    const world = seeded(profile);
    const matched = world.settlements.filter(({ status }) => status === 'matched');
    const contents = matched.map((settlement) => planSettlement(settlement, readerOf(world)));
    expect(contents.map(({ totalMinor }) => totalMinor)).toEqual(
      matched.map(({ expected }) => expected.minor),
    );
    const shown = contents.flatMap(({ payments, refunds, payouts }) => [...payments, ...refunds, ...payouts]);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
  },
);
