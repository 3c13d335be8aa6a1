import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadWorker } from '../../../infra/local/function.ts';
import { JOB_RUNNER_TIMEOUT_SECONDS } from '../../../shared/contract/bus.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { type End, FAULTS } from '../../support/faults/gated-run.ts';
import { clientOf } from '../../support/world/api.ts';
import { newKey } from '../../support/world/merchant.ts';
import { scanTable } from '../../support/world/stored-table.ts';
import { messageOf, openWorkshop, workOf } from './workshop.ts';

/** Real time limits the wait for an endpoint: on a busy machine, one that responds at once may seem slow. */
vi.mock('../../../shared/flows/dispatch/attempt-delivery.ts', async (original) => ({
  ...(await original<typeof import('../../../shared/flows/dispatch/attempt-delivery.ts')>()),
  PATIENCE_MS: 60_000,
}));

const workshop = await openWorkshop();
const runner = await loadWorker<object, void>('job-runner', JOB_RUNNER_TIMEOUT_SECONDS);
const deliver = await loadWorker<object, void>('deliverer', JOB_RUNNER_TIMEOUT_SECONDS);
afterAll(workshop.close);
beforeEach(workshop.clear);

/** EventBridge calls a worker again if it throws. */
function mayEndWith({ kind }: End<string>): boolean {
  return kind === 'killed' || kind === 'threw';
}

async function newOwner() {
  const { merchant, secret } = await newKey();
  const worldId = worldIdOf(merchant, 'test');
  const api = clientOf(secret, workshop.baseUrl, workshop.send);
  return { merchant, worldId, api, runJobs: async () => runner(await workOf(worldId)) };
}
export type Owner = Awaited<ReturnType<typeof newOwner>>;

/**
 * Makes a test for each kind of work that lets every fault happen to each call of the runner.
 * @param due a world with due work of each kind, and little else
 */
export function tryWork(due: Readonly<Record<string, (owner: Owner) => Promise<void>>>): void {
  describe.each(Object.entries(due))('%s', (kind, prepare) => {
    test('work is done once if its runner crashes, stalls or loses the store', async ({ task }) => {
      const owner = await newOwner();
      await prepare(owner);
      expect((await scanTable()).map((item) => item.kind)).toContain(kind.split(',')[0]);
      const message = await messageOf(owner.worldId);
      const request = async () => {
        if (kind !== 'deliver-event') {
          await owner.runJobs();
        }
        if (kind === 'deliver-event' || kind.endsWith('backlog')) {
          await deliver(message);
        }
        return 'done';
      };
      const tried = await tryEveryFault(owner.worldId, request);
      task.meta.figures = { [`job runner with ${kind}: faults, each survived`]: tried };
    });
  });
}

/** Tries a worker with every fault at each of its calls. @returns how many were tried */
async function tryEveryFault(worldId: string, request: () => Promise<string>): Promise<number> {
  const { plansOf, tryOne } = await workshop.trials({ worldId, request, isOnce: true, mayEndWith });
  const plans = plansOf(FAULTS);
  for (const plan of plans) {
    await tryOne(plan);
  }
  return plans.length;
}

/** Tries a worker of no world: what it does for one. */
export async function tryWorker(prepare: (owner: Owner) => Promise<() => Promise<string>>): Promise<number> {
  const owner = await newOwner();
  const request = await prepare(owner);
  return tryEveryFault(owner.worldId, request);
}
