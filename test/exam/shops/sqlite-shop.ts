/**
 * The pattern to copy: a shop with a database. It stores an event and its effect in one transaction, responds, and
 * works afterwards. It may be killed at any moment, and several processes may share its database. Start it with
 * `PORT=3000 WEBHOOK_SECRET=whsec_… PG_BASE_URL=http://… DATABASE=shop.db node sqlite-shop.ts`.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync, type SQLTagStore } from 'node:sqlite';
import { buffer, json } from 'node:stream/consumers';
import { createClient } from '../../../shared/client/client.ts';
import { type WebhookEvent, WebhookVerificationError, webhooks } from '../../../shared/client/webhooks.ts';

/** Minor: in the smallest unit, which is satang for THB. */
type Money = { readonly currency: 'THB'; readonly minor: number };
type ApiAccess = { readonly baseUrl: string; readonly key: string };
type Order = Money & { readonly payment_id: string | null; readonly is_ended: number };

/** Events come in any order, so they only add facts. `payments` and `refunds` are those that succeeded. */
const TABLES = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS orders (
    reference TEXT PRIMARY KEY, currency TEXT, minor INTEGER, payment_id TEXT, fulfilled INTEGER DEFAULT 0);
  CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, reference TEXT, currency TEXT, minor INTEGER);
  CREATE INDEX IF NOT EXISTS payments_of_order ON payments (reference);
  CREATE TABLE IF NOT EXISTS refunds (id TEXT PRIMARY KEY, payment_id TEXT, minor INTEGER);
  CREATE INDEX IF NOT EXISTS refunds_of_payment ON refunds (payment_id);
  -- Payments that ended without money. When the payer tries again, the order gets its next payment.
  CREATE TABLE IF NOT EXISTS ended (id TEXT PRIMARY KEY);
  -- Paid orders, which are the work to do. The primary key has each once in its life, even if it is paid twice.
  CREATE TABLE IF NOT EXISTS outbox (reference TEXT PRIMARY KEY, done INTEGER DEFAULT 0);
  CREATE INDEX IF NOT EXISTS outbox_to_do ON outbox (reference) WHERE done = 0;`;
const WORK_EVERY_MS = 50;

class Shop {
  readonly #database: DatabaseSync;
  /** Makes a parameter of every `${value}`. */
  readonly #sql: SQLTagStore;

  constructor(file: string) {
    // The time that it waits for a transaction of another process.
    this.#database = new DatabaseSync(file, { timeout: 5_000 });
    this.#database.exec(TABLES);
    this.#sql = this.#database.createTagStore();
  }

  /** Keeps an order that is there already as it is. */
  openOrder(reference: string, { currency, minor }: Money): Order {
    return this.#inTransaction((sql) => {
      sql.run`INSERT INTO orders (reference, currency, minor) VALUES (${reference}, ${currency}, ${minor})
              ON CONFLICT DO NOTHING`;
      // The event of its payment may have come before the order.
      this.#queueIfPaid(reference);
      return sql.get`SELECT currency, minor, payment_id,
          EXISTS (SELECT * FROM ended WHERE id = payment_id) AS is_ended
        FROM orders WHERE reference = ${reference}` as unknown as Order;
    });
  }

  keepPaymentId(reference: string, paymentId: string): void {
    this.#sql.run`UPDATE orders SET payment_id = ${paymentId} WHERE reference = ${reference}`;
  }

  /** If the effect cannot be stored, neither is the id: the response is 500, and the event is sent again. */
  receive({ id, type, data }: WebhookEvent): void {
    this.#inTransaction((sql) => {
      const { changes } = sql.run`INSERT INTO events VALUES (${id}) ON CONFLICT DO NOTHING`;
      if (changes === 0) {
        return;
      }
      // All other types change nothing, also those that will be invented later. `payment.expired`, `failed` and
      // `canceled` leave the order open: a payer may still pay after them, and then `payment.succeeded` follows.
      if (type === 'payment.succeeded') {
        const { id: paymentId, reference, amount } = data.object;
        sql.run`INSERT INTO payments VALUES (${paymentId}, ${reference}, ${amount.currency}, ${amount.minor})
                ON CONFLICT DO NOTHING`;
        this.#queueIfPaid(reference);
      } else if (type === 'refund.succeeded') {
        // A refund names its payment only. It may come before the event of that payment.
        const { id: refundId, payment_id, amount } = data.object;
        sql.run`INSERT INTO refunds VALUES (${refundId}, ${payment_id}, ${amount.minor}) ON CONFLICT DO NOTHING`;
      } else if (type === 'payment.expired' || type === 'payment.failed' || type === 'payment.canceled') {
        sql.run`INSERT INTO ended VALUES (${data.object.id}) ON CONFLICT DO NOTHING`;
      }
    });
  }

  /** A reference is only a text that the payment was created with. So the amount must be that of the order, too. */
  #queueIfPaid(reference: string | null): void {
    this.#sql.run`INSERT INTO outbox (reference)
      SELECT reference FROM orders JOIN payments USING (reference)
      WHERE reference = ${reference} AND payments.currency = orders.currency AND payments.minor >= orders.minor
      ON CONFLICT DO NOTHING`;
  }

  /** Sends the goods of one paid order. Returns false if none is left. */
  fulfillNext(): boolean {
    return this.#inTransaction((sql) => {
      const next = sql.get`SELECT reference FROM outbox WHERE done = 0 LIMIT 1`;
      if (next === undefined) {
        return false;
      }
      const { reference = null } = next;
      // These goods are a number in the same database, so they go out exactly once. Somebody else's service, such as
      // a carrier, is called before `done` is stored, with the reference as its idempotency key.
      sql.run`UPDATE orders SET fulfilled = fulfilled + 1 WHERE reference = ${reference}`;
      sql.run`UPDATE outbox SET done = 1 WHERE reference = ${reference}`;
      return true;
    });
  }

  /** What the shop knows of an order; undefined if it does not know it. */
  probe(reference: string) {
    const row = this.#sql.get`SELECT fulfilled,
        EXISTS (SELECT * FROM outbox WHERE reference = orders.reference) AS paid,
        (SELECT coalesce(sum(refunds.minor), 0) FROM refunds JOIN payments ON payments.id = payment_id
         WHERE payments.reference = orders.reference) AS refunded_minor
      FROM orders WHERE reference = ${reference}`;
    return row && { ...row, paid: row.paid === 1 };
  }

  close(): void {
    this.#database.close();
  }

  /** The work must not await anything: other requests use the same connection, and would join the transaction. */
  #inTransaction<Result>(work: (sql: SQLTagStore) => Result): Result {
    // It takes the lock now, since a transaction that reads first could fail when it writes.
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work(this.#sql);
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

export interface SqliteShopOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly secret: string;
  /** The address of the payment API. */
  readonly baseUrl: string;
  /** A file; by default the database is in memory. */
  readonly database?: string;
}

export async function startShop({ port, secret, baseUrl, database = ':memory:' }: SqliteShopOptions) {
  // Throws now if the secret is malformed, and not at the first event.
  webhooks.readSecret(secret);
  const shop = new Shop(database);

  /** @param api in a shop that is open for business, a part of its configuration */
  async function order(api: ApiAccess, reference: string, amount: Money): Promise<string> {
    // Stored before the payment exists, so it is not lost if the process ends between the two.
    const { currency, minor, payment_id, is_ended } = shop.openOrder(reference, amount);
    if (payment_id !== null && is_ended === 0) {
      return payment_id;
    }
    // The same order has the same key, so it gets the same payment if this is repeated. After a payment that ended
    // without money, it gets the next one.
    const idempotencyKey = createHash('sha256').update(`order ${reference} ${payment_id}`).digest('hex');
    const input = { amount: { currency, minor }, method: 'promptpay', reference } as const;
    const { id } = await createClient(api).createPayment(input, { idempotencyKey });
    shop.keepPaymentId(reference, id);
    return id;
  }

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
        const { 'x-pg-key': key, 'x-pg-base-url': address = baseUrl } = request.headers;
        const api = { baseUrl: String(address), key: String(key) };
        return [200, { payment_id: await order(api, reference, amount) }];
      }
      case 'GET /probe': {
        const state = shop.probe(searchParams.get('reference') ?? '');
        return state === undefined ? [404, { error: 'Order not found' }] : [200, state];
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
  // The work has its own pace, whatever comes in. What an earlier process left is done first.
  const worker = setInterval(() => {
    try {
      while (shop.fulfillNext());
    } catch (error) {
      // It is still in the outbox, and is tried again.
      console.error(error);
    }
  }, WORK_EVERY_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        clearInterval(worker);
        server.close(() => {
          shop.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

// Where it is the program, and not a part of another one.
if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  const { PORT = '0', WEBHOOK_SECRET, PG_BASE_URL = '', DATABASE } = process.env;
  const secret = webhooks.readSecret(WEBHOOK_SECRET);
  const database = DATABASE === undefined ? {} : { database: DATABASE };
  const { url, stop } = await startShop({ port: Number(PORT), secret, baseUrl: PG_BASE_URL, ...database });
  // Not waiting for calls of the payment API: they are repeated when the order is sent again.
  process.once('SIGTERM', () => stop().then(() => process.exit()));
  console.log(`Shop at ${url}`);
}
