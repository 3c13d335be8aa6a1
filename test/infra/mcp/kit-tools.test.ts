import { expect, test } from 'vitest';
import { KIT_TOOLS } from '../../../infra/mcp/kit-tools.ts';
import { createClient } from '../../../shared/client/client.ts';

const BASE = 'https://api.example.com';
const RECEIVER = 'http://127.0.0.1:3000/webhooks';

/** Calls a tool at a service that would answer, and says what was sent to it. */
async function call(name: string, given: object, signal = new AbortController().signal) {
  const sent: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    sent.push(String(url));
    return Response.json(
      { code: 'payment_not_found', title: 'No such payment', status: 404 },
      { status: 404 },
    );
  };
  const client = createClient({ baseUrl: BASE, key: 'pg_test_1', maxRetries: 0, fetch });
  const service = { client, key: 'pg_test_1', baseUrl: BASE };
  const result = await KIT_TOOLS.get(name)?.call(service, given, { signal, onProgress: () => undefined });
  const [content] = result?.content ?? [];
  const { isError, structuredContent } = result ?? {};
  return { isError, structuredContent, sent, read: JSON.parse(content?.type === 'text' ? content.text : '') };
}

test.each([
  ['runScenario', {}, /^runScenario: scenario is required\.$/],
  ['runScenario', { scenario: 'name: x', seed: 0 }, /^runScenario: seed must be at least 1\.$/],
  ['runScenario', { scenario: 'name: x\nsteps: [{ advnce: 3m }]' }, /^scenario\.yaml:2:\d+: .*advance/],
  ['runScenario', { scenario: 'name: [' }, /^scenario\.yaml:1:/],
  ['showStory', {}, /^showStory: id is required\.$/],
  ['showStory', { id: 'evt_1' }, /takes the id of a payment, a refund or a payment link/],
  ['runExam', {}, /^runExam: receiver is required\.$/],
  ['runExam', { receiver: RECEIVER, only: 'SIG' }, /^runExam: only is not a known field\.$/],
  ['runExam', { receiver: 'ftp://shop' }, /^receiver takes a URL without user name and password/],
  ['runExam', { receiver: 'http://me:secret@shop/' }, /^receiver takes a URL without user name and password/],
  ['runExam', { receiver: RECEIVER, order: '/orders' }, /^order takes a URL without/],
  ['runExam', { receiver: RECEIVER, probe: 'http://a b/' }, /^probe takes a URL without/],
  ['runExam', { receiver: RECEIVER, questions: [] }, /^runExam: questions must have at least 1 entries\.$/],
  ['runExam', { receiver: RECEIVER, questions: ['PAY-99'] }, /^questions: there is no question PAY-99/],
])('%s with %j is refused with the reason, and sends nothing', async (name, given, detail) => {
  const { isError, structuredContent, read, sent } = await call(name, given);
  expect({ isError, structuredContent, sent }).toEqual({
    isError: true,
    structuredContent: undefined,
    sent: [],
  });
  expect(read).toEqual({ detail: expect.stringMatching(detail) });
});

test('a refusal of the service is the result of a tool of the kit, without a key to repeat it', async () => {
  const { isError, read, sent } = await call('showStory', { id: 'pay_1' });
  expect({ isError, sent }).toEqual({ isError: true, sent: [`${BASE}/api/v1/payments/pay_1`] });
  expect(read).toMatchObject({ code: 'payment_not_found', status: 404 });
  expect(read).not.toHaveProperty('idempotency_key');
});

test('a call of the kit that the host has canceled has no result', async () => {
  const canceled = AbortSignal.abort(new Error('canceled'));
  await expect(call('showStory', { id: 'pay_1' }, canceled)).rejects.toThrow('canceled');
});

test.each([...KIT_TOOLS])(
  '%s has a schema that hosts accept, and words for each argument',
  (name, { tool }) => {
    const { inputSchema, description } = tool;
    expect(tool.name).toBe(name);
    expect(description).toMatch(/\.$/);
    expect(Object.keys(inputSchema)).toEqual(['type', 'properties', 'required', 'additionalProperties']);
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect(schema, argument).toHaveProperty('description');
    }
  },
);
