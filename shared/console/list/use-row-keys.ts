/// <reference lib="dom" />
import { useEffect } from 'preact/hooks';
import { addressOfId } from '../../story/addresses.ts';

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** Moves through the rows of a list by the keys j and k: the focus is on the row's own resource, and Enter opens it. */
export function useRowKeys(): void {
  useEffect(() => {
    const walk = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const step = STEPS[key];
      const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea, dialog *');
      if (step === undefined || isTyping || ctrlKey || metaKey || altKey) {
        return;
      }
      const rows = [...document.querySelectorAll<HTMLElement>('.data tbody tr')];
      const index = rows.findIndex((row) => row.contains(document.activeElement));
      const next = rows[Math.min(Math.max(index + step, 0), rows.length - 1)];
      // A row may lead to other resources too, such as the payment of a refund.
      const own = addressOfId(next?.dataset.id ?? '');
      next?.querySelector<HTMLElement>(`a[href="${own}"]`)?.focus();
    };
    addEventListener('keydown', walk);
    return () => removeEventListener('keydown', walk);
  }, []);
}
