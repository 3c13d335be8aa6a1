import { Annotations, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { operations } from '../../../shared/contract/operations.ts';
import { INDEXES } from '../../../shared/store/table/table.ts';
import { COUNTED_LINES } from '../../../shared/telemetry/counted-lines.ts';
import {
  MERCHANT_DIMENSION,
  METRICS_NAMESPACE,
  type MetricName,
  STACK_DIMENSION,
} from '../../../shared/telemetry/metrics.ts';
import type { ClockAndJobs } from './clock-and-jobs.ts';
import type { PaymentApi } from './payment-api.ts';
import type { PaymentFunction } from './payment-function.ts';

/** The filters of the access log, by the name of the metric. */
const COUNTED = {
  /**
   * Leaves out responses of sinks, whose status a test chooses, unless the gateway itself has failed. In a line, `-`
   * means that there is no value.
   */
  ApiFailed: `{ ($.status = "5*") && (($.resource != "${operations.receiveAtSink.path}") || ($.error_type != "-")) }`,
  ApiThrottled: '{ $.status = "429" }',
  ApiRefused: '{ ($.status = "401") || ($.status = "403") }',
} as const;

/** The filters of the logs of functions that call providers, by the name of the metric. @internal */
export const COUNTED_OF_PROVIDERS = {
  ...(Object.fromEntries(
    Object.entries(COUNTED_LINES).map(([name, message]) => [name, `{ $.message = "${message}" }`]),
  ) as Record<keyof typeof COUNTED_LINES, string>),
  ProviderSecretsRefused: `{ ($.message = "${COUNTED_LINES.ProviderOutcomeUnknown}") && ($.why = "credentials") }`,
} as const;
type CountedName = keyof typeof COUNTED | keyof typeof COUNTED_OF_PROVIDERS;

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

interface MonitoredParts {
  readonly stackName: string;
  readonly api: PaymentApi;
  readonly table: ITable;
  readonly workers: ClockAndJobs;
}

/** Whom an alarm tells, and when they look at it: a topic each. */
const URGENCIES = {
  page: { topic: 'Alarms', output: 'AlarmTopicArn', says: 'It wakes the person on call, since' },
  ticket: { topic: 'Tickets', output: 'TicketTopicArn', says: 'It wakes nobody and is a ticket, since' },
} as const;
type Urgency = keyof typeof URGENCIES;

interface AlarmRow {
  /** What has happened, for the person on call. */
  readonly meaning: string;
  readonly urgency: Urgency;
  /** Why it is so urgent, or can wait: the end of a sentence. */
  readonly why: string;
  readonly metric: (watched: MonitoredParts) => Metric;
  /** The alarm rings if the metric is above this, in its own unit, for `periods` consecutive periods. */
  readonly above: number;
  readonly periods: number;
  /** How the alarm treats missing data: mostly as no error. */
  readonly missingData?: TreatMissingData;
}

/** Each alarm uses one metric, without metric math, so that any CloudFormation can deploy it. */
const ALARMS = {
  'api-failing': {
    meaning:
      'More than 5 requests within 5 minutes got a 5xx response, other than from sinks that are scripted to fail.',
    urgency: 'page',
    why: 'requests of merchants and payers fail now.',
    metric: ({ stackName }) => ownMetric(stackName, 'ApiFailed', FIVE_MINUTES, Stats.SUM),
    above: 5,
    periods: 1,
  },
  'api-slow': {
    meaning: 'For 15 minutes, one request in a hundred has taken longer than 3 seconds.',
    urgency: 'page',
    why: 'payers wait, and programs of merchants give up.',
    metric: ({ api }) => api.gateway.metricLatency({ period: FIVE_MINUTES, statistic: Stats.p(99) }),
    above: 3_000,
    periods: 3,
  },
  'api-throttled': {
    meaning: 'More than 100 requests within 5 minutes got 429: a client exceeds the limit of the stage.',
    urgency: 'ticket',
    why: 'other callers are served, and a talk with one of them can wait.',
    metric: ({ stackName }) => ownMetric(stackName, 'ApiThrottled', FIVE_MINUTES, Stats.SUM),
    above: 100,
    periods: 1,
  },
  'api-refused': {
    meaning:
      'More than 300 requests within 5 minutes got 401 or 403: a client tries keys, or a merchant uses one that has ended.',
    urgency: 'ticket',
    why: 'keys cannot be guessed, and the firewall slows the caller down.',
    metric: ({ stackName }) => ownMetric(stackName, 'ApiRefused', FIVE_MINUTES, Stats.SUM),
    above: 300,
    periods: 1,
  },
  'clock-failing': {
    meaning: 'Two ticks of the clock within 5 minutes have failed: jobs that are due may not be found.',
    urgency: 'page',
    why: 'payments do not expire, and webhooks are late, until it ticks again.',
    metric: ({ workers }) => workers.clockTick.metricErrors({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 1,
    periods: 1,
  },
  'runner-failing': {
    meaning:
      'More than 5 runs of the job runner within 5 minutes have failed. The clock calls it again every minute.',
    urgency: 'ticket',
    why: 'it works for test worlds alone, and nothing is lost.',
    metric: ({ workers }) => workers.jobRunner.metricErrors({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 5,
    periods: 1,
  },
  'live-dispatcher-failing': {
    meaning:
      'More than 5 runs of the live dispatcher within 5 minutes have failed. The clock calls it again every minute.',
    urgency: 'page',
    why: 'live merchants do not hear of their payments.',
    metric: ({ workers }) =>
      workers.liveDispatcher.metricErrors({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 5,
    periods: 1,
  },
  'live-runner-failing': {
    meaning:
      'More than 5 runs of the live job runner have failed within 5 minutes. Errors of providers do not count: their calls are repeated.',
    urgency: 'page',
    why: 'live payments do not expire and refunds are not sent.',
    metric: ({ workers }) =>
      workers.liveJobRunner.metricErrors({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 5,
    periods: 1,
  },
  'deliverer-failing': {
    meaning:
      'More than 5 runs of the deliverer within 5 minutes have failed: not receivers, which may fail as they like.',
    urgency: 'ticket',
    why: 'it works for test worlds alone, and nothing is lost.',
    metric: ({ workers }) => workers.deliverer.metricErrors({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 5,
    periods: 1,
  },
  'live-deliverer-failing': {
    meaning:
      'More than 5 runs of the live deliverer within 5 minutes have failed: not receivers, which may fail as they like.',
    urgency: 'ticket',
    why: 'only receivers that were away already get their events later.',
    metric: ({ workers }) =>
      workers.liveDeliverer.metricErrors({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 5,
    periods: 1,
  },
  'clock-throttled': {
    meaning: 'Lambda had no room for the clock.',
    urgency: 'page',
    why: 'the account is full, and what is next to fail are requests.',
    metric: ({ workers }) =>
      workers.clockTick.metricThrottles({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 0,
    periods: 1,
  },
  'runner-throttled': {
    meaning: 'For 10 minutes Lambda has had no room for every run of the job runner.',
    urgency: 'ticket',
    why: 'it works for test worlds alone, and nothing is lost.',
    metric: ({ workers }) =>
      workers.jobRunner.metricThrottles({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 0,
    periods: 2,
  },
  'live-dispatcher-throttled': {
    meaning: 'For 10 minutes Lambda has had no room for every run of the live dispatcher.',
    urgency: 'page',
    why: 'live merchants hear late of their payments.',
    metric: ({ workers }) =>
      workers.liveDispatcher.metricThrottles({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 0,
    periods: 2,
  },
  'live-runner-throttled': {
    meaning: 'For 10 minutes Lambda has had no room for every run of the live job runner.',
    urgency: 'page',
    why: 'live payments expire late and refunds are sent late.',
    metric: ({ workers }) =>
      workers.liveJobRunner.metricThrottles({ period: FIVE_MINUTES, statistic: Stats.SUM }),
    above: 0,
    periods: 2,
  },
  'jobs-late': {
    meaning: 'A job has been due for more than 5 minutes, or the clock no longer reports how late jobs are.',
    urgency: 'page',
    why: 'payments expire late, webhooks are late, or nobody knows whether they are.',
    metric: ({ stackName }) => ownMetric(stackName, 'OldestDueJobAge', MINUTE, Stats.MAXIMUM),
    above: 300,
    periods: 5,
    // The clock reports this metric every minute, even if nothing is late.
    missingData: TreatMissingData.BREACHING,
  },
  'jobs-parked': {
    meaning: 'A job has failed five times and was put aside. It does not run again by itself.',
    urgency: 'ticket',
    why: 'its merchant has to be asked what is missing, in the daytime.',
    metric: ({ stackName }) => ownMetric(stackName, 'JobsParked', FIVE_MINUTES, Stats.SUM),
    above: 0,
    periods: 1,
  },
  'deliveries-exhausted': {
    meaning: 'A receiver has refused an event eight times over a day. There are no more attempts.',
    urgency: 'ticket',
    why: 'its merchant has to be told, and the event can still be read.',
    metric: ({ stackName }) => ownMetric(stackName, 'DeliveriesExhausted', FIVE_MINUTES, Stats.SUM),
    above: 0,
    periods: 1,
  },
  'provider-failing': {
    meaning:
      'More than 5 times within 5 minutes, providers of live payments gave no clear result. Jobs repeat the calls until they do.',
    urgency: 'page',
    why: 'payers cannot pay as long as this lasts.',
    metric: ({ stackName }) => ownMetric(stackName, 'ProviderOutcomeUnknown', FIVE_MINUTES, Stats.SUM),
    above: 5,
    periods: 1,
  },
  'provider-refusing-secrets': {
    meaning:
      'A provider does not take the secrets of a merchant, whose live payments stand still until it is given others.',
    urgency: 'page',
    why: 'no payer of this merchant can pay until somebody acts.',
    metric: ({ stackName }) => ownMetric(stackName, 'ProviderSecretsRefused', FIVE_MINUTES, Stats.SUM),
    above: 0,
    periods: 1,
  },
  'outcomes-unknown': {
    meaning: 'What became of a live payment or refund has not been known for more than 15 minutes.',
    urgency: 'ticket',
    why: 'jobs go on asking, and nobody may pay or refund by hand before they know.',
    metric: ({ stackName }) => ownMetric(stackName, 'OutcomeLongUnknown', FIVE_MINUTES, Stats.SUM),
    above: 0,
    periods: 1,
  },
  'notifications-unmatched': {
    meaning: 'A provider sent a notification about a payment or refund that is not stored here.',
    urgency: 'ticket',
    why: 'somebody has to look it up at the provider, and nothing gets worse meanwhile.',
    metric: ({ stackName }) => ownMetric(stackName, 'NotificationUnmatched', FIVE_MINUTES, Stats.SUM),
    above: 0,
    periods: 1,
  },
  'amounts-mismatched': {
    meaning: 'A live payment was paid with another amount than the requested one, and is held.',
    urgency: 'ticket',
    why: 'the money is held, and its merchant decides with the payer.',
    metric: ({ stackName }) => ownMetric(stackName, 'AmountMismatched', FIVE_MINUTES, Stats.SUM),
    above: 0,
    periods: 1,
  },
  'provider-contradicting': {
    meaning:
      'A provider reports a state of a live payment or refund that its status does not allow: money may be lost.',
    urgency: 'page',
    why: 'money may be lost, and each hour makes it harder to get back.',
    metric: ({ stackName }) => ownMetric(stackName, 'ProviderContradicted', FIVE_MINUTES, Stats.SUM),
    above: 0,
    periods: 1,
  },
  'work-unhandled': {
    meaning: 'The queue of what the workers failed on is not empty.',
    urgency: 'ticket',
    why: 'the jobs are in the table and run by themselves.',
    metric: ({ workers }) =>
      workers.unhandled.metricApproximateNumberOfMessagesVisible({
        period: FIVE_MINUTES,
        statistic: Stats.MAXIMUM,
      }),
    above: 0,
    periods: 1,
  },
  'table-reads-throttled': {
    meaning: 'For 10 minutes the table has refused reads: a partition is at its limit.',
    urgency: 'page',
    why: 'requests of at least one merchant fail or wait.',
    metric: ({ table }) => tableMetric(table, 'ReadThrottleEvents'),
    above: 0,
    periods: 2,
  },
  'table-writes-throttled': {
    meaning: 'For 10 minutes the table has refused writes: a partition is at its limit.',
    urgency: 'page',
    why: 'requests of at least one merchant fail or wait.',
    metric: ({ table }) => tableMetric(table, 'WriteThrottleEvents'),
    above: 0,
    periods: 2,
  },
} as const satisfies Record<string, AlarmRow>;

/** What tells of harm by new code. The API cannot wait for an alarm of workers, since they wait for its address. */
const OF_NEW_CODE = {
  api: ['api-failing', 'jobs-late'],
  workers: [
    ...(['api-failing', 'jobs-late', 'clock-failing', 'runner-failing', 'live-runner-failing'] as const),
    ...(['live-dispatcher-failing', 'deliverer-failing', 'live-deliverer-failing'] as const),
  ],
} as const satisfies Record<string, readonly (keyof typeof ALARMS)[]>;

const INDEX_NAMES = Object.keys(INDEXES);

/** One graph for each row: its title and its metrics. */
const GRAPHS: readonly (readonly [title: string, metrics: (watched: MonitoredParts) => Metric[]])[] = [
  ['Requests', ({ api }) => [api.gateway.metricCount()]],
  [
    'Refused and failed requests',
    ({ api, stackName }) => [
      api.gateway.metricClientError(),
      api.gateway.metricServerError(),
      ...(Object.keys(COUNTED) as (keyof typeof COUNTED)[]).map((name) =>
        ownMetric(stackName, name, FIVE_MINUTES, Stats.SUM),
      ),
    ],
  ],
  [
    'Latency',
    ({ api }) =>
      [50, 90, 99].map((share) =>
        api.gateway.metricLatency({ statistic: Stats.p(share), label: `p${share}` }),
      ),
  ],
  ['Oldest due job', ({ stackName }) => [ownMetric(stackName, 'OldestDueJobAge', MINUTE, Stats.MAXIMUM)]],
  ['Worlds with work', ({ stackName }) => [ownMetric(stackName, 'DueWorlds', MINUTE, Stats.MAXIMUM)]],
  [
    'Jobs and deliveries',
    ({ stackName }) =>
      (['JobsRun', 'JobsParked', 'DeliveriesExhausted'] as const).map((name) =>
        ownMetric(stackName, name, FIVE_MINUTES, Stats.SUM),
      ),
  ],
  ...(
    [
      ['Providers: no clear response', ['ProviderOutcomeUnknown', 'ProviderSecretsRefused']],
      ['Providers: unknown for long', ['OutcomeLongUnknown']],
      ['Providers: to be looked at', ['NotificationUnmatched', 'AmountMismatched', 'ProviderContradicted']],
    ] as const
  ).map(([title, names]): (typeof GRAPHS)[number] => [
    title,
    ({ stackName }) => names.map((name) => ownMetric(stackName, name, FIVE_MINUTES, Stats.SUM)),
  ]),
  ...(['metricErrors', 'metricThrottles', 'metricDuration'] as const).map(
    (metric): (typeof GRAPHS)[number] => [
      `Workers: ${metric.replace('metric', '').toLowerCase()}`,
      ({ workers }) => [
        workers.clockTick[metric]({ label: 'clock-tick' }),
        workers.jobRunner[metric]({ label: 'job-runner' }),
        workers.liveDispatcher[metric]({ label: 'live-dispatcher' }),
        workers.liveJobRunner[metric]({ label: 'live-job-runner' }),
        workers.deliverer[metric]({ label: 'deliverer' }),
        workers.liveDeliverer[metric]({ label: 'live-deliverer' }),
      ],
    ],
  ),
  [
    'Throttled by the table and its indexes',
    ({ table }) =>
      (['ReadThrottleEvents', 'WriteThrottleEvents'] as const).flatMap((name) => [
        tableMetric(table, name),
        ...INDEX_NAMES.map((index) => tableMetric(table, name, index)),
      ]),
  ],
  ['Unhandled work', ({ workers }) => [workers.unhandled.metricApproximateNumberOfMessagesVisible()]],
];

const GRAPHS_IN_A_ROW = 3;
const DASHBOARD_COLUMNS = 24;

interface ObservabilityProps extends Omit<MonitoredParts, 'stackName'> {
  readonly isProduction: boolean;
  /** Takes smoke payments, where there are some. */
  readonly smoke: PaymentFunction | undefined;
  /** The email address that gets alarms. Others can subscribe to the topics. */
  readonly alarmEmail: string | undefined;
  /** The email address that gets those that can wait: without it, the one above. */
  readonly ticketEmail?: string | undefined;
}

/** The observability of the service: alarms, the topics that they publish to, and a dashboard. */
export class Observability extends Construct {
  readonly #topics: Readonly<Record<Urgency, Topic>>;
  readonly #alarms = new Map<string, Alarm>();

  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);
    const { isProduction, smoke, alarmEmail, ticketEmail = alarmEmail, ...parts } = props;
    const { stackName } = Stack.of(this);
    const watched = { ...parts, stackName };
    const { accessLog, functionLog } = parts.api;
    this.#count(COUNTED, accessLog);
    this.#count(COUNTED_OF_PROVIDERS, functionLog, ' in the API');
    this.#count(COUNTED_OF_PROVIDERS, parts.workers.liveJobRunner.logGroup, ' in jobs');

    this.#topics = {
      page: this.#addTopic('page', alarmEmail),
      ticket: this.#addTopic('ticket', ticketEmail),
    };
    if (alarmEmail === undefined && isProduction) {
      Annotations.of(this).addWarningV2(
        'payments:no-alarm-recipient',
        'Alarms of production have no recipient: name an email address with -c alarmEmail=… or ALARM_EMAIL, or subscribe to the topics AlarmTopicArn and TicketTopicArn.',
      );
    }
    const rows: [string, AlarmRow][] = Object.entries(ALARMS);
    for (const [name, row] of rows) {
      this.#ring(name, name, row, row.metric(watched));
    }
    if (smoke !== undefined) {
      this.#ringForSmoke(smoke);
    }
    if (isProduction) {
      this.#ringForEachMerchant(functionLog);
    }

    const width = DASHBOARD_COLUMNS / GRAPHS_IN_A_ROW;
    const widgets = GRAPHS.map(
      ([title, metrics]) => new GraphWidget({ title, left: metrics(watched), width }),
    );
    const dashboard = new Dashboard(this, 'Dashboard', { dashboardName: stackName });
    for (let from = 0; from < widgets.length; from += GRAPHS_IN_A_ROW) {
      dashboard.addWidgets(...widgets.slice(from, from + GRAPHS_IN_A_ROW));
    }
  }

  /** The alarms that take new versions of a part back. */
  ofNewCode(part: keyof typeof OF_NEW_CODE): readonly Alarm[] {
    return OF_NEW_CODE[part].flatMap((name) => this.#alarms.get(name) ?? []);
  }

  /** @param runbook the runbook entry for this alarm */
  #ring(
    name: string,
    runbook: string,
    { meaning, urgency, why, above, periods, missingData }: Omit<AlarmRow, 'metric'>,
    metric: IMetric,
  ): void {
    const alarm = new Alarm(this, name, {
      alarmName: `${Stack.of(this).stackName}-${name}`,
      alarmDescription: `${meaning} ${URGENCIES[urgency].says} ${why} See infra/README.md, runbook: ${runbook}`,
      metric,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: above,
      evaluationPeriods: periods,
      treatMissingData: missingData ?? TreatMissingData.NOT_BREACHING,
    });
    this.#alarms.set(name, alarm);
    const action = new SnsAction(this.#topics[urgency]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }

  /** Silence rings, too: a smoke payment that is never taken tells nothing. */
  #ringForSmoke(smoke: PaymentFunction): void {
    const row = {
      meaning:
        'Two smoke payments in a row have failed, or none was tried: merchants may have the same trouble.',
      urgency: 'page',
      why: 'since what it does is what merchants and payers do.',
      above: 0,
      periods: 2,
      missingData: TreatMissingData.BREACHING,
    } as const;
    const metric = smoke.metricErrors({ period: FIVE_MINUTES, statistic: Stats.SUM });
    this.#ring('smoke-failing', 'smoke-failing', row, metric);
  }

  /**
   * Counts unmatched notifications for each merchant, so that a merchant with constant ones does not hide another. An
   * alarm cannot use `SEARCH`, but it can use a query, in which each merchant is a contributor with its own state. Only
   * in production, since not every deployment target supports queries. A merchant without such notifications is free.
   */
  #ringForEachMerchant(logGroup: ILogGroup): void {
    const { stackName } = Stack.of(this);
    const metricName = 'NotificationUnmatchedOfMerchant';
    this.#count({ [metricName]: COUNTED_OF_PROVIDERS.NotificationUnmatched }, logGroup, '', {
      [MERCHANT_DIMENSION]: `$.${MERCHANT_DIMENSION}`,
    });
    const expression = [
      `SELECT SUM(${metricName})`,
      `FROM SCHEMA("${METRICS_NAMESPACE}", ${MERCHANT_DIMENSION}, ${STACK_DIMENSION})`,
      `WHERE ${STACK_DIMENSION} = '${stackName}'`,
      `GROUP BY ${MERCHANT_DIMENSION} ORDER BY SUM() DESC`,
    ].join(' ');
    this.#ring(
      'notifications-unmatched-of-merchant',
      'notifications-unmatched',
      {
        meaning:
          'A provider sent a notification about a payment or refund of this merchant that is not stored here.',
        urgency: ALARMS['notifications-unmatched'].urgency,
        why: ALARMS['notifications-unmatched'].why,
        above: 0,
        periods: 1,
      },
      new MathExpression({ expression, period: FIVE_MINUTES }),
    );
  }

  /** @param suffix distinguishes filters that count the same lines in different logs */
  #count(
    counted: Readonly<Record<string, string>>,
    logGroup: ILogGroup,
    suffix = '',
    moreDimensions: Readonly<Record<string, string>> = {},
  ): void {
    for (const [metricName, pattern] of Object.entries(counted)) {
      new MetricFilter(this, `${metricName}${suffix}`, {
        logGroup,
        filterPattern: FilterPattern.literal(pattern),
        metricNamespace: METRICS_NAMESPACE,
        metricName,
        metricValue: '1',
        dimensions: { [STACK_DIMENSION]: `$.${STACK_DIMENSION}`, ...moreDimensions },
      });
    }
  }

  /** Without an encryption key: an alarm contains only its name and a number, and a key would outlive a test stage. */
  #addTopic(urgency: Urgency, email: string | undefined): Topic {
    const { partition, region, account, stackName } = Stack.of(this);
    const { topic: id, output } = URGENCIES[urgency];
    const topic = new Topic(this, id, { enforceSSL: true });
    // A custom policy replaces the default one, which allows the account's alarms to publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnLike: {
            'aws:SourceArn': `arn:${partition}:cloudwatch:${region}:${account}:alarm:${stackName}-*`,
          },
        },
      }),
    );
    new CfnOutput(Stack.of(this), output, { value: topic.topicArn });
    if (email !== undefined) {
      topic.addSubscription(new EmailSubscription(email));
    }
    return topic;
  }
}

/** A metric of the workers, or of a log, as this stack reports it. */
function ownMetric(
  stackName: string,
  metricName: MetricName | CountedName,
  period: Duration,
  statistic: string,
): Metric {
  const dimensionsMap = { [STACK_DIMENSION]: stackName };
  return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, period, statistic });
}

function tableMetric(table: ITable, name: string, index?: string): Metric {
  const dimensionsMap = {
    TableName: table.tableName,
    ...(index !== undefined && { GlobalSecondaryIndexName: index }),
  };
  return table.metric(name, { dimensionsMap, period: FIVE_MINUTES, statistic: Stats.SUM });
}
