/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface MenuProps {
  readonly id: string;
  readonly class: string;
  /** What the button shows. */
  readonly button: ComponentChildren;
  /** What is in the menu, while it is open. */
  readonly children: ComponentChildren;
  /** Whether it closes as soon as one of its buttons is pressed. */
  readonly isOfChoices?: boolean;
}

/** A button that opens what floats over the page: Escape, a click elsewhere and another address close it. */
export function Menu({ id, class: name, button, children, isOfChoices = false }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isOpen) {
      return;
    }
    const listening = new AbortController();
    const { signal } = listening;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target)) {
        setOpen(false);
      }
    };
    addEventListener('pointerdown', closeOutside, { signal });
    addEventListener('hashchange', () => setOpen(false), { signal });
    return () => listening.abort();
  }, [isOpen]);
  const isChoice = ({ target }: Event) =>
    isOfChoices && target instanceof Element && target.closest('button') !== null;
  return (
    <details
      class={`menu ${name}`}
      ref={menu}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={({ key }) => {
        if (key === 'Escape' && isOpen) {
          setOpen(false);
          menu.current?.querySelector('summary')?.focus();
        }
      }}
    >
      <summary id={id}>{button}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keys press the buttons in it
        <div
          class="floating"
          // Before the choice: a dialog that it opens gives the focus back to where it was.
          onClickCapture={(event) => isChoice(event) && menu.current?.querySelector('summary')?.focus()}
          onClick={(event) => isChoice(event) && setOpen(false)}
        >
          {children}
        </div>
      )}
    </details>
  );
}
