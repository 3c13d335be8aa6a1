/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { addressOf, PLACES } from '../../story/route.ts';

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

/** Links to the places of the dashboard. */
export function PlaceNav({ current }: { readonly current: string | null }) {
  return (
    <nav class="places" aria-label="Dashboard">
      {PLACES.map(([name, title]) => (
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
