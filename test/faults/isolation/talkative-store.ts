import { text } from 'node:stream/consumers';
import { passOnToStore, startProxy } from '../../support/faults/proxy.ts';

/** The fault of a call: the response is cut short, or an error repeats the request. */
export type Mood = 'well' | 'cut' | 'quote as invalid' | 'quote as broken' | 'quote as a page';

const ERRORS = { 'quote as invalid': 400, 'quote as broken': 500, 'quote as a page': 502 } as const;

/** A proxy of a DynamoDB endpoint whose errors contain everything that must not be logged. */
export async function startTalkativeStore(target: string) {
  let mood: Mood = 'well';
  let about = /./;
  let failed = 0;
  const { baseUrl: endpoint, ...between } = await startProxy(async (request, response) => {
    const body = await text(request);
    const command = String(request.headers['x-amz-target']);
    const now = about.test(command) ? mood : 'well';
    failed += now === 'well' ? 0 : 1;
    if (now !== 'well' && now !== 'cut') {
      const message = `cannot do ${body} for ${request.headers.authorization}`;
      const isPage = now === 'quote as a page';
      response.writeHead(ERRORS[now], { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end(
        isPage
          ? `<h1>${message}</h1>`
          : JSON.stringify({ __type: `#${now.replace('quote as ', '')}Exception`, message }),
      );
      return;
    }
    const { status, text: said } = await passOnToStore(target, request, body);
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(now === 'cut' ? said.slice(0, Math.floor(said.length * 0.7)) : said);
  });
  return {
    ...between,
    endpoint,
    failed: () => failed,
    /** @param commands those that fail; all others succeed */
    become: (next: Mood, commands = /./) => {
      mood = next;
      about = commands;
    },
  };
}
