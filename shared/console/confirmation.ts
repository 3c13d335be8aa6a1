/// <reference lib="dom" />
import type { Dialogs } from './dialogs.ts';
import type { Elements } from './elements.ts';

/** Asks for confirmation before actions that cannot be undone. */
export function createConfirmation({ el }: Pick<Elements, 'el'>, { openDialog, closeButton }: Dialogs) {
  /** Whether the user confirms. Escape, and the button that has the focus at first, cancel. */
  async function confirmErasure(content: readonly string[]): Promise<boolean> {
    const loss = el(
      'div',
      { id: 'erasure-loss' },
      el('p', {}, 'This deletes, for everyone who uses this test world:'),
      el('ul', {}, ...content.map((lost) => el('li', {}, lost))),
      el('p', {}, 'API keys are kept. This cannot be undone.'),
    );
    const buttons = el(
      'div',
      { class: 'tools' },
      closeButton('Keep everything', '', { autofocus: true }),
      closeButton('Empty the test world', 'meant', { class: 'danger' }),
    );
    const props = { role: 'alertdialog', 'aria-describedby': loss.id };
    return (await openDialog('Empty this test world?', [loss, buttons], props)) === 'meant';
  }

  return { confirmErasure };
}
