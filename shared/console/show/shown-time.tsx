import { bangkokTime, relativeTime } from '../../story/times.ts';
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
