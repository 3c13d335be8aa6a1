/// <reference lib="dom" />

import type { OpenApiDocument } from '../../contract/openapi-document.ts';
import type { ApiRequest } from '../../story/api-request.ts';
import { callTexts } from './call-texts.ts';
import { judgeKey, type KeyVerdict } from './judge-key.ts';
import { unreachableText, unreadableText } from './unreachable-text.ts';

/** The body of a refusal (RFC 9457). */
export interface ShownProblem {
  readonly title: string;
  readonly code: string;
  readonly detail?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly ShownFault[];
}

/** What is wrong with one field of a request. */
export interface ShownFault {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

/** A response. Which body it has is known by the operation that was called. */
export interface GateResponse<Body = unknown> {
  readonly request: ApiRequest;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** Whatever came, for developers to see; undefined if the response is not JSON. */
  readonly json: unknown;
  /** What a success brings; null after a refusal. */
  readonly body: Body | null;
  /** Why it was refused; null after a success, and where the response does not say. */
  readonly problem: ShownProblem | null;
  readonly durationMs: number;
  /** On this page's own clock, in milliseconds. */
  readonly askedAt: number;
  readonly respondedAt: number;
}

/** What a key in the address is. `replaces`: a test key that is another one than the present. */
export type AddressVerdict = KeyVerdict | 'replaces';

/** Where a key is kept until the tab is closed. */
const KEPT_KEY = 'payments-console-key';
/** Responses to these requests have the key of a new world. */
const WORLD_MADE = /^\/api\/v1\/test\/worlds(\/[^/]+\/fork)?$/;
const CREATED = 201;
/** Statuses from here on refuse a request. */
const REFUSED = 400;
/** How much of a key is shown: enough to tell two of them apart. */
const SHOWN_START_CHARS = 'pg_test_'.length + 4;

/**
 * Sends all requests, and holds the key: no other module does either.
 *
 * Nothing else in the console may call `fetch`. So a key that is not a test key cannot leave the page, and a key is
 * sent only in the Authorization header of a request to this service.
 */
export class Gate {
  /** The base path of the service, such as `/api`. */
  readonly #root: string;
  /** Here and in the storage of the tab, so that it survives a reload: not in the page, its address or its history. */
  #key: string | null = null;
  #underWay = new AbortController();
  /** The keys of worlds that were created here, and of worlds that were left for another one, by the ids of the worlds. */
  readonly #worldKeys = new Map<string, string>();
  #firstWorld: string | null = null;
  /** A key in the address that would replace the present one: nothing is sent with it until the user agrees. */
  #offered: string | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  isOpen(): boolean {
    return this.#key !== null;
  }

  /** Forgets all keys and aborts running requests. */
  lock(): void {
    this.#key = null;
    this.#offered = null;
    this.#worldKeys.clear();
    this.#firstWorld = null;
    this.#abort();
  }

  #abort(): void {
    this.#underWay.abort();
    this.#underWay = new AbortController();
  }

  /** Whether the key of a world is known here: the service shows it only once. */
  knowsWorld(id: string): boolean {
    return this.#worldKeys.has(id);
  }

  /** The world of the key that opened the gate, once another one is shown. */
  firstWorld(): string | null {
    return this.#firstWorld;
  }

  /**
   * Goes on with the key of another world, and keeps the present one for the way back.
   * @returns false if the key of that world is not known
   */
  switchWorld(fromId: string, toId: string): boolean {
    const next = this.#worldKeys.get(toId);
    if (next === undefined || this.#key === null) {
      return false;
    }
    this.#firstWorld ??= fromId;
    this.#worldKeys.set(fromId, this.#key);
    this.#key = next;
    this.#abort();
    this.#keepInTab();
    return true;
  }

  /** Accepts a key and opens the gate, or keeps it closed and forgets any earlier key. */
  unlock(text: string): KeyVerdict {
    this.lock();
    const verdict = judgeKey(text);
    if (verdict === 'test') {
      this.#key = text.trim();
      this.#keepInTab();
    }
    return verdict;
  }

  /**
   * Takes a key out of the address, as in `#key=pg_test_…` or `#key=pg_test_…/payments/pay_…`, and leaves no trace of it
   * there or in the history: what follows the key stays as the route. Any web page may lead to such an address. So no
   * key replaces another one before the user agrees.
   * @returns null if the address has no key; `replaces` if the user is to be asked
   */
  unlockFromAddress(): AddressVerdict | null {
    const [, given, route] = /^#key=([^/]*)(\/.*)?$/.exec(location.hash) ?? [];
    if (given === undefined) {
      return null;
    }
    const fragment = route === undefined ? '' : `#${route}`;
    history.replaceState(null, '', location.pathname + location.search + fragment);
    const verdict = judgeKey(given);
    if (this.#key === null) {
      return this.unlock(given);
    }
    if (verdict === 'test' && given !== this.#key) {
      this.#offered = given;
      return 'replaces';
    }
    return verdict;
  }

  /** How the present key begins; null if there is none. */
  shownKey(): string | null {
    return this.#key === null ? null : startOf(this.#key);
  }

  /** A text with the whole key in the place where it was shown in part: for the clipboard, and not for the page. */
  withWholeKey(text: string): string {
    return this.#key === null ? text : text.replace(startOf(this.#key), this.#key);
  }

  /** How the present key and the one in the address begin; null unless the user is to be asked. */
  replacement(): { readonly present: string; readonly offered: string } | null {
    return this.#key === null || this.#offered === null
      ? null
      : { present: startOf(this.#key), offered: startOf(this.#offered) };
  }

  /** Takes the key of the address instead of the present one. */
  replaceKey(): void {
    if (this.#offered !== null) {
      this.unlock(this.#offered);
    }
  }

  /** Keeps the present key, and forgets the one in the address. */
  keepKey(): void {
    this.#offered = null;
  }

  /** Opens the gate with the key that was kept in this tab, if there is one. */
  unlockFromTab(): boolean {
    const kept = tabStorage()?.getItem(KEPT_KEY) ?? null;
    return kept !== null && this.unlock(kept) === 'test';
  }

  /** Keeps the present key until the tab is closed. */
  #keepInTab(): void {
    if (this.#key !== null) {
      tabStorage()?.setItem(KEPT_KEY, this.#key);
    }
  }

  /** Forgets the key here and in the tab. */
  forget(): void {
    this.lock();
    tabStorage()?.removeItem(KEPT_KEY);
  }

  /** @throws Error with a text for the user, if nothing was sent or no response came. */
  async send(request: ApiRequest): Promise<GateResponse> {
    if (this.#key === null || judgeKey(this.#key) !== 'test') {
      throw new Error(callTexts.unsent.noKey);
    }
    if (holdsKey(request)) {
      throw new Error(callTexts.unsent.keyElsewhere);
    }
    const askedAt = performance.now();
    const { response, text, json } = await this.#exchange(request);
    const respondedAt = performance.now();
    const durationMs = Math.round(respondedAt - askedAt);
    const { status, headers } = response;
    if (status === CREATED && WORLD_MADE.test(request.path)) {
      this.#worldKeys.set(json.id, json.key);
    }
    const isRefused = status >= REFUSED;
    const read = {
      json,
      body: isRefused ? null : (json ?? null),
      problem: isRefused ? (json ?? null) : null,
    };
    return { request, status, headers: [...headers], text, ...read, durationMs, askedAt, respondedAt };
  }

  /** @throws Error with a text for the user, if no response came or it cannot be read */
  async #exchange(request: ApiRequest) {
    const address = location.origin + this.#root;
    const response = await fetch(this.#root + request.path, {
      method: request.method,
      headers: { ...request.headers, ...(request.isKeyed && { Authorization: `Bearer ${this.#key}` }) },
      ...(request.body !== undefined && { body: request.body }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: this.#underWay.signal,
    }).catch(() => {
      throw new Error(unreachableText(address, { isChange: request.method !== 'GET' }));
    });
    try {
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { response, text, json: isJson ? JSON.parse(text) : undefined };
    } catch {
      throw new Error(unreadableText(address, { isChange: request.method !== 'GET' }));
    }
  }

  /** The description of the service, which needs no key. */
  async readDocument(): Promise<OpenApiDocument> {
    const response = await fetch(`${this.#root}/api/v1/openapi.json`, { credentials: 'omit' });
    return response.json();
  }
}

/** A user may paste a key into the wrong field. In an address or a body, it would be logged and stored. */
function holdsKey({ path, headers, body }: ApiRequest): boolean {
  const sent = [path, ...Object.values(headers), body ?? ''].join('\n');
  return /pg_(live|test)_[0-9a-z]{8}/i.test(sent);
}

function startOf(key: string): string {
  return `${key.slice(0, SHOWN_START_CHARS)}…`;
}

/** Null where the browser allows none. */
function tabStorage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
