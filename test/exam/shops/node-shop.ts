/**
 * A shop with a webhook receiver that gets everything right. It keeps everything in memory, where yours has a database:
 * an event and its effect in one transaction. `PORT=3000 WEBHOOK_SECRET=whsec_…` say where it listens, and what signs.
 */
import { realpathSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import { type WebhookEvent, WebhookVerificationError, webhooks } from '../../../shared/client/webhooks.ts';

interface Money {
  readonly currency: string;
  /** In the smallest unit: satang, for THB. */
  readonly minor: number;
}

/**
 * Events come at least once and in any order. So the shop never asks "what came last?". It only collects facts that
 * stay true, and derives the rest from them.
 */
class Shop {
  readonly #eventIds = new Set<string>();
  readonly #orders = new Map<string, { readonly amount: Money; fulfilled: number }>();
  /** Payments that succeeded: by the reference of the order, then by the id of the payment. */
  readonly #paid = new Map<string, Map<string, Money>>();
  /** Refunds that succeeded: by the id of the payment, then by the id of the refund. */
  readonly #refunded = new Map<string, Map<string, Money>>();

  openOrder(reference: string, amount: Money): void {
    if (!this.#orders.has(reference)) {
      this.#orders.set(reference, { amount, fulfilled: 0 });
      // The event of its payment may have come before the order was known.
      this.#fulfill(reference);
    }
  }

  /** It awaits nothing. So if the same event comes twice at the same time, the second finds the id of the first. */
  receive(event: WebhookEvent): void {
    if (this.#eventIds.has(event.id)) {
      return;
    }
    // All other types are ignored, also those that will be invented later. `payment.expired`, `failed` and `canceled`
    // need nothing either: a payer may still pay after them, and then `payment.succeeded` follows.
    if (event.type === 'payment.succeeded') {
      const { id, reference, amount } = event.data.object;
      if (reference !== null) {
        entryOf(this.#paid, reference).set(id, amount);
        this.#fulfill(reference);
      }
    } else if (event.type === 'refund.succeeded') {
      // A refund names its payment only. It may come before the event of that payment.
      const { id, payment_id, amount } = event.data.object;
      entryOf(this.#refunded, payment_id).set(id, amount);
    }
    // Last: if something failed above, the event is sent again, and is not taken for a duplicate.
    this.#eventIds.add(event.id);
  }

  /** What the shop knows of an order; null if it does not know it. */
  probe(reference: string) {
    const order = this.#orders.get(reference);
    if (order === undefined) {
      return null;
    }
    const paymentIds = [...(this.#paid.get(reference)?.keys() ?? [])];
    const refunds = paymentIds.flatMap((id) => [...(this.#refunded.get(id)?.values() ?? [])]);
    const refunded_minor = refunds.reduce((sum, { minor }) => sum + minor, 0);
    return { paid: this.#isPaid(reference), fulfilled: order.fulfilled, refunded_minor };
  }

  /** Sends the goods of an order that is paid: once in its life, even if it is paid twice. */
  #fulfill(reference: string): void {
    const order = this.#orders.get(reference);
    if (order?.fulfilled === 0 && this.#isPaid(reference)) {
      order.fulfilled += 1;
    }
  }

  /** A reference is only a text that the payment was created with. So the amount must be that of the order, too. */
  #isPaid(reference: string): boolean {
    const due = this.#orders.get(reference)?.amount;
    const payments = [...(this.#paid.get(reference)?.values() ?? [])];
    return payments.some((paid) => paid.currency === due?.currency && paid.minor >= due.minor);
  }
}

/** @param port 0 for any free one */
export async function startShop({ port, secret }: { readonly port: number; readonly secret: string }) {
  const shop = new Shop();
  // Throws now if the secret is malformed, and not at the first event.
  webhooks.readSecret(secret);

  async function respondTo(request: IncomingMessage): Promise<[status: number, body: object]> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    switch (`${request.method} ${pathname}`) {
      case 'POST /webhooks': {
        // The signature is of the bytes that were sent, so nothing may parse them before.
        const body = await buffer(request);
        shop.receive(webhooks.verify(body, request.headers, secret));
        return [200, {}];
      }
      case 'POST /orders': {
        const { reference, amount } = (await json(request)) as { reference: string; amount: Money };
        shop.openOrder(reference, amount);
        return [200, {}];
      }
      case 'GET /probe': {
        const state = shop.probe(searchParams.get('reference') ?? '');
        return state === null ? [404, { error: 'Order not found' }] : [200, state];
      }
      default:
        return [404, { error: 'Not found' }];
    }
  }

  const server = createServer(async (request, response) => {
    const [status, body] = await respondTo(request).catch((error: unknown): [number, object] => {
      if (error instanceof WebhookVerificationError) {
        return [400, { error: error.message }];
      }
      // After a 500, the event is sent again later. The process goes on.
      console.error(error);
      return [500, { error: 'Internal error' }];
    });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The inner map of a key, which is empty at first. */
function entryOf<Value>(maps: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const entry = maps.get(key) ?? new Map<string, Value>();
  maps.set(key, entry);
  return entry;
}

// Where it is the program, and not a part of another one.
if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  const { PORT = '0', WEBHOOK_SECRET } = process.env;
  const { url, stop } = await startShop({ port: Number(PORT), secret: webhooks.readSecret(WEBHOOK_SECRET) });
  process.once('SIGTERM', () => stop());
  console.log(`Shop at ${url}`);
}
