// @module-tag nightly
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { operationsIn } from '../../shared/docs/contents.ts';
import { samplesOf } from '../../shared/docs/samples.ts';
import { documentAt } from '../../shared/docs/service-document.ts';
import { EVENT_TYPES } from '../../shared/domain/resource.ts';
import { type InstalledPackage, installPackage } from '../support/tools/installed-package.ts';
import { runCommand } from '../support/tools/run-command.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { acceptableRequest } from '../support/world/resources.ts';

const document = documentAt(baseUrl);
const rows = Object.entries<Operation>(operations);
const keyed = rows.filter(([, { permission }]) => permission !== null);
/** Only a provider can sign what is sent to its address. */
const UNSAMPLED = ['receiveNotification'];
/** The forms of payers' pages redirect. */
const FORM_STATUS = '303';
/** Where the samples of the command line are pasted: the repository. */
const REPOSITORY = process.cwd();

/** Runs one program after the other, because starting Node takes longer than what a sample does. */
const RUNNER = `import { format } from 'node:util';
let printed = [];
console.log = (...values) => printed.push(format(...values));
process.on('message', async ({ file, env }) => {
  Object.assign(process.env, env);
  printed = [];
  const failed = await import(file).then(() => null, String);
  process.send({ failed, stdout: printed.join('\\n') });
});`;

let client: InstalledPackage;
let runner: ChildProcess;
beforeAll(async () => {
  client = await installPackage({ packedIn: inject('runFolder') });
  await writeFile(path.join(client.dir, 'package.json'), JSON.stringify({ type: 'module' }));
  const file = path.join(client.dir, 'runner.js');
  await writeFile(file, RUNNER);
  runner = fork(file, { execArgv: [] });
});
afterAll(async () => {
  runner?.disconnect();
  await client?.remove();
});

type Merchant = Awaited<ReturnType<typeof newMerchant>>;

/** A sample, with an id for each parameter of its path. */
async function fittedSample(name: string, row: Operation, kind: string, merchant?: Merchant) {
  const { api, secret } = merchant ?? (await newMerchant());
  const { params = {} } = await acceptableRequest(row, api);
  const operation = operationsIn(document).get(name);
  const text = operation && samplesOf(document, operation).find((sample) => sample.name === kind)?.code;
  const fitted = String(text).replaceAll(/\{(\w+)\}/g, (place, param: string) => params[param] ?? place);
  return { fitted, env: pgEnv(secret) };
}

/** An environment in which `pg` is found, and calls the service by a key. */
function pgEnv(key: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${REPOSITORY}:${process.env.PATH}`,
    PG_BASE_URL: baseUrl,
    PG_KEY: key,
  };
}

async function paste(fitted: string, env: NodeJS.ProcessEnv): Promise<string> {
  return (await runCommand('bash', ['-euc', fitted], { cwd: REPOSITORY, env })).stdout;
}

async function runProgram(fitted: string, env: NodeJS.ProcessEnv): Promise<string> {
  const file = path.join(client.dir, `${randomUUID()}.ts`);
  await writeFile(file, fitted);
  runner.send({ file, env });
  const [{ failed, stdout }] = await once(runner, 'message');
  expect(failed).toBeNull();
  return stdout;
}

describe.each(rows.filter(([name]) => !UNSAMPLED.includes(name)))('the page of %s', (name, row) => {
  test('has a curl command that does it', async () => {
    const { fitted, env } = await fittedSample(name, row, 'curl');
    const isForm = 'problems' in row && row.method === 'POST';
    const status = await paste(`${fitted} -sS -o /dev/null -w '%{http_code}'`, env);
    expect(status).toBe(isForm ? FORM_STATUS : String(row.success.status));
  });
});

describe.each(keyed)('the page of %s', (name, row) => {
  test('has TypeScript that does it', async () => {
    const { fitted, env } = await fittedSample(name, row, 'TypeScript');
    expect(await runProgram(fitted, env)).not.toBe('');
  });

  test('has Python that does it', async () => {
    const { fitted, env } = await fittedSample(name, row, 'Python');
    const { stdout } = await runCommand('python3', ['-c', fitted], { cwd: client.dir, env });
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });

  test('has Go that does it', async () => {
    const { fitted, env } = await fittedSample(name, row, 'Go');
    const file = path.join(client.dir, `${randomUUID()}.go`);
    await writeFile(file, fitted);
    const { stdout } = await runCommand('go', ['run', file], { cwd: client.dir, env });
    expect(stdout).toMatch(new RegExp(`^${row.success.status} [{[]`));
  });

  test('has PHP that does it', async () => {
    const { fitted, env } = await fittedSample(name, row, 'PHP');
    const { stdout } = await runCommand('php', ['-r', fitted.replace('<?php\n', '')], {
      cwd: client.dir,
      env,
    });
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });

  test('has a command of pg that does it', async () => {
    const { fitted, env } = await fittedSample(name, row, 'pg');
    // A purge asks first.
    expect(await paste(`${fitted}${name === 'purgeTestData' ? ' --yes' : ''}`, env)).not.toBe('');
  });
});

test('a sample that is pasted twice by the same merchant does its work twice', async () => {
  const merchant = await newMerchant();
  for (const kind of ['curl', 'TypeScript', 'pg']) {
    const { fitted, env } = await fittedSample('createPayment', operations.createPayment, kind, merchant);
    const run = kind === 'TypeScript' ? runProgram : paste;
    await run(fitted, env);
    await run(fitted, env);
  }
  const { data } = (await merchant.api(operations.listPayments)).json;
  expect(data).toHaveLength(6);
});

test('the operation without samples is the one that only providers can call', () => {
  const without = [...operationsIn(document)].filter(([, row]) => samplesOf(document, row).length === 0);
  expect(without.map(([name]) => name)).toEqual(UNSAMPLED);
});

test.each(EVENT_TYPES)('the page of %s has a command that triggers it', async (type) => {
  const { secret } = await newMerchant();
  const env = pgEnv(secret);
  expect(await paste(`pg trigger ${type}`, env)).toContain(type);
});
