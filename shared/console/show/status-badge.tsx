import type { ReportedName } from '../../domain/resource.ts';
import { toneOf } from '../../story/lists.ts';
import { statusText } from '../../story/status-words.ts';

interface BadgeProps {
  /** The kind of resource whose status it is. */
  readonly name: ReportedName;
  readonly status: string;
  /** The resource, which may say more than its status: a payment that was paid late. */
  readonly resource?: object;
}

/** A status as a dot in its colour, and the word that a person says. */
export function StatusBadge({ name, status, resource }: BadgeProps) {
  return (
    <span class={`word t-${toneOf(status)}`} data-status={status}>
      {statusText(name, status, resource)}
    </span>
  );
}
