import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { resourcesOf } from '../../../infra/mcp/resources.ts';
import { toolsOf } from '../../../infra/mcp/tools.ts';
import { GUIDE_NAMES } from '../../../shared/docs/build-guides.ts';
import { operationsIn } from '../../../shared/docs/contents.ts';
import { documentAt } from '../../../shared/docs/service-document.ts';
import { catalogue, type ErrorCode, entryOf } from '../../../shared/errors/catalogue.ts';

const document = documentAt('https://api.example.com');
const tools = toolsOf(document);
const resources = resourcesOf(document, tools.values());
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

function readOf(uri: string) {
  return JSON.parse(resources.get(uri)?.read() ?? '');
}

test.each(Object.keys(catalogue) as ErrorCode[])('a resource explains the error %s', (code) => {
  const { status, title, advice } = entryOf(code);
  const { listed } = resources.get(`payments://errors/${code}`) ?? {};
  expect(listed).toMatchObject({ name: code, title: `${status} ${title}`, mimeType: 'application/json' });
  const { causes, ...explained } = readOf(`payments://errors/${code}`);
  expect(explained).toMatchObject({ code, status, title, advice });
  expect(causes.length).toBeGreaterThan(0);
});

test('the resource of an error names the tools that can return it', () => {
  const { operations } = readOf('payments://errors/clock_busy');
  expect(operations).toContain('advanceClock');
  expect([...tools.keys()]).toEqual(expect.arrayContaining(operations));
});

test('every guide is a resource', () => {
  const guides = GUIDE_NAMES.map((name) => resources.get(`payments://guides/${name}`));
  expect(guides.map((guide) => guide?.read())).toEqual(GUIDE_NAMES.map(() => expect.stringMatching(/^# /)));
  expect(resources.size).toBe(GUIDE_NAMES.length + Object.keys(catalogue).length + tools.size);
});

test('only the operations of the offered tools are resources', () => {
  const some = resourcesOf(document, toolsOf(document, ['keys']).values());
  const operations = [...some.keys()].filter((uri) => uri.startsWith('payments://operations/'));
  expect(operations).toEqual(['payments://operations/getKey']);
});

describe.each([...tools.values()].map((each) => [each.name, each] as const))(
  'the resource of the tool %s',
  (name, { tool }) => {
    const whole = readOf(`payments://operations/${name}`);

    test('has the whole description, and the arguments with their whole words', () => {
      const { summary, description, operationId } = operationsIn(document).get(name) ?? {};
      expect(whole).toMatchObject({ tool: name, operation: operationId, title: summary, description });
      expect(Object.keys(whole.arguments.properties)).toEqual(Object.keys(tool.inputSchema.properties ?? {}));
      expect(JSON.stringify(whole)).not.toContain('"$ref"');
    });

    test('has a schema of results that accepts the recorded one, also with a field that is new', () => {
      const validate = ajv.compile(whole.result);
      expect(whole.result.type).toBe('object');
      expect(whole.example.result).toBeTypeOf('object');
      expect(validate({ ...whole.example.result, new_field: 1 }), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({})).toBe(false);
    });
  },
);
