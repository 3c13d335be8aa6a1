/// <reference lib="dom" />
import type { Child, Elements, Props } from './elements.ts';

export type Dialogs = ReturnType<typeof createDialogs>;

/** Dialogs over the page, which the user closes. */
export function createDialogs({ el }: Pick<Elements, 'el'>) {
  const TITLE = 'dialog-title';

  /** Resolves with the value of the button that closed it: empty for Escape. The focus returns to where it was. */
  async function openDialog(title: string, inner: readonly Child[], props: Props = {}): Promise<string> {
    const opener = document.activeElement?.getAttribute('data-name');
    const dialog = el(
      'dialog',
      { 'aria-labelledby': TITLE, ...props },
      el('h2', { id: TITLE }, title),
      ...inner,
    );
    document.body.append(dialog);
    dialog.showModal();
    await new Promise((resolve) => dialog.addEventListener('close', resolve));
    dialog.remove();
    if (document.activeElement === document.body) {
      // The element that opened it was rebuilt meanwhile.
      const named = [...document.querySelectorAll<HTMLElement>('[data-name]')];
      named.find(({ dataset }) => dataset.name === opener)?.focus();
    }
    return dialog.returnValue;
  }

  function closeButton(label: string, value = '', props: Props = {}): HTMLElement {
    const click = (event: Event) => (event.currentTarget as HTMLElement).closest('dialog')?.close(value);
    return el('button', { type: 'button', ...props, click }, label);
  }

  function closeAll(): void {
    for (const dialog of document.querySelectorAll('dialog')) {
      dialog.close();
    }
  }

  return { openDialog, closeButton, closeAll };
}
