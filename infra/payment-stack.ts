import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ClockAndJobs } from './constructs/clock-and-jobs.ts';
import { Observability } from './constructs/observability.ts';
import { PaymentApi } from './constructs/payment-api.ts';
import { PaymentTable } from './constructs/payment-table.ts';

interface PaymentStackProps extends StackProps {
  /** Whether the stage holds what must not be lost. */
  readonly isProduction: boolean;
  /** Where people reach it, if not where API Gateway puts it: see `base-url.ts`. */
  readonly baseUrl?: string;
}

/** Everything that one stage of the service consists of. */
export class PaymentStack extends Stack {
  readonly isProduction: boolean;

  constructor(scope: Construct, id: string, { isProduction, baseUrl, ...props }: PaymentStackProps) {
    super(scope, id, { terminationProtection: isProduction, ...props });
    this.isProduction = isProduction;
    const removalPolicy = isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const table = new PaymentTable(this, 'Table', { isProtected: isProduction, removalPolicy });
    const shared = { table, isProduction, removalPolicy };
    const api = new PaymentApi(this, 'Api', { ...shared, configuredUrl: baseUrl });
    const { clockTick, jobRunner, unhandled } = new ClockAndJobs(this, 'ClockAndJobs', {
      ...shared,
      baseUrl: api.baseUrl,
    });
    const { accessLog } = api;
    const watched = { api, accessLog, table, clockTick, jobRunner, unhandled };
    const { alarmTopic } = new Observability(this, 'Observability', watched);

    new CfnOutput(this, 'ApiId', { value: api.restApiId });
    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'AlarmTopicArn', { value: alarmTopic.topicArn });
    new CfnOutput(this, 'UnhandledQueueUrl', { value: unhandled.queueUrl });
  }
}
