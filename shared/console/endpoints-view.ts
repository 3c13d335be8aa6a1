/// <reference lib="dom" />
import type { Actions } from './actions.ts';
import type { AnswerView } from './answer-view.ts';
import type { Calls } from './calls.ts';
import type { Dialogs } from './dialogs.ts';
import type { Child, Elements } from './elements.ts';
import type { FormDialog } from './form-dialog.ts';
import type { KnownIds } from './known-ids.ts';
import type { MerchantClock } from './merchant-clock.ts';
import type { ReceiverCards } from './receiver-cards.ts';

interface EndpointsParts {
  readonly elements: Elements;
  readonly answerView: Pick<AnswerView, 'showText' | 'isReadable'>;
  readonly actions: Actions;
  /** The element that shows the results of actions. */
  readonly report: HTMLElement;
  readonly calls: Pick<Calls, 'call'>;
  readonly cards: ReceiverCards;
  readonly clock: MerchantClock;
  readonly dialogs: Dialogs;
  readonly formDialog: FormDialog;
  readonly knownIds: KnownIds;
  readonly onChange: () => void;
}

// biome-ignore lint/suspicious/noExplicitAny: an endpoint, or an attempt, as the API shows it
type ListedEndpoint = any;

/** The merchant's webhook endpoints, with their actions and their deliveries. */
export function createEndpointsView(parts: EndpointsParts) {
  const { elements, answerView, actions, report, calls, cards, clock, dialogs, formDialog } = parts;
  const { knownIds, onChange } = parts;
  const { el, refill } = elements;
  const { tell, actionButton, button } = actions;
  const DISABLED: Readonly<Record<string, string>> = {
    requested: 'you wanted it so',
    gone: 'it answered 410, which means that it wants nothing more',
    failing: 'all that it answered for 5 days were failures',
  };
  const CREATE = 'webhooks_CreateWebhookEndpoint';
  const place = el('div', { class: 'only-connected' });
  const title = el('h2', { tabindex: -1 }, 'Webhook endpoints');
  const element = el(
    'article',
    { class: 'bench', 'aria-label': 'Webhook endpoints' },
    el(
      'header',
      { class: 'bench-head' },
      title,
      el('p', {}, 'Servers of your own. What happens in this test world is sent to them, signed.'),
    ),
    el('p', { class: 'hint only-locked' }, 'Connect with a test key to see and to make them.'),
    report,
    place,
  );

  /** Shows the current endpoints, if the view is visible. False if the service asks to slow down. */
  async function look(isStale: () => boolean): Promise<boolean> {
    if (!element.isConnected) {
      return true;
    }
    const answer = await calls.call('webhooks_ListWebhookEndpoints');
    const all: ListedEndpoint[] = answer.status === 200 ? answer.json.data : [];
    const logs = await cards.readLogs(all);
    if (!isStale()) {
      knownIds.list('endpoints', [answer, ...logs]);
      if (answerView.isReadable(place, answer)) {
        refill(place, cards.signature(all), () => show(all));
      }
    }
    return answer.status !== 429 && answer.status < 500;
  }

  function show(all: readonly ListedEndpoint[]): Child[] {
    const question = { label: 'Create', values: { events: '*' } };
    const create = askButton('create-endpoint', 'Create an endpoint', CREATE, question, revealed);
    create.className = 'primary';
    return [
      el('div', { class: 'tools' }, create),
      all.length === 0 && emptyState(),
      ...all.map((one) => cardOf(all, one)),
    ];
  }

  function emptyState(): HTMLElement {
    return el(
      'section',
      { class: 'empty' },
      el('h3', {}, 'No endpoint yet'),
      el('p', {}, 'Create one with the address of your server: it gets what happens from then on.'),
      el(
        'p',
        {},
        'A server on your own machine cannot be reached from outside. Events can be forwarded to it: ',
        el('code', {}, 'npm run pg -- listen --forward-to http://127.0.0.1:3000/hook'),
      ),
    );
  }

  function cardOf(all: readonly ListedEndpoint[], endpoint: ListedEndpoint): HTMLElement {
    const { url, description, events, previous_secret_expires_at: overlapEnds } = endpoint;
    const gets = events.includes('*') ? 'Gets every event.' : `Gets ${events.join(', ')}.`;
    const isEnabled = endpoint.status === 'enabled';
    return cards.card(all, endpoint, {
      title: url,
      state: stateOf(endpoint),
      inner: [
        description !== null && el('p', {}, description),
        el('p', { class: 'hint' }, gets),
        overlapEnds !== null && el('p', { class: 'hint' }, overlapText(overlapEnds)),
        el('div', { class: 'tools' }, ...toolsOf(endpoint, isEnabled)),
      ],
      redelivery: isEnabled ? 'webhooks_RedeliverEvent' : null,
    });
  }

  function stateOf({
    status,
    disabled_reason: reason,
    failing_since: since,
    last_success_at: last,
  }: ListedEndpoint): Child {
    if (status === 'disabled') {
      const kind = reason === 'requested' ? 'warn' : 'bad';
      return el('span', { class: `state ${kind}` }, `Disabled: ${DISABLED[reason] ?? reason}`);
    }
    if (since !== null) {
      const said = `Failing since ${clock.shortTime(since)}; after 5 days it is disabled`;
      return el('span', { class: 'state bad' }, said);
    }
    return last === null
      ? el('span', { class: 'state hint' }, 'Took nothing yet')
      : el('span', { class: 'state good' }, 'Takes what is sent');
  }

  function toolsOf(endpoint: ListedEndpoint, isEnabled: boolean): Child[] {
    const { id, url, description, events } = endpoint;
    const params = { id };
    const asking = (
      name: string,
      label: string,
      operationId: string,
      values: Readonly<Record<string, unknown>>,
      then: (json: ListedEndpoint) => void,
    ) => askButton(`${name}-${id}`, label, operationId, { label, params, about: url, values }, then);
    const turn = (enabled: boolean, label: string, done: string) =>
      actionButton(
        `turn-${id}`,
        label,
        'webhooks_UpdateWebhookEndpoint',
        { params, body: { enabled } },
        done,
      );
    const values = { since: lastWellAt(endpoint) };
    return [
      isEnabled && actionButton(`ping-${id}`, 'Ping', 'webhooks_SendTestEvent', { params, body: {} }, pinged),
      actionButton(`secret-${id}`, 'Secret', 'webhooks_GetWebhookEndpoint', { params }, revealed),
      asking('rotate', 'Rotate secret', 'webhooks_RotateWebhookSecret', { overlap_hours: 24 }, revealed),
      isEnabled &&
        asking('recover', 'Recover', 'webhooks_RecoverEvents', values, (json) => tell(recovered(json))),
      asking('edit', 'Edit', 'webhooks_UpdateWebhookEndpoint', { url, description, events }, () =>
        tell('It is changed.'),
      ),
      isEnabled
        ? turn(false, 'Disable', 'It is disabled: nothing is sent to it.')
        : turn(
            true,
            'Enable',
            'It is enabled: it gets what happens from now on. Recover sends what it missed.',
          ),
      asking('delete', 'Delete', 'webhooks_DeleteWebhookEndpoint', {}, () => {
        tell('It is deleted.');
        title.focus();
      }),
    ];
  }

  function askButton(
    name: string,
    label: string,
    operationId: string,
    question: Parameters<FormDialog['askForInput']>[1],
    then: (json: ListedEndpoint) => void,
  ): HTMLElement {
    return button(name, label, async () => {
      const json = await formDialog.askForInput(operationId, question);
      if (json !== null) {
        then(json);
        onChange();
      }
    });
  }

  /** An instant from which no event is missed: an event is somewhat older than the attempt to deliver it. */
  function lastWellAt({ last_success_at: last, created_at: created }: ListedEndpoint): string {
    const HOUR_MS = 3_600_000;
    const before = last === null ? created : new Date(Date.parse(last) - HOUR_MS).toISOString();
    return before > created ? before : created;
  }

  /** The result of a test event. */
  function pinged(delivery: ListedEndpoint): HTMLElement {
    const reason = cards.reasonOf(delivery);
    const said = [reason ?? 'The test event was taken', cards.answerOf(delivery), cards.durationOf(delivery)];
    return el('span', { class: reason === null ? '' : 'bad' }, said.filter(Boolean).join(' · '));
  }

  function recovered({ events_queued: count, next_since: next }: ListedEndpoint): string {
    const said = `${count} ${count === 1 ? 'event is' : 'events are'} sent again.`;
    return next === null ? said : `${said} There are more: recover those since ${next} after that.`;
  }

  /** A secret is in the page only while its dialog is open. */
  function revealed({ url, secret, previous_secret_expires_at: overlapEnds }: ListedEndpoint): string {
    if (secret === undefined) {
      return 'This key lacks webhook.manage, so it cannot read the secret.';
    }
    void dialogs.openDialog('The secret of an endpoint', [
      el('p', {}, el('code', {}, url)),
      el(
        'p',
        {},
        'By this secret your server can tell that an event comes from here. Keep it there, as a password.',
      ),
      overlapEnds !== null && el('p', { class: 'hint' }, overlapText(overlapEnds)),
      answerView.showText('Secret', secret),
      el('div', { class: 'tools' }, dialogs.closeButton('Done')),
    ]);
    return '';
  }

  /** In real time, whatever the merchant's clock shows. */
  function overlapText(endsAt: string): string {
    return `The secret before signs as well, until ${endsAt.slice(0, 16).replace('T', ' ')} UTC of real time.`;
  }

  /** Removes the endpoints of a key that was removed. */
  function clear(): void {
    cards.forget();
    report.textContent = '';
    refill(place, null, () => []);
  }

  return { element, title, look, clear };
}
