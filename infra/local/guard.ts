import { AsyncLocalStorage } from 'node:async_hooks';
import { requireVariable } from '../../shared/environment/variables.ts';
import { INDEXES, type IndexName, TABLE } from '../../shared/store/table/table.ts';
import { type Grant, grantsOf, talksToProvider } from '../aws/grants.ts';
import { SecretsFolder } from '../machine/secrets-folder.ts';

/** One access of a call to the table, as IAM checks it. */
interface Access {
  readonly action: string;
  readonly on: Grant['on'];
  readonly keys: readonly string[];
  /** The attributes that an update names. */
  readonly attributes: readonly string[];
}

type CommandInput = Readonly<Record<string, unknown>>;

/** A function, and the permissions of its role. */
interface GrantedFunction {
  readonly name: string;
  readonly grants: readonly Grant[];
  /** Whether it may read the secrets of providers. */
  readonly secrets: boolean;
}

const running = new AsyncLocalStorage<GrantedFunction>();
let standing: Promise<void> | undefined;

/** Runs a function with the grants that its role has in AWS, so that a missing grant already fails locally. */
export async function runGranted<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  standing ??= Promise.all([guardStore(), guardSecrets()]).then(() => undefined);
  await standing;
  return running.run(allowedTo(name), run);
}

/** The function that makes the current call; undefined outside of functions. */
export function runningFunction(): string | undefined {
  return running.getStore()?.name;
}

const known = new Map<string, GrantedFunction>();

function allowedTo(name: string): GrantedFunction {
  const allowed = known.get(name) ?? { name, grants: grantsOf(name), secrets: talksToProvider(name) };
  known.set(name, allowed);
  return allowed;
}

/** Makes functions read secrets from the folder of this machine, if they may. */
async function guardSecrets(): Promise<void> {
  const { readSecretsBy } = await import('../../shared/store/worlds/read-provider-secrets.ts');
  const folder = new SecretsFolder(requireVariable('secretsFolder'));
  readSecretsBy(async (worldId) => {
    if (running.getStore()?.secrets === false) {
      throw refused('No row of its role says that it talks to a provider, so it may read no secrets');
    }
    return folder.read(worldId).catch((error: Error) => {
      console.error(error.message);
      throw error;
    });
  });
}

/** Checks each call to the store. Calls outside of a function, by a command or a test, are not checked. */
async function guardStore(): Promise<void> {
  const [{ interceptCalls }, { dynamodb }] = await Promise.all([
    import('../../shared/store/table/aws-client.ts'),
    import('../../shared/store/table/client.ts'),
  ]);
  interceptCalls(dynamodb, (call, next) => {
    const grants = running.getStore()?.grants;
    for (const access of grants === undefined ? [] : accessesOf(call.operation, call.input as CommandInput)) {
      if (!grants?.some((grant) => isGranted(grant, access))) {
        const { action, on, keys } = access;
        throw refused(
          `The reads and changes of its role's rows grant no ${action} on ${on}, partition ${keys.join(', ')}`,
        );
      }
    }
    return next();
  });
}

/** @param why printed for the developer of the call, since the service's logs leave out error messages */
function refused(why: string): Error {
  console.error(why);
  return Object.assign(new Error('not granted'), { name: 'AccessDeniedException' });
}

function isGranted(grant: Grant, { action, on, keys, attributes }: Access): boolean {
  return (
    grant.actions.includes(action) &&
    grant.on === on &&
    keys.every((key) => grant.keys.some((pattern) => isLike(pattern, key))) &&
    (grant.attributes === undefined || attributes.every((name) => grant.attributes?.includes(name)))
  );
}

const patterns = new Map<string, RegExp>();

/** IAM's StringLike: `*` is any text, `?` one character. */
function isLike(pattern: string, text: string): boolean {
  const expression =
    patterns.get(pattern) ??
    new RegExp(
      `^${pattern
        .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.')}$`,
      's',
    );
  patterns.set(pattern, expression);
  return expression.test(text);
}

/**
 * The accesses of a call: several for a transaction or a batch.
 * @param input with plain values, or with those of DynamoDB's JSON
 * @throws Error for an operation that no function is granted
 * @internal
 */
export function accessesOf(operation: string, input: CommandInput): Access[] {
  switch (operation) {
    case 'GetItem':
    case 'DeleteItem':
    case 'UpdateItem':
    case 'PutItem':
      return [accessOf(operation, input)];
    case 'Query':
      return [queryOf(input)];
    case 'TransactWriteItems': {
      const items = input.TransactItems as readonly Readonly<Record<string, CommandInput>>[];
      return items
        .flatMap(Object.entries)
        .map(([kind, item]) => accessOf(`${kind}Item`, item as CommandInput));
    }
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.values(input.RequestItems as Readonly<Record<string, unknown>>).map((requests) => ({
        action: `dynamodb:${operation}`,
        on: 'table',
        keys: keysIn(requests),
        attributes: [],
      }));
    default:
      throw new Error(`${operation} is granted to nobody`);
  }
}

function accessOf(operation: string, input: CommandInput): Access {
  const key = (input.Key ?? input.Item) as CommandInput;
  const attributes = operation === 'UpdateItem' ? [...Object.keys(key), ...attributesIn(input)] : [];
  return {
    action: `dynamodb:${operation}`,
    on: 'table',
    keys: [textOf(key[TABLE.partitionKey])],
    attributes,
  };
}

/** The access of a query; its condition must begin with the partition key, `#pk = :pk`. */
function queryOf(input: CommandInput): Access {
  const [, name = '', value = ''] = /^(\S+) = (:\w+)/.exec(String(input.KeyConditionExpression)) ?? [];
  const names = input.ExpressionAttributeNames as Readonly<Record<string, string>> | undefined;
  const on = (input.IndexName as IndexName | undefined) ?? 'table';
  const { partitionKey } = on === 'table' ? TABLE : INDEXES[on];
  if ((names?.[name] ?? name) !== partitionKey) {
    throw new Error(`a query of ${on} must begin with its partition key`);
  }
  const key = textOf((input.ExpressionAttributeValues as CommandInput)[value]);
  return { action: 'dynamodb:Query', on, keys: [key], attributes: [] };
}

const WORDS_OF_EXPRESSIONS = /^(SET|REMOVE|ADD|DELETE|AND|OR|NOT|IN|BETWEEN)$/;

function attributesIn({
  UpdateExpression,
  ConditionExpression,
  ExpressionAttributeNames,
}: CommandInput): string[] {
  const names = ExpressionAttributeNames as Readonly<Record<string, string>> | undefined;
  const text = `${UpdateExpression ?? ''} ${ConditionExpression ?? ''}`;
  const words = text.match(/(?<![:#\w])[#\w]+\(?/g) ?? [];
  return words
    .filter((word) => !word.endsWith('(') && !WORDS_OF_EXPRESSIONS.test(word))
    .map((word) => names?.[word] ?? word);
}

function keysIn(requests: unknown): string[] {
  if (Array.isArray(requests)) {
    return requests.flatMap(keysIn);
  }
  const { Keys, DeleteRequest, PutRequest, ...key } = requests as Readonly<Record<string, CommandInput>>;
  const nested = Keys ?? DeleteRequest?.Key ?? PutRequest?.Item;
  return nested === undefined ? [textOf(key[TABLE.partitionKey])] : keysIn(nested);
}

/** The text of a value, either plain or in DynamoDB's form `{ S: text }`. */
function textOf(value: unknown): string {
  return String((value as { S?: string } | undefined)?.S ?? value);
}
