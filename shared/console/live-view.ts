/// <reference lib="dom" />
import type { Actions } from './actions.ts';
import type { AnyJson, GateAnswer } from './gate.ts';
import type { ReceiverCards } from './receiver-cards.ts';
import type { SharedParts } from './shared-parts.ts';

interface LiveParts extends SharedParts {
  readonly actions: Actions;
  /** The element that shows the results of actions. */
  readonly report: HTMLElement;
  readonly cards: ReceiverCards;
}

interface LivePage {
  readonly data: readonly AnyJson[];
  readonly has_more: boolean;
}

/** Shows the test world beside the forms. */
export function createLiveView(parts: LiveParts) {
  const { el, byId, refill } = parts.elements;
  const { isReadable } = parts.answerView;
  const { actionButton, button } = parts.actions;
  const { call } = parts.calls;
  const { report, cards, clock, knownIds, open } = parts;
  const CLOCK_TICK_MS = 1_000;
  const STEPS = [
    [900, '+15 min'],
    [3_600, '+1 h'],
    [86_400, '+1 day'],
    [2_592_000, '+30 days'],
  ] as const;
  const places = {
    clock: byId('live-clock'),
    payments: byId('live-payments'),
    events: byId('live-events'),
    sinks: byId('live-sinks'),
  };
  let latest: GateAnswer[] = [];

  /** False if the service asks to slow down. */
  async function look(isStale: () => boolean): Promise<boolean> {
    const answers = await Promise.all([
      call('testkit_GetClock'),
      call('payments_ListPayments', { query: { limit: '100' } }),
      call('testkit_ListWebhookSinks'),
      call('events_ListEvents', { query: { limit: '12' } }),
    ]);
    const [time, payments, sinks, events] = answers;
    const logs = await cards.readLogs(sinks.status === 200 ? sinks.json.data : []);
    if (!isStale()) {
      knownIds.list('world', [payments, sinks, ...logs, events]);
      latest = answers;
      showIfReadable(places.clock, time, showClock);
      showIfReadable(places.payments, payments, showPayments);
      showIfReadable(places.events, events, showEvents);
      showIfReadable(places.sinks, sinks, showSinks);
    }
    return !answers.some(({ status }) => status === 429 || status >= 500);
  }

  /** The content that a purge would delete, as far as it is shown here. */
  function describeContent(): string[] {
    const [time, payments, sinks, events] = latest;
    const countOf = (answer: GateAnswer | undefined, one: string) => {
      const count = answer?.status === 200 ? answer.json.data.length : null;
      const more = answer?.json?.has_more === true ? ' or more' : '';
      return count === null ? `all ${one}s` : `${count}${more} ${count === 1 ? one : `${one}s`}`;
    };
    const ahead = time?.status === 200 ? lengthOf(time.json.offset_seconds) : '';
    return [
      `${countOf(payments, 'payment')}, with refunds, payouts, settlements and payment links`,
      `${countOf(sinks, 'webhook sink')}, with what they received`,
      'all webhook endpoints, with what was sent to them',
      `${countOf(events, 'event')}, and what is still to be delivered or done`,
      'the saved responses of idempotency keys',
      `the clock: it returns to real time${ahead === '' ? '' : `, ${ahead} back`}`,
    ];
  }

  function showIfReadable(place: HTMLElement, answer: GateAnswer, show: (json: AnyJson) => void): void {
    if (isReadable(place, answer)) {
      show(answer.json);
    }
  }

  function showClock({ now, next_job_at: next, offset_seconds: offset }: AnyJson): void {
    clock.set(now);
    refill(places.clock, 'clock', () => [
      el('p', { class: 'clock' }, el('time', { id: 'clock-now' })),
      el('p', { class: 'hint', id: 'clock-ahead' }),
      el('div', { class: 'steps' }, ...STEPS.map(([seconds, label]) => advanceButton(seconds, label))),
    ]);
    const ahead = lengthOf(offset);
    byId('clock-ahead').textContent = [
      ahead === '' ? 'in step with real time' : `${ahead} ahead of real time`,
      next === null ? 'nothing is due' : `next job at ${clock.shortTime(next)}`,
    ].join(' · ');
    tickClock();
  }

  function advanceButton(seconds: number, label: string): HTMLElement {
    const done = (json: AnyJson) => [`The clock moved ${label}.`, ...consequences(json)].join(' ');
    return actionButton(`advance-${seconds}`, label, 'testkit_AdvanceClock', { body: { seconds } }, done);
  }

  function tickClock(): void {
    const shown = document.getElementById('clock-now');
    if (shown !== null) {
      const now = clock.now();
      shown.setAttribute('datetime', now.toISOString());
      shown.textContent = now.toLocaleString('en-GB', {
        timeZone: 'UTC',
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        timeZoneName: 'short',
      });
    }
  }

  function showPayments({ data: all, has_more: hasMore }: LivePage): void {
    const counts = Object.entries(Object.groupBy(all, ({ status }) => status))
      .map(([status, held]) => ({ status, count: held?.length ?? 0 }))
      .toSorted((a, b) => b.count - a.count);
    const seed = actionButton(
      'seed',
      'Seed a month',
      'testkit_SeedTestData',
      { body: { profile: 'month' } },
      'A month of test data was created.',
    );
    refill(places.payments, [counts, hasMore], () => [
      all.length === 0 && el('p', { class: 'hint' }, 'No payments yet. Create one, or seed a month:'),
      all.length === 0 && seed,
      el(
        'ul',
        { class: 'counts' },
        ...counts.map(({ status, count }) => countRow(status, count, all.length)),
      ),
      hasMore && el('p', { class: 'hint' }, 'Only the newest 100 are counted.'),
    ]);
  }

  function countRow(status: string, count: number, total: number): HTMLElement {
    const bar = el('span', { class: `bar b-${status}` });
    bar.style.width = `${(100 * count) / total}%`;
    return el(
      'li',
      {},
      el('span', {}, status),
      el('span', { class: 'track', 'aria-hidden': 'true' }, bar),
      el('b', {}, String(count)),
    );
  }

  function showEvents({ data: all }: LivePage): void {
    refill(
      places.events,
      all.map(({ id }) => id),
      () => [
        all.length === 0 && el('p', { class: 'hint' }, 'No events yet.'),
        el('ol', { class: 'lines' }, ...all.map(eventRow)),
      ],
    );
  }

  function eventRow({ id, type, timestamp }: AnyJson): HTMLElement {
    const click = () => open('events_GetEvent', { id });
    return el(
      'li',
      {},
      el('button', { type: 'button', class: 'link', 'data-name': id, click }, type),
      el('time', { datetime: timestamp, title: timestamp }, clock.shortTime(timestamp)),
    );
  }

  function showSinks({ data: all }: LivePage): void {
    const create = actionButton(
      'create-sink',
      'Create a sink',
      'testkit_CreateWebhookSink',
      { body: {} },
      'A sink was created.',
    );
    refill(places.sinks, cards.signature(all), () => [
      el('div', { class: 'tools' }, create),
      all.length === 0 && el('p', { class: 'hint' }, 'A sink receives every event and shows it.'),
      ...all.map((sink) => sinkCard(all, sink)),
    ]);
  }

  function sinkCard(all: readonly AnyJson[], sink: AnyJson): HTMLElement {
    const { id, name, received_count: received, fail_count: failing, respond_status: answers } = sink;
    const show = () => open('testkit_GetWebhookSink', { id });
    const behavior = failing > 0 ? `fails ${failing} more, with ${answers}` : `responds with ${answers}`;
    const fail = actionButton(
      `fail-${id}`,
      'Fail twice',
      'testkit_UpdateWebhookSink',
      { params: { id }, body: { fail_count: 2, respond_status: 503 } },
      'The sink will respond with 503 twice.',
    );
    return cards.card(all, sink, {
      title: name || id,
      state: el('span', { class: 'hint' }, `${received} received · ${behavior}`),
      inner: [el('div', { class: 'tools' }, fail, button(`secret-${id}`, 'Secret', show))],
      redelivery: 'testkit_Redeliver',
    });
  }

  /** The effects of a move of the clock. */
  function consequences(json: AnyJson): string[] {
    const counts: Readonly<Record<string, string>> = {
      payments_expired: 'payments expired',
      refunds_approved: 'refunds approved',
      simulations_applied: 'outcomes applied',
      deliveries_attempted: 'deliveries attempted',
      jobs_remaining: 'jobs still to run',
    };
    const facts = Object.entries(counts)
      .filter(([name]) => json?.shifted?.[name] > 0)
      .map(([name, text]) => `${text}: ${json.shifted[name]}`);
    return facts.length === 0 ? [] : [`${facts.join(', ')}.`];
  }

  function lengthOf(seconds: number): string {
    const days = Math.floor(seconds / 86_400);
    const hours = Math.floor((seconds % 86_400) / 3_600);
    const minutes = Math.floor((seconds % 3_600) / 60);
    const facts = [
      [days, 'd'],
      [hours, 'h'],
      [minutes, 'min'],
    ] as const;
    return facts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(' ');
  }

  /** Removes the world of a key that was removed. */
  function clear(): void {
    report.textContent = '';
    cards.forget();
    latest = [];
    for (const place of Object.values(places)) {
      refill(place, null, () => []);
    }
  }

  setInterval(tickClock, CLOCK_TICK_MS);

  return { look, clear, describeContent };
}
