import { runQuietly } from './run-quietly.ts';

/** @param forCdk arguments that go on to CDK */
export function deployStage(name: string, forCdk: readonly string[]): Promise<string> {
  return runQuietly('npm', ['run', 'deploy', '--', '--stage', name, '--', ...forCdk]);
}

export function destroyStage(name: string): Promise<string> {
  return runQuietly('npm', ['run', 'destroy', '--', '--stage', name, '--yes']);
}
