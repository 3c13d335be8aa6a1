import { hasTestKit } from '../../contract/test-kit.ts';
import { log } from '../../telemetry/log.ts';
import type { SmokeCall } from './smoke-call.ts';
import { takeSmokePayment } from './smoke-payment.ts';

/** Takes a smoke payment in this deployment, and logs why it failed: its errors quote nothing that was sent. */
export async function reportSmoke(call: SmokeCall): Promise<void> {
  try {
    await takeSmokePayment(call, { hasTestKit: hasTestKit() });
    log.info('the smoke payment was taken');
  } catch (error) {
    log.error('the smoke payment failed', { why: error instanceof Error ? error.message : typeof error });
    throw error;
  }
}
