import { GATEWAYS, type GatewayKind } from '../../shared/contract/stand-in-gateway.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { apiUrlVariable, PROVIDER_KINDS } from '../../shared/providers/provider-kinds.ts';
import { readBaseUrl } from './base-url.ts';
import type { ChosenDomain } from './constructs/own-domain.ts';
import { isProduction, readStage, stackNameOf } from './stage.ts';
import { readTableChoice, type TableChoice } from './table-choice.ts';
import { readTraces, type TracesChoice } from './traces.ts';

const ROLLOUTS = ['canary', 'at-once'] as const;
/** How new versions come into production: on trial with a share of the calls first, or for all calls at once. */
export type Rollout = (typeof ROLLOUTS)[number];

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
  /** Who gets the alarms that can wait: by default, who gets the others. */
  readonly ticketEmail?: string;
  /** What the account may cost a month, in US dollars, before `alarmEmail` hears of it. */
  readonly budget?: number;
  readonly domain?: ChosenDomain;
  /** The ARN of the key that encrypts the data of the stage. */
  readonly kmsKey?: string;
  /** The ARN of the policy that bounds every role. */
  readonly boundary?: string;
  /** The ARN of the vault, of another account, that gets copies of the table. */
  readonly backupVault?: string;
  /** A restored table in place of the stack's own. */
  readonly table?: TableChoice;
  /** Whether it takes no requests, runs no job and delivers nothing. */
  readonly isPaused: boolean;
  /** `at-once` is for a repair, which alarms that ring would hold up. */
  readonly rollout: Rollout;
}

/** What is an ARN of a resource that is not of the stage, and how it looks. */
const ARNS = {
  kmsKey: [/^arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'a KMS key: arn:aws:kms:REGION:ACCOUNT:key/ID'],
  boundary: [
    /^arn:aws[\w-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]+$/,
    'an IAM policy: arn:aws:iam::ACCOUNT:policy/NAME',
  ],
  backupVault: [
    /^arn:aws[\w-]*:backup:[\w-]+:\d{12}:backup-vault:[\w-]+$/,
    'a vault of AWS Backup: arn:aws:backup:REGION:ACCOUNT:backup-vault:NAME',
  ],
} as const satisfies Record<string, readonly [RegExp, string]>;
const CERTIFICATE = /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/;

const CONTEXT_NAMES = [
  ...['stage', 'testKit', 'credentials', 'gateway', 'baseUrl', 'domain', 'certificateArn'],
  ...['alarms', 'alarmEmail', 'ticketEmail', 'budget', 'traces', 'otlpLayer', 'otlpEndpoint'],
  ...['table', 'workers', 'rollout'],
  ...Object.keys(ARNS),
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
  const { credentials, gateway = standsInForAws(env) ? 'stand-in' : 'aws' } = context;
  if (credentials !== undefined && credentials !== 'cli') {
    throw new Error('credentials takes "cli" alone. Without it, the roles of the bootstrap deploy.');
  }
  if (!isGateway(gateway)) {
    throw new Error(`gateway takes ${GATEWAYS.join(' or ')}, not "${gateway}".`);
  }
  const alarmEmail = readEmail('alarmEmail', context.alarmEmail || env.ALARM_EMAIL);
  const ticketEmail = readEmail('ticketEmail', context.ticketEmail);
  const budget = readBudget(context.budget, alarmEmail);
  const { alarms = isProduction(stage) || alarmEmail ? 'on' : 'off' } = context;
  if (alarms !== 'on' && alarms !== 'off') {
    throw new Error(`alarms takes "on" or "off", not "${alarms}".`);
  }
  const domain = readDomain(context);
  if (context.backupVault !== undefined && !isProduction(stage)) {
    throw new Error('backupVault is for production: a test stage holds nothing that anybody would restore.');
  }
  const { rollout = 'canary' } = context;
  if (!isRollout(rollout)) {
    throw new Error(`rollout takes ${ROLLOUTS.join(' or ')}, not "${rollout}".`);
  }
  return {
    stage,
    rollout,
    hasTestKit: testKit === 'on',
    isByOwnCredentials: credentials === 'cli',
    gateway,
    hasAlarms: alarms === 'on',
    traces: readTraces(context, isProduction(stage)),
    ...readAddress(context, domain),
    ...readArns(context),
    ...readTableSettings(context, env, stackNameOf(stage)),
    ...(alarmEmail !== undefined && { alarmEmail }),
    ...(ticketEmail !== undefined && { ticketEmail }),
    ...(budget !== undefined && { budget }),
  };
}

/** @returns the address at which people reach the stage, where it is not API Gateway's */
function readAddress(
  { baseUrl }: Readonly<Record<string, unknown>>,
  domain: ChosenDomain | undefined,
): Pick<AppSettings, 'baseUrl' | 'domain'> {
  if (domain !== undefined && baseUrl !== undefined) {
    throw new Error('domain says where people reach the stage: leave baseUrl out.');
  }
  if (domain !== undefined) {
    return { domain, baseUrl: `https://${domain.name}` };
  }
  return baseUrl === undefined ? {} : { baseUrl: readBaseUrl(String(baseUrl)) };
}

function readDomain({ domain, certificateArn }: Readonly<Record<string, unknown>>): ChosenDomain | undefined {
  if (domain === undefined && certificateArn === undefined) {
    return undefined;
  }
  if (domain === undefined || certificateArn === undefined) {
    throw new Error('domain and certificateArn go together.');
  }
  if (!DOMAIN.test(String(domain))) {
    throw new Error(`domain takes a host name in small letters: pay.example.com. It is "${domain}".`);
  }
  if (!CERTIFICATE.test(String(certificateArn))) {
    throw new Error(
      `certificateArn takes a certificate of ACM in the region of the stage: arn:aws:acm:REGION:ACCOUNT:certificate/ID. It is "${certificateArn}".`,
    );
  }
  return { name: String(domain), certificateArn: String(certificateArn) };
}

function readArns(context: Readonly<Record<string, unknown>>): Partial<Record<keyof typeof ARNS, string>> {
  const given = Object.entries(ARNS).filter(([name]) => context[name] !== undefined);
  return Object.fromEntries(
    given.map(([name, [form, takes]]) => {
      if (!form.test(String(context[name]))) {
        throw new Error(`${name} takes the ARN of ${takes}. It is "${context[name]}".`);
      }
      return [name, String(context[name])];
    }),
  );
}

function readEmail(name: string, given: unknown): string | undefined {
  if (given && !EMAIL.test(String(given))) {
    throw new Error(`${name} takes an email address: ops@example.com.`);
  }
  return given ? String(given) : undefined;
}

function readBudget(given: unknown, alarmEmail: string | undefined): number | undefined {
  if (given === undefined) {
    return undefined;
  }
  if (!/^[1-9]\d{0,6}$/.test(String(given))) {
    throw new Error(`budget takes whole US dollars a month: 200. It is "${given}".`);
  }
  if (alarmEmail === undefined) {
    throw new Error('budget tells the one who gets alarms: name an email address with -c alarmEmail=.');
  }
  return Number(given);
}

/** Whoever names a table also says whether the stage works on it, so that none begins to by default. */
function readTableSettings(
  context: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
  stackName: string,
): Pick<AppSettings, 'table' | 'isPaused'> {
  const table = context.table || env.CHOSEN_TABLE;
  const workers = context.workers ?? (env[VARIABLES.workers] || undefined);
  if (workers !== undefined && workers !== 'on' && workers !== 'off') {
    throw new Error(`workers takes "on" or "off", not "${workers}".`);
  }
  if (table && workers === undefined) {
    throw new Error(
      'Say whether the stage works on this table: workers=off until the report of what is missing was read, then workers=on.',
    );
  }
  return {
    isPaused: workers === 'off',
    ...(table ? { table: readTableChoice(String(table), stackName) } : {}),
  };
}

/** Whether deployments go to a target that stands in for AWS. A VPC's own endpoint of AWS is AWS. */
export function standsInForAws({ AWS_ENDPOINT_URL }: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(AWS_ENDPOINT_URL) && !AWS_HOST.test(URL.parse(String(AWS_ENDPOINT_URL))?.hostname ?? '');
}

function isGateway(given: unknown): given is GatewayKind {
  return GATEWAYS.some((kind) => kind === given);
}

function isRollout(given: unknown): given is Rollout {
  return ROLLOUTS.some((rollout) => rollout === given);
}

/** `testKit`, `testkit`, `test-kit` and `TEST_KIT` are one. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
