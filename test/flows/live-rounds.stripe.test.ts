import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { interceptCalls } from '../../shared/store/table/aws-client.ts';
import { type Call, sequentialRounds } from '../bench/meter.ts';
import { useLiveService } from '../support/stripe/live-service.ts';
import { newLiveWorld } from '../support/world/live-world.ts';

const { dynamodb } = await import('../../shared/store/table/client.ts');

/** How long each store response is held: concurrent calls overlap, sequential calls never do. */
const HOLD_MS = 50;

const live = useLiveService();

test.skipIf(inject('stripeMock') === null)(
  'a live payment takes one provider call, and at most four round trips to the store',
  async () => {
    const { stripe, service } = live;
    const { create } = await newLiveWorld(stripe, service);
    // Fills the caches of the process.
    await create();
    const before = stripe.requests.length;
    const calls: Pick<Call, 'startedAt' | 'endedAt'>[] = [];
    const stop = interceptCalls(dynamodb, async (_call, next) => {
      const startedAt = performance.now();
      const answer = await next();
      await sleep(HOLD_MS);
      calls.push({ startedAt, endedAt: performance.now() });
      return answer;
    });
    onTestFinished(stop);
    expect((await create()).status).toBe(201);
    expect(stripe.requests.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/payment_intents',
    ]);
    const rounds = sequentialRounds(calls);
    expect(rounds).toBeGreaterThan(1);
    expect(rounds).toBeLessThanOrEqual(4);
  },
);
