import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ClockAndJobs } from './constructs/clock-and-jobs.ts';
import { PaymentApi } from './constructs/payment-api.ts';
import { PaymentTable } from './constructs/payment-table.ts';

interface PaymentStackProps extends StackProps {
  /** Whether the stage holds what must not be lost. */
  readonly isProduction: boolean;
}

/** Everything that one stage of the service consists of. */
export class PaymentStack extends Stack {
  constructor(scope: Construct, id: string, { isProduction, ...props }: PaymentStackProps) {
    super(scope, id, { terminationProtection: isProduction, ...props });
    const removalPolicy = isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const table = new PaymentTable(this, 'Table', { isProtected: isProduction, removalPolicy });
    const api = new PaymentApi(this, 'Api', { table, removalPolicy });
    const { unhandled } = new ClockAndJobs(this, 'ClockAndJobs', { table, removalPolicy });

    new CfnOutput(this, 'ApiId', { value: api.restApiId });
    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'UnhandledQueueUrl', { value: unhandled.queueUrl });
  }
}
