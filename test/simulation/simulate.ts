import { replaceGlobals } from './replace-globals.ts';
import { loadFunctions, type SimulatedService } from './simulated-service.ts';
import { type Omissions, Story, type Told } from './story.ts';
import type { Shortest } from './storyteller.ts';

const { dynamodb } = await import('../../shared/store/table/client.ts');
const { eventBridge } = await import('../../shared/flows/jobs/announce-due-work.ts');
const { Poster } = await import('../../shared/webhooks/poster.ts');

/** The document client's commands, by the operations of the store. */
const OPERATIONS: Readonly<Record<string, string>> = {
  GetCommand: 'GetItem',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  QueryCommand: 'Query',
  BatchGetCommand: 'BatchGetItem',
  BatchWriteCommand: 'BatchWriteItem',
  TransactWriteCommand: 'TransactWriteItems',
};

let current: SimulatedService | null = null;

function service(): SimulatedService {
  if (current === null) {
    throw new Error('no story is told');
  }
  return current;
}

/**
 * Puts the simulated world in the place of time, chance, store, bus and network, for good: a process that simulates
 * does nothing else.
 */
export async function prepareSimulation(): Promise<void> {
  await loadFunctions();
  Object.assign(dynamodb, {
    send: (command: { readonly input: Record<string, unknown> }) =>
      service().callStore({ operation: String(OPERATIONS[command.constructor.name]), input: command.input }),
  });
  Object.assign(eventBridge, {
    send: ({ input }: { readonly input: Parameters<SimulatedService['callBus']>[0] }) =>
      service().callBus(input),
  });
  Poster.prototype.post = (message) => service().post(message);
  replaceGlobals();
}

/** Tells the story of a seed. */
export function simulate(seed: number, omissions: Omissions): Promise<Told> {
  const story = new Story(seed, omissions);
  current = story.service;
  return story.tell();
}

/**
 * The shortest story that still breaks the same law: first without steps, then without faults, ever smaller parts at
 * once, until none can be left out.
 */
export async function shrink(seed: number, omissions: Omissions, told: Told): Promise<Shortest> {
  const laws = new Set(told.run.violations.map(({ law }) => law));
  let best = { omissions, told };
  for (const part of ['steps', 'faults'] as const) {
    for (let size = Math.ceil(told[part] / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let from = 1; from <= told[part]; from += size) {
        const more = Array.from({ length: size }, (_, index) => from + index);
        if (more.every((number) => best.omissions[part].has(number))) {
          continue;
        }
        const omissions = { ...best.omissions, [part]: new Set([...best.omissions[part], ...more]) };
        const shorter = await simulate(seed, omissions);
        if (shorter.run.violations.some(({ law }) => laws.has(law))) {
          best = { omissions, told: shorter };
        }
      }
    }
  }
  return best;
}
