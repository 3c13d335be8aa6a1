import { isWellFormedSecret } from '../../shared/domain/api-key.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { configuredOrigin, PROVIDER_KINDS } from '../../shared/providers/provider-kinds.ts';
import { readAs } from '../terminal/command.ts';
import { address, formed, type OptionForm, oneOf } from '../terminal/option-form.ts';
import { port } from '../terminal/options.ts';

const LIVE_KEY = /^pg_live_\w+$/;

/** The variables of the environment that the local service reads, and what each takes. */
const FORMS: Readonly<Record<string, OptionForm>> = {
  PORT: port,
  AWS_ENDPOINT_URL_DYNAMODB: address('where the store listens'),
  [VARIABLES.baseUrl]: address('where people reach the service'),
  [VARIABLES.testKit]: oneOf('SWITCH', ['on', 'off']),
  [VARIABLES.loopback]: oneOf('SWITCH', ['allowed', 'refused']),
  [VARIABLES.workers]: oneOf('SWITCH', ['on', 'off']),
  [VARIABLES.streamRecords]: oneOf('SWITCH', ['1', '0']),
  // A live one is for commands: no merchant's live key is the demo's.
  PG_KEY: formed(
    'KEY',
    'the key of the demo merchant',
    'a key that this service has made: pg_test_…',
    (given) => LIVE_KEY.test(given) || isWellFormedSecret(given),
  ),
};

/**
 * Checks every variable before anything starts: a wrong one would otherwise be another setting than was meant.
 * @throws Error that names the variable and what it takes
 */
export function checkSettings(env: NodeJS.ProcessEnv): void {
  for (const [name, { read }] of Object.entries(FORMS)) {
    const given = env[name];
    // Scripts unset the others by an empty text. An empty port was meant to be a number.
    if (given !== undefined && (given !== '' || name === 'PORT')) {
      readAs(name, () => read?.(given));
    }
  }
  for (const kind of Object.keys(PROVIDER_KINDS)) {
    configuredOrigin(kind, env);
  }
}

/** The test key in `PG_KEY`, where one is set. */
export function givenTestKey({ PG_KEY: given = '' }: NodeJS.ProcessEnv): string | null {
  return given === '' || LIVE_KEY.test(given) ? null : given;
}
