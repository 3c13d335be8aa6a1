/// <reference lib="dom" />
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface HeadingProps {
  readonly children: ComponentChildren;
  /** For a view that focuses it by itself. */
  readonly heading?: RefObject<HTMLHeadingElement | null>;
}

/** The heading of a view: it has the focus where an address leads there, and the title of the tab says the same. */
export function ViewHeading({ children, heading }: HeadingProps) {
  const own = useRef<HTMLHeadingElement>(null);
  const shown = heading ?? own;
  useEffect(() => {
    document.title = `${shown.current?.textContent ?? ''} · Payments`;
  });
  return (
    <h2 tabIndex={-1} ref={shown}>
      {children}
    </h2>
  );
}
