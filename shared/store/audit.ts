import { newId } from '../domain/id.ts';
import type { Mode } from '../domain/world.ts';
import type { Write } from './commit.ts';
import { type Item, insert } from './item.ts';
import { AUDIT_PK, auditIndexes, auditKey, merchantAuditPk } from './keys.ts';
import { type ListSource, listPage } from './list.ts';

const ENTRIES_AT_ONCE = 100;

/** Something that an operator did to a merchant's keys or data (contract §1). */
export interface AuditEntry {
  readonly id: string;
  /** In real time. */
  readonly atMs: number;
  readonly action: 'create' | 'roll' | 'revoke' | 'erase';
  /** The ARN of who has called AWS, or the local user. */
  readonly actor: string;
  readonly merchant: string;
  readonly mode: Mode;
  /** The id of what it was done to. */
  readonly subject: string;
  /** What was done, as it is to be read; no secret, and nothing of a payer. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The entry, for the transaction that does what it tells of. Nothing changes or removes one. */
export function recordAudit(entry: Omit<AuditEntry, 'id'>): Write {
  const id = newId('aud', entry.atMs);
  return insert({ ...auditKey(id), ...auditIndexes(entry.merchant, id), id, ...entry });
}

/** What was done, to all or to a merchant, newest first, a page at a time. */
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
