import type { OpenDialog } from '../call/dialog-host.tsx';

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
    title: 'Replace the key?',
    role: 'alertdialog',
    content: (close) => (
      <>
        <p>
          The address that was opened has another key: <code>{offered}</code> (test mode). It would replace
          the key that is in use here: <code>{present}</code> (test mode).
        </p>
        <p>If you do not know where the address comes from, keep your key.</p>
        <div class="tools">
          <button type="button" data-first onClick={() => close()}>
            Keep {present}
          </button>
          <button type="button" class="danger" onClick={() => close('meant')}>
            Replace it
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
    title: 'The key of this address is not used',
    role: 'alertdialog',
    content: (close) => (
      <>
        <p>{reason}</p>
        <p>The dashboard goes on with the key that it has.</p>
        <div class="tools">
          <button type="button" data-first onClick={() => close()}>
            Close
          </button>
        </div>
      </>
    ),
  });
}
