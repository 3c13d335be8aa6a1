import { globSync } from 'node:fs';
import path from 'node:path';
import type { Node } from 'typescript/unstable/ast';
import { SyntaxKind } from 'typescript/unstable/ast';
import { isTypeNode } from 'typescript/unstable/ast/is';
import {
  API,
  type Checker,
  type Symbol as Named,
  type Project,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';
import type { ResourceName } from '../../../shared/domain/resource.ts';
import { INDEX_PARTITIONS, PARTITIONS } from '../../../shared/store/table/keys.ts';
import { listBy, RESOURCE_ITEMS } from '../../../shared/store/table/resource-items.ts';

/*
 * What the code can do to the table, by static analysis: it follows every name from a function's handler to other code
 * of this repository, whether or not a run would go there. The types of keys give the kind of a partition.
 */

/** One thing that code does to one kind of partition: `get PAYMENT`, `list PAYMENTS`, `updateWorld epoch`. */
export type Act = string;

/** A place in the code that reads the table or makes a write. */
export interface Site {
  /** `shared/store/table/item.ts getItem`: the declaration that it is in. */
  readonly within: string;
  readonly verb: string;
  /** The text of the key. */
  readonly text: string;
  /** The kinds of partitions; null where the types do not determine them. */
  readonly kinds: readonly string[] | null;
}

/** A declaration at the top of a file, a member of a class, or of a table of functions. */
interface Declared {
  readonly name: string;
  readonly sites: Site[];
  /** Names of other declarations that it names. */
  readonly leadsTo: Set<string>;
  /** The values of `kind` and `resource` in what it makes. */
  readonly makes: Set<string>;
}

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Tables of functions, of which a key chooses one: each member is a declaration of its own. */
export const TABLES: readonly string[] = [
  'shared/store/writes.ts WRITES',
  'shared/store/writes.ts BESIDE',
  'shared/flows/jobs/run-job.ts RUNS',
];

type Finder = (
  checker: Checker,
  args: readonly Node[],
) => (readonly [verb: string, at: Node, kinds: string[] | null])[];

const keyAt =
  (verb: string, nth = 0): Finder =>
  (checker, args) =>
    args[nth] === undefined ? [] : [[verb, args[nth], kindsOfKey(checker, args[nth])]];
const keysAt =
  (verb: string, nth = 0): Finder =>
  (checker, args) =>
    args[nth] === undefined ? [] : [[verb, args[nth], kindsOfKeys(checker, args[nth])]];
const pkAt =
  (verb: string, nth = 0): Finder =>
  (checker, args) =>
    args[nth] === undefined ? [] : [[verb, args[nth], kindsOfPk(checker.getTypeAtLocation(args[nth]))]];
const pksAt =
  (verb: string, nth = 0): Finder =>
  (checker, args) =>
    args[nth] === undefined ? [] : [[verb, args[nth], kindsOfPk(elementOf(checker, args[nth]))]];
const resourceAt =
  (verb: string, kindsOf: (name: ResourceName) => string[], nth = 0): Finder =>
  (checker, args) => {
    const at = args[nth];
    const names = at && textsOf(checker.getTypeAtLocation(at));
    return at === undefined
      ? []
      : [[verb, at, names?.flatMap((name) => kindsOf(name as ResourceName)) ?? null]];
  };
const all =
  (...finders: readonly Finder[]): Finder =>
  (checker, args) =>
    finders.flatMap((find) => find(checker, args));

/** The effects of calls of these, derived from the arguments. Their bodies are not analysed. */
const PRIMITIVES: Readonly<Record<string, Finder>> = {
  'shared/store/table/client.ts callTable': (checker, [operation, input]) =>
    tableCallAt(checker, operation, input),
  'shared/store/table/item.ts getItem': keyAt('get'),
  'shared/store/table/item.ts findItem': keyAt('get', 2),
  'shared/store/table/item.ts insert': keyAt('put'),
  'shared/store/table/item.ts put': keyAt('put'),
  'shared/store/table/item.ts replace': keyAt('put'),
  'shared/store/table/item.ts update': keyAt('update'),
  'shared/store/table/item.ts remove': keyAt('delete'),
  'shared/store/table/item.ts removeRead': keyAt('delete'),
  'shared/store/table/item.ts queryPages': (checker, [query]) => partsAt(checker, 'query', query),
  'shared/store/table/item.ts queryPartition': pkAt('query'),
  'shared/store/table/item.ts queryNewest': pkAt('query'),
  'shared/store/table/item.ts keysIn': pkAt('query'),
  'shared/store/table/item.ts countPartition': pkAt('query'),
  'shared/store/table/get-items.ts getItems': keysAt('batchGet'),
  'shared/store/table/write-all.ts writeAll': all(keysAt('batchWrite'), keysAt('batchWrite', 1)),
  'shared/store/table/write-all.ts insertAll': keysAt('put'),
  'shared/store/table/index-entries.ts queryIndex': indexAt,
  'shared/store/table/index-entries.ts indexPages': indexAt,
  'shared/store/table/entity.ts find': resourceAt('get', (name) => [RESOURCE_ITEMS[name].partition]),
  'shared/store/table/entity.ts get': resourceAt('get', (name) => [RESOURCE_ITEMS[name].partition]),
  'shared/store/table/list.ts list': all(
    resourceAt('list', (name) => [
      `${RESOURCE_ITEMS[name].partition}S`,
      ...[listBy(name)?.partition ?? []].flat(),
    ]),
    resourceAt('batchGet', (name) => [RESOURCE_ITEMS[name].partition]),
  ),
  'shared/store/scheduler/due.ts readDueJobs': pksAt('query'),
  'shared/store/scheduler/due.ts countDueJobs': pksAt('query'),
  'shared/store/scheduler/due.ts nextJobAt': pksAt('query'),
  'shared/store/testkit/purge.ts listedIn': pkAt('list', 1),
  'shared/store/worlds/world.ts updateWorld': (_checker, [world]) =>
    world === undefined ? [] : [['update', world, ['WORLD']]],
  'shared/store/worlds/world.ts takeNumber': resourceAt(
    'updateWorld',
    (name) => [`${name}Count`, 'clockVersion'],
    1,
  ),
  'shared/store/scheduler/lease.ts isHeldBySomebody': keyAt('get'),
  'shared/store/scheduler/lease.ts Leases.take': keyAt('update'),
  'shared/store/scheduler/lease.ts Leases.release': keyAt('update'),
  'shared/store/scheduler/lease.ts Leases.isHeld': keyAt('update'),
  'shared/store/scheduler/lease.ts Leases.hold': keyAt('update'),
};

/** Parts of the primitives: their effects are those of their callers. */
const PARTS_OF_PRIMITIVES: readonly string[] = [
  // What is written is seen where the writes are made.
  'shared/store/table/commit.ts commit',
  'shared/store/table/commit.ts writeOne',
  'shared/store/table/get-items.ts getBatch',
  'shared/store/table/list.ts listPage',
  'shared/store/table/list.ts listNumbered',
  'shared/store/table/list.ts readEntries',
  'shared/store/table/list.ts queryBlock',
  'shared/store/scheduler/due.ts queryJobs',
  'shared/store/scheduler/lease.ts Leases',
  'shared/store/scheduler/lease.ts Leases.#write',
  'shared/store/scheduler/lease.ts Leases.#renew',
  'shared/store/scheduler/lease.ts Leases.#renewAll',
  'shared/store/scheduler/lease.ts Leases.#noteRenewal',
  'shared/store/table/list.ts listNumbered',
];

/** What each operation does to the items of its input. */
const VERBS: Readonly<Record<string, string>> = {
  GetItem: 'get',
  PutItem: 'put',
  UpdateItem: 'update',
  DeleteItem: 'delete',
  Query: 'query',
  BatchGetItem: 'batchGet',
  BatchWriteItem: 'batchWrite',
};

/** Everything that is declared in the code of the service, by name: `shared/store/table/item.ts getItem`. */
export function readCode(): ReadonlyMap<string, Declared> {
  const api = new API({ cwd: ROOT });
  try {
    const project = api.updateSnapshot({ openProjects: [path.join(ROOT, 'tsconfig.json')] }).getProjects()[0];
    if (project === undefined) {
      throw new Error('the project cannot be opened');
    }
    return new CodeReader(project).read();
  } finally {
    api.close();
  }
}

interface Body {
  readonly own: Declared;
  readonly node: Node;
  /** Parts of it that are declarations of their own. */
  readonly inner: ReadonlySet<Node>;
}

class CodeReader {
  readonly #project: Project;
  readonly #checker: Checker;
  readonly #declared = new Map<string, Declared>();
  readonly #names = new Map<Node, string>();
  readonly #bodies: Body[] = [];
  readonly #words = new Set<string>();

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  read(): ReadonlyMap<string, Declared> {
    for (const file of globSync('{functions,shared/{concurrency,domain,store,http,flows,webhooks}}/**/*.ts', {
      cwd: ROOT,
    })) {
      const source = this.#project.program.getSourceFile(path.join(ROOT, file));
      source?.forEachChild((statement) => this.#declare(file, statement));
    }
    for (const body of this.#bodies) {
      this.#readBody(body);
    }
    return this.#declared;
  }

  #declare(file: string, statement: Node): void {
    const { name, members } = statement as { name?: { text: string }; members?: readonly Node[] };
    switch (statement.kind) {
      case SyntaxKind.FunctionDeclaration:
        this.#add(`${file} ${name?.text}`, statement);
        break;
      case SyntaxKind.ClassDeclaration: {
        const methods = (members ?? []).filter(({ kind }) => METHODS.has(kind));
        this.#add(`${file} ${name?.text}`, statement, methods);
        for (const method of methods) {
          const own = `${file} ${name?.text}.${(method as { name?: { text: string } }).name?.text}`;
          this.#add(own, method);
          if (
            (method as { modifiers?: readonly Node[] }).modifiers?.some(
              ({ kind }) => kind === SyntaxKind.OverrideKeyword,
            )
          ) {
            // A library calls it.
            this.#declared.get(`${file} ${name?.text}`)?.leadsTo.add(own);
          }
        }
        break;
      }
      case SyntaxKind.VariableStatement:
        statement.forEachChild((list) =>
          list.forEachChild((variable) => {
            if (variable.kind === SyntaxKind.VariableDeclaration) {
              this.#declareVariable(file, variable);
            }
          }),
        );
        break;
      default:
    }
  }

  #declareVariable(file: string, variable: Node): void {
    const { name, initializer } = variable as unknown as { name: { text: string }; initializer?: Node };
    const own = `${file} ${name.text}`;
    const members = TABLES.includes(own)
      ? (initializer as unknown as { properties: readonly Node[] }).properties
      : [];
    this.#add(own, variable, members);
    for (const member of members) {
      this.#add(`${own}.${(member as unknown as { name: { text: string } }).name.text}`, member);
    }
  }

  #add(name: string, node: Node, inner: readonly Node[] = []): void {
    const own: Declared = { name, sites: [], leadsTo: new Set(), makes: new Set() };
    this.#declared.set(name, own);
    this.#words.add(name.split(/[ .]/).at(-1) ?? '');
    this.#names.set(node, name);
    this.#bodies.push({ own, node, inner: new Set(inner) });
  }

  #readBody({ own, node, inner }: Body): void {
    const nodes: Node[] = [];
    const collect = (each: Node): void => {
      if (isTypeNode(each) || inner.has(each)) {
        return;
      }
      nodes.push(each);
      each.forEachChild(collect);
    };
    node.forEachChild(collect);
    // A node with another name is not from this repository, so its symbol need not be looked up.
    const named = nodes.filter(
      (each) => NAMES.has(each.kind) && this.#words.has(String((each as { text?: string }).text)),
    );
    const symbols = named.length === 0 ? [] : this.#checker.getSymbolAtLocation(named);
    const targets = new Map<Node, string>();
    for (const [nth, each] of named.entries()) {
      const target = this.#targetOf(symbols[nth]);
      if (target !== undefined) {
        targets.set(each, target);
        own.leadsTo.add(target);
      }
    }
    const callees = new Set<Node>();
    for (const each of nodes) {
      this.#readNode(own, each, targets);
      if (each.kind === SyntaxKind.CallExpression) {
        callees.add(calleeOf((each as unknown as { expression: Node }).expression));
      }
    }
    // What a primitive is called with by others cannot be seen here.
    for (const [each, target] of targets) {
      if (target in PRIMITIVES && !callees.has(each) && target !== own.name) {
        own.sites.push({ within: own.name, verb: `pass ${target}`, text: this.#textOf(each), kinds: null });
      }
    }
  }

  readonly #targets = new Map<number, string | undefined>();

  /** The declaration in this repository that a symbol stands for, if any. */
  #targetOf(symbol: Named | undefined): string | undefined {
    if (symbol === undefined) {
      return undefined;
    }
    if (!this.#targets.has(symbol.id)) {
      const origin = symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
      const declaration = origin.valueDeclaration;
      const isOwn = declaration !== undefined && !declaration.path.includes('node_modules');
      const node = isOwn ? declaration.resolve(this.#project) : undefined;
      this.#targets.set(symbol.id, node && this.#names.get(node));
    }
    return this.#targets.get(symbol.id);
  }

  #readNode(own: Declared, node: Node, targets: ReadonlyMap<Node, string>): void {
    const isPrimitive = own.name in PRIMITIVES || PARTS_OF_PRIMITIVES.includes(own.name);
    if (node.kind === SyntaxKind.CallExpression) {
      const { expression, arguments: args } = node as unknown as {
        expression: Node;
        arguments: readonly Node[];
      };
      const target = targets.get(calleeOf(expression));
      const find = target === undefined ? undefined : PRIMITIVES[target];
      if (find !== undefined && !isPrimitive) {
        this.#addSites(own, find(this.#checker, args));
      }
      if (target === 'shared/domain/resource-change.ts changeOf') {
        for (const name of (args[0] && textsOf(this.#checker.getTypeAtLocation(args[0]))) ?? []) {
          own.makes.add(`resource ${name}`);
        }
      }
    } else if (node.kind === SyntaxKind.PropertyAssignment && !isPrimitive) {
      const { name, initializer } = node as unknown as { name: { text?: string }; initializer: Node };
      this.#readProperty(own, String(name.text), initializer);
    } else if (node.kind === SyntaxKind.ShorthandPropertyAssignment && !isPrimitive) {
      const { name } = node as unknown as { name: Node & { text: string } };
      this.#readProperty(own, name.text, name);
    }
  }

  /** Of `{ update: { key } }` and its like, and of `kind: 'hold'`. */
  #readProperty(own: Declared, name: string, value: Node): void {
    if (name === 'kind' || name === 'resource') {
      for (const text of textsOf(this.#checker.getTypeAtLocation(value)) ?? []) {
        own.makes.add(`${name} ${text}`);
      }
      return;
    }
    const part = { update: 'key', put: 'item', remove: 'key' }[name];
    const key =
      part && value.kind === SyntaxKind.ObjectLiteralExpression
        ? partOf(this.#checker, value, part)
        : undefined;
    if (key !== undefined) {
      const verb = name === 'remove' ? 'delete' : name;
      this.#addSites(own, [[verb, value, kindsOfKeyType(this.#checker, key, value)]]);
    }
  }

  #addSites(own: Declared, found: ReturnType<Finder>): void {
    for (const [verb, at, kinds] of found) {
      own.sites.push({ within: own.name, verb, text: this.#textOf(at), kinds });
    }
  }

  #textOf(node: Node): string {
    const source = node.getSourceFile().text as string;
    return source.slice(node.pos, node.end).trim().replace(/\s+/g, ' ').slice(0, 80);
  }
}

const NAMES: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.Identifier, SyntaxKind.PrivateIdentifier]);
const METHODS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);

/** The name that a call is made by: of `a.b()`, `b`. */
function calleeOf(expression: Node): Node {
  return expression.kind === SyntaxKind.PropertyAccessExpression
    ? (expression as unknown as { name: Node }).name
    : expression;
}

/** What a call of the table does: null as the kinds of partitions, where its operation or its key is not determined. */
function tableCallAt(checker: Checker, operation?: Node, input?: Node): ReturnType<Finder> {
  if (operation === undefined) {
    return [];
  }
  const names = textsOf(checker.getTypeAtLocation(operation)) ?? ['any'];
  return names.flatMap((name) => {
    const verb = VERBS[name];
    return verb === undefined ? [[name, operation, null] as const] : partsAt(checker, verb, input);
  });
}

/** The kinds of the partitions that an input names. */
function partsAt(checker: Checker, verb: string, input?: Node): ReturnType<Finder> {
  if (input === undefined) {
    return [];
  }
  const part = verb === 'put' ? 'Item' : verb === 'query' ? 'ExpressionAttributeValues' : 'Key';
  const type = partOf(checker, input, part);
  if (type === undefined) {
    return [[verb, input, null]];
  }
  const kinds =
    verb === 'query'
      ? kindsOfPk(propertyOf(checker, type, ':pk', input))
      : kindsOfKeyType(checker, type, input);
  return [[verb, input, kinds]];
}

function indexAt(checker: Checker, [query]: readonly Node[]): ReturnType<Finder> {
  const type = query && partOf(checker, query, 'pk');
  return query === undefined ? [] : [['list', query, kindsOfPk(type)]];
}

function partOf(checker: Checker, object: Node, name: string): Type | undefined {
  const type = checker.getTypeAtLocation(object);
  return type && propertyOf(checker, type, name, object);
}

function propertyOf(checker: Checker, type: Type, name: string, at: Node): Type | undefined {
  const property = checker.getPropertyOfType(type, name);
  return property && checker.getTypeOfSymbolAtLocation(property, at);
}

function kindsOfKey(checker: Checker, node: Node): string[] | null {
  const type = checker.getTypeAtLocation(node);
  return type === undefined ? null : kindsOfKeyType(checker, type, node);
}

function kindsOfKeyType(checker: Checker, type: Type, at: Node): string[] | null {
  const types = type.isUnionType() ? type.getTypes() : [type];
  const kinds = types.map((each) => kindsOfPk(propertyOf(checker, each, 'pk', at)));
  return kinds.includes(null) ? null : kinds.flatMap((each) => each ?? []);
}

function kindsOfKeys(checker: Checker, node: Node): string[] | null {
  const element = elementOf(checker, node);
  return element === undefined || element.flags & NEVER ? [] : kindsOfKeyType(checker, element, node);
}

const NEVER = 262_144;

function elementOf(checker: Checker, node: Node): Type | undefined {
  const type = checker.getTypeAtLocation(node);
  return type?.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined;
}

/** The texts that a type allows; null where it is not one of a few. */
function textsOf(type: Type | undefined): string[] | null {
  const types = type?.isUnionType() ? type.getTypes() : type === undefined ? [] : [type];
  const texts = types.map((each) => (each.isStringLiteralType() ? String(each.value) : null));
  return texts.length === 0 || texts.includes(null) ? null : (texts as string[]);
}

/** A scope as keys have it. */
const SCOPE = '0123456789abcdef.1';

/** The kinds of partitions whose keys a type allows; null where it allows any text. */
function kindsOfPk(type: Type | undefined): string[] | null {
  const types = type?.isUnionType() ? type.getTypes() : type === undefined ? [] : [type];
  const kinds = types.map((each) => {
    if (each.isStringLiteralType()) {
      return kindOfPk(String(each.value));
    }
    if (!each.isTemplateLiteralType()) {
      return null;
    }
    const [first = '', ...rest] = each.texts;
    return kindOfPk(
      first === '' ? [SCOPE, ...rest].join('x').replace(`${SCOPE}x`, SCOPE) : [first, ...rest].join('x'),
    );
  });
  return kinds.length === 0 || kinds.includes(null) ? null : (kinds as string[]);
}

function kindOfPk(pk: string): string | null {
  const patterns = {
    ...PARTITIONS,
    ...INDEX_PARTITIONS.newest,
    ...INDEX_PARTITIONS.related,
    ...INDEX_PARTITIONS.due,
    ...PARTITIONS,
  };
  const kinds = Object.entries(patterns).filter(([, pattern]) => isLike(pattern, pk));
  return kinds[0]?.[0] ?? null;
}

function isLike(pattern: string, text: string): boolean {
  const parts = [...pattern].map((sign) =>
    sign === '*' ? '.*' : sign === '?' ? '.' : sign.replace(/[\\^$.|+()[\]{}]/, '\\$&'),
  );
  return new RegExp(`^${parts.join('')}$`).test(text);
}

/** What the types of the code do not determine. An unused hint fails the tests. */
export interface Hints {
  /** By `<declaration> <verb>`: the kinds of partitions, or the attributes of worlds. */
  readonly kinds: Readonly<Record<string, readonly string[]>>;
  /** By `<declaration> <verb>`: the kinds, by what is made before (`kind hold`, `resource refund`). */
  readonly byMade: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Declarations that are of use only where something of this is made. */
  readonly needs: Readonly<Record<string, RegExp>>;
}

export interface Reached {
  readonly acts: ReadonlyMap<Act, readonly string[]>;
  /** Sites whose kind is not known. */
  readonly unknown: readonly Site[];
  readonly hinted: ReadonlySet<string>;
  readonly visited: ReadonlySet<string>;
}

/**
 * All effects that are reachable from a declaration.
 * @param never declarations, or parts of tables, that are not followed
 */
export function reach(
  code: ReadonlyMap<string, Declared>,
  entry: string,
  { kinds, byMade, needs }: Hints,
  never: readonly string[] = [],
): Reached {
  const visited = new Set<string>();
  const made = new Set<string>();
  const isLive = (name: string) => {
    const need = needs[name];
    const [table, member] = name.split(/\.(?=[^.]*$)/);
    const isChosen = TABLES.includes(String(table)) && !String(table).endsWith(' RUNS');
    return (
      !never.includes(name) &&
      (need === undefined || [...made].some((one) => need.test(one))) &&
      (!isChosen || made.has(`kind ${member}`) || made.has(`resource ${member}`))
    );
  };
  for (let before = -1; before < visited.size + made.size; ) {
    before = visited.size + made.size;
    const open = [entry, ...[...visited].flatMap((name) => nextOf(code, name))];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (!visited.has(name) && isLive(name)) {
        visited.add(name);
        for (const one of code.get(name)?.makes ?? []) {
          made.add(one);
        }
        open.push(...nextOf(code, name));
      }
    }
  }
  const acts = new Map<Act, string[]>();
  const unknown: Site[] = [];
  const hinted = new Set<string>();
  for (const site of [...visited].flatMap((name) => code.get(name)?.sites ?? [])) {
    const label = `${site.within} ${site.verb}`;
    const isOfWorld = site.verb === 'update' && site.kinds?.includes('WORLD') === true;
    const choice = byMade[label];
    const found =
      choice !== undefined
        ? Object.entries(choice).flatMap(([one, its]) =>
            [...made].some((each) => new RegExp(one).test(each)) ? its : [],
          )
        : (kinds[label] ?? (isOfWorld ? null : site.kinds));
    if (choice !== undefined || kinds[label] !== undefined) {
      hinted.add(label);
    }
    if (found === null) {
      unknown.push(site);
    }
    for (const kind of found ?? []) {
      const act = `${isOfWorld ? 'updateWorld' : site.verb} ${kind}`;
      acts.set(act, [...(acts.get(act) ?? []), `${site.within}: ${site.text}`]);
    }
  }
  return { acts, unknown, hinted, visited };
}

function nextOf(code: ReadonlyMap<string, Declared>, name: string): string[] {
  const members = TABLES.includes(name) ? [...code.keys()].filter((each) => each.startsWith(`${name}.`)) : [];
  return [...(code.get(name)?.leadsTo ?? []), ...members];
}
