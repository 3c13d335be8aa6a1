import { formatOrdinal } from './format-ordinal.ts';
import { RESOURCES, type ResourceName } from './resource.ts';

/** The number of a resource, such as `P-000001`. */
export function formatNumber(name: ResourceName, ordinal: number): string {
  return formatOrdinal(String(RESOURCES[name].letter), ordinal);
}

/** The ordinal of such a number; NaN for a text that is none. */
export function ordinalOf(number: string): number {
  return Number(number.slice(number.indexOf('-') + 1));
}
