import { newId } from '../domain/id.ts';
import type { Mode } from '../domain/world.ts';
import type { Write } from './commit.ts';
import { type Item, insert } from './item.ts';
import { AUDIT_PK, auditIndexes, auditKey, merchantAuditPk } from './keys.ts';
import { type ListSource, listPage } from './list.ts';

const ENTRIES_AT_ONCE = 100;

/** An operator's action on a merchant's keys or data (contract §1). */
export interface AuditEntry {
  readonly id: string;
  /** In real time. */
  readonly atMs: number;
  readonly action: 'create' | 'roll' | 'revoke' | 'erase' | 'connect' | 'disconnect';
  /** The ARN of the AWS caller, or the local user. */
  readonly actor: string;
  readonly merchant: string;
  readonly mode: Mode;
  /** The id of the key or payment that was acted on, or the account at a provider. */
  readonly subject: string;
  /** What was done, for people to read: no secrets and no personal data. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Inserts an entry, in the transaction of the action. Entries are never changed or deleted. */
export function recordAudit(entry: Omit<AuditEntry, 'id'>): Write {
  const id = newId('aud', entry.atMs);
  return insert({ ...auditKey(id), ...auditIndexes(entry.merchant, id), id, ...entry });
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
    yield page.data;
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
}

function toAuditEntry(item: Item): AuditEntry {
  const { id, atMs, action, actor, merchant, mode, subject, details } = item as unknown as AuditEntry;
  return { id, atMs, action, actor, merchant, mode, subject, details };
}
