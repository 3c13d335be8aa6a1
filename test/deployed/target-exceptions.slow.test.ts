import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../support/tools/run-command.ts';
import { DEPLOYED_SERVICE_VARIABLE } from '../support/world/deployed-service.ts';
import { isNotRun, LOCALSTACK_EXCEPTIONS, type NamedTest } from './target-exceptions.ts';

/** Says that it is LocalStack, and has no service. */
async function emptyLocalStack(): Promise<Server> {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/_localstack/health' ? 200 : 404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

test('what LocalStack does otherwise leaves out tests that exist, and none of them runs there', async () => {
  await using server = await emptyLocalStack();
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-exceptions-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const written = path.join(dir, 'written.json');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = { baseUrl: endpoint, tableName: 'none', dynamodbEndpoint: endpoint, key: '' };
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: endpoint,
    [DEPLOYED_SERVICE_VARIABLE]: JSON.stringify(service),
  };
  const exceptions = LOCALSTACK_EXCEPTIONS.filter(({ notRun }) => notRun !== undefined);
  const files = new Set(exceptions.map(({ notRun }) => `test/api/${notRun?.file}`));
  const vitest = async (...args: readonly string[]) => {
    await runCommand('vitest', [...args, ...files, '--project=deployed'], { env });
    return JSON.parse(await readFile(written, 'utf8'));
  };

  const tests: readonly NamedTest[] = await vitest('list', '--no-static-parse', `--json=${written}`);
  const leftOut = exceptions.map((exception) => tests.filter((each) => isNotRun(exception, each)));
  expect(leftOut.map(({ length }) => length)).not.toContain(0);

  const names = leftOut.flat().map(({ name }) => name.replaceAll(/[^\w ]/g, '\\$&'));
  const named = `--testNamePattern=^(${names.join('|')})$`;
  const report = await vitest('run', '--reporter=json', `--outputFile=${written}`, named);
  // A test that runs here fails.
  expect(report).toMatchObject({ success: true, numPassedTests: 0 });
});
