import { describe, expect, it } from 'vitest';
import { machineOf, renderStateDiagram, transitionsOf } from '../../shared/docs/state-diagram.ts';
import { DISABLED_REASONS, ENDPOINT_STATUSES } from '../../shared/domain/endpoint.ts';
import { PAYMENT_STATUSES, paymentMachine } from '../../shared/domain/payment.ts';
import { REFUND_STATUSES, refundMachine } from '../../shared/domain/refund.ts';

describe('the diagram of statuses', () => {
  it('has every change that the machine allows, and no other', () => {
    expect(transitionsOf(refundMachine).map(({ from, to }) => `${from} ${to}`)).toEqual([
      'requested approved',
      'requested rejected',
      'requested canceled',
      'approved processing',
      'processing succeeded',
      'processing failed',
    ]);
  });

  it('joins the commands that lead the same way, and leaves out staying where one is', () => {
    const transitions = transitionsOf(paymentMachine);
    expect(transitions).toContainEqual({ from: 'created', to: 'processing', commands: ['hold', 'mismatch'] });
    expect(transitions.filter(({ from, to }) => from === to)).toEqual([]);
  });

  it.each([
    ['Payment', paymentMachine, PAYMENT_STATUSES],
    ['Refund', refundMachine, REFUND_STATUSES],
    ['WebhookEndpoint', machineOf('WebhookEndpoint') ?? {}, ENDPOINT_STATUSES],
  ] as const)(
    'of a %s has a box of every status, an arrow and a row of every change',
    (object, machine, statuses) => {
      const { text } = renderStateDiagram(object, machine);
      const boxes = [...text.matchAll(/<text [^>]*>(\w+)<\/text>/g)].map(([, status]) => status);
      expect(boxes.toSorted()).toEqual([...statuses].toSorted());
      const count = transitionsOf(machine).length;
      expect(text.match(/marker-end/g)).toHaveLength(count);
      expect(text.match(/<tr><td>/g)).toHaveLength(count);
    },
  );

  it('places later statuses to the right of earlier ones', () => {
    const { text } = renderStateDiagram('Payment', paymentMachine);
    const ends = [...text.matchAll(/d="M([\d.]+) [\d.]+C[^"]* ([\d.]+) [\d.]+"/g)];
    expect(ends.length).toBeGreaterThan(10);
    for (const [, startX, endX] of ends) {
      expect(Number(endX)).toBeGreaterThan(Number(startX));
    }
  });

  it('of a webhook endpoint names every reason for which it is disabled, and the way back', () => {
    expect(transitionsOf(machineOf('WebhookEndpoint') ?? {})).toEqual([
      { from: 'enabled', to: 'disabled', commands: [...DISABLED_REASONS] },
      { from: 'disabled', to: 'enabled', commands: ['enable'] },
    ]);
    const { text } = renderStateDiagram('WebhookEndpoint', machineOf('WebhookEndpoint') ?? {});
    const [enabled, disabled] = [...text.matchAll(/<rect x="(\d+)"/g)].map(([, x]) => Number(x));
    expect(enabled).toBeLessThan(Number(disabled));
  });

  it('exists for what has a machine', () => {
    expect(machineOf('Payment')).toBe(paymentMachine);
    expect(machineOf('Event')).toBeUndefined();
  });
});
