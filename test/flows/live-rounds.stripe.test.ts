import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test, vi } from 'vitest';
import { type Call, sequentialRounds } from '../bench/meter.ts';
import { startInProcess } from '../support/in-process.ts';
import { newLiveWorld } from '../support/live-world.ts';
import { startStandIn } from '../support/stripe/stand-in.ts';

const { documents } = await import('../../shared/store/client.ts');

/** So long each answer of the store is held: calls that go out together overlap, and those that wait never do. */
const HOLD_MS = 50;

test.skipIf(inject('stripeMock') === null)(
  'a live payment is made by one call of the provider, and at most four rounds of the store',
  async () => {
    const mock = inject('stripeMock');
    const stripe = await startStandIn(mock as NonNullable<typeof mock>);
    process.env.STRIPE_API_URL = stripe.apiUrl;
    const service = await startInProcess();
    try {
      const { create } = await newLiveWorld(stripe, service);
      // What a process remembers is remembered.
      await create();
      const before = stripe.requests.length;
      const calls: Pick<Call, 'startedAt' | 'endedAt'>[] = [];
      const send = documents.send.bind(documents) as (command: unknown) => Promise<unknown>;
      vi.spyOn(documents, 'send').mockImplementation((async (command: unknown) => {
        const startedAt = performance.now();
        const answer = await send(command);
        await sleep(HOLD_MS);
        calls.push({ startedAt, endedAt: performance.now() });
        return answer;
      }) as typeof documents.send);
      expect((await create()).status).toBe(201);
      expect(stripe.requests.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
        'POST /v1/payment_intents',
      ]);
      const rounds = sequentialRounds(calls);
      expect(rounds).toBeGreaterThan(1);
      expect(rounds).toBeLessThanOrEqual(4);
    } finally {
      vi.restoreAllMocks();
      await service.stop();
      await stripe.stop();
    }
    expect(stripe.faults).toEqual([]);
  },
);
