import { describe, expect, it } from 'vitest';
import { contentsOf } from '../../shared/docs/contents.ts';
import { searchDocs } from '../../shared/docs/search.ts';
import { documentAt } from '../../shared/docs/service-document.ts';

const entries = contentsOf(documentAt('https://pay.example.com'));
const found = (query: string) => searchDocs(entries, query).map(({ name }) => name);

describe('the search of the documentation', () => {
  it.each([
    ['invalid_state', 'invalid_state'],
    ['payment.succeeded', 'payment.succeeded'],
    ['createPayment', 'createPayment'],
    ['Create Payment link', 'createPaymentLink'],
    ['refund amount exceeded', 'refund_amount_exceeded'],
    ['webhooks', 'webhooks'],
    ['expires_in_minutes', 'createPayment'],
    ['return_url', 'createPayment'],
    ['python', 'webhooks-python'],
    ['standardwebhooks', 'webhooks'],
    ['truemoney', 'createPayment'],
    ['customer email', 'Customer'],
    ['exam for your receiver', 'exam'],
    ['DUP-01', 'exam'],
    ['shuffled events with repetitions', 'exam'],
  ])('finds by "%s" first of all %s', (query, first) => {
    expect(found(query)[0]).toBe(first);
  });

  it('finds what has all of the words, and the beginnings of longer ones', () => {
    expect(found('idempot')).toContain('idempotency_key_missing');
    expect(found('refund nothingness')).toEqual([]);
  });

  it.each(['', '  ', '.,;'])('finds nothing by "%s"', (query) => {
    expect(found(query)).toEqual([]);
  });

  it('shows at most thirty', () => {
    expect(found('the')).toHaveLength(30);
  });
});
