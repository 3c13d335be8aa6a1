import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { compareCosts, costsIn, reasonsIn } from './compare-costs.ts';
import { releasedFigures } from './released-figures.ts';

const RELEASED = `
| The life of a payment, with | Write units | $ per million |
|---|---:|---:|
| one receiver | 38 | 44.74 |

| Operation | Rounds | Read units | Write units | $ per million | p50, ms |
|---|---:|---:|---:|---:|---:|
| Create a payment | 3 | 2 | 13 | 8.00 | 21.4 |
| Retrieve a payment | 2 | 3 | 0 | 0.38 | 8.9 |
| Retrieve a refund | 2 | 3 | 0 | 0.38 | 8.9 |

| Figure | Limit |
|---|---|
| \`life.write_units\` | at most 38 |
`;
const NOW = RELEASED.replace('8.00 | 21.4', '8.40 | 90.1')
  .replace('| Retrieve a payment | 2 | 3 | 0 | 0.38', '| Retrieve a payment | 2 | 2 | 0 | 0.25')
  .replace('| Retrieve a refund |', '| Retrieve a link |');

describe('what a commit costs, beside the last release', () => {
  test('is what the tables say of a million, and no time', () => {
    expect(Object.fromEntries(costsIn(RELEASED))).toEqual({
      'one receiver': 44.74,
      'Create a payment': 8,
      'Retrieve a payment': 0.38,
      'Retrieve a refund': 0.38,
    });
  });

  test('is shown where it differs, and fails from five per cent on', () => {
    const { lines, failures } = compareCosts(costsIn(RELEASED), costsIn(NOW), new Map());
    expect(lines.slice(2)).toEqual([
      '| Create a payment | 8.00 | 8.40 | +5.0 % |',
      '| Retrieve a payment | 0.38 | 0.25 | -34.2 % |',
      '| Retrieve a link |  | 0.38 | new |',
      '| Retrieve a refund | 0.38 | | gone |',
    ]);
    expect(failures).toEqual([
      '"Create a payment" costs $8.40 a million, and cost $8.00 in the last release: say why in test/bench/COSTS.md, or cost less',
    ]);
    const less = costsIn(NOW.replace('8.40', '8.39'));
    expect(compareCosts(costsIn(RELEASED), less, new Map()).failures).toEqual([]);
  });

  test('may rise as far as a line says that has a reason, and no further', () => {
    const failuresWith = (line: string) =>
      compareCosts(costsIn(RELEASED), costsIn(NOW), reasonsIn(line)).failures.length;
    expect(failuresWith('- **Create a payment**, up to $8.40: it writes an entry for the search.')).toBe(0);
    expect(failuresWith('- **Create a payment**, up to $8.39: it writes an entry for the search.')).toBe(1);
    expect(failuresWith('- **Create a payment**, up to $8.40: ')).toBe(1);
  });

  test('is compared with figures that are there, and with no reason of an earlier release', async () => {
    expect(costsIn(await releasedFigures('operations')).size).toBeGreaterThan(30);
    expect(reasonsIn(await readFile('test/bench/COSTS.md', 'utf8')).size).toBe(0);
  });
});
