import { describe, expect, it } from 'vitest';
import {
  JOB_KINDS,
  type Job,
  type JobKind,
  OWN_JOBS,
  subjectOf,
  uniqueIdOf,
} from '../../shared/domain/job.ts';
import type { PaymentId } from '../../shared/domain/request-start.ts';
import { perResource } from '../../shared/domain/resource.ts';
import { CREATED_AT_MS } from '../support/world/entities.ts';

const dueAtMs = CREATED_AT_MS;
const report = {
  eventId: 'bank-1',
  actionId: 'act_1',
  outcome: 'succeeded',
  resultCode: 'approved',
} as const;

const purge = {
  actionId: 'act_1',
  epoch: 1,
  counts: perResource(() => 1),
  resetAtMs: dueAtMs,
};

const sent = {
  paymentId: 'pay_1' as PaymentId,
  attemptId: 'att_1',
  sinceMs: dueAtMs,
  untilMs: dueAtMs,
  reference: null,
  pages: { checkoutUrl: '', qrSvgUrl: '' },
};

/** A job of every kind, with its subject. */
const JOBS: { readonly [kind in JobKind]: readonly [string, Job & { readonly kind: kind }] } = {
  'expire-payment': ['pay_1', { kind: 'expire-payment', dueAtMs, paymentId: 'pay_1' }],
  'approve-refund': ['ref_1', { kind: 'approve-refund', dueAtMs, refundId: 'ref_1' }],
  'send-refund': ['ref_1', { kind: 'send-refund', dueAtMs, refundId: 'ref_1' }],
  'look-up-payment': [
    'pay_1',
    { kind: 'look-up-payment', dueAtMs, paymentId: 'pay_1', status: 'processing' },
  ],
  'look-up-refund': ['ref_1', { kind: 'look-up-refund', dueAtMs, refundId: 'ref_1' }],
  'stop-attempt': ['pay_1', { kind: 'stop-attempt', dueAtMs, sent }],
  'apply-simulation': [
    'pay_1',
    {
      kind: 'apply-simulation',
      dueAtMs,
      event: { about: 'payment', targetId: 'pay_1', amount: { currency: 'THB', minor: 1 }, ...report },
    },
  ],
  'delete-epoch': ['act_1', { kind: 'delete-epoch', dueAtMs, purge, endpointIds: [] }],
  'recover-events': ['whe_1', { kind: 'recover-events', dueAtMs, endpointId: 'whe_1', ranges: [[1, 2]] }],
  'delete-endpoint': ['whe_1', { kind: 'delete-endpoint', dueAtMs, endpointId: 'whe_1' }],
  'deliver-event': [
    'pay_1',
    {
      kind: 'deliver-event',
      dueAtMs,
      eventId: 'evt_1',
      resourceId: 'pay_1',
      endpointId: 'snk_1',
      attempt: 1,
      sequence: 9,
    },
  ],
};

describe('a job', () => {
  it.each(Object.values(JOBS))('is about %s: $1.kind', (subject, job) => {
    expect(subjectOf(job)).toBe(subject);
  });

  it("is one of these kinds, of which the service's own delete what nobody can reach any more", () => {
    expect(JOB_KINDS.toSorted()).toEqual(Object.keys(JOBS).toSorted());
    expect(OWN_JOBS).toEqual(['delete-epoch', 'delete-endpoint']);
  });

  it('that applies a simulation of a refund is about that refund', () => {
    const onRefund = { about: 'refund', targetId: 'ref_1', ...report } as const;
    expect(subjectOf({ kind: 'apply-simulation', dueAtMs, event: onRefund })).toBe('ref_1');
  });

  it('of a resource, which its changes supersede, has the same id each time', () => {
    const superseded = Object.values(JOBS).filter(([, job]) => uniqueIdOf(job) !== null);
    expect(superseded.map(([, job]) => uniqueIdOf(job))).toEqual([
      'expire-payment#pay_1',
      'approve-refund#ref_1',
      'send-refund#ref_1',
      'look-up-payment#pay_1',
      'look-up-refund#ref_1',
      'stop-attempt#pay_1',
      'evt_1#1',
    ]);
  });

  it('that redelivers an event by hand is a new one each time', () => {
    const [, job] = JOBS['deliver-event'];
    expect(uniqueIdOf({ ...job, isRedelivery: true })).toBeNull();
  });
});
