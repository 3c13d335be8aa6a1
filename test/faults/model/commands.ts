import fc from 'fast-check';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { PAYMENT_OUTCOMES } from '../../../shared/domain/payment.ts';
import { PAYOUT_OUTCOMES } from '../../../shared/domain/payout.ts';
import { REFUND_OUTCOMES } from '../../../shared/domain/refund.ts';
import type { Client } from '../../support/world/api.ts';

/** The resources that commands may be about, oldest first. */
export interface Known {
  readonly payments: readonly { readonly id: string }[];
  readonly refunds: readonly { readonly id: string }[];
  readonly links: readonly { readonly id: string; readonly url: string }[];
  readonly payouts: readonly { readonly id: string }[];
  readonly sinks: readonly { readonly id: string }[];
}

/** A request to the API, or the form of a link's page as a payer sends it. */
export type Call =
  | { readonly row: Operation; readonly id?: string; readonly body?: Readonly<Record<string, unknown>> }
  | { readonly form: string };

export const LINK_MINOR = 500;
export const MINOR_MAX = 999_999_999_999;

const minor = fc.constantFrom(1_000, 1_000, 1, MINOR_MAX);
const index = fc.nat(3);
// Few, so that they collide, and sometimes none.
const event_id = fc.constantFrom(undefined, undefined, 'one', 'two', 'three');
// Far enough from every sum of clock moves that real time alone makes nothing due unseen.
const delay_seconds = fc.constantFrom(undefined, undefined, 45, 600, 3_600);

/** A list of calls with their arguments; null if there is no resource yet for one. */
export const COMMANDS = {
  createPayment: command(
    4,
    { minor, method: fc.constantFrom(undefined, 'promptpay', 'truemoney') },
    (_, args) => ({
      row: operations.createPayment,
      body: { amount: thb(args.minor), method: args.method },
    }),
  ),
  cancelPayment: command(1, { index }, (known, args) => ({
    row: operations.cancelPayment,
    ...idOf(known.payments, args),
  })),
  simulatePayment: command(
    6,
    {
      index,
      outcome: fc.constantFrom('succeeded', 'succeeded', ...PAYMENT_OUTCOMES),
      event_id,
      delay_seconds,
    },
    (known, { index, ...body }) => ({
      row: operations.simulatePayment,
      ...idOf(known.payments, { index }),
      body,
    }),
  ),
  requestRefund: command(
    5,
    {
      index,
      minor: fc.constantFrom(undefined, 1, 600, 1_000),
      reason_code: fc.constantFrom(undefined, undefined, 9999),
    },
    (known, { index, minor, reason_code }) => ({
      row: operations.requestRefund,
      ...idOf(known.payments, { index }),
      body: { reason_code, ...(minor !== undefined && { amount: thb(minor) }) },
    }),
  ),
  cancelRefund: command(2, { index }, (known, args) => ({
    row: operations.cancelRefund,
    ...idOf(known.refunds, args),
  })),
  simulateRefund: command(
    3,
    { index, outcome: fc.constantFrom(...REFUND_OUTCOMES), event_id, delay_seconds },
    (known, { index, ...body }) => ({
      row: operations.simulateRefund,
      ...idOf(known.refunds, { index }),
      body,
    }),
  ),
  createLink: command(1, { max_uses: fc.constantFrom(1, 2, 3) }, (_, body) => ({
    row: operations.createPaymentLink,
    body: { ...body, amount: { type: 'fixed', fixed: thb(LINK_MINOR) } },
  })),
  openLink: command(5, { index }, (known, args) => ({ form: pick(known.links, args)?.url ?? NOWHERE })),
  disableLink: command(1, { index }, (known, args) => ({
    row: operations.disablePaymentLink,
    ...idOf(known.links, args),
  })),
  scriptSink: command(
    1,
    { index, fail_count: fc.constantFrom(0, 1, 3), respond_status: fc.constantFrom(200, 503) },
    (known, { index, ...body }) => ({
      row: operations.updateWebhookSink,
      ...idOf(known.sinks, { index }),
      body,
    }),
  ),
  // More than one a day, so that a returned payout is paid out again.
  settle: command(
    2,
    {
      stated: fc.constantFrom(undefined, undefined, 1),
      provider: fc.constantFrom(undefined, 'second', 'third'),
    },
    (_, { stated, provider }) => ({
      row: operations.simulateSettlement,
      body: { provider, ...(stated !== undefined && { amount: thb(stated) }) },
    }),
  ),
  simulatePayout: command(
    2,
    { index, outcome: fc.constantFrom(...PAYOUT_OUTCOMES) },
    (known, { index, outcome }) => ({
      row: operations.simulatePayout,
      ...idOf(known.payouts, { index }),
      body: { outcome },
    }),
  ),
  advance: command(2, { seconds: fc.constantFrom<number[]>(1, 60, 900, 900, 86_400) }, (_, body) => ({
    row: operations.advanceClock,
    body,
  })),
};

export type Kind = keyof typeof COMMANDS;
export type ArgsOf<K extends Kind> = (typeof COMMANDS)[K] extends Entry<infer Args> ? Args : never;
export type Command = { [K in Kind]: { readonly kind: K; readonly args: ArgsOf<K> } }[Kind];

interface Entry<Args> {
  readonly weight: number;
  readonly args: fc.Arbitrary<Args>;
  readonly call: (known: Known, args: Args) => Call;
}

/** Any command of these kinds, as often as its weight says. */
export function commandsOf(kinds: readonly Kind[]): fc.Arbitrary<Command> {
  const choices = kinds.map((kind) => {
    const { weight, args } = COMMANDS[kind] as Entry<object>;
    return { weight, arbitrary: args.map((chosen) => ({ kind, args: chosen }) as Command) };
  });
  return fc.oneof(...choices);
}

export const anyCommand = commandsOf(Object.keys(COMMANDS) as Kind[]);

/** The call of a command, or null if there is no resource for it. */
export function callOf({ kind, args }: Command, known: Known): Call | null {
  const call = (COMMANDS[kind] as Entry<Command['args']>).call(known, args);
  const isNowhere = 'form' in call ? call.form === NOWHERE : call.id === NOWHERE;
  return isNowhere ? null : call;
}

/** One of the last few. */
export function pick<Thing>(
  things: readonly Thing[],
  { index }: { readonly index: number },
): Thing | undefined {
  return things.at(-1 - (index % Math.max(things.length, 1)));
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** For a form, the URL to which it redirects. */
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Sends a call; the key of a form is its attempt. */
export async function send(api: Client, call: Call, idempotencyKey: string): Promise<Answer> {
  if ('form' in call) {
    const body = new URLSearchParams({ attempt: idempotencyKey });
    const { status, headers } = await fetch(call.form, { method: 'POST', redirect: 'manual', body });
    return { status, headers, text: headers.get('location') ?? '', json: {} };
  }
  const { row, id, body } = call;
  const answer = await api(row, { idempotencyKey, body, ...(id !== undefined && { params: { id } }) });
  return { ...answer, json: JSON.parse(answer.text) };
}

const NOWHERE = '';

function idOf(things: readonly { readonly id: string }[], args: { readonly index: number }) {
  return { id: pick(things, args)?.id ?? NOWHERE };
}

function command<Args>(
  weight: number,
  args: { [Name in keyof Args]: fc.Arbitrary<Args[Name]> },
  call: Entry<Args>['call'],
): Entry<Args> {
  return { weight, args: fc.record(args) as fc.Arbitrary<Args>, call };
}

function thb(minor: number) {
  return { currency: 'THB', minor };
}
