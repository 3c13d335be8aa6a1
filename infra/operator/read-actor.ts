import { localUser } from '../machine/local-user.ts';
import type { Target } from './target.ts';

/** The actor for the audit log: the caller's ARN on a deployed stack, else the user of this machine. */
export async function readActor({ stack }: Pick<Target, 'stack'>): Promise<string> {
  return stack === undefined ? localUser() : callerArn();
}

async function callerArn(): Promise<string> {
  // Loaded here, since the local service does not need it.
  const [{ GetCallerIdentityCommand, STSClient }, { explain }] = await Promise.all([
    import('@aws-sdk/client-sts'),
    import('./cloud.ts'),
  ]);
  const { Arn } = await new STSClient().send(new GetCallerIdentityCommand()).catch((error) => {
    throw explain(error);
  });
  if (Arn === undefined) {
    throw new Error('AWS did not identify these credentials. Nothing was done.');
  }
  return Arn;
}
