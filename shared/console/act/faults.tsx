import type { ComponentChildren } from 'preact';
import { BALANCE_CURRENCY } from '../../domain/balance.ts';
import { formatMoney, isMoney, type ShownMoney } from '../../story/amounts.ts';
import { foreignWords } from '../../story/language.ts';
import type { Schema } from '../../story/read-operations.ts';
import { fieldAt } from '../call/form-values.ts';
import type { ShownFault, ShownProblem } from '../call/gate.ts';
import { actTexts } from './act-texts.ts';
import { faultText } from './fault-text.ts';

const texts = actTexts.faults;

/** What is wrong, by the path of the field that shows it. */
export type Faults = Readonly<Record<string, ComponentChildren>>;

/** The problems of a refusal, by the path of the field that shows them. */
export function faultsOf(schema: Schema, problem: ShownProblem | null): Record<string, string> {
  return atFields(schema, problem, ({ message }) => message);
}

/** The same in words of people: in English alone where a fault has no words. */
export function faultsForPeople(schema: Schema, problem: ShownProblem | null): Faults {
  const { refundable_minor: left } = problem?.details ?? {};
  return {
    ...atFields<ComponentChildren>(
      schema,
      problem,
      (fault) => faultText(fault, schema) ?? <span {...foreignWords}>{fault.message}</span>,
    ),
    ...(typeof left === 'number' && {
      amount: texts.max(formatMoney({ currency: BALANCE_CURRENCY, minor: left })),
    }),
  };
}

/** What is left to say of a refusal beside what stands at the fields. */
export function besideFields(schema: Schema, problem: ShownProblem): ShownProblem {
  const { detail, errors = [], ...rest } = problem;
  const others = errors.filter(({ field }) => fieldAt(schema, field) === null);
  const isAllAtFields = errors.length > 0 && others.length === 0;
  return { ...rest, errors: others, ...(detail !== undefined && !isAllAtFields && { detail }) };
}

/** What is wrong with a part of an amount; null if it can be sent. */
export function faultOfPart(part: unknown, whole: ShownMoney): string | null {
  if (part === undefined) {
    return texts.required;
  }
  if (!isMoney(part)) {
    return texts.formats.baht;
  }
  return part.minor > whole.minor ? texts.max(formatMoney(whole)) : null;
}

function atFields<Words>(
  schema: Schema,
  problem: ShownProblem | null,
  said: (fault: ShownFault) => Words,
): Record<string, Words> {
  const errors = problem?.errors ?? [];
  return Object.fromEntries(
    errors.flatMap((fault) => {
      const at = fieldAt(schema, fault.field);
      return at === null ? [] : [[at, said(fault)] as const];
    }),
  );
}
