import { operations } from '../../../../shared/contract/operations.ts';
import type { Received } from '../../../support/world/api.ts';
import { type Actor, ALWAYS_ANSWERED, choose, type History, hashOf } from '../history.ts';

const THINKING_MS = 90;
/** Nothing happens in its world, so nothing is sent there. */
const NOBODY = 'http://127.0.0.1:4999/hook';

type Shown = Received<typeof operations.getWebhookEndpoint>['json'];

function settingsOf({ events, description, status }: Omit<Shown, 'secret'>) {
  return { events: events.join(), description: description ?? '', endpointStatus: status };
}

function withSecret({ secret, ...shown }: Shown) {
  return { ...settingsOf(shown), secret: secret === undefined ? '' : hashOf(secret) };
}

/** A webhook endpoint and its settings. */
export async function recordEndpoint(history: History): Promise<void> {
  const body = { url: NOBODY, events: ['payment.*'] };
  const { json: created } = await history.call(operations.createWebhookEndpoint, { body });
  history.note({ command: 'create' }, withSecret(created));
  const params = { id: created.id };

  const retrieve = (actor: Actor, persistence?: typeof ALWAYS_ANSWERED) =>
    history.operation(
      actor,
      { command: 'retrieve' },
      { row: operations.getWebhookEndpoint, sent: { params } },
      ({ json }) => withSecret(json),
      persistence,
    );
  const update = (actor: Actor, change: { events?: string[]; description?: string; enabled?: boolean }) => {
    const { events = [], description = '', enabled } = change;
    const endpointStatus = enabled === undefined ? '' : enabled ? 'enabled' : 'disabled';
    return history.operation(
      actor,
      { command: 'update', events: events.join(), description, endpointStatus },
      { row: operations.updateWebhookEndpoint, sent: { params, body: change } },
      ({ json }) => settingsOf(json),
    );
  };
  const does = {
    retrieve,
    subscribe: (actor: Actor) =>
      update(actor, {
        events: [actor.dice.pick(['payment.*', 'refund.*', '*', 'payment.succeeded', 'payout.paid'])],
      }),
    describe: (actor: Actor) => update(actor, { description: history.newName() }),
    enable: (actor: Actor) => update(actor, { enabled: actor.dice.isHit(0.5) }),
    changeAll: (actor: Actor) =>
      update(actor, {
        description: history.newName(),
        enabled: actor.dice.isHit(0.5),
        events: [actor.dice.pick(['payment.*', 'refund.*'])],
      }),
    rotateSecret: (actor: Actor) =>
      history.operation(
        actor,
        { command: 'rotate secret' },
        { row: operations.rotateWebhookSecret, sent: { params, body: { overlap_hours: 1 } } },
        ({ json }) => withSecret(json),
      ),
  };
  const weights = { retrieve: 30, subscribe: 14, describe: 14, enable: 12, changeAll: 6, rotateSecret: 8 };
  const { dice } = history;
  await history.run(dice.between(4, 6), dice.between(30, 60), THINKING_MS, (actor) =>
    does[choose(actor.dice, weights)](actor),
  );
  await retrieve(history.newActor(), ALWAYS_ANSWERED);
}
