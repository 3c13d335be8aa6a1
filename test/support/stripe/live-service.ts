import { beforeAll, expect, inject } from 'vitest';
import { startInProcess } from '../world/in-process.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

interface LiveService {
  readonly service: Awaited<ReturnType<typeof startInProcess>>;
  readonly stripe: StandIn;
}

/** A service and its Stripe while the tests of a file run: neither exists if the validator is missing. */
export function useLiveService(): LiveService {
  const live = {} as LiveService;
  beforeAll(async () => {
    const mock = inject('stripeMock');
    if (mock === null) {
      return;
    }
    const stripe = await startStandIn(mock);
    process.env.STRIPE_API_URL = stripe.apiUrl;
    const service = await startInProcess();
    Object.assign(live, { service, stripe } satisfies LiveService);
    return async () => {
      await service.stop();
      await stripe.stop();
      expect(stripe.faults).toEqual([]);
    };
  });
  return live;
}
