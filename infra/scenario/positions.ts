import { EVENT_ID, type Event, getScalarValue } from 'js-yaml';

/** The keys and numbers that lead to a part of a file. */
export type PartPath = readonly (string | number)[];

/** Where something stands in a file, both from 1. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** A part of a file, with the offsets at which it and its key begin. */
interface SourcePart {
  readonly start: number;
  readonly keyStart: number;
  readonly parts: ReadonlyMap<string, SourcePart>;
}

type YamlEvent = Event;
type PartWithKey = { readonly part: SourcePart; readonly text: string };

/** Finds where the parts of a YAML text stand, by the events of its parser. */
export function positionsIn(text: string, events: readonly YamlEvent[]) {
  let next = 0;
  const read = (keyStart: number): PartWithKey => {
    const event = events[next++];
    const parts = new Map<string, SourcePart>();
    const part = (start: number) => ({ start, keyStart: keyStart < 0 ? start : keyStart, parts });
    switch (event?.type) {
      case EVENT_ID.SCALAR: {
        const quote = text.slice(0, event.valueStart).match(/["']$/) === null ? 0 : 1;
        return { part: part(event.valueStart - quote), text: getScalarValue(text, event) };
      }
      case EVENT_ID.ALIAS:
        // The parser's name of an alias begins after its asterisk.
        return { part: part(event.anchorStart - 1), text: '' };
      case EVENT_ID.SEQUENCE:
        for (let index = 0; events[next]?.type !== EVENT_ID.POP; index += 1) {
          parts.set(String(index), read(-1).part);
        }
        break;
      case EVENT_ID.MAPPING:
        while (events[next]?.type !== EVENT_ID.POP) {
          const key = read(-1);
          parts.set(key.text, read(key.part.start).part);
        }
        break;
      default:
        return { part: part(0), text: '' };
    }
    next += 1;
    return { part: part(event.start), text: '' };
  };
  next = events.findIndex(({ type }) => type === EVENT_ID.DOCUMENT) + 1;
  const root = read(-1).part;
  return {
    /** Where the key of a part begins, or the part itself where it has none. If it is missing, where its parent begins. */
    of(path: PartPath): FilePosition {
      let found = root;
      for (const key of path) {
        const inner = found.parts.get(String(key));
        if (inner === undefined) {
          break;
        }
        found = inner;
      }
      return positionAt(text, found.keyStart);
    },
  };
}

export type Positions = ReturnType<typeof positionsIn>;

export function positionAt(text: string, offset: number): FilePosition {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: String(before.at(-1)).length + 1 };
}
