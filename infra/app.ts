import { App, CliCredentialsStackSynthesizer, DefaultStackSynthesizer, type StackProps } from 'aws-cdk-lib';
import { TEST_KIT_VARIABLE } from '../shared/contract/operations.ts';
import { readBaseUrl } from './base-url.ts';
import { checkSecurity } from './check-security.ts';
import { GatewayLogsStack } from './gateway-logs-stack.ts';
import { PaymentStack } from './payment-stack.ts';
import { bootstrapQualifierOf, isProduction, readStage, STAGE_TAG, stackNameOf } from './stage.ts';

/*
 * One stack per stage: `npm run synth -- -c stage=my-branch`, or STAGE=my-branch. Account and region come from the
 * deployer's credentials. `-c baseUrl=https://pay.example.com` sets the public address, if it is not API Gateway's.
 * `-c alarmEmail=` or ALARM_EMAIL sets who gets alarms. `-c testKit=on` (or `off`) or TEST_KIT decides about the test
 * kit: without it, production has none and every other stage has it.
 */

const DEFAULT_STAGE = 'dev';

const app = new App();
const baseUrl: string | undefined = app.node.tryGetContext('baseUrl');
const stage = readStage(String(app.node.tryGetContext('stage') || process.env.STAGE || DEFAULT_STAGE));

const usual = isProduction(stage) ? 'off' : 'on';
const testKit = app.node.tryGetContext('testKit') || process.env[TEST_KIT_VARIABLE] || usual;
if (testKit !== 'on' && testKit !== 'off') {
  throw new Error(`The test kit is "on" or "off", not "${testKit}".`);
}

/** `-c credentials=cli` deploys with the caller's own credentials, if the roles of the bootstrap cannot be assumed. */
function deployment(): StackProps {
  const qualifier = bootstrapQualifierOf(stage);
  const bootstrap = qualifier === null ? {} : { qualifier };
  const isOwn = app.node.tryGetContext('credentials') === 'cli';
  const synthesizer = isOwn
    ? new CliCredentialsStackSynthesizer(bootstrap)
    : new DefaultStackSynthesizer(bootstrap);
  return { synthesizer } as StackProps;
}

new GatewayLogsStack(app, deployment());
new PaymentStack(app, stackNameOf(stage), {
  ...deployment(),
  isProduction: isProduction(stage),
  hasTestKit: testKit === 'on',
  ...(baseUrl !== undefined && { baseUrl: readBaseUrl(baseUrl) }),
  alarmEmail: app.node.tryGetContext('alarmEmail') || process.env.ALARM_EMAIL || undefined,
  tags: { [STAGE_TAG]: stage },
});
checkSecurity(app);
