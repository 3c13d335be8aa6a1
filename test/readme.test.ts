import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { renewReadme } from '../infra/cli/readme.ts';
import { startHost } from './support/host.ts';

const run = promisify(execFile);
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  test('says of operations and states what the code says (npm run readme renews it)', () => {
    expect(renewReadme(readme)).toBe(readme);
  });

  test('has a first payment that works as printed', async () => {
    const transcript = /```sh transcript\n(.*?)```/s.exec(readme)?.[1] ?? '';
    const host = await startHost();
    try {
      const script = transcript
        .replaceAll('http://127.0.0.1:4010', host.baseUrl)
        .replaceAll('.local/', `${host.dir}/`)
        .replaceAll('payment.json', `${host.dir}/payment.json`);
      const { stdout } = await run('bash', ['-euc', script]);
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(answers).toMatchObject([
        { status: 'requires_action', number: 'P-000001', reference: 'order-1042' },
        { status: 'requires_action', next_action: { type: 'display_qr' } },
        { status: 'canceled' },
        { code: 'invalid_state', details: { current_status: 'canceled' } },
        { amount_type: 'open', min_amount: { currency: 'THB', minor: 2_000 } },
      ]);
    } finally {
      await host.stop();
    }
  });

  test('names only commands that exist', async () => {
    const { scripts } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    const named = [...readme.matchAll(/npm (?:run )?(start|test|check|synth|keys|readme|[a-z:]+(?=`))/g)];
    const names = new Set(
      named.map((match) => String(match[1])).filter((name) => name !== 'ci' && name !== 'run'),
    );
    expect(names.size).toBeGreaterThan(5);
    expect([...names].filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
