import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no command prints past the piece that cleans', () => {
  // `infra/build` is run by developers of the service alone, on its own files.
  const files = globSync('infra/**/*.ts', {
    exclude: ['infra/{aws,build,local}/**', 'infra/terminal/output.ts'],
  });
  const printing = files.filter((file) =>
    /console\.|process\.(stdout|stderr)\.write/.test(readFileSync(file, 'utf8')),
  );
  expect(printing).toEqual([]);
});
