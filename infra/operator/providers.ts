import { text } from 'node:stream/consumers';
import { MINUTE_MS, toTimestamp } from '../../shared/domain/clock.ts';
import {
  type Connection,
  isSameAccount,
  newNotificationToken,
  notificationUrl,
  type ProviderAccount,
} from '../../shared/domain/connection.ts';
import { type Job, subjectOf } from '../../shared/domain/job.ts';
import { EXPIRES_IN_MINUTES_MAX, OPEN_STATUSES } from '../../shared/domain/payment.ts';
import { OPEN_REFUND_STATUSES, SENT_REFUND_STATUSES } from '../../shared/domain/refund.ts';
import type { EntityOf } from '../../shared/domain/resource.ts';
import { type World, worldIdOf } from '../../shared/domain/world.ts';
import type { Account, ProviderResult } from '../../shared/providers/provider.ts';
import {
  apiUrlVariable,
  configuredOrigin,
  loadProviderKind,
  NOTIFICATION_SECRET,
  openProvider,
  PROVIDER_KINDS,
} from '../../shared/providers/provider-kinds.ts';
import type { Write } from '../../shared/store/table/commit.ts';
import type { PageRequest } from '../../shared/store/table/list.ts';
import type { AuditEntry } from '../../shared/store/worlds/audit.ts';
import { type ProviderSecrets, parseSecrets } from '../../shared/store/worlds/provider-secrets.ts';
import { type Acts, type GivenTo, UsageError } from '../terminal/command.ts';
import { isMeant } from '../terminal/confirm.ts';
import { inBangkok } from '../terminal/lines.ts';
import type { PROVIDERS } from '../terminal/options.ts';
import { print } from '../terminal/print.ts';
import { PROGRAM } from '../terminal/program-name.ts';
import { existingMerchant } from './existing-merchant.ts';
import { readActor } from './read-actor.ts';
import { findService, type OperatedService } from './target.ts';
import { UNKNOWN_REASONS } from './unknown-reasons.ts';

const NAMES = Object.keys(PROVIDER_KINDS);
const STDIN_MAX_CHARS = 64 * 1_024;
const PAGE = 100;

type GivenToProviders<Words extends keyof typeof PROVIDERS.commands> = GivenTo<typeof PROVIDERS, Words>;

async function connect(values: GivenToProviders<'connect'>): Promise<void> {
  const { provider: kind } = values;
  const { merchant, service, world } = await findLiveWorld(values);
  const secrets = await readSecrets(kind);
  const elsewhere = world.provider && otherOrigin(world.provider);
  if (elsewhere !== null) {
    throw new Error(`${elsewhere} Nothing was stored.`);
  }
  const account = await prove(kind, secrets);
  refuseOther(world, account);
  // Before the world is stored as connected, so that every function that finds it connected finds its secrets too.
  await service.secrets.write(world.id, secrets);
  const atMs = Date.now();
  const { connectWorld } = await import('../../shared/store/worlds/connection.ts');
  const connection: Connection = {
    ...account,
    token: world.provider?.token ?? newNotificationToken(),
    connectedAtMs: atMs,
  };
  const isConnected = await connectWorld(
    world,
    connection,
    await newAuditEntry('connect', values, world, connection, atMs),
  );
  if (!isConnected) {
    throw changedMeanwhile();
  }
  const hasNotifications = NOTIFICATION_SECRET in secrets;
  const { webhook_url, ...described } = describe({ ...world, provider: connection }, service);
  const steps = hasNotifications
    ? ['Enter this webhook URL at the provider:', `  ${webhook_url}`]
    : [
        `Enter this webhook URL at the provider, then connect again with the ${NOTIFICATION_SECRET} that it shows:`,
        `  ${webhook_url}`,
        'Until then, notifications of the provider are refused, and payments are only polled.',
      ];
  const lines = [`${merchant} is connected to ${kind}, ${accountOf(connection)}.`, ...steps];
  print(values.json, { ...described, webhook_url, takes_notifications: hasNotifications }, ...lines);
}

async function list(values: GivenToProviders<'list'>): Promise<void> {
  const service = await findService(values);
  if (values.merchant !== undefined) {
    await existingMerchant(values.merchant);
  }
  const { listLiveWorlds } = await import('../../shared/store/worlds/merchant.ts');
  const worlds = (await listLiveWorlds()).filter(
    ({ merchant }) => (values.merchant ?? merchant) === merchant,
  );
  const lines = worlds.map(({ merchant, provider }) =>
    provider === null
      ? `${merchant}  not connected`
      : [
          merchant,
          provider.kind,
          accountOf(provider),
          ...(provider.origin === undefined ? [] : [`at ${provider.origin}`]),
          `since ${inBangkok(toTimestamp(provider.connectedAtMs))}`,
          notificationUrl(provider, service.baseUrl),
        ].join('  '),
  );
  print(
    values.json,
    worlds.map((world) => describe(world, service)),
    ...(lines.length === 0 ? ['No live worlds: the first live key of a merchant creates one.'] : lines),
  );
}

async function check(values: GivenToProviders<'check'>): Promise<void> {
  const { merchant, service, world } = await findLiveWorld(values);
  const { provider: connection } = world;
  if (connection === null) {
    throw new Error(`${merchant} is not connected to a provider. Run "${PROGRAM} admin providers connect".`);
  }
  const wrong = await whatIsWrong(connection, await readKept(service, world));
  const words = wrong === null ? `${connection.kind} accepts the secrets.` : wrong;
  print(values.json, { ...describe(world, service), problem: wrong }, words);
  if (wrong !== null) {
    process.exitCode = 1;
  }
}

async function disconnect(values: GivenToProviders<'disconnect'>): Promise<void> {
  const { merchant, service, world } = await findLiveWorld(values);
  const { provider } = world;
  if (provider === null) {
    // An earlier disconnection that failed halfway may have left them.
    await service.secrets.remove(world.id);
    print(values.json, describe(world, service), `${merchant} is not connected to a provider.`);
    return;
  }
  const open = values.abandon ? null : await findOpen(world);
  if (open !== null) {
    throw new Error(
      `${open} has not ended at ${provider.kind}, and would wait until this account is connected again. Cancel what is open, or wait until it ends. --abandon disconnects anyway.`,
    );
  }
  const what = `This disconnects ${merchant} from ${provider.kind}, ${accountOf(provider)}. Until it is connected again, live payments can be neither created nor refunded. The next connection has another webhook URL.`;
  if (!values.yes && !(await isMeant(what, 'disconnect'))) {
    throw new Error('Nothing was done.');
  }
  const { disconnectWorld } = await import('../../shared/store/worlds/connection.ts');
  const record = await newAuditEntry('disconnect', values, world, provider, Date.now());
  if (!(await disconnectWorld(world, provider, record))) {
    throw changedMeanwhile();
  }
  await service.secrets.remove(world.id).catch((error: Error) => {
    throw new Error(
      `${merchant} is disconnected, but its secrets are still stored: repeat this command. ${error.message}`,
    );
  });
  print(
    values.json,
    describe({ ...world, provider: null }, service),
    `${merchant} is disconnected, and its secrets are deleted. Remove the webhook URL at ${provider.kind}, too.`,
  );
}

async function findLiveWorld(values: GivenToProviders<'check'>) {
  const { merchant } = values;
  const service = await findService(values);
  const named = NAMES.filter((name) => configuredOrigin(name) !== undefined).map(apiUrlVariable);
  if (service.isProduction && named.length > 0) {
    throw new Error(
      `Production uses the providers' own APIs only: unset ${named.join(', ')} for a production stack.`,
    );
  }
  await existingMerchant(merchant);
  const { findWorld } = await import('../../shared/store/worlds/world.ts');
  const world = await findWorld(worldIdOf(merchant, 'live'));
  if (world?.merchant !== merchant) {
    throw new Error(
      `${merchant} has no live world. Its first live key creates one: ${PROGRAM} admin keys create --mode live --preset merchant --merchant ${merchant}`,
    );
  }
  return { merchant, service, world };
}

/** @throws Error without any of the text that was read */
async function readSecrets(kind: string): Promise<ProviderSecrets> {
  const { secrets: forms } = await loadProviderKind(kind);
  const names = Object.keys(forms);
  const example = JSON.stringify(Object.fromEntries(names.map((name) => [name, '…'])));
  if (process.stdin.isTTY) {
    throw new UsageError(
      `Pass the secrets on standard input, not typed: write ${example} to a private file, and add "< FILE".`,
    );
  }
  const given = await text(process.stdin);
  const secrets = given.length > STDIN_MAX_CHARS ? null : parsed(given);
  if (secrets === null) {
    throw new Error(`Standard input must be a JSON object: ${example}`);
  }
  if (Object.keys(secrets).some((name) => !names.includes(name))) {
    throw new Error(`Standard input has fields other than the secrets of ${kind}: ${names.join(', ')}.`);
  }
  for (const [name, form] of Object.entries(forms)) {
    const secret = secrets[name];
    if (secret === undefined && name !== NOTIFICATION_SECRET) {
      throw new Error(`Standard input lacks ${name}.`);
    }
    if (secret !== undefined && !form.test(secret)) {
      throw new Error(`${name} is not valid for ${kind}: it must match ${form.source}`);
    }
  }
  return secrets;
}

function parsed(given: string): ProviderSecrets | null {
  try {
    return parseSecrets(given);
  } catch {
    return null;
  }
}

/** Describes a provider result that is not `done`, as a sentence. */
function troubleOf(kind: string, answer: Exclude<ProviderResult<Account>, { kind: 'done' }>): string {
  return answer.kind === 'refused'
    ? `${kind} refuses to show the account: ${answer.code}.`
    : `${kind} ${UNKNOWN_REASONS[answer.why]}.`;
}

async function prove(kind: string, secrets: ProviderSecrets): Promise<ProviderAccount> {
  const answer = await (await openProvider(kind, secrets)).verifyCredentials();
  if (answer.kind !== 'done') {
    throw new Error(`${troubleOf(kind, answer)} Nothing was stored.`);
  }
  return shownBy(kind, answer.reported);
}

/** The account that a provider reports, at the configured origin. */
function shownBy(kind: string, { reference: account, isTest }: Account): ProviderAccount {
  const origin = configuredOrigin(kind);
  return { kind, account, isTest, ...(origin !== undefined && { origin }) };
}

/** Another account needs a new connection, since attempts at one account cannot be retrieved from another. */
function refuseOther({ provider }: World, account: ProviderAccount): void {
  if (provider !== null && !isSameAccount(provider, account)) {
    const other = accountOf(account);
    throw new Error(
      `These secrets belong to ${account.kind}, ${other}, but the merchant is connected to ${provider.kind}, ${accountOf(provider)}. Disconnect it first. Nothing was stored.`,
    );
  }
}

/** A sentence if a connection was made at another origin than the one that is configured now; else null. */
function otherOrigin({ kind, origin }: Connection): string | null {
  const named = configuredOrigin(kind);
  return named === origin
    ? null
    : `It was connected at ${origin ?? `the origin of ${kind} itself`}, but ${apiUrlVariable(kind)} names ${named ?? 'none'}: its secrets are sent to no other origin.`;
}

/** @returns the stored secrets; if they cannot be read, the reason */
function readKept({ secrets }: OperatedService, world: World): Promise<ProviderSecrets | string> {
  return secrets.read(world.id).then(
    (kept) => kept ?? 'The secrets are missing: connect again.',
    (error: Error) => error.message,
  );
}

/** As a sentence; null if nothing is wrong. */
async function whatIsWrong(connection: Connection, kept: ProviderSecrets | string): Promise<string | null> {
  if (typeof kept === 'string') {
    return kept;
  }
  const { kind } = connection;
  const elsewhere = otherOrigin(connection);
  if (elsewhere !== null) {
    return elsewhere;
  }
  const answer = await (await openProvider(kind, kept)).verifyCredentials();
  if (answer.kind !== 'done') {
    return troubleOf(kind, answer);
  }
  const shown = shownBy(kind, answer.reported);
  if (!isSameAccount(shown, connection)) {
    return `The secrets belong to ${accountOf(shown)}, but the connection is to ${accountOf(connection)}: connect again.`;
  }
  return NOTIFICATION_SECRET in kept
    ? null
    : `${kind} accepts the secrets, but its notifications are refused: connect again with the ${NOTIFICATION_SECRET}, too.`;
}

/** The number of a payment or refund that has not ended, or the id of one that a job waits for; null if none exists. */
async function findOpen(world: World): Promise<string | null> {
  return (
    (await findNewest('payment', world, ({ status }) => OPEN_STATUSES.has(status))) ??
    (await findNewest('refund', world, ({ status }) => OPEN_REFUND_STATUSES.has(status))) ??
    (await findAwaited(world))
  );
}

/** The id of an older or never stored payment, or of a refund, whose state at the provider is still awaited. */
async function findAwaited(world: World): Promise<string | null> {
  const [{ readJobs }, { jobPks }, { find }] = await Promise.all([
    import('../../shared/store/scheduler/job.ts'),
    import('../../shared/store/table/keys.ts'),
    import('../../shared/store/table/entity.ts'),
  ]);
  const isAwaited = async (job: Job): Promise<boolean> => {
    switch (job.kind) {
      case 'stop-attempt': {
        const payment = await find('payment', world, job.sent.paymentId);
        return payment?.attempt?.id !== job.sent.attemptId;
      }
      case 'look-up-payment': {
        const payment = await find('payment', world, job.paymentId);
        return payment !== null && payment.status === job.status && OPEN_STATUSES.has(payment.status);
      }
      case 'look-up-refund': {
        const refund = await find('refund', world, job.refundId);
        return refund !== null && SENT_REFUND_STATUSES.has(refund.status);
      }
      default:
        return false;
    }
  };
  for (const job of await readJobs(jobPks(world))) {
    if (await isAwaited(job)) {
      return subjectOf(job);
    }
  }
  return null;
}

/** Searches the payments or refunds that are no older than the oldest payment that can still be paid. */
async function findNewest<Name extends 'payment' | 'refund'>(
  name: Name,
  world: World,
  isMeant: (entity: EntityOf<Name>) => boolean,
): Promise<string | null> {
  const { list: listPage } = await import('../../shared/store/table/list.ts');
  const sinceMs = Date.now() - EXPIRES_IN_MINUTES_MAX * MINUTE_MS;
  let after: string | undefined;
  do {
    const { data, nextCursor } = await listPage<Name, PageRequest>(name, world, { limit: PAGE, after });
    const found = data.find(isMeant);
    if (found !== undefined) {
      return found.number;
    }
    const isOld = data.some(({ createdAtMs }) => createdAtMs < sinceMs);
    after = isOld ? undefined : (nextCursor ?? undefined);
  } while (after !== undefined);
  return null;
}

async function newAuditEntry(
  action: AuditEntry['action'],
  values: GivenToProviders<'check'>,
  { merchant, mode }: World,
  { kind, account, isTest }: Connection,
  atMs: number,
): Promise<Write> {
  const { recordAudit } = await import('../../shared/store/worlds/audit.ts');
  const details = { provider: kind, is_test: isTest };
  return recordAudit({
    atMs,
    action,
    actor: await readActor(values),
    merchant,
    mode,
    subject: account,
    details,
  });
}

function changedMeanwhile(): Error {
  return new Error(
    'The connection was changed at the same time by another command. Nothing else was done: see "list" and "check".',
  );
}

function accountOf({ account, isTest }: Pick<Connection, 'account' | 'isTest'>): string {
  return `account ${account}${isTest ? ', for rehearsals' : ''}`;
}

function describe({ merchant, provider }: World, { baseUrl }: OperatedService) {
  return {
    merchant,
    provider: provider?.kind ?? null,
    account: provider?.account ?? null,
    is_test: provider?.isTest ?? null,
    /** Null for the origin of the provider itself. */
    origin: provider?.origin ?? null,
    connected_at: provider === null ? null : toTimestamp(provider.connectedAtMs),
    webhook_url: provider === null ? null : notificationUrl(provider, baseUrl),
  };
}

export const acts: Acts<typeof PROVIDERS> = { connect, list, check, disconnect };
