import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { DeliveryFailure } from '../domain/delivery.ts';

/** How long one address may take to connect before the next one is tried. */
const CONNECT_TIMEOUT_MS = 5_000;
/** How much of a response's body is read, and how much of that is kept (contract §14). */
const READ_MAX_BYTES = 64 * 1_024;
const KEPT_MAX_BYTES = 1_024;
const CONTROL = /[\p{Cc}--[\t\n\r]]/gv;

/** The outcome of a request. */
export interface ReceiverResponse {
  /** Null without a response. */
  readonly status: number | null;
  /** Their names in lower case; none without a response. */
  readonly headers: IncomingHttpHeaders;
  /** At most 1 KB of the body, as text: control characters and bytes that are not UTF-8 are replaced by U+FFFD. */
  readonly bodyStart: string;
  /** Why no complete response came; null where one did, whatever its status, or where it is too long to be read. */
  readonly failure: DeliveryFailure | null;
}

export function withoutResponse(failure: DeliveryFailure): ReceiverResponse {
  return { status: null, headers: {}, bodyStart: '', failure };
}

/**
 * Reads the response to a request, up to the limit. Never throws.
 * @param deadline when the request is destroyed
 */
export async function readResponse(request: ClientRequest, deadline: AbortSignal): Promise<ReceiverResponse> {
  const connection = followConnection(request);
  let response: IncomingMessage | undefined;
  let failure: DeliveryFailure | null = null;
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    response = await awaitHead(request);
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      read += chunk.length;
      if (read >= READ_MAX_BYTES) {
        // This closes the connection.
        break;
      }
    }
  } catch {
    const { lost } = connection;
    failure = deadline.aborted && lost !== 'unreachable' ? 'timeout' : lost;
  }
  const { statusCode = null, headers = {} } = response ?? {};
  return { status: statusCode, headers, bodyStart: startOf(Buffer.concat(chunks)), failure };
}

/** Tracks the progress of a connection, which determines the failure if it is lost. */
function followConnection(request: ClientRequest) {
  const connection = { lost: 'unreachable' as DeliveryFailure };
  const late = setTimeout(() => request.destroy(), CONNECT_TIMEOUT_MS);
  request.once('close', () => clearTimeout(late));
  const reach = (lost: DeliveryFailure) => {
    clearTimeout(late);
    connection.lost = lost;
  };
  request.once('socket', (socket) => {
    if (socket.connecting) {
      socket.once('connect', () => reach(request.protocol === 'https:' ? 'tls_failed' : 'connection_lost'));
      socket.once('secureConnect', () => reach('connection_lost'));
    } else {
      reach('connection_lost');
    }
  });
  request.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code?.startsWith('HPE_')) {
      reach('invalid_answer');
    }
  });
  return connection;
}

function awaitHead(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    // Neither event comes where the receiver switches to another protocol.
    request.once('close', () => reject(new Error('closed')));
  });
}

function startOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes).replace(CONTROL, '\u{fffd}');
  // Whole characters only: replaced ones have become longer.
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(KEPT_MAX_BYTES)).read);
}
