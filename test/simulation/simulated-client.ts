import type { Operation } from '../../shared/contract/operation.ts';
import type { Client } from '../support/world/api.ts';
import { addressOf, type Sent } from '../support/world/send.ts';
import type { SeededRandom } from './seeded-random.ts';
import {
  BASE_URL,
  type SimulatedRequest,
  type SimulatedResponse,
  type SimulatedService,
} from './simulated-service.ts';
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

/** Whoever sends requests with one key. */
export class SimulatedClient {
  /** Asked before every sending; the answer's watcher gets what it said. */
  onSend: () => number = () => 0;
  /** Told of every answer. */
  onAnswer: (request: SimulatedRequest, answer: Answer, atSend: number) => void = () => undefined;
  readonly #service: SimulatedService;
  readonly #time: SimulatedTime;
  readonly #random: SeededRandom;
  readonly #secret: string;

  constructor(service: SimulatedService, time: SimulatedTime, random: SeededRandom, secret: string) {
    this.#service = service;
    this.#time = time;
    this.#random = random;
    this.#secret = secret;
  }

  /** The request of a row, with an Idempotency-Key where the row takes one. */
  requestOf(row: Operation, sent: Sent, idempotencyKey: string): SimulatedRequest {
    const { body } = sent;
    return {
      method: row.method,
      path: addressOf('', row, sent),
      headers: {
        Authorization: `Bearer ${this.#secret}`,
        ...(row.idempotent && { 'Idempotency-Key': idempotencyKey }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }

  /** The form of a link's page, as a payer's browser sends it. */
  formOf(url: string, attempt: string): SimulatedRequest {
    return {
      method: 'POST',
      path: url.replace(BASE_URL, ''),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ attempt }).toString(),
    };
  }

  /** Sends a request once. @returns null where no answer comes */
  async sendOnce(request: SimulatedRequest): Promise<Answer | null> {
    const atSend = this.onSend();
    const response = await this.#service.send(request);
    if (response === null) {
      return null;
    }
    const isJson = response.headers['content-type']?.includes('json') === true && response.body !== '';
    const answer = { ...response, json: isJson ? JSON.parse(response.body) : {} };
    this.onAnswer(request, answer, atSend);
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
      await this.#time.pause(this.#random.pauseMs(PAUSE_MAX_MS));
    }
    throw new Error(`${request.method} ${request.path} is not answered after ${TRIES_MAX} tries`);
  }

  /** As the checks of all tests call a service. */
  get client(): Client {
    const call = async (row: Operation, sent: Sent = {}) => {
      const key = `check ${this.#random.bits()}`;
      const { status, headers, body, json } = await this.sendUntilAnswered(this.requestOf(row, sent, key));
      return { status, headers: new Headers(headers), text: body, json, problem: json };
    };
    return call as unknown as Client;
  }
}
