import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { functionNameOf, type Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import type { AnyMachine } from '../../shared/domain/machine.ts';
import { EVENT_TYPES, RESOURCES } from '../../shared/domain/resource.ts';
import { nodesIn, parseFile, type SyntaxNode } from '../support/tools/syntax.ts';
import { partitionTables } from './partition-tables.ts';

/*
 * Prints shared/INDEX.md: where each operation is, in the code and in the tests. Everything is read from the code: a
 * row is found by its id, the rest by following names from the handler.
 */

const INDEX = 'shared/INDEX.md';
const FOLLOWED = '{functions,shared/{domain,flows,providers}}/**/*.ts';
/** It moves a payment to show it, and nothing that it makes is stored. */
const SHOWS = 'paymentAsOf';
/** The functions by which a command moves a resource. */
const MOVES = ['step', 'nextState'];
const TESTS_MAX = 3;

/** A declaration at the top of a file. */
interface Declared {
  /** The declarations that it names, as `<file> <name>`. */
  readonly names: Set<string>;
  /** The types of events that it makes. */
  readonly events: Set<string>;
}

interface Text {
  readonly file: string;
  readonly text: string;
}

/** Every declaration, by `<file> <name>`. */
type Code = ReadonlyMap<string, Declared>;

/** The text of the page. */
export function printIndex(): string {
  const code = readCode();
  const tests = readAll('test/**/*.test.ts');
  const contract = readAll('shared/contract/**/*.ts');
  const rows = Object.entries<Operation>(operations).map(([key, row]) => {
    const file = `functions/${functionNameOf(row)}.ts`;
    const flows = flowsOf(file, code);
    const reached = reachableFrom(`${file} handler`, code);
    const events = new Set([...reached].flatMap((name) => [...(code.get(name)?.events ?? [])]));
    return [
      `\`${row.id}\``,
      cellOf(contract.filter(({ text }) => text.includes(`id: '${row.id}'`)).map((one) => one.file)),
      cellOf([file]),
      cellOf(flows),
      eventCell(events),
      cellOf(testsOf([`\\.${key}\\b`, file, ...flows], tests)),
    ].join(' | ');
  });
  return [
    '# Where each operation is',
    '',
    'Printed by `npm run contract`, and held to the code by a test. *Row*: its line in the table of operations. *Flow*: the use cases that its function calls. *Events*: what it can send, also by the jobs that it runs. *Tests*: those that name it most.',
    '',
    '| Operation | Row | Function | Flow | Events | Tests |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
    '# What the table holds',
    '',
    'The kinds of partitions (`<scope>` is the id of a world, a dot, and its epoch; `*` is any text):',
    '',
    ...partitionTables(),
    '',
  ].join('\n');
}

function readAll(pattern: string): readonly Text[] {
  const files = globSync(pattern).toSorted();
  return files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

function cellOf(files: readonly string[]): string {
  return files.map((file) => `\`${file.replace(/^shared\//, '')}\``).join(', ') || '–';
}

/** `payment.` `canceled`, `expired`; or all events of a resource. */
function eventCell(types: ReadonlySet<string>): string {
  const byResource = Object.groupBy(
    EVENT_TYPES.filter((type) => types.has(type)),
    (type) => type.replace(/\..*/, ''),
  );
  const cells = Object.entries(byResource).map(([resource, own = []]) => {
    const all = EVENT_TYPES.filter((type) => type.startsWith(`${resource}.`));
    return own.length === all.length ? `\`${resource}.*\`` : own.map((type) => `\`${type}\``).join(', ');
  });
  return cells.join(', ') || '–';
}

function flowsOf(file: string, code: Code): string[] {
  const own = [...code].flatMap(([name, { names }]) => (name.startsWith(`${file} `) ? [...names] : []));
  const files = own.map((name) => name.replace(/ .*/, '')).filter((name) => name.startsWith('shared/flows/'));
  return [...new Set(files)].toSorted();
}

function testsOf(names: readonly string[], tests: readonly Text[]): string[] {
  const name = new RegExp(names.join('|'), 'g');
  const named = tests
    .map(({ file, text }) => ({ file, count: [...text.matchAll(name)].length }))
    .filter(({ count }) => count > 0)
    // About how often: one more name in a test leaves the page as it is.
    .map(({ file, count }) => ({ file, size: Math.floor(Math.log2(count)) }));
  const most = named.toSorted((a, b) => b.size - a.size || (a.file < b.file ? -1 : 1));
  return most.slice(0, TESTS_MAX).map(({ file }) => file);
}

/* --- what leads where --- */

function reachableFrom(entry: string, code: Code): ReadonlySet<string> {
  const reached = new Set([entry]);
  // A set is walked with what is added on the way.
  for (const name of reached) {
    for (const next of code.get(name)?.names ?? []) {
      reached.add(next);
    }
  }
  return reached;
}

function readCode(): Code {
  const code = new Map<string, Declared>();
  for (const file of globSync(FOLLOWED)) {
    const body = parseFile(file);
    const declared = new Map(body.flatMap(declarationsOf));
    const known = new Map([
      ...body.flatMap((statement) => importsOf(file, statement)),
      ...[...declared.keys()].map((name) => [name, `${file} ${name}`] as const),
    ]);
    const resource = Object.values(RESOURCES).find(({ events }) => isListedIn(events, declared));
    for (const [name, node] of declared) {
      const names = identifiersIn(node).flatMap((each) => (each === SHOWS ? [] : (known.get(each) ?? [])));
      const events = /_EVENTS$|^EVENT_OF$/.test(name) ? [] : eventsIn(node, resource, declared);
      code.set(`${file} ${name}`, { names: new Set(names), events: new Set(events) });
    }
  }
  return code;
}

/** What a statement imports from other files: the local name, and `<file> <name>`. */
function importsOf(file: string, { type, typeOnly, source, specifiers = [] }: SyntaxNode) {
  const from = String(source?.value);
  if (type !== 'ImportDeclaration' || typeOnly === true || !from.startsWith('.')) {
    return [];
  }
  const target = path.join(path.dirname(file), from);
  return specifiers.map(({ local, imported }) => {
    const name = String((imported ?? local)?.value);
    return [String(local?.value), `${target} ${name}`] as const;
  });
}

function declarationsOf(statement: SyntaxNode): (readonly [string, SyntaxNode])[] {
  const node = statement.type === 'ExportDeclaration' ? statement.declaration : statement;
  switch (node?.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [[String(node.identifier?.value), node]];
    case 'VariableDeclaration':
      return (node.declarations ?? []).map((one) => [String(one.id?.value), one] as const);
    default:
      return [];
  }
}

function identifiersIn(part: unknown): string[] {
  const nodes = [...nodesIn(part)];
  const fields = new Set(nodes.map(({ key, property }) => key ?? property));
  return nodes.flatMap((node) =>
    node.type === 'Identifier' && !fields.has(node) ? [String(node.value)] : [],
  );
}

function textsIn(part: unknown): string[] {
  return [...nodesIn(part)].flatMap(({ type, value }) => (type === 'StringLiteral' ? [String(value)] : []));
}

/* --- events --- */

type Resource = (typeof RESOURCES)[keyof typeof RESOURCES];

/** Whether a file declares this list of events: then it has the rules of their resource. */
function isListedIn(events: readonly string[], declared: ReadonlyMap<string, SyntaxNode>): boolean {
  const lists = [...declared].filter(([name]) => name.endsWith('_EVENTS'));
  return lists.some(([, list]) => textsIn(list).join() === events.join());
}

/** The events that a declaration names, and those of the commands with which it moves its resource. */
function eventsIn(
  node: SyntaxNode,
  resource: Resource | undefined,
  declared: ReadonlyMap<string, SyntaxNode>,
): string[] {
  const nodes = [...nodesIn(node)];
  const eventOf = new Map(
    [...nodesIn(declared.get('EVENT_OF'))].flatMap(({ type, key, value }) =>
      type === 'KeyValueProperty' ? [[String(key?.value), String((value as SyntaxNode).value)]] : [],
    ),
  );
  // Which event `step` has, its callers say. Others that read the table may have each.
  const isStep = node.identifier?.value === 'step';
  const named = isStep ? [] : textsIn(node);
  const read = !isStep && identifiersIn(node).includes('EVENT_OF') ? [...eventOf.values()] : [];
  const moves = nodes.filter(
    ({ type, callee }) => type === 'CallExpression' && MOVES.includes(String(callee?.value)),
  );
  const commands = moves.flatMap(({ arguments: args }) => [
    ...textsIn(args),
    ...identifiersIn(args).flatMap((name) => textsIn(declared.get(name))),
  ]);
  const isAny = nodes.some(({ type }) => type === 'TemplateLiteral') && resource?.machine === null;
  return [
    ...named.filter((text) => EVENT_TYPES.some((type) => type === text)),
    ...commands.flatMap((command) => eventOf.get(command) ?? eventsOfCommand(resource, command)),
    ...read,
    ...(isAny ? resource.events : []),
  ];
}

function eventsOfCommand(resource: Resource | undefined, command: string): readonly string[] {
  const states = Object.values((resource?.machine ?? {}) as AnyMachine).flatMap((to) => to[command] ?? []);
  const own = resource?.events.filter((type) => type.endsWith(`_${command}`)) ?? [];
  const [family] = resource?.events[0].split('.') ?? [];
  return states.length > 0 && own.length > 0 ? own : states.map((state) => `${family}.${state}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(INDEX, printIndex());
}
