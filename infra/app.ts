import { App, CliCredentialsStackSynthesizer, type IStackSynthesizer } from 'aws-cdk-lib';
import { PaymentStack } from './payment-stack.ts';
import { isProduction, readStage, STAGE_TAG, stackNameOf } from './stage.ts';

/*
 * One stack per stage: `npm run synth -- -c stage=my-branch`, or STAGE=my-branch. Account and region are those of
 * whoever deploys it.
 */

const DEFAULT_STAGE = 'dev';

const app = new App();
const stage = readStage(String(app.node.tryGetContext('stage') || process.env.STAGE || DEFAULT_STAGE));
// Where the roles of the bootstrap cannot be taken on, one's own credentials do: `-c credentials=cli`.
const usesOwnCredentials = app.node.tryGetContext('credentials') === 'cli';
new PaymentStack(app, stackNameOf(stage), {
  isProduction: isProduction(stage),
  tags: { [STAGE_TAG]: stage },
  ...(usesOwnCredentials && { synthesizer: new CliCredentialsStackSynthesizer() as IStackSynthesizer }),
});
