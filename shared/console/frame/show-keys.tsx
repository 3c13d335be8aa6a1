import type { OpenDialog } from '../call/dialog-host.tsx';
import { frameTexts } from './frame-texts.ts';
import { goKeys } from './go-keys.ts';

const texts = frameTexts.keyboard;

/** Shows all keys of the dashboard. */
export async function showKeys(openDialog: OpenDialog, hasTestKit: boolean): Promise<void> {
  const keys = [
    ['/', texts.search],
    ['Ctrl K', texts.search],
    ['j k', texts.rows],
    ['Enter', texts.open],
    ...[...goKeys(hasTestKit)].map(([key, section]) => [`g ${key}`, texts.go(frameTexts.sections[section])]),
    ['?', texts.keys],
  ];
  await openDialog({
    title: texts.title,
    content: (close) => (
      <>
        <dl class="keyboard">
          {keys.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <div class="tools">
          <button type="button" data-first onClick={() => close()}>
            {texts.close}
          </button>
        </div>
      </>
    ),
  });
}
