import type { ApiRequest } from './api-request.ts';
import { namesIn } from './path-values.ts';
import type { ConsoleOperation } from './read-operations.ts';

/** A way to send the same request elsewhere. */
export interface ShownCommand {
  readonly name: 'curl' | 'TypeScript' | 'pg';
  readonly text: string;
}

/** In bash and in zsh, another value each time it is pasted. */
const FRESH_KEY = '"Idempotency-Key: $(date +%s)-$RANDOM$RANDOM"';

/** A text as one word of a shell. */
export const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The commands that send this request. The API key is a variable, since a copied command may be pasted anywhere. Only
 * curl repeats the Idempotency-Key: the client makes one for each call.
 * @param base the address of the service; null in samples, which take it from a variable and are new at each paste
 */
export function commandsOf(
  base: string | null,
  operation: ConsoleOperation,
  request: ApiRequest,
): ShownCommand[] {
  const curl: ShownCommand = { name: 'curl', text: asCurl(base, request) };
  if (operation.permission === null) {
    return [curl];
  }
  return [
    curl,
    { name: 'TypeScript', text: asTypeScript(base, operation, request) },
    { name: 'pg', text: asPg(operation, request) },
  ];
}

function asCurl(base: string | null, { method, path, headers, body, isKeyed }: ApiRequest): string {
  const sent = Object.entries(headers).map(([name, value]) =>
    base === null && name === 'Idempotency-Key' ? `-H ${FRESH_KEY}` : `-H ${quote(`${name}: ${value}`)}`,
  );
  return [
    `curl -X ${method} ${base === null ? `"$PG_BASE_URL${path}"` : quote(base + path)}`,
    ...(isKeyed ? ['-H "Authorization: Bearer $PG_KEY"'] : []),
    ...sent,
    ...(body === undefined ? [] : [`-d ${quote(body)}`]),
  ].join(' \\\n  ');
}

/** A call of the client's package. */
function asTypeScript(base: string | null, operation: ConsoleOperation, request: ApiRequest): string {
  const ids = idsIn(operation, request).map((id) => JSON.stringify(id));
  const fields = fieldsIn(operation, request);
  const given = [...ids, ...(fields === null ? [] : [JSON.stringify(fields, null, 2)])];
  return [
    "import { createClient } from 'payments-kit';",
    '',
    `const { ${base === null ? "PG_BASE_URL = '', " : ''}PG_KEY = '' } = process.env;`,
    `const client = createClient({ baseUrl: ${base === null ? 'PG_BASE_URL' : JSON.stringify(base)}, key: PG_KEY });`,
    `console.log(await client.${methodNameOf(operation)}(${given.join(', ')}));`,
  ].join('\n');
}

function asPg(operation: ConsoleOperation, request: ApiRequest): string {
  const fields = fieldsIn(operation, request);
  return [
    'pg call',
    methodNameOf(operation),
    ...idsIn(operation, request),
    ...(fields === null ? [] : ['--data', quote(JSON.stringify(fields))]),
  ].join(' ');
}

/** `createPayment` of `payments.CreatePayment`: the name of the method in the client. */
export function methodNameOf({ id }: { readonly id: string }): string {
  const name = id.slice(id.indexOf('.') + 1);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function idsIn({ path }: ConsoleOperation, request: ApiRequest): string[] {
  const sent = request.path.split('?')[0]?.split('/') ?? [];
  const steps = path.split('/');
  return namesIn(path).map((name) => decodeURIComponent(sent[steps.indexOf(`{${name}}`)] ?? ''));
}

/** What a request sends beside its ids; null if that is nothing. */
function fieldsIn({ parameters }: ConsoleOperation, { path, body }: ApiRequest): object | null {
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  const isNumeric = (name: string) =>
    parameters.find((parameter) => parameter.name === name)?.schema.type === 'integer';
  const asked = [...query].map(([name, value]) => [name, isNumeric(name) ? Number(value) : value]);
  try {
    const fields: unknown = body === undefined ? Object.fromEntries(asked) : JSON.parse(body);
    const isHeld = typeof fields === 'object' && fields !== null && Object.keys(fields).length > 0;
    return isHeld ? fields : null;
  } catch {
    return null;
  }
}
