import { execFile } from 'node:child_process';
import { access, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { renewContract } from '../infra/cli/contract.ts';
import { ALARM_NAMES } from '../infra/constructs/observability.ts';
import manifest from '../package.json' with { type: 'json' };
import { startHost } from './support/host.ts';

const run = promisify(execFile);
const [readme = '', contract = '', operating = ''] = await Promise.all(
  ['README.md', 'shared/CONTRACT.md', 'infra/README.md'].map((name) =>
    readFile(new URL(`../${name}`, import.meta.url), 'utf8'),
  ),
);

/** Runs the n-th transcript of the README on a host of its own, and gives what each of its lines printed. */
async function runTranscript(place: number) {
  const transcript = [...readme.matchAll(/```sh transcript\n(.*?)```/gs)][place]?.[1] ?? '';
  const host = await startHost();
  try {
    const script = transcript
      .replaceAll('http://127.0.0.1:4010', host.baseUrl)
      .replaceAll('.local/', `${host.dir}/`)
      .replaceAll('payment.json', `${host.dir}/payment.json`);
    const { stdout } = await run('bash', ['-euc', script]);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } finally {
    await host.stop();
  }
}

/** Runs the TypeScript of the README on a host of its own, and gives what it printed. */
async function runProgram() {
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const host = await startHost();
  try {
    const file = `${host.dir}/first.mts`;
    const source = program
      .replaceAll("'./shared/", `'${new URL('../shared/', import.meta.url)}`)
      .replaceAll('./.local/', `${host.dir}/`);
    await writeFile(file, source);
    return { program, ...(await run(process.execPath, [file])) };
  } finally {
    await host.stop();
  }
}

describe('what is written beside the code', () => {
  test('the contract says of operations and states what the code says (npm run contract renews it)', () => {
    expect(renewContract(contract)).toBe(contract);
  });

  test('the runbook says what to do about every alarm', () => {
    const runbook = operating.slice(operating.indexOf('## Runbook'));
    expect(ALARM_NAMES.filter((name) => !runbook.includes(`\n- \`${name}\`: `))).toEqual([]);
  });
});

describe('the README', () => {
  test('is read in ten minutes: at most 1,500 words', () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1_500);
  });

  test('links to pages that are there', async () => {
    const links = [...readme.matchAll(/\]\((?!http)([^)]+)\)/g)].map(([, link]) => String(link));
    expect(links.length).toBeGreaterThan(4);
    await Promise.all(links.map((link) => access(new URL(`../${link}`, import.meta.url))));
  });

  test('names every command', () => {
    const named = [...readme.matchAll(/`npm (?:run )?([\w:]+)`(?:, `(\w+)`, `(\w+)`)?/g)].flatMap(
      ([, ...names]) => names,
    );
    expect(Object.keys(manifest.scripts).filter((name) => !named.includes(name))).toEqual([]);
  });

  test('has a first payment that works as printed', async () => {
    expect(await runTranscript(0)).toMatchObject([
      { status: 'requires_action', number: 'P-000001', reference: 'order-1042' },
      { status: 'requires_action', next_action: { type: 'display_qr' } },
      { status: 'canceled' },
      { code: 'invalid_state', details: { current_status: 'canceled' } },
      { amount_type: 'open', min_amount: { currency: 'THB', minor: 2_000 } },
    ]);
  });

  test('has a retry test that works as printed', async () => {
    const answers = await runTranscript(1);
    expect(answers.at(-1)?.data).toMatchObject([
      { attempt: 3, answered_status: 200, signature_verdict: 'valid' },
      { attempt: 2, answered_status: 503, signature_verdict: 'valid' },
      { attempt: 1, answered_status: 503, signature_verdict: 'valid' },
    ]);
  });

  test('has a month in a minute that works as printed', async () => {
    expect(await runTranscript(2)).toMatchObject([
      { profile: 'month', created: { payments: 300 }, already_seeded: false },
      { has_more: true },
      { advanced_seconds: 2_592_000 },
      { status: 'completed', deleted: { payments: 300 } },
      { data: [] },
    ]);
  });

  test('has a client in five lines that works as printed', async () => {
    const { program, stdout, stderr } = await runProgram();
    expect({ stdout, stderr }).toEqual({ stdout: 'P-000001 succeeded\n', stderr: '' });
    const code = program.split('\n').filter((line) => line !== '' && !line.startsWith('import '));
    expect(code.length).toBeLessThanOrEqual(5);
  });

  test('names only commands that exist', async () => {
    const { scripts } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    const named = [...readme.matchAll(/npm (?:run )?([a-z:]+)/g)];
    const names = new Set(
      named.map((match) => String(match[1])).filter((name) => name !== 'ci' && name !== 'run'),
    );
    expect(names.size).toBeGreaterThan(5);
    expect([...names].filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
