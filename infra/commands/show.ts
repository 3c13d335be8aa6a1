import { answerOf } from '../../shared/client/answer.ts';
import { ProblemError } from '../../shared/client/call-error.ts';
import type { Client } from '../../shared/client/client.ts';
import { methodNameOf } from '../../shared/story/commands.ts';
import type { BodyReader, ReadRequest } from '../../shared/story/read-request.ts';
import {
  ahead,
  type EventAttempt,
  gapText,
  past,
  type StoryEntry,
  type StoryReads,
  type StoryResource,
} from '../../shared/story/story.ts';
import { planStory } from '../../shared/story/story-reads.ts';
import { type TraceTree, traceTrees } from '../../shared/story/trace-tree.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { UsageError } from '../terminal/command.ts';
import { bangkokTime } from '../terminal/lines.ts';
import { resourceLine } from './resource-line.ts';

/** A story in both forms. */
interface DescribedStory {
  readonly data: StoryReads;
  readonly lines: readonly string[];
  /** The same by its traces. */
  readonly traces: readonly TraceTree[];
  readonly traceLines: readonly string[];
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
  const data = { resource, ...parts };
  const traces = traceTrees(data);
  const traceLines = [resourceLine(resource), ...traces.flatMap((tree) => ['', ...treeLines(tree)])];
  return { data, lines: storyLines(data, now), traces, traceLines };
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
  const cause = request === null ? [] : [requestText(request)];
  const made = attempts.map(attemptText);
  return [
    `${bangkokTime(at)}  ${title}${note === null ? '' : `: ${cleanText(note)}`}`,
    ...[...cause, ...made].map((line) => INDENT + cleanText(line)),
  ];
}

function requestText({ method, path, status, duration_ms: ms, id }: StoryReads['requests'][number]): string {
  return `${method} ${path}: ${status}, ${ms} ms, ${id}`;
}

function attemptText({ attempt, answered_status: status, ...made }: EventAttempt): string {
  const took = made.duration_ms === null ? '' : `, ${made.duration_ms} ms`;
  const answer = status ?? made.failure ?? 'no response';
  return `attempt ${attempt} to ${made.endpoint_id ?? made.sink_id}: ${answer}${took}`;
}

/** A line with what hangs on it. */
interface Branch {
  readonly line: string;
  readonly beneath: readonly Branch[];
}

/** A trace as a tree: request, its events, the attempts to deliver them, and what its jobs did later. */
function treeLines({ traceId, causes }: TraceTree): string[] {
  return [
    traceId === null ? 'Trace not known' : cleanText(`Trace ${traceId}`),
    ...draw(causes.map(branchOf)),
  ];
}

function branchOf({ requestId, request, events }: TraceTree['causes'][number]): Branch {
  const line =
    request === null ? (requestId === null ? 'job' : `request ${requestId}`) : requestText(request);
  return {
    line,
    beneath: events.map(({ event, attempts, nextAttemptAt }) => ({
      line: `${bangkokTime(event.timestamp)} ${event.type}, ${event.id}`,
      beneath: [
        ...attempts.map(({ attempt, otherTraceId }) => ({
          line: `${attemptText(attempt)}${otherTraceId === null ? '' : `, sent again by trace ${otherTraceId}`}`,
          beneath: [],
        })),
        ...(nextAttemptAt === null
          ? []
          : [{ line: `job: the next attempt is due at ${bangkokTime(nextAttemptAt)}`, beneath: [] }]),
      ],
    })),
  };
}

function draw(branches: readonly Branch[]): string[] {
  return branches.flatMap(({ line, beneath }, index) => {
    const [fork, bar] = index === branches.length - 1 ? ['└─ ', '   '] : ['├─ ', '│  '];
    return [fork + cleanText(line), ...draw(beneath).map((inner) => bar + inner)];
  });
}
