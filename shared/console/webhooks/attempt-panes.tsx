/// <reference lib="dom" />
import type { SignatureVerdict } from '../../domain/delivery.ts';
import { durationOf, outcomeText } from '../../story/delivery-words.ts';
import type { LogId } from '../../story/lists.ts';
import type { RowOf } from '../../story/operation-id.ts';
import { OwnId } from '../show/linked-text.tsx';
import { HeaderTable } from '../show/response-view.tsx';
import { ShownText } from '../show/shown-text.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { nameOfStatus } from '../show/status-names.ts';
import { webhookTexts } from './webhook-texts.ts';

const texts = webhookTexts.delivery;

interface PanesProps {
  readonly attempt: RowOf<LogId | 'webhooks.ListEventDeliveries'>;
  readonly kind: 'endpoint' | 'sink';
  /** What the receiver said of the signature; null where it says nothing. */
  readonly verdict: SignatureVerdict | null;
}

/**
 * An attempt whole: what the receiver said in a sentence, then the request and the response, side by side where there is
 * room. The response comes from an untrusted server, so it is shown as plain text.
 */
export function AttemptPanes({ attempt, kind, verdict }: PanesProps) {
  const { status, body, request_headers: headers, answered_body: received, next_attempt_at: next } = attempt;
  return (
    <div class="attempt">
      <p class={status === 'delivered' ? 'good' : 'bad'}>{outcomeText(attempt, kind)}</p>
      {next !== null && <p class="hint">{texts.nextAt(<ShownTime at={next} />)}</p>}
      <div class="panes">
        <section class="stack" aria-label={texts.sent}>
          <b>{texts.sent}</b>
          <HeaderTable headers={Object.entries(headers)} isOpen={true} />
          <ShownText name={texts.body} text={body} shown={indented(body)} />
        </section>
        <section class="stack" aria-label={texts.received}>
          <b>{texts.received}</b>
          <AttemptFacts attempt={attempt} verdict={verdict} />
          {received === null || received === '' ? (
            <p class="hint">{attempt.answered_status === null ? texts.noResponse : texts.noBody}</p>
          ) : (
            <ShownText name={texts.responseStart} text={received} />
          )}
        </section>
      </div>
    </div>
  );
}

function AttemptFacts({ attempt, verdict }: Omit<PanesProps, 'kind'>) {
  const { id, answered_status: received, attempted_at: at } = attempt;
  const duration = durationOf(attempt);
  const { facts } = texts;
  return (
    <dl class="facts-list">
      {received !== null && (
        <div>
          <dt>{facts.status}</dt>
          <dd>{`${received} ${nameOfStatus(received)}`.trim()}</dd>
        </div>
      )}
      {duration !== null && (
        <div>
          <dt>{facts.duration}</dt>
          <dd>{duration}</dd>
        </div>
      )}
      {verdict !== null && (
        <div>
          <dt>{facts.signature}</dt>
          <dd>{texts.signatures[verdict]}</dd>
        </div>
      )}
      <div>
        <dt>{facts.at}</dt>
        <dd>
          <ShownTime at={at} />
        </dd>
      </div>
      <div>
        <dt>{facts.id}</dt>
        <dd>
          <OwnId id={id} />
        </dd>
      </div>
    </dl>
  );
}

/** JSON on lines of its own. A body is empty once its payer was erased. */
function indented(body: string): string {
  return body === '' ? '' : JSON.stringify(JSON.parse(body), null, 2);
}
