import type { Client } from '../../../shared/client/client.ts';
import { ahead, gapText, past, type StoryEntry, type StoryReads } from '../../../shared/console/story.ts';
import { UsageError } from '../../machine/command.ts';
import { formatMoney } from './baht.ts';
import { bangkokTime, cleanText, coloured } from './lines.ts';

const ALL = { limit: 100 };
/** How each kind of resource that has a story is read, by the prefix of its ids. */
const READ: Readonly<Record<string, (client: Client, id: string) => PromiseLike<object>>> = {
  pay: (client, id) => client.getPayment(id),
  ref: (client, id) => client.getRefund(id),
  lnk: (client, id) => client.getPaymentLink(id),
};

type Shown = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string };

/**
 * Everything that the service says of a payment, a refund or a payment link.
 * @throws UsageError where the id is that of something else
 */
export async function readStory(client: Client, id: string): Promise<StoryReads> {
  const read = READ[id.slice(0, id.indexOf('_'))];
  if (read === undefined) {
    throw new UsageError('show takes the id of a payment, a refund or a payment link: pay_…, ref_…, lnk_….');
  }
  const resource = (await read(client, id)) as Shown;
  const refunds = id.startsWith('pay_') ? (await client.listRefunds({ ...ALL, payment_id: id })).data : [];
  const eventPages = await Promise.all(
    [id, ...refunds.map((refund) => refund.id)].map((of) => client.listEvents({ ...ALL, resource_id: of })),
  );
  const events = eventPages.flatMap(({ data }) => data);
  const deliveryPages = await Promise.all(events.map((event) => client.listEventDeliveries(event.id, ALL)));
  const deliveries = deliveryPages.flatMap(({ data }) => data);
  return { resource, refunds, events, deliveries, requests: [], settlement: null, payout: null };
}

/** A story as text: its header, what happened, oldest first, with the time between, and what will happen next. */
export function storyLines(reads: StoryReads, now: Date): string[] {
  const { resource } = reads;
  const entries = past(reads);
  const happened = entries.flatMap((entry, place) => {
    const gap = gapText(entries[place - 1]?.at ?? entry.at, entry.at);
    return [...(gap === null ? [] : [`  … ${gap}`]), ...entryLines(entry)];
  });
  const next = ahead(reads, now).map(
    ({ at, title }) => `${bangkokTime(at)}  ${title} (if nothing else happens)`,
  );
  return [headLine(resource), '', ...happened, ...(next.length === 0 ? [] : ['', 'Next'])].concat(next);
}

function headLine(resource: Shown & { amount?: never; number?: string; reference?: string | null }): string {
  const { id, number, reference, status, amount } = resource;
  const parts = [
    number,
    amount && 'minor' in (amount as object) ? formatMoney(amount) : null,
    coloured(status),
    id,
  ];
  return [...parts, reference ? cleanText(reference) : null].filter(Boolean).join('  ');
}

function entryLines({ at, title, note, attempts }: StoryEntry): string[] {
  const lines = attempts.map((attempt) => {
    const { answered_status: answered, duration_ms: ms, failure, endpoint_id, sink_id } = attempt;
    const outcome = answered ?? failure?.code ?? failure ?? 'no response';
    return `  ${''.padEnd('2026-11-02 10:00:05'.length)}attempt ${attempt.attempt} to ${endpoint_id ?? sink_id}: ${cleanText(String(outcome))}${ms === undefined || ms === null ? '' : `, ${ms} ms`}`;
  });
  return [`${bangkokTime(at)}  ${title}${note === null ? '' : `: ${cleanText(note)}`}`, ...lines];
}
