/**
 * `test`: may be used. `unfinished`: the start of a test key. `live`: has the prefix of live keys. `other`: has another
 * prefix. `malformed`: has the prefix of test keys, and characters that no key has.
 */
export type KeyVerdict = 'empty' | 'unfinished' | 'test' | 'live' | 'other' | 'malformed';

/** Classifies a text that was entered as an API key. Only text that begins with `pg_test_` is ever used (interface). */
export function judgeKey(text: string): KeyVerdict {
  const prefix = 'pg_test_';
  const key = text.trim();
  if (key === '') {
    return 'empty';
  }
  if (!key.startsWith(prefix)) {
    const isLive = key.toLowerCase().startsWith('pg_live');
    return isLive ? 'live' : prefix.startsWith(key) ? 'unfinished' : 'other';
  }
  const secret = key.slice(prefix.length);
  return secret === '' ? 'unfinished' : /^[0-9A-Za-z]+$/.test(secret) ? 'test' : 'malformed';
}
