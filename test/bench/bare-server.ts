import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { skipSignatures } from '../../infra/local/skip-signatures.ts';
import { callTable } from '../../shared/store/table/client.ts';
import { INDEXES, TABLE } from '../../shared/store/table/table.ts';
import { type Call, operationOf, repeatable, roundsOf } from './meter.ts';
import '../support/tools/die-with-parent.ts';

/*
 * A server that makes the calls of its store for every request, and nothing else: no service that needs these calls can
 * be faster. The calls go through the client of the service, without signatures as at the local host, and store new
 * items each time.
 */

type Operation = Parameters<typeof callTable>[0];
type Input = Parameters<typeof callTable>[1];
type Values = Record<string, unknown>;

/** What makes an item another one: its sort key, and what it has of the indexes. */
const DISTINCT: ReadonlySet<string> = new Set([
  TABLE.sortKey,
  ...Object.values(INDEXES).map(({ sortKey }) => sortKey),
]);

const [calls] = (await once(process, 'message')) as [readonly Call[]];
const rounds = roundsOf(calls).map((round) =>
  round.map((call) => ({ operation: operationOf(call) as Operation, input: plain(repeatable(call.body)) })),
);
await skipSignatures();

const server = createServer(async (request, response) => {
  await text(request);
  const id = randomUUID();
  for (const round of rounds) {
    await Promise.all(round.map(({ operation, input }) => callTable(operation, anew(input, id) as Input)));
  }
  response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"id":"made"}');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);

/** The input of a call as the client takes it: values are plain. */
function plain(body: string): Values {
  return JSON.parse(body, (name, value: unknown) => {
    if (name === 'B') {
      return Buffer.from(String(value), 'base64');
    }
    if (name === 'Item' || name === 'Key' || name === 'ExpressionAttributeValues') {
      return unmarshall(value as Parameters<typeof unmarshall>[0]);
    }
    return name === 'Keys'
      ? (value as Parameters<typeof unmarshall>[0][]).map((key) => unmarshall(key))
      : value;
  });
}

/** The same call about items that are not stored yet. */
function anew(input: Values, id: string): Values {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      switch (name) {
        case 'Item':
          return [name, distinct(value as Values, id)];
        case 'Put':
          return [name, anew(value as Values, id)];
        case 'TransactItems':
          return [name, (value as Values[]).map((each) => anew(each, id))];
        case 'ClientRequestToken':
          return [name, id];
        default:
          return [name, value];
      }
    }),
  );
}

function distinct(stored: Values, id: string): Values {
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [name, DISTINCT.has(name) ? `${value}~${id}` : value]),
  );
}
