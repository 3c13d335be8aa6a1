import { GATEWAYS, type GatewayKind } from '../../shared/contract/stand-in-gateway.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { apiUrlVariable, PROVIDER_KINDS } from '../../shared/providers/provider-kinds.ts';
import { readBaseUrl } from './base-url.ts';
import { isProduction, readStage } from './stage.ts';
import { readTraces, type TracesChoice } from './traces.ts';

/** What a deployment chooses by `-c name=value` of CDK, or by the environment. */
export interface AppSettings {
  readonly stage: string;
  readonly hasTestKit: boolean;
  /** Whether the caller's own credentials deploy, and not the roles of the bootstrap. */
  readonly isByOwnCredentials: boolean;
  /** By default a stand-in where `AWS_ENDPOINT_URL` names a target that is not AWS. */
  readonly gateway: GatewayKind;
  readonly baseUrl?: string;
  /** Alarms with their topic, metric filters and dashboard: by default in production, and where somebody gets them. */
  readonly hasAlarms: boolean;
  readonly alarmEmail?: string;
  readonly traces: TracesChoice;
}

const CONTEXT_NAMES = [
  ...['stage', 'testKit', 'credentials', 'gateway', 'baseUrl', 'alarms', 'alarmEmail'],
  ...['traces', 'otlpLayer', 'otlpEndpoint'],
  ...Object.keys(PROVIDER_KINDS).map(apiUrlVariable),
];
const DEFAULT_STAGE = 'dev';
const AWS_HOST = /\.(amazonaws\.com(\.cn)?|api\.aws)$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * @param context everything that CDK was given by `-c`, by its files and by itself
 * @throws Error for a value that is no such setting, and for the name of one that is spelled in another way: it would
 *   otherwise be another deployment than was meant
 */
export function readAppSettings(
  context: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): AppSettings {
  for (const given of Object.keys(context)) {
    const meant = CONTEXT_NAMES.find((name) => lettersOf(name) === lettersOf(given));
    if (meant !== undefined && meant !== given) {
      throw new Error(`-c ${given}= is not a setting. It is spelled ${meant}.`);
    }
  }
  const stage = readStage(String(context.stage || env.STAGE || DEFAULT_STAGE));
  const testKit = context.testKit || env[VARIABLES.testKit] || (isProduction(stage) ? 'off' : 'on');
  if (testKit !== 'on' && testKit !== 'off') {
    throw new Error(`The test kit is "on" or "off", not "${testKit}".`);
  }
  const { credentials, baseUrl, gateway = standsInForAws(env) ? 'stand-in' : 'aws' } = context;
  if (credentials !== undefined && credentials !== 'cli') {
    throw new Error('credentials takes "cli" alone. Without it, the roles of the bootstrap deploy.');
  }
  if (!isGateway(gateway)) {
    throw new Error(`gateway takes ${GATEWAYS.join(' or ')}, not "${gateway}".`);
  }
  const alarmEmail = context.alarmEmail || env.ALARM_EMAIL;
  if (alarmEmail && !EMAIL.test(String(alarmEmail))) {
    throw new Error('alarmEmail takes an email address: ops@example.com.');
  }
  const { alarms = isProduction(stage) || alarmEmail ? 'on' : 'off' } = context;
  if (alarms !== 'on' && alarms !== 'off') {
    throw new Error(`alarms takes "on" or "off", not "${alarms}".`);
  }
  return {
    stage,
    hasTestKit: testKit === 'on',
    isByOwnCredentials: credentials === 'cli',
    gateway,
    hasAlarms: alarms === 'on',
    traces: readTraces(context, isProduction(stage)),
    ...(baseUrl !== undefined && { baseUrl: readBaseUrl(String(baseUrl)) }),
    ...(alarmEmail ? { alarmEmail: String(alarmEmail) } : {}),
  };
}

/** Whether deployments go to a target that stands in for AWS. A VPC's own endpoint of AWS is AWS. */
export function standsInForAws({ AWS_ENDPOINT_URL }: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(AWS_ENDPOINT_URL) && !AWS_HOST.test(URL.parse(String(AWS_ENDPOINT_URL))?.hostname ?? '');
}

function isGateway(given: unknown): given is GatewayKind {
  return GATEWAYS.some((kind) => kind === given);
}

/** `testKit`, `testkit`, `test-kit` and `TEST_KIT` are one. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
