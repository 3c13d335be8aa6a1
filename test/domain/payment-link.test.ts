import { describe, expect, it } from 'vitest';
import {
  amountBounds,
  createPaymentLink,
  disablePaymentLink,
  LINK_CODE,
  LINK_EXPIRES_WITHIN_MS,
  LINK_STATUSES,
  linkMachine,
  MAX_USES_MAX,
  newLinkAttempt,
  newLinkCode,
  overpayLink,
  type PaymentLinkInput,
  paymentInputFromLink,
  reservedUntilMs,
  takesAmount,
  unavailabilityOf,
} from '../../shared/domain/payment-link.ts';
import { afterOf } from '../../shared/domain/resource-change.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { reachableFrom, readLife, take } from '../support/tools/life-table.ts';
import { aPayment, aPaymentLink, CREATED_AT_MS } from '../support/world/entities.ts';

/** Contract §7: disabling twice is the same as once. */
const LIFE = readLife(`
            disable
  active    disabled
  disabled  disabled
`);

const NOW = CREATED_AT_MS;
const baht = (minor: number) => ({ currency: 'THB', minor }) as const;

const identity = {
  id: 'lnk_01h455vb4pex5vsknk084sn02q',
  number: 'L-000001',
  code: 'abc',
  url: 'https://pay.example/l/abc',
};

function create(order: PaymentLinkInput) {
  return afterOf(createPaymentLink(identity, order, NOW));
}

describe('the life of a payment link', () => {
  it('has two statuses and no others', () => {
    expect([...LINK_STATUSES].toSorted()).toEqual(['active', 'disabled']);
    expect(Object.keys(linkMachine).toSorted()).toEqual(['active', 'disabled']);
  });

  it.each(LIFE)('goes from $from by $command to $to', (step) => {
    expect(take(linkMachine, step)).toBe(step.to);
  });

  it('can reach every status', () => {
    expect([...reachableFrom(linkMachine, 'active')].toSorted()).toEqual(['active', 'disabled']);
  });
});

describe('a new payment link', () => {
  it('is active, unused, without an end, and collects what the contract says', () => {
    expect(create({ amount: { type: 'open' } })).toEqual({
      id: 'lnk_01h455vb4pex5vsknk084sn02q',
      number: 'L-000001',
      version: 1,
      code: 'abc',
      url: 'https://pay.example/l/abc',
      status: 'active',
      amountType: 'open',
      amount: null,
      minAmount: null,
      maxAmount: null,
      currency: 'THB',
      collect: { email: 'optional', name: 'optional', phone: 'off' },
      description: null,
      maxUses: null,
      uses: 0,
      takenUses: 0,
      heldBy: null,
      metadata: {},
      returnUrl: null,
      createdAtMs: NOW,
      updatedAtMs: NOW,
      expiresAtMs: null,
    });
  });

  it('has a created event', () => {
    const change = createPaymentLink(identity, { amount: { type: 'open' } }, NOW);
    expect(change).toMatchObject({ resource: 'paymentLink', before: null });
    expect(change.steps).toMatchObject([
      { event: 'payment_link.created', previousStatus: null, after: { status: 'active' } },
    ]);
  });

  it('keeps everything that was given', () => {
    const link = create({
      amount: { type: 'open', currency: 'THB', min: baht(100), max: baht(500) },
      collect: { email: 'required', name: 'off', phone: 'optional' },
      description: 'one seat',
      expiresAt: '2026-12-24T18:00:00+07:00',
      maxUses: 3,
      metadata: { course: 7 },
      returnUrl: 'https://shop.example/thanks',
    });
    expect(link).toMatchObject({
      amountType: 'open',
      amount: null,
      minAmount: baht(100),
      maxAmount: baht(500),
      currency: 'THB',
      collect: { email: 'required', name: 'off', phone: 'optional' },
      description: 'one seat',
      maxUses: 3,
      metadata: { course: 7 },
      returnUrl: 'https://shop.example/thanks',
      expiresAtMs: Date.UTC(2026, 11, 24, 11, 0, 0),
    });
  });

  it('changes only the collect rules that are named', () => {
    const { collect } = create({ amount: { type: 'open' }, collect: { phone: 'required' } });
    expect(collect).toEqual({ email: 'optional', name: 'optional', phone: 'required' });
  });

  // One currency exists, so a stand-in shows where the currency is taken from.
  const other = { currency: 'XTS', minor: 5 } as unknown as ReturnType<typeof baht>;
  it.each([
    ['the amount itself', { type: 'open', currency: other.currency, min: baht(1) }],
    ['the fixed amount', { type: 'fixed', fixed: other }],
    ['the smallest amount', { type: 'open', min: other }],
    ['the largest amount', { type: 'open', max: other }],
  ] as const)('takes its currency from %s', (_name, amount) => {
    expect(create({ amount }).currency).toBe('XTS');
  });

  it('has a unique code of ten unambiguous characters', () => {
    const codes = Array.from({ length: 500 }, newLinkCode);
    expect(codes.filter((code) => !/^[0-9abcdefghjkmnpqrstvwxyz]{10}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.every((code) => LINK_CODE.test(code))).toBe(true);
    const others = ['', 'abcdefghj', 'abcdefghjkm', 'abcdefghji', 'ABCDEFGHJK', 'abcdefghjk\n'];
    expect(others.filter((code) => LINK_CODE.test(code))).toEqual([]);
  });

  it('may be used a million times and for a year at most', () => {
    expect(MAX_USES_MAX).toBe(1_000_000);
    expect(LINK_EXPIRES_WITHIN_MS).toBe(366 * 24 * 60 * 60_000);
  });
});

describe('disabling a payment link', () => {
  it('takes it out of use, with an event', () => {
    const after = aPaymentLink({ status: 'disabled', version: 2, updatedAtMs: NOW + 9 });
    expect(disablePaymentLink(aPaymentLink(), NOW + 9)?.steps).toEqual([
      { event: 'payment_link.disabled', previousStatus: 'active', after },
    ]);
  });

  it('changes nothing and has no event the second time', () => {
    const disabled = aPaymentLink({ status: 'disabled' });
    expect(disablePaymentLink(disabled, NOW + 9)).toBeNull();
  });

  it('never lets the time of a link run backwards', () => {
    const disabled = disablePaymentLink(aPaymentLink({ updatedAtMs: NOW }), NOW - 1);
    expect(disabled?.steps[0].after.updatedAtMs).toBe(NOW);
  });
});

describe('a link takes a payment', () => {
  const link = aPaymentLink({ maxUses: 2, expiresAtMs: CREATED_AT_MS + 1_000 });

  it.each([
    [{}, null],
    [{ takenUses: 1 }, null],
    [{ takenUses: 2 }, 'reserved'],
    [{ takenUses: 2, uses: 1 }, 'reserved'],
    [{ takenUses: 2, uses: 2 }, 'exhausted'],
    [{ takenUses: 3, uses: 3 }, 'exhausted'],
    [{ maxUses: null, takenUses: 99 }, null],
    [{ status: 'disabled', takenUses: 2 }, 'disabled'],
  ] as const)('unless %j says %s', (changes, expected) => {
    expect(unavailabilityOf({ ...link, ...changes }, CREATED_AT_MS)).toBe(expected);
  });

  it('until its time is over', () => {
    expect(unavailabilityOf(link, CREATED_AT_MS + 999)).toBeNull();
    expect(unavailabilityOf(link, CREATED_AT_MS + 1_000)).toBe('expired');
    expect(unavailabilityOf({ ...link, expiresAtMs: null }, CREATED_AT_MS + 9e9)).toBeNull();
  });
});

describe('a payer who finds the uses of a link reserved can come back', () => {
  const expiresAtMs = CREATED_AT_MS + 60 * 60_000;
  const nowMs = CREATED_AT_MS + 60_000;
  const [inAMinute, inAQuarter] = [nowMs + 60_000, nowMs + 15 * 60_000];

  it.each([
    ['after the payment that took one last', aPayment({ expiresAtMs }), expiresAtMs],
    [
      'after it, with the time of its method',
      aPayment({ expiresAtMs, status: 'requires_action' }),
      expiresAtMs,
    ],
    ['in a minute where that is over', aPayment({ expiresAtMs: nowMs - 1 }), inAMinute],
    ['in 15 minutes where its money may come', aPayment({ expiresAtMs, status: 'processing' }), inAQuarter],
    ['in 15 minutes where it was paid', aPayment({ expiresAtMs, status: 'succeeded' }), inAQuarter],
    ['in 15 minutes where it is unknown', null, inAQuarter],
  ] as const)('%s', (_, holder, expected) => {
    expect(reservedUntilMs(holder, nowMs)).toBe(expected);
  });
});

describe('what a link takes', () => {
  const open = aPaymentLink({ amountType: 'open', amount: null });

  it.each([
    [open, 1, true],
    [open, 0, false],
    [open, 100_000_000, true],
    [open, 100_000_001, false],
    [{ ...open, minAmount: baht(200) }, 199, false],
    [{ ...open, maxAmount: baht(200_000_000) }, 200_000_000, true],
    [{ ...open, maxAmount: baht(200_000_000) }, 200_000_001, false],
    [aPaymentLink(), 35_000, true],
    [aPaymentLink(), 35_001, false],
  ])('%# is an amount within its bounds: %j', (link, minor, isTaken) => {
    const order = () => paymentInputFromLink(link, { amount: baht(minor), customer: {} });
    expect(takesAmount(link, baht(minor))).toBe(isTaken);
    if (isTaken) {
      expect(order()).toMatchObject({ amount: { minor }, checkout: true });
    } else {
      const { code, errors } = problemOf(order);
      const { least, most } = amountBounds(link);
      const message = `must be within the bounds of the link: ${least} to ${most} satang`;
      expect(code).toBe('validation_failed');
      expect(errors).toEqual([{ code: 'conflict', field: 'amount', message }]);
    }
  });

  it('is held for 15 minutes while no method is chosen', () => {
    const order = paymentInputFromLink(open, { amount: baht(1), customer: {} });
    expect(order).toMatchObject({ expiresInMinutes: 15 });
  });

  it('becomes a payment with what the link says of itself', () => {
    const payer = { amount: baht(1), customer: { email: 'payer@example.com' } };
    const plain = {
      ...payer,
      checkout: true,
      expiresInMinutes: 15,
      metadata: { course: 7 },
    };
    const link = { ...open, metadata: { course: 7 } };
    expect(paymentInputFromLink(link, payer)).toStrictEqual(plain);
    const texts = { description: 'one seat', returnUrl: 'https://shop.example/thanks' };
    expect(paymentInputFromLink({ ...link, ...texts }, payer)).toStrictEqual({ ...plain, ...texts });
  });

  it('is one attempt to pay for each form, by a key that nobody can guess', () => {
    expect(newLinkAttempt()).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(newLinkAttempt()).not.toBe(newLinkAttempt());
  });
});

describe('late money', () => {
  it.each([
    [{ maxUses: null, takenUses: 9 }, false],
    [{ maxUses: 2, takenUses: 1 }, false],
    [{ maxUses: 2, takenUses: 2 }, true],
    [{ maxUses: 2, takenUses: 3 }, true],
  ])('finds no free use in a link with %j: %s', (changes, isOverpaid) => {
    const link = aPaymentLink({ ...changes, uses: 1 });
    const after = { ...link, uses: 2, takenUses: link.takenUses + 1, version: 2, updatedAtMs: NOW + 5 };
    expect(overpayLink(link, NOW + 5)?.steps).toEqual(
      isOverpaid ? [{ event: 'payment_link.overpaid', previousStatus: 'active', after }] : undefined,
    );
  });
});
