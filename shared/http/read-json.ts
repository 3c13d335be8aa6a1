import { Problem } from '../errors/problem.ts';

/** The parts of a JSON text that matter here. It must be valid: then no other text looks like them. */
const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*|[{}[\],]/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** More of them help no caller. */
const INEXACT_MAX = 50;

/** A JSON value, and what JavaScript would have changed silently. */
export interface JsonText {
  readonly value: unknown;
  /** The paths of numbers that the value does not hold as they were written. */
  readonly inexact: readonly (readonly string[])[];
}

/** An object or a list that is not closed yet. */
interface Open {
  /** The names that an object has so far; null for a list. */
  readonly names: Set<string> | null;
  /** The name or index of what follows; null where an object's next name follows. */
  at: string | null;
}

/**
 * Reads JSON of which every reader understands the same. For a name that an object has twice, readers choose different
 * values, so it is refused (contract §3).
 * @throws Problem `malformed_json`
 */
export function readJson(text: string): JsonText {
  const value = parsed(text);
  const inexact: string[][] = [];
  const open: Open[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === '{') {
      open.push({ names: new Set(), at: null });
    } else if (token === '[') {
      open.push({ names: null, at: '0' });
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ',' && inner !== undefined) {
      inner.at = inner.names === null ? String(Number(inner.at) + 1) : null;
    } else if (token.startsWith('"')) {
      if (inner?.at === null) {
        inner.at = noteName(inner, token);
      }
    } else if (!isExact(token) && inexact.length < INEXACT_MAX) {
      inexact.push(open.map(({ at }) => String(at)));
    }
  }
  return { value, inexact };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('malformed_json');
  }
}

function noteName({ names }: Open, token: string): string {
  const name: string = JSON.parse(token);
  if (names?.has(name)) {
    throw new Problem('malformed_json', {
      detail: 'An object has the same name more than once: send each name once.',
    });
  }
  names?.add(name);
  return name;
}

/** Whether JavaScript's number is the written one: 0.10 and 1e2 are, 0.12345678901234567890 and 1e400 are not. */
function isExact(written: string): boolean {
  const number = Number(written);
  return Number.isFinite(number) && digitsOf(written) === digitsOf(String(number));
}

/** A number as its digits without zeros at the ends, and the power of ten of the last one. */
function digitsOf(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return significant === ''
    ? '0'
    : `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
