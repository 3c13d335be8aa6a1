import { answerOf } from '../../shared/client/answer.ts';
import { ProblemError } from '../../shared/client/call-error.ts';
import type { Client } from '../../shared/client/client.ts';
import { methodNameOf } from '../../shared/story/commands.ts';
import type { BodyReader, ReadRequest } from '../../shared/story/read-request.ts';
import {
  ahead,
  gapText,
  past,
  type StoryEntry,
  type StoryReads,
  type StoryResource,
} from '../../shared/story/story.ts';
import { planStory } from '../../shared/story/story-reads.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { UsageError } from '../terminal/command.ts';
import { bangkokTime } from '../terminal/lines.ts';
import { resourceLine } from './resource-line.ts';

/** A story in both forms. */
interface DescribedStory {
  readonly data: StoryReads;
  readonly lines: readonly string[];
}

/** How each kind of resource that has a story is read, by the prefix of its ids. */
const READ: Readonly<Record<string, (client: Client, id: string) => PromiseLike<StoryResource>>> = {
  pay: (client, id) => client.getPayment(id),
  ref: (client, id) => client.getRefund(id),
  lnk: (client, id) => client.getPaymentLink(id),
};

/**
 * The story of a payment, a refund or a payment link: everything that the service says of it, as data, and as lines for
 * people, which say what comes next by the clock of the world.
 * @throws UsageError where the id is that of something else
 */
export async function describeStory(client: Client, id: string): Promise<DescribedStory> {
  const { resource, ...parts } = await readStory(client, id);
  const now = new Date(answerOf(await client.listEvents({ limit: 1 })).clock ?? Date.now());
  return { data: { resource, ...parts }, lines: storyLines({ resource, ...parts }, now) };
}

/**
 * Everything that the service says of a payment, a refund or a payment link, as the dashboard shows it.
 * @throws UsageError where the id is that of something else
 */
async function readStory(client: Client, id: string): Promise<StoryReads> {
  const read = READ[id.slice(0, id.indexOf('_'))];
  if (read === undefined) {
    throw new UsageError('show takes the id of a payment, a refund or a payment link: pay_…, ref_…, lnk_….');
  }
  const resource = await read(client, id);
  const results = new Map<string, object | null>();
  const resultOf = ((request: ReadRequest) => results.get(nameOf(request)) ?? null) as BodyReader;
  for (;;) {
    const plan = planStory(resource, resultOf, new Date());
    const missing = plan.requests.filter((request) => !results.has(nameOf(request)));
    if (missing.length === 0) {
      return plan.reads;
    }
    await Promise.all(
      missing.map(async (request) => results.set(nameOf(request), await ask(client, request))),
    );
  }
}

function nameOf({ operationId, params, query }: ReadRequest): string {
  return JSON.stringify([operationId, params, query]);
}

/** Null where the key may not read it, as the log of requests by a live key. */
async function ask(client: Client, { operationId, params, query }: ReadRequest): Promise<object | null> {
  const name = methodNameOf({ id: operationId }) as keyof Client;
  const method = client[name] as (...args: unknown[]) => PromiseLike<object>;
  try {
    return await method(...Object.values(params ?? {}), ...(query === undefined ? [] : [query]));
  } catch (error) {
    if (error instanceof ProblemError && error.status === 403) {
      return null;
    }
    throw error;
  }
}

/** A story as text: its header, what happened, oldest first, with the time between, and what will happen next. */
function storyLines(reads: StoryReads, now: Date): string[] {
  const { resource } = reads;
  const entries = past(reads);
  const happened = entries.flatMap((entry, index) => {
    const gap = gapText(entries[index - 1]?.at ?? entry.at, entry.at);
    return [...(gap === null ? [] : [`  … ${gap}`]), ...entryLines(entry)];
  });
  const next = ahead(reads, now).map(
    ({ at, title }) => `${bangkokTime(at)}  ${title} (if nothing else happens)`,
  );
  return [resourceLine(resource), '', ...happened, ...(next.length === 0 ? [] : ['', 'Next'])].concat(next);
}

/** Beneath the time of an entry stands its title, and what belongs to it. */
const INDENT = ' '.repeat('2026-11-02 10:00:05  '.length);

function entryLines({ at, title, note, request, attempts }: StoryEntry): string[] {
  const cause =
    request === null
      ? []
      : [`${request.method} ${request.path}: ${request.status}, ${request.duration_ms} ms, ${request.id}`];
  const made = attempts.map(
    ({ attempt, answered_status: status, duration_ms: ms, failure, endpoint_id: endpoint, sink_id: sink }) =>
      `attempt ${attempt} to ${endpoint ?? sink}: ${status ?? failure ?? 'no response'}${ms === null ? '' : `, ${ms} ms`}`,
  );
  return [
    `${bangkokTime(at)}  ${title}${note === null ? '' : `: ${cleanText(note)}`}`,
    ...[...cause, ...made].map((line) => INDENT + cleanText(line)),
  ];
}
