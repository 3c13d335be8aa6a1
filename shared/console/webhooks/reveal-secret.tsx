/// <reference lib="dom" />
import { overlapText } from '../../story/delivery-words.ts';
import type { BodyOf } from '../../story/operation-id.ts';
import type { Actions } from '../act/use-actions.tsx';
import type { Dashboard } from '../call/dashboard-context.ts';
import { ShownText } from '../show/shown-text.tsx';
import { webhookTexts } from './webhook-texts.ts';

const { secret: texts, tools: toolTexts } = webhookTexts;

/** Shows the secret of an endpoint, if the key may see it. It is in the page only while its dialog is open. */
export async function revealSecret(
  { openDialog }: Pick<Dashboard, 'openDialog'>,
  { say }: Pick<Actions, 'say'>,
  { url, secret, previous_secret_expires_at: overlapEnds }: BodyOf<'webhooks.GetWebhookEndpoint'>,
): Promise<void> {
  if (secret === undefined) {
    say(toolTexts.lacksSecret);
    return;
  }
  await openDialog({
    title: texts.title,
    content: (close) => (
      <>
        <p>
          <code>{url}</code>
        </p>
        <p>{texts.about}</p>
        {overlapEnds !== null && <p class="hint">{overlapText(overlapEnds)}</p>}
        <ShownText name={texts.name} text={secret} />
        <div class="tools">
          <button type="button" onClick={() => close()}>
            {texts.done}
          </button>
        </div>
      </>
    ),
  });
}
