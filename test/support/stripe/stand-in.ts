import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { SECOND_MS } from '../../../shared/domain/clock.ts';
import { errorOf, SavedResponses, type StandInResponse } from './saved-responses.ts';
import { newId, Refusal, type StoredEvent, StripeAccount } from './stripe-account.ts';
import { stripeDocument } from './stripe-document.ts';
import type { StripeMock } from './stripe-mock.ts';

const PAGE_ITEMS = 10;
const DESK = '/stand-in/';
/** What makes something that must be there once. */
const KEYED = ['/v1/payment_intents', '/v1/refunds'];

/** Its responses. */
const ROUTES = [
  ['POST', '/v1/payment_intents'],
  ['GET', '/v1/payment_intents'],
  ['GET', '/v1/payment_intents/id'],
  ['POST', '/v1/payment_intents/id/cancel'],
  ['POST', '/v1/refunds'],
  ['GET', '/v1/refunds'],
  ['GET', '/v1/refunds/id'],
  ['GET', '/v1/account'],
] as const;

/** A request as it came. */
export interface StandInRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * What goes wrong with one request: the connection is `cut`, no response comes (`silent`), or Stripe fails (`500`);
 * each before it has an effect or after. Or it gets this response, and has none.
 */
export type StandInFault =
  | `${'cut' | 'silent' | '500'} ${'before' | 'after'}`
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

interface Script {
  readonly on: string;
  readonly fault?: StandInFault;
  readonly gate?: { reach(): void; readonly isOpen: Promise<void> };
}

/** A Stripe that stores objects, responds only as Stripe's document allows, and fails as scripted. */
export interface StandIn {
  readonly apiUrl: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Its objects and events, and the actions of payers and banks. */
  readonly account: StripeAccount;
  /** Every request that came, oldest first. */
  readonly requests: readonly StandInRequest[];
  /** Responses and events that violate its own document, and requests that break a promise of the service. */
  readonly faults: readonly string[];
  /** Lets the next requests such as `POST /v1/refunds` go wrong, in this order. */
  script(on: string, ...faults: readonly StandInFault[]): void;
  /** Lets everything go well again. */
  endScripts(): void;
  /** Holds the next such request, once its key is known, before it has an effect. */
  hold(on: string): { readonly isReached: Promise<void>; letGo(): void };
  /** Moves its clock. */
  advance(ms: number): void;
  /** From now on this key is not accepted. */
  revokeKey(): void;
  /** The notification of an event: its body and its signed headers, as of its clock. */
  notificationOf(event: StoredEvent): { readonly headers: Record<string, string>; readonly body: string };
  /** Sends the notification of an event so many times, and gives the statuses of the responses. */
  send(event: StoredEvent, url: string, times?: number): Promise<number[]>;
  /** From now on, sends a notification of each event when it happens; null ends that. */
  sendAll(url: string | null): void;
  /** Adds objects to the account that this service has not made. */
  addStrangers(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** What payers, banks and Stripe's own pages do, by its path below `/stand-in/`. */
export type Desk = Readonly<Record<string, (standIn: StandIn, request: IncomingMessage) => Promise<object>>>;

interface StandInOptions {
  /** By default any that is free. */
  readonly port?: number;
  /** By default none. */
  readonly desk?: Desk;
}

/** @param mock validates every request first */
export async function startStandIn(
  mock: StripeMock,
  { port = 0, desk = {} }: StandInOptions = {},
): Promise<StandIn> {
  const document = await stripeDocument(mock.document);
  // The validator of responses is made before a caller waits for one.
  document.faultInEvent({});
  for (const [method, path] of ROUTES) {
    document.faultInAnswer({ method, path }, 200, {});
    document.faultInAnswer({ method, path }, 400, {});
  }
  const secretKey = newId('sk_test');
  const webhookSecret = newId('whsec');
  let offsetMs = 0;
  let isRevoked = false;
  let shownAccount: object | null = null;
  let notificationUrl: string | null = null;
  const requests: StandInRequest[] = [];
  const faults: string[] = [];
  const scripts: Script[] = [];
  const saved = new SavedResponses();
  const sending = new Set<Promise<unknown>>();
  const nowMs = () => Date.now() + offsetMs;
  const nowSeconds = () => Math.floor(nowMs() / SECOND_MS);

  const account = new StripeAccount(Stripe.API_VERSION, nowSeconds, (event) => {
    const fault = document.faultInEvent(event);
    if (fault !== null) {
      faults.push(`${event.type}: ${fault}`);
    }
    if (notificationUrl !== null) {
      // Nobody waits for it: a receiver that has ended gets nothing.
      const sent = send(event, notificationUrl).catch(() => []);
      sending.add(sent);
      sent.finally(() => sending.delete(sent));
    }
  });

  const notificationOf = (event: StoredEvent) => {
    const body = JSON.stringify(event, null, 2);
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: webhookSecret,
      timestamp: nowSeconds(),
    });
    return { headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body };
  };
  const send = async (event: StoredEvent, url: string, times = 1) => {
    const statuses: number[] = [];
    for (let sent = 0; sent < times; sent += 1) {
      const response = await fetch(url, { method: 'POST', ...notificationOf(event) });
      await response.text();
      statuses.push(response.status);
    }
    return statuses;
  };

  const server = createServer((incoming, response) => {
    answerTo(incoming, response).catch((error: Error) => {
      faults.push(String(error.stack));
      response.destroy();
    });
  });

  async function answerTo(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(String(incoming.url), 'http://stand-in');
    const atDesk = desk[url.pathname.replace(DESK, '')];
    if (atDesk !== undefined) {
      const done = await atDesk(standIn, incoming);
      response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(done)}\n`);
      return;
    }
    const body = await text(incoming);
    const { method = '' } = incoming;
    const request: StandInRequest = {
      method,
      path: url.pathname,
      query: url.searchParams,
      form: formOf(body),
      headers: incoming.headers as Record<string, string | undefined>,
    };
    requests.push(request);
    const script = take(`${method} ${url.pathname}`);
    const fault = script?.fault;
    if (fault === 'silent before') {
      return;
    }
    if (fault === 'cut before') {
      response.destroy();
      return;
    }
    if (typeof fault === 'object') {
      response
        .writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
        .end(fault.body);
      return;
    }
    const { response: result, isReplay } = await answerOnce(request, body, script);
    const wrong = document.faultInAnswer(request, result.status, result.body);
    if (wrong !== null) {
      faults.push(`${method} ${url.pathname}: ${wrong}`);
    }
    if (fault === 'silent after') {
      return;
    }
    if (fault === 'cut after') {
      response.destroy();
      return;
    }
    response
      .writeHead(result.status, {
        'content-type': 'application/json',
        'request-id': newId('req'),
        'stripe-version': Stripe.API_VERSION,
        ...(isReplay && { 'idempotent-replayed': 'true' }),
      })
      .end(JSON.stringify(result.body, null, 2));
  }

  /** The first script for such a request. */
  function take(name: string): Script | undefined {
    const at = scripts.findIndex(({ on }) => on === name || name.startsWith(`${on}/`));
    return at === -1 ? undefined : scripts.splice(at, 1)[0];
  }

  async function answerOnce(request: StandInRequest, body: string, script?: Script) {
    if (isRevoked || request.headers.authorization !== `Bearer ${secretKey}`) {
      const error = { type: 'invalid_request_error', message: 'Invalid API Key provided' } as const;
      return { response: errorOf(401, error), isReplay: false };
    }
    const { method, path } = request;
    const key = method === 'POST' ? request.headers['idempotency-key'] : undefined;
    if (key === undefined) {
      if (method === 'POST' && KEYED.includes(path)) {
        faults.push(`POST ${path} came without an Idempotency-Key.`);
      }
      return { response: await answerFrom(request, body, script), isReplay: false };
    }
    const described = `${path} ${[...new URLSearchParams(body)].sort().join('&')}`;
    return saved.respond(key, described, nowMs(), () => answerFrom(request, body, script));
  }

  async function answerFrom(
    request: StandInRequest,
    body: string,
    script?: Script,
  ): Promise<StandInResponse> {
    const example = await exampleOf(request, body);
    if (example.status !== 200) {
      return example;
    }
    script?.gate?.reach();
    await script?.gate?.isOpen;
    if (script?.fault === '500 before') {
      return errorOf(500, SERVER_ERROR);
    }
    try {
      const done = act(request, example.body as Record<string, unknown>);
      return script?.fault === '500 after' ? errorOf(500, SERVER_ERROR) : { status: 200, body: done };
    } catch (error) {
      if (error instanceof Refusal) {
        return { status: error.status, body: error.body };
      }
      throw error;
    }
  }

  /** The response of the validator: an example of the right shape, or the errors of the request. */
  async function exampleOf(
    { method, path, query, headers }: Omit<StandInRequest, 'form'>,
    body: string,
  ): Promise<StandInResponse> {
    const passed = ['content-type', 'stripe-version', 'idempotency-key'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const response = await fetch(`${mock.url}${path}?${query}`, {
      method,
      headers: { ...Object.fromEntries(passed), authorization: 'Bearer sk_test_123' },
      ...(method === 'POST' && { body }),
    });
    return { status: response.status, body: (await response.json()) as object };
  }

  function act({ method, path, query, form }: StandInRequest, example: Record<string, unknown>): object {
    const [, collection, id, command] = /^\/v1\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? [];
    switch (
      `${method} ${collection}${id === undefined ? '' : '/id'}${command === undefined ? '' : `/${command}`}`
    ) {
      case 'POST payment_intents':
        return account.createIntent(form, example);
      case 'GET payment_intents':
        return pageOf(path, [...account.intents.values()], query);
      case 'GET payment_intents/id':
        return account.intent(String(id));
      case 'POST payment_intents/id/cancel':
        return account.cancelIntent(String(id));
      case 'POST refunds':
        return account.createRefund(form, example);
      case 'GET refunds': {
        const of = query.get('payment_intent');
        const refunds = [...account.refunds.values()];
        return pageOf(path, of === null ? refunds : refunds.filter((it) => it.payment_intent === of), query);
      }
      case 'GET refunds/id':
        return account.refundOf(String(id));
      case 'GET account':
        // The validator's example has another id each time.
        shownAccount ??= example;
        return shownAccount;
      default:
        throw new Error(`The stand-in does not know ${method} ${path}.`);
    }
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const standIn: StandIn = {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey,
    webhookSecret,
    account,
    requests,
    faults,
    script: (on, ...list) => {
      scripts.push(...list.map((fault) => ({ on, fault })));
    },
    endScripts: () => {
      scripts.length = 0;
    },
    hold(on) {
      const reached = Promise.withResolvers<void>();
      const open = Promise.withResolvers<void>();
      scripts.push({ on, gate: { reach: reached.resolve, isOpen: open.promise } });
      return { isReached: reached.promise, letGo: open.resolve };
    },
    advance: (ms) => {
      offsetMs += ms;
    },
    revokeKey: () => {
      isRevoked = true;
    },
    notificationOf,
    send,
    sendAll: (url) => {
      notificationUrl = url;
    },
    addStrangers: async (count) => {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'stripe-version': Stripe.API_VERSION,
      };
      const request = { method: 'POST', path: '/v1/payment_intents', query: new URLSearchParams(), headers };
      const { body } = await exampleOf(request, 'amount=2000&currency=thb');
      account.addStrangers(count, body as Record<string, unknown>);
    },
    stop: async () => {
      notificationUrl = null;
      await Promise.allSettled(sending);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return standIn;
}

const SERVER_ERROR = { type: 'api_error', message: 'An unexpected error occurred.' } as const;
/** The fields of a form. A list is one of them, `name[]`, with commas between its values, numbered or not. */
function formOf(body: string): Record<string, string> {
  const form: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(body)) {
    const name = key.replace(/\[\d*\]$/, '[]');
    form[name] = name in form ? `${form[name]},${value}` : value;
  }
  return form;
}

/** A page of a list: newest first (https://docs.stripe.com/api/pagination). */
function pageOf(
  url: string,
  oldestFirst: readonly { readonly id: string; readonly created: number }[],
  query: URLSearchParams,
) {
  const bound = (name: string, otherwise: number) => Number(query.get(`created[${name}]`) ?? otherwise);
  const all = oldestFirst
    .toReversed()
    .filter(({ created }) => created >= bound('gte', 0) && created <= bound('lte', Number.POSITIVE_INFINITY));
  const after = query.get('starting_after');
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const limit = Number(query.get('limit') ?? PAGE_ITEMS);
  return { object: 'list', url, data: all.slice(from, from + limit), has_more: from + limit < all.length };
}
