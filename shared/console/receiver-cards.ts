/// <reference lib="dom" />
import type { Actions } from './actions.ts';
import type { Child } from './elements.ts';
import type { AnyJson, GateAnswer } from './gate.ts';
import type { SharedParts } from './shared-parts.ts';

interface CardParts extends SharedParts {
  readonly actions: Actions;
  /** The operation that lists the delivery attempts of an endpoint. */
  readonly logOperationId: string;
  readonly logLimit: number;
}

interface Card {
  readonly title: string;
  readonly state: Child;
  readonly inner: readonly Child[];
  /** The operation that sends the event of an attempt again; null if there is none. */
  readonly redelivery: string | null;
}

export type ReceiverCards = ReturnType<typeof createReceiverCards>;

/** Shows endpoints, both sinks and merchants' own, each with its log of deliveries. */
export function createReceiverCards(parts: CardParts) {
  const { elements, dialogs, answerView, calls, clock, open, onChange, logOperationId, logLimit } = parts;
  const { el } = elements;
  const { actionButton, button } = parts.actions;
  const FAILURES: Readonly<Record<string, string>> = {
    address_forbidden: 'its host name resolves to an address that is not allowed',
    name_not_found: 'its host name is unknown',
    unreachable: 'its server does not respond',
    tls_failed: 'its certificate is not trusted',
    connection_lost: 'the connection was lost',
    timeout: 'the response did not arrive in time',
    invalid_answer: 'its response is not valid HTTP',
  };
  const opened = new Map<string, boolean>();
  let logs = new Map<string, GateAnswer>();

  /** The newest one is open until the user closes it. */
  function isOpen(receivers: readonly AnyJson[], id: string): boolean {
    return opened.get(id) ?? id === receivers[0]?.id;
  }

  /** Reads the logs of the cards that are open. */
  async function readLogs(receivers: readonly AnyJson[]): Promise<GateAnswer[]> {
    const query = { limit: String(logLimit) };
    const read = receivers
      .filter(({ id }) => isOpen(receivers, id))
      .map(async ({ id }) => [id, await calls.call(logOperationId, { params: { id }, query })] as const);
    logs = new Map(await Promise.all(read));
    return [...logs.values()];
  }

  /** A value that changes whenever the cards have to be drawn again. */
  function signature(receivers: readonly AnyJson[]): unknown {
    return [receivers, [...logs].map(([id, { text }]) => [id, text]), clock.today()];
  }

  function card(
    receivers: readonly AnyJson[],
    { id }: AnyJson,
    { title, state, inner, redelivery }: Card,
  ): HTMLElement {
    const wasOpen = isOpen(receivers, id);
    const toggle = (event: Event) => {
      const now = (event.currentTarget as HTMLDetailsElement).open;
      if (now !== wasOpen) {
        opened.set(id, now);
        onChange();
      }
    };
    return el(
      'details',
      { class: 'receiver', open: wasOpen, toggle },
      el('summary', { 'data-name': `receiver-${id}` }, el('b', {}, title), ' ', state),
      ...inner,
      ...log(id, redelivery),
    );
  }

  function log(id: string, redelivery: Card['redelivery']): Child[] {
    const answer = logs.get(id);
    if (answer?.status !== 200) {
      return [
        answer !== undefined &&
          el('p', { class: 'hint' }, answer.json?.title ?? 'The log could not be read.'),
      ];
    }
    const { data, has_more: hasMore } = answer.json;
    const older = button(`older-${id}`, 'Older ones', () => open(logOperationId, { id }));
    return [
      data.length === 0 && el('p', { class: 'hint' }, 'No deliveries yet.'),
      el(
        'ol',
        { class: 'deliveries' },
        ...data.map((delivery: AnyJson) => deliveryRow(id, delivery, redelivery)),
      ),
      hasMore && el('div', { class: 'tools' }, older),
    ];
  }

  function deliveryRow(receiverId: string, delivery: AnyJson, redelivery: Card['redelivery']): HTMLElement {
    const { id, attempt, status, signature_verdict: verdict, attempted_at: at } = delivery;
    const details = [
      answerOf(delivery),
      verdict !== undefined && `signature ${verdict}`,
      durationOf(delivery),
      clock.shortTime(at),
      nextOf(delivery),
    ];
    const reason = reasonOf(delivery);
    const type = typeOf(delivery);
    const params = { id: receiverId, delivery_id: id };
    const look = button(`look-${id}`, type, () => showDelivery(delivery));
    look.className = 'link';
    return el(
      'li',
      {},
      el('span', { class: `dot d-${status}`, 'aria-hidden': 'true' }),
      el('b', {}, look),
      el(
        'div',
        { class: 'facts' },
        `Attempt ${attempt}: ${status}`,
        reason !== null && el('span', { class: 'bad block' }, reason),
        el('span', { class: 'hint block' }, details.filter(Boolean).join(' · ')),
      ),
      redelivery !== null &&
        type !== 'webhook.ping' &&
        actionButton(
          `again-${id}`,
          'Redeliver',
          redelivery,
          { params, body: {} },
          'The event was delivered again.',
        ),
    );
  }

  /** Shows all details of an attempt. The response comes from an untrusted server, so it is shown as plain text. */
  function showDelivery(delivery: AnyJson): void {
    const {
      id,
      event_id: eventId,
      attempt,
      status,
      body,
      answered_body: answered,
      attempted_at: at,
    } = delivery;
    const reason = reasonOf(delivery);
    const facts = [eventId, id, answerOf(delivery), durationOf(delivery), at, nextOf(delivery)];
    void dialogs.openDialog(
      `${typeOf(delivery)}, attempt ${attempt}`,
      [
        el('p', {}, el('span', { class: `status ${reason === null ? 's2' : 's5'}` }, status)),
        reason !== null && el('p', { class: 'bad' }, reason),
        el('p', { class: 'hint' }, facts.filter(Boolean).join(' · ')),
        answerView.showHeaders(Object.entries(delivery.request_headers)),
        answerView.showText('Body', body, body === '' ? '' : JSON.stringify(JSON.parse(body), null, 2)),
        answered !== null && answerView.showText('Start of the response', answered),
        el('div', { class: 'tools' }, dialogs.closeButton('Close')),
      ],
      // Focused as a whole, so that reading starts at the top, since the first button is far below.
      { class: 'wide', tabindex: -1, autofocus: true },
    );
  }

  function answerOf({ answered_status: answered }: AnyJson): string {
    return answered === null ? 'no response' : `response ${answered}`;
  }

  function durationOf({ duration_ms: duration }: AnyJson): string | null {
    return duration === null ? null : `${duration} ms`;
  }

  function nextOf({ next_attempt_at: next }: AnyJson): string | null {
    return next === null ? null : `again at ${clock.shortTime(next)}`;
  }

  /** Why an attempt failed, in words; null if it did not. */
  function reasonOf({ status, failure, answered_status: answered }: AnyJson): string | null {
    if (status === 'delivered') {
      return null;
    }
    const reason =
      FAILURES[failure] ??
      (answered >= 300 && answered < 400
        ? `the response was ${answered}, and redirects are not followed`
        : `the response was ${answered}, and only 2xx accepts an event`);
    return `${status === 'exhausted' ? 'Given up' : 'Failed'}: ${reason}.`;
  }

  function typeOf({ body }: AnyJson): string {
    return /"type":"([a-z_.]+)"/.exec(body)?.[1] ?? 'event';
  }

  function forget(): void {
    opened.clear();
    logs.clear();
  }

  return { readLogs, signature, card, answerOf, durationOf, reasonOf, forget };
}
