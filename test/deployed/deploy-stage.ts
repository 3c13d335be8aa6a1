import { runQuietly } from './run-quietly.ts';

/** @param forCdk arguments that go on to CDK */
export function deployStage(name: string, forCdk: readonly string[]): Promise<string> {
  return runQuietly('./pg', ['admin', 'deploy', '--stage', name, '--', ...forCdk]);
}

export function destroyStage(name: string): Promise<string> {
  return runQuietly('./pg', ['admin', 'destroy', '--stage', name, '--yes']);
}
