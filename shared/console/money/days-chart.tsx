/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { bangkokDay } from '../../domain/balance.ts';
import { DAY_MS } from '../../domain/clock.ts';
import { formatMoney } from '../../story/amounts.ts';
import { readOf } from '../../story/read-request.ts';
import { addressOf } from '../../story/route.ts';
import { methodText } from '../../story/status-words.ts';
import { bangkokDate } from '../../story/times.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { useReads } from '../call/use-read.ts';
import { useRoute } from '../call/use-route.ts';
import { absenceOf } from '../show/shown-problem.tsx';
import {
  type ChartBars,
  chartBars,
  type DayBar,
  type Statistics,
  sumsText,
  todayText,
} from './home-facts.ts';
import { moneyTexts } from './money-texts.ts';

const texts = moneyTexts.month;
/** How many days can be chosen; the address has them. The statistics take 92 at most. */
const PERIODS = [7, 30, 90];
/** What the service responds with where no days are named. */
const DAYS_DEFAULT = 30;
/** The height of the drawing, which is stretched to the room there is. */
const HEIGHT = 100;
const STEP = 10;
const LABELS = 5;

/** The days that the address chooses, and the read of their statistics. */
export function useChosenDays() {
  const { clock } = useDashboard();
  const { query } = useRoute();
  const days = PERIODS.find((each) => String(each) === query.days) ?? DAYS_DEFAULT;
  const dayAgo = (count: number) => bangkokDay(clock.now().getTime() - count * DAY_MS);
  const input = days === DAYS_DEFAULT ? {} : { query: { from: dayAgo(days - 1), to: dayAgo(0) } };
  return { days, request: readOf('reports.GetDailyStatistics', input) };
}

/** Days of paid and refunded money as bars by method, with a table behind them. */
export function DaysChart() {
  const { days, request } = useChosenDays();
  const [state] = useReads([request]);
  const statistics = state.response?.body?.data;
  const isNothing = statistics?.every(({ paid, refunded }) => paid.count + refunded.count === 0);
  return (
    <section class="month" aria-label={texts.title(days)}>
      <Periods days={days} />
      {statistics === undefined ? (
        <p class="hint">{absenceOf(state)}</p>
      ) : isNothing ? (
        <p>{texts.nothing(days)}</p>
      ) : (
        <Chart statistics={statistics} />
      )}
    </section>
  );
}

function Periods({ days }: { readonly days: number }) {
  const { path, query } = useRoute();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div class="tools" role="group" aria-label={texts.period}>
      {PERIODS.map((each) => (
        <a
          key={each}
          class="button small"
          aria-current={each === days ? 'true' : undefined}
          href={addressOf(path, { ...query, days: each === DAYS_DEFAULT ? '' : String(each) })}
        >
          {texts.days(each)}
        </a>
      ))}
    </div>
  );
}

function Chart({ statistics }: { readonly statistics: Statistics }) {
  const bars = chartBars(statistics);
  const { days, methods, axis } = bars;
  const dated = days.filter((_, nth) => nth % Math.ceil(days.length / LABELS) === 0);
  return (
    <>
      <p>{sumsText(statistics)}</p>
      <p>{todayText(statistics)}</p>
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
      <DaysTable bars={bars} />
    </>
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

function DaysTable({ bars: { days, methods } }: { readonly bars: ChartBars }) {
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
