/// <reference lib="dom" />
import type { WebhookEndpointView } from '../../contract/webhook-endpoint-view.ts';
import { OVERLAP_HOURS_DEFAULT } from '../../domain/endpoint-limits.ts';
import { lastWellAt, recoveredText } from '../../story/delivery-words.ts';
import type { BodyOf, OperationId } from '../../story/operation-id.ts';
import { askForInput, type Question } from '../act/form-dialog.tsx';
import type { Actions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { ShownTime } from '../show/shown-time.tsx';
import { askForEndpoint } from './endpoint-form.tsx';
import { revealSecret } from './reveal-secret.tsx';
import { webhookTexts } from './webhook-texts.ts';

const texts = webhookTexts.tools;

/** Something that can be done with an endpoint. */
interface EndpointTool {
  readonly label: string;
  readonly click: () => Promise<void>;
  readonly isDanger?: boolean;
}

/** What can be done with an endpoint in its state, beside a test event. */
export function useEndpointTools(
  endpoint: WebhookEndpointView,
  actions: Actions,
  onDeleted: () => void,
): EndpointTool[] {
  const dashboard = useDashboard();
  const { act, say } = actions;
  const { id, url, status } = endpoint;
  const params = { id };
  const isEnabled = status === 'enabled';

  async function ask<Id extends OperationId>(
    operationId: Id,
    question: Omit<Question<Id>, 'about' | 'params' | 'title'>,
  ): Promise<BodyOf<Id> | null> {
    const asked = { title: question.label, about: url, params, ...question } as Question<Id>;
    const body = await askForInput(dashboard, operationId, asked);
    dashboard.reads.refresh();
    return body;
  }

  const showSecret = () =>
    act('webhooks.GetWebhookEndpoint', { params }, (body) => {
      void revealSecret(dashboard, actions, body);
      return body.secret === undefined ? texts.lacksSecret : '';
    });

  async function rotate(): Promise<void> {
    const values = { overlap_hours: OVERLAP_HOURS_DEFAULT };
    const rotated = await ask('webhooks.RotateWebhookSecret', { label: texts.rotate, values });
    if (rotated !== null) {
      await revealSecret(dashboard, actions, rotated);
    }
  }

  async function recover(since: string): Promise<void> {
    const body = await ask('webhooks.RecoverEvents', { label: texts.recover, values: { since } });
    if (body !== null) {
      say(<Recovered body={body} onMore={(next) => void recover(next)} />);
    }
  }

  async function edit(): Promise<void> {
    if ((await askForEndpoint(dashboard, endpoint)) !== null) {
      dashboard.reads.refresh();
      say(texts.updated);
    }
  }

  const turn = () => {
    const done = isEnabled ? texts.disabled : texts.enabled;
    return act('webhooks.UpdateWebhookEndpoint', { params, body: { enabled: !isEnabled } }, done);
  };

  async function remove(): Promise<void> {
    if ((await ask('webhooks.DeleteWebhookEndpoint', { label: texts.delete })) !== null) {
      dashboard.announce(texts.deleted);
      onDeleted();
    }
  }

  return [
    { label: texts.secret, click: showSecret },
    { label: texts.rotate, click: rotate },
    ...(isEnabled ? [{ label: texts.recover, click: () => recover(lastWellAt(endpoint)) }] : []),
    { label: texts.edit, click: edit },
    { label: isEnabled ? texts.disable : texts.enable, click: turn },
    { label: texts.delete, click: remove, isDanger: true },
  ];
}

interface RecoveredProps {
  readonly body: BodyOf<'webhooks.RecoverEvents'>;
  /** Recovers what is left, from this time on. */
  readonly onMore: (since: string) => void;
}

/** How many events are sent again, and a way to those beyond the limit of one request. */
function Recovered({ body, onMore }: RecoveredProps) {
  const { next_since: next } = body;
  return (
    <>
      {recoveredText(body)}
      {next !== null &&
        texts.more(
          <ShownTime at={next} />,
          <button type="button" class="small" onClick={() => onMore(next)}>
            {texts.recoverMore}
          </button>,
        )}
    </>
  );
}
