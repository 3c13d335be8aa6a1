/// <reference lib="dom" />
import { useEffect } from 'preact/hooks';

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** Moves through the rows of a list by the keys j and k, from link to link: Enter opens the one that has the focus. */
export function useRowKeys(): void {
  useEffect(() => {
    const walk = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const step = STEPS[key];
      const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea, dialog *');
      if (step === undefined || isTyping || ctrlKey || metaKey || altKey) {
        return;
      }
      const links = [...document.querySelectorAll<HTMLAnchorElement>('.data tbody tr .c-id a')];
      const place = links.indexOf(document.activeElement as HTMLAnchorElement);
      links[Math.min(Math.max(place + step, 0), links.length - 1)]?.focus();
    };
    addEventListener('keydown', walk);
    return () => removeEventListener('keydown', walk);
  }, []);
}
