import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { API_COMMANDS as commands } from '../../../infra/commands/api-commands.ts';
import { moreText } from '../../../infra/commands/next-page.ts';
import type { PgOption } from '../../../infra/terminal/options.ts';
import type { PgRun } from '../../../infra/terminal/pg-command.ts';

const MORE = { data: [], has_more: true, next_cursor: 'Cur-sor_1' };
const PAGING = ['limit', 'after', 'after-sequence', 'all'];
/** Every command that lists, with the options that filter its list. */
const lists = Object.entries(commands).flatMap(([words, { options = {} }]) =>
  'all' in options ? [[words, Object.keys(options).filter((name) => !PAGING.includes(name))] as const] : [],
);

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a shell makes of the options. */
const wordsOf = (options: string) =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${options}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

/** What the command says beneath a page that is not the last. */
async function saidUnder(words: string, values: Readonly<Record<string, string>>): Promise<string> {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  async function* pages() {
    yield MORE;
  }
  const client = new Proxy({}, { get: () => () => ({ pages }) });
  await commands[words]?.run?.({ client, values, args: [] } as unknown as PgRun);
  return String(complain.mock.lastCall);
}

test.each(lists)(
  '%s says each filter again beside the cursor, which belongs to them',
  async (words, filters) => {
    const values = Object.fromEntries(filters.map((name, index) => [name, `value ${index}`]));
    const said = await saidUnder(words, { ...values, limit: '2', after: 'of-this-page' });
    const [all = '', next = ''] = said.replace(/^More: /, '').split(', or ');
    const given = Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
    expect(wordsOf(all).toSorted()).toEqual([...given, '--all'].toSorted());
    expect(wordsOf(next).toSorted()).toEqual([...given, '--after', 'Cur-sor_1'].toSorted());
    expect(await saidUnder(words, {})).toBe('More: --all, or --after Cur-sor_1');
  },
);

test('a filter reaches the next page as it was given, whatever a shell would make of it', {
  tags: 'slow',
}, () => {
  const name: PgOption = 'reference';
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
      fc.pre(!value.includes('\0'));
      const [, next = ''] = moreText(MORE, [name], { reference: value }).split(/ --all, or /);
      const words = wordsOf(next);
      expect(words[0] === '--reference' ? words[1] : words[0]?.replace('--reference=', '')).toBe(value);
      expect(words.slice(-2)).toEqual(['--after', 'Cur-sor_1']);
    }),
    { examples: [["it's; rm -rf $HOME"], ['-x'], ['--all'], ['`id`'], ['$(id)'], ['a b'], ['สมชาย']] },
  );
});

test('events after a number go on after the last one, of the same type', () => {
  const page = { data: [], has_more: true, next_cursor: null, next_sequence: 7 };
  const values = { type: 'payment.created', 'after-sequence': '0' };
  expect(moreText(page, ['type', 'after-sequence'], values)).toBe(
    'More: --type payment.created --after-sequence 0 --all, or --type payment.created --after-sequence 7',
  );
  expect(moreText({ ...page, has_more: false }, ['type'], values)).toBe('');
});
