import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, type LambdaFunctionProps, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  JOB_RUNNER_TIMEOUT_SECONDS,
  LIVE_JOBS_DUE,
  RECEIVER_DUE,
  TICK_MINUTES,
  WAKING_KINDS,
  WORLD_DUE,
} from '../../../shared/contract/bus.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { DUE_PREFIXES } from '../../../shared/store/table/keys.ts';
import { grantsOf, talksToProvider } from '../grants.ts';
import { LiveAlias } from './live-alias.ts';
import { FunctionLog, FunctionRole, type LogKeepingProps, PaymentFunction } from './payment-function.ts';

/** Enough for a query of each shard of the due index, concurrently, and a call for every ten worlds. */
const TICK_TIMEOUT_SECONDS = 20;
/** Long enough to cover a holiday. */
const UNHANDLED_RETENTION = Duration.days(14);
/** The clock has found older work again meanwhile, so these messages must not delay newer ones. */
const STALE_AFTER = Duration.minutes(2 * TICK_MINUTES);
/** Few worlds in one invocation, since they share its time. */
const STREAM_BATCH_SIZE = 10;
/** Parallel batches for each shard of the stream (Lambda's limit), so that a busy world does not delay the others. */
const STREAM_LANES = 10;
/** Retries for short failures. Longer ones are left to the clock, which starts due worlds again every minute. */
const STREAM_RETRIES = 3;

/**
 * How many of each worker may run at once in production, so that a runaway worker does not take the account's whole
 * concurrency (1,000 by default) from the API. The clock needs one, and another for an event that comes twice.
 * Test stages reserve nothing: a new account may run 10 functions at once in all, and then a reservation fails the
 * deployment.
 */
export const RESERVED = {
  'clock-tick': 2,
  'job-runner': 30,
  'live-dispatcher': 70,
  'live-job-runner': 40,
  deliverer: 25,
  'live-deliverer': 35,
} as const;

/**
 * How many slow or unreachable endpoints the deliverer of each mode waits for at once. The limit is at its event source, so
 * messages wait in the queue and none is refused. Endpoints that respond fast never wait here: the job runner and the live
 * dispatcher deliver to them.
 */
const RECEIVERS_AT_ONCE = { test: 20, live: 30 } as const;

/** The workers of live worlds have the code and the role of those of test worlds. */
const CODE_OF: Readonly<Record<string, string>> = {
  'live-dispatcher': 'job-runner',
  'live-deliverer': 'deliverer',
};

/** The permissions that Lambda needs to read a stream. */
const STREAM_ACTIONS = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];

/** A message is set aside after this many failures. The clock emits due work of its endpoint again each minute. */
const RECEIVES_MAX = 3;
/**
 * How long a message that a deliverer has received is hidden from others: AWS asks for six times the time-out of the
 * function, since Lambda may hold a message before it starts one.
 */
const HIDDEN_SECONDS = 6 * JOB_RUNNER_TIMEOUT_SECONDS;
/** A message must outlive all its receives: one that expires before is never set aside, and nobody hears of it. */
const DUE_RETENTION = Duration.seconds(2 * RECEIVES_MAX * HIDDEN_SECONDS);

/** The permissions that Lambda needs to read a queue. */
const QUEUE_ACTIONS = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];

interface ClockAndJobsProps extends LogKeepingProps {
  /** The base URL of the API, and so of the sinks that the runner delivers to. */
  readonly baseUrl: string;
  readonly table: ITable;
  /** Whether nothing runs by itself: no job, and no delivery. */
  readonly isPaused: boolean;
}

/** The queue of endpoints that wait for a deliverer. */
type QueueOfMode = Readonly<Record<keyof typeof RECEIVERS_AT_ONCE, Queue>>;

interface Worker {
  readonly role: FunctionRole;
  readonly timeoutSeconds?: number;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The work that happens without a request. The clock guarantees it: every minute it puts one event on the bus for each
 * world with work. The table's stream only starts new work sooner, and may lose records without harm.
 */
export class ClockAndJobs extends Construct {
  /** The events that workers failed on. No work is lost, since jobs stay in the table until they have run. */
  readonly unhandled: Queue;
  readonly clockTick: PaymentFunction;
  readonly jobRunner: PaymentFunction;
  readonly liveDispatcher: PaymentFunction;
  readonly liveJobRunner: PaymentFunction;
  readonly deliverer: PaymentFunction;
  readonly liveDeliverer: PaymentFunction;
  /** What events start in place of a worker: in production, its alias. */
  readonly #started = new Map<PaymentFunction, IFunction>();

  constructor(scope: Construct, id: string, props: ClockAndJobsProps) {
    super(scope, id);
    const { baseUrl, table, removalPolicy, isPaused } = props;
    this.unhandled = this.#addQueue('Unhandled', removalPolicy, { retentionPeriod: UNHANDLED_RETENTION });
    const bus = new EventBus(this, 'Bus');
    const mayPutEvents = new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] });
    const streamArn = String(table.tableStreamArn);
    const onBus = { [VARIABLES.baseUrl]: baseUrl, [VARIABLES.busName]: bus.eventBusName };
    const mayReadStream = new PolicyStatement({ actions: STREAM_ACTIONS, resources: [streamArn] });
    const addDue = (id: string) =>
      this.#addQueue(id, removalPolicy, {
        retentionPeriod: DUE_RETENTION,
        visibilityTimeout: Duration.seconds(HIDDEN_SECONDS),
        deadLetterQueue: { queue: this.unhandled, maxReceiveCount: RECEIVES_MAX },
      });
    const due = { test: addDue('ReceiversDue'), live: addDue('LiveReceiversDue') };
    const mayReadQueues = new PolicyStatement({
      actions: QUEUE_ACTIONS,
      resources: [due.test.queueArn, due.live.queueArn],
    });
    this.clockTick = this.#addWorker('clock-tick', props, {
      role: this.#addRole('clock-tick', table, [mayPutEvents]),
      timeoutSeconds: TICK_TIMEOUT_SECONDS,
      environment: { [VARIABLES.busName]: bus.eventBusName },
    });
    const running: Worker = {
      role: this.#addRole('job-runner', table, [mayPutEvents, mayReadStream]),
      environment: onBus,
    };
    this.jobRunner = this.#addWorker('job-runner', props, running);
    this.liveDispatcher = this.#addWorker('live-dispatcher', props, running);
    this.liveJobRunner = this.#addWorker('live-job-runner', props, {
      role: this.#addRole('live-job-runner', table, []),
      environment: { [VARIABLES.baseUrl]: baseUrl },
    });
    const delivering: Worker = {
      role: this.#addRole('deliverer', table, [mayPutEvents, mayReadQueues]),
      environment: onBus,
    };
    this.deliverer = this.#addWorker('deliverer', props, delivering);
    this.liveDeliverer = this.#addWorker('live-deliverer', props, delivering);
    this.#addRules(bus, due, isPaused);
    this.#addSources(streamArn, due, isPaused);
  }

  /** What starts workers, or waits for a deliverer: each event of the bus, and the clock's every minute. */
  #addRules(bus: EventBus, due: QueueOfMode, isPaused: boolean): void {
    new Rule(this, 'EveryMinute', {
      enabled: !isPaused,
      schedule: Schedule.rate(Duration.minutes(TICK_MINUTES)),
      targets: [new LambdaFunction(this.#startedOf(this.clockTick), this.#delivery)],
    });
    for (const [rule, { source, detailType }, target] of [
      ['WorldDue', WORLD_DUE.test, new LambdaFunction(this.#startedOf(this.jobRunner), this.#delivery)],
      [
        'LiveWorldDue',
        WORLD_DUE.live,
        new LambdaFunction(this.#startedOf(this.liveDispatcher), this.#delivery),
      ],
      ['LiveJobsDue', LIVE_JOBS_DUE, new LambdaFunction(this.#startedOf(this.liveJobRunner), this.#delivery)],
      ['ReceiverDue', RECEIVER_DUE.test, new SqsQueue(due.test, this.#delivery)],
      ['LiveReceiverDue', RECEIVER_DUE.live, new SqsQueue(due.live, this.#delivery)],
    ] as const) {
      const eventPattern = { source: [source], detailType: [detailType] };
      new Rule(this, rule, { enabled: !isPaused, eventBus: bus, eventPattern, targets: [target] });
    }
  }

  /** Each mode has functions, a queue and a place at the stream of its own: test worlds take no room of live ones. */
  #addSources(streamArn: string, due: QueueOfMode, isPaused: boolean): void {
    const paused = isPaused && { enabled: false };
    const runners = { test: this.jobRunner, live: this.liveDispatcher };
    const deliverers = { test: this.deliverer, live: this.liveDeliverer };
    for (const mode of ['test', 'live'] as const) {
      // The clock emits work again that fails or waits too long.
      this.#startedOf(deliverers[mode]).addEventSourceMapping('Receivers', {
        ...paused,
        eventSourceArn: due[mode].queueArn,
        batchSize: 1,
        maxConcurrency: RECEIVERS_AT_ONCE[mode],
      });
      // Not a DynamoEventSource, which would also grant a list of every stream of the account.
      this.#startedOf(runners[mode]).addEventSourceMapping('Fresh', {
        ...paused,
        eventSourceArn: streamArn,
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.or('INSERT', 'MODIFY'),
            dynamodb: {
              NewImage: {
                kind: { S: FilterRule.or(...WAKING_KINDS) },
                duePk: { S: FilterRule.beginsWith(DUE_PREFIXES[mode]) },
              },
            },
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
  }

  #addQueue(id: string, removalPolicy: RemovalPolicy, more: QueueProps): Queue {
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy,
      ...more,
    });
  }

  /** @param others its permissions beyond logs, the table, and the queue of failed events */
  #addRole(file: string, table: ITable, others: readonly PolicyStatement[]): FunctionRole {
    const reporting = new PolicyStatement({
      actions: ['sqs:SendMessage'],
      resources: [this.unhandled.queueArn],
    });
    const path = `workers/${file}`;
    return new FunctionRole(this, `${file}-role`, {
      table,
      grants: grantsOf(path),
      talksToProvider: talksToProvider(path),
      others: [reporting, ...others],
    });
  }

  #addWorker(
    name: keyof typeof RESERVED,
    { isProduction, removalPolicy }: ClockAndJobsProps,
    { role, timeoutSeconds = JOB_RUNNER_TIMEOUT_SECONDS, environment }: Worker,
  ): PaymentFunction {
    const worker = new PaymentFunction(this, `workers/${CODE_OF[name] ?? name}`, {
      called: name,
      role,
      log: new FunctionLog(this, `${name}-log`, { isProduction, removalPolicy }),
      environment: { [VARIABLES.serviceName]: Stack.of(this).stackName, ...environment },
      timeoutSeconds,
      reservedConcurrency: isProduction ? RESERVED[name] : undefined,
    });
    const started = isProduction ? (new LiveAlias(worker) as IFunction) : worker;
    this.#started.set(worker, started);
    started.configureAsyncInvoke({
      // The next tick does the same work again, sooner than Lambda would retry.
      retryAttempts: 0,
      maxEventAge: Duration.minutes(TICK_MINUTES),
      onFailure: this.#toUnhandled,
    });
    return worker;
  }

  #startedOf(worker: PaymentFunction): IFunction {
    return this.#started.get(worker) ?? worker;
  }

  /** How long a rule retries a worker that it cannot reach: until the next tick emits the same event. */
  get #delivery(): LambdaFunctionProps {
    return { maxEventAge: Duration.minutes(TICK_MINUTES), deadLetterQueue: this.unhandled };
  }

  /** Not CDK's own destinations, which would also grant a look at the queue's attributes. */
  get #toUnhandled() {
    return { bind: () => ({ destination: this.unhandled.queueArn }) };
  }
}
