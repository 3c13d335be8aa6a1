import type { WebhookEndpointView } from '../../contract/webhook-endpoint-view.ts';
import { DAY_MS } from '../../domain/clock.ts';
import { FAILING_MAX_MS } from '../../domain/endpoint-limits.ts';
import { disabledText } from '../../story/delivery-words.ts';
import { ShownTime } from '../show/shown-time.tsx';
import { webhookTexts } from './webhook-texts.ts';

const texts = webhookTexts.endpoint;

interface StateProps {
  readonly endpoint: WebhookEndpointView;
  /** Whether one word is enough: its page says the rest. */
  readonly isShort?: boolean;
}

/** Whether an endpoint accepts what it is sent. */
export function EndpointState({ endpoint, isShort = false }: StateProps) {
  const { status, disabled_reason: reason, failing_since: since, last_success_at: last } = endpoint;
  if (status === 'disabled') {
    return <span class={`word t-${reason === 'requested' ? 'calm' : 'bad'}`}>{disabledText(endpoint)}</span>;
  }
  if (since !== null) {
    return (
      <span class="word t-bad">
        {isShort ? (
          texts.isFailing
        ) : (
          <span>{texts.failing(<ShownTime at={since} />, FAILING_MAX_MS / DAY_MS)}</span>
        )}
      </span>
    );
  }
  return last === null ? (
    <span class="word t-calm">{texts.noDeliveries}</span>
  ) : (
    <span class="word t-good">{texts.accepts}</span>
  );
}
