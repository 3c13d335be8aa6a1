import type { PageLike } from '../../shared/client/list.ts';
import { quote } from '../../shared/story/commands.ts';
import type { PgOption } from '../terminal/options.ts';

/** What chooses a page, and is no filter of the list. */
const PAGE_OPTIONS: readonly PgOption[] = ['limit', 'after', 'after-sequence'];

/**
 * How to see more of a list: a cursor belongs to the filters that it was made with, so they are repeated. Empty if
 * there is no more.
 * @param names the options that the list takes
 */
export function moreText(
  page: PageLike<unknown>,
  names: readonly PgOption[],
  values: Readonly<Record<string, unknown>>,
): string {
  if (!page.has_more) {
    return '';
  }
  const given = (some: readonly PgOption[]) =>
    some.filter((name) => values[name] !== undefined).map((name) => optionText(name, String(values[name])));
  const filters = given(names.filter((name) => !PAGE_OPTIONS.includes(name)));
  const all = [...filters, ...given(['after-sequence']), '--all'];
  const next =
    page.next_cursor === null
      ? optionText('after-sequence', String(page.next_sequence))
      : optionText('after', page.next_cursor);
  return `More: ${all.join(' ')}, or ${[...filters, next].join(' ')}`;
}

/** An option as a shell takes it. */
function optionText(name: string, value: string): string {
  const word = /^[\w@%+=:,./-]+$/.test(value) ? value : quote(value);
  return value.startsWith('-') ? `--${name}=${word}` : `--${name} ${word}`;
}
