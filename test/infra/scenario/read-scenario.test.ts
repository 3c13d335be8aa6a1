import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../../infra/pg/commands.ts';
import { readScenario } from '../../../infra/scenario/read-scenario.ts';
import { readText } from '../../../infra/scenario/read-text.ts';
import { OPERATION_WORDS } from '../../../shared/contract/operation-words.ts';
import { operations } from '../../../shared/contract/operations.ts';
import published from '../../../shared/scenario.schema.json' with { type: 'json' };
import { baseUrl } from '../../support/world/merchant.ts';

/** One of everything that a file may say. */
const WHOLE = readFileSync(new URL('./whole.yaml', import.meta.url), 'utf8');

function errorOf(text: string): string {
  try {
    readScenario(text, 'shop.yaml');
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

/** A file with these steps after a first one that names an order. */
function stepsOf(...steps: string[]): string {
  const first = 'call: payments.create, with: { amount: { currency: THB, minor: 100 } }, as: order';
  return ['name: a file', 'steps:', `  - { ${first} }`, ...steps.map((step) => `  - ${step}`)].join('\n');
}

describe('a scenario file', () => {
  test('may have everything that the contract names', () => {
    const { scenario, lineOf } = readScenario(WHOLE, 'whole.yaml');
    const kinds = scenario.steps.map((step) => Object.keys(step)[0]);
    expect(new Set(kinds)).toEqual(new Set(['call', 'advance', 'simulate', 'expect', 'repeat']));
    const lines = WHOLE.split('\n');
    expect(scenario.steps.map((step) => lines[lineOf(step) - 1]?.slice(0, 4))).toEqual(
      scenario.steps.map(() => '  - '),
    );
  });

  test.each<[string, string, string]>([
    [
      'a key',
      stepsOf('{ advnce: 3m }'),
      '4:7: must have one of: call, advance, simulate, expect, repeat. Did you mean advance?',
    ],
    ['a part of the file', 'name: a\nstps: []', '2:1: stps is not a known field. Did you mean steps?'],
    [
      'an operation',
      stepsOf('{ call: payment.cancel, id: $order }'),
      '4:7: call must be a known word. Did you mean payments.cancel?',
    ],
    [
      'a field of an operation',
      stepsOf('{ call: refunds.create, id: $order, with: { reson: x } }'),
      '4:49: reson is not a known field. Did you mean reason?',
    ],
    [
      'a value',
      stepsOf('{ simulate: { payment: $order, outcome: succeded } }'),
      '4:36: outcome must be one of: succeeded, failed, pending, mismatch. Did you mean succeeded?',
    ],
    [
      'an expected field',
      stepsOf('expect: { payment: $order, statsu: failed }'),
      '4:32: statsu is not a known field. Did you mean status?',
    ],
    [
      'an expected status',
      stepsOf('expect: { payment: $order, status: cancelled }'),
      '4:32: status must be one of: created, requires_action, failed, processing, succeeded, expired, canceled. Did you mean canceled?',
    ],
    [
      'an error code',
      stepsOf('expect: { problem: invalid_stat, from: { call: payments.cancel, id: $order } }'),
      '4:15: problem must be a known word. Did you mean invalid_state?',
    ],
    [
      'a name',
      stepsOf('expect: { payment: $ordr }'),
      '4:15: $ordr is not the name of an earlier step. Did you mean order?',
    ],
    [
      'a field of an answer',
      stepsOf(`{ call: refunds.create, id: $order, with: { reason: "\${order.referense}" } }`),
      '4:49: $order has no field referense. Did you mean reference?',
    ],
    [
      'a sink',
      `${stepsOf('expect: { delivery: payment.created, sink: shpo }')}\ngiven: { sinks: { shop: {} } }`,
      '4:42: shpo is not a sink of given.sinks. Did you mean shop?',
    ],
    [
      'a law',
      `${stepsOf()}\nalways: [conservaton]`,
      '4:10: 0 must be one of: conservation, sequence, signatures. Did you mean conservation?',
    ],
    [
      'weather',
      `${stepsOf()}\nweather: { provider: { duplicat: 1 } }`,
      '4:24: duplicat is not a known field. Did you mean duplicate?',
    ],
  ])('names the nearest word of %s, with its line and column', (_, text, message) => {
    expect(errorOf(text).split('\n')).toContain(`shop.yaml:${message}`);
  });

  test.each<[string, string]>([
    [stepsOf('{ call: payments.cancel }'), '4:7: payments.cancel needs id.'],
    [stepsOf('{ call: clock, id: $order }'), '4:20: clock takes no id.'],
    [stepsOf('{ call: clock, with: { a: 1 } }'), '4:20: clock takes no fields.'],
    [
      stepsOf('{ call: payments.create, with: { amount: { currency: THB, minor: 0 } } }'),
      '4:63: minor must be at least 1.',
    ],
    [stepsOf('{ advance: 3x }'), '4:7: advance must be a duration such as 90s, 20m, 2h, 3d or 1h30m.'],
    [stepsOf('{ advance: 0s }'), '4:7: advance must be 1s to 31622400s.'],
    [stepsOf('{ advance: 1m, call: clock }'), '4:20: call is not a known field.'],
    [
      stepsOf('simulate: { payment: $order, outcome: failed }', '  as: x').replace('  -   as', '    as'),
      '5:5: the outcome of a payment has no name, for weather may hold it back.',
    ],
    [`${stepsOf()}\nweather: { receivers: { hang: 1001 } }`, '4:25: hang must be at most 1000.'],
    [
      stepsOf('{ expect: [ }'),
      '4:17: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['name: a\nname: b\nsteps: []', '2:1: Map keys must be unique'],
    ['name: *x', '1:7: There is no anchor x'],
    ['name: !shop a', '1:7: Unresolved tag: !shop'],
    ['', '1:1: has 0 documents: a scenario is one'],
  ])('is refused with its line and column: %j', (text, message) => {
    expect(errorOf(text)).toContain(`shop.yaml:${message}`);
  });

  test.each<[string, string, RegExp]>([
    [
      'an alias that contains itself',
      'name: a\nsteps: &s\n  - *s',
      /^shop\.yaml:3:5: is an alias that contains itself\.$/,
    ],
    [
      'aliases that multiply',
      `name: a\nsteps:\n${Array.from(
        { length: 9 },
        (_, n) =>
          `  - &a${n} [${Array(9)
            .fill(n === 0 ? '1' : `*a${n - 1}`)
            .join(', ')}]`,
      ).join('\n')}`,
      /^shop\.yaml:\d+:\d+: has more than 50000 parts, with all aliases in their places\.$/,
    ],
    [
      '100 lists in one another',
      `name: a\nsteps: ${'['.repeat(100)}${']'.repeat(100)}`,
      /^shop\.yaml:\d+:\d+: .*nest|deep/,
    ],
    ['10,000 lists in one another', `name: a\nsteps: ${'['.repeat(10_000)}`, /^shop\.yaml:\d+:\d+: [^\n]+$/],
  ])('with %s is refused in a line, not in a stack', (_what, text, message) => {
    expect(errorOf(text)).toMatch(message);
    expect(errorOf(text)).not.toMatch(/\n\s+at /);
  });

  test.each<[string, Buffer, string]>([
    ['a byte that is no UTF-8', Buffer.from('name: a\nsteps: \xff', 'latin1'), '2:8'],
    [
      'such a byte after Thai text',
      Buffer.concat([Buffer.from('name: ไทย'), Buffer.from([0xc3, 0x0a])]),
      '1:10',
    ],
    ['UTF-16 with its mark', Buffer.from('\ufeffname: a', 'utf16le'), '1:1'],
  ])('with %s is refused where it stands', async (_what, bytes, place) => {
    const dir = await mkdtemp(path.join(tmpdir(), 'scenario-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const file = path.join(dir, 'shop.yaml');
    await writeFile(file, bytes);
    await expect(readText(file)).rejects.toThrow(`${file}:${place}: is no UTF-8 from here on.`);
  });

  test('is told all its errors at once, in the order of its lines', () => {
    const text = stepsOf('{ advance: 3x }', '{ expect: { paymnt: $order } }', '{ call: payments.crate }');
    expect(
      errorOf(text)
        .split('\n')
        .map((line) => line.split(':')[1]),
    ).toEqual(['4', '5', '6']);
  });

  test('calls any operation by the words of its command', () => {
    const ofPg = Object.keys(commands).filter((words) => commands[words]?.run !== undefined);
    const own =
      /^(trigger|listen|simulate|show|open|scenario|exam|mcp|completion|events$|events resend|(sinks|logs) tail)/;
    expect(ofPg.filter((words) => !own.test(words) && !(words in OPERATION_WORDS))).toEqual([]);
    const named = new Set<string>(Object.values(OPERATION_WORDS));
    const keyed = Object.entries(operations).filter(([, { permission }]) => permission !== null);
    expect(keyed.filter(([name]) => !named.has(name))).toEqual([]);
  });

  test('is checked by editors as by the command: the service answers its JSON Schema', {
    tags: 'slow',
  }, async () => {
    const answer = await fetch(`${baseUrl}/schemas/scenario.json`);
    expect(await answer.json()).toEqual(published);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(published);
    expect(validate(parse(WHOLE)), JSON.stringify(validate.errors)).toBe(true);
    expect(validate(parse(stepsOf('{ advnce: 3m }')))).toBe(false);
    expect(validate(parse(stepsOf('expect: { payment: $order, statsu: failed }')))).toBe(false);
  });
});
