import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ADMIN } from '../../../infra/pg/admin.ts';
import { commands } from '../../../infra/pg/commands.ts';
import { completionScript, SHELLS } from '../../../infra/pg/completion.ts';
import { PG } from '../../../infra/terminal/options.ts';
import { PAYMENT_METHODS } from '../../../shared/domain/payment-method.ts';

const LINE = { name: 'pg', says: '', options: PG, commands: { ...commands, ...ADMIN } };

const run = promisify(execFile);

/** What bash offers for a line whose last word is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', LINE)}
COMP_WORDS=(pg ${typed}); COMP_CWORD=${words.length}; _pg; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['-c', script]);
  return stdout.split('\n').filter((word) => word !== '');
}

const canRun = (program: string) => spawnSync(program, ['-c', '']).status === 0;

interface Typing {
  /** What the shell reads first; by default it sources the script. */
  readonly setup?: string;
  /** Awaited after the Tab, and returned in place of the line. */
  readonly awaited?: string;
}

/** What a shell on a terminal of its own makes of a line by one Tab. */
async function typedIn(
  shell: 'bash' | 'zsh',
  line: string,
  { setup = '. "$HOME/_pg"', awaited = '' }: Typing = {},
): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'completion-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await writeFile(path.join(dir, '_pg'), completionScript(shell, LINE));
  await writeFile(path.join(dir, 'driver.py'), DRIVER);
  const args = [path.join(dir, 'driver.py'), shell, dir, line, setup, awaited];
  return (await run('python3', args)).stdout.trim();
}

/** Drives a shell on a pseudo-terminal: `pg` prints its arguments, so the completed line shows itself when it is run. */
const DRIVER = `
import os, pty, re, select, sys, time
shell, folder, line, setup, awaited = sys.argv[1:]
flags = ['--norc', '--noprofile'] if shell == 'bash' else ['-f']
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(HOME=folder, PS1='$ ', TERM='dumb')
    os.execvp(shell, [shell, *flags, '-i'])
printed = ''
def until(pattern):
    global printed
    end = time.time() + 30
    while not re.search(pattern, printed):
        if time.time() > end or not select.select([terminal], [], [], 30)[0]:
            sys.exit('it printed: ' + printed)
        printed += os.read(terminal, 4096).decode(errors='replace')
def send(text):
    os.write(terminal, text.encode())
send(setup + '\\npg() { echo "ran:" "$@" ":end"; }\\necho rea""dy\\n')
until(r'\\bready\\b')
send(line + '\\t')
if awaited:
    until(awaited)
    print(re.search(awaited, printed)[0])
else:
    send('\\n')
    until(r'ran: .* :end')
    print(re.search(r'ran: (.*) :end', printed)[1])
os.kill(pid, 9)
`;

const LINES: readonly [typed: string, completed: string][] = [
  ['payments create --amount 12 --me', 'payments create --amount 12 --method'],
  ['simulate pay_1 succeeded --de', 'simulate pay_1 succeeded --delay'],
  ['advance 1h --js', 'advance 1h --json'],
  ['seed s', 'seed small'],
  ['simulate pay_1 mis', 'simulate pay_1 mismatch'],
  ['payments create --method prom', 'payments create --method promptpay'],
  ['events --type payment.suc', 'events --type payment.succeeded'],
  ['admin ke', 'admin keys'],
  ['admin keys create --mode li', 'admin keys create --mode live'],
  ['admin keys roll key_1 --ov', 'admin keys roll key_1 --overlap'],
];

describe('the completion of a shell', () => {
  test('offers the next words, and those that begin as typed', async () => {
    expect(await offered('payments', '')).toEqual(['list', 'get', 'create', 'cancel', 'handled']);
    expect(await offered('re')).toEqual(['refunds']);
    expect(await offered('trigger', 'payment.s')).toEqual(['payment.succeeded']);
  });

  test('offers the options of a command, after ids and other options too', async () => {
    expect(await offered('payments', 'create', '--am')).toEqual(['--amount']);
    expect(await offered('refunds', 'create', 'pay_1', '--json', '--am')).toEqual(['--amount']);
    const ofStages = ['--older-than', '--ended', '--without-branch', '--destroy', '--target'];
    expect(await offered('admin', 'stages', '--')).toEqual([...ofStages, '--json', '--yes', '--help']);
    expect(await offered('nonsense', '')).toEqual([]);
  });

  test.each(LINES)('completes "%s" to "%s"', async (typed, completed) => {
    const words = typed.split(' ');
    expect(await offered(...words)).toEqual([completed.split(' ').at(-1)]);
  });

  test('offers the choices of an option, and no word of the command in their place', async () => {
    expect(await offered('payments', 'create', '--method', '')).toEqual([...PAYMENT_METHODS]);
    expect(await offered('payments', 'create', '--reference', '')).toEqual([]);
    expect(await offered('payments', 'create', '--amount', '=', '12', '--ref')).toEqual(['--reference']);
  });

  describe.each(['bash', 'zsh'] as const)('in a real %s', (shell) => {
    test.skipIf(!canRun(shell) || !canRun('python3')).each(LINES)(
      'makes "%s" by Tab "%s"',
      async (typed, completed) => {
        expect(await typedIn(shell, `pg ${typed}`)).toBe(completed);
      },
    );
  });

  describe.skipIf(!canRun('zsh') || !canRun('python3'))('in a real zsh', () => {
    test('says beside each word and each option what it does', async () => {
      const words = await typedIn('zsh', 'pg payments ', { awaited: String.raw`create +-- [^\r\n]+` });
      expect(words).toMatch(/^create +-- Create a payment/);
      const options = await typedIn('zsh', 'pg advance 1h --i', { awaited: '--idempotency-key' });
      expect(options).toBe('--idempotency-key');
      const described = await typedIn('zsh', 'pg payments create --', {
        awaited: String.raw`--amount +-- [^\r\n]+`,
      });
      expect(described).toMatch(/^--amount +-- baht and satang: 1299\.00/);
    });

    test('completes the value of an option after the sign between them', async () => {
      expect(await typedIn('zsh', 'pg payments create --method=prom')).toBe(
        'payments create --method=promptpay',
      );
    });

    test('offers files where a file is named', async () => {
      const setup = '. "$HOME/_pg"; cd "$HOME"';
      expect(await typedIn('zsh', 'pg scenario run dri', { setup })).toBe('scenario run driver.py');
    });

    test('is found as the file _pg of a folder of fpath', async () => {
      const setup = 'fpath=("$HOME" $fpath); autoload -Uz compinit; compinit -u';
      expect(await typedIn('zsh', 'pg seed sm', { setup })).toBe('seed small');
    });
  });

  test.skipIf(!canRun('fish')).each(LINES)('completes in fish "%s" to "%s"', async (typed, completed) => {
    const script = `${completionScript('fish', LINE)}\ncomplete -C 'pg ${typed}'`;
    expect((await run('fish', ['-c', script])).stdout).toBe(`${completed.split(' ').at(-1)}\n`);
  });

  test.each(SHELLS)('has a script for %s with every command', (shell) => {
    const script = completionScript(shell, LINE);
    expect(script).toContain('payment.succeeded');
    expect(script).toContain('--forward-to');
    for (const words of Object.keys(LINE.commands)) {
      const [, before, last] = /^(.*?) ?(\S+)$/.exec(words) ?? [];
      expect(script).toMatch(new RegExp(`["']${before}:0["'].*[' ]${last}[': ]`));
    }
  });
});
