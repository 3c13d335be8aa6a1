import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Call, startMeter } from './meter.ts';
import '../support/tools/die-with-parent.ts';

/*
 * A server that sends its store the same calls for every request, and does nothing else: no service that needs these
 * calls can be faster.
 */

/** The settings of such a server when it starts; it responds with its port. */
export interface Orders {
  readonly store: string;
  readonly calls: readonly Call[];
}

const [{ store, calls }] = (await once(process, 'message')) as [Orders];
const meter = await startMeter(store);
const server = createServer(async (request, response) => {
  await text(request);
  await meter.replay(calls);
  response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"id":"replayed"}');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);
