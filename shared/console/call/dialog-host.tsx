/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogContent {
  readonly title: string;
  /** @param close closes the dialog with a value */
  readonly content: (close: (value?: string) => void) => ComponentChildren;
  readonly role?: 'alertdialog';
  readonly isWide?: boolean;
}

/** Opens a dialog. Resolves with the value that closed it: empty for Escape. */
export type OpenDialog = (dialog: DialogContent) => Promise<string>;

interface ModalProps extends DialogContent {
  readonly onClose: (value: string) => void;
}

export interface OpenedDialog extends ModalProps {
  readonly id: string;
}

/** Dialogs over the page, which the user closes. The focus returns to where it was. */
export function DialogHost({ dialogs }: { readonly dialogs: readonly OpenedDialog[] }) {
  return (
    <>
      {dialogs.map((dialog) => (
        <ModalDialog key={dialog.id} {...dialog} />
      ))}
    </>
  );
}

/** A dialog over the page, for as long as it is part of it. */
export function ModalDialog({ title, content, role, isWide = false, onClose }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // One that is wide is read from its top. The first button would be far below.
    (isWide ? shown : shown?.querySelector<HTMLElement>('[data-first]'))?.focus();
    return () => shown?.close();
  }, []);
  // It stays over the page until its owner has taken it away, so that nothing can be done there too early.
  const close = (value = '') => {
    dialog.current?.toggleAttribute('inert', true);
    onClose(value);
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-title"
      aria-describedby={role === undefined ? undefined : 'dialog-body'}
      role={role}
      class={isWide ? 'wide' : undefined}
      tabIndex={isWide ? -1 : undefined}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // Of the browser alone: a second Escape asks nobody.
      onClose={() => onClose('')}
    >
      <h2 id="dialog-title">{title}</h2>
      <div id="dialog-body" class="stack">
        {content(close)}
      </div>
    </dialog>
  );
}
