import { App } from 'aws-cdk-lib';
import { PaymentStack } from './payment-stack.ts';

/*
 * One stack per stage: `npm run synth -- -c stage=my-branch`, or STAGE=my-branch. Account and region are those of
 * whoever deploys it.
 */

const DEFAULT_STAGE = 'dev';
/** Their data must outlive a mistake. Every other stage is for tests, and leaves nothing behind. */
const PRODUCTION_STAGES = new Set(['production', 'prod']);

const app = new App();
const stage = String(app.node.tryGetContext('stage') || process.env.STAGE || DEFAULT_STAGE);
new PaymentStack(app, `payments-${stage}`, { isProduction: PRODUCTION_STAGES.has(stage) });
