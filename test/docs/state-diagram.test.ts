import { describe, expect, it } from 'vitest';
import { machineOf, renderStateDiagram } from '../../shared/docs/state-diagram.ts';
import { DISABLED_REASONS, ENDPOINT_STATUSES } from '../../shared/domain/endpoint.ts';
import { PAYMENT_STATUSES, paymentMachine } from '../../shared/domain/payment.ts';
import { REFUND_STATUSES, refundMachine } from '../../shared/domain/refund.ts';

/** The changes of status that the table beneath a diagram lists. */
function rowsOf(...drawn: Parameters<typeof renderStateDiagram>) {
  const row = /<tr><td><code>(\w+)<\/code><\/td><td>(.*?)<\/td><td><code>(\w+)<\/code><\/td><\/tr>/g;
  return [...renderStateDiagram(...drawn).text.matchAll(row)].map(([, from, by, to]) => ({ from, by, to }));
}

describe('the diagram of statuses', () => {
  it('has every change that the machine allows, and no other', () => {
    expect(rowsOf('Refund', refundMachine).map(({ from, to }) => `${from} ${to}`)).toEqual([
      'requested approved',
      'requested rejected',
      'requested canceled',
      'approved processing',
      'processing succeeded',
      'processing failed',
    ]);
  });

  it('joins the commands that lead the same way, and has those that keep the status', () => {
    const rows = rowsOf('Payment', paymentMachine);
    const by = 'the provider has not decided, another amount arrives';
    expect(rows).toContainEqual({ from: 'created', by, to: 'processing' });
    expect(rows.filter(({ from, to }) => from === to)).toEqual([
      { from: 'requires_action', by: 'a method is chosen', to: 'requires_action' },
      { from: 'processing', by: 'another amount arrives', to: 'processing' },
    ]);
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
      const changes = Object.entries<object>(machine).flatMap(([from, steps]) =>
        [...new Set(Object.values(steps))].map((to) => `${from} ${to}`),
      );
      expect(rowsOf(object, machine).map(({ from, to }) => `${from} ${to}`)).toEqual(changes);
      expect(text.match(/marker-end/g)).toHaveLength(changes.length);
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
    const [disabling, ...others] = rowsOf('WebhookEndpoint', machineOf('WebhookEndpoint') ?? {});
    expect(disabling).toMatchObject({ from: 'enabled', to: 'disabled' });
    const reasons = disabling?.by?.match(/(?<=reason <code>)\w+/g);
    expect(reasons).toEqual([...DISABLED_REASONS]);
    expect(others).toEqual([{ from: 'disabled', by: 'you enable it', to: 'enabled' }]);
    const { text } = renderStateDiagram('WebhookEndpoint', machineOf('WebhookEndpoint') ?? {});
    const [enabled, disabled] = [...text.matchAll(/<rect x="(\d+)"/g)].map(([, x]) => Number(x));
    expect(enabled).toBeLessThan(Number(disabled));
  });

  it('exists for what has a machine', () => {
    expect(machineOf('Payment')).toBe(paymentMachine);
    expect(machineOf('Event')).toBeUndefined();
  });
});
