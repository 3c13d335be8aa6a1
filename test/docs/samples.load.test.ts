import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { operationsIn } from '../../shared/docs/contents.ts';
import { samplesOf } from '../../shared/docs/samples.ts';
import { documentAt } from '../../shared/docs/service-document.ts';
import { clientOf, newMerchant } from '../support/api.ts';
import { baseUrl } from '../support/merchant.ts';
import { acceptableRequest } from '../support/resources.ts';
import { runCommand } from '../support/run-command.ts';

const document = documentAt(baseUrl);
const rows = Object.entries<Operation>(operations);

/** A sample, with an id in the place of each parameter of its path. */
async function fittedSample(name: string, row: Operation, kind: string) {
  const { api, secret } = await newMerchant();
  const { params = {} } = await acceptableRequest(row, row.permission === null ? clientOf(null) : api);
  const operation = operationsIn(document).get(name);
  const text = operation && samplesOf(document, operation).find((sample) => sample.name === kind)?.text;
  const fitted = String(text).replaceAll(/\{(\w+)\}/g, (place, param: string) => params[param] ?? place);
  return { fitted, env: { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: secret, PG_TEST_KEY: secret } };
}

describe.each(rows.filter(([, { permission }]) => permission !== null))('the page of %s', (name, row) => {
  test('has a curl command that does it', async () => {
    const { fitted, env } = await fittedSample(name, row, 'curl');
    const command = `${fitted} -sS -o /dev/null -w '%{http_code}'`;
    const { stdout } = await runCommand('bash', ['-euc', command], { env });
    expect(stdout).toBe(String(row.success.status));
  });

  test('has TypeScript that does it', async () => {
    const { fitted, env } = await fittedSample(name, row, 'TypeScript');
    const top = await mkdtemp(path.join(tmpdir(), 'samples-'));
    onTestFinished(() => rm(top, { recursive: true }));
    await symlink(path.resolve('shared'), path.join(top, 'shared'));
    await writeFile(path.join(top, 'sample.mts'), fitted);
    expect((await runCommand(process.execPath, ['sample.mts'], { cwd: top, env })).stdout).not.toBe('');
  });

  test('has a command of pg that does it', async () => {
    const { fitted, env } = await fittedSample(name, row, 'pg');
    // A purge asks first.
    const command = `${fitted}${name === 'purgeTestData' ? ' --yes' : ''}`.replace(
      'npm run pg --',
      'node infra/cli/pg.ts',
    );
    expect((await runCommand('bash', ['-euc', command], { env })).stdout).not.toBe('');
  });
});
