/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The heading of a view: it has the focus where an address leads there, and the title of the tab says the same. */
export function ViewHeading({ children }: { readonly children: ComponentChildren }) {
  const shown = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${shown.current?.textContent ?? ''} · Payments`;
  });
  // What was read with a key does not stay in the title without it.
  useEffect(
    () => () => {
      document.title = 'Payments';
    },
    [],
  );
  return (
    <h2 tabIndex={-1} ref={shown}>
      {children}
    </h2>
  );
}
