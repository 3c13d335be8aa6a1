import { toneOf } from '../../story/lists.ts';

/** A status, in its colour. */
export function StatusBadge({ status }: { readonly status: string }) {
  return <span class={`pill t-${toneOf(status)}`}>{status.replaceAll('_', ' ')}</span>;
}
