import { expect, it } from 'vitest';
import { csvOf } from '../../shared/console/csv.ts';
import { LISTS } from '../../shared/console/lists.ts';

const COLUMNS = LISTS.payments.columns.slice(0, 5);
const row = (reference: string) => ({
  amount: { currency: 'THB', minor: 129_905 },
  status: 'succeeded',
  method: null,
  number: 'P-000001',
  reference,
});

it('gives the rows as a spreadsheet takes them: decimal amounts, quoted texts', () => {
  expect(csvOf(COLUMNS, [row('a "b", c')])).toBe(
    'Amount,Status,Method,Number,Reference\r\n1299.05,succeeded,,P-000001,"a ""b"", c"\r\n',
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('never gives %j as a formula', (text) => {
  expect(
    csvOf(COLUMNS, [row(text)])
      .split(',')
      .at(-1),
  ).toBe(`'${text}\r\n`);
});

it('gives a return no chance to begin a formula, or to break a row', () => {
  const lastOf = (text: string) =>
    csvOf(COLUMNS, [row(text)]).slice(
      'Amount,Status,Method,Number,Reference\r\n1299.05,succeeded,,P-000001,'.length,
    );
  expect(lastOf('\r=1+1')).toBe(`"'\r=1+1"\r\n`);
  expect(lastOf('a\rb')).toBe('"a\rb"\r\n');
});
