import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface PublishJob {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const { on, permissions, jobs } = parse(readFileSync('.github/workflows/publish.yml', 'utf8')) as {
  on: Readonly<Record<string, unknown>>;
  permissions: Readonly<Record<string, string>>;
  jobs: Readonly<Record<string, PublishJob>>;
};
const runsOf = ({ steps }: PublishJob) => steps.map(({ run = '' }) => run).join('\n');

test('a person alone starts what publishes the package', () => {
  expect(Object.keys(on)).toEqual(['workflow_dispatch']);
});

test('what npm trusts runs nothing of others, and knows what it publishes by its digest', () => {
  expect(permissions).toEqual({ contents: 'read' });
  const trusted = Object.entries(jobs).filter(([, job]) => job.permissions?.['id-token'] === 'write');
  expect(trusted.map(([name]) => name)).toEqual(['publish']);
  const [[, publish] = ['', undefined]] = trusted;
  expect(publish?.environment).toBe('npm');
  expect(publish && runsOf(publish)).not.toMatch(/npm (ci|install|run)/);
  expect(publish && runsOf(publish)).toMatch(/sha256sum --check\nnpm publish \S+ --ignore-scripts$/);
});

test('the package is checked before it is built', () => {
  const { package: building } = jobs;
  expect(building && runsOf(building)).toMatch(/npm run check\nnpm run build:package/);
});
