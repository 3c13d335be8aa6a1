/// <reference lib="dom" />
import type { Elements } from './elements.ts';

/** Asks before what cannot be undone. */
export function createConfirmation({ el }: Pick<Elements, 'el'>) {
  /** True where the reader means it. Escape, and the button that has the focus at first, leave all as it is. */
  function confirmErasure(content: readonly string[]): Promise<boolean> {
    const end = (isMeant: boolean) => () => dialog.close(isMeant ? 'meant' : '');
    const dialog = el(
      'dialog',
      { role: 'alertdialog', 'aria-labelledby': 'erasure-title', 'aria-describedby': 'erasure-loss' },
      el('h2', { id: 'erasure-title' }, 'Empty this test world?'),
      el(
        'div',
        { id: 'erasure-loss' },
        el('p', {}, 'Everybody who uses this test world loses:'),
        el('ul', {}, ...content.map((lost) => el('li', {}, lost))),
        el('p', {}, 'API keys stay. This cannot be undone.'),
      ),
      el(
        'div',
        { class: 'tools' },
        el('button', { type: 'button', autofocus: true, click: end(false) }, 'Keep everything'),
        el('button', { type: 'button', class: 'danger', click: end(true) }, 'Empty the test world'),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener('close', () => {
        dialog.remove();
        resolve(dialog.returnValue === 'meant');
      });
    });
  }

  return { confirmErasure };
}
