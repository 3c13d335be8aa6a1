import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { grantsOf } from '../grants.ts';
import { smokeKeyNameOf } from '../stage.ts';
import type { LiveAlias } from './live-alias.ts';
import { FunctionLog, FunctionRole, type LogKeepingProps, PaymentFunction } from './payment-function.ts';

const EVERY_MINUTES = 5;
/** Longer than the smoke payment waits for everything together, so that it always says what it waited for. */
const TIMEOUT_SECONDS = 5 * 60;

interface SmokeProps extends LogKeepingProps {
  readonly table: ITable;
  /** Which test kit the stage has, as its functions are told. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the stage takes no requests, so that no payment can be tried. */
  readonly isPaused: boolean;
}

interface SmokeFunction {
  readonly called: string;
  /** How many may run at once. */
  readonly atOnce: number;
  /** Permissions beyond the table and the key. */
  readonly others?: readonly PolicyStatement[];
  /** More variables. */
  readonly more?: Readonly<Record<string, string>>;
}

/** A synthetic payment of test mode: every five minutes, and before new versions get traffic. */
export class Smoke extends Construct {
  readonly scheduled: PaymentFunction;
  readonly #props: SmokeProps;
  readonly #log: FunctionLog;

  constructor(scope: Construct, id: string, props: SmokeProps) {
    super(scope, id);
    this.#props = props;
    this.#log = new FunctionLog(this, 'Log', props);
    this.scheduled = this.#add('smoke', { called: 'smoke', atOnce: 1 });
    this.scheduled.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(EVERY_MINUTES) });
    new Rule(this, 'Often', {
      enabled: !props.isPaused,
      schedule: Schedule.rate(Duration.minutes(EVERY_MINUTES)),
      targets: [new LambdaFunction(this.scheduled, { retryAttempts: 0 })],
    });
  }

  /** A function that tries the newest versions of these functions together, and may call no others. */
  addCheck(called: string, aliases: readonly LiveAlias[]): PaymentFunction {
    const versions = aliases.map(({ lambda, version }) => [lambda.node.id, version.functionArn] as const);
    const calling = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: versions.map(([, arn]) => arn),
    });
    return this.#add('check-new-versions', {
      called,
      // CodeDeploy calls it for each of them.
      atOnce: aliases.length,
      others: [calling],
      more: { [VARIABLES.newVersions]: Stack.of(this).toJsonString(Object.fromEntries(versions)) },
    });
  }

  #add(name: string, { called, atOnce, others = [], more = {} }: SmokeFunction): PaymentFunction {
    const file = `rollout/${name}`;
    const { table, environment } = this.#props;
    const stack = Stack.of(this);
    const resourceName = smokeKeyNameOf(stack.stackName);
    const secret = stack.formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      // AWS adds six characters to a name.
      resourceName: `${resourceName}-??????`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const reading = new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret] });
    return new PaymentFunction(this, file, {
      called,
      role: new FunctionRole(this, `${called}-role`, {
        table,
        grants: grantsOf(file),
        talksToProvider: false,
        others: [reading, ...others],
      }),
      log: this.#log,
      environment: {
        ...environment,
        ...more,
        [VARIABLES.serviceName]: stack.stackName,
        [VARIABLES.smokeKey]: resourceName,
      },
      timeoutSeconds: TIMEOUT_SECONDS,
      reservedConcurrency: atOnce,
    });
  }
}
