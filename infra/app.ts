import { App, CliCredentialsStackSynthesizer, type StackProps } from 'aws-cdk-lib';
import { readBaseUrl } from './base-url.ts';
import { checkSecurity } from './check-security.ts';
import { GatewayLogsStack } from './gateway-logs-stack.ts';
import { PaymentStack } from './payment-stack.ts';
import { isProduction, readStage, STAGE_TAG, stackNameOf } from './stage.ts';

/*
 * One stack per stage: `npm run synth -- -c stage=my-branch`, or STAGE=my-branch. Account and region are those of
 * whoever deploys it. `-c baseUrl=https://pay.example.com` says where people reach it, if not where API Gateway puts it.
 * whoever deploys it. `-c alarmEmail=` or ALARM_EMAIL says who is told of alarms.
 */

const DEFAULT_STAGE = 'dev';

const app = new App();
const baseUrl: string | undefined = app.node.tryGetContext('baseUrl');
const stage = readStage(String(app.node.tryGetContext('stage') || process.env.STAGE || DEFAULT_STAGE));

/** Where the roles of the bootstrap cannot be taken on, one's own credentials do: `-c credentials=cli`. */
function credentials(): StackProps {
  const isOwn = app.node.tryGetContext('credentials') === 'cli';
  return isOwn ? ({ synthesizer: new CliCredentialsStackSynthesizer() } as StackProps) : {};
}

new GatewayLogsStack(app, credentials());
new PaymentStack(app, stackNameOf(stage), {
  ...credentials(),
  isProduction: isProduction(stage),
  ...(baseUrl !== undefined && { baseUrl: readBaseUrl(baseUrl) }),
  alarmEmail: app.node.tryGetContext('alarmEmail') || process.env.ALARM_EMAIL || undefined,
  tags: { [STAGE_TAG]: stage },
});
checkSecurity(app);
