import type { EventView } from '../../contract/events.ts';
import { type DeliveryCounts, planDeliveryCounts } from '../../story/event-deliveries.ts';
import { LISTS, type ListedRow } from '../../story/lists.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { useReads } from '../call/use-read.ts';
import { DataTable } from './data-table.tsx';
import { listViewTexts } from './list-view-texts.ts';

const texts = listViewTexts.deliveries;

/** Events, each with what became of its deliveries. The receivers that are gone do not count: their logs are gone, too. */
export function EventTable({ rows }: { readonly rows: readonly ListedRow[] }) {
  const { reads, hasTestKit } = useDashboard();
  const { requests, countsOf } = planDeliveryCounts(reads.bodyOf, hasTestKit);
  useReads(requests);
  const cellOf = (row: ListedRow) => {
    const { timestamp = '' }: Partial<EventView> = Object(row);
    const counts = countsOf({ id: row.id, timestamp });
    return counts && <Counts {...counts} />;
  };
  const { title, columns } = LISTS.event;
  return <DataTable label={title} columns={columns} rows={rows} further={{ title: texts.title, cellOf }} />;
}

function Counts({ accepted, failed }: DeliveryCounts) {
  return (
    <>
      {accepted > 0 && <Count text={`${accepted} ✓`} words={texts.accepted(accepted)} tone="good" />}{' '}
      {failed > 0 && <Count text={`${failed} ✗`} words={texts.failed(failed)} tone="bad" />}
    </>
  );
}

interface CountProps {
  readonly text: string;
  /** The same for screen readers, and where a pointer rests. */
  readonly words: string;
  readonly tone: 'good' | 'bad';
}

function Count({ text, words, tone }: CountProps) {
  return (
    <span class={tone} title={words}>
      <span aria-hidden="true">{text}</span>
      <span class="unseen">{words}</span>
    </span>
  );
}
