/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { addressOf, SECTIONS } from '../../story/route.ts';

interface MastheadProps {
  readonly onSkip: () => void;
  readonly children: ComponentChildren;
}

/** The name of the dashboard, and the top bar. */
export function Masthead({ onSkip, children }: MastheadProps) {
  return (
    <header class="top">
      <button type="button" class="skip" onClick={onSkip}>
        Skip to the content
      </button>
      <h1>
        <span class="mark" aria-hidden="true">
          ฿
        </span>{' '}
        Payments
      </h1>
      {children}
    </header>
  );
}

/** Links to the sections of the dashboard. */
export function SectionNav({ current }: { readonly current: string | null }) {
  return (
    <nav class="sections" aria-label="Dashboard">
      {SECTIONS.map(([name, title]) => (
        <a
          key={name}
          href={addressOf(name === '' ? [] : [name])}
          aria-current={name === current ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
