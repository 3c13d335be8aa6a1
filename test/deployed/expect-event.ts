import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Stage } from './stage.ts';

const POLL_MS = 2_000;

/**
 * Waits until a stage lists an event of a resource.
 * @param otherwise what the error says
 */
export async function expectEvent(
  stage: Stage,
  resourceId: string,
  type: string,
  withinMs: number,
  otherwise: string,
): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const { body } = await call(stage, 'GET', `/events?resource_id=${resourceId}`);
    if (body.data.some((event) => event.type === type)) {
      return;
    }
    if (Date.now() > giveUpAt) {
      throw new Error(otherwise);
    }
    await sleep(POLL_MS);
  }
}
