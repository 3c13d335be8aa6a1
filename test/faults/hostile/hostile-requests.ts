import { randomUUID } from 'node:crypto';
import type { Endpoint, Schema } from './endpoints.ts';
import { MARK_END, type Sent } from './exchange.ts';

/** What must become of a request: refused with this status, or whatever the document tells of. */
export interface Hostile {
  readonly what: string;
  readonly sent: Sent;
  /** Null: it may be harmless. */
  readonly refusal: number | null;
  /** Where the refusal lists fields, it lists this one. */
  readonly field?: string;
}

type Change = Partial<Pick<Sent, 'path' | 'body' | 'method'>> & {
  readonly headers?: Readonly<Record<string, string | null>>;
};

const BODY_MAX_BYTES = 64 * 1_024;
const LEVELS = 10_000;
const OF_ANOTHER_KIND = 'att_01h455vb4pex5vsknk084sn02q';
const URL_SAFE_MAX = 4_000;

/** Everything hostile that can be done to one request that the operation would accept. */
export function hostileRequests(endpoint: Endpoint, valid: Sent, mark: string): Hostile[] {
  const bad = mark + MARK_END;
  const change = ({ headers = {}, ...rest }: Change): Sent => {
    // A key of its own, for the same one again is refused for that.
    const fresh = endpoint.takesIdempotencyKey && { 'Idempotency-Key': randomUUID() };
    const all = Object.entries({ ...valid.headers, ...fresh, ...headers });
    const sent = all.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
    return { ...valid, ...rest, headers: Object.fromEntries(sent) };
  };
  const made: Hostile[] = [];
  const add = (refusal: number | null, changes: Readonly<Record<string, Change>>, field?: string) => {
    for (const [what, how] of Object.entries(changes)) {
      made.push({ what, sent: change(how), refusal, ...(field !== undefined && { field }) });
    }
  };
  if (endpoint.isKeyed) {
    addHeaders(endpoint, valid, bad, add);
  }
  if (endpoint.body !== null) {
    addBodies(endpoint, endpoint.body, bad, add);
  }
  addPaths(endpoint, valid, bad, add);
  addQueries(endpoint, valid, bad, add);
  addForms(endpoint, bad, add);
  return made;
}

type Add = (refusal: number | null, changes: Readonly<Record<string, Change>>, field?: string) => void;

function addHeaders({ takesIdempotencyKey }: Endpoint, valid: Sent, bad: string, add: Add): void {
  const key = String(valid.headers.Authorization).slice('Bearer '.length);
  for (const sent of [null, '', 'Bearer', `Basic ${btoa(`${key}:`)}`, key, `Bearer ${bad}`, `Token ${key}`]) {
    add(401, { 'odd Authorization': { headers: { Authorization: sent } } });
  }
  for (const wrong of [key.slice(1), `${key}x`, key.toUpperCase(), `${key}, ${key}`, `${key}\u00e9`]) {
    add(401, { 'a key that is none': { headers: { Authorization: `Bearer ${wrong}` } } });
  }
  add(401, { 'a huge key': { headers: { Authorization: `Bearer ${bad.repeat(200)}` } } });
  add(401, {
    'a key in the query': { path: `${valid.path}?api_key=${key}`, headers: { Authorization: null } },
  });
  for (const version of [bad, '', 'latest', '2026-13-01', '2026-02-30', '0000-00-00', '9'.repeat(4_000)]) {
    add(400, { 'odd PG-Version': { headers: { 'PG-Version': version } } });
  }
  add(null, {
    'a far PG-Version': { headers: { 'PG-Version': '9999-12-31' } },
    'odd headers': { headers: { Cookie: bad, 'X-HTTP-Method-Override': 'DELETE', 'X-Forwarded-Host': bad } },
    'a huge header': { headers: { 'X-Odd': bad.repeat(200) } },
  });
  if (takesIdempotencyKey) {
    for (const sent of [null, '', ' ', bad.repeat(20), `"${bad}`, '"a"b"', `caf\u00e9${bad}`, '\u0080']) {
      add(400, { 'odd Idempotency-Key': { headers: { 'Idempotency-Key': sent } } });
    }
    add(null, { 'a quoted Idempotency-Key': { headers: { 'Idempotency-Key': `"\\"${bad.slice(0, -2)}"` } } });
  }
}

function addBodies({ example }: Endpoint, schema: Schema, bad: string, add: Add): void {
  const json = { 'Content-Type': 'application/json' };
  const raw = (body: string | Buffer) => ({ headers: json, body });
  const quoted = JSON.stringify(bad);
  const broken = [
    '{"a":',
    '{',
    '}',
    '"',
    `{a:${quoted}}`,
    "{'a':1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":+1}',
    '{}{}',
  ];
  const noJson = [
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":undefined}',
    '{"a":\u0000}',
    '{"a":"\u0000"}',
    `<a>${bad}`,
  ];
  for (const body of [
    ...broken,
    ...noJson,
    `{"a":"${'\ud83d'}\\u12"}`,
    '/**/{}',
    '[1',
    quoted.slice(0, -1),
  ]) {
    add(400, { 'broken JSON': raw(body) });
  }
  for (const bytes of [
    [0x7b, 0xff, 0x7d],
    [0x22, 0xc0, 0x80, 0x22],
    [0xed, 0xa0, 0x80],
    [0xfe, 0xff, 0, 0x7b],
  ]) {
    // API Gateway, and the local host like it, hands text on with the bad bytes replaced.
    add(null, { 'bytes that are no UTF-8': raw(Buffer.from(bytes)) });
  }
  for (const body of [
    'null',
    '[]',
    '1',
    'true',
    quoted,
    `[${quoted}]`,
    `[${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}]`,
  ]) {
    add(422, { 'no object': raw(body) }, 'body');
  }
  const whole = JSON.stringify(example);
  add(null, {
    'exactly 64 KB': raw(whole + ' '.repeat(BODY_MAX_BYTES - Buffer.byteLength(whole))),
    BOM: raw(`\ufeff${whole}`),
  });
  add(413, {
    'one byte more than 64 KB': raw(whole + ' '.repeat(BODY_MAX_BYTES + 1 - Buffer.byteLength(whole))),
    'two megabytes': raw(`{"pad":"${bad.repeat(50_000)}"}`),
  });
  add(422, { 'almost 64 KB': raw(JSON.stringify({ ...example, pad: bad + 'x'.repeat(65_000) })) }, 'pad');
  add(
    422,
    { 'thousands of fields': raw(`{${Array.from({ length: 4_000 }, (_, n) => `"f${n}":${n}`).join()}}`) },
    'f0',
  );
  const deep = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;
  add(422, { '10,000 levels': raw(withMember(example, 'deep', deep)) }, 'deep');
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf']) {
    const value = `{"polluted":${quoted},"prototype":{"polluted":true}}`;
    add(422, { 'a name of JavaScript': raw(withMember(example, name, value)) }, name);
  }
  for (const { path, schema: leaf } of leavesOf(schema)) {
    const field = path.join('.');
    const at = (value: string) => raw(withLeaf(example, path, value));
    if (leaf.type === 'integer' || leaf.type === 'number') {
      for (const value of ['1e309', '-1e309', '9007199254740993', '1.5', '1e-7', '"1"', '-1', deep]) {
        add(422, { [`${value.slice(0, 20)} for a number`]: at(value) }, field);
      }
      add(null, { 'minus nothing': at('-0'), 'an exponent': at('1e2') });
    } else if (leaf.type === 'string') {
      const marked = (text: string) => at(`"${text}${JSON.stringify(bad).slice(1)}`);
      for (const text of ['\\u0000', '\\ud800', '\\udc00x', '\\u001b[31m', '\\u0085']) {
        add(422, { [`${text} in a text`]: marked(text) }, field);
      }
      add(422, { 'depth for a text': at(deep) }, field);
      const strange = [
        '\u202e',
        '\u200b',
        'e\u0301'.repeat(9),
        '\u{1f468}\u200d\u{1f469}',
        '${7*7}',
        "' OR 1=1 --",
      ];
      for (const text of [
        ...strange,
        '\\u2028',
        'a'.repeat(200),
        '%00',
        '../../etc/passwd',
        '#scope',
        '\uffff',
      ]) {
        add(null, { 'a strange text': marked(text) });
      }
    } else if (leaf.additionalProperties !== undefined) {
      for (const name of ['__proto__', 'constructor', 'prototype']) {
        add(422, { 'a name of JavaScript in a map': at(`{"${name}":${quoted}}`) }, `${field}.${name}`);
      }
      add(null, { 'an inherited name in a map': at('{"toString":1,"valueOf":"x","length":2}') });
      add(422, { 'infinite in a map': at('{"k":1e309}') }, `${field}.k`);
      add(422, { 'NUL in a map': at(`{"k":"\\u0000","\\ud800":1}`) }, `${field}.k`);
    }
  }
  const [first = 'extra'] = Object.keys(schema.properties ?? {});
  add(422, { 'a field twice, the last one wrong': raw(withMember(example, first, `[${quoted}]`)) }, first);
  for (const type of [
    null,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    bad.slice(0, -2),
  ]) {
    add(415, { 'another media type': { headers: { 'Content-Type': type }, body: `{"a":${quoted}}` } });
  }
  add(415, { 'a form': { headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: '--x--' } });
  for (const type of ['APPLICATION/JSON', 'application/json; charset=utf-16', 'application/json;;']) {
    add(null, { 'JSON in other words': { headers: { 'Content-Type': type }, body: whole } });
  }
}

function addPaths({ path: template }: Endpoint, valid: Sent, bad: string, add: Add): void {
  const [bare = ''] = valid.path.split('?');
  const given = bare.split('/');
  const odd = ['%00', '%2F', '..%2f..%2fetc', '%E0%A4%A', '%ff', '%25', '*', '%F0%9F%92%A9', "'OR%201=1--"];
  const names = [
    '__proto__',
    'constructor',
    'undefined',
    'null',
    OF_ANOTHER_KIND,
    '0',
    '-1',
    '%E2%80%AE',
    '{id}',
  ];
  const long = ['a'.repeat(URL_SAFE_MAX), `pay_${'0'.repeat(300)}`, encodeURIComponent(bad)];
  for (const [place, segment] of template.split('/').entries()) {
    const right = given[place] ?? '';
    const near = [
      `${right}%00`,
      `${right}%20`,
      `${right}0`,
      right.slice(0, -1),
      `%20${right}`,
      right.toUpperCase(),
    ];
    const wrongs = segment.startsWith('{') ? [...odd, ...names, ...long, ...near] : [];
    if (wrongs.length > 0) {
      add(null, { 'a path that leads up': { path: given.with(place, '%2e%2e').join('/') } });
    }
    for (const wrong of wrongs) {
      add(404, { [`${wrong.slice(0, 30)} for an id`]: { path: given.with(place, wrong).join('/') } });
    }
  }
}

function addQueries({ query, isKeyed }: Endpoint, valid: Sent, bad: string, add: Add): void {
  const marked = encodeURIComponent(bad);
  const at = (text: string) => ({ path: `${valid.path}?${text}` });
  const names = Object.keys(query);
  if (names.length === 0) {
    add(null, { 'a query where none is taken': at(`a=${marked}&__proto__=1&limit=0&limit=1`) });
    return;
  }
  for (const text of ['surprise', '__proto__', 'constructor', 'limit[]', 'LIMIT', '%00', 'toString', '']) {
    const field = decodeURIComponent(text);
    add(422, { 'a query that nobody takes': at(`${text}=${marked}`) }, field);
  }
  for (const limit of [
    '',
    '0',
    '-1',
    '101',
    '1e2',
    '1.5',
    'NaN',
    '%201',
    '0x10',
    '9'.repeat(400),
    '%00',
    marked,
  ]) {
    add(422, { 'an odd limit': at(`limit=${limit}`) }, 'limit');
  }
  for (const cursor of ['', marked, '%00', 'x'.repeat(513), 'MTpwYXk=%00', ...forgedCursors()]) {
    add(422, { 'a forged cursor': at(`after=${cursor}`) }, 'after');
  }
  for (const [name, schema] of Object.entries(query).filter(([, { enum: members }]) => members)) {
    for (const value of ['', marked, `${schema.enum?.[0]}%20`, '__proto__']) {
      add(422, { 'no member in a query': at(`${name}=${value}`) }, name);
    }
  }
  const free = Object.entries(query).filter(([name, { enum: members }]) => !members && !isPageWord(name));
  for (const [name] of free) {
    for (const value of [
      '',
      marked,
      '%00',
      '%ff',
      '%F0%9F%92%A9',
      'x'.repeat(URL_SAFE_MAX),
      '%23scope',
      OF_ANOTHER_KIND,
    ]) {
      add(null, { 'an odd filter': at(`${name}=${value}`) });
    }
  }
  add(isKeyed ? 422 : null, { 'a query twice': at(`limit=1&limit=${marked}`) }, 'limit');
  add(null, { 'a broken query': at('limit=1&&&%zz'), 'a query of one sign': at('?') });
}

function isPageWord(name: string): boolean {
  return name === 'limit' || name === 'after';
}

/** Places that no page of a list has given out. */
function forgedCursors(): string[] {
  const places = [
    '999999999:pay_zzz',
    '-1:pay_0',
    '0:',
    ':',
    '0:PAY',
    '1e3:pay_0',
    '0:pay_0#x',
    '0:__proto__!',
    '{}',
  ];
  return places.map((place) => Buffer.from(place).toString('base64url'));
}

function addForms({ formFields, method }: Endpoint, bad: string, add: Add): void {
  if (formFields.length === 0 || method !== 'POST') {
    return;
  }
  const form = (body: string) => ({ headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body });
  const marked = encodeURIComponent(bad);
  const odd = [
    '',
    '%00',
    '%ff',
    '1e309',
    'NaN',
    '-1',
    '1.005',
    '9'.repeat(400),
    '%E2%80%AE',
    '0x10',
    '__proto__',
  ];
  for (const name of formFields) {
    for (const value of odd.flatMap((text) => [text, `${text}${marked}`])) {
      add(null, { 'a form with an odd field': form(`${name}=${value}&__proto__=${marked}`) });
    }
    add(null, { 'a field of a form twice': form(`${name}=1&${name}=${marked}`) });
  }
  add(413, { 'a huge form': form(`${formFields[0]}=${marked.repeat(1_000)}`) });
  add(null, {
    'JSON for a form': { headers: { 'Content-Type': 'application/json' }, body: `{"a":"${bad}"}` },
    'no form at all': form(''),
    'ten thousand fields': form('a=&'.repeat(2_000)),
  });
}

interface Leaf {
  readonly path: readonly string[];
  readonly schema: Schema;
}

function leavesOf(schema: Schema, path: readonly string[] = []): Leaf[] {
  return schema.properties === undefined
    ? [{ path, schema }]
    : Object.entries(schema.properties).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** A body with one leaf written as JSON text, for there are numbers that JavaScript cannot hold. */
function withLeaf(example: object, path: readonly string[], text: string): string {
  const placeholder = '@leaf@';
  const put = (value: unknown, [name, ...rest]: readonly string[]): unknown =>
    name === undefined
      ? placeholder
      : { ...(value as object), [name]: put((value as Record<string, unknown> | undefined)?.[name], rest) };
  return JSON.stringify(put(example, path)).replace(`"${placeholder}"`, () => text);
}

/** A body with one more member, after the others: of two with one name, the last one counts. */
function withMember(example: object, name: string, text: string): string {
  const members = JSON.stringify(example).slice(1, -1);
  return `{${members}${members === '' ? '' : ','}${JSON.stringify(name)}:${text}}`;
}
