import { isDeepStrictEqual } from 'node:util';
import { PING } from '../../shared/contract/events.ts';
import type { ExamStep } from './acts.ts';
import { hintOfStatus } from './advice.ts';
import { type MannerName, mannerOf } from './manners.ts';
import { type Finding, isBroken } from './shop-failure.ts';

/** A failure that is known, with the shortest steps that lead to it. */
export interface KnownFailure {
  readonly finding: Finding;
  readonly steps: readonly ExamStep[];
}

/** A step without names and amounts, and the names that it has in place of them. */
interface StepForm {
  readonly text: string;
  readonly names: readonly string[];
  readonly manner: MannerName | undefined;
}

/** What is different between two steps that do the same. */
const LEFT_OUT = new Set(['minor', 'amount', 'manner', 'as', 'order', 'stranger', 'optional']);
const NAME = /\$\{?(\w+)/g;
/** Types that ask nothing of a shop. */
const NEUTRAL = ['payment.created', PING];
/** Whoever accepts a signature by another secret verifies none. */
const NO_VERIFICATION: MannerName = 'otherSecret';
/** Both are refused by their timestamps. */
const BY_TIMESTAMP: readonly (MannerName | undefined)[] = ['stale', 'future'];

/**
 * Whether a known failure explains another one: the shop did the same, in a story that the known one is a part of, or
 * failed at an event that was sent plainly as it fails at each of its type, or at all of them.
 */
export function hasSameCause(known: KnownFailure, { finding, steps }: KnownFailure): boolean {
  return (
    (isDeepStrictEqual(known.finding, finding) && isPartOf(known.steps, steps)) ||
    (isPlain(known) && failsAlike(known.finding, finding))
  );
}

/** What a shop answers to an event as the service sends it. */
function isPlain({ steps }: KnownFailure): boolean {
  const last = steps.at(-1);
  return last !== undefined && 'act' in last && !('manner' in last.act) && !('burst' in last.act);
}

function failsAlike(known: Finding, other: Finding): boolean {
  if (known.at !== 'response' || other.at !== 'response' || known.status !== other.status) {
    return false;
  }
  const { status, type } = known;
  const isOfType = isBroken(status) && type === other.type;
  const isOfAddress = status !== null && hintOfStatus(status) !== null;
  const isOfAll = known.must === 'accept' && (isOfAddress || NEUTRAL.includes(type));
  return known.must !== 'refuse' && other.must !== 'refuse' && (isOfType || isOfAll);
}

/** Whether all steps happen in a story too, in this order, of the same resources among one another. */
export function isPartOf(part: readonly ExamStep[], whole: readonly ExamStep[]): boolean {
  return matches(part.flatMap(formsOf), whole.flatMap(formsOf), new Map());
}

function matches(
  [first, ...others]: readonly StepForm[],
  whole: readonly StepForm[],
  names: ReadonlyMap<string, string>,
): boolean {
  return (
    first === undefined ||
    whole.some((form, index) => {
      const renamed = isSame(first, form) ? withNames(names, first.names, form.names) : null;
      return renamed !== null && matches(others, whole.slice(index + 1), renamed);
    })
  );
}

function isSame(known: StepForm, other: StepForm): boolean {
  return (
    known.text === other.text &&
    known.names.length === other.names.length &&
    isSameManner(known.manner, other.manner)
  );
}

/** An event that changes nothing when it is sent plainly changes nothing in any other way. */
function isSameManner(known: MannerName | undefined, other: MannerName | undefined): boolean {
  const { must, counts } = mannerOf(other);
  return (
    known === other ||
    (known === undefined && counts !== false) ||
    (known === NO_VERIFICATION && must === 'refuse') ||
    (BY_TIMESTAMP.includes(known) && BY_TIMESTAMP.includes(other))
  );
}

/** @returns null where a name stands for another resource already */
function withNames(
  names: ReadonlyMap<string, string>,
  from: readonly string[],
  to: readonly string[],
): ReadonlyMap<string, string> | null {
  const renamed = new Map(names);
  for (const [index, name] of from.entries()) {
    const other = String(to[index]);
    const isFree = !renamed.has(name) && ![...renamed.values()].includes(other);
    if (!isFree && renamed.get(name) !== other) {
      return null;
    }
    renamed.set(name, other);
  }
  return renamed;
}

/** An event that is sent five times at once is sent five times. */
function formsOf(step: ExamStep): StepForm[] {
  const manner = 'act' in step && 'manner' in step.act ? step.act.manner : undefined;
  const kind = 'act' in step ? Object.keys(step.act)[0] : '';
  const text = JSON.stringify(step, (name, value) => (LEFT_OUT.has(name) ? undefined : value));
  const own = 'as' in step && step.as !== undefined ? [step.as] : [];
  const names = [...own, ...[...text.matchAll(NAME)].map(([, name]) => String(name))];
  const form = { text: `${kind} ${text.replaceAll(NAME, '$')}`, names, manner };
  return Array.from({ length: mannerOf(manner).atOnce ?? 1 }, () => form);
}
