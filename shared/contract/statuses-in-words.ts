import { wordList } from '../domain/word-list.ts';

/** Statuses for a sentence of the documentation: "the statuses `created` and `requires_action`". */
export function statusesInWords(statuses: Iterable<string>): string {
  const names = [...statuses].map((status) => `\`${status}\``);
  return `the ${names.length === 1 ? 'status' : 'statuses'} ${wordList(names)}`;
}
