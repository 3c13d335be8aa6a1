/// <reference lib="dom" />
import type { Actions } from './actions.ts';
import type { Child } from './elements.ts';
import type { FormDialog } from './form-dialog.ts';
import type { AnyJson } from './gate.ts';
import type { ReceiverCards } from './receiver-cards.ts';
import type { SharedParts } from './shared-parts.ts';

interface EndpointsParts extends SharedParts {
  readonly actions: Actions;
  /** The element that shows the results of actions. */
  readonly report: HTMLElement;
  readonly cards: ReceiverCards;
  readonly formDialog: FormDialog;
}

/** The merchant's webhook endpoints, with their actions and their deliveries. */
export function createEndpointsView(parts: EndpointsParts) {
  const { elements, answerView, actions, report, calls, cards, clock, dialogs, formDialog } = parts;
  const { knownIds, onChange } = parts;
  const { el, refill } = elements;
  const { showResult, actionButton, button } = actions;
  const DISABLED: Readonly<Record<string, string>> = {
    requested: 'you disabled it',
    gone: 'its server responded with 410 (Gone)',
    failing: 'every delivery failed for 5 days',
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
      el('p', {}, 'Your own servers. They receive the events of this test world, with a signature.'),
    ),
    el('p', { class: 'hint only-locked' }, 'Connect with a test key to see and create them.'),
    report,
    place,
  );

  /** Shows the current endpoints, if the view is visible. False if the service asks to slow down. */
  async function look(isStale: () => boolean): Promise<boolean> {
    if (!element.isConnected) {
      return true;
    }
    const answer = await calls.call('webhooks_ListWebhookEndpoints');
    const all: AnyJson[] = answer.status === 200 ? answer.json.data : [];
    const logs = await cards.readLogs(all);
    if (!isStale()) {
      knownIds.list('endpoints', [answer, ...logs]);
      if (answerView.isReadable(place, answer)) {
        refill(place, cards.signature(all), () => show(all));
      }
    }
    return answer.status !== 429 && answer.status < 500;
  }

  function show(all: readonly AnyJson[]): Child[] {
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
      el('p', {}, 'Create one with the URL of your server. It receives all events from then on.'),
      el(
        'p',
        {},
        'A server on your own machine cannot be reached from outside. Events can be forwarded to it: ',
        el('code', {}, 'npm run pg -- listen --forward-to http://127.0.0.1:3000/hook'),
      ),
    );
  }

  function cardOf(all: readonly AnyJson[], endpoint: AnyJson): HTMLElement {
    const { url, description, events, previous_secret_expires_at: overlapEnds } = endpoint;
    const gets = events.includes('*') ? 'Receives every event.' : `Receives ${events.join(', ')}.`;
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
  }: AnyJson): Child {
    if (status === 'disabled') {
      const kind = reason === 'requested' ? 'warn' : 'bad';
      return el('span', { class: `state ${kind}` }, `Disabled: ${DISABLED[reason] ?? reason}`);
    }
    if (since !== null) {
      const text = `Failing since ${clock.shortTime(since)}. It is disabled after 5 days`;
      return el('span', { class: 'state bad' }, text);
    }
    return last === null
      ? el('span', { class: 'state hint' }, 'No deliveries yet')
      : el('span', { class: 'state good' }, 'Accepts deliveries');
  }

  function toolsOf(endpoint: AnyJson, isEnabled: boolean): Child[] {
    const { id, url, description, events } = endpoint;
    const params = { id };
    const asking = (
      name: string,
      label: string,
      operationId: string,
      values: Readonly<Record<string, unknown>>,
      then: (json: AnyJson) => void,
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
        asking('recover', 'Recover', 'webhooks_RecoverEvents', values, (json) => showResult(recovered(json))),
      asking('edit', 'Edit', 'webhooks_UpdateWebhookEndpoint', { url, description, events }, () =>
        showResult('The endpoint was updated.'),
      ),
      isEnabled
        ? turn(false, 'Disable', 'The endpoint is disabled. It receives no events.')
        : turn(
            true,
            'Enable',
            'The endpoint is enabled and receives events from now on. "Recover" sends the events that it missed.',
          ),
      asking('delete', 'Delete', 'webhooks_DeleteWebhookEndpoint', {}, () => {
        showResult('The endpoint was deleted.');
        title.focus();
      }),
    ];
  }

  function askButton(
    name: string,
    label: string,
    operationId: string,
    question: Parameters<FormDialog['askForInput']>[1],
    then: (json: AnyJson) => void,
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
  function lastWellAt({ last_success_at: last, created_at: created }: AnyJson): string {
    const HOUR_MS = 3_600_000;
    const before = last === null ? created : new Date(Date.parse(last) - HOUR_MS).toISOString();
    return before > created ? before : created;
  }

  /** The result of a test event. */
  function pinged(delivery: AnyJson): HTMLElement {
    const reason = cards.reasonOf(delivery);
    const text = [
      reason ?? 'The test event was accepted',
      cards.answerOf(delivery),
      cards.durationOf(delivery),
    ];
    return el('span', { class: reason === null ? '' : 'bad' }, text.filter(Boolean).join(' · '));
  }

  function recovered({ events_queued: count, next_since: next }: AnyJson): string {
    const text = `${count} ${count === 1 ? 'event is' : 'events are'} being sent again.`;
    return next === null ? text : `${text} There are more: recover those since ${next} after that.`;
  }

  /** A secret is in the page only while its dialog is open. */
  function revealed({ url, secret, previous_secret_expires_at: overlapEnds }: AnyJson): string {
    if (secret === undefined) {
      return 'This key lacks webhook.manage, so it cannot read the secret.';
    }
    void dialogs.openDialog('The secret of an endpoint', [
      el('p', {}, el('code', {}, url)),
      el(
        'p',
        {},
        'Your server uses this secret to verify that an event comes from this service. Store it like a password.',
      ),
      overlapEnds !== null && el('p', { class: 'hint' }, overlapText(overlapEnds)),
      answerView.showText('Secret', secret),
      el('div', { class: 'tools' }, dialogs.closeButton('Done')),
    ]);
    return '';
  }

  /** In real time, whatever the merchant's clock shows. */
  function overlapText(endsAt: string): string {
    return `The previous secret also signs until ${endsAt.slice(0, 16).replace('T', ' ')} UTC, in real time.`;
  }

  /** Removes the endpoints of a key that was removed. */
  function clear(): void {
    cards.forget();
    report.textContent = '';
    refill(place, null, () => []);
  }

  return { element, look, clear };
}
