import { App, CliCredentialsStackSynthesizer, DefaultStackSynthesizer, type StackProps } from 'aws-cdk-lib';
import { readAppSettings } from './app-settings.ts';
import { checkSecurity } from './check-security.ts';
import { GatewayLogsStack } from './gateway-logs-stack.ts';
import { PaymentStack } from './payment-stack.ts';
import { bootstrapQualifierOf, isProduction, STAGE_TAG, stackNameOf } from './stage.ts';

/*
 * One stack per stage: `npm run synth -- -c stage=my-branch`, or STAGE=my-branch. Account and region come from the
 * deployer's credentials. `-c baseUrl=https://pay.example.com` sets the public address, if it is not API Gateway's.
 * `-c alarmEmail=` or ALARM_EMAIL sets who gets alarms. `-c alarms=on` (or `off`) decides about them: without it, only
 * production has them, and a stage whose alarms somebody gets. `-c testKit=on` (or `off`) or TEST_KIT decides about the test
 * kit: without it, production has none and every other stage has it. `-c gateway=stand-in` (or `aws`) says whose gateway
 * it gets: see `shared/contract/stand-in-gateway.ts`. `-c traces=xray` (or `otlp`, `off`) says who records its traces:
 * without it, X-Ray those of production, and nobody those of another stage. `-c rollout=at-once` deploys a repair of
 * production at once: see `constructs/canary.ts`. `-c table=` or CHOSEN_TABLE names a restored table, and `-c workers=off`
 * (or `on`) or WORKERS pauses the stage: see `infra/restore.md`. `-c credentials=cli` deploys with the caller's own
 * credentials, if the roles of the bootstrap cannot be assumed. infra/README.md has a table of all.
 */

const app = new App();
const { stage, isByOwnCredentials, ...settings } = readAppSettings(app.node.getAllContext(), process.env);

function deployment(): StackProps {
  const qualifier = bootstrapQualifierOf(stage);
  const bootstrap = qualifier === null ? {} : { qualifier };
  const synthesizer = isByOwnCredentials
    ? new CliCredentialsStackSynthesizer(bootstrap)
    : new DefaultStackSynthesizer(bootstrap);
  return { synthesizer } as StackProps;
}

new GatewayLogsStack(app, { ...deployment(), ...(settings.boundary && { boundary: settings.boundary }) });
new PaymentStack(app, stackNameOf(stage), {
  ...deployment(),
  ...settings,
  isProduction: isProduction(stage),
  tags: { [STAGE_TAG]: stage },
});
checkSecurity(app);
