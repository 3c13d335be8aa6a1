import { Agent, request } from 'node:http';
import type { Endpoint } from './endpoints.ts';

/** One request, as it goes over the wire: no URL parser and no fetch makes it better. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const AT_ONCE = 24;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

export function exchange(baseUrl: string, sent: Sent): Promise<Answered> {
  const { hostname, port } = new URL(baseUrl);
  const { method, path, headers, body } = sent;
  return new Promise((resolve, reject) => {
    const sending = request({ agent, hostname, port, method, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    sending.on('error', (error) => {
      // The server has ended a connection that was kept: the request never arrived.
      if (sending.reusedSocket) {
        resolve(exchange(baseUrl, sent));
      } else {
        reject(error);
      }
    });
    sending.end(body);
  });
}

/** Runs an action for each item, a few at a time, and returns the results in order. */
export async function eachAtOnce<Thing, Result>(
  things: readonly Thing[],
  act: (thing: Thing) => Promise<Result>,
  atOnce = AT_ONCE,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    while (next < things.length) {
      const index = next;
      next += 1;
      results[index] = await act(things[index] as Thing);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

/**
 * What is wrong with a response: content that the document does not describe, or an echo of the input.
 * @param mark is in every value that was sent, before `MARK_END`
 */
export function complaintsAbout(endpoint: Endpoint, answer: Answered, mark: string): string[] {
  const { status, headers, text } = answer;
  const { problems, otherStatuses } = endpoint;
  const type = String(headers['content-type']);
  const complaints: string[] = [];
  const expect = (isKept: boolean, promise: string) => {
    if (!isKept) {
      complaints.push(promise);
    }
  };
  expect(status < 500, 'the service does not break');
  expect(/^req_[0-9a-z]{26}$/.test(String(headers['x-request-id'])), 'every answer has a request id');
  if (type === 'application/problem+json') {
    const { code, title, detail, instance, status: shownStatus, type: page } = JSON.parse(text);
    expect(problems.get(status)?.includes(code) === true, `the document names ${code} under ${status}`);
    expect(shownStatus === status, 'the problem repeats the status');
    expect(
      [title, detail].every((words) => typeof words === 'string' && words !== ''),
      'it says what to do',
    );
    expect(instance === `urn:request:${headers['x-request-id']}`, 'it names the request');
    expect(String(page).endsWith(`/errors/${code}`), 'it names the page that explains it');
  } else {
    expect(otherStatuses.includes(status), `the document lists ${status} as ${type}`);
    expect(status < 400 || type.startsWith('text/html'), 'a refusal is a problem or a page');
  }
  if (type.startsWith('text/html')) {
    expect(!new RegExp(`${mark}(?!${ESCAPED_MARK_END})`).test(text), 'a page escapes what was sent');
  } else if (status >= 400) {
    expect(!text.includes(mark), 'a refusal does not give back what was sent');
  }
  expect(!JSON.stringify(headers).includes(mark), 'no header gives back what was sent');
  return complaints;
}

/** Text that a page must not echo. */
export const MARK_END = '<i>"&';
const ESCAPED_MARK_END = '&lt;i&gt;&quot;&amp;';
