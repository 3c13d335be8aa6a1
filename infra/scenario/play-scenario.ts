import { ProblemError } from '../../shared/client/call-error.ts';
import type { Client } from '../../shared/client/client.ts';
import { pathParamsOf } from '../../shared/contract/operation.ts';
import {
  PROVIDER_WEATHER,
  type Scenario,
  type ScenarioCall,
  type ScenarioFields,
  type ScenarioSimulation,
  type ScenarioStep,
} from '../../shared/contract/testkit/scenarios.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { parseDurationSeconds } from '../terminal/duration.ts';
import { EXPECTATIONS } from './expectations.ts';
import { lawsOf } from './laws.ts';
import { payByLink } from './pay-by-link.ts';
import { type NameReference, resolveReferences } from './references.ts';
import { operationOf, simulatedIn } from './scenario-calls.ts';
import { ScenarioFailure } from './scenario-failure.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { describeStep, storyOfEvents } from './story.ts';
import { waitUntil } from './wait-until.ts';
import { lateSeconds, strikeOf } from './weather.ts';

/** All that is due has happened when a law is checked: only a list may lag behind. */
const LAW_PATIENCE_MS = 1_000;

/** What became of a scenario. */
export interface PlayedScenario {
  /** What happened, line by line: the same for one scenario and one seed. */
  readonly story: readonly string[];
  readonly failure: ScenarioFailure | null;
}

/** An outcome that the weather holds back until after the next one. */
interface HeldOutcome {
  readonly step: ScenarioSimulation;
  readonly report: () => Promise<string>;
}

/**
 * Plays the steps of a scenario in its world: steps become calls, weather is what happens to outcomes on their way, and
 * laws are checked after each step.
 * @param lineOf the line of a step in its file, for the story
 * @throws ConnectionError if the service is not there: that is no finding
 */
export async function playScenario(
  scenario: Scenario,
  world: ScenarioWorld,
  seed: number,
  lineOf: (step: ScenarioStep) => number,
): Promise<PlayedScenario> {
  const { client, sinks, eventTimeoutMs } = world;
  const laws = lawsOf(client, sinks);
  const answers = new Map<string, ScenarioFields>([...sinks].map(([name, { id }]) => [name, { id }]));
  const names = new Map<string, string>();
  const occurrences = new Map<string, number>();
  const struck = new Set<string>();
  const held: HeldOutcome[] = [];
  const story: string[] = [];
  const tell = (...lines: readonly string[]) => story.push(...lines.map(cleanLine));

  const lookUp = ({ name, fields }: NameReference): unknown => {
    const path = fields.length === 0 ? ['id'] : fields;
    return path.reduce<unknown>((part, field) => Object(part)[field], answers.get(name));
  };
  const resolved = (value: unknown) => resolveReferences(value, lookUp);

  const remember = (as: string | undefined, answer: ScenarioFields) => {
    if (as === undefined) {
      return;
    }
    answers.set(as, answer);
    if (typeof answer.id === 'string') {
      const count = [...names.values()].filter((name) => name.replace(/#\d+$/, '') === as).length;
      names.set(answer.id, count === 0 ? as : `${as}#${count + 1}`);
    }
  };

  /** The same step again has other dice. */
  const diceKey = (step: ScenarioStep) => {
    const content = JSON.stringify(step);
    const count = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, count);
    return `${content} ${count}`;
  };

  const call = async (step: ScenarioCall): Promise<ScenarioFields> => {
    const found = operationOf(step);
    const fields = resolved(step.with) as ScenarioFields | undefined;
    if (found === null) {
      const payment = await payByLink(world, String(resolved(step.id)), fields ?? {});
      await world.settle();
      return payment;
    }
    const ids = pathParamsOf(found.row).map((param) => String(resolved(step[param as 'id' | 'delivery_id'])));
    const method = client[found.name] as (...args: unknown[]) => PromiseLike<object>;
    const answer = await method(...ids, ...(fields === undefined ? [] : [fields]));
    if (found.row.idempotent) {
      await world.settle();
    }
    return { ...answer };
  };

  /** Reports an outcome. @throws ProblemError */
  const report = async (simulate: ScenarioFields): Promise<ScenarioFields> => {
    const resource = simulatedIn(simulate);
    const { [resource]: subject, ...fields } = simulate;
    const answer: ScenarioFields = await SIMULATE[resource](client, subject, fields);
    await world.settle();
    return answer;
  };

  /** An outcome that comes too late for its subject changes nothing: the provider is told so. */
  const reportLoosely = async (simulate: ScenarioFields): Promise<string> => {
    try {
      return String((await report(simulate)).outcome);
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'invalid_state') {
        return 'refused: invalid_state';
      }
      throw error;
    }
  };

  const simulate = async (step: ScenarioSimulation): Promise<string> => {
    const resource = simulatedIn(step.simulate);
    const isWeathered = resource === 'payment' || resource === 'refund';
    const key = diceKey(step);
    const kinds = PROVIDER_WEATHER.filter((kind) => kind !== 'mismatch' || resource === 'payment');
    const shares = scenario.weather?.provider ?? {};
    const strike = isWeathered ? strikeOf(kinds, shares, seed, key) : null;
    const outcome = resolved(step.simulate) as ScenarioFields;
    const subject = String(outcome[resource]);
    const before = held.splice(0);
    let said = '';
    if (strike !== null) {
      struck.add(subject);
    }
    switch (strike) {
      case 'silent':
        said = 'never comes';
        break;
      case 'reorder':
        said = 'comes after the next';
        held.push({ step, report: () => reportLoosely(outcome) });
        break;
      case 'mismatch': {
        const { amount: _, ...rest } = outcome;
        said = `${await reportLoosely({ ...rest, outcome: 'mismatch' })}, of another amount`;
        break;
      }
      case 'late': {
        const delay_seconds = lateSeconds(seed, key, Number(outcome.delay_seconds ?? 0));
        said = `${await reportLoosely({ ...outcome, delay_seconds })}, ${delay_seconds} s late`;
        break;
      }
      case 'duplicate': {
        const twice = { event_id: `twice-${seed}-${struck.size}-${story.length}`, ...outcome };
        said = `${await reportLoosely(twice)}, and again: ${await reportLoosely(twice)}`;
        break;
      }
      default: {
        const isTolerated = struck.has(subject);
        if (isTolerated) {
          said = await reportLoosely(outcome);
        } else {
          const answer = await report(outcome);
          remember(step.as, answer);
          said = String(answer.outcome);
        }
      }
    }
    const late = [];
    for (const each of before) {
      late.push(`${describeStep(each.step)} comes now: ${await each.report()}`);
    }
    return [said, ...late].join('; ');
  };

  const expectProblem = async (step: ScenarioStep, code: string, from: ScenarioStep) => {
    const expected = `${describeStep(from)} to be refused: ${code}`;
    try {
      await ('call' in from
        ? call(from)
        : report(resolved((from as ScenarioSimulation).simulate) as ScenarioFields));
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        throw error;
      }
      if (error.code === code) {
        return;
      }
      throw new ScenarioFailure(step, describeStep(step), expected, `it was refused: ${error.code}`);
    }
    throw new ScenarioFailure(step, describeStep(step), expected, 'it was not refused');
  };

  const expectStep = async (step: ScenarioStep & { expect: ScenarioFields }): Promise<string> => {
    const { problem, from } = step.expect as { problem?: string; from?: ScenarioStep };
    if (problem !== undefined && from !== undefined) {
      await expectProblem(step, problem, from);
      return 'holds';
    }
    const [key = ''] = Object.keys(EXPECTATIONS).filter((each) => each in step.expect);
    const check = EXPECTATIONS[key];
    const expected = resolved(step.expect) as ScenarioFields;
    const difference = await waitUntil(async () => (await check?.(world, expected)) ?? null, eventTimeoutMs);
    if (difference !== null) {
      throw new ScenarioFailure(step, describeStep(step), difference.expected, difference.actual);
    }
    return 'holds';
  };

  const playStep = async (step: ScenarioStep): Promise<string> => {
    if ('call' in step) {
      const answer = await call(step);
      remember(step.as, answer);
      return typeof answer.status === 'string' ? answer.status : 'done';
    }
    if ('simulate' in step) {
      return simulate(step);
    }
    if ('advance' in step) {
      await client.advanceClock({ seconds: parseDurationSeconds(step.advance) });
      await world.settle();
      return 'done';
    }
    if ('exam' in step) {
      if (world.playExam === undefined) {
        throw new TypeError('only the world of an exam has a shop');
      }
      remember(step.as, await world.playExam(step, resolved(step.exam) as ScenarioFields));
      return 'done';
    }
    return 'expect' in step ? expectStep(step) : '';
  };

  const checkLaws = async (step: ScenarioStep) => {
    const checked = (scenario.always ?? []).map(async (law) => ({
      law,
      breach: await waitUntil(laws[law], eventTimeoutMs ?? LAW_PATIENCE_MS),
    }));
    for (const { law, breach } of await Promise.all(checked)) {
      if (breach !== null) {
        throw new ScenarioFailure(step, `law ${law}`, `the law of ${law} after this step`, breach);
      }
    }
  };

  const playSteps = async (steps: readonly ScenarioStep[], depth: string): Promise<void> => {
    for (const step of steps) {
      if ('repeat' in step) {
        for (let time = 1; time <= step.repeat.times; time += 1) {
          tell(`${lineText(step)}${depth}time ${time} of ${step.repeat.times}`);
          await playSteps(step.repeat.steps, `${depth}  `);
        }
        continue;
      }
      const said = await playStep(step).catch((error: unknown) => {
        throw failureOf(step, error);
      });
      tell(`${lineText(step)}${depth}${describeStep(step)} → ${said}`);
      await checkLaws(step);
    }
  };
  const lineText = (step: ScenarioStep) => `${String(lineOf(step)).padStart(4)}  `;

  try {
    await playSteps(scenario.steps, '');
    for (const { step, report: reportNow } of held.splice(0)) {
      tell(`${lineText(step)}${describeStep(step)} comes now: ${await reportNow()}`);
      await checkLaws(step);
    }
    // An exam shares its world with other questions, whose events are none of this story.
    tell(...(world.playExam === undefined ? await storyOfEvents(world, names) : []));
    return { story, failure: null };
  } catch (error) {
    if (error instanceof ScenarioFailure) {
      tell(`${lineText(error.step)}${describeStep(error.step)} → FAILED: ${error.message}`);
      return { story, failure: error };
    }
    throw error;
  }
}

/** A refusal that nobody expected is a finding. */
function failureOf(step: ScenarioStep, error: unknown): unknown {
  return error instanceof ProblemError
    ? new ScenarioFailure(
        step,
        `${describeStep(step)} refused ${error.code}`,
        `${describeStep(step)} to be accepted`,
        `it was refused: ${error.code}. ${error.detail}`,
      )
    : error;
}

type Simulate = (client: Client, subject: unknown, fields: ScenarioFields) => Promise<ScenarioFields>;

const SIMULATE: Readonly<Record<ReturnType<typeof simulatedIn>, Simulate>> = {
  payment: async (client, id, fields) => ({ ...(await client.simulatePayment(String(id), fields as never)) }),
  refund: async (client, id, fields) => ({ ...(await client.simulateRefund(String(id), fields as never)) }),
  payout: async (client, id, fields) => ({ ...(await client.simulatePayout(String(id), fields as never)) }),
  settlement: async (client, provider, fields) => {
    const of = provider === null ? {} : { provider: String(provider) };
    const answer = await client.simulateSettlement({ ...of, ...fields } as never);
    // The result names the payout alone: the newest settlement of the provider is the one that it made.
    const [settlement] = (await client.listSettlements({ ...of, limit: 1 })).data;
    return { ...answer, ...(answer.outcome !== 'empty' && settlement && { id: settlement.id }) };
  },
};
