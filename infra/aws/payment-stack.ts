import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations, withoutTestKit } from '../../shared/contract/operations.ts';
import { type GatewayKind, STAND_IN_BINARY_TYPES } from '../../shared/contract/stand-in-gateway.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import type { Rollout } from './app-settings.ts';
import { AccountBudget } from './constructs/account-budget.ts';
import { Canary } from './constructs/canary.ts';
import { ClockAndJobs } from './constructs/clock-and-jobs.ts';
import { encryptWithKey } from './constructs/encrypt-with-key.ts';
import { BINARY_MEDIA_TYPES } from './constructs/gateway-document.ts';
import { LiveAlias } from './constructs/live-alias.ts';
import { Observability } from './constructs/observability.ts';
import { type ChosenDomain, OwnDomain } from './constructs/own-domain.ts';
import { PaymentApi } from './constructs/payment-api.ts';
import { tableOf } from './constructs/payment-table.ts';
import { Smoke } from './constructs/smoke.ts';
import { TableBackup } from './constructs/table-backup.ts';
import { Tracing } from './constructs/tracing.ts';
import { WebFirewall } from './constructs/web-firewall.ts';
import { readProviderOrigins } from './provider-origins.ts';
import { CHOSEN_TABLE_OUTPUT, formatTableChoice, type TableChoice, WORKERS_OUTPUT } from './table-choice.ts';
import type { TracesChoice } from './traces.ts';

interface PaymentStackProps extends StackProps {
  /** Whether the stage holds data that must not be lost. */
  readonly isProduction: boolean;
  /** The public address, if it is not API Gateway's: see `base-url.ts`. */
  readonly baseUrl?: string;
  /** Whether it has alarms, with their topic, metric filters and dashboard: by default, production has. */
  readonly hasAlarms?: boolean;
  /** The email address that gets alarms. */
  readonly alarmEmail?: string | undefined;
  /** The email address that gets alarms that can wait: without it, the one above. */
  readonly ticketEmail?: string | undefined;
  /** What the whole account may cost a month, in US dollars, before `alarmEmail` hears of it. */
  readonly budget?: number | undefined;
  /** A domain of one's own, at which alone it is reached; `baseUrl` names it. */
  readonly domain?: ChosenDomain | undefined;
  /** The ARN of the key that encrypts its data: by default, keys of AWS do. */
  readonly kmsKey?: string | undefined;
  /** The ARN of the policy that bounds each of its roles. */
  readonly boundary?: string | undefined;
  /** The ARN of the vault that gets copies of the table. */
  readonly backupVault?: string | undefined;
  /** How new versions come into production: on trial first, by default. */
  readonly rollout?: Rollout;
  /** Whether it has the operations of the test kit: by default, it has. */
  readonly hasTestKit?: boolean;
  /** Whose gateway it gets: by default, AWS's. */
  readonly gateway?: GatewayKind;
  /** Who records its traces: by default, nobody. */
  readonly traces?: TracesChoice;
  /** A restored table that it uses in place of one of its own. */
  readonly table?: TableChoice;
  /** Whether it takes no requests, runs no job and delivers nothing: by default, it works. */
  readonly isPaused?: boolean;
  /** The table of operations that it serves, if not the service's own. */
  readonly operations?: readonly Operation[];
}

interface StageParts {
  readonly api: PaymentApi;
  readonly table: ITable;
  readonly workers: ClockAndJobs;
  readonly isPaused: boolean;
}

/** All resources of one stage of the service. */
export class PaymentStack extends Stack {
  readonly isProduction: boolean;
  /** Who records its traces. */
  readonly traces: TracesChoice;
  readonly hasBackup: boolean;
  readonly hasOwnKey: boolean;
  readonly tellsByEmail: boolean;

  constructor(scope: Construct, id: string, props: PaymentStackProps) {
    const { isProduction, baseUrl, hasTestKit = true, gateway = 'aws', ...rest } = props;
    const { alarmEmail, ticketEmail, budget, domain, kmsKey, boundary, backupVault, ...others } = rest;
    const {
      operations = allOperations,
      hasAlarms = isProduction,
      traces = { kind: 'off' },
      isPaused = false,
      table: chosen,
      rollout = 'canary',
      ...stackProps
    } = others;
    // One line: a template may have 1 MB, of which indentation would be a third.
    super(scope, id, {
      terminationProtection: isProduction,
      suppressTemplateIndentation: true,
      ...stackProps,
    });
    this.isProduction = isProduction;
    this.traces = traces;
    this.hasBackup = backupVault !== undefined;
    this.hasOwnKey = kmsKey !== undefined;
    this.tellsByEmail = hasAlarms && (alarmEmail ?? ticketEmail) !== undefined;
    if (isProduction && Object.keys(readProviderOrigins(this.node)).length > 0) {
      throw new Error('Real money goes to the providers themselves: name no other origin in production.');
    }
    const removalPolicy = isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const table = tableOf(this, { isProtected: isProduction, removalPolicy }, chosen);
    const shared = { table, isProduction, removalPolicy, isPaused };
    const kit = hasTestKit ? {} : { [VARIABLES.testKit]: 'off' };
    const api = new PaymentApi(this, 'Api', {
      ...shared,
      operations: hasTestKit ? operations : withoutTestKit(operations),
      environment: {
        ...kit,
        ...(gateway !== 'aws' && { [VARIABLES.gateway]: gateway }),
      },
      binaryMediaTypes:
        gateway === 'aws' ? BINARY_MEDIA_TYPES : [...BINARY_MEDIA_TYPES, ...STAND_IN_BINARY_TYPES],
      configuredUrl: baseUrl,
      isAtDomain: domain !== undefined,
    });
    if (domain !== undefined) {
      new OwnDomain(this, 'Domain', { ...domain, gateway: api.gateway });
    }
    if (isProduction) {
      new WebFirewall(this, 'Firewall', { gateway: api.gateway, baseUrl: api.baseUrl, removalPolicy });
    }
    const workers = new ClockAndJobs(this, 'ClockAndJobs', { ...shared, baseUrl: api.baseUrl });
    const smoke = isProduction ? new Smoke(this, 'Smoke', { ...shared, environment: kit }) : undefined;
    const observability = hasAlarms
      ? new Observability(this, 'Observability', {
          ...{ api, table, workers, isProduction, alarmEmail, ticketEmail },
          smoke: smoke?.scheduled,
        })
      : undefined;
    if (smoke !== undefined) {
      this.#changeByCanary({ api, workers }, smoke, observability, rollout);
    }
    if (traces.kind !== 'off') {
      // Last, since it finds the functions that there are.
      new Tracing(this, 'Tracing', { api, traces, isProduction });
    }
    if (budget !== undefined && alarmEmail !== undefined) {
      new AccountBudget(this, 'Budget', { dollarsPerMonth: budget, email: alarmEmail });
    }

    if (backupVault !== undefined) {
      new TableBackup(this, 'Backup', { table, copiesTo: backupVault, kmsKey, removalPolicy });
    }
    this.#restrict(kmsKey, boundary);
    this.#addOutputs({ api, table, workers, isPaused }, chosen);
  }

  #addOutputs({ api, table, workers, isPaused }: StageParts, chosen: TableChoice | undefined): void {
    new CfnOutput(this, 'ApiId', { value: api.gateway.restApiId });
    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    if (chosen !== undefined) {
      new CfnOutput(this, CHOSEN_TABLE_OUTPUT, { value: formatTableChoice(chosen) });
    }
    if (isPaused) {
      new CfnOutput(this, WORKERS_OUTPUT, { value: 'off' });
    }
    new CfnOutput(this, 'UnhandledQueueUrl', { value: workers.unhandled.queueUrl });
  }

  #changeByCanary(
    parts: Readonly<Record<'api' | 'workers', Construct>>,
    smoke: Smoke,
    observability: Observability | undefined,
    rollout: Rollout,
  ): void {
    for (const name of ['api', 'workers'] as const) {
      const alarms = observability?.ofNewCode(name) ?? [];
      const aliases = parts[name].node.findAll().filter((each) => each instanceof LiveAlias);
      const check = smoke.addCheck(`check-${name}`, aliases);
      new Canary(this, `${name}-canary`, { aliases, alarms, check, rollout });
    }
  }

  /** Last, since it is about everything that there is. */
  #restrict(kmsKey: string | undefined, boundary: string | undefined): void {
    if (kmsKey !== undefined) {
      encryptWithKey(this, kmsKey);
    }
    if (boundary !== undefined) {
      PermissionsBoundary.of(this).apply(ManagedPolicy.fromManagedPolicyArn(this, 'Boundary', boundary));
    }
  }
}
