/// <reference lib="dom" />
import type { Child, Elements } from './elements.ts';
import type { Gate, GateAnswer } from './gate.ts';
import type { KnownIds } from './known-ids.ts';
import type { ConsoleOperation } from './read-operations.ts';

interface LiveParts {
  readonly elements: Elements;
  readonly gate: Gate;
  readonly knownIds: KnownIds;
  readonly operations: readonly ConsoleOperation[];
  readonly newIdempotencyKey: () => string;
  readonly announce: (text: string) => void;
  /** Opens the form of an operation with these values. */
  readonly open: (operationId: string, values: Readonly<Record<string, string>>) => void;
  /** The service does not take the key. */
  readonly onUnauthorized: (detail: string) => void;
}

interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: an item of a list, as the API shows it
type Item = any;

/** Shows the test world beside the forms, and asks again every few seconds while somebody looks. */
export function createLiveView(parts: LiveParts) {
  const { el, byId, refill } = parts.elements;
  const { gate, knownIds, operations, newIdempotencyKey, announce, open, onUnauthorized } = parts;
  const POLL_MS = 4_000;
  const POLL_MAX_MS = 60_000;
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
  const report = byId('live-report');
  const pauseButton = byId<HTMLButtonElement>('live-pause');
  const openSinks = new Map<string, boolean>();
  let latest: GateAnswer[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = POLL_MS;
  let isPaused = false;
  let isAsking = false;
  /** Something has changed since it was asked. */
  let isStale = false;
  let isBusy = false;
  /** How far the merchant's clock is ahead of this machine's. */
  let clockAheadMs: number | null = null;

  function call(operationId: string, { params = {}, query = {}, body }: Input = {}): Promise<GateAnswer> {
    const operation = operations.find(({ id }) => id === operationId);
    if (operation === undefined) {
      throw new Error(`the document has no ${operationId}`);
    }
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(query).toString();
    return gate.send({
      method: operation.method,
      path: search === '' ? path : `${path}?${search}`,
      headers: {
        ...(operation.isIdempotent && { 'Idempotency-Key': newIdempotencyKey() }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      isKeyed: true,
    });
  }

  /** Asks at once, and then again and again; a second call begins anew. */
  function refresh(): void {
    clearTimeout(timer);
    isStale = isAsking;
    timer = setTimeout(ask, 0);
  }

  async function ask(): Promise<void> {
    clearTimeout(timer);
    if (!gate.isOpen() || document.visibilityState === 'hidden' || isAsking) {
      return;
    }
    isAsking = true;
    isStale = false;
    try {
      const isWell = await showWorld();
      pauseMs = isWell ? POLL_MS : Math.min(2 * pauseMs, POLL_MAX_MS);
    } catch {
      // No answer, or the key was taken away: the pause grows, and a closed gate ends it.
      pauseMs = Math.min(2 * pauseMs, POLL_MAX_MS);
    } finally {
      isAsking = false;
    }
    if (isStale) {
      refresh();
    } else if (gate.isOpen() && !isPaused) {
      clearTimeout(timer);
      timer = setTimeout(ask, pauseMs);
    }
  }

  /** False where the service asks to slow down. */
  async function showWorld(): Promise<boolean> {
    const [clock, payments, events, sinks] = await Promise.all([
      call('testkit_GetClock'),
      call('payments_ListPayments', { query: { limit: '100' } }),
      call('events_ListEvents', { query: { limit: '12' } }),
      call('testkit_ListWebhookSinks'),
    ]);
    const refused = [clock, payments, events, sinks].find(({ status }) => status === 401);
    if (refused !== undefined) {
      onUnauthorized(refused.json?.detail ?? 'The key was refused.');
      return false;
    }
    const shown = (sinks.status === 200 ? sinks.json.data : []) as Item[];
    const deliveries = await Promise.all(
      shown.filter(isSinkOpen(shown)).map(async ({ id }) => {
        return [id, await call('testkit_ListDeliveries', { params: { id }, query: { limit: '8' } })] as const;
      }),
    );
    if (!gate.isOpen()) {
      return false;
    }
    if (isStale) {
      // It is older than what has been done since, and is asked again at once.
      return true;
    }
    knownIds.list([payments, sinks, ...deliveries.map(([, answer]) => answer), events]);
    latest = [clock, payments, sinks, events];
    showClock(clock);
    showPayments(payments);
    showEvents(events);
    const rows = deliveries.map(([id, { status, json }]) => [id, status === 200 ? json.data : []] as const);
    showSinks(sinks, new Map(rows), eventTypes(events));
    return ![clock, payments, events, sinks].some(({ status }) => status === 429 || status >= 500);
  }

  /** What the world would lose if it were emptied, as far as it is shown here. */
  function describeContent(): string[] {
    const [clock, payments, sinks, events] = latest;
    const countOf = (answer: GateAnswer | undefined, one: string) => {
      const count = answer?.status === 200 ? answer.json.data.length : null;
      const more = answer?.json?.has_more === true ? ' or more' : '';
      return count === null ? `all ${one}s` : `${count}${more} ${count === 1 ? one : `${one}s`}`;
    };
    const ahead = clock?.status === 200 ? lengthOf(clock.json.offset_seconds) : '';
    return [
      `${countOf(payments, 'payment')}, with refunds, payouts, settlements and payment links`,
      `${countOf(sinks, 'webhook sink')}, with what they received`,
      `${countOf(events, 'event')}, and what is still to be delivered or done`,
      'the saved answers of idempotency keys',
      `the clock: it returns to real time${ahead === '' ? '' : `, ${ahead} back`}`,
    ];
  }

  /** The newest sink is open until somebody closes it. */
  function isSinkOpen(sinks: readonly Item[]) {
    return ({ id }: Item): boolean => openSinks.get(id) ?? id === sinks[0]?.id;
  }

  function eventTypes(events: GateAnswer): Map<string, string> {
    return new Map(events.status === 200 ? events.json.data.map(({ id, type }: Item) => [id, type]) : []);
  }

  /** True where a part of the world can be shown; where it cannot, the place says why. */
  function isReadable(place: HTMLElement, { status, json }: GateAnswer): boolean {
    if (status === 200) {
      return true;
    }
    const required = json?.details?.required;
    const reason =
      required === undefined ? (json?.title ?? `Answered ${status}.`) : `This key lacks ${required}.`;
    refill(place, reason, () => [el('p', { class: 'hint' }, reason)]);
    return false;
  }

  function showClock(answer: GateAnswer): void {
    if (!isReadable(places.clock, answer)) {
      return;
    }
    clockAheadMs = Date.parse(answer.json.now) - Date.now();
    refill(places.clock, 'clock', () => [
      el('p', { class: 'clock' }, el('time', { id: 'clock-now' })),
      el('p', { class: 'hint', id: 'clock-ahead' }),
      el('div', { class: 'steps' }, ...STEPS.map(([seconds, label]) => advanceButton(seconds, label))),
    ]);
    const { next_job_at: next } = answer.json;
    const ahead = lengthOf(answer.json.offset_seconds);
    byId('clock-ahead').textContent = [
      ahead === '' ? 'in step with real time' : `${ahead} ahead of real time`,
      next === null ? 'nothing is due' : `next job at ${shortTime(next)}`,
    ].join(' · ');
    tickClock();
  }

  function advanceButton(seconds: number, label: string): HTMLElement {
    const click = () => act(`The clock moved ${label}.`, 'testkit_AdvanceClock', { body: { seconds } });
    return el('button', { type: 'button', class: 'small', 'data-name': `advance-${seconds}`, click }, label);
  }

  function tickClock(): void {
    const shown = document.getElementById('clock-now');
    if (shown !== null && clockAheadMs !== null) {
      const now = new Date(Date.now() + clockAheadMs);
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

  function showPayments(answer: GateAnswer): void {
    if (!isReadable(places.payments, answer)) {
      return;
    }
    const all = answer.json.data as Item[];
    const counts = Object.entries(Object.groupBy(all, ({ status }) => status))
      .map(([status, held]) => ({ status, count: held?.length ?? 0 }))
      .toSorted((a, b) => b.count - a.count);
    refill(places.payments, [counts, answer.json.has_more], () => [
      all.length === 0 && el('p', { class: 'hint' }, 'None yet. Create one, or have a month made up:'),
      all.length === 0 && seedButton(),
      el(
        'ul',
        { class: 'counts' },
        ...counts.map(({ status, count }) => countRow(status, count, all.length)),
      ),
      answer.json.has_more && el('p', { class: 'hint' }, 'Of the newest 100.'),
    ]);
  }

  function seedButton(): Child {
    const body = { profile: 'month' };
    return actionButton('seed', 'Seed a month', 'A month was made up.', 'testkit_SeedTestData', { body });
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

  function showEvents(answer: GateAnswer): void {
    if (!isReadable(places.events, answer)) {
      return;
    }
    const all = answer.json.data as Item[];
    refill(
      places.events,
      all.map(({ id }) => id),
      () => [
        all.length === 0 && el('p', { class: 'hint' }, 'Nothing happened yet.'),
        el('ol', { class: 'lines' }, ...all.map(eventRow)),
      ],
    );
  }

  function eventRow({ id, type, timestamp }: Item): HTMLElement {
    const click = () => open('events_GetEvent', { id });
    return el(
      'li',
      {},
      el('button', { type: 'button', class: 'link', 'data-name': id, click }, type),
      el('time', { datetime: timestamp, title: timestamp }, shortTime(timestamp)),
    );
  }

  function showSinks(
    answer: GateAnswer,
    deliveries: ReadonlyMap<string, Item[]>,
    types: Map<string, string>,
  ): void {
    if (!isReadable(places.sinks, answer)) {
      return;
    }
    const all = answer.json.data as Item[];
    refill(places.sinks, [all, [...deliveries]], () => [
      el(
        'div',
        { class: 'tools' },
        actionButton('create-sink', 'Create a sink', 'A sink was created.', 'testkit_CreateWebhookSink', {
          body: {},
        }),
      ),
      all.length === 0 && el('p', { class: 'hint' }, 'A sink receives every event and shows what came.'),
      ...all.map((sink) => sinkCard(sink, isSinkOpen(all)(sink), deliveries.get(sink.id) ?? [], types)),
    ]);
  }

  function sinkCard(
    sink: Item,
    isOpen: boolean,
    deliveries: readonly Item[],
    types: Map<string, string>,
  ): HTMLElement {
    const { id, name, received_count: received, fail_count: failing, respond_status: answers } = sink;
    const toggle = (event: Event) => {
      const now = (event.currentTarget as HTMLDetailsElement).open;
      if (now !== isOpen) {
        openSinks.set(id, now);
        refresh();
      }
    };
    const show = () => open('testkit_GetWebhookSink', { id });
    const says = failing > 0 ? `fails ${failing} more, with ${answers}` : `answers ${answers}`;
    return el(
      'details',
      { class: 'sink', open: isOpen, toggle },
      el(
        'summary',
        { 'data-name': `sink-${id}` },
        el('b', {}, name || id),
        el('span', { class: 'hint' }, ` ${received} received · ${says}`),
      ),
      el(
        'div',
        { class: 'tools' },
        actionButton(`fail-${id}`, 'Fail twice', 'The sink answers 503 twice.', 'testkit_UpdateWebhookSink', {
          params: { id },
          body: { fail_count: 2, respond_status: 503 },
        }),
        el('button', { type: 'button', class: 'small', 'data-name': `secret-${id}`, click: show }, 'Secret'),
      ),
      deliveries.length === 0 && el('p', { class: 'hint' }, 'No delivery yet.'),
      el('ol', { class: 'deliveries' }, ...deliveries.map((delivery) => deliveryRow(delivery, types))),
    );
  }

  function deliveryRow(delivery: Item, types: Map<string, string>): HTMLElement {
    const { id, sink_id: sinkId, event_id: eventId, attempt, status, answered_status: answered } = delivery;
    const { signature_verdict: verdict, attempted_at: at, next_attempt_at: next } = delivery;
    const said = [
      answered === null ? 'no answer' : `answered ${answered}`,
      `signature ${verdict}`,
      shortTime(at),
      next !== null && `again at ${shortTime(next)}`,
    ];
    return el(
      'li',
      {},
      el('span', { class: `dot d-${status}`, 'aria-hidden': 'true' }),
      el('b', {}, typeOf(delivery, types, eventId)),
      el(
        'div',
        { class: 'said' },
        `Attempt ${attempt}: ${status}`,
        el('span', { class: 'hint block' }, said.filter(Boolean).join(' · ')),
      ),
      actionButton(`again-${id}`, 'Redeliver', 'It is delivered once more.', 'testkit_Redeliver', {
        params: { id: sinkId, delivery_id: id },
        body: {},
      }),
    );
  }

  function typeOf({ body }: Item, types: Map<string, string>, eventId: string): string {
    const known = types.get(eventId);
    return known ?? /"type":"([a-z_.]+)"/.exec(body)?.[1] ?? 'event';
  }

  function actionButton(name: string, label: string, done: string, operationId: string, input: Input): Child {
    const click = () => act(done, operationId, input);
    return el('button', { type: 'button', class: 'small', 'data-name': name, click }, label);
  }

  /** Does something to the test world and says what came of it. One thing at a time. */
  async function act(done: string, operationId: string, input: Input): Promise<void> {
    if (isBusy) {
      return;
    }
    isBusy = true;
    try {
      const answer = await call(operationId, input);
      const { status, json } = answer;
      knownIds.remember(answer);
      tell(
        status < 300
          ? [done, ...consequences(json)].join(' ')
          : `${json?.title ?? status}. ${json?.detail ?? ''}`,
      );
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    } finally {
      isBusy = false;
    }
    refresh();
  }

  /** What a move of the clock has caused. */
  function consequences(json: Item): string[] {
    const counts: Readonly<Record<string, string>> = {
      payments_expired: 'payments expired',
      refunds_approved: 'refunds approved',
      simulations_applied: 'outcomes applied',
      deliveries_attempted: 'deliveries attempted',
      jobs_remaining: 'jobs still to run',
    };
    const said = Object.entries(counts)
      .filter(([name]) => json?.shifted?.[name] > 0)
      .map(([name, text]) => `${text}: ${json.shifted[name]}`);
    return said.length === 0 ? [] : [`${said.join(', ')}.`];
  }

  function tell(text: string): void {
    report.textContent = text;
    announce(text);
  }

  function lengthOf(seconds: number): string {
    const days = Math.floor(seconds / 86_400);
    const hours = Math.floor((seconds % 86_400) / 3_600);
    const minutes = Math.floor((seconds % 3_600) / 60);
    const said = [
      [days, 'd'],
      [hours, 'h'],
      [minutes, 'min'],
    ] as const;
    return said
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(' ');
  }

  /** As the merchant's clock has it, in UTC: the day only where it is another one. */
  function shortTime(timestamp: string): string {
    const time = timestamp.slice(11, 19);
    const today = new Date(Date.now() + (clockAheadMs ?? 0)).toISOString().slice(0, 10);
    return timestamp.startsWith(today) ? time : `${timestamp.slice(5, 10)} ${time.slice(0, 5)}`;
  }

  /** Forgets the world of a key that is gone. */
  function clear(): void {
    clearTimeout(timer);
    pauseMs = POLL_MS;
    clockAheadMs = null;
    report.textContent = '';
    openSinks.clear();
    latest = [];
    for (const place of Object.values(places)) {
      refill(place, null, () => []);
    }
  }

  pauseButton.addEventListener('click', () => {
    isPaused = !isPaused;
    pauseButton.setAttribute('aria-pressed', String(isPaused));
    clearTimeout(timer);
    if (!isPaused) {
      refresh();
    }
  });
  document.addEventListener('visibilitychange', refresh);
  setInterval(tickClock, CLOCK_TICK_MS);

  return { refresh, clear, describeContent };
}
