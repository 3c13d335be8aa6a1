import type { IndexName } from '../../shared/store/table/table.ts';

/*
 * The forms of the calls that the service sends, with names and values of no meaning. The first letter of a value says
 * what it is: a number, a fraction, a text, a part of a key, bytes, a set of texts, a map, a type, null or yes-or-no.
 * What a simulated story sends is there (differential.slow.test.ts); what else the service sends was read from its code.
 */

const IS_OPEN = '(attribute_not_exists(counted) OR counted < :n)';

export const CONDITION_FORMS = [
  'attribute_exists(pk)',
  'attribute_not_exists(pk)',
  'attribute_exists(pk) OR attribute_not_exists(pk)',
  'attribute_not_exists(pk) OR #lease < :f',
  'attribute_not_exists(pk) OR #counted < :n',
  '(attribute_not_exists(counted) OR counted <= :n) AND (attribute_not_exists(pk) OR note <> :t)',
  'attribute_not_exists(pk) OR counted <= :n',
  'attribute_not_exists(counted) OR (counted = :n AND summed = :n2)',
  'attribute_not_exists(counted) OR counted < :n OR #standing = :t',
  '#edition = :n',
  'note = :t',
  '#edition = :n AND note = :t',
  '#standing = :t AND lease = :f',
  '#standing = :t AND lease = :f AND attribute_not_exists(note)',
  '#standing = :t AND counted > :n',
  '#standing = :t AND counted >= :n',
  'summed = :n2 AND counted > :n',
  'note = :t AND nothing = :o',
  'counted = :n AND nothing = :o',
  '#packed = :b AND counted = :n',
  '#packed = :b AND attribute_not_exists(note)',
  '#packed = :b AND attribute_not_exists(note) AND (attribute_not_exists(counted) OR counted < :n OR #standing = :t)',
  'attribute_type(nothing, :y)',
  'attribute_type(nothing, :y) AND attribute_not_exists(note)',
  '(attribute_type(nothing, :y) OR counted < summed)',
  '(attribute_type(nothing, :y) OR counted < summed) AND #standing = :t',
  'attribute_exists(pk) AND attribute_not_exists(note)',
  'attribute_exists(pk) AND counted = :n AND summed = :n2',
  'attribute_exists(pk) AND NOT contains(tags, :t) AND NOT contains(tags, :t2)',
  'attribute_exists(pk) AND (attribute_not_exists(note) OR note < :t)',
  'attribute_exists(pk) AND (attribute_not_exists(counted) OR counted < :n OR #standing = :t)',
  `attribute_exists(pk) AND ${IS_OPEN}`,
  `attribute_exists(pk) AND ${IS_OPEN} AND summed = :n2`,
  `attribute_exists(pk) AND ${IS_OPEN} AND (attribute_not_exists(summed) OR summed = :n2)`,
  'edition = :n AND attribute_not_exists(note)',
  'edition = :n AND attribute_exists(pk) AND (attribute_not_exists(summed) OR summed = :n2)',
  `${IS_OPEN} AND (attribute_exists(pk))`,
  `${IS_OPEN} AND (summed = :n2)`,
  `${IS_OPEN} AND (attribute_exists(pk) AND (attribute_not_exists(summed) OR summed < :n2))`,
  `${IS_OPEN} AND (attribute_exists(pk) AND (attribute_not_exists(summed) OR summed = :n2))`,
  '(attribute_not_exists(#counted) OR #counted < :n) AND (attribute_not_exists(#summed) OR #summed < :n2)',
  'provider.since = :n',
] as const;

export const UPDATE_FORMS = [
  'ADD counted :n',
  'ADD #counted :n',
  'ADD counted :n, summed :n2',
  'ADD tags :s',
  'ADD tags :s, counted :n',
  'DELETE tags :s',
  'REMOVE note',
  'REMOVE tags, provider',
  'SET #packed = :b REMOVE note',
  'SET #standing = :t',
  'SET #standing = :t, packed = :b REMOVE note, nothing, flag',
  'SET #standing = :t, counted = :n',
  'SET note = :t',
  'SET note = :t REMOVE duePk, dueSk',
  'SET note = :t, #standing = :t2 ADD counted :n, summed :n2',
  'SET flag = :w',
  'SET nothing = :o',
  'SET lease = :f',
  'SET provider = :m',
  'SET duePk = :q, dueSk = :k',
  'SET counted = :n',
  'SET counted = :n, note = :t',
  'SET counted = :n REMOVE note, nothing',
  'SET counted = counted + :n, #edition = #edition + :n2',
  'SET counted = counted + :n, #edition = #edition + :n2, note = :t',
  'SET counted = counted + :n, summed = :n2, note = :t',
  'SET counted = counted + :n, summed = :n2 REMOVE note, tags',
  'SET counted = counted - :n, #edition = #edition + :n2',
  'SET counted = summed',
  'SET #counted = :n ADD #summed :n2, #edition :n2',
] as const;

/** A query, with values of no meaning. */
export interface QueryForm {
  readonly index?: IndexName;
  /** What the sort key is compared with. */
  readonly where?: string;
  readonly filters?: true;
  readonly limited?: true;
  readonly more?: Readonly<Record<string, unknown>>;
}

const NOW = { ConsistentRead: true };
const NEWEST_FIRST = { ScanIndexForward: false };

export const QUERY_FORMS: readonly QueryForm[] = [
  {},
  { more: NOW },
  { more: { ...NOW, Select: 'COUNT' } },
  { more: { ...NOW, ProjectionExpression: 'sk' } },
  { more: NOW, limited: true },
  { more: { ...NOW, ...NEWEST_FIRST }, limited: true },
  { limited: true },
  { more: NEWEST_FIRST, limited: true },
  { where: 'sk < :k', more: { ...NOW, ...NEWEST_FIRST }, limited: true },
  { where: 'sk <= :k', more: { ...NOW, ...NEWEST_FIRST }, limited: true },
  { where: 'sk <= :k', more: NOW },
  { where: 'sk <= :k', more: NOW, limited: true },
  { where: 'sk <= :k', more: NOW, limited: true, filters: true },
  { where: 'sk <= :k', more: { ...NOW, Select: 'COUNT' } },
  { where: 'sk <= :k', more: { ...NOW, Select: 'COUNT' }, filters: true },
  { where: 'sk > :k', more: NOW, limited: true },
  { where: 'sk >= :k', more: NOW },
  { where: 'begins_with(sk, :k)', more: NOW },
  { where: 'sk BETWEEN :k2 AND :k', more: { ...NOW, ...NEWEST_FIRST }, limited: true },
  { index: 'due' },
  { index: 'due', where: '#sk <= :k' },
  { index: 'due', where: '#sk <= :k', limited: true },
  { index: 'newest' },
  { index: 'newest', limited: true },
  { index: 'newest', where: '#sk = :k', limited: true },
  { index: 'newest', where: '#sk < :k', more: NEWEST_FIRST, limited: true },
  { index: 'related' },
  { index: 'related', limited: true },
  { index: 'related', more: NEWEST_FIRST, limited: true },
  { index: 'related', where: '#sk < :k', more: NEWEST_FIRST, limited: true },
];
