import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { PACKAGE } from '../../../infra/build/build-package.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { isWellFormedSecret } from '../../../shared/domain/api-key.ts';

const FOLDER = 'infra/build/container';
const files = ['Dockerfile', 'compose.yaml'].map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8'));

test.each(files)('the files of containers install the package that is built here', (text) => {
  const tarballs = new Set(text.match(/[\w./-]+\.tgz/g));
  expect([...tarballs]).toEqual([`/context/${PACKAGE}-${manifest.version}.tgz`]);
});

test('the compose file gives both containers a key that the service takes', () => {
  const { services } = parse(String(files[1]), { merge: true });
  const keys = [services.payments, services.shop].map(({ environment }) => environment.PG_KEY);
  const [, key = ''] = /^\$\{PG_KEY:-(.+)\}$/.exec(keys[0]) ?? [];
  expect(isWellFormedSecret(key)).toBe(true);
  expect(keys[1]).toBe(keys[0]);
});
