import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../../shared/contract/operation.ts';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { type Client, clientOf, type Received } from '../../support/world/api.ts';
import type { Sent, Transport } from '../../support/world/send.ts';

/** Responses that leave the outcome of a request open. */
const NOT_YET: readonly ErrorCode[] = ['idempotency_in_progress', 'clock_busy', 'rate_limited'];
const PAUSE_MS = 250;
const NO_ANSWER = 599;

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** One call of a client, under a key of its own. */
export interface Call {
  /** The operation's id. */
  readonly what: string;
  readonly key: string;
  readonly merchant: string;
  /** Sends the request again. */
  readonly send: () => Promise<Reply & { readonly isReplay: boolean }>;
  /** The definite responses: as many as copies of the request were sent. */
  readonly replies: Reply[];
  /** Whether a request got no response, so that it may take effect after another one was refused. */
  isUnsure: boolean;
  /** Without a definite response: the outcomes of all tries, and their counts. */
  lostTo: string | null;
}

/** What the clients of all merchants have sent. */
export interface Traffic {
  readonly calls: Call[];
  /** When a request without a definite response counts as lost. */
  readonly giveUpAtMs: number;
  requests: number;
  again: number;
  /** The longest time that a client has waited for a definite response. */
  longestMs: number;
}

/** Limit of calls that wait for a response at once; a call that waits before it is sent again lets others go first. */
export class Clients {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(howMany: number) {
    this.#free = howMany;
  }

  async enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free += 1;
    } else {
      next();
    }
  }
}

type Json<Row extends Operation> = Received<Row>['json'];

/** The client of one merchant: it sends each request again, with the same key, until its outcome is known. */
export class Caller {
  readonly merchant: string;
  readonly #api: Client;
  readonly #transport: Transport;
  readonly #traffic: Traffic;
  readonly #clients: Clients;

  constructor(merchant: string, secret: string, transport: Transport, traffic: Traffic, clients: Clients) {
    this.merchant = merchant;
    this.#transport = transport;
    this.#api = clientOf(secret, 'http://any-host', transport);
    this.#traffic = traffic;
    this.#clients = clients;
  }

  /** @returns the response, or null if the request was refused for good */
  async call<const Row extends Operation>(
    row: Row,
    key: string,
    sent: Sent,
    copies = 1,
  ): Promise<Json<Row> | null> {
    const send = async () => {
      const answer = await this.#api(row, { ...sent, idempotencyKey: key });
      const { status, text, headers } = answer;
      const isReplay = headers.get('idempotent-replayed') === 'true';
      const isKnown = status < 500 && !NOT_YET.includes(answer.problem?.code as ErrorCode);
      return { status, text, isReplay, isKnown };
    };
    const reply = await this.#settle(row.id, key, send, copies);
    return reply.status < 300 ? (JSON.parse(reply.text) as Json<Row>) : null;
  }

  /**
   * Sends the form of a payer's page.
   * @returns the URL to which it redirects, or null if it was refused for good
   */
  async sendForm(url: string, key: string, copies = 1): Promise<string | null> {
    const send = async () => {
      const body = new URLSearchParams({ attempt: key });
      const { status, headers } = await this.#transport(url, { method: 'POST', body });
      const isKnown = status < 500 && status !== 429 && !headers.has('retry-after');
      // A repeated form redirects to the same page, and has no other sign of a replay.
      return { status, text: headers.get('location') ?? '', isReplay: true, isKnown };
    };
    const reply = await this.#settle('form', key, send, copies);
    return reply.status === 303 ? reply.text : null;
  }

  /** A read as of a client that did not store its key. */
  async read<const Row extends Operation>(row: Row, sent: Sent): Promise<Json<Row>> {
    while (Date.now() < this.#traffic.giveUpAtMs) {
      const answer = await this.#api(row, sent).catch(throwIfBroken);
      if (answer?.status === 200) {
        return answer.json;
      }
      await sleep(PAUSE_MS);
    }
    throw new Error(`${row.id} got no answer`);
  }

  async #settle(
    what: string,
    key: string,
    send: () => Promise<Reply & { isReplay: boolean; isKnown: boolean }>,
    copies: number,
  ): Promise<Reply> {
    const call: Call = {
      what,
      key,
      merchant: this.merchant,
      send,
      replies: [],
      isUnsure: false,
      lostTo: null,
    };
    this.#traffic.calls.push(call);
    const sent = Array.from({ length: copies }, () => this.#sendUntilKnown(call, send));
    const replies = await Promise.all(sent);
    return replies.find(({ status }) => status < 400) ?? (replies[0] as Reply);
  }

  async #sendUntilKnown(call: Call, send: () => Promise<Reply & { isKnown: boolean }>): Promise<Reply> {
    const beganAtMs = Date.now();
    const met: Record<string, number> = {};
    for (let isAgain = false; Date.now() < this.#traffic.giveUpAtMs; isAgain = true) {
      this.#traffic.requests += 1;
      this.#traffic.again += isAgain ? 1 : 0;
      await this.#clients.enter();
      try {
        const { status, text, isKnown } = await send();
        if (isKnown) {
          call.replies.push({ status, text });
          this.#traffic.longestMs = Math.max(this.#traffic.longestMs, Date.now() - beganAtMs);
          return { status, text };
        }
        call.isUnsure ||= status >= 500;
        count(met, String(/"code":"(\w+)"/.exec(text)?.[1] ?? status));
      } catch (error) {
        throwIfBroken(error);
        call.isUnsure = true;
        count(met, (error as Error).name);
      } finally {
        this.#clients.leave();
      }
      await sleep(PAUSE_MS);
    }
    call.isUnsure = true;
    call.lostTo = JSON.stringify(met);
    return { status: NO_ANSWER, text: '' };
  }
}

/** A dead host is expected, and the next one responds; a response that breaks a promise is not expected. */
function throwIfBroken(error: unknown): null {
  if ((error as Error).name === 'AssertionError') {
    throw error;
  }
  return null;
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}
