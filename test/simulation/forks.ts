import { operations } from '../../shared/contract/operations.ts';
import {
  Inspection,
  inspectEvents,
  inspectMoment,
  inspectNumbers,
  look,
  type Seen,
} from '../faults/model/invariants.ts';
import type { Client } from '../support/world/api.ts';
import type { Scene } from './scene.ts';

/* Copies of a merchant's world: what they have, and how they live on. */

const LONGEST_MINUTES = 1_440;
const DAY_SECONDS = 86_400;

/** Copies the world of a merchant. @returns the client of the copy's key; null where none was made */
export async function forkWorld(scene: Scene, part: string): Promise<Client | null> {
  const { world } = (await scene.call(operations.getKey, {})).json;
  const sent = { params: { id: String(world) }, body: { ttl_minutes: LONGEST_MINUTES } };
  const { status, json } = await scene.call(operations.forkTestWorld, sent, part);
  return status === 201 ? scene.client.withKey(String(json.key)).client : null;
}

/** At rest, a copy has what its source has, and nothing that is done in it changes the source. */
export async function judgeCopy(scene: Scene, source: Client, seen: Seen): Promise<void> {
  const copy = await forkWorld(scene, 'copy at rest');
  if (copy === null) {
    return;
  }
  const copied = await look(copy);
  const [expected, found] = [contentOf(seen), contentOf(copied)];
  for (const [name, text] of Object.entries(expected)) {
    if (found[name] !== text) {
      scene.watch.break('copy', `the ${name} of a copy are not those of its source`);
    }
  }
  await copy(operations.createPayment, { body: { amount: { currency: 'THB', minor: 1_000 } } });
  await copy(operations.advanceClock, { body: { seconds: DAY_SECONDS } });
  const after = contentOf(await look(source));
  if (JSON.stringify(after) !== JSON.stringify(expected)) {
    scene.watch.break('copy', 'what was done in a copy has changed its source');
  }
}

/** A copy that was made in the middle of a story is whole, and goes on by itself. */
export async function judgeLivingCopy(scene: Scene, copy: Client): Promise<void> {
  const { status } = await copy(operations.getClock);
  if (status !== 200) {
    // Its time is over.
    return;
  }
  await copy(operations.advanceClock, { body: { seconds: DAY_SECONDS } });
  await scene.time.pause(DAY_SECONDS / 100);
  const seen = await look(copy);
  const inspection = new Inspection();
  inspectMoment(inspection, seen);
  inspectNumbers(inspection, seen);
  inspectEvents(inspection, seen);
  const { next_job_at: next, now } = (await copy(operations.getClock)).json;
  inspection.that(next === null || next > now, 'a job that is due does not run');
  for (const claim of inspection.violations) {
    scene.watch.break('copy', claim);
  }
}

/** What a world shows, without what a copy has of its own: addresses, codes and secrets. */
function contentOf({ payments, refunds, links, payouts, settlements, events }: Seen): Record<string, string> {
  const withoutPages = (things: readonly object[]) =>
    JSON.stringify(things, (name, value) => (OWN.has(name) ? undefined : value));
  return {
    payments: withoutPages(payments),
    refunds: withoutPages(refunds),
    links: withoutPages(links),
    payouts: withoutPages(payouts),
    settlements: withoutPages(settlements),
    events: withoutPages(events),
  };
}

const OWN = new Set(['checkout_url', 'url', 'code', 'next_action']);
