import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { REFUSALS } from '../../shared/contract/testkit/exam-questions.ts';
import type { SentEvent } from '../../shared/contract/testkit/exam-report.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import type { Event } from '../events/follow-events.ts';
import {
  type Attempt,
  type ForwardRequest,
  forward,
  isDelivered,
  type Receiver,
  requestOf,
} from '../events/forward.ts';
import type { Interrupt } from '../terminal/interrupt.ts';
import { curlCommand } from './curl-command.ts';
import { noAnswerText } from './exam-words.ts';
import type { Manner } from './manners.ts';
import { isBroken } from './shop-failure.ts';

/* Sends events to the receiver as `listen` does, in the manner of a question, and keeps what was sent. */

/** Pauses between attempts: a shop that is busy gets its time; a shortened story only needs to know. */
const PAUSES_MS = { whole: [SECOND_MS, 3 * SECOND_MS], shortened: [100], once: [] } as const;
const HANGS_UP_AFTER_MS = 50;
const NEVER = new AbortController().signal;
const UNINTERRUPTED: Interrupt = { end: NEVER, cut: NEVER };

/** How the responses differ from what the shop must respond with. */
export interface ResponseDifference {
  readonly status: number | null;
  readonly expected: string;
  readonly actual: string;
}

type EndedAttempt = Pick<Attempt, 'attempt' | 'status' | 'error'>;

export class Courier {
  readonly #receiver: Receiver;
  readonly #pausesMs: readonly number[];
  /** In the order of their responses. */
  readonly sent: SentEvent[] = [];

  constructor(receiver: Receiver, length: keyof typeof PAUSES_MS) {
    this.#receiver = receiver;
    this.#pausesMs = PAUSES_MS[length];
  }

  /** Whether the receiver has accepted an attempt of an event. */
  hasAccepted(id: string): boolean {
    return this.sent.some((event) => event.event_id === id && isDelivered({ status: event.answered_status }));
  }

  /** @returns null, or what is wrong with the responses */
  async send(original: Event, manner: Manner): Promise<ResponseDifference | null> {
    const event = manner.change?.(original) ?? original;
    if (manner.hangsUp) {
      await this.#hangUp(event, manner);
      return null;
    }
    const sendings = Array.from({ length: manner.atOnce ?? 1 }, () => this.#forward(event, manner));
    const differences = await Promise.all(sendings);
    return differences.find((difference) => difference !== null) ?? null;
  }

  async #forward(event: Event, manner: Manner): Promise<ResponseDifference | null> {
    // What need not be accepted is sent once.
    const pausesMs = manner.must === 'refuse' || manner.must === 'any' ? [] : this.#pausesMs;
    let difference: ResponseDifference | null = null;
    let delivery: ForwardRequest = { headers: {}, body: '' };
    const requestAt = (attempt: number) => {
      delivery = manner.deliver?.(event, this.#receiver) ?? requestOf(event, attempt, this.#receiver);
      return delivery;
    };
    for await (const attempt of forward(event, this.#receiver, UNINTERRUPTED, { pausesMs, requestAt })) {
      this.#keep(event, manner, delivery, attempt);
      difference = responseDifference(attempt, manner);
      if (difference === null || isDelivered(attempt)) {
        break;
      }
    }
    return difference;
  }

  /** Ends the connection when the request is sent, before the response is there. */
  async #hangUp(event: Event, manner: Manner): Promise<void> {
    const { url } = this.#receiver;
    const { headers, body } = requestOf(event, 1, this.#receiver);
    const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers,
      agent: false,
    });
    request.on('error', () => undefined);
    request.end(body);
    await once(request, 'finish').catch(() => undefined);
    // What was sent is on its way: the next attempt comes after it.
    await sleep(HANGS_UP_AFTER_MS);
    request.destroy();
    await sleep(HANGS_UP_AFTER_MS);
    this.#keep(event, manner, { headers, body }, { attempt: 1, status: null, error: 'not waited for' });
  }

  #keep(event: Event, { says }: Manner, request: ForwardRequest, ended: EndedAttempt): void {
    const { attempt, status: answered_status, error } = ended;
    const of = { type: event.type, event_id: event.id, manner: says === '' ? null : says };
    const headers = { ...request.headers };
    const curl = curlCommand(this.#receiver.url, { ...request, headers });
    this.sent.push({ ...of, attempt, answered_status, error, ...request, headers, curl });
  }
}

function isRefusal(status: number): boolean {
  return (REFUSALS as readonly number[]).includes(status);
}

function responseDifference({ status, error }: EndedAttempt, { must }: Manner): ResponseDifference | null {
  const actual = status === null ? `there was ${noAnswerText(error)}` : `it answered ${status}`;
  const isSuccess = isDelivered({ status });
  switch (must) {
    case 'accept':
      return isSuccess ? null : { status, expected: 'the receiver to answer 2xx', actual };
    case 'refuse':
      return status !== null && isRefusal(status)
        ? null
        : { status, expected: `the receiver to refuse this request: ${REFUSALS.join(', ')}`, actual };
    case 'any':
      return null;
    case 'survive':
      return !isBroken(status)
        ? null
        : { status, expected: 'an answer without an error of the server', actual };
  }
}
