import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no command prints past the piece that cleans', () => {
  const files = globSync('infra/{cli,machine}/**/*.ts').filter((file) => file !== 'infra/terminal/output.ts');
  const printing = files.filter((file) =>
    /console\.|process\.(stdout|stderr)\.write/.test(readFileSync(file, 'utf8')),
  );
  // What is only run by developers of the service, on its own files.
  expect(printing.filter((file) => !/\/(contract|build-client)(\/.*)?\.ts$/.test(file))).toEqual([]);
});
