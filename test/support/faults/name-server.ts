import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { onTestFinished } from 'vitest';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;

/**
 * A name server of the test's own. The name in each question decides on its response: addresses, or none at all. In the
 * format of DNS (RFC 1035, section 4), for one question at a time.
 * @returns where it listens, and the names of the questions
 */
export async function startNameServer(answer: (name: string) => readonly string[] | 'nothing') {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port }) => {
    const { name, type, end } = questionIn(query);
    questions.push(name);
    const addresses = answer(name);
    if (addresses === 'nothing') {
      return;
    }
    const records = addresses
      .filter((address) => (isIPv4(address) ? TYPE_A : TYPE_AAAA) === type)
      .map((address) => recordOf(address, type));
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580, 2); // an answer, with authority, without an error
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]), port, '127.0.0.1');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => {
    socket.close();
  });
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

function questionIn(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A response that must not be cached. */
function recordOf(address: string, type: number): Buffer {
  const data = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
      );
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}
