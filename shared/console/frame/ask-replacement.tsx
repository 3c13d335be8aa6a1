import type { OpenDialog } from '../call/dialog-host.tsx';
import { frameTexts } from './frame-texts.ts';

const { replacement: texts, refused } = frameTexts;

interface Replacement {
  /** How the keys begin. */
  readonly present: string;
  readonly offered: string;
}

/** Whether the user takes the key of an address in place of the present one. Escape and Back keep the present one. */
export async function askReplacement(
  openDialog: OpenDialog,
  { present, offered }: Replacement,
): Promise<boolean> {
  const choice = await openDialog({
    title: texts.title,
    role: 'alertdialog',
    content: (close) => (
      <>
        <p>
          {texts.offered} <code>{offered}</code> {texts.mode} {texts.present} <code>{present}</code>{' '}
          {texts.mode}
        </p>
        <p>{texts.advice}</p>
        <div class="tools">
          <button type="button" data-first onClick={() => close()}>
            {texts.keep(present)}
          </button>
          <button type="button" class="danger" onClick={() => close('meant')}>
            {texts.replace}
          </button>
        </div>
      </>
    ),
  });
  return choice === 'meant';
}

/** Says why the key of an address is not used. The present one stays. */
export async function sayRefused(openDialog: OpenDialog, reason: string): Promise<void> {
  await openDialog({
    title: refused.title,
    role: 'alertdialog',
    content: (close) => (
      <>
        <p>{reason}</p>
        <p>{refused.goesOn}</p>
        <div class="tools">
          <button type="button" data-first onClick={() => close()}>
            {refused.close}
          </button>
        </div>
      </>
    ),
  });
}
