import { describe, expect, test } from 'vitest';
import { PREFIX_OF_NAME } from '../../shared/console/call/known-ids.ts';
import { callableOperations } from '../../shared/console/frame/build-assets.ts';
import { filtersOf, listQueryOf, setFilters, soughtNumber } from '../../shared/console/list/list-query.ts';
import { factsOf } from '../../shared/console/show/facts.ts';
import { jsonPieces } from '../../shared/console/show/json-pieces.ts';
import { nextStepsOf } from '../../shared/console/show/next-steps.ts';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import { operations } from '../../shared/contract/operations.ts';
import { PAYMENT_STATUSES } from '../../shared/domain/payment.ts';
import { commandsOf, methodNameOf } from '../../shared/story/commands.ts';
import {
  columnValue,
  kindOfId,
  LIST_OF_PREFIX,
  LISTED_KINDS,
  LOG_OF_PREFIX,
  toneOf,
} from '../../shared/story/lists.ts';
import { readOperations } from '../../shared/story/read-operations.ts';
import { gateResponse } from '../support/tools/gate-response.ts';

const documented = readOperations(buildOpenApi('https://api.example.com'));
const kinds = LISTED_KINDS;
const ORIGIN = 'https://api.example.com';
const ID = '01m86ps672ekwtefp6dr29t6cm';

function operationOf(id: string) {
  const found = documented.find((operation) => operation.id === id);
  if (found === undefined) {
    throw new Error(`the document has no ${id}`);
  }
  return found;
}

describe('the lists of the dashboard', () => {
  test.each(kinds)('$title are read by operations of the document', ({ listId, getId }) => {
    expect(operationOf(listId).method).toBe('GET');
    if (getId !== null) {
      expect(operationOf(getId).path).toBe(`${operationOf(listId).path}/{id}`);
    }
  });

  test.each(kinds)(
    '$title have outcomes to simulate where the document says so',
    ({ listId, simulateId }) => {
      const path = `${operationOf(listId).path.replace('/v1', '/v1/test')}/{id}/simulate`;
      expect(simulateId).toBe(documented.find((operation) => operation.path === path)?.id);
    },
  );

  test.each(kinds.filter(({ letter }) => letter !== null))(
    'offer the ids of $title where a path takes one',
    ({ listId, prefix }) => {
      expect(PREFIX_OF_NAME[operationOf(listId).path.replace(/.*\//, '')]).toBe(prefix);
    },
  );

  test('have an operation for every prefix that a form or a log needs', () => {
    for (const id of [...Object.values(LIST_OF_PREFIX), ...Object.values(LOG_OF_PREFIX)]) {
      expect(operationOf(id).method).toBe('GET');
    }
  });

  test('take the filters of their operation, and the page, from the address', () => {
    const payments = operationOf('payments.ListPayments');
    expect(filtersOf(payments).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['status', 'method', 'reference', 'number', 'created_from', 'created_to']),
    );
    const query = { status: 'failed', after: 'cursor', unknown: 'x' };
    expect(listQueryOf(payments, query)).toEqual({ limit: '20', status: 'failed', after: 'cursor' });
    expect(setFilters(payments, query)).toEqual([['status', 'failed']]);
  });

  test('filter by a day in Bangkok, which the service gets as two times', () => {
    const payments = operationOf('payments.ListPayments');
    expect(filtersOf(payments).map(({ name }) => name)).toContain('day');
    expect(filtersOf(operationOf('testkit.ListRequests')).map(({ name }) => name)).not.toContain('day');
    expect(listQueryOf(payments, { day: '2026-12-31', method: 'promptpay' })).toEqual({
      limit: '20',
      method: 'promptpay',
      created_from: '2026-12-31T00:00:00+07:00',
      created_to: '2027-01-01T00:00:00+07:00',
    });
    expect(listQueryOf(payments, { day: 'x' })).toMatchObject({ created_from: 'xT00:00:00+07:00' });
    expect(setFilters(payments, { day: '2026-12-31' })).toEqual([['day', '2026-12-31']]);
  });

  test('find a number among the newest where the service has no filter for it', () => {
    const [payments, refunds] = [operationOf('payments.ListPayments'), operationOf('payments.ListRefunds')];
    expect(soughtNumber(payments, { number: 'P-000001' })).toBeNull();
    expect(listQueryOf(payments, { number: 'P-000001' })).toEqual({ limit: '20', number: 'P-000001' });
    expect(soughtNumber(refunds, { number: 'r-000001' })).toBe('R-000001');
    expect(listQueryOf(refunds, { number: 'r-000001' })).toEqual({ limit: '100' });
    expect(setFilters(refunds, { number: 'r-000001' })).toEqual([['number', 'R-000001']]);
    expect(listQueryOf(payments, {}, '10')).toEqual({ limit: '10' });
  });

  test('need of an operation no more than the script of the page brings along', () => {
    const called = documented.filter(({ permission }) => permission !== null);
    const brought = callableOperations();
    expect(brought.map(({ id }) => id)).toEqual(called.map(({ id }) => id));
    for (const [nth, operation] of called.entries()) {
      const { method, path, isIdempotent, area } = operation;
      expect(brought[nth]).toMatchObject({ method, path, isIdempotent, area });
    }
    const query = { status: 'failed', day: '2026-12-31', after: 'cursor', type: 'refund.succeeded' };
    for (const { listId } of kinds) {
      const known = brought.find(({ id }) => id === listId);
      expect(known && listQueryOf(known, query)).toEqual(listQueryOf(operationOf(listId), query));
      const namesAndChoices = (operation = known) =>
        operation && filtersOf(operation).map(({ name, schema }) => [name, schema.enum, schema.format]);
      expect(namesAndChoices()).toEqual(namesAndChoices(operationOf(listId)));
    }
  });

  test('are found by an id, and know the resource that they list', () => {
    const resources = ['pay', 'stl', 'evt', 'req'].map((prefix) => kindOfId(`${prefix}_${ID}`)?.resource);
    expect(resources).toEqual(['payment', 'settlement', null, null]);
    expect(kindOfId(`snk_${ID}`)).toBeUndefined();
  });

  test('show the first field that is set', () => {
    const customer = {
      title: 'Customer',
      kind: 'text',
      fields: ['customer_email', 'customer_name'],
    } as const;
    expect(columnValue(customer, { customer_email: null, customer_name: 'Somchai' })).toBe('Somchai');
    expect(columnValue(customer, {})).toBeUndefined();
    const resource = { title: 'Resource', kind: 'id', fields: ['data.object.id'] } as const;
    expect(columnValue(resource, { data: { object: { id: 'pay_x' } } })).toBe('pay_x');
    expect(columnValue(resource, { data: null })).toBeUndefined();
  });

  test('colour what went well, what failed, and what is on its way', () => {
    const tones = Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, toneOf(status)]));
    expect(tones).toEqual({
      created: 'calm',
      requires_action: 'open',
      processing: 'open',
      succeeded: 'good',
      failed: 'bad',
      canceled: 'calm',
      expired: 'calm',
    });
  });
});

describe('what comes next', () => {
  const labels = (json: object) => nextStepsOf(gateResponse(json), ORIGIN).map(({ label }) => label);

  test('is the checkout, an outcome and the end of an open payment', () => {
    const json = { id: `pay_${ID}`, status: 'requires_action', checkout_url: `${ORIGIN}/checkout/x` };
    expect(labels(json)).toEqual([
      'Show it in the dashboard',
      'Open its checkout',
      'Simulate its outcome',
      'Cancel',
    ]);
    expect(labels({ ...json, status: 'processing' })).not.toContain('Cancel');
    expect(labels({ ...json, status: 'succeeded' })).toContain('Refund');
    expect(labels({ ...json, status: 'failed', checkout_url: null })).toEqual(['Show it in the dashboard']);
  });

  test('opens no page of another origin', () => {
    const json = { id: `lnk_${ID}`, status: 'active', url: 'https://elsewhere.example/l/x' };
    expect(labels(json)).toEqual(['Show it in the dashboard']);
  });

  test('is nothing after a refusal, or for what has no id', () => {
    expect(nextStepsOf(gateResponse({ id: `pay_${ID}` }, 409), ORIGIN)).toEqual([]);
    expect(labels({ data: [] })).toEqual([]);
  });

  test('names operations of the document', () => {
    const all = ['created', 'requires_action', 'processing', 'succeeded', 'requested', 'approved', 'pending'];
    const addresses = ['pay', 'ref', 'pot'].flatMap((prefix) =>
      all.flatMap((status) => nextStepsOf(gateResponse({ id: `${prefix}_${ID}`, status }), ORIGIN)),
    );
    const named = addresses.flatMap(({ address }) => /^#\/api\/([\w.]+)/.exec(address)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(8);
    expect(named.map((id) => operationOf(id).id)).toEqual(named);
  });
});

describe('a command', () => {
  const request = (path: string, body?: string) => ({
    method: body === undefined ? 'GET' : 'POST',
    path,
    headers: body === undefined ? {} : { 'Idempotency-Key': 'k', 'Content-Type': 'application/json' },
    body,
    isKeyed: true,
  });
  const texts = (id: string, path: string, body?: string) =>
    Object.fromEntries(
      commandsOf(ORIGIN, operationOf(id), request(path, body)).map(({ name, text }) => [name, text]),
    );

  test('names the method of the client, for every operation that needs a key', () => {
    const named = documented.filter(({ permission }) => permission !== null).map(methodNameOf);
    expect(named.filter((name) => !Object.hasOwn(operations, name))).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });

  test('sends ids, then fields, and no key', () => {
    const path = `/api/v1/payments/pay_${ID}/refunds`;
    const { curl, TypeScript, pg } = texts('payments.RequestRefund', path, `{"reason":"it's late"}`);
    expect(curl).toContain(`-d '{"reason":"it'\\''s late"}'`);
    expect(curl).toContain('Bearer $PG_KEY');
    expect(TypeScript).toContain(`client.requestRefund("pay_${ID}", {`);
    expect(pg).toBe(`pg call requestRefund pay_${ID} --data '{"reason":"it'\\''s late"}'`);
  });

  test('gives numbers of a query as numbers, and leaves out fields that there are not', () => {
    const list = texts('payments.ListPayments', '/api/v1/payments?limit=5&status=failed');
    expect(list.pg).toContain(`'{"limit":5,"status":"failed"}'`);
    const get = texts('payments.GetPayment', `/api/v1/payments/pay_${ID}`);
    expect(get.pg).toBe(`pg call getPayment pay_${ID}`);
  });

  test('is curl alone where no key is needed', () => {
    expect(Object.keys(texts('service.GetErrorPage', '/errors/invalid_state'))).toEqual(['curl']);
  });
});

describe('what is shown of a response', () => {
  test('is coloured JSON, without a change of the text', () => {
    const text = JSON.stringify({ a: 'x "quoted"', n: -1.5, t: true, list: [null] }, null, 2);
    const pieces = jsonPieces(text);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter(({ kind }) => kind !== null).map((piece) => `${piece.kind} ${piece.text}`)).toEqual([
      'name "a"',
      'string "x \\"quoted\\""',
      'name "n"',
      'literal -1.5',
      'name "t"',
      'literal true',
      'name "list"',
      'literal null',
    ]);
    expect(jsonPieces('<html>1</html>')).toEqual([{ text: '<html>1</html>', kind: null }]);
  });

  test('is a line for each field that says something', () => {
    const facts = factsOf({
      id: `pay_${ID}`,
      amount: { currency: 'THB', minor: 1 },
      created_at: '2026-11-24T12:00:00.000Z',
      description: null,
      late: false,
      metadata: {},
    });
    expect(facts.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'id id',
      'amount money',
      'created_at time',
    ]);
  });
});
