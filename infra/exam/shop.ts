import * as v from 'valibot';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import type { Money } from '../../shared/domain/money.ts';
import { fetchAlone, noAnswerReason } from '../events/forward.ts';
import { boundedText } from '../scenario/bounded-body.ts';
import { waitUntil } from '../scenario/wait-until.ts';
import { noAnswerText } from './exam-words.ts';

/* The shop under examination, by its addresses for tests (contract §19). */

const KEY_HEADER = 'x-pg-key';
/** An address of the API that responds late, for a shop that creates its payments itself. */
const BASE_URL_HEADER = 'x-pg-base-url';
const STARTS_WITHIN_MS = 10 * SECOND_MS;
const SHOWN_CHARS = 200;
/** The connection was there before it was lost or given up. */
const TAKEN = /^(?:connection lost|no answer within .*)$/;

const orderResponse = v.object({ payment_id: v.optional(v.nullable(v.string())) });
const probeResponse = v.object({
  paid: v.boolean(),
  fulfilled: v.pipe(v.number(), v.integer()),
  refunded_minor: v.optional(v.nullable(v.pipe(v.number(), v.integer()))),
});

/** What a probe says of an order. */
export interface ProbeResult {
  readonly paid: boolean;
  /** How often goods went out. */
  readonly fulfilled: number;
  /** Null where the shop says nothing of refunds. */
  readonly refundedMinor: number | null;
}

/** The addresses of a shop. */
export interface ShopAddresses {
  readonly receiver: string;
  readonly order: string | null;
  readonly probe: string | null;
}

/** The shop did not respond as §19 says, in words for its developer. */
export class ShopError extends Error {}

/** No response came. */
class NoAnswer extends ShopError {
  /** Something took the connection. */
  readonly isThere: boolean;

  constructor(message: string, isThere: boolean) {
    super(message);
    this.isThere = isThere;
  }
}

/**
 * Waits for a receiver that is starting. It need not answer a GET.
 * @throws ShopError if nothing takes a connection at its address
 */
export async function expectReachable(url: string): Promise<void> {
  await whileStarting(async () => {
    await call('GET of --receiver', url, { method: 'GET' }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer && error.isThere)) {
        throw error;
      }
    });
  });
}

/** Asks once more as long as there is no answer, for a shop that is starting. @throws ShopError */
export async function whileStarting<Result>(ask: () => Promise<Result>): Promise<Result> {
  let result: { readonly of: Result } | undefined;
  const objection = await waitUntil(async () => {
    try {
      result = { of: await ask() };
      return null;
    } catch (error) {
      if (error instanceof NoAnswer) {
        return error;
      }
      throw error;
    }
  }, STARTS_WITHIN_MS);
  if (result === undefined) {
    throw objection;
  }
  return result.of;
}

/**
 * Opens an order.
 * @param key of the world in which a shop may create the payment
 * @param baseUrl where the shop reaches the API, if it lets itself be told
 * @returns the payment that the shop has created; null where the exam creates it
 * @throws ShopError
 */
export async function openOrder(
  url: string,
  reference: string,
  amount: Money,
  key: string,
  baseUrl?: string,
): Promise<string | null> {
  const { status, text } = await call('POST to --order', url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [KEY_HEADER]: key,
      ...(baseUrl !== undefined && { [BASE_URL_HEADER]: baseUrl }),
    },
    body: JSON.stringify({ reference, amount }),
  });
  if (status < 200 || status > 299) {
    throw new ShopError(`the POST to --order was answered ${status}, and not 2xx: ${shown(text)}`);
  }
  // A response without JSON names no payment.
  const parsed = v.safeParse(orderResponse, jsonOf(text));
  return (parsed.success && parsed.output.payment_id) || null;
}

/** @returns null for an order that the shop does not know. @throws ShopError */
export async function askProbe(url: string, reference: string): Promise<ProbeResult | null> {
  const address = new URL(url);
  address.searchParams.set('reference', reference);
  const { status, text } = await call('GET of --probe', address.href, { method: 'GET' });
  if (status === 404) {
    return null;
  }
  const parsed = v.safeParse(probeResponse, jsonOf(text));
  if (status !== 200 || !parsed.success) {
    throw new ShopError(
      `the GET of --probe was answered ${status} ${shown(text)}, and not 200 {"paid": boolean, "fulfilled": N, "refunded_minor": N} or 404`,
    );
  }
  const { paid, fulfilled, refunded_minor: refundedMinor = null } = parsed.output;
  return { paid, fulfilled, refundedMinor };
}

async function call(what: string, url: string, request: RequestInit) {
  try {
    const response = await fetchAlone(url, request);
    return { status: response.status, text: await boundedText(response) };
  } catch (error) {
    const reason = noAnswerReason(error);
    throw new NoAnswer(`the ${what} (${url}) had ${noAnswerText(reason)}`, TAKEN.test(reason));
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function shown(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
