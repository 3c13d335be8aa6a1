import { describe, expect, it } from 'vitest';
import { newId } from '../../shared/domain/id.ts';
import { askFor } from '../../shared/domain/open-payment.ts';
import { providerFor } from '../../shared/providers/providers.ts';
import { simulatedProvider } from '../../shared/providers/simulated/simulated-provider.ts';
import { aPayment, CREATED_AT_MS } from '../support/entities.ts';
import { problemOf } from '../support/thrown-problem.ts';

describe('the provider', () => {
  it('of test mode is the simulator', () => {
    expect(providerFor('test')).toBe(simulatedProvider);
  });

  it('of live mode does not exist until one is plugged in', () => {
    expect(problemOf(() => providerFor('live'))).toMatchObject({
      code: 'live_mode_unavailable',
      status: 403,
    });
  });

  it('cannot be asked for a payment that no claim stands for: that does not compile', async () => {
    const ask = askFor(aPayment(), 'promptpay', CREATED_AT_MS);
    // @ts-expect-error A new id is not that of a payment.
    const answer = await simulatedProvider.begin({ ...ask, paymentId: newId('pay', CREATED_AT_MS) });
    expect(answer.kind).toBe('done');
  });
});
