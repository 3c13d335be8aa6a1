import { readOf } from '../../story/read-request.ts';
import { lossesOf } from '../../story/world-words.ts';
import type { OpenDialog } from '../call/dialog-host.tsx';
import { useReads } from '../call/use-read.ts';
import { actTexts } from './act-texts.ts';

const texts = actTexts.erasure;

/** In the order in which losses are named. */
const COUNTED = [
  readOf('testkit.GetClock'),
  readOf('payments.ListPayments', { query: { limit: '100' } }),
  readOf('testkit.ListWebhookSinks'),
  readOf('webhooks.ListWebhookEndpoints'),
] as const;

/** Whether the user confirms to empty the test world. Escape, and the button that has the focus at first, cancel. */
export async function askErasure(openDialog: OpenDialog): Promise<boolean> {
  const choice = await openDialog({
    title: texts.title,
    role: 'alertdialog',
    content: (close) => (
      <>
        <p>{texts.losses}</p>
        <Losses />
        <p>{texts.warning}</p>
        <div class="tools">
          <button type="button" data-first onClick={() => close()}>
            {texts.keep}
          </button>
          <button type="button" class="danger" onClick={() => close('meant')}>
            {texts.erase}
          </button>
        </div>
      </>
    ),
  });
  return choice === 'meant';
}

/** What a purge would delete now. It reads by itself, so that a count that comes late is shown too. */
function Losses() {
  const [clock, payments, sinks, endpoints] = useReads(COUNTED);
  const content = {
    clock: clock.response?.body ?? null,
    payments: payments.response?.body ?? null,
    sinks: sinks.response?.body ?? null,
    endpoints: endpoints.response?.body ?? null,
  };
  return (
    <ul>
      {lossesOf(content).map((loss) => (
        <li key={loss}>{loss}</li>
      ))}
    </ul>
  );
}
