import { runQuietly } from './run-quietly.ts';

/** @throws Error where the command that lists stages misses one */
export async function expectListed(names: readonly string[]): Promise<void> {
  const listed = JSON.parse(await runQuietly('node', ['infra/pg/pg.ts', 'admin', 'stages', '--json'])) as {
    stage: string;
  }[];
  const missing = names.filter((name) => !listed.some(({ stage }) => stage === name));
  if (missing.length > 0) {
    throw new Error(`not listed: ${missing.join(', ')}`);
  }
}
