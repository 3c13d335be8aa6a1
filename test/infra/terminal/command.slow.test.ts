// @module-tag nightly
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../infra/pg/commands.ts';
import { swallowedOption } from '../../../infra/terminal/command.ts';
import { runToEnd } from '../../support/tools/run-to-end.ts';

/** Every program of people, and the commands of operators: how each is run, and what it is called. */
const PROGRAMS = [
  ['infra/pg/pg.ts', 'pg'],
  ['infra/local/start.ts', 'npm start --'],
] as const;
const OPERATORS = [
  'keys',
  'merchants',
  'providers',
  'erase',
  'jobs',
  'stages',
  'deploy',
  'restore',
  'destroy',
];
const COMMANDS = [
  ...PROGRAMS,
  ...OPERATORS.map((name) => [`infra/pg/pg.ts admin ${name}`, `pg admin ${name}`] as const),
];

const { version, scripts } = JSON.parse(await readFile('package.json', 'utf8'));
const PAYMENT_ID = 'pay_01h455vb4pex5vsknk084sn02q';

/** Runs a command where there is neither a service nor an account, and says how it ended. */
function command(...args: readonly string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };
  return runToEnd(args, env);
}

describe.each(COMMANDS)('%s', (file, name) => {
  test('shows its usage with --help or -h, whatever else is given', async () => {
    const usage = { code: 0, stdout: expect.stringMatching(/^Usage:/), stderr: '' };
    expect(await command(...file.split(' '), '--help')).toEqual(usage);
    expect(await command(...file.split(' '), 'word', '--no-such', '-h')).toEqual(usage);
  });

  test('says which option it does not know, in a line, and where its usage is', async () => {
    expect(await command(...file.split(' '), '--surprise')).toEqual({
      code: 1,
      stdout: '',
      stderr: `Unknown option '--surprise'. "${name} --help" shows the usage.\n`,
    });
  });
});

test.each(PROGRAMS)('%s prints the version of the package with --version', async (file) => {
  expect(await command(file, '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([...OPERATORS.map((name) => [name, name]), ['stacks', 'stages']])(
  'pg %s, which was the name of a script, names the command of operators',
  async (old, name) => {
    expect(await command('infra/pg/pg.ts', String(old), 'list', '--merchant', 'acme')).toEqual({
      code: 1,
      stdout: '',
      stderr: `"pg ${old}" is "pg admin ${name}" now. "pg --help" shows the usage.\n`,
    });
  },
);

test('npm has 18 scripts at most', () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(18);
});

describe.each<[words: string, what: string]>([
  ['infra/pg/pg.ts admin keys', 'Missing command. Commands: create, list, '],
  ['infra/pg/pg.ts admin keys explain', "Unknown command 'explain'."],
  ['infra/pg/pg.ts admin keys toString', "Unknown command 'toString'."],
  ['infra/pg/pg.ts admin keys list --label x', "Unknown option '--label'."],
  ['infra/pg/pg.ts admin keys list acme', "Too many arguments for 'list'. Expected 0 arguments but got 1."],
  [
    'infra/pg/pg.ts admin keys revoke key_1 key_2',
    "Too many arguments for 'revoke'. Expected 1 argument but got 2.",
  ],
  ['infra/pg/pg.ts admin keys revoke', "Missing required argument 'KEY_ID'."],
  ['infra/pg/pg.ts admin keys roll', "Missing required argument 'KEY_ID'."],
  ['infra/pg/pg.ts admin keys revoke key_1 --overlap 1h', "Unknown option '--overlap'."],
  ['infra/pg/pg.ts admin keys list --merchant', "Option '--merchant <NAME>' argument missing."],
  ['infra/pg/pg.ts admin jobs', 'Missing command. Commands: parked, unknown.'],
  ['infra/pg/pg.ts admin jobs waiting', "Unknown command 'waiting'."],
  [
    'infra/pg/pg.ts admin jobs parked yesterday',
    "Too many arguments for 'parked'. Expected 0 arguments but got 1.",
  ],
  ['infra/pg/pg.ts admin erase', 'Missing options: --payment <ID>, --merchant <NAME>.'],
  ['infra/pg/pg.ts admin erase --payment ref_1', '--payment takes the id of a payment: pay_….'],
  [`infra/pg/pg.ts admin erase --payment ${PAYMENT_ID}`, 'Missing option: --merchant <NAME>.'],
  [
    `infra/pg/pg.ts admin erase --payment ${PAYMENT_ID} --merchant a --mode prod`,
    '--mode takes one of: test, live.',
  ],
  ['infra/pg/pg.ts admin stages mine', "Too many arguments for 'stages'. Expected 0 arguments but got 1."],
  ['infra/pg/pg.ts admin stages --json=yes', "Unknown option '--json=yes'."],
  ['infra/pg/pg.ts admin deploy production', 'A stage is named by --stage NAME, not by "production" alone.'],
  ['infra/pg/pg.ts admin destroy', 'Name the stage to remove: --stage NAME or --branch NAME.'],
  [
    'infra/pg/pg.ts admin destroy production',
    "Too many arguments for 'destroy'. Expected 0 arguments but got 1.",
  ],
  ['infra/local/start.ts fresh', 'Too many arguments. Expected 0 arguments but got 1.'],
  ['infra/pg/pg.ts admin keys list --merchant a --merchant b', '--merchant is given twice.'],
  ['infra/pg/pg.ts admin keys --dir a list --dir a', '--dir is given twice.'],
  ['infra/pg/pg.ts payments create --amount 1 --amount 2', '--amount is given twice.'],
  ['infra/local/start.ts --ahead 1m --ahead 2m', '--ahead is given twice.'],
  ['infra/pg/pg.ts admin keys revok', "Unknown command 'revok'. Did you mean revoke?"],
  ['infra/pg/pg.ts admin keys list --merchnat a', "Unknown option '--merchnat'. Did you mean --merchant?"],
  ['infra/pg/pg.ts admin erase --paymnt x', "Unknown option '--paymnt'. Did you mean --payment?"],
  ['infra/pg/pg.ts admin', 'Missing command. Commands: keys, merchants, '],
  ['infra/pg/pg.ts admin stacks', "Unknown command 'stacks'. Did you mean stages?"],
  ['infra/pg/pg.ts --key pg_test_1 admin keys list', "Unknown option '--key'."],
  ['infra/pg/pg.ts frobnicate', "Unknown command 'frobnicate'."],
  ['infra/pg/pg.ts purgee', "Unknown command 'purgee'. Did you mean purge?"],
  ['infra/pg/pg.ts evnts', "Unknown command 'evnts'. Did you mean events?"],
  ['infra/pg/pg.ts payment', "Unknown command 'payment'. Did you mean payments?"],
  ['infra/pg/pg.ts payment craete', "Unknown command 'payment'. Did you mean payments?"],
  ['infra/pg/pg.ts payments', 'Missing command. Commands: list, get, create, cancel, handled.'],
  ['infra/pg/pg.ts settlements', 'Missing command. Commands: list, get.'],
  ['infra/pg/pg.ts payments crate', "Unknown command 'crate'. Did you mean create?"],
  ['infra/pg/pg.ts payments wipe', "Unknown command 'wipe'."],
  ['infra/pg/pg.ts events lst', "Too many arguments for 'events'. Expected 0 arguments but got 1."],
  ['infra/pg/pg.ts payments list --amount 5', "Unknown option '--amount'."],
  ['infra/pg/pg.ts clock now', "Too many arguments for 'clock'. Expected 0 arguments but got 1."],
  ['infra/pg/pg.ts toString', "Unknown command 'toString'."],
])('%s', (words, what) => {
  test('says in a line what was wrong, and where the usage is', async () => {
    const { code, stdout, stderr } = await command(...words.split(' '));
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    });
    expect(stderr.slice(0, what.length)).toBe(what);
    expect(stderr).toMatch(/"(npm start --|pg) ([a-z]+ ){0,3}--help" shows the usage\.\n$/);
  });
});

describe('an option that npm took, for want of "--"', () => {
  const line = {
    name: 'npm start',
    says: '',
    commands: { list: { options: { merchant: { says: '' } } } },
  };

  test('is named', () => {
    const env = { npm_lifecycle_event: 'start', npm_config_merchant: 'acme' };
    expect(swallowedOption(line, env)).toBe('merchant');
  });

  test.each([
    { npm_lifecycle_event: 'start', npm_config_merchant: '' },
    { npm_lifecycle_event: 'start', npm_config_merchant: 'false' },
    { npm_lifecycle_event: 'start', npm_config_other: 'acme' },
    { npm_lifecycle_event: 'test', npm_config_merchant: 'acme' },
    { npm_config_merchant: 'acme' },
  ])('is none in the environment %j', (env) => {
    expect(swallowedOption(line, env)).toBeUndefined();
  });

  test('ends the command, which says where "--" goes', async () => {
    const { PATH, HOME } = process.env;
    const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      const args = ['start', '--silent', '--ahead=1m'];
      execFile('npm', args, { env: { PATH, HOME } }, (error, _stdout, stderr) =>
        resolve({ code: error?.code, stderr }),
      );
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(
      'npm took --ahead for an option of its own. Put -- after the name of the script: npm start -- …\n',
    );
  });
});

describe('pg', () => {
  test('is a program that any link to it starts, from any folder', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'pg-'));
    try {
      await symlink(path.resolve('pg'), path.join(dir, 'pg'));
      const { stdout } = await promisify(execFile)(path.join(dir, 'pg'), ['--help'], { cwd: dir });
      expect(stdout).toMatch(/^Usage: pg \[options\] \[command\]/);
      expect(stdout.match(/^\S.*:$/gm)).toEqual([
        'Options:',
        'The service on this machine:',
        'Payments:',
        'Events and webhooks:',
        'Test world:',
        'Everything:',
        'Operators:',
        'Commands:',
      ]);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  // One of the commands that each operation and each type of event has.
  const all = Object.entries(commands).filter(
    ([words, { run }]) =>
      run !== undefined && !/^(call|trigger) (?!requestRefund|payment\.created)/.test(words),
  );

  test.each(all)('%s has a help of its own', async (words, { takes = '', options = {} }) => {
    const { code, stdout, stderr } = await command('infra/pg/pg.ts', ...words.split(' '), '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [line = '', ...rest] = stdout.split('\n');
    expect(line.startsWith(`Usage: pg ${words}`)).toBe(true);
    expect(line).toContain(takes);
    for (const name of Object.keys(options)) {
      expect(rest.find((each) => each.startsWith(`  --${name} `))).toMatch(/ {2}\S.+$/);
    }
  });

  test('shows the commands of a kind where only the kind is given', async () => {
    const { stdout } = await command('infra/pg/pg.ts', 'sinks', '--help');
    expect(stdout).toContain('tail [options] [ID]');
    expect(stdout).not.toMatch(/^ {2}payments/m);
  });
});

test('what follows "--" on the line of a deployment is for CDK, --help too', async () => {
  const { stdout, stderr } = await command(
    'infra/pg/pg.ts',
    'admin',
    'deploy',
    '--stage',
    'Über',
    '--',
    '--help',
  );
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^A stage is named by /);
});

test.for(['', '{"baseUrl":"http://127.0.0.1:40', 'null', '{"key":"pg_test_1"}'])(
  'a damaged file of the local service, %j, is as none: a command says that it is not running',
  async (damaged, { onTestFinished }) => {
    const dir = await mkdtemp(path.join(tmpdir(), 'payments-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    await writeFile(path.join(dir, 'service.json'), damaged);
    const refusal = (sentence: RegExp) => ({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(await command('infra/pg/pg.ts', 'admin', 'jobs', 'parked', '--dir', dir)).toEqual(
      refusal(/^No service runs in \/[^\n]+\n$/),
    );
    expect(await command('infra/pg/pg.ts', 'clock', '--dir', dir)).toEqual(
      refusal(/^No service runs in \/[^\n]+\n$/),
    );
  },
);
