import type { Client } from '../../../shared/client/client.ts';
import { PAYMENT_METHODS } from '../../../shared/domain/payment-method.ts';

/** The options of the command line: the name of the value in the usage (null for a switch), and the purpose. */
export const OPTIONS = {
  amount: ['BAHT', 'baht and satang: 1299.00'],
  method: ['METHOD', PAYMENT_METHODS.join(', ')],
  checkout: [null, 'also creates a checkout page: checkout_url'],
  reference: ['TEXT', 'your own reference'],
  description: ['TEXT', 'description shown to the payer'],
  status: ['STATUS', 'only items with this status'],
  provider: ['NAME', 'only items of this provider'],
  'value-date': ['DAY', 'only items of this day: 2026-11-22'],
  type: ['TYPE', 'only events of this type: payment.succeeded'],
  'payment-id': ['ID', 'only items of this payment'],
  'resource-id': ['ID', 'only events of this payment, refund, link, payout or settlement'],
  limit: ['N', 'items per page, 1 to 100'],
  after: ['CURSOR', 'next page: the cursor after "More:" under the previous page'],
  'after-sequence': ['N', 'the events after this number, oldest first'],
  all: [null, 'all pages'],
  delay: ['DURATION', "delay of the outcome, on the merchant's clock"],
  'event-id': ['TEXT', "the provider's event id: a repeated id takes effect once"],
  'result-code': ['TEXT', "the provider's result code"],
  name: ['TEXT', 'the name of the sink'],
  'fail-count': ['N', 'number of next deliveries to refuse'],
  'respond-status': ['N', 'HTTP status of its responses, 200 to 599'],
  data: ['JSON', 'request fields as one JSON object'],
  'forward-to': ['URL', 'your server: http://127.0.0.1:3000/hook'],
  events: ['TYPES', 'only these types, separated by commas: payment.*,refund.succeeded'],
  since: [
    'DURATION',
    "starts this long ago on the merchant's clock, even with events that were already forwarded",
  ],
  once: ['N', 'ends after this number of events; exit code 1 if one of them got no 2xx response'],
  'print-secret': [null, 'prints only the signing secret'],
} as const satisfies Record<string, readonly [value: string | null, hint: string]>;
export type Option = keyof typeof OPTIONS;

export interface Run {
  readonly client: Client;
  readonly args: readonly string[];
  readonly values: { readonly [Name in Option]?: (typeof OPTIONS)[Name][0] extends null ? boolean : string };
  readonly json: boolean;
  /** Whether to skip the confirmation. */
  readonly yes: boolean;
  /** Sent with every call that changes something. */
  readonly idempotencyKey: string | undefined;
  /** The folder of the files that the command line keeps. */
  readonly dir: string;
  /** The address of the service; null for the local one. */
  readonly service: string | null;
}

export interface Command {
  /** The arguments after its words. */
  readonly takes?: string;
  readonly options?: readonly Option[];
  readonly says: string;
  /** Additional text that only the command's own usage shows. */
  readonly more?: () => string;
  readonly run: (run: Run) => Promise<void>;
}
