import type { OpenDialog } from './dialog-host.tsx';

/** Whether the user confirms to empty the test world. Escape, and the button that has the focus at first, cancel. */
export async function askErasure(openDialog: OpenDialog, losses: readonly string[]): Promise<boolean> {
  const choice = await openDialog({
    title: 'Empty this test world?',
    role: 'alertdialog',
    content: (close) => (
      <>
        <p>This deletes, for everyone who uses this test world:</p>
        <ul>
          {losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
        <p>API keys are kept. This cannot be undone.</p>
        <div class="tools">
          <button type="button" data-first onClick={() => close()}>
            Keep everything
          </button>
          <button type="button" class="danger" onClick={() => close('meant')}>
            Empty the test world
          </button>
        </div>
      </>
    ),
  });
  return choice === 'meant';
}
