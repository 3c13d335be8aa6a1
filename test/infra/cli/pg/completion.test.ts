import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PG } from '../../../../infra/cli/options.ts';
import { commands } from '../../../../infra/cli/pg/commands.ts';
import { completionScript, completionsOf, SHELLS } from '../../../../infra/cli/pg/completion.ts';

const LINE = { name: 'pg', says: '', options: PG, commands };

/** What bash offers for a line whose last word is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', LINE)}
COMP_WORDS=(pg ${typed}); COMP_CWORD=${words.length}; _pg; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('the completion of a shell', () => {
  test('knows the words of every command', () => {
    const completions = completionsOf(LINE);
    for (const words of Object.keys(commands)) {
      const steps = words.split(' ');
      expect(completions.get(steps.slice(0, -1).join(' '))).toContain(steps.at(-1));
    }
  });

  test('offers the next words, and those that begin as typed', async () => {
    expect(await offered('payments', '')).toEqual(['list', 'get', 'create', 'cancel']);
    expect(await offered('re')).toEqual(['refunds']);
    expect(await offered('trigger', 'payment.s')).toEqual(['payment.succeeded']);
  });

  test('offers the options of a command, after ids and other options too', async () => {
    expect(await offered('payments', 'create', '--am')).toEqual(['--amount']);
    expect(await offered('refunds', 'create', 'pay_1', '--json', '--am')).toEqual(['--amount']);
    expect(await offered('nonsense', '')).toEqual([]);
  });

  test.each(SHELLS)('has a script for %s with every command', (shell) => {
    const script = completionScript(shell, LINE);
    expect(script).toContain('payment.succeeded');
    expect(script).toContain('--forward-to');
  });
});
