import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { DatabaseSync } from '../../infra/machine/sqlite.ts';
import { type Client, createClient } from '../../shared/client/client.ts';
import type { StandIn } from '../support/stripe/stand-in.ts';
import { type Host, startHost, untilDead } from '../support/world/host.ts';

/** Longer than a refund waits for its approval. */
const AHEAD_MINUTES = 16;
export const AHEAD_MS = AHEAD_MINUTES * 60_000;
const MERCHANT = ['--merchant', 'shop'];

interface StartedAs {
  /** With WORKERS=off. */
  readonly isPaused?: boolean;
  readonly isAhead?: boolean;
}

/** A service on a folder of its own, with its Stripe, and the commands of its operator. */
export class Stand {
  readonly stripe: StandIn;
  readonly dir: string;
  #host: Host | null = null;

  private constructor(stripe: StandIn, dir: string) {
    this.stripe = stripe;
    this.dir = dir;
  }

  static async open(stripe: StandIn): Promise<Stand> {
    return new Stand(stripe, await mkdtemp(path.join(tmpdir(), 'payments-restore-')));
  }

  /** Ends it as a crash does, and starts it again. */
  async start({ isPaused = false, isAhead = false }: StartedAs = {}): Promise<void> {
    await this.kill();
    this.#host = await startHost({
      dir: this.dir,
      args: isAhead ? ['--ahead', `${AHEAD_MINUTES}m`] : [],
      env: { STRIPE_API_URL: this.stripe.apiUrl, WORKERS: isPaused ? 'off' : 'on' },
    });
  }

  async kill(): Promise<void> {
    if (this.#host !== null) {
      this.stripe.sendAll(null);
      this.#host.process.kill('SIGKILL');
      await untilDead(this.#host);
      this.#host = null;
    }
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.dir, { recursive: true, force: true });
  }

  /** By default, of the world that a local service begins with, in test mode. */
  client(key = this.#running.key): Client {
    return createClient({ baseUrl: this.#running.baseUrl, key });
  }

  /** What an operator's command prints as JSON. */
  async admin(args: readonly string[], input = {}) {
    return JSON.parse(await this.print([...args, '--json'], input));
  }

  /** What an operator's command prints. */
  async print(args: readonly string[], input = {}): Promise<string> {
    const words = ['infra/pg/pg.ts', 'admin', ...args, '--dir', this.dir];
    const env = { ...process.env, STRIPE_API_URL: this.stripe.apiUrl };
    const running = promisify(execFile)(process.execPath, words, { env });
    running.child.stdin?.end(JSON.stringify(input));
    return (await running).stdout;
  }

  /** Stores an item as it is. */
  async put(item: Readonly<Record<string, unknown>>): Promise<void> {
    const { dynamodbEndpoint: endpoint, tableName: TableName } = this.#running;
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
    await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName, Item: item }));
    client.destroy();
  }

  /** Connects a merchant to Stripe. @returns its live key */
  async connectShop(): Promise<string> {
    const { key } = await this.admin([
      'keys',
      'create',
      '--mode',
      'live',
      '--preset',
      'merchant',
      ...MERCHANT,
    ]);
    const secrets = { secret_key: this.stripe.secretKey, webhook_secret: this.stripe.webhookSecret };
    await this.admin(['providers', 'connect', '--provider', 'stripe', ...MERCHANT], secrets);
    return key;
  }

  /** From now on, Stripe notifies this service. @returns where */
  async takeNotifications(): Promise<string> {
    const { webhook_url } = await this.admin(['providers', 'check', ...MERCHANT]);
    this.stripe.sendAll(webhook_url);
    return webhook_url;
  }

  /** Lets the payer of a live payment pay. */
  async pay(shop: Client, paymentId: string): Promise<void> {
    this.stripe.account.pay(intentOf(this.stripe, paymentId).id);
    await expect.poll(async () => (await shop.getPayment(paymentId)).status).toBe('succeeded');
  }

  /** Copies its data as they are at one instant, while it runs, and its secrets, which no restore changes. */
  async copyTo({ dir }: Stand): Promise<void> {
    const data = new DatabaseSync(path.join(this.dir, 'payments.db'));
    data.exec(`VACUUM INTO '${path.join(dir, 'payments.db')}'`);
    data.close();
    for (const name of ['format', 'service.json', 'provider-secrets']) {
      await cp(path.join(this.dir, name), path.join(dir, name), { recursive: true });
    }
  }

  get #running(): Host {
    return this.#host ?? expect.fail('The service does not run.');
  }
}

/** The one intent of a payment at Stripe. */
export function intentOf({ account }: StandIn, paymentId: string) {
  const intents = [...account.intents.values()].filter(({ metadata }) => metadata.payment_id === paymentId);
  expect(intents).toHaveLength(1);
  return intents[0] as (typeof intents)[number];
}
