import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { bootstrapQualifierOf } from '../aws/stage.ts';
import { explain, findStack } from './cloud.ts';
import { runCdk } from './run-cdk.ts';

/** The stack that "cdk bootstrap" creates in an account and region by default. */
const BOOTSTRAP_STACK = 'CDKToolkit';

interface Bootstrap {
  readonly stackName: string;
  /** What names it, beyond CDK's defaults. */
  readonly own: readonly string[];
}

function bootstrapOf(stage: string): Bootstrap {
  const qualifier = bootstrapQualifierOf(stage);
  if (qualifier === null) {
    return { stackName: BOOTSTRAP_STACK, own: [] };
  }
  const stackName = `${BOOTSTRAP_STACK}-${qualifier}`;
  return { stackName, own: ['--qualifier', qualifier, '--toolkit-stack-name', stackName] };
}

async function isBootstrapped({ stackName }: Bootstrap): Promise<boolean> {
  return (await findStack(process.env.CDK_TOOLKIT_STACK ?? stackName)) !== null;
}

/** @throws Error that says how an account is bootstrapped, where it is not */
export async function requireBootstrap(stage: string): Promise<void> {
  const bootstrap = bootstrapOf(stage);
  if (!(await isBootstrapped(bootstrap))) {
    const command = ['npx cdk bootstrap aws://ACCOUNT/REGION', ...bootstrap.own].join(' ');
    throw new Error(`This account and region are not bootstrapped for CDK: run "${command}" once.`);
  }
}

/** Bootstraps an account that costs nothing, as one of a target that stands in for AWS, unless it is. */
export async function ensureBootstrap(stage: string): Promise<void> {
  const bootstrap = bootstrapOf(stage);
  if (!(await isBootstrapped(bootstrap))) {
    const { Account } = await new STSClient().send(new GetCallerIdentityCommand()).catch((error) => {
      throw explain(error);
    });
    const place = `aws://${Account}/${process.env.AWS_REGION}`;
    await runCdk(['bootstrap', place, ...bootstrap.own], 'The bootstrap of the account');
  }
}
