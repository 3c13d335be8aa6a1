import type { ScenarioCall } from '../../shared/contract/testkit/scenarios.ts';
import type { ExamStep } from '../exam/acts.ts';
import { shrinkList } from '../scenario/ddmin.ts';
import { referencesIn } from '../scenario/references.ts';
import { onceEach } from '../scenario/shrink.ts';
import { EVENT_OF_OUTCOME } from './random-story.ts';

type StorySteps = readonly ExamStep[];
/** Tells a part of a story. @returns the step at which it breaks the law that is looked for, from 0; null if it does not */
type TellPart = (part: StorySteps) => Promise<number | null>;

/**
 * The shortest story that breaks the same law: the fewest orders, then the fewest steps, and of these as many as possible
 * without weather.
 * @param tellPart must find the law broken in the whole
 */
export async function shrinkStory(whole: StorySteps, tellPart: TellPart): Promise<StorySteps> {
  const tell = onceEach(async (part: StorySteps) => (part.length === 0 ? null : tellPart(part)));
  const orders = [...new Set(whole.flatMap(orderOf))];
  const about = (names: readonly string[]) =>
    whole.filter((step) => orderOf(step).every((name) => names.includes(name)));
  const breaks = async (names: readonly string[]) => (await tell(about(names))) !== null;
  // Mostly, it is about the order of the last step alone.
  const last = whole.slice(-1).flatMap(orderOf);
  return shrinkSteps(about((await breaks(last)) ? last : await shrinkList(orders, breaks)), tell);
}

/** Leaves out each step with all that need it, as long as one can be left out, and then weather. */
async function shrinkSteps(steps: StorySteps, tell: TellPart): Promise<StorySteps> {
  const upTo = (part: StorySteps, end: number | null) => (end === null ? null : part.slice(0, end + 1));
  let fewer = upTo(steps, await tell(steps)) ?? steps;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const part = without(fewer, index);
    fewer = (index < fewer.length && upTo(part, await tell(part))) || fewer;
  }
  const calm = await withoutWeather(fewer, tell);
  // What is gone may have been what another step was needed for.
  return calm.length === steps.length && calm === fewer ? calm : shrinkSteps(calm, tell);
}

async function withoutWeather(steps: StorySteps, tell: TellPart): Promise<StorySteps> {
  let calm = steps;
  for (const [index, step] of steps.entries()) {
    if ('act' in step && 'send' in step.act && step.act.manner !== undefined) {
      const { manner: _, ...plain } = step.act;
      const candidate = calm.with(index, { ...step, act: plain });
      calm = (await tell(candidate)) === null ? calm : candidate;
    }
  }
  return calm;
}

function without(steps: StorySteps, index: number): StorySteps {
  const given = new Set<string>();
  return steps.filter((step, at) => {
    const isKept = at !== index && needsOf(step).every((need) => given.has(need));
    for (const each of isKept ? givenBy(step) : []) {
      given.add(each);
    }
    return isKept;
  });
}

/** What steps before it must have given: names, and events of resources. */
function needsOf(step: ExamStep): string[] {
  const names = referencesIn(step).map(({ name }) => name);
  if ('act' in step && 'send' in step.act) {
    const { send, of, optional } = step.act;
    return optional || send === 'payment.expired' ? names : [...names, `${send} ${of}`];
  }
  return isRefundCall(step) ? [...names, `payment.succeeded ${step.id}`] : names;
}

function givenBy(step: ExamStep): string[] {
  const events = (of: unknown, ...types: readonly string[]) => types.map((type) => `${type} ${of}`);
  if ('simulate' in step) {
    const { payment, refund, outcome } = step.simulate;
    return payment === undefined
      ? events(refund, 'refund.approved', 'refund.processing', `refund.${outcome}`)
      : events(payment, EVENT_OF_OUTCOME[outcome as keyof typeof EVENT_OF_OUTCOME]);
  }
  if ('call' in step && step.call === 'payments.cancel') {
    return events(step.id, 'payment.canceled');
  }
  if (!('as' in step)) {
    return [];
  }
  const { as: name } = step;
  const first = isRefundCall(step) ? ['refund.requested'] : ['payment.created', 'payment.requires_action'];
  return [String(name), ...events(`$${name}`, ...first)];
}

function isRefundCall(step: ExamStep): step is ScenarioCall {
  return 'call' in step && step.call === 'refunds.create';
}

/** The order that a step is about: none, or one. Names of payments and refunds begin with that of their order. */
function orderOf(step: ExamStep): string[] {
  const own = 'as' in step ? step.as : undefined;
  const name = own ?? referencesIn(step)[0]?.name;
  return name === undefined ? [] : [name.slice(0, 1)];
}
