import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What node sets itself. */
const OF_THE_HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'content-encoding'];

/**
 * A service with a planted defect, on a free port: an outcome of a payment that the provider reports again is counted
 * again in the balance of its world. All else is as the service behind it answers.
 */
export async function startDoubleCounting(baseUrl: string) {
  const counted = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const headers = new Headers(
      Object.entries(request.headers)
        .filter(([name]) => !OF_THE_HOP.includes(name))
        .map(([name, value]): [string, string] => [name, String(value)]),
    );
    const key = headers.get('authorization') ?? '';
    const sent = await buffer(request);
    const answer = await fetch(`${baseUrl}${request.url}`, {
      method: String(request.method),
      headers,
      redirect: 'manual',
      ...(sent.length > 0 && { body: sent }),
    });
    const text = await answer.text();
    let body = text;
    if (/\/simulate$/.test(String(request.url)) && text.includes('"replayed":true')) {
      const { payment_id: id } = JSON.parse(text);
      const payment = await fetch(`${baseUrl}/api/v1/payments/${id}`, { headers: { authorization: key } });
      const { status, amount } = (await payment.json()) as { status: string; amount: { minor: number } };
      counted.set(key, (counted.get(key) ?? 0) + (status === 'succeeded' ? amount.minor : 0));
    }
    if (request.url === '/api/v1/balance') {
      const balance = JSON.parse(text);
      balance.unsettled.minor += counted.get(key) ?? 0;
      body = JSON.stringify(balance);
    }
    const passed = [...answer.headers].filter(([name]) => !OF_THE_HOP.includes(name));
    response.writeHead(answer.status, Object.fromEntries(passed)).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
