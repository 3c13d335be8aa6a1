import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { DeliveryFailure } from '../domain/delivery.ts';

/** How long one address may take to connect before the next one is tried. */
const CONNECT_TIMEOUT_MS = 5_000;
/** How much of an answer's body is read, and how much of that is kept (contract §14). */
const READ_MAX_BYTES = 64 * 1_024;
const KEPT_MAX_BYTES = 1_024;
const CONTROL = /[\p{Cc}--[\t\n\r]]/gv;

/** What came of a request. */
export interface ReceiverResponse {
  /** Null where no answer began. */
  readonly status: number | null;
  /** Their names in lower case; none where no answer began. */
  readonly headers: IncomingHttpHeaders;
  /** At most 1 KB of the body, as text: what is not UTF-8, or a control character, is replaced by U+FFFD. */
  readonly bodyStart: string;
  /** Why no whole answer came; null where one did, whatever its status, and where there is more of it than is read. */
  readonly failure: DeliveryFailure | null;
}

export function unanswered(failure: DeliveryFailure): ReceiverResponse {
  return { status: null, headers: {}, bodyStart: '', failure };
}

/**
 * Reads the answer to a request, or as much of it as is wanted. Never throws.
 * @param deadline of the request: it is destroyed when this comes
 */
export async function readResponse(request: ClientRequest, deadline: AbortSignal): Promise<ReceiverResponse> {
  const connection = followConnection(request);
  let response: IncomingMessage | undefined;
  let failure: DeliveryFailure | null = null;
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    response = await headOf(request);
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

/** Knows how far a connection is, and so what it means when it is lost. */
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

function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    // Without either, where the receiver changes to another protocol.
    request.once('close', () => reject(new Error('closed')));
  });
}

function startOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes).replace(CONTROL, '\u{fffd}');
  // Whole characters only, of which those that were replaced have become longer.
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(KEPT_MAX_BYTES)).read);
}
