/// <reference lib="dom" />
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { OpenDialog, OpenedDialog } from './dialog-host.tsx';
import { uuidV7 } from './uuid-v7.ts';

/**
 * The open dialogs. Each is a step of the history at the same address: Back closes it and leaves the page as it is, and
 * no dialog outlives the route where it was opened.
 */
export function useDialogs() {
  const opened = useRef<readonly OpenedDialog[]>([]);
  const [dialogs, setDialogs] = useState(opened.current);
  const functions = useMemo(() => {
    const keep = (kept: readonly OpenedDialog[]) => {
      opened.current = kept;
      setDialogs(kept);
    };

    const openDialog: OpenDialog = (dialog) =>
      new Promise((resolve) => {
        const id = uuidV7();
        let isClosing = false;
        const onClose = async (value: string) => {
          if (isClosing) {
            return;
          }
          isClosing = true;
          if (opened.current.some((each) => each.id === id)) {
            // What follows may lead elsewhere, which the step back would undo.
            await leaveStep(id);
            keep(opened.current.filter((each) => each.id !== id));
          }
          resolve(value);
        };
        history.pushState({ dialog: id }, '');
        keep([...opened.current, { ...dialog, id, onClose }]);
      });

    /** Closes those above the step that the history is at, as Escape does. */
    const followHistory = () => {
      const index = opened.current.findIndex(({ id }) => id === history.state?.dialog);
      closeAbove(index + 1);
    };

    /** Leaves the history as it is: the page may be about to go. */
    const closeAbove = (count: number) => {
      const closed = opened.current.slice(count);
      if (closed.length > 0) {
        keep(opened.current.slice(0, count));
        for (const { onClose } of closed) {
          onClose('');
        }
      }
    };

    return { openDialog, followHistory, closeDialogs: () => closeAbove(0) };
  }, []);
  useEffect(() => {
    addEventListener('popstate', functions.followHistory);
    return () => removeEventListener('popstate', functions.followHistory);
  }, []);
  return { dialogs, ...functions };
}

/** Takes the step of a dialog out of the history, if it is still the newest. */
async function leaveStep(id: string): Promise<void> {
  if (history.state?.dialog === id) {
    const left = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await left;
  }
}
