import type { Client } from '../../../shared/client/client.ts';
import { PAYMENT_METHODS } from '../../../shared/domain/payment-method.ts';

/** The options of the command line: the name of the value in the usage (null for a switch), and the purpose. */
export const OPTIONS = {
  amount: ['BAHT', 'baht and satang: 1299.00'],
  method: ['METHOD', PAYMENT_METHODS.join(', ')],
  checkout: [null, 'with a page on which the payer pays: checkout_url'],
  reference: ['TEXT', 'your own number or name for it'],
  description: ['TEXT', 'what is paid for'],
  status: ['STATUS', 'only those with this status'],
  provider: ['NAME', 'only those of this provider'],
  'value-date': ['DAY', 'only those of this day: 2026-11-22'],
  type: ['TYPE', 'only events of this type: payment.succeeded'],
  'payment-id': ['ID', 'only those of this payment'],
  'resource-id': ['ID', 'only those of this payment, refund, link, payout or settlement'],
  limit: ['N', 'how many on a page, 1 to 100'],
  after: ['CURSOR', 'the next page: the cursor after "More:" under the last one'],
  'after-sequence': ['N', 'the events after this number, oldest first'],
  all: [null, 'every page, one after another'],
  delay: ['DURATION', "how much later it happens, by the merchant's clock"],
  'event-id': ['TEXT', "the provider's id of this event: sent again, the event counts once"],
  'result-code': ['TEXT', "the provider's reason"],
  name: ['TEXT', 'the name of the sink'],
  'fail-count': ['N', 'how many of the next deliveries fail'],
  'respond-status': ['N', 'the HTTP status of its answers, 200 to 599'],
  data: ['JSON', 'the fields of the request as one JSON object'],
  'forward-to': ['URL', 'your server: http://127.0.0.1:3000/hook'],
  events: ['TYPES', 'only these, by commas: payment.*,refund.succeeded'],
  since: [
    'DURATION',
    "begins with the events of so long ago on the merchant's clock, whether they were forwarded or not",
  ],
  once: ['N', 'ends after so many events; with 1 where one of them was not answered with 2xx'],
  'print-secret': [null, 'prints the signing secret alone, and ends'],
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
