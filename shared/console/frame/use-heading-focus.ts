/// <reference lib="dom" />
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Focuses the heading of the view that an address leads to, as a browser does where it loads a page. */
export function useHeadingFocus(main: RefObject<HTMLElement | null>, address: string): void {
  const isFirst = useRef(true);
  // What had the focus when the address changed, until the heading of the new view has it.
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (!isFirst.current) {
      focused.current = document.activeElement;
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [address]);
  useLayoutEffect(() => {
    // A view may have no heading before the description of the service is read. The user may have gone on meanwhile.
    const heading = main.current?.querySelector<HTMLElement>('h2[tabindex]');
    if (heading && focused.current !== null) {
      if (focused.current === document.activeElement) {
        heading.focus({ preventScroll: true });
      }
      focused.current = null;
    }
  });
}
