import { readFile } from 'node:fs/promises';

/** An event as a receiver has noted it. */
interface ReceivedEvent {
  readonly id: string;
  readonly sequence: number;
}

/**
 * The events that a receiver has got, and whose numbers come after the last one that is stored, in their order.
 * @throws Error that names the first line that is no event
 */
export async function findLostEvents(file: string, lastSequence: number): Promise<ReceivedEvent[]> {
  const received = parseReceived(await readFile(file, 'utf8'), file);
  return received
    .filter(({ sequence }) => sequence > lastSequence)
    .toSorted((one, other) => one.sequence - other.sequence);
}

function parseReceived(text: string, file: string): ReceivedEvent[] {
  const events = new Map<string, ReceivedEvent>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') {
      continue;
    }
    const { id, sequence } = parsed(line);
    if (typeof id !== 'string' || !Number.isSafeInteger(sequence)) {
      throw new Error(
        `Line ${index + 1} of ${file} is no event: a line of JSON has its id and sequence, as in {"id":"evt_…","sequence":12}.`,
      );
    }
    events.set(id, { id, sequence: Number(sequence) });
  }
  return [...events.values()];
}

function parsed(line: string): { readonly id?: unknown; readonly sequence?: unknown } {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}
