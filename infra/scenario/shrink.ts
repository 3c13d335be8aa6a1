import { isDeepStrictEqual } from 'node:util';
import type { Scenario, ScenarioStep } from '../../shared/contract/testkit/scenarios.ts';
import { checkNames } from './check-names.ts';
import { ddmin, shrinkList } from './ddmin.ts';

/** Whether something fails in the way that is looked for. */
type Fails<Tried> = (tried: Tried) => Promise<boolean>;

/** A share of weather: `provider.duplicate`, 200. */
interface WeatherShare {
  readonly on: 'provider' | 'receivers';
  readonly kind: string;
  readonly share: number;
}

/** A step as it is left out or kept; the steps of a repetition each by themselves. */
type StepPath = readonly number[];

/**
 * The shortest list of steps, and then the least weather, with which a scenario still fails in the same way. Where it
 * fails by the weather alone, so does the shortest: steps that fail in fair weather are another failure.
 * @param play whether a scenario fails so with the seed; it must for the given one
 */
export async function shrinkScenario(scenario: Scenario, play: Fails<Scenario>): Promise<Scenario> {
  const fails = onceEach(play);
  const isByWeather = sharesOf(scenario).length > 0 && !(await fails(withShares(scenario, [])));
  // A step whose name is used cannot be left out alone: what is left would be no scenario.
  const stillFails: Fails<Scenario> = async (candidate) =>
    candidate.steps.length > 0 &&
    checkNames(candidate).length === 0 &&
    (await fails(candidate)) &&
    !(isByWeather && (await fails(withShares(candidate, []))));
  let fewer = scenario;
  // Steps that are gone may have been what a repetition was needed for.
  for (let before: Scenario | null = null; !isDeepStrictEqual(fewer, before); ) {
    before = fewer;
    fewer = await shrinkSteps(await shrinkRepetitions(fewer, stillFails), stillFails);
  }
  return isByWeather ? shrinkWeather(fewer, fails) : withShares(fewer, []);
}

/** The search comes back to what it has tried. */
export function onceEach<Tried, Result>(
  play: (candidate: Tried) => Promise<Result>,
): (candidate: Tried) => Promise<Result> {
  const tried = new Map<string, Promise<Result>>();
  return (candidate) => {
    const content = JSON.stringify(candidate);
    const result = tried.get(content) ?? play(candidate);
    tried.set(content, result);
    return result;
  };
}

async function shrinkSteps(scenario: Scenario, fails: Fails<Scenario>): Promise<Scenario> {
  const withSteps = (paths: readonly StepPath[]) => ({ ...scenario, steps: pick(scenario.steps, paths) });
  return withSteps(await shrinkList(pathsOf(scenario.steps), (part) => fails(withSteps(part))));
}

/** Repetitions at any depth happen once, or as often as it takes; steps that happen once stand by themselves. */
async function shrinkRepetitions(scenario: Scenario, fails: Fails<Scenario>): Promise<Scenario> {
  let current = scenario;
  for (let index = 0; ; ) {
    const found = repetitionsIn(current.steps)[index];
    if (found === undefined) {
      return current;
    }
    const { path, repeat } = found;
    const { steps } = current;
    const withTimes = (times: number): Scenario => ({
      ...current,
      steps: replaceAt(steps, path, times === 1 ? repeat.steps : [{ repeat: { ...repeat, times } }]),
    });
    const times = await leastOf(1, repeat.times, (fewer) => fails(withTimes(fewer)));
    current = withTimes(times);
    index += times === 1 ? 0 : 1;
  }
}

/** The least number that fails of those from the first one on, by halves; the last one does. */
async function leastOf(first: number, last: number, fails: Fails<number>): Promise<number> {
  if (await fails(first)) {
    return first;
  }
  let [passes, strikes] = [first, last];
  while (strikes - passes > 1) {
    const middle = Math.floor((passes + strikes) / 2);
    if (await fails(middle)) {
      strikes = middle;
    } else {
      passes = middle;
    }
  }
  return strikes;
}

interface FoundRepetition {
  readonly path: StepPath;
  readonly repeat: Extract<ScenarioStep, { readonly repeat: unknown }>['repeat'];
}

/** The repetitions, each before those within it. */
function repetitionsIn(steps: readonly ScenarioStep[]): FoundRepetition[] {
  return steps.flatMap((step, index): FoundRepetition[] =>
    'repeat' in step
      ? [
          { path: [index], repeat: step.repeat },
          ...repetitionsIn(step.repeat.steps).map(({ path, repeat }) => ({ path: [index, ...path], repeat })),
        ]
      : [],
  );
}

/** The steps with others in the place of the one at a path. */
function replaceAt(
  steps: readonly ScenarioStep[],
  [at, ...path]: StepPath,
  others: readonly ScenarioStep[],
): ScenarioStep[] {
  return steps.flatMap((step, index): readonly ScenarioStep[] => {
    if (index !== at) {
      return [step];
    }
    return path.length === 0 || !('repeat' in step)
      ? others
      : [{ repeat: { ...step.repeat, steps: replaceAt(step.repeat.steps, path, others) } }];
  });
}

function pathsOf(steps: readonly ScenarioStep[]): StepPath[] {
  return steps.flatMap((step, index) =>
    'repeat' in step ? pathsOf(step.repeat.steps).map((path) => [index, ...path]) : [[index]],
  );
}

/** The steps at the given paths; repetitions of nothing are left out. */
function pick(steps: readonly ScenarioStep[], paths: readonly StepPath[]): ScenarioStep[] {
  return steps.flatMap((step, index): ScenarioStep[] => {
    const own = paths.filter(([first]) => first === index);
    if (own.length === 0) {
      return [];
    }
    return 'repeat' in step
      ? [
          {
            repeat: {
              ...step.repeat,
              steps: pick(
                step.repeat.steps,
                own.map((path) => path.slice(1)),
              ),
            },
          },
        ]
      : [step];
  });
}

async function shrinkWeather(scenario: Scenario, fails: Fails<Scenario>): Promise<Scenario> {
  const kept = await ddmin(sharesOf(scenario), (part) => fails(withShares(scenario, part)));
  let least = kept;
  for (const [index, one] of kept.entries()) {
    // The dice are the same for every share, so what strikes at a share strikes at every greater one.
    const share = await leastOf(1, one.share, (smaller) =>
      fails(withShares(scenario, least.with(index, { ...one, share: smaller }))),
    );
    least = least.with(index, { ...one, share });
  }
  return withShares(scenario, least);
}

function sharesOf({ weather = {} }: Scenario): WeatherShare[] {
  return (['provider', 'receivers'] as const).flatMap((on) =>
    Object.entries(weather[on] ?? {})
      .filter(([, share]) => share > 0)
      .map(([kind, share]) => ({ on, kind, share })),
  );
}

function withShares({ name, given, steps, always }: Scenario, shares: readonly WeatherShare[]): Scenario {
  const weather = Object.entries(Object.groupBy(shares, ({ on }) => on)).map(([on, own]) => [
    on,
    Object.fromEntries(own.map(({ kind, share }) => [kind, share])),
  ]);
  return {
    name,
    ...(given && { given }),
    ...(weather.length > 0 && { weather: Object.fromEntries(weather) }),
    steps,
    ...(always && { always }),
  };
}
