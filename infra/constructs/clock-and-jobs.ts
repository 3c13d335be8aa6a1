import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, type LambdaFunctionProps, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { BASE_URL_VARIABLE } from '../../shared/contract/base-url.ts';
import {
  BUS_NAME_VARIABLE,
  JOB_RUNNER_TIMEOUT_SECONDS,
  LIVE_JOBS_DUE,
  RECEIVER_DUE,
  TICK_MINUTES,
  WAKING_KINDS,
  WORLD_DUE,
} from '../../shared/contract/bus.ts';
import { STACK_VARIABLE } from '../../shared/telemetry/metrics.ts';
import { grantsOf, talksToProvider } from '../grants.ts';
import { FunctionLog, FunctionRole, type Keeping, PaymentFunction } from './payment-function.ts';

/** A query for each shard of the due index, at once, and a call for every ten worlds. */
const TICK_TIMEOUT_SECONDS = 20;
/** Long enough for people to come back from a holiday. */
const UNHANDLED_RETENTION = Duration.days(14);
/** What is older was found by the clock meanwhile: nothing may wait behind it. */
const STALE_AFTER = Duration.minutes(2 * TICK_MINUTES);
/** Few worlds in one invocation, for they share its time. */
const STREAM_BATCH_SIZE = 10;
/** Parallel batches for each shard of the stream (Lambda's limit), so that a busy world does not hold up the others. */
const STREAM_LANES = 10;
/** Retries for short failures. Longer ones are left to the clock, which starts due worlds again every minute. */
const STREAM_RETRIES = 3;

/**
 * How many of each worker may run at once in production: a runaway must not take the account's whole number (1,000, as
 * AWS sets it) from those that answer requests. The clock never needs more than one, and one that comes twice.
 * Test stages reserve nothing: a new account may run 10 functions at once in all, and then a reservation fails the
 * deployment.
 */
export const RESERVED = { 'clock-tick': 2, 'job-runner': 100, 'live-job-runner': 40, deliverer: 60 } as const;

/**
 * How many receivers that are slow or away the deliverer waits for at once: capped where it is fed, so that messages wait
 * in the queue and none is refused. Those who answer at once are asked by the job runner, and never wait here.
 */
export const RECEIVERS_AT_ONCE = 50;

/** What Lambda asks of a role that it reads a stream for. */
const STREAM_ACTIONS = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];

/** What the deliverer failed on so often is put aside. The clock announces the receiver again, each minute. */
const RECEIVES_MAX = 3;

/** What Lambda asks of a role that it reads a queue for. */
const QUEUE_ACTIONS = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];

interface ClockAndJobsProps extends Keeping {
  /** Where the API answers, and so the sinks that the runner delivers to. */
  readonly baseUrl: string;
  readonly table: Table;
}

interface Worker {
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  /** What it may do beyond its log, the table, and saying what it failed on. */
  readonly others: readonly PolicyStatement[];
}

/**
 * What happens without a request. The clock is the guarantee: every minute it puts one event on the bus for each world
 * with work. The table's stream only saves the wait for what is fresh, and may lose anything without harm.
 */
export class ClockAndJobs extends Construct {
  /** What the workers failed on. Its work is not lost: the jobs are in the table until they have run. */
  readonly unhandled: Queue;
  readonly clockTick: PaymentFunction;
  readonly jobRunner: PaymentFunction;
  readonly liveJobRunner: PaymentFunction;
  readonly deliverer: PaymentFunction;

  constructor(scope: Construct, id: string, props: ClockAndJobsProps) {
    super(scope, id);
    const { baseUrl, table, removalPolicy } = props;
    this.unhandled = this.#addQueue('Unhandled', removalPolicy, { retentionPeriod: UNHANDLED_RETENTION });
    const bus = new EventBus(this, 'Bus');
    const announcing = new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] });
    const tick = this.#addWorker('clock-tick', props, {
      timeoutSeconds: TICK_TIMEOUT_SECONDS,
      environment: { [BUS_NAME_VARIABLE]: bus.eventBusName },
      others: [announcing],
    });
    const streamArn = String(table.tableStreamArn);
    const runner = this.#addWorker('job-runner', props, {
      timeoutSeconds: JOB_RUNNER_TIMEOUT_SECONDS,
      environment: { [BASE_URL_VARIABLE]: baseUrl, [BUS_NAME_VARIABLE]: bus.eventBusName },
      others: [announcing, new PolicyStatement({ actions: STREAM_ACTIONS, resources: [streamArn] })],
    });
    const liveRunner = this.#addWorker('live-job-runner', props, {
      timeoutSeconds: JOB_RUNNER_TIMEOUT_SECONDS,
      environment: { [BASE_URL_VARIABLE]: baseUrl },
      others: [],
    });
    const due = this.#addQueue('ReceiversDue', removalPolicy, {
      retentionPeriod: STALE_AFTER,
      visibilityTimeout: Duration.seconds(JOB_RUNNER_TIMEOUT_SECONDS),
      deadLetterQueue: { queue: this.unhandled, maxReceiveCount: RECEIVES_MAX },
    });
    const deliverer = this.#addWorker('deliverer', props, {
      timeoutSeconds: JOB_RUNNER_TIMEOUT_SECONDS,
      environment: { [BASE_URL_VARIABLE]: baseUrl, [BUS_NAME_VARIABLE]: bus.eventBusName },
      others: [announcing, new PolicyStatement({ actions: QUEUE_ACTIONS, resources: [due.queueArn] })],
    });
    this.clockTick = tick;
    this.jobRunner = runner;
    this.liveJobRunner = liveRunner;
    this.deliverer = deliverer;

    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(TICK_MINUTES)),
      targets: [new LambdaFunction(tick, this.#delivery)],
    });
    for (const [rule, { source, detailType }, target] of [
      ['WorldDue', WORLD_DUE, new LambdaFunction(runner, this.#delivery)],
      ['LiveJobsDue', LIVE_JOBS_DUE, new LambdaFunction(liveRunner, this.#delivery)],
      ['ReceiverDue', RECEIVER_DUE, new SqsQueue(due, this.#delivery)],
    ] as const) {
      const eventPattern = { source: [source], detailType: [detailType] };
      new Rule(this, rule, { eventBus: bus, eventPattern, targets: [target] });
    }
    // What fails, or waits too long, is announced again by the clock.
    deliverer.addEventSourceMapping('Receivers', {
      eventSourceArn: due.queueArn,
      batchSize: 1,
      maxConcurrency: RECEIVERS_AT_ONCE,
    });
    // Not a DynamoEventSource, which would also grant a list of every stream of the account.
    runner.addEventSourceMapping('Fresh', {
      eventSourceArn: streamArn,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.or('INSERT', 'MODIFY'),
          dynamodb: { NewImage: { kind: { S: FilterRule.or(...WAKING_KINDS) } } },
        }),
      ],
      // Older records are left to the clock: read from the start, a day of them would first start every world's runner.
      startingPosition: StartingPosition.LATEST,
      batchSize: STREAM_BATCH_SIZE,
      maxBatchingWindow: Duration.seconds(0),
      parallelizationFactor: STREAM_LANES,
      maxRecordAge: STALE_AFTER,
      retryAttempts: STREAM_RETRIES,
      bisectBatchOnError: true,
      onFailure: this.#toUnhandled,
    });
  }

  #addQueue(id: string, removalPolicy: RemovalPolicy, more: QueueProps): Queue {
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy,
      ...more,
    });
  }

  #addWorker(
    name: keyof typeof RESERVED,
    { table, isProduction, removalPolicy }: ClockAndJobsProps,
    { timeoutSeconds, environment, others }: Worker,
  ): PaymentFunction {
    const path = `workers/${name}`;
    const reporting = new PolicyStatement({
      actions: ['sqs:SendMessage'],
      resources: [this.unhandled.queueArn],
    });
    const role = new FunctionRole(this, `${name}-role`, {
      log: new FunctionLog(this, `${name}-log`, { isProduction, removalPolicy }),
      table,
      grants: grantsOf(path),
      talksToProvider: talksToProvider(path),
      others: [reporting, ...others],
    });
    const worker = new PaymentFunction(this, path, {
      role,
      environment: { [STACK_VARIABLE]: Stack.of(this).stackName, ...environment },
      timeoutSeconds,
      reservedConcurrency: isProduction ? RESERVED[name] : undefined,
    });
    worker.configureAsyncInvoke({
      // The next tick asks for the same again, and sooner than Lambda would.
      retryAttempts: 0,
      maxEventAge: Duration.minutes(TICK_MINUTES),
      onFailure: this.#toUnhandled,
    });
    return worker;
  }

  /** What a rule does that cannot reach its worker: no longer than until the next tick says the same. */
  get #delivery(): LambdaFunctionProps {
    return { maxEventAge: Duration.minutes(TICK_MINUTES), deadLetterQueue: this.unhandled };
  }

  /** Not CDK's own destinations, which would also grant a look at the queue's attributes. */
  get #toUnhandled() {
    return { bind: () => ({ destination: this.unhandled.queueArn }) };
  }
}
