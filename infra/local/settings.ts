import { BASE_URL_VARIABLE } from '../../shared/contract/base-url.ts';
import { TEST_KIT_VARIABLE } from '../../shared/contract/test-kit.ts';
import { configuredOrigin, PROVIDER_KINDS } from '../../shared/providers/provider-kinds.ts';
import { LOOPBACK_VARIABLE } from '../../shared/webhooks/reach.ts';
import { readAs } from '../terminal/command.ts';
import { address, formed, type OptionForm, oneOf } from '../terminal/option-form.ts';
import { KEEPING_VARIABLE } from './stream-records.ts';

const PORT = /^(?:0|[1-9]\d{0,4})$/;
const PORT_MAX = 65_535;

const port = formed(
  'PORT',
  'where the service listens',
  `a number from 0 to ${PORT_MAX}`,
  (given) => PORT.test(given) && Number(given) <= PORT_MAX,
);

/** The variables of the environment that the local service reads, and what each takes. */
const VARIABLES: Readonly<Record<string, OptionForm>> = {
  PORT: port,
  AWS_ENDPOINT_URL_DYNAMODB: address('where the store listens'),
  [BASE_URL_VARIABLE]: address('where people reach the service'),
  [TEST_KIT_VARIABLE]: oneOf('SWITCH', ['on', 'off']),
  [LOOPBACK_VARIABLE]: oneOf('SWITCH', ['allowed', 'refused']),
  [KEEPING_VARIABLE]: oneOf('SWITCH', ['1', '0']),
};

/**
 * Checks every variable before anything starts: a wrong one would otherwise be another setting than was meant.
 * @throws Error that names the variable and what it takes
 */
export function checkSettings(env: NodeJS.ProcessEnv): void {
  for (const [name, { read }] of Object.entries(VARIABLES)) {
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

/** `PORT`, where it is set. */
export function givenPort({ PORT: given }: NodeJS.ProcessEnv): number | undefined {
  return given === undefined ? undefined : Number(given);
}
