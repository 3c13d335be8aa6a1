import { afterAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../../shared/contract/operation.ts';
import { allOperations, operations } from '../../../shared/contract/operations.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { type End, FAULTS, type Fault } from '../../support/faults/gated-run.ts';
import { type Client, clientOf } from '../../support/world/api.ts';
import { newKey } from '../../support/world/merchant.ts';
import { acceptableRequest, createRefund } from '../../support/world/resources.ts';
import { openWorkshop } from './workshop.ts';

/** The response while another request is in progress: a client waits, and sends the request again. */
const WAIT = ['409 idempotency_in_progress', '409 seed_in_progress', '409 clock_busy', '409 endpoint_busy'];
/** A payer's page says the same in its own words. */
const BUSY = ['503 temporarily_unavailable', '503'];
/** What every operation does where its store fails, and where it leaves open whether it failed. */
export const STORE_FAILS = 'a request whose store fails succeeds or responds with 503, and takes effect once';
/** The page of a used-up link: the request that took over has used it. */
const USED_UP = '409';

/**
 * Makes a test for each operation that lets the faults of a family happen to each of its calls.
 * @param families how the names of these faults begin
 */
export async function tryEveryOperation(guarantee: string, ...families: readonly string[]): Promise<void> {
  const faults = FAULTS.filter((fault) => families.some((family) => fault.startsWith(family)));
  const workshop = await openWorkshop();
  afterAll(workshop.close);
  let rows = 0;
  let tried = 0;

  describe.each(allOperations.map((row) => [row.id, row] as const))('%s', (_id, row) => {
    test(guarantee, async () => {
      await workshop.clear();
      const { merchant, secret } = await newKey();
      const api = clientOf(secret, workshop.baseUrl, workshop.send);
      if (row.stepwise === true) {
        await fill(api);
      }
      const sent = { idempotencyKey: 'k', ...(await acceptableRequest(row, api)) };
      const request = async () => {
        const { status, text, problem } = await api(row, sent);
        return status >= 400 && problem !== undefined
          ? `${status} ${problem.code}`
          : resultOf(row, status, text);
      };
      const worldId = worldIdOf(merchant, 'test');
      const { plansOf, tryOne } = await workshop.trials({
        worldId,
        request,
        isOnce: row.idempotent,
        mayEndWith,
      });
      rows += 1;
      for (const plan of plansOf(faults)) {
        await tryOne(plan);
        tried += 1;
      }
    });
  });

  test(`${guarantee}: so does every operation there is`, ({ task }) => {
    expect(rows).toBe(allOperations.length);
    const figure = `${rows} operations, ${tried} fault points`;
    task.meta.figures = { [`${families.join(', ')}: ${guarantee}`]: figure };
  });
}

/** Something for an operation of several steps to work on. */
async function fill(api: Client): Promise<void> {
  await api(operations.createWebhookSink);
  await createRefund(api);
}

/** A page shows the time, and is compared by its status. */
function resultOf({ success }: Operation, status: number, text: string): string {
  return 'schema' in success ? `${status} ${text}` : String(status);
}

function mayEndWith(end: End<string>, fault: Fault): boolean {
  if (end.kind === 'killed') {
    return fault.startsWith('killed');
  }
  if (end.kind !== 'done') {
    return false;
  }
  return fault.startsWith('stalled')
    ? [...WAIT, ...BUSY, USED_UP].includes(end.value)
    : BUSY.includes(end.value);
}
