import { say, sayJson } from './output.ts';

/** Prints the outcome of a command: as JSON, or in lines. */
export function print(asJson: boolean, data: unknown, ...lines: readonly string[]): void {
  if (asJson) {
    sayJson(data, 2);
  } else {
    say(...lines);
  }
}
