import { describe, expect, it } from 'vitest';
import { providerFor } from '../../shared/providers/providers.ts';
import { simulatedProvider } from '../../shared/providers/simulated/simulated-provider.ts';
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
});
