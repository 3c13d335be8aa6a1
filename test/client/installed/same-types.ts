import type * as built from 'payments-kit';
import type { ProblemOf } from '../../../shared/client/call-error.ts';
import type { Client } from '../../../shared/client/client.ts';
import type { WebhookEvent } from '../../../shared/client/webhooks.ts';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';

/*
 * Compiled by package.test.ts: the types of the package, which are printed from the document, are those that the
 * client in the repository infers from the schemas. The compiler's error names the difference.
 */

/** Without `readonly` and without names, so that equal types compare as equal. */
type Plain<T> = T extends string | number | boolean | null | undefined | AbortSignal
  ? T
  : { -readonly [Name in keyof T]: Plain<T[Name]> };

type IsSame<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

type Method<F> = F extends (...args: infer Args) => infer Result
  ? { args: Args; answer: Awaited<Result>; isList: Result extends AsyncIterable<unknown> ? true : false }
  : never;

type OfType<Event extends { type: string }, Type> = Event extends { type: Type } ? Event : never;

type CheckedPart<Problem extends { code: unknown; status: unknown; details: unknown }> = Pick<
  Problem,
  'code' | 'status' | 'details'
>;

/** The document, and the package with it, says which fields go with which type of an amount; the schema checks it. */
type Stricter = 'createPaymentLink';

type DifferingMethod = {
  [Name in keyof Client]: IsSame<Method<Client[Name]>, Method<built.Client[Name]>> extends true
    ? never
    : Name;
}[Exclude<keyof Client, Stricter>];

type DifferingEvent = {
  [Type in WebhookEvent['type']]: IsSame<
    OfType<WebhookEvent, Type>,
    OfType<built.WebhookEvent, Type>
  > extends true
    ? never
    : Type;
}[WebhookEvent['type']];

type DifferingProblem = {
  [Code in ErrorCode]: IsSame<CheckedPart<ProblemOf<Code>>, CheckedPart<built.ProblemOf<Code>>> extends true
    ? never
    : Code;
}[ErrorCode];

function expectNone<_Differing extends never>(): void {}
function expectTrue<_All extends true>(): void {}

expectNone<DifferingMethod>();
expectNone<DifferingEvent>();
expectNone<DifferingProblem>();
expectTrue<IsSame<keyof Client, keyof built.Client>>();
expectTrue<IsSame<WebhookEvent['type'], built.WebhookEvent['type']>>();
expectTrue<IsSame<ErrorCode, built.ErrorCode>>();
expectTrue<
  built.Client[Stricter] extends (...args: infer Args) => infer Answer
    ? Args extends Parameters<Client[Stricter]>
      ? IsSame<Awaited<Answer>, Awaited<ReturnType<Client[Stricter]>>>
      : false
    : false
>();
