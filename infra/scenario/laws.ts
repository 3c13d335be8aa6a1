import type { Client } from '../../shared/client/client.ts';
import { webhooks } from '../../shared/client/webhooks.ts';
import type { LawName } from '../../shared/contract/testkit/scenarios.ts';
import type { ScenarioSink } from './scenario-world.ts';

/** Looks whether a law holds now. @returns null, or what breaks it */
export type LawCheck = () => Promise<string | null>;

const PAGE = { limit: 100 } as const;

/** The laws of a world, each of which remembers what it has seen. */
export function lawsOf(
  client: Client,
  sinks: ReadonlyMap<string, ScenarioSink>,
): Readonly<Record<LawName, LawCheck>> {
  return {
    conservation: () => checkConservation(client),
    sequence: sequenceLaw(client),
    signatures: signaturesLaw(sinks),
  };
}

/** What was paid, less what was refunded, is unsettled, pending or paid out; and each payment knows its refunds. */
async function checkConservation(client: Client): Promise<string | null> {
  let receivedMinor = 0n;
  const refundedMinor = new Map<string, number>();
  for await (const { payment_id, amount } of client.listRefunds({ ...PAGE, status: 'succeeded' })) {
    receivedMinor -= BigInt(amount.minor);
    refundedMinor.set(payment_id, (refundedMinor.get(payment_id) ?? 0) + amount.minor);
  }
  for await (const payment of client.listPayments({ ...PAGE, status: 'succeeded' })) {
    receivedMinor += BigInt(payment.amount.minor);
    const backMinor = refundedMinor.get(payment.id) ?? 0;
    if (payment.refunded_minor !== backMinor || backMinor > payment.amount.minor) {
      return `${payment.number} of ${payment.amount.minor} says ${payment.refunded_minor} refunded, and its refunds sum to ${backMinor}`;
    }
  }
  const { unsettled, pending, paid_out } = await client.getBalance();
  const keptMinor = BigInt(unsettled.minor) + BigInt(pending.minor) + BigInt(paid_out.minor);
  return keptMinor === receivedMinor
    ? null
    : `of ${receivedMinor} received, ${unsettled.minor} are unsettled, ${pending.minor} pending and ${paid_out.minor} paid out`;
}

/** Events are numbered without a gap, and each continues the history of its resource. */
function sequenceLaw(client: Client): LawCheck {
  let last: number | null = null;
  const before = new Map<string, { readonly status: unknown; readonly atMs: number }>();
  return async () => {
    for await (const event of client.listEvents({ ...PAGE, after_sequence: last ?? 0 })) {
      const { sequence, type, timestamp, data } = event;
      if (last !== null && sequence !== last + 1) {
        return `event ${sequence} follows event ${last}`;
      }
      const { id, status } = data.object as { id: string; status?: unknown };
      const earlier = before.get(id);
      if (earlier !== undefined && earlier.status !== data.previous_status) {
        return `${type} follows ${data.previous_status}, and the event before it said ${earlier.status}`;
      }
      if (earlier !== undefined && Date.parse(timestamp) < earlier.atMs) {
        return `${type} is earlier than the event before it`;
      }
      before.set(id, { status, atMs: Date.parse(timestamp) });
      last = sequence;
    }
    const newest = (await client.listEvents({ limit: 1 })).data[0]?.sequence ?? null;
    return newest === null || newest === last
      ? null
      : `event ${newest} exists, and those after ${last} do not`;
  };
}

/** Each attempt to deliver carries a signature that a verifier accepts. */
function signaturesLaw(sinks: ReadonlyMap<string, ScenarioSink>): LawCheck {
  const verified = new Set<string>();
  return async () => {
    for (const [name, sink] of sinks) {
      const fresh: string[] = [];
      for await (const { id, body, request_headers } of sink.deliveries()) {
        if (verified.has(id)) {
          break;
        }
        try {
          webhooks.verify(body, request_headers, sink.secret);
        } catch (error) {
          return `a delivery to ${name} is not verified: ${(error as Error).message}`;
        }
        fresh.push(id);
      }
      for (const id of fresh) {
        verified.add(id);
      }
    }
    return null;
  };
}
