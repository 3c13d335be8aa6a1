import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../support/tools/run-command.ts';
import { startHost } from '../support/world/host.ts';
import { missingOf, operationIdsOf } from './document-operations.ts';
import { CALLS, expectFirstPayment } from './first-payment.ts';
import type { GeneratedClient } from './generated-client.ts';
import { goClient } from './go/client.ts';
import { startGrowingProxy } from './growing-proxy.ts';
import { javaClient } from './java/client.ts';
import { pythonClient } from './python/client.ts';
import { typescriptClient } from './typescript/client.ts';

/*
 * npm run test:clients: clients that generators make from the document of the running service. Each client has every
 * operation, compiles, creates the README's first payment, reads an amount beyond 32 bits, and keeps working when
 * responses have undocumented fields.
 */

const CLIENTS = [typescriptClient, pythonClient, goClient, javaClient];
const PROGRAM_TIMEOUT_MS = 60_000;

async function main(): Promise<void> {
  const only = process.argv.slice(2);
  const clients = CLIENTS.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-kits-'));
  const host = await startHost();
  const seconds = stopwatch();
  try {
    // One after another: two of them take the same generator.
    for (const client of clients) {
      await client.install();
    }
    console.log(`What the generators take is there after ${seconds()} s.`);
    const document = await (await fetch(`${host.baseUrl}/api/v1/openapi.json`)).text();
    const file = path.join(dir, 'openapi.json');
    await writeFile(file, document);
    const prove = async (client: GeneratedClient, index: number) => {
      const own = path.join(dir, String(index));
      await mkdir(own);
      return proveClient(client, own, file, operationIdsOf(document), host);
    };
    const results = await Promise.allSettled(clients.map(prove));
    for (const [index, result] of results.entries()) {
      const line = result.status === 'fulfilled' ? result.value : `FAILED: ${result.reason.message}`;
      console.log(`\n${clients[index]?.name}\n  ${line}`);
    }
    const failed = results.filter(({ status }) => status === 'rejected').length;
    console.log(`\n${clients.length - failed} passed, ${failed} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
  } finally {
    await host.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** @returns a description of the result */
async function proveClient(
  client: GeneratedClient,
  dir: string,
  document: string,
  operationIds: readonly string[],
  service: Parameters<typeof expectFirstPayment>[0],
): Promise<string> {
  const seconds = stopwatch();
  await client.generate(document, dir);
  const generated = seconds();
  const missing = missingOf(operationIds, await client.operationsIn(dir));
  if (missing.length > 0) {
    throw new Error(
      `${missing.length} of ${operationIds.length} operations are missing: ${missing.join(', ')}`,
    );
  }
  await client.compile(dir);
  const compiled = seconds();
  await expectFirstPayment(service, await runProgram(client, dir, service.baseUrl, service.key));
  const proxy = await startGrowingProxy(service.baseUrl);
  try {
    await expectFirstPayment(service, await runProgram(client, dir, proxy.baseUrl, service.key));
    if (proxy.answers() < CALLS) {
      throw new Error(`only ${proxy.answers()} answers had unknown fields`);
    }
  } finally {
    await proxy.stop();
  }
  return [
    `${operationIds.length} of ${operationIds.length} operations generated (${generated} s) and compiled (by ${compiled} s)`,
    `first payment made, 3,000,000,000 read back, ${proxy.answers()} answers with unknown fields read (by ${seconds()} s)`,
  ].join('\n  ');
}

async function runProgram(client: GeneratedClient, dir: string, baseUrl: string, key: string) {
  const [command, ...args] = client.commandIn(dir);
  const { stdout } = await runCommand(command, args, {
    cwd: dir,
    env: { ...process.env, BASE_URL: baseUrl, KEY: key },
    timeout: PROGRAM_TIMEOUT_MS,
  });
  return stdout;
}

function stopwatch(): () => string {
  const startedAt = performance.now();
  return () => ((performance.now() - startedAt) / 1_000).toFixed(1);
}

main().catch((error: Error) => {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
});
