import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** What becomes of a call: the answer is cut short, or an error says again what was asked. */
export type Mood = 'well' | 'cut' | 'quote as invalid' | 'quote as broken' | 'quote as a page';

const ERRORS = { 'quote as invalid': 400, 'quote as broken': 500, 'quote as a page': 502 } as const;

/** A DynamoDB endpoint in front of another one, whose errors hold everything that nobody should log. */
export async function startTalkativeStore(target: string) {
  let mood: Mood = 'well';
  let about = /./;
  let failed = 0;
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await buffer(request);
      const command = String(request.headers['x-amz-target']);
      const now = about.test(command) ? mood : 'well';
      failed += now === 'well' ? 0 : 1;
      if (now !== 'well' && now !== 'cut') {
        const message = `cannot do ${body.toString()} for ${request.headers.authorization}`;
        const isPage = now === 'quote as a page';
        response.writeHead(ERRORS[now], { 'Content-Type': 'application/x-amz-json-1.0' });
        response.end(
          isPage
            ? `<h1>${message}</h1>`
            : JSON.stringify({ __type: `#${now.replace('quote as ', '')}Exception`, message }),
        );
        return;
      }
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
      const real = await fetch(target + request.url, {
        method: request.method ?? 'POST',
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
      });
      const text = await real.text();
      response.writeHead(real.status, { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end(now === 'cut' ? text.slice(0, Math.floor(text.length * 0.7)) : text);
    };
    answer().catch(() => request.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    failed: () => failed,
    /** @param commands those that it is about; all others go well */
    become: (next: Mood, commands = /./) => {
      mood = next;
      about = commands;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
