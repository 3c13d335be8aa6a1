import type { Endpoint, EndpointChange } from '../../domain/endpoint.ts';
import { newId } from '../../domain/id.ts';
import type { Mode, World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { insert, type StoredItem } from '../table/item.ts';
import { AUDIT_PK, auditIndexes, auditKey, endpointAuditKey, merchantAuditPk } from '../table/keys.ts';
import { type ListSource, listPage } from '../table/list.ts';

const ENTRIES_AT_ONCE = 100;

const ENDPOINT_ACTIONS = ['add-endpoint', 'change-endpoint', 'rotate-secret', 'delete-endpoint'] as const;
type EndpointAction = (typeof ENDPOINT_ACTIONS)[number];
/** What a merchant sets of an endpoint, as the API calls it. */
const SET_FIELDS = ['url', 'description', 'events', 'status'] as const;

/** An operator's action on a merchant's keys or data (contract §1), or a key's on a webhook endpoint (contract §14). */
export interface AuditEntry {
  readonly id: string;
  /** In real time. */
  readonly atMs: number;
  readonly action:
    | 'create'
    | 'roll'
    | 'revoke'
    | 'erase'
    | 'connect'
    | 'disconnect'
    | 'set-name'
    | 'set-logo'
    | EndpointAction;
  /** The ARN of the AWS caller, or the local user; of what the API did, the id of the key. */
  readonly actor: string;
  readonly merchant: string;
  readonly mode: Mode;
  /** What was acted on: the id of a key, payment or endpoint, the name of a merchant, or the account at a provider. */
  readonly subject: string;
  /** What was done, for people to read: no secrets and no personal data. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Inserts an entry, in the transaction of the action. Entries are never changed or deleted. */
export function recordAudit(entry: Omit<AuditEntry, 'id'>): Write {
  const id = newId('aud', entry.atMs);
  return insert({ ...auditKey(id), ...auditIndexes(entry.merchant, id), id, ...entry });
}

/**
 * Inserts an entry of what a key did to an endpoint, in the transaction of the change. Of its address only the host is
 * kept: the rest may be a secret.
 */
export function recordEndpointAudit(
  { merchant, mode }: World,
  keyId: string,
  { before, after }: Pick<EndpointChange, 'before' | 'after'>,
  atMs: number,
): Write {
  const id = newId('aud', atMs);
  const { id: subject, url, events, status } = (after ?? before) as Endpoint;
  const changed = SET_FIELDS.filter((field) => String(before?.[field]) !== String(after?.[field]));
  const action = actionOf(before, after);
  const details = {
    ...{ host: new URL(url).host, events, status },
    ...(action === 'change-endpoint' && { changed }),
  };
  const entry = { id, atMs, action, actor: keyId, merchant, mode, subject, details } satisfies AuditEntry;
  return insert({ ...endpointAuditKey(id), ...auditIndexes(merchant, id), ...entry });
}

function actionOf(before: Endpoint | null, after: Endpoint | null): EndpointAction {
  if (before === null || after === null) {
    return before === null ? 'add-endpoint' : 'delete-endpoint';
  }
  return before.secret === after.secret ? 'change-endpoint' : 'rotate-secret';
}

/** All entries, or those of one merchant, newest first, a page at a time. */
export async function* readAudit(merchant?: string): AsyncGenerator<AuditEntry[], undefined> {
  const source: ListSource = {
    index: merchant === undefined ? 'newest' : 'related',
    newestBlock: 0,
    partitionOf: () => (merchant === undefined ? AUDIT_PK : merchantAuditPk(merchant)),
  };
  let after: string | undefined;
  do {
    const page = await listPage(source, { limit: ENTRIES_AT_ONCE, after }, toAuditEntry);
    yield page.data.filter((entry) => entry !== null);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
}

/** Null for an entry under a wrong key: functions may write endpoint entries only, so they cannot forge operators'. */
function toAuditEntry(item: StoredItem): AuditEntry | null {
  const entry = fieldsOf<AuditEntry>(item);
  const isOfEndpoint = ENDPOINT_ACTIONS.some((one) => one === entry.action);
  const key = isOfEndpoint ? endpointAuditKey(entry.id) : auditKey(entry.id);
  return key.pk === item.pk && key.sk === item.sk ? entry : null;
}
