import type { ApiRequest } from '../story/api-request.ts';

/* A request as a program in languages that have no client of ours, each with its own library alone. */

/** A program of Python's own library. */
export function asPython({ method, path, headers, body }: ApiRequest): string {
  const sent = Object.entries(headers).map(([name, value]) =>
    name === 'Idempotency-Key' ? `"${name}": str(uuid.uuid4()),` : `"${name}": "${value}",`,
  );
  const fields = body === undefined ? null : pythonValue(JSON.parse(body)).replaceAll('\n', '\n    ');
  return [
    ...(fields === null ? [] : ['import json']),
    'import os',
    'import urllib.request',
    ...(Object.hasOwn(headers, 'Idempotency-Key') ? ['import uuid'] : []),
    '',
    'request = urllib.request.Request(',
    `    os.environ["PG_BASE_URL"] + "${path}",`,
    `    method="${method}",`,
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["PG_KEY"],',
    ...sent.map((line) => `        ${line}`),
    '    },',
    ...(fields === null ? [] : [`    data=json.dumps(${fields}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.read().decode())',
  ].join('\n');
}

/** JSON as Python writes it: only three words are others. */
function pythonValue(value: unknown): string {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:\\.|[^"\\])*"|true|false|null/g,
    (word) => words[word] ?? word,
  );
}

/** A program of Go's own library. */
export function asGo({ method, path, headers, body }: ApiRequest): string {
  const isFresh = Object.hasOwn(headers, 'Idempotency-Key');
  const imports = ['fmt', 'io', 'net/http', 'os', ...(body === undefined ? [] : ['strings'])];
  const sent = Object.entries(headers).map(([name, value]) =>
    name === 'Idempotency-Key'
      ? `request.Header.Set("${name}", fmt.Sprint(time.Now().UnixNano()))`
      : `request.Header.Set("${name}", "${value}")`,
  );
  const given = body === undefined ? 'nil' : `strings.NewReader(${goText(body)})`;
  return [
    'package main',
    '',
    'import (',
    ...[...imports, ...(isFresh ? ['time'] : [])].map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest("${method}", os.Getenv("PG_BASE_URL")+"${path}", ${given})`,
    ...FAILS,
    '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("PG_KEY"))',
    ...sent.map((line) => `\t${line}`),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...FAILS,
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    ...FAILS,
    '\tfmt.Println(response.StatusCode, string(text))',
    '}',
  ].join('\n');
}

const FAILS = ['\tif err != nil {', '\t\tpanic(err)', '\t}'];

function goText(text: string): string {
  return text.includes('`') ? JSON.stringify(text) : `\`${text}\``;
}

/** A program of PHP itself, without an extension. */
export function asPhp({ method, path, headers, body }: ApiRequest): string {
  const sent = Object.entries(headers).map(([name, value]) =>
    name === 'Idempotency-Key' ? `'${name}: ' . bin2hex(random_bytes(16)),` : `'${name}: ${value}',`,
  );
  return [
    '<?php',
    "$request = stream_context_create(['http' => [",
    `    'method' => '${method}',`,
    "    'header' => [",
    "        'Authorization: Bearer ' . getenv('PG_KEY'),",
    ...sent.map((line) => `        ${line}`),
    '    ],',
    ...(body === undefined ? [] : [`    'content' => ${phpText(body)},`]),
    ']]);',
    `echo file_get_contents(getenv('PG_BASE_URL') . '${path}', false, $request), "\\n";`,
  ].join('\n');
}

function phpText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
