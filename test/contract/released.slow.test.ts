import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import { API_VERSIONS, NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { cachedFolder } from '../support/tools/cached-folder.ts';
import { GO_ENV, hasGo } from '../support/tools/go.ts';
import { runCommand } from '../support/tools/run-command.ts';

/* The document against the one that was kept at the last release (test/contract/keep-document.ts). */

const OASDIFF = 'github.com/oasdiff/oasdiff@v1.38.0';
const RELEASED = path.join(import.meta.dirname, 'released');
/** What contract §3 calls an addition: every client must be ready for it. */
const ADDITION = /^response-.*-enum-value-added$/;
/** The service sends webhooks: what they have more breaks no receiver. */
const SENT_ADDITION = /^new-required-request-parameter deliveries\./;

interface BreakingChange {
  readonly id: string;
  readonly text: string;
  readonly operationId?: string;
}
/** A document, as far as these tests change copies of it. */
interface Changed {
  readonly paths: Record<string, unknown>;
  readonly webhooks: Record<string, unknown>;
  readonly components: {
    readonly schemas: Record<
      string,
      { properties: Record<string, { enum?: string[] }>; required?: string[] }
    >;
  };
}

const released = globSync('*.json', { cwd: RELEASED })
  .map((file) => path.basename(file, '.json'))
  .toSorted();
const newest = released.at(-1) ?? '';
const read = async (version: string) =>
  JSON.parse(await readFile(path.join(RELEASED, `${version}.json`), 'utf8'));

/** What can break a client of the released document in another one. */
async function breaking(document: object): Promise<string[]> {
  const tool = await cachedFolder(path.basename(OASDIFF), async (into) => {
    await runCommand('go', ['install', OASDIFF], { env: { ...GO_ENV, GOBIN: into } });
  });
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-released-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'current.json');
  await writeFile(file, JSON.stringify(document));
  const args = ['breaking', path.join(RELEASED, `${newest}.json`), file, '--format=json'];
  const { stdout } = await runCommand(path.join(tool, 'oasdiff'), args);
  return (JSON.parse(stdout) as BreakingChange[])
    .filter(({ id }) => !ADDITION.test(id))
    .map(({ id, operationId = '', text }) => `${id} ${operationId}: ${text}`)
    .filter((found) => !SENT_ADDITION.test(found));
}

test('each document that was kept is of a published version', async () => {
  expect(released).not.toEqual([]);
  for (const version of released) {
    expect((await read(version)).info.version).toBe(version);
    expect(API_VERSIONS).toContain(version);
  }
});

describe.skipIf(!hasGo())('against the released document', () => {
  test('nothing breaks that no new version announces', async () => {
    const found = await breaking(buildOpenApi('https://pay.example.com'));
    expect(newest === NEWEST_VERSION ? found : []).toEqual([]);
  });

  test.each<[string, RegExp, (document: Changed) => void]>([
    [
      'a field that a response loses',
      /^response-required-property-removed payments\.GetPayment: /m,
      ({ components: { schemas } }) => {
        delete schemas.Payment?.properties.number;
        schemas.Payment?.required?.splice(schemas.Payment.required.indexOf('number'), 1);
      },
    ],
    [
      'a field that a request must have from now on',
      /^new-required-request-property payments\.CreatePayment: /m,
      ({ components: { schemas } }) => {
        Object.assign(schemas.CreatePaymentRequest?.properties ?? {}, { shop: { type: 'string' } });
        schemas.CreatePaymentRequest?.required?.push('shop');
      },
    ],
    [
      'an operation that is gone',
      /^api-path-removed/m,
      ({ paths }) => delete paths['/api/v1/payments/{id}/cancel'],
    ],
    ['an event that is gone', /^webhook-removed/m, ({ webhooks }) => delete webhooks['payment.expired']],
  ])('%s breaks', async (_name, found, change) => {
    const document: Changed = await read(newest);
    change(document);
    expect((await breaking(document)).join('\n')).toMatch(found);
  });

  test('an optional field, a field of a response and a new status break nothing', async () => {
    const document: Changed = await read(newest);
    const { CreatePaymentRequest, Payment } = document.components.schemas;
    for (const schema of [CreatePaymentRequest, Payment]) {
      Object.assign(schema?.properties ?? {}, { shop: { type: 'string' } });
    }
    Payment?.properties.status?.enum?.push('held');
    expect(await breaking(document)).toEqual([]);
  });
});
