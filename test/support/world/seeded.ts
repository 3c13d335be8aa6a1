import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import type { Client, Received } from './api.ts';

type ListRow = Operation & { readonly query: object };
type Listed<Row extends ListRow> = Received<Row>['json'] extends { data: readonly (infer Listing)[] }
  ? Listing
  : never;

const PAGE = '100';

/** Everything of a list, page by page. */
export async function listAll<const Row extends ListRow>(
  api: Client,
  row: Row,
  query: Readonly<Record<string, string>> = {},
): Promise<Listed<Row>[]> {
  const all: Listed<Row>[] = [];
  let after: string | null = null;
  do {
    const cursor: Record<string, string> = after === null ? {} : { after };
    const { json } = await api(row as Operation, { query: { ...query, ...cursor, limit: PAGE } });
    const page = json as unknown as { data: Listed<Row>[]; next_cursor: string | null };
    all.push(...page.data);
    after = page.next_cursor;
  } while (after !== null);
  return all;
}

/** Everything that a world shows, by kind. */
export async function contentOf(api: Client) {
  const [payments, refunds, links, payouts, sinks, events] = await Promise.all([
    listAll(api, operations.listPayments),
    listAll(api, operations.listRefunds),
    listAll(api, operations.listPaymentLinks),
    listAll(api, operations.listPayouts),
    api(operations.listWebhookSinks).then(({ json }) => json.data),
    listAll(api, operations.listEvents),
  ]);
  return { payments, refunds, links, payouts, sinks, events };
}

/** How many of each kind a world shows. */
export async function countsOf(api: Client) {
  const { payments, refunds, links, payouts, sinks } = await contentOf(api);
  return [payments, refunds, links, payouts, sinks].map(({ length }) => length);
}
