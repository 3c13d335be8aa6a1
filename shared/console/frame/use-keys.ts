/// <reference lib="dom" />
import { useEffect } from 'preact/hooks';
import { addressOf } from '../../story/route.ts';
import type { OpenDialog } from '../call/dialog-host.tsx';
import { goKeys } from './go-keys.ts';
import { showKeys } from './show-keys.tsx';

/** How long after `g` the key of a section counts. */
const SEQUENCE_MS = 1_500;

/** The keys of every page: `/` and Ctrl+K search, `g` and a letter go to a section, `?` shows all keys. */
export function useKeys(openDialog: OpenDialog, hasTestKit: boolean): void {
  useEffect(() => {
    let goesAt = Number.NEGATIVE_INFINITY;
    const sections = goKeys(hasTestKit);
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, timeStamp } = event;
      if (document.querySelector('dialog[open]') !== null || altKey) {
        return;
      }
      const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select');
      const search = document.getElementById('search');
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && search !== null) {
        event.preventDefault();
        search.focus();
        return;
      }
      if (isTyping || ctrlKey || metaKey) {
        return;
      }
      const section = timeStamp - goesAt < SEQUENCE_MS ? sections.get(key) : undefined;
      goesAt = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
      if (section !== undefined) {
        location.hash = addressOf(section === '' ? [] : [section]);
      } else if (key === '/' && search !== null) {
        event.preventDefault();
        search.focus();
      } else if (key === '?') {
        void showKeys(openDialog, hasTestKit);
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
