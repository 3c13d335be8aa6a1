import { createInterface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

type Message = Readonly<Record<string, unknown>>;

/**
 * Serves MCP, one message for each line. A line that is no message is answered, too. When the input ends, the calls in
 * flight are finished and answered first: what they do has begun.
 */
export function serveLines(createServer: () => Server, input: Readable, output: Writable): void {
  const messages = new PassThrough();
  const transport = new StdioServerTransport(messages, output as NodeJS.WriteStream);
  const unanswered = new Set<unknown>();
  let isOver = false;
  const finish = (id: unknown) => {
    unanswered.delete(id);
    if (isOver && unanswered.size === 0) {
      messages.end();
    }
  };
  const send = transport.send.bind(transport);
  transport.send = (message) =>
    send(message).finally(() => {
      if (!('method' in message)) {
        finish(message.id);
      }
    });
  const refuse = (code: number, message: string) =>
    send({ jsonrpc: '2.0', id: null as never, error: { code, message } }).catch(() => undefined);

  createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
    .on('line', (line) => {
      if (line.trim() === '') {
        return;
      }
      const message = parsed(line);
      if (message === undefined) {
        refuse(ProtocolErrorCode.ParseError, 'Parse error: a line must be one JSON object.');
      } else if (message === null) {
        refuse(
          ProtocolErrorCode.InvalidRequest,
          'Invalid request: a line must be a message of JSON-RPC 2.0.',
        );
      } else {
        if ('method' in message && 'id' in message) {
          unanswered.add(message.id);
        }
        if (message.method === 'notifications/cancelled') {
          finish((message.params as { requestId?: unknown } | undefined)?.requestId);
        }
        messages.write(`${line}\n`);
      }
    })
    .on('close', () => {
      isOver = true;
      finish(undefined);
    });
  serveStdio(createServer, { transport });
}

/** @returns undefined for no JSON, null for JSON that is no message */
function parsed(line: string): Message | null | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const message = Object(value) as Message;
    const isMessage = message.jsonrpc === '2.0' && ('method' in message || 'id' in message);
    return isMessage ? message : null;
  } catch {
    return undefined;
  }
}
