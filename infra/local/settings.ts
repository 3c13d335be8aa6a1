import { VARIABLES } from '../../shared/environment/variables.ts';
import { configuredOrigin, PROVIDER_KINDS } from '../../shared/providers/provider-kinds.ts';
import { readAs } from '../terminal/command.ts';
import { address, formed, type OptionForm, oneOf } from '../terminal/option-form.ts';

const PORT = /^(?:0|[1-9]\d{0,4})$/;
const PORT_MAX = 65_535;

const port = formed(
  'PORT',
  'where the service listens',
  `a number from 0 to ${PORT_MAX}`,
  (given) => PORT.test(given) && Number(given) <= PORT_MAX,
);

/** The variables of the environment that the local service reads, and what each takes. */
const FORMS: Readonly<Record<string, OptionForm>> = {
  PORT: port,
  AWS_ENDPOINT_URL_DYNAMODB: address('where the store listens'),
  [VARIABLES.baseUrl]: address('where people reach the service'),
  [VARIABLES.testKit]: oneOf('SWITCH', ['on', 'off']),
  [VARIABLES.loopback]: oneOf('SWITCH', ['allowed', 'refused']),
  [VARIABLES.streamRecords]: oneOf('SWITCH', ['1', '0']),
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

/** `PORT`, where it is set. */
export function givenPort({ PORT: given }: NodeJS.ProcessEnv): number | undefined {
  return given === undefined ? undefined : Number(given);
}
