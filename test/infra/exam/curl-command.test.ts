import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { fetchAlone } from '../../../infra/events/forward.ts';
import { curlCommand, shellWord } from '../../../infra/exam/curl-command.ts';
import { resultLines } from '../../../infra/exam/exam-lines.ts';
import { FAILED, sampleEvent, sampleFailure } from './sample-report.ts';

const HOSTILE = `it's "$HOME" \`id\` $(id) \\ !! #{x} ##[error] ::set`;

/** The headers of one name and the body that a server receives, as bytes. */
async function startServer() {
  const received: { signature: string | undefined; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    received.push({ signature: request.headers['webhook-signature'] as string | undefined, body });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?a=1&b='2'`, received };
}

function runInBash(command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', command], (error) => (error === null ? resolve() : reject(error)));
  });
}

test.each([
  ['text', 'v1,c2ln', '{"a":1}'],
  ['line breaks and several spaces', 'v1,c2ln v1,b3RoZXI=', '{\n  "a":   1\n}'],
  ['Thai, emoji and invisible characters', 'v1,c2ln', '{"a":"ข้าวซอย 🍜 👩‍👩‍👧 \u202e\u0007"}'],
  ['what means something to a shell or a CI', HOSTILE, `{"a":${JSON.stringify(HOSTILE)}}`],
  ['bytes that are no UTF-8', 'v1,\u00ff\u00fe\u0080', '{}'],
  ['an empty header and an empty body', '', ''],
])('the command sends %s again, byte for byte, as it is shown in a terminal', async (_, signature, body) => {
  const { url, received } = await startServer();
  const headers = { 'content-type': 'application/json', 'webhook-signature': signature };
  await (await fetchAlone(url, { method: 'POST', headers, body })).text();
  const event = sampleEvent({ headers, body, curl: curlCommand(url, { headers, body }) });
  const lines = resultLines({ ...FAILED, failure: sampleFailure({ events: [event] }) });
  const shown = lines.map(stripVTControlCharacters).find((line) => line.includes('curl:'));
  await runInBash(String(shown).replace(/^ *curl: +/, ''));
  expect(received).toHaveLength(2);
  expect(received[1]).toEqual(received[0]);
});

test('an address needs quotes only where a shell would read more than a word', () => {
  expect(shellWord('http://127.0.0.1:3000/webhooks')).toBe('http://127.0.0.1:3000/webhooks');
  expect(shellWord('http://shop/hooks?a=1&b=2')).toBe("'http://shop/hooks?a=1&b=2'");
});
