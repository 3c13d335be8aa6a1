import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paymentOperations } from '../../shared/contract/payments.ts';
import { VIEW } from '../../shared/contract/views.ts';
import type { Change } from '../../shared/domain/change.ts';
import { cancelPayment } from '../../shared/domain/payment.ts';
import { whenRefundIsDue } from '../../shared/domain/refund.ts';

import { SETTLED_MAX_MINOR } from '../../shared/domain/settlement.ts';
import { serve } from '../../shared/http/serve.ts';
import { entriesIn } from '../../shared/store/events/outbox.ts';
import { keyOfJob } from '../../shared/store/scheduler/job.ts';
import { toAttributes, toEntity } from '../../shared/store/table/entity.ts';
import { insert, replace, type StoredItem } from '../../shared/store/table/item.ts';
import { keyOf, outboxKey } from '../../shared/store/table/keys.ts';
import { list } from '../../shared/store/table/list.ts';
import { pastWrites, writesOf } from '../../shared/store/writes.ts';
import { aPayment, aRefund, aWorld, CREATED_AT_MS, ENTITIES } from '../support/world/entities.ts';

const world = aWorld();
const payment = aPayment({ linkId: 'lnk_1' });
const cause = { world, requestId: 'req_1', idempotencyKey: 'k' };

/** The items that are put, by their kind. */
function putBy(changes: readonly Change[]) {
  const puts = writesOf(cause, changes, VIEW).flatMap((write) => ('put' in write ? [write.put.item] : []));
  return Map.groupBy(puts, ({ sk, kind }) => String(kind ?? sk));
}

test('an entity is written with the event of each step of its change, as the API shows it', () => {
  const puts = putBy([cancelPayment(payment, CREATED_AT_MS + 1)]);
  const [item = {}] = puts.get('PAYMENT') ?? [];
  expect(toEntity('payment', item)).toMatchObject({ id: payment.id, status: 'canceled', version: 2 });
  const entries = entriesIn(writesOf(cause, [cancelPayment(payment, CREATED_AT_MS + 1)], VIEW));
  expect(entries).toMatchObject([
    {
      key: outboxKey(world, payment.id, 2),
      resourceId: payment.id,
      firstSequence: null,
      events: [
        {
          type: 'payment.canceled',
          resourceId: payment.id,
          previousStatus: 'created',
          object: { id: payment.id, status: 'canceled', mode: 'test' },
          request: { id: 'req_1', idempotencyKey: 'k' },
        },
      ],
      // The payment cannot expire any more.
      supersededJobs: [
        keyOfJob(world, { kind: 'expire-payment', dueAtMs: payment.expiresAtMs, paymentId: payment.id }),
      ],
    },
  ]);
});

test('it is written with its consequences, each at the item that it concerns', () => {
  const writes = writesOf({ world }, [cancelPayment(payment, CREATED_AT_MS + 1)], VIEW);
  const updates = writes.flatMap((write) => ('update' in write ? [write.update] : []));
  expect(updates).toMatchObject([
    { key: keyOf('paymentLink', world, 'lnk_1'), values: { ':uses': 0, ':taken': -1 } },
  ]);
  const approval = { kind: 'approve-refund', dueAtMs: CREATED_AT_MS } as const;
  expect([...putBy(whenRefundIsDue(aRefund(), approval)).keys()].toSorted()).toEqual(
    ['REFUND', 'outbox', 'send-refund'].toSorted(),
  );
});

test.each(Object.keys(ENTITIES) as (keyof typeof ENTITIES)[])('a %s is read as it was written', (name) => {
  const [written] = pastWrites(name, world, ENTITIES[name]);
  expect(written).toHaveProperty('put.item', expect.anything());
  const { item } = (written as { put: { item: StoredItem } }).put;
  // As text, for the order of fields counts, too.
  expect(JSON.stringify(toEntity(name, item))).toBe(JSON.stringify(ENTITIES[name]));
});

test("whatever a merchant's own data says", { tags: 'slow' }, () => {
  const metadata = fc
    .array(fc.tuple(fc.string({ unit: 'binary' }), fc.oneof(fc.string({ unit: 'grapheme' }), fc.double())))
    .map((entries) => Object.fromEntries(entries));
  const numbers = { far: Number.MAX_SAFE_INTEGER, farther: 2 ** 53 + 2, farthest: 1e300, '-0.1': -0.1 };
  fc.assert(
    fc.property(metadata, fc.string({ unit: 'grapheme' }), (data, description) => {
      const entries = aPayment({ metadata: { ...data, ...numbers }, description });
      const item = toAttributes('payment', entries);
      expect(JSON.stringify(toEntity('payment', item))).toBe(JSON.stringify(entries));
    }),
  );
});

test('the largest amounts are read as they were written', () => {
  const amount = { currency: 'THB', minor: SETTLED_MAX_MINOR } as const;
  const settlement = { ...ENTITIES.settlement, expected: amount, stated: amount };
  expect(toEntity('settlement', toAttributes('settlement', settlement))).toEqual(settlement);
});

test('a list shows an entry that changed meanwhile at its index, as it is now', () => {
  const item = { ...toAttributes('payment', payment), version: 7, refundableMinor: 1 };
  expect(JSON.stringify(toEntity('payment', item))).toBe(
    JSON.stringify({ ...payment, version: 7, refundableMinor: 1 }),
  );
});

test('a function can write a resource only by a change', () => {
  const item = { ...keyOf('payment', world, payment.id), ...payment };
  const ways = () => [
    // @ts-expect-error a resource is not put in by itself, for its events belong to it
    insert(item),
    // @ts-expect-error nor replaced
    replace(item, payment.version),
    // @ts-expect-error and a function returns changes, which the frame turns into writes
    serve(paymentOperations.cancelPayment, async () => ({ changes: [insert({ pk: 'p', sk: 's' })] })),
  ];
  expect(ways).toBeTypeOf('function');
});

test('a filter that the row of a resource does not have does not compile', () => {
  const query = { limit: 1, status: 'paid', bank: 'x' };
  const ways = () => [
    list('payout', world, { limit: 1, status: 'paid' }),
    // @ts-expect-error no list filters payouts by their bank
    list('payout', world, query),
  ];
  expect(ways).toBeTypeOf('function');
});

test('a resource is stored only over the version that the change was decided on', () => {
  const [write] = writesOf(cause, [cancelPayment({ ...payment, version: 4 }, CREATED_AT_MS + 1)], VIEW);
  expect(write).toMatchObject({
    put: { item: { version: 5 }, condition: '#version = :read', values: { ':read': 4 } },
  });
});
