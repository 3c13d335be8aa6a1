import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { runCommand } from '../../support/tools/run-command.ts';
import { type Client, newMerchant } from '../../support/world/api.ts';
import { baseUrl } from '../../support/world/merchant.ts';
import {
  type MerchantServer,
  type MerchantServerOptions,
  type ReceivedPost,
  startMerchantServer,
} from '../../support/world/merchant-server.ts';
import { createLink, createPayment, moveClock } from '../../support/world/resources.ts';

/** A webhook as it was sent, and a secret to verify it with. */
export interface SentWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
}

/** A webhook with its description, the secrets that sign it and those that do not. */
export interface KnownWebhook extends Omit<SentWebhook, 'secret'> {
  readonly what: string;
  readonly secrets: readonly string[];
  /** Secrets that had ended before it was sent. */
  readonly ended: readonly string[];
}

const PATIENT = { timeout: 30_000, interval: 100 };
/** Between the first attempt and the second. */
const RETRY_SECONDS = 6;

/** One of each kind that the service sends: by deliveries to an endpoint and to a sink, and by `pg listen`. */
export async function sentWebhooks(): Promise<KnownWebhook[]> {
  const sent = [
    withReceiver({ answer: (nth) => (nth === 1 ? 503 : 204) }, sentToEndpoint),
    sentToSink(),
    withReceiver({ answer: (nth) => (nth === 1 ? 500 : 204) }, forwardedByListen),
  ];
  return (await Promise.all(sent)).flat();
}

async function withReceiver<Result>(
  options: MerchantServerOptions,
  act: (receiver: MerchantServer) => Promise<Result>,
): Promise<Result> {
  const receiver = await startMerchantServer(options);
  try {
    return await act(receiver);
  } finally {
    await receiver.stop();
  }
}

function known(
  what: string,
  post: ReceivedPost | undefined,
  secrets: readonly string[],
  ended: readonly string[] = [],
): KnownWebhook {
  const { body = '', headers = {} } = post ?? {};
  return { what, body, headers: headers as Record<string, string>, secrets, ended };
}

/** An event whose text has characters of several bytes. */
function causeEvents(api: Client) {
  return createLink(api, { description: 'ข้าวมันไก่ 🍗' });
}

async function sentToEndpoint(receiver: MerchantServer): Promise<KnownWebhook[]> {
  const { api } = await newMerchant();
  const { id, secret: first } = (await api(operations.createWebhookEndpoint, { body: { url: receiver.url } }))
    .json;
  const params = { id };
  const rotate = async (overlap_hours: number) =>
    (await api(operations.rotateWebhookSecret, { params, body: { overlap_hours } })).json.secret;
  const sentNext = async (how: () => Promise<unknown>) => {
    const { length } = receiver.received;
    await how();
    return vi.waitUntil(() => receiver.received[length], PATIENT);
  };
  const sentOfEvent = () =>
    sentNext(async () => {
      await causeEvents(api);
      await moveClock(api, 1);
    });

  const attempt = await sentOfEvent();
  const retry = await sentNext(() => moveClock(api, RETRY_SECONDS));
  const redelivery = await sentNext(async () => {
    const [delivery] = (await api(operations.listEndpointDeliveries, { params })).json.data;
    await api(operations.redeliverEvent, { params: { id, delivery_id: String(delivery?.id) } });
  });
  const ping = await sentNext(() => api(operations.sendTestEvent, { params }));
  const second = await rotate(24);
  const rotated = await sentOfEvent();
  const rotatedPing = await sentNext(() => api(operations.sendTestEvent, { params }));
  const third = await rotate(1);
  const rotatedAgain = await sentOfEvent();
  const fourth = await rotate(0);
  const rotatedAtOnce = await sentOfEvent();
  return [
    known('a first attempt', attempt, [first]),
    known('a second attempt', retry, [first]),
    known('a redelivery', redelivery, [first]),
    known('a ping', ping, [first]),
    known('an event while the secret is rotated', rotated, [second, first]),
    known('a ping while the secret is rotated', rotatedPing, [second, first]),
    known('an event while it is rotated again', rotatedAgain, [third, second], [first]),
    known('an event after a rotation without overlap', rotatedAtOnce, [fourth], [third, second, first]),
  ];
}

async function sentToSink(): Promise<KnownWebhook[]> {
  const { api } = await newMerchant();
  const { id } = (await api(operations.createWebhookSink)).json;
  const params = { id };
  const { secret } = (await api(operations.getWebhookSink, { params })).json;
  const logged = async () => (await api(operations.listDeliveries, { params })).json.data.toReversed();
  await api(operations.updateWebhookSink, { params, body: { fail_count: 1, respond_status: 503 } });
  await causeEvents(api);
  await moveClock(api, RETRY_SECONDS);
  const [first] = await logged();
  await api(operations.redeliver, { params: { id, delivery_id: String(first?.id) } });
  const attempts = await vi.waitUntil(async () => {
    const log = await logged();
    return log.length === 3 && log;
  }, PATIENT);
  const whats = ['a first attempt', 'a second attempt', 'a redelivery'];
  return attempts.map(({ body, request_headers: headers }, nth) =>
    known(`${whats[nth]} to a sink`, { body, headers }, [secret]),
  );
}

async function forwardedByListen(receiver: MerchantServer): Promise<KnownWebhook[]> {
  const { api, secret: key } = await newMerchant();
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-listen-'));
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: key };
  const listen = (...args: string[]) =>
    runCommand(process.execPath, ['infra/pg/pg.ts', 'listen', ...args, '--dir', dir], { env });
  try {
    const secret = (await listen('--print-secret')).stdout.trim();
    await createPayment(api, { description: 'ข้าวมันไก่ 🍗' });
    await listen('--forward-to', receiver.url, '--once', '1');
    const [first, second] = receiver.received;
    return [
      known('a first attempt of pg listen', first, [secret]),
      known('a second attempt of pg listen', second, [secret]),
    ];
  } finally {
    await rm(dir, { recursive: true });
  }
}
