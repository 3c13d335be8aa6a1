/// <reference lib="dom" />
// biome-ignore-all lint/a11y/noRedundantRoles: the style of a narrow screen takes the roles of its elements from a table
import type { ComponentChildren } from 'preact';
import { addressOfId } from '../../story/addresses.ts';
import { formatMoney, isMoney } from '../../story/amounts.ts';
import {
  type Column,
  columnValue,
  filledColumns,
  kindOfId,
  type ListedRow,
  linkColumn,
} from '../../story/lists.ts';
import { fieldText } from '../show/field-text.ts';
import { IdLink } from '../show/linked-text.tsx';
import { RowTime } from '../show/shown-time.tsx';
import { StatusBadge } from '../show/status-badge.tsx';

/** A column of what is no field of a row. */
interface FurtherColumn {
  readonly title: string;
  /** Null where a row has nothing in it. */
  readonly cellOf: (row: ListedRow) => ComponentChildren;
}

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly ListedRow[];
  readonly further?: FurtherColumn;
}

/** Rows with columns, each of which leads to its resource as a whole. On narrow screens a row has two lines. */
export function DataTable({ label, columns, rows, further }: TableProps) {
  const filled = filledColumns(columns, rows);
  const link = linkColumn(filled);
  const cells = further === undefined ? [] : rows.map(further.cellOf);
  const hasFurther = cells.some((cell) => cell !== null);
  return (
    <table class="data" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {filled.map(({ title, kind }) => (
            <th key={title} role="columnheader" scope="col" class={`c-${kind}`}>
              {title}
            </th>
          ))}
          {hasFurther && (
            <th role="columnheader" scope="col" class="c-number">
              {further?.title}
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={row.id} role="row" data-id={row.id}>
            {filled.map((column) => (
              <td key={column.title} role="cell" class={`c-${column.kind}`} data-field={column.fields[0]}>
                <RowLink id={row.id} isLink={column === link}>
                  <CellValue column={column} row={row} />
                </RowLink>
              </td>
            ))}
            {hasFurther && (
              <td role="cell" class="c-number">
                {cells[index]}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface LinkProps {
  readonly id: string;
  readonly isLink: boolean;
  readonly children: ComponentChildren;
}

/** The link of a row, whose target is the whole row. */
function RowLink({ id, isLink, children }: LinkProps): ComponentChildren {
  const address = isLink ? addressOfId(id) : null;
  return address === null ? (
    children
  ) : (
    <a class="row-link" href={address}>
      {children}
    </a>
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
      return <StatusCell row={row} status={text} />;
    case 'time':
      return <RowTime at={text} />;
    default:
      return fieldText(column.fields[0] ?? '', value, row);
  }
}

function StatusCell({ row, status }: { readonly row: ListedRow; readonly status: string }) {
  const name = kindOfId(row.id)?.resource ?? null;
  return name === null ? status : <StatusBadge name={name} status={status} resource={row} />;
}
