/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { formatMoney } from '../../story/amounts.ts';
import { readOf } from '../../story/read-request.ts';
import { addressOf } from '../../story/route.ts';
import { methodText } from '../../story/status-words.ts';
import { bangkokDate } from '../../story/times.ts';
import { useRead } from '../call/use-read.ts';
import { type DayBar, type MonthBars, monthBars, todayText } from './home-facts.ts';
import { moneyTexts } from './money-texts.ts';

const texts = moneyTexts.month;
export const STATISTICS = readOf('reports.GetDailyStatistics');
/** The height of the drawing, which is stretched to the room there is. */
const HEIGHT = 100;
const STEP = 10;
const LABELS = 5;

/** Thirty days of paid and refunded money as bars by method, with a table behind them. */
export function MonthChart() {
  const body = useRead(STATISTICS.operationId).response?.body;
  if (!body) {
    return null;
  }
  const month = monthBars(body.data);
  const { days, methods, axis } = month;
  const dated = days.filter((_, nth) => nth % Math.ceil(days.length / LABELS) === 0);
  return (
    <section class="month" aria-label={texts.title}>
      <p>{todayText(body.data)}</p>
      <ul class="legend">
        {methods.map((method) => (
          <li key={method}>
            <Swatch kind={method} /> {methodText(method)}
          </li>
        ))}
        <li>
          <Swatch kind="refunded" /> {texts.refundedLegend}
        </li>
      </ul>
      {/* The table says the same. */}
      <div class="chart" aria-hidden="true">
        <p class="axis">
          {axis.map((label) => (
            <span key={label}>{label}</span>
          ))}
        </p>
        <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {days.map((day, nth) => (
            <Bar key={day.date} day={day} x={nth * STEP} />
          ))}
        </svg>
        <p class="dates">
          {dated.map(({ date }) => (
            <span key={date}>{bangkokDate(date)}</span>
          ))}
        </p>
      </div>
      <MonthTable month={month} />
    </section>
  );
}

function Swatch({ kind }: { readonly kind: string }) {
  return (
    <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
      <rect class={`k-${kind}`} width={1} height={1} />
    </svg>
  );
}

/** A day's payments, stacked by method, and its refunds beside them. It leads to the payments of the day. */
function Bar({
  day: { date, parts, refundedHeight, text },
  x,
}: {
  readonly day: DayBar;
  readonly x: number;
}) {
  return (
    <a href={addressOf(['payments'], { day: date })} tabindex={-1}>
      <title>{text}</title>
      <rect class="room" x={x} width={STEP} height={HEIGHT} />
      {parts.map(({ method, from, height }) => (
        <rect
          key={method}
          class={`k-${method}`}
          x={x + 1}
          y={HEIGHT * (1 - from - height)}
          width={5}
          height={HEIGHT * height}
        />
      ))}
      <rect
        class="k-refunded"
        x={x + 6.5}
        y={HEIGHT * (1 - refundedHeight)}
        width={2}
        height={HEIGHT * refundedHeight}
      />
    </a>
  );
}

function MonthTable({ month: { days, methods } }: { readonly month: MonthBars }) {
  const [isOpen, open] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>{texts.asTable}</summary>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <div class="sideways" tabIndex={0} role="region" aria-label={texts.tableTitle}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.day}</th>
              <th scope="col">{texts.paid}</th>
              {methods.map((method) => (
                <th key={method} scope="col">
                  {methodText(method)}
                </th>
              ))}
              <th scope="col">{texts.refunded}</th>
            </tr>
          </thead>
          <tbody>
            {(isOpen ? days.toReversed() : []).map(({ date, paid, refunded, parts }) => (
              <tr key={date}>
                <th scope="row">
                  <a href={addressOf(['payments'], { day: date })}>{bangkokDate(date)}</a>
                </th>
                <td>{formatMoney(paid)}</td>
                {methods.map((method) => {
                  const part = parts.find((each) => each.method === method);
                  return <td key={method}>{part === undefined ? '–' : formatMoney(part.amount)}</td>;
                })}
                <td>{formatMoney(refunded)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
