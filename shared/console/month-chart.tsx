/// <reference lib="dom" />
import { formatMoney } from './amounts.ts';
import { barsOf, todayText } from './home-facts.ts';
import { useRead } from './use-read.ts';

export const STATISTICS = { operationId: 'reports_GetDailyStatistics', query: {} };
const HEIGHT = 120;
const STEP = 20;
const BAR = 8;

/** Thirty days of paid and refunded money as bars, with a table behind them. */
export function MonthChart() {
  const { answer } = useRead(STATISTICS.operationId, STATISTICS);
  if (answer === null || answer.status !== 200) {
    return null;
  }
  const bars = barsOf(answer.json.data);
  const top = (height: number) => HEIGHT - height * HEIGHT;
  return (
    <section class="month" aria-label="The last thirty days">
      <p>{todayText(answer.json.data)}</p>
      <svg viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`} role="img" aria-label="Paid and refunded by day">
        {bars.map((bar, nth) => (
          <g key={bar.date}>
            <title>{bar.text}</title>
            <rect x={nth * STEP} y={0} width={STEP} height={HEIGHT} fill="transparent" />
            <rect
              class="paid"
              x={nth * STEP + 2}
              y={top(bar.paidHeight)}
              width={BAR}
              height={bar.paidHeight * HEIGHT}
            />
            <rect
              class="refunded"
              x={nth * STEP + 2 + BAR}
              y={top(bar.refundedHeight)}
              width={BAR}
              height={bar.refundedHeight * HEIGHT}
            />
          </g>
        ))}
      </svg>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Paid</th>
              <th scope="col">Refunded</th>
            </tr>
          </thead>
          <tbody>
            {bars.toReversed().map(({ date, paid, refunded }) => (
              <tr key={date}>
                <td>{date}</td>
                <td>{formatMoney(paid)}</td>
                <td>{formatMoney(refunded)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
