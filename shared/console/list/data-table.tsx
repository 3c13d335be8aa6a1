/// <reference lib="dom" />
// biome-ignore-all lint/a11y/noRedundantRoles: the style of a narrow screen takes the roles of its elements from a table
import type { ComponentChildren } from 'preact';
import { formatMoney, isMoney } from '../../story/amounts.ts';
import { type Column, columnValue, type ListedRow } from '../../story/lists.ts';
import { IdLink } from '../show/linked-text.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { StatusBadge } from '../show/status-badge.tsx';

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly ListedRow[];
}

/** Rows with columns. On narrow screens each row is a card. */
export function DataTable({ label, columns, rows }: TableProps) {
  return (
    <table class="data" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, kind }) => (
            <th key={title} role="columnheader" scope="col" class={`c-${kind}`}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={row.id} role="row" data-id={row.id}>
            {columns.map((column) => (
              <td key={column.title} role="cell" class={`c-${column.kind}`} data-title={column.title}>
                <CellValue column={column} row={row} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CellValue({ column, row }: { readonly column: Column; readonly row: ListedRow }): ComponentChildren {
  const value = columnValue(column, row);
  if (value === undefined) {
    return <span class="hint">–</span>;
  }
  if (isMoney(value)) {
    return formatMoney(value);
  }
  const text = String(value);
  switch (column.kind) {
    case 'id':
      return <IdLink id={text} />;
    case 'status':
      return <StatusBadge status={text} />;
    case 'time':
      return <ShownTime at={text} />;
    default:
      return text;
  }
}
