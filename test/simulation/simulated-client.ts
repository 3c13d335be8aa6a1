import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import type { Client } from '../support/world/api.ts';
import { addressOf, type Sent } from '../support/world/send.ts';
import { BASE_URL } from './base-url.ts';
import type { Posts } from './laws/posts.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedRequest, SimulatedResponse, SimulatedService } from './simulated-service.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** How often a client sends a request that was not answered for good, and how long it waits before it does. */
const TRIES_MAX = 300;
const PAUSE_MAX_MS = 20_000;
/** What a client sends again: nothing says yet whether the request has its effect. */
const SENT_AGAIN = new Set([408, 429, 500, 502, 503, 504]);

/** One answer to one sending of a request. */
export interface Answer extends SimulatedResponse {
  readonly json: Readonly<Record<string, unknown>>;
}

/** Other keys of the same merchant, each with a limit of its own. */
export interface MerchantKeys {
  /** May read payments alone. */
  readonly reader: string;
  /** Of live mode, for what no live key may do. */
  readonly live: string;
  readonly ended: string;
  /** Of two networks, by IPv4 and IPv6. */
  readonly networked: string;
}

/** Whoever sends requests with one key. */
export class SimulatedClient {
  /** Told of every sending. @returns what is told of the answer */
  onSend: (request: SimulatedRequest) => (answer: Answer) => void = () => () => undefined;
  readonly #service: SimulatedService;
  readonly #time: SimulatedTime;
  readonly random: SeededRandom;
  readonly secret: string;
  readonly keys: MerchantKeys;

  constructor(
    service: SimulatedService,
    { time, random }: { readonly time: SimulatedTime; readonly random: SeededRandom },
    secret: string,
    keys: MerchantKeys,
  ) {
    this.#service = service;
    this.#time = time;
    this.random = random;
    this.secret = secret;
    this.keys = keys;
  }

  /** A client of another key, which nobody watches. */
  withKey(secret: string): SimulatedClient {
    const parts = { time: this.#time, random: this.random };
    return new SimulatedClient(this.#service, parts, secret, this.keys);
  }

  /** The request of a row, with an Idempotency-Key where the row takes one. */
  requestOf(row: Operation, sent: Sent, idempotencyKey: string): SimulatedRequest {
    const { body } = sent;
    return {
      method: row.method,
      path: addressOf('', row, sent),
      headers: {
        Authorization: `Bearer ${this.secret}`,
        ...(row.idempotent && { 'Idempotency-Key': idempotencyKey }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }

  /** The form of a link's page, as a payer's browser sends it. */
  formOf(url: string, fields: Readonly<Record<string, string>>): SimulatedRequest {
    return {
      method: 'POST',
      path: url.replace(BASE_URL, ''),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    };
  }

  /** Sends a request once. @returns null where no answer comes */
  async sendOnce(request: SimulatedRequest): Promise<Answer | null> {
    const onAnswer = this.onSend(request);
    const response = await this.#service.send(request);
    if (response === null) {
      return null;
    }
    const isJson = response.headers['content-type']?.includes('json') === true && response.body !== '';
    const answer = { ...response, json: isJson ? JSON.parse(response.body) : {} };
    onAnswer(answer);
    return answer;
  }

  /** Sends a request again and again until it is answered for good. @throws Error where it never is */
  async sendUntilAnswered(request: SimulatedRequest): Promise<Answer> {
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const answer = await this.sendOnce(request);
      const isOpen =
        answer === null || SENT_AGAIN.has(answer.status) || answer.json.code === 'idempotency_in_progress';
      if (!isOpen) {
        return answer;
      }
      await this.#time.pause(this.random.pauseMs(PAUSE_MAX_MS));
    }
    throw new Error(`${request.method} ${request.path} is not answered after ${TRIES_MAX} tries`);
  }

  /** Creates a sink that gets every event from now on. */
  async openSink(idempotencyKey: string, posts: Posts): Promise<string> {
    const { json } = await this.sendUntilAnswered(
      this.requestOf(operations.createWebhookSink, {}, idempotencyKey),
    );
    posts.watch(new URL(String(json.url)).pathname);
    return String(json.id);
  }

  /** As the checks of all tests call a service. */
  get client(): Client {
    const call = async (row: Operation, sent: Sent = {}) => {
      const key = `check ${this.random.bits()}`;
      const { status, headers, body, json } = await this.sendUntilAnswered(this.requestOf(row, sent, key));
      return { status, headers: new Headers(headers), text: body, json, problem: json };
    };
    return call as unknown as Client;
  }
}
