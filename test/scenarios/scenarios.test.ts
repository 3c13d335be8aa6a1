import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readScenario } from '../../infra/scenario/read-scenario.ts';
import { runScenario } from '../../infra/scenario/run-scenario.ts';
import { createClient } from '../../shared/client/client.ts';
import { PROVIDER_WEATHER } from '../../shared/contract/testkit/scenarios.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

/** For a deployed service at a slow target. */
const EVENT_TIMEOUT_MS = 120_000;
/** The others run of a deployed service at night alone. */
const FIRST = ['happy-path', 'receiver-down', 'refund-races'];
const SCENARIOS = globSync('test/scenarios/*.yaml')
  .toSorted()
  .map((file) => readScenario(readFileSync(file, 'utf8'), file));
const sourceOf = (name: string) => SCENARIOS.find(({ file }) => basename(file, '.yaml') === name);

describe.concurrent('the ready scenarios', () => {
  for (const { file, scenario, lineOf } of SCENARIOS) {
    const name = basename(file, '.yaml');
    const tags = FIRST.includes(name) ? [] : ['slow'];
    test(`${name} holds at this service`, { tags }, async ({ expect }) => {
      const client = createClient({ baseUrl, key: (await newKey()).secret });
      const service = { client, baseUrl, eventTimeoutMs: EVENT_TIMEOUT_MS };
      const { failure, story } = await runScenario(service, scenario, 1, lineOf);
      expect(failure?.message, story.join('\n')).toBeUndefined();
      const { data } = await client.listTestWorlds();
      expect(data, 'the world of a scenario is deleted').toEqual([]);
    });
  }
});

test('the ready scenarios keep every law, pay by every method and have all weather of a provider', () => {
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(8);
  const laws = 'conservation,sequence,signatures';
  expect(SCENARIOS.filter(({ scenario }) => String(scenario.always) !== laws)).toEqual([]);
  const paid = JSON.stringify(sourceOf('happy-path')?.scenario.steps);
  expect(PAYMENT_METHODS.filter((method) => !paid.includes(`"method":"${method}"`))).toEqual([]);
  const { provider = {} } = sourceOf('providers-bad-day')?.scenario.weather ?? {};
  expect(Object.keys(provider).toSorted()).toEqual(PROVIDER_WEATHER.toSorted());
});
