import { hasSection, type Section } from '../../story/route.ts';

const KEYS: Readonly<Record<Section, string>> = {
  '': 'h',
  payments: 'p',
  refunds: 'r',
  links: 'l',
  money: 'm',
  events: 'e',
  webhooks: 'w',
  requests: 'q',
  exam: 'x',
  api: 'a',
};

/** The sections by the key that leads there after `g`. */
export function goKeys(hasTestKit: boolean): ReadonlyMap<string, Section> {
  const entries = Object.entries(KEYS) as [Section, string][];
  return new Map(
    entries.filter(([section]) => hasSection(section, hasTestKit)).map(([section, key]) => [key, section]),
  );
}
