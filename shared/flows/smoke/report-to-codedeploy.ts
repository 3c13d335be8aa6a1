import {
  type CodeDeployClient,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy';
import { describeError, log } from '../../telemetry/log.ts';

/** What CodeDeploy sends to a hook. It does not say of which function. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** Tells CodeDeploy how a check ended. Without a word it would wait for an hour. */
export async function reportToCodeDeploy(
  codeDeploy: Pick<CodeDeployClient, 'send'>,
  { DeploymentId, LifecycleEventHookExecutionId }: HookEvent,
  check: () => Promise<void>,
): Promise<void> {
  const status = await check().then(
    () => 'Succeeded' as const,
    (error) => {
      log.error('the new versions are refused', { error: describeError(error) });
      return 'Failed' as const;
    },
  );
  await codeDeploy.send(
    new PutLifecycleEventHookExecutionStatusCommand({
      deploymentId: DeploymentId,
      lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
      status,
    }),
  );
}
