import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { KIT_TOOLS } from '../../../infra/mcp/kit-tools.ts';
import { TOOL_GROUPS } from '../../../infra/mcp/tool-groups.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';
import { commandInGuide, connectHost } from './connect-host.ts';

/** Nothing listens there: a request would fail otherwise than the refusal that is expected. */
const NOWHERE = 'http://127.0.0.1:1';

const LIST_MAX_BYTES = 60_000;

const INITIALIZE = line({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a test', version: '1' } },
});

/** A message as it is on standard input. */
function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

/** The server as a host starts it. */
function start(env: NodeJS.ProcessEnv, ...more: readonly string[]) {
  const { command, args } = commandInGuide();
  const child = spawn(command, [...args, ...more], {
    env: { ...process.env, PG_BASE_URL: undefined, PG_KEY: undefined, ...env },
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code]]) => ({ code, stdout, stderr }),
  );
  return { child, ended };
}

describe('pg mcp', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connectHost((await newKey()).secret);
  });
  afterAll(() => client.close());

  const call = async (name: string, given: Record<string, unknown>) => {
    const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: given });
    const [shown] = content;
    const read = JSON.parse(shown?.type === 'text' ? shown.text : '');
    expect(structuredContent).toEqual(isError ? undefined : read);
    return { isError, read };
  };

  test('lists all tools in 60,000 bytes, and tells how to begin', async () => {
    const list = await client.listTools();
    const keyed = allOperations.filter(({ permission }) => permission !== null);
    expect(list.tools).toHaveLength(keyed.length + KIT_TOOLS.size);
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(LIST_MAX_BYTES);
    const instructions = client.getInstructions();
    for (const name of ['To begin: createPayment', ...KIT_TOOLS.keys()]) {
      expect(instructions).toContain(name);
    }
  });

  test('has the whole of each tool as a resource', async () => {
    const uri = 'payments://operations/forkTestWorld';
    const [content] = (await client.readResource({ uri })).contents;
    const { description, result } = JSON.parse(
      content !== undefined && 'text' in content ? content.text : '',
    );
    expect(description).toContain('copied in the background');
    expect(Object.keys(result.properties)).toContain('expires_at');
  });

  test('offers the tools of the groups alone that are chosen', async () => {
    const some = await connectHost((await newKey()).secret, '--groups', 'keys,kit');
    onTestFinished(() => some.close());
    const { tools } = await some.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['getKey', ...KIT_TOOLS.keys()]);
    await expect(some.callTool({ name: 'createPayment', arguments: {} })).rejects.toThrow(
      'There is no tool createPayment.',
    );
  });

  test('makes a payment, pays it and reads its event', async () => {
    await client.listTools();
    const amount = { currency: 'THB', minor: 129_900 };
    const payment = await call('createPayment', { amount, method: 'promptpay', idempotency_key: 'order-1' });
    expect(payment).toMatchObject({ isError: false, read: { amount, status: 'requires_action' } });
    const { id } = payment.read;
    await call('simulatePayment', { id, outcome: 'succeeded' });
    expect((await call('getPayment', { id })).read.status).toBe('succeeded');
    const typesOf = async () => {
      const { read } = await call('listEvents', { resource_id: id });
      return read.data.map(({ type }: { type: string }) => type);
    };
    await expect.poll(typesOf).toContain('payment.succeeded');
    const again = await call('createPayment', { amount, method: 'promptpay', idempotency_key: 'order-1' });
    expect(again.read).toEqual(payment.read);
  });

  test('returns a problem as the result of a tool, and explains it by a resource', async () => {
    const { isError, read } = await call('createPayment', { amount: { currency: 'THB', minor: 0 } });
    expect({ isError, read }).toMatchObject({
      isError: true,
      read: { code: 'validation_failed', status: 422, errors: [{ field: 'amount.minor' }] },
    });
    const uri = `payments://errors/${read.code}`;
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.uri)).toContain(uri);
    const [content] = (await client.readResource({ uri })).contents;
    expect(JSON.parse(content !== undefined && 'text' in content ? content.text : '')).toMatchObject({
      code: read.code,
      advice: expect.any(String),
    });
  });

  test('refuses a tool and a resource that it does not have', async () => {
    await expect(client.callTool({ name: 'payMe', arguments: {} })).rejects.toThrow(
      'There is no tool payMe.',
    );
    await expect(client.readResource({ uri: 'payments://errors/none' })).rejects.toThrow();
  });
});

describe.concurrent('pg mcp, when its input ends,', () => {
  test('ends, and has written the protocol alone', async ({ onTestFinished }) => {
    const { secret } = await newKey();
    const { child, ended } = start({ PG_BASE_URL: baseUrl, PG_KEY: secret });
    onTestFinished(() => void child.kill());
    child.stdin.write(INITIALIZE);
    await once(child.stdout, 'data');
    child.stdin.end();
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ jsonrpc: '2.0', id: 1 }]);
  });

  test('finishes and answers the call in flight', async ({ onTestFinished }) => {
    const called = Promise.withResolvers<void>();
    const answering = Promise.withResolvers<void>();
    const slow = createServer(async (request, response) => {
      if (request.url !== '/api/v1/key') {
        called.resolve();
        await answering.promise;
      }
      response.end('{"mode":"test"}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void slow.close());
    await once(slow, 'listening');
    const { port } = slow.address() as AddressInfo;
    const { child, ended } = start({ PG_BASE_URL: `http://127.0.0.1:${port}`, PG_KEY: 'pg_test_1' });
    onTestFinished(() => void child.kill());
    child.stdin.write(INITIALIZE);
    child.stdin.end(line({ id: 2, method: 'tools/call', params: { name: 'getClock', arguments: {} } }));
    await called.promise;
    answering.resolve();
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answers = stdout
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(answers.find(({ id }) => id === 2)).toMatchObject({
      result: { structuredContent: { mode: 'test' } },
    });
  });

  test('has answered every line that is no message', async ({ onTestFinished }) => {
    const { secret } = await newKey();
    const { child, ended } = start({ PG_BASE_URL: baseUrl, PG_KEY: secret });
    onTestFinished(() => void child.kill());
    child.stdin.end(`{"jsonrpc":\n\n42\n${INITIALIZE}`);
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(answers).toMatchObject([
      { id: null, error: { code: -32_700 } },
      { id: null, error: { code: -32_600 } },
      { id: 1, result: {} },
    ]);
  });
});

describe.concurrent('pg mcp ends at once, and says why,', () => {
  /** Without input, a server that refuses nothing ends with 0. */
  const refusalOf = (env: NodeJS.ProcessEnv, ...more: readonly string[]) => {
    const { child, ended } = start(env, ...more);
    child.stdin.end();
    return ended;
  };

  test('with a live key: it is not sent', async () => {
    const { secret } = await newKey({ mode: 'live' });
    const { code, stdout, stderr } = await refusalOf({ PG_BASE_URL: NOWHERE, PG_KEY: secret });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('The key is live. The MCP server takes test keys alone: PG_KEY=pg_test_…\n');
    const env = { PG_BASE_URL: baseUrl, PG_KEY: secret };
    const transport = new StdioClientTransport({ ...commandInGuide(), env, stderr: 'ignore' });
    await expect(new Client({ name: 'a test', version: '1' }).connect(transport)).rejects.toThrow();
  });

  test('with a group of tools that there is not: it lists the groups', async () => {
    const env = { PG_BASE_URL: NOWHERE, PG_KEY: 'pg_test_1' };
    const { code, stdout, stderr } = await refusalOf(env, '--groups', 'payments,shop');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `--groups takes groups of tools: ${TOOL_GROUPS.join(', ')}. There is no group "shop". "pg mcp --help" shows the usage.\n`,
    );
  });

  test('without a key', async () => {
    const { code, stdout, stderr } = await refusalOf({ PG_BASE_URL: NOWHERE });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Set an API key for this URL: PG_KEY=pg_test_…');
  });

  test('with a key that the service refuses, which it does not print', async () => {
    const key = `pg_test_${'x'.repeat(32)}`;
    const { code, stdout, stderr } = await refusalOf({ PG_BASE_URL: baseUrl, PG_KEY: key });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Invalid API key\..*\n {2}api_key_invalid, request /);
    expect(stderr).not.toContain(key);
  });
});
