import { describe, expect, test } from 'vitest';
import { fieldLines, tableLines } from '../../../infra/terminal/lines.ts';

describe('what a terminal shows', () => {
  test('cannot be steered by what was typed into the API', () => {
    const item = { reference: 'a\u001b[2Jb\nc', metadata: { 'k\u0007': '\u202ex' } };
    expect(tableLines([item], ['reference'])).toEqual(['reference', 'a [2Jb c']);
    expect(fieldLines(item)).toEqual(['reference    a [2Jb c', 'metadata.k    x']);
  });

  test('has columns as wide as what is in them, and a dash for nothing', () => {
    const items = [
      { id: 'a', amount: { currency: 'THB', minor: 5 } },
      { id: 'bcd', amount: null },
    ];
    expect(tableLines(items, ['id', 'amount'])).toEqual(['id   amount', 'a    0.05 THB', 'bcd  -']);
  });
});
