/**
 * `test`: may be used. `unfinished`: may become one. `live`: said to be live. `other`: begins with something else.
 * `malformed`: begins like a test key, and has what no key has.
 */
export type KeyVerdict = 'empty' | 'unfinished' | 'test' | 'live' | 'other' | 'malformed';

/** What a text is that somebody gave as an API key. Only what begins with `pg_test_` is ever used (interface). */
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
