import { expect, test } from 'vitest';
import { resourcesOf } from '../../../infra/mcp/resources.ts';
import { toolsOf } from '../../../infra/mcp/tools.ts';
import { GUIDE_NAMES } from '../../../shared/docs/build-guides.ts';
import { documentAt } from '../../../shared/docs/service-document.ts';
import { catalogue, type ErrorCode, entryOf } from '../../../shared/errors/catalogue.ts';

const document = documentAt('https://api.example.com');
const resources = resourcesOf(document);
const tools = toolsOf(document);

test.each(Object.keys(catalogue) as ErrorCode[])('a resource explains the error %s', (code) => {
  const { listed, read } = resources.get(`payments://errors/${code}`) ?? {};
  const { status, title, advice } = entryOf(code);
  expect(listed).toMatchObject({ name: code, title: `${status} ${title}`, mimeType: 'application/json' });
  const { causes, ...explained } = JSON.parse(read?.() ?? '');
  expect(explained).toMatchObject({ code, status, title, advice });
  expect(causes.length).toBeGreaterThan(0);
});

test('the resource of an error names the tools that can return it', () => {
  const { operations } = JSON.parse(resources.get('payments://errors/clock_busy')?.read() ?? '');
  expect(operations).toContain('advanceClock');
  expect([...tools.keys()]).toEqual(expect.arrayContaining(operations));
});

test('every guide is a resource', () => {
  const guides = GUIDE_NAMES.map((name) => resources.get(`payments://guides/${name}`));
  expect(guides.map((guide) => guide?.read())).toEqual(GUIDE_NAMES.map(() => expect.stringMatching(/^# /)));
  expect(resources.size).toBe(GUIDE_NAMES.length + Object.keys(catalogue).length);
});
