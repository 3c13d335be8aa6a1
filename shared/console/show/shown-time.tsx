import { bangkokTime, relativeTime, rowTime } from '../../story/times.ts';
import { useNow } from '../call/use-now.ts';

/** A time in Bangkok, and how far it is from the merchant's clock. */
export function ShownTime({ at }: { readonly at: string }) {
  const now = useNow();
  const instant = new Date(at);
  return (
    <time dateTime={at} title={`${at} (UTC)`}>
      {bangkokTime(instant, now)} <span class="hint relative">{relativeTime(instant, now)}</span>
    </time>
  );
}

/** A time of a row: what is needed to tell it from the others; its title has the whole instant. */
export function RowTime({ at }: { readonly at: string }) {
  const now = useNow();
  const instant = new Date(at);
  return (
    <time dateTime={at} title={`${bangkokTime(instant, now)} · ${at} (UTC)`}>
      {rowTime(instant, now)}
    </time>
  );
}
