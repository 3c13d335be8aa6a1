import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** The rows and their schemas are half of it. */
const BUNDLE_MAX_BYTES = 70_000;

let dir: string;
let file: string;
let code: string;
let metafile: Metafile;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'payments-client-'));
  file = path.join(dir, 'client.mjs');
  const result = await build({
    stdin: {
      contents: globSync('shared/client/*.ts')
        .map((name) => `export * from './${name}';`)
        .join('\n'),
      resolveDir: process.cwd(),
    },
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    // What Node alone has is left out where nothing uses it, and seen below where something does.
    plugins: [
      {
        name: 'node',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^node:/ }, ({ path: name }) => ({
            path: name,
            external: true,
            sideEffects: false,
          }));
        },
      },
    ],
  });
  ({ metafile } = result);
  code = await readFile(file, 'utf8');
});

afterAll(() => rm(dir, { recursive: true, force: true }));

describe('the client as one file', () => {
  test('is small', async () => {
    const { size } = await stat(file);
    console.log(
      `${(size / 1_000).toFixed(1)} KB, ${(gzipSync(code).length / 1_000).toFixed(1)} KB compressed`,
    );
    expect(size).toBeLessThanOrEqual(BUNDLE_MAX_BYTES);
  });

  test('holds no part of the service, of the cloud or of Node, so that a browser can load it', () => {
    const inputs = Object.keys(metafile.inputs);
    expect(inputs).toEqual(
      expect.arrayContaining(['shared/client/client.ts', 'shared/contract/operations.ts']),
    );
    expect(inputs.filter((name) => /@aws|@middy|shared\/(store|http|jobs|webhooks)\//.test(name))).toEqual(
      [],
    );
    const [output] = Object.values(metafile.outputs);
    expect(output?.imports.map((one) => one.path)).toEqual([]);
    expect(code).not.toMatch(/node:|\bprocess\.|\brequire\(/);
  });

  test('runs by itself, away from the repository', async () => {
    const script = `
      const { createClient, webhooks, isProblem, answerOf } = await import(${JSON.stringify(file)});
      const answer = { data: [], has_more: false, next_cursor: null };
      const client = createClient({ key: 'pg_test_x', baseUrl: 'http://h', fetch: async () => Response.json(answer) });
      console.log((await client.listPayments()).has_more, typeof webhooks.verify, typeof isProblem, typeof answerOf);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      {
        cwd: dir,
      },
    );
    expect(stdout).toBe('false function function function\n');
  });
});
