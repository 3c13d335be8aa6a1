import { RESOURCES, type ResourceName } from './resource.ts';

/** The number that people read out to each other: `P-000001`, with more than six digits after 999,999. */
export function formatNumber(name: ResourceName, ordinal: number): string {
  return `${RESOURCES[name].letter}-${String(ordinal).padStart(6, '0')}`;
}

/** The ordinal of such a number; NaN for a text that is none. */
export function ordinalOf(number: string): number {
  return Number(number.slice(number.indexOf('-') + 1));
}
