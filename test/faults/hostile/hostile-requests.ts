import { randomUUID } from 'node:crypto';
import type { Endpoint, Schema } from './endpoints.ts';
import { MARK_END, type Sent } from './exchange.ts';

export interface Hostile {
  readonly what: string;
  readonly sent: Sent;
  /** The status with which it must be refused; null if it may be harmless. */
  readonly refusal: number | null;
  /** If the refusal lists fields, it lists this one. */
  readonly field?: string;
}

type Write = Partial<Pick<Sent, 'path' | 'body'>> & {
  readonly headers?: Readonly<Record<string, string | null>>;
};
type Add = (refusal: number | null, what: string, changes: readonly Write[], field?: string) => void;

const BODY_MAX_BYTES = 64 * 1_024;
const LEVELS = 10_000;
const URL_SAFE_MAX = 4_000;
const DEEP = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;
const MANY = `{${Array.from({ length: 4_000 }, (_, n) => `"f${n}":${n}`).join()}}`;
const OF_ANOTHER_KIND = 'att_01h455vb4pex5vsknk084sn02q';

const BROKEN_JSON = words(
  `{"a": { } " {'a':1} {"a":1,} {"a":01} {"a":+1} {}{} [1 /**/{} {"a":NaN} {"a":Infinity} {"a":undefined} {"a":\u0000} {"a":"\u0000"} {"a":"\\u12"}`,
);
const NO_UTF8 = [
  [0x7b, 0xff, 0x7d],
  [0x22, 0xc0, 0x80, 0x22],
  [0xed, 0xa0, 0x80],
].map((bytes) => Buffer.from(bytes));
const JAVASCRIPT = words('__proto__ constructor prototype toString hasOwnProperty valueOf');
const NUMBERS = words('1e309 -1e309 9007199254740993 1.5 1e-7 "1" -1');
/** In JSON: NUL, halves of characters, control characters. */
const UNCLEAN = words('\\u0000 \\ud800 \\udc00x \\u001b[31m \\u0085');
const STRANGE = words(
  "\u202e \u200b e\u0301\u0301\u0301 \u{1f468}\u200d\u{1f469} {{7*7}} 'OR'1'='1 \\u2028 %00 ../../etc/passwd #scope \uffff",
);
const ODD_SEGMENTS = words(
  `%00 %2F ..%2f..%2fetc %E0%A4%A %ff %25 * %F0%9F%92%A9 'OR%201=1-- __proto__ constructor undefined null 0 -1 %E2%80%AE {id} ${OF_ANOTHER_KIND}`,
);
const ODD_LIMITS = words('0 -1 101 1e2 1.5 NaN %201 0x10 %00');
/** Cursors that no list has returned. */
const FORGED_CURSORS = words('999999999:pay_zzz -1:pay_0 0: : 0:PAY 1e3:pay_0 0:pay_0#x 0:__proto__! {}').map(
  (index) => Buffer.from(index).toString('base64url'),
);
const ODD_FORM_VALUES = words('%00 %ff 1e309 NaN -1 1.005 %E2%80%AE 0x10 __proto__');

/** Everything hostile that can be done to one request that the operation would accept. */
export function hostileRequests(endpoint: Endpoint, valid: Sent, mark: string): Hostile[] {
  const bad = mark + MARK_END;
  const made: Hostile[] = [];
  const add: Add = (refusal, what, changes, field) => {
    for (const { headers, ...rest } of changes) {
      // A new key, because reusing a key is refused for that reason.
      const fresh = endpoint.takesIdempotencyKey && { 'Idempotency-Key': randomUUID() };
      const all = Object.entries({ ...valid.headers, ...fresh, ...headers });
      const given = Object.fromEntries(
        all.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
      );
      const sent = { ...valid, ...rest, headers: given };
      made.push({ what, sent, refusal, ...(field !== undefined && { field }) });
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

function addHeaders({ takesIdempotencyKey }: Endpoint, valid: Sent, bad: string, add: Add): void {
  const named = (name: string) => (value: string | null) => ({ headers: { [name]: value } });
  const key = String(valid.headers.Authorization).slice('Bearer '.length);
  const wrongKeys = [
    bad,
    key.slice(1),
    `${key}x`,
    key.toUpperCase(),
    `${key}, ${key}`,
    `${key}\u00e9`,
    bad.repeat(200),
  ];
  const others = [null, '', 'Bearer', `Basic ${btoa(`${key}:`)}`, key, `Token ${key}`];
  const bearers = wrongKeys.map((wrong) => `Bearer ${wrong}`);
  add(401, 'an odd Authorization', [...others, ...bearers].map(named('Authorization')));
  add(401, 'a key in the query', [
    { path: `${valid.path}?api_key=${key}`, headers: { Authorization: null } },
  ]);
  const versions = [bad, '', 'latest', '2026-13-01', '2026-02-30', '0000-00-00', '9'.repeat(4_000)];
  add(400, 'an odd PG-Version', versions.map(named('PG-Version')));
  add(null, 'a far PG-Version', ['9999-12-31'].map(named('PG-Version')));
  add(null, 'odd headers', [
    { headers: { Cookie: bad, 'X-HTTP-Method-Override': 'DELETE', 'X-Odd': bad.repeat(200) } },
  ]);
  if (takesIdempotencyKey) {
    const keys = [null, '', ' ', bad.repeat(20), `"${bad}`, '"a"b"', `caf\u00e9${bad}`, '\u0080'];
    add(400, 'an odd Idempotency-Key', keys.map(named('Idempotency-Key')));
    add(null, 'a quoted Idempotency-Key', [`"\\"${bad.slice(0, -2)}"`].map(named('Idempotency-Key')));
  }
}

function addBodies({ example }: Endpoint, schema: Schema, bad: string, add: Add): void {
  const quoted = JSON.stringify(bad);
  const raw = (body: string | Buffer) => ({ headers: { 'Content-Type': 'application/json' }, body });
  const typed = (type: string | null, body: string) => ({ headers: { 'Content-Type': type }, body });
  const whole = JSON.stringify(example);
  const padded = (bytes: number) => whole + ' '.repeat(bytes - Buffer.byteLength(whole));
  const lists = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`;

  add(400, 'broken JSON', [...BROKEN_JSON, `{a:${quoted}}`, `<a>${bad}`, quoted.slice(0, -1)].map(raw));
  // API Gateway, and the local host like it, hands text on with the bad bytes replaced.
  add(null, 'null for an empty body', [raw('null')]);
  add(null, 'bytes that are no UTF-8', NO_UTF8.map(raw));
  add(422, 'no object', ['[]', '1', 'true', quoted, `[${quoted}]`, lists].map(raw), 'body');
  add(null, 'exactly 64 KB, or a mark of byte order', [padded(BODY_MAX_BYTES), `\ufeff${whole}`].map(raw));
  add(413, 'too large', [padded(BODY_MAX_BYTES + 1), `{"pad":"${bad.repeat(50_000)}"}`].map(raw));
  add(422, 'almost 64 KB', [raw(withMember(example, 'pad', `"${'x'.repeat(65_000)}"`))], 'pad');
  add(422, 'thousands of fields', [raw(MANY)], 'f0');
  add(422, '10,000 levels', [raw(withMember(example, 'deep', DEEP))], 'deep');
  for (const name of JAVASCRIPT) {
    const value = `{"polluted":${quoted},"prototype":{"polluted":true}}`;
    add(422, 'a name of JavaScript', [raw(withMember(example, name, value))], name);
  }
  for (const { path, schema: leaf } of leavesOf(schema)) {
    const field = path.join('.');
    const at = (value: string) => raw(withLeaf(example, path, value));
    const marked = (text: string) => at(`"${text}${quoted.slice(1)}`);
    if (leaf.type === 'integer' || leaf.type === 'number') {
      add(422, 'a number out of this world', NUMBERS.map(at), field);
      add(null, 'a number in other words', ['-0', '1e2'].map(at));
    } else if (leaf.type === 'string') {
      add(422, 'an unclean text', [...UNCLEAN.map(marked), at(DEEP)], field);
      add(null, 'a strange text', STRANGE.map(marked));
    } else if (leaf.additionalProperties !== undefined) {
      for (const name of JAVASCRIPT.slice(0, 3)) {
        add(422, 'a name of JavaScript in a map', [at(`{"${name}":${quoted}}`)], `${field}.${name}`);
      }
      add(null, 'an inherited name in a map', [at('{"toString":1,"valueOf":"x","length":2}')]);
      add(
        422,
        'what a map cannot hold',
        ['{"k":1e309}', '{"k":"\\u0000","\\ud800":1}'].map(at),
        `${field}.k`,
      );
    }
  }
  const twice = Object.keys(example).map((name) => withMember(example, name, `[${quoted}]`));
  add(400, 'a field twice, the last one wrong', twice.map(raw));
  const types = [
    null,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    bad.slice(0, -2),
  ];
  add(
    415,
    'another media type',
    types.map((type) => typed(type, `{"a":${quoted}}`)),
  );
  const spellings = ['APPLICATION/JSON', 'application/json; charset=utf-16', 'application/json;;'];
  add(
    null,
    'the media type in other words',
    spellings.map((type) => typed(type, whole)),
  );
}

function addPaths({ path: template }: Endpoint, valid: Sent, bad: string, add: Add): void {
  const given = valid.path.split('/');
  for (const [index, segment] of template.split('/').entries()) {
    const right = given[index] ?? '';
    const at = (text: string) => ({ path: given.with(index, text).join('/') });
    if (segment.startsWith('{')) {
      const near = [
        `${right}%00`,
        `${right}%20`,
        `${right}0`,
        right.slice(0, -1),
        `%20${right}`,
        right.toUpperCase(),
      ];
      const long = ['a'.repeat(URL_SAFE_MAX), `pay_${'0'.repeat(300)}`, encodeURIComponent(bad)];
      add(404, 'what is no id', [...ODD_SEGMENTS, ...near, ...long].map(at));
      add(null, 'a path that leads up', ['%2e%2e'].map(at));
    }
  }
}

function addQueries({ query }: Endpoint, valid: Sent, bad: string, add: Add): void {
  const marked = encodeURIComponent(bad);
  const at = (text: string) => ({ path: `${valid.path}?${text}` });
  if (Object.keys(query).length === 0) {
    add(null, 'a query where none is taken', [at(`a=${marked}&__proto__=1&limit=0&limit=1`)]);
    return;
  }
  for (const name of ['surprise', '__proto__', 'constructor', 'limit[]', 'LIMIT', '%00', 'toString', '']) {
    add(422, 'a query that nobody takes', [at(`${name}=${marked}`)], decodeURIComponent(name));
  }
  const limits = [...ODD_LIMITS, '', marked, '9'.repeat(400), `1&limit=${marked}`];
  add(
    422,
    'an odd limit',
    limits.map((limit) => at(`limit=${limit}`)),
    'limit',
  );
  const cursors = [...FORGED_CURSORS, '', marked, '%00', 'x'.repeat(513), 'MTpwYXk=%00'];
  add(
    422,
    'a forged cursor',
    cursors.map((cursor) => at(`after=${cursor}`)),
    'after',
  );
  for (const [name, { enum: members }] of Object.entries(query)) {
    const others = [
      '',
      marked,
      `${members?.[0]}%20`,
      '__proto__',
      '%00',
      '%ff',
      '%23scope',
      OF_ANOTHER_KIND,
      'x'.repeat(URL_SAFE_MAX),
    ];
    const queries = others.map((value) => at(`${name}=${value}`));
    if (members !== undefined) {
      add(422, 'no member in a query', queries, name);
    } else {
      add(null, 'an odd filter', queries);
    }
  }
  add(null, 'a broken query', [at('limit=1&&&%zz'), at('?')]);
}

function addForms({ formFields, method }: Endpoint, bad: string, add: Add): void {
  if (formFields.length === 0 || method !== 'POST') {
    return;
  }
  const marked = encodeURIComponent(bad);
  const typed = (type: string) => (body: string) => ({ headers: { 'Content-Type': type }, body });
  const form = typed('application/x-www-form-urlencoded');
  for (const name of formFields) {
    const values = [...ODD_FORM_VALUES, '', '9'.repeat(400)].flatMap((text) => [text, `${text}${marked}`]);
    add(
      null,
      'a form with an odd field',
      values.map((value) => form(`${name}=${value}&__proto__=${marked}`)),
    );
    add(null, 'a field of a form twice', [form(`${name}=1&${name}=${marked}`)]);
  }
  add(413, 'a huge form', [form(`${formFields[0]}=${marked.repeat(1_000)}`)]);
  add(null, 'no form', ['', 'a=&'.repeat(2_000)].map(form));
  add(null, 'JSON for a form', [`{"a":"${bad}"}`].map(typed('application/json')));
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

function words(text: string): string[] {
  return text.split(' ');
}
