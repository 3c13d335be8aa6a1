import { MINUTE_MS, toTimestamp } from '../../shared/domain/clock.ts';
import { subjectOf } from '../../shared/domain/job.ts';
import type { World } from '../../shared/domain/world.ts';
import type { CreatedObject } from '../../shared/providers/created-object.ts';
import { listCreated } from '../../shared/providers/list-created.ts';
import { readJobs } from '../../shared/store/scheduler/job.ts';
import { find } from '../../shared/store/table/entity.ts';
import { jobPks } from '../../shared/store/table/keys.ts';
import type { OperatedService } from './target.ts';
import { UNKNOWN_REASONS } from './unknown-reasons.ts';

/** Clocks differ, and a request may have been under way at the instant. */
const BEFORE_MS = 10 * MINUTE_MS;

type State = NonNullable<CreatedObject['state']>;

const MERCHANT_DECIDES = 'Inform the merchant: it delivers what was paid, or pays it back at the provider.';
const PAID_BACK_ONCE =
  'Tell the merchant not to request it again, since that would pay the money back twice: its amount still counts as unsettled here.';

/** What somebody has to do about an object that is missing here, by its kind and its state at the provider. */
const TO_DO: Readonly<Record<CreatedObject['kind'], Partial<Record<State, string>>>> = {
  payment: {
    open: 'The payer can still pay it: cancel it at the provider, and ask the merchant for a new payment.',
    processing: `Money is on its way. Look again later. ${MERCHANT_DECIDES}`,
    paid: `The payer has paid. ${MERCHANT_DECIDES}`,
    failed: 'No money moved. Tell the merchant that the payment does not exist here.',
    canceled: 'No money moved. Tell the merchant that the payment does not exist here.',
  },
  refund: {
    open: `The payer is asked for an account. ${PAID_BACK_ONCE}`,
    processing: `Money is on its way to the payer. ${PAID_BACK_ONCE}`,
    succeeded: `The payer has the money. ${PAID_BACK_ONCE}`,
    failed: 'No money moved. The merchant can request it again.',
  },
};
const LOOK_UP = 'Look it up at the provider, and inform the merchant.';

type MissingObject = ReturnType<typeof describeMissing>;

/** A merchant that was not compared. */
interface Unread {
  readonly merchant: string;
  readonly why: string;
}

/** What a provider has of a merchant, and this service does not; or why that is not known. */
export async function findMissing(
  world: World,
  service: OperatedService,
  sinceMs: number,
): Promise<{ missing: MissingObject[]; unread: Unread | null }> {
  const { merchant, provider } = world;
  const secrets = await service.secrets.read(world.id);
  if (provider === null || secrets === null) {
    return { missing: [], unread: whyNotAsked(world, secrets !== null) };
  }
  const listed = await listCreated(provider.kind, secrets, sinceMs - BEFORE_MS);
  if (listed.kind !== 'done') {
    const why = listed.kind === 'refused' ? `refuses: ${listed.code}` : UNKNOWN_REASONS[listed.why];
    return { missing: [], unread: { merchant, why: `${provider.kind} ${why}` } };
  }
  const awaited = new Set((await readJobs(jobPks(world))).map(subjectOf));
  const missing = [];
  for (const created of listed.reported) {
    if (!(await isKnown(world, awaited, created))) {
      missing.push(describeMissing(merchant, created));
    }
  }
  return { missing, unread: null };
}

/** Secrets are no part of the table, so there may be some without a connection. Null where there is neither. */
function whyNotAsked({ merchant, provider }: World, hasSecrets: boolean): Unread | null {
  if (provider !== null) {
    return { merchant, why: 'its secrets are missing: connect it again' };
  }
  return hasSecrets
    ? { merchant, why: 'connected after the instant: connect it again, then repeat this' }
    : null;
}

/** Whether it is stored, or a job still cancels it, or nothing came of it and the payment goes on. */
async function isKnown(world: World, awaited: ReadonlySet<string>, created: CreatedObject): Promise<boolean> {
  const { kind, paymentId, ourId, state } = created;
  if (kind === 'refund') {
    return (await find('refund', world, ourId)) !== null;
  }
  const payment = await find('payment', world, paymentId);
  if (payment === null) {
    return awaited.has(paymentId);
  }
  return payment.attempt?.id === ourId || state === 'canceled' || state === 'failed';
}

function describeMissing(merchant: string, { kind, paymentId, ourId, reference, ...created }: CreatedObject) {
  const { state, amount, createdAtMs } = created;
  return {
    merchant,
    kind,
    id: kind === 'payment' ? paymentId : ourId,
    payment_id: paymentId,
    reference,
    amount,
    state,
    created_at: toTimestamp(createdAtMs),
    to_do: (state && TO_DO[kind][state]) ?? LOOK_UP,
  };
}
