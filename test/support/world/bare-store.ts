import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { memoryDisk, reachStore, startStore } from '../../../infra/local/store.ts';

/** A store alone: no server, no clock, no runner. Each test file has a table and calls the functions itself. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  Object.assign(process.env, {
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  // In a file, for the engine's stream is kept fast there.
  const dir = await mkdtemp(path.join(memoryDisk() ?? tmpdir(), 'payments-crash-'));
  const named = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const store = await (named === undefined ? startStore(path.join(dir, 'payments.db')) : reachStore(named));
  project.provide('service', {
    baseUrl: '',
    tableName: '',
    dynamodbEndpoint: store.endpoint,
    secretsFolder: path.join(dir, 'secrets'),
    key: '',
    dir,
  });
  return async () => {
    await store.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
