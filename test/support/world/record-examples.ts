import { mapLimit } from '../../../shared/concurrency/map-limit.ts';
import { formsOf } from '../../../shared/contract/openapi.ts';
import { isStatic, type Operation } from '../../../shared/contract/operation.ts';
import { allOperations, operations } from '../../../shared/contract/operations.ts';
import { promptPayPayload, TEST_BILLER_ID } from '../../../shared/providers/simulated/promptpay.ts';
import { type Client, clientOf, newMerchant, type Received } from './api.ts';
import { baseUrl } from './merchant.ts';
import { acceptableRequest, createLink, createPayment, moveClock, pay } from './resources.ts';
import { addressOf, type Sent } from './send.ts';
import { untilQuiet } from './stored-items.ts';

/** Responses by the names of their examples. */
export type Examples = Readonly<Record<string, unknown>>;

const PUBLIC_URL = 'https://pay.example.com';
/** What examples show for the moment at which they were made: ten in the morning in Bangkok. */
const SHOWN_MS = Date.UTC(2026, 10, 2, 3);
const SHOWN_TRACE = '019a42fe28007a3e8000000000000001';
const GRID_MS = 5 * 60_000;
/** The start of every PNG file: its signature, and the size and name of its first chunk. */
const PNG_HEAD_BYTES = 16;
/** How much of a long document its example has. */
const BEGINNING_CHARS = 1_000;
/** Less is no beginning that says anything. */
const PART_MIN_CHARS = 100;
/** Each waits for its world to become quiet. */
const AT_ONCE = 6;

/**
 * Records the response of every operation of the running service: each in a world of its own, with a paid payment
 * and a payment link, and whatever else its path names.
 * @returns the responses by their names (`formsOf`), with realistic constants instead of values that vary
 */
export async function recordExamples(): Promise<Examples> {
  const forms = allOperations.flatMap((row) => formsOf(row).map((form) => ({ row, form })));
  const recorded = await mapLimit(
    AT_ONCE,
    forms,
    async ({ row, form }) => [form.name, await recordOne(row, form)] as const,
  );
  return Object.fromEntries(recorded);
}

async function recordOne(
  row: Operation,
  { mediaType, isLong }: ReturnType<typeof formsOf>[number],
): Promise<unknown> {
  const { api, merchant } = await newMerchant();
  const beganAtMs = Date.now();
  const { id } = await createPayment(api, { ...operations.createPayment.example });
  // One after the other, so that events have the same numbers each time.
  await untilQuiet(merchant);
  await pay(api, id);
  await untilQuiet(merchant);
  await createLink(api, { ...operations.createPaymentLink.example });
  await untilQuiet(merchant);
  const caller = row.permission === null ? clientOf(null) : api;
  const sent = await prepare(row, api);
  const answer = await attemptRequestOf(row, caller, {
    ...sent,
    headers: { ...sent.headers, Accept: mediaType },
  });
  if (row.id === operations.getPaymentQrPng.id) {
    const picture = Buffer.from(await (await fetch(addressOf(baseUrl, row, sent))).arrayBuffer());
    return picture.subarray(0, PNG_HEAD_BYTES).toString('base64');
  }
  const content: unknown = mediaType.includes('json') ? answer.json : answer.text;
  // A document is the same for everybody, but for the address.
  const shown = isStatic(row) ? atPublicUrl(content) : presentable(content, beganAtMs);
  return isLong ? beginningOf(shown) : shown;
}

/** The start of a page up to its styles, or of a document. */
function beginningOf(answer: unknown): unknown {
  return typeof answer === 'string' && answer.includes('<style')
    ? answer.slice(0, answer.indexOf('<style'))
    : partOf(answer, BEGINNING_CHARS);
}

/** As much of the start of a value as has room; what follows it is left out. */
function partOf(value: unknown, room: number): unknown {
  if (typeof value === 'string') {
    return value.slice(0, room);
  }
  const kept: [string, unknown][] = [];
  let left = room;
  for (const [name, inner] of Object.entries(value as object)) {
    const { length } = JSON.stringify(inner);
    if (length > left) {
      // An item of a list without its end would look like another form of it.
      const isWhole = Array.isArray(value) || left < PART_MIN_CHARS;
      return rebuilt(value, isWhole ? kept : [...kept, [name, partOf(inner, left)]]);
    }
    kept.push([name, inner]);
    left -= length;
  }
  return rebuilt(value, kept);
}

function rebuilt(value: unknown, entries: readonly [string, unknown][]): unknown {
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

function atPublicUrl(answer: unknown): unknown {
  // An AsyncAPI document has its address in two.
  const inTwo = (url: string) =>
    `"host":"${new URL(url).host}","protocol":"${new URL(url).protocol.slice(0, -1)}"`;
  const text = JSON.stringify(answer).replaceAll(baseUrl, PUBLIC_URL);
  return JSON.parse(text.replaceAll(inTwo(baseUrl), inTwo(PUBLIC_URL)));
}

async function prepare(row: Operation, api: Client): Promise<Sent> {
  const itsOwn = allOperations.find(({ method, path }) => method === 'GET' && path === `${row.path}/{id}`);
  if (row.method === 'GET' && itsOwn !== undefined) {
    await acceptableRequest(itsOwn, api);
  }
  const sent = await acceptableRequest(row, api);
  if ([operations.listDeliveries.id, operations.listEndpointDeliveries.id].some((id) => id === row.id)) {
    await createPayment(api);
    await moveClock(api, 1);
  }
  const isList = 'limit' in ((row.query as { entries?: object } | undefined)?.entries ?? {});
  if (row.id === operations.actOnCheckout.id) {
    // The only response of its own that links to no other page.
    return { ...sent, body: new URLSearchParams({ action: 'late', version: '1' }).toString() };
  }
  return isList ? { ...sent, query: { limit: '1' } } : sent;
}

async function attemptRequestOf(row: Operation, caller: Client, sent: Sent): Promise<Received<Operation>> {
  const answer = await caller(row, sent);
  if (answer.status !== row.success.status) {
    throw new Error(`${row.id} answers ${answer.status} instead of an example: ${answer.text}`);
  }
  return answer;
}

const ID = /\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const DAY = /\b20\d\d-\d\d-\d\d\b(?!T)/g;

/** A response with realistic ids, times, addresses and secrets, the same each time. */
function presentable(answer: unknown, beganAtMs: number): unknown {
  const ids = new Map<string, string>();
  const shownId = (id: string, prefix: string) => {
    const shown = ids.get(id) ?? `${prefix}_01k92fwa00e7t8000000000${String(ids.size + 1).padStart(3, '0')}`;
    ids.set(id, shown);
    return shown;
  };
  const shownTime = (time: string) => {
    const after = Math.floor((Date.parse(time) - beganAtMs) / GRID_MS) * GRID_MS;
    return new Date(SHOWN_MS + after).toISOString();
  };
  const text = JSON.stringify(answer)
    .replaceAll(baseUrl, PUBLIC_URL)
    .replace(ID, shownId)
    .replace(TIMESTAMP, shownTime)
    .replace(DAY, (day) =>
      day === '2026-11-01' ? day : new Date(SHOWN_MS).toISOString().slice(0, day.length),
    )
    .replace(/(?<=\/(?:checkout|sink|qr)\/)[A-Za-z0-9_-]{20,}/g, (token) =>
      'h7Gq2LmZ'.repeat(token.length).slice(0, token.length),
    )
    .replace(
      /(?<=\/l\/)[0-9a-hjkmnp-tv-z]{10}|(?<="code\\?":\\?")[0-9a-hjkmnp-tv-z]{10}(?=\\?")/g,
      'k3v8w1x5za',
    )
    .replace(/(?<=pg_test_)[0-9A-Za-z]{38}/g, (key) => 'h7Gq2LmZ'.repeat(key.length).slice(0, key.length))
    .replace(/whsec_[A-Za-z0-9+/=]+/g, `whsec_${Buffer.alloc(32, 'example').toString('base64')}`)
    .replace(/v1,[A-Za-z0-9+/=]{44}/g, `v1,${Buffer.alloc(32, 'signature').toString('base64')}`)
    .replace(/(?<="webhook-timestamp":")\d{10}/g, String(SHOWN_MS / 1_000))
    .replace(/(?<="trace_id":")[0-9a-f]{32}/g, SHOWN_TRACE)
    .replace(/(?<="traceparent":")[0-9a-f-]{55}/g, `00-${SHOWN_TRACE}-00f067aa0ba902b7-00`)
    .replace(/(?<="world":")[0-9a-f]{16}/g, '5f0c1de2a9b84736')
    .replace(/(?<="duration_ms":)\d+/g, '12')
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      '019a42fe-2800-7a3e-8000-000000000001',
    )
    .replace(/(?<="next_cursor":")[^"]+/g, Buffer.from(`${SHOWN_MS}:example`).toString('base64url'));
  return withOwnQr(JSON.parse(text));
}

/** The QR of a payment has its id in it. */
function withOwnQr(answer: unknown): unknown {
  if (Array.isArray(answer)) {
    return answer.map(withOwnQr);
  }
  if (typeof answer !== 'object' || answer === null) {
    return answer;
  }
  const {
    next_action: action,
    id,
    amount,
  } = answer as {
    next_action?: { qr?: { payload: string } };
    id?: string;
    amount?: { minor: number };
  };
  if (action?.qr !== undefined && id !== undefined && amount !== undefined) {
    action.qr.payload = promptPayPayload(TEST_BILLER_ID, amount.minor, id);
  }
  return Object.fromEntries(Object.entries(answer).map(([name, inner]) => [name, withOwnQr(inner)]));
}
