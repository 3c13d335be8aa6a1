import { runCommand } from '../support/tools/run-command.ts';
import { openStage } from './open-stage.ts';
import { runQuietly } from './run-quietly.ts';
import type { Stage } from './stage.ts';

/** A stage that one command has made, and what the command said to people. */
interface DeployedStage {
  readonly stage: Stage;
  readonly said: string;
}

/**
 * Makes the stage of a branch at a target, as somebody does who has no settings of AWS.
 * @param forCdk arguments that go on to CDK
 */
export async function deployStage(
  endpoint: string,
  branch: string,
  forCdk: readonly string[] = [],
): Promise<DeployedStage> {
  const args = ['admin', 'deploy', '--target', endpoint, '--branch', branch, '--json', '--', ...forCdk];
  const settings = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  const { stdout, stderr } = await runCommand('./pg', args, { env: Object.fromEntries(settings) });
  const { stage, key } = JSON.parse(stdout) as { readonly stage: string; readonly key: string };
  return { stage: await openStage(stage, key), said: stderr };
}

export function destroyStage(endpoint: string, name: string): Promise<string> {
  return runQuietly('./pg', ['admin', 'destroy', '--target', endpoint, '--stage', name, '--yes']);
}
