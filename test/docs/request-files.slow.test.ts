// @module-tag nightly
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { allOperations } from '../../shared/contract/operations.ts';
import { installNodePackages } from '../support/tools/node-packages.ts';
import { runCommand } from '../support/tools/run-command.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';

/* The downloads of the running service, in the programs that they are made for. */

let folder: string;
let load: NodeJS.Require;
beforeAll(async () => {
  folder = await installNodePackages('request-files', path.join(import.meta.dirname, 'request-files'));
  load = createRequire(path.join(folder, 'package.json'));
});

const download = async (name: string) => (await fetch(`${baseUrl}/api/v1/${name}`)).text();

/** The requests in nested folders of Bruno. */
interface BrunoItem {
  readonly type: string;
  readonly items?: readonly BrunoItem[];
  readonly request?: { readonly method: string; readonly url: string };
}
const requestsIn = (items: readonly BrunoItem[]): BrunoItem[] =>
  items.flatMap((item) => (item.items === undefined ? [item] : requestsIn(item.items)));

describe('the Postman collection', () => {
  test("is read by Postman's own parser, and sends what the table says", async () => {
    const { Collection } = load('postman-collection');
    const collection = new Collection(JSON.parse(await download('postman.json')));
    const sent: string[] = [];
    collection.forEachItem(({ request }: { request: { method: string; url: object } }) => {
      sent.push(`${request.method} ${String(request.url)}`);
    });
    expect(sent).toHaveLength(allOperations.length);
    expect(sent).toContain('POST {{baseUrl}}/api/v1/payments');
    expect(collection.variables.get('baseUrl')).toBe(baseUrl);
  });

  test('is imported by Bruno with every request', async () => {
    const { postmanToBruno } = load('@usebruno/converters');
    const { collection, issues } = await postmanToBruno(JSON.parse(await download('postman.json')));
    expect(issues).toEqual([]);
    const requests = requestsIn(collection.items);
    expect(requests).toHaveLength(allOperations.length);
    const sent = requests.map(({ request }) => `${request?.method} ${request?.url}`);
    expect(sent).toContain('POST {{baseUrl}}/api/v1/payments');
  });
});

describe('the .http file', () => {
  test('sends requests that take effect, by httpYac', async () => {
    const { secret } = await newMerchant();
    const dir = await mkdtemp(path.join(tmpdir(), 'http-file-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const file = path.join(dir, 'requests.http');
    const text = await download('requests.http');
    const send = async (name: string, ids: Readonly<Record<string, string>> = {}) => {
      const values = { key: secret, ...ids };
      const set = Object.entries(values).reduce(
        (filled, [variable, value]) =>
          filled.replace(new RegExp(`^@${variable} = .*$`, 'm'), `@${variable} = ${value}`),
        text,
      );
      await writeFile(file, set);
      const bin = path.join(folder, 'node_modules/httpyac/bin/httpyac.js');
      const args = [bin, 'send', file, '--name', name, '--json', '--silent'];
      const { stdout } = await runCommand(process.execPath, args, { cwd: dir });
      const { response } = JSON.parse(stdout).requests[0];
      return { status: Number(response.statusCode), body: JSON.parse(String(response.body)) };
    };
    const created = await send('createPayment');
    expect(created).toMatchObject({
      status: 201,
      body: { status: 'requires_action', reference: 'order-1042' },
    });
    const { id } = created.body;
    expect(await send('simulatePayment', { payment_id: id })).toMatchObject({ status: 200 });
    expect(await send('getPayment', { payment_id: id })).toMatchObject({
      status: 200,
      body: { status: 'succeeded' },
    });
    expect(await send('cancelPayment', { payment_id: id })).toMatchObject({ status: 409 });
    expect((await send('listPayments')).body.data.map((payment: { id: string }) => payment.id)).toEqual([id]);
  });
});
