import { kindOfId, type ListedRow } from '../../story/lists.ts';
import { methodText, statusText } from '../../story/status-words.ts';
import { showTexts } from './show-texts.ts';

/**
 * The value of a field as a person says it: a status, a payment method, a mode, a flag. Any other value stays.
 * @param resource what has the field
 */
export function fieldText(field: string, value: unknown, resource: object): string {
  if (typeof value === 'boolean') {
    return value ? showTexts.yes : showTexts.no;
  }
  const { id = '' }: Partial<ListedRow> = Object(resource);
  const name = kindOfId(id)?.resource ?? null;
  const text = String(value);
  switch (field) {
    case 'status':
      return name === null ? text : statusText(name, text, resource);
    // A request of the log has a method of HTTP.
    case 'method':
      return name === 'payment' ? methodText(text) : text;
    default:
      return valuesOf(field)[text] ?? text;
  }
}

/** The values of a field that have words. */
function valuesOf(field: string): Readonly<Record<string, string>> {
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = showTexts.values;
  return known[field] ?? {};
}
