import { afterAll, beforeAll, expect, inject } from 'vitest';
import { startInProcess } from './in-process.ts';
import { type StandIn, startStandIn } from './stripe/stand-in.ts';

interface LiveService {
  readonly service: Awaited<ReturnType<typeof startInProcess>>;
  readonly stripe: StandIn;
}

/** A service and its Stripe while the tests of a file run: neither is there where the validator is missing. */
export function useLiveService(): LiveService {
  const live = {} as { -readonly [Name in keyof LiveService]: LiveService[Name] };
  beforeAll(async () => {
    const mock = inject('stripeMock');
    if (mock === null) {
      return;
    }
    live.stripe = await startStandIn(mock);
    process.env.STRIPE_API_URL = live.stripe.apiUrl;
    live.service = await startInProcess();
  });
  afterAll(async () => {
    await live.service?.stop();
    await live.stripe?.stop();
    expect(live.stripe?.faults ?? []).toEqual([]);
  });
  return live;
}
