import { hostname, userInfo } from 'node:os';
import type { Target } from './target.ts';

/** Who does what the audit tells of: the caller's ARN on a deployed stack, else the user of this machine. */
export async function actorOf({ stack }: Pick<Target, 'stack'>): Promise<string> {
  return stack === undefined ? localUser() : callerArn();
}

async function callerArn(): Promise<string> {
  // Loaded here, for the local service needs nothing of it.
  const [{ GetCallerIdentityCommand, STSClient }, { explain }] = await Promise.all([
    import('@aws-sdk/client-sts'),
    import('./cloud.ts'),
  ]);
  const { Arn } = await new STSClient().send(new GetCallerIdentityCommand()).catch((error) => {
    throw explain(error);
  });
  if (Arn === undefined) {
    throw new Error('AWS does not say whose credentials these are: nothing was done.');
  }
  return Arn;
}

/** A user that the system has no name for is known by its number. */
function localUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid ${process.getuid?.()}@${hostname()}`;
  }
}
