import { describe, expect, it } from 'vitest';
import { machineOf, renderStateDiagram } from '../../shared/docs/state-diagram.ts';
import { DISABLED_REASONS, ENDPOINT_STATUSES } from '../../shared/domain/endpoint.ts';
import type { AnyMachine } from '../../shared/domain/machine.ts';
import { PAYMENT_STATUSES, paymentMachine } from '../../shared/domain/payment.ts';
import { REFUND_STATUSES, refundMachine } from '../../shared/domain/refund.ts';
import { REPORTED_NAMES } from '../../shared/domain/resource.ts';

/** The changes of status that the table beneath a diagram lists. */
function rowsOf(...drawn: Parameters<typeof renderStateDiagram>) {
  const row = /<tr><td><code>(\w+)<\/code><\/td><td>(.*?)<\/td><td><code>(\w+)<\/code><\/td><\/tr>/g;
  return [...renderStateDiagram(...drawn).text.matchAll(row)].map(([, from, by, to]) => ({ from, by, to }));
}

/** Points of every arrow, without those at its two ends, and the boxes of the states. */
function drawingOf(object: string, machine: AnyMachine) {
  const { text } = renderStateDiagram(object, machine);
  const boxes = [...text.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map(
    (found) => found.slice(1).map(Number),
  );
  const arrows = [...text.matchAll(/<path d="(M[^"]+)" marker-end/g)].map(([, path = '']) =>
    sampledPoints(path).slice(1, -1),
  );
  return { boxes, arrows };
}

/** Points of a path of lines and curves, one after the other. */
function sampledPoints(path: string): [x: number, y: number][] {
  const steps = [...path.matchAll(/([MLC])([^MLC]+)/g)].map(([, kind, numbers = '']) => ({
    kind,
    numbers: numbers
      .trim()
      .split(/[\s,]+/)
      .map(Number),
  }));
  const points: [number, number][] = [];
  for (const { kind, numbers } of steps) {
    const [x0, y0] = points.at(-1) ?? [0, 0];
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] =
      kind === 'C' ? numbers : [x0, y0, ...numbers, ...numbers];
    const parts = kind === 'M' ? [1] : Array.from({ length: 100 }, (_, index) => (index + 1) / 100);
    for (const t of parts) {
      const at = (a: number, b: number, c: number, d: number) =>
        (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
      points.push([at(x0, x1, x2, x3), at(y0, y1, y2, y3)]);
    }
  }
  return points;
}

const MACHINES = REPORTED_NAMES.flatMap((name) => {
  const object = name.charAt(0).toUpperCase() + name.slice(1);
  const machine = machineOf(object);
  return machine === undefined ? [] : [[object, machine] as const];
});

describe('the diagram of statuses', () => {
  it.each(MACHINES)('of a %s has no arrow that goes through a box', (object, machine) => {
    const { boxes, arrows } = drawingOf(object, machine);
    expect(boxes).toHaveLength(Object.keys(machine).length);
    const inside = arrows
      .flat()
      .filter(([x, y]) =>
        boxes.some(
          ([left = 0, top = 0, width = 0, height = 0]) =>
            x > left && x < left + width && y > top && y < top + height,
        ),
      );
    expect(arrows.flat().length).toBeGreaterThan(90);
    expect(inside).toEqual([]);
  });

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
