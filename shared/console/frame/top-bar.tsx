/// <reference lib="dom" />
import { useEffect, useRef, useState } from 'preact/hooks';
import { addressOfSearch } from '../../story/addresses.ts';
import { bangkokTime } from '../../story/times.ts';
import { useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useNow } from '../call/use-now.ts';
import { useRead } from '../call/use-read.ts';
import { ClockSteps } from '../world/clock-steps.tsx';

interface BarProps {
  readonly isWorldOpen: boolean;
  readonly onWorld: () => void;
  readonly onForget: () => void;
}

/** Whose dashboard it is, the one search, and the clock of the test world. */
export function TopBar({ isWorldOpen, onWorld, onForget }: BarProps) {
  const { gate, hasTestKit } = useDashboard();
  const key = useRead('keys.GetKey').response?.body ?? null;
  const [isKept, setKept] = useState(gate.isKeptInTab());
  return (
    <div class="bar">
      <SearchField />
      <p class="identity">
        <b>{key === null ? 'Connected' : (key.merchant_name ?? key.merchant)}</b>{' '}
        <span class="pill t-open">{key?.mode ?? 'test'} mode</span>
        {key?.world.startsWith('wld_') && <span class="pill t-open">{key.label}</span>}
      </p>
      {hasTestKit && (
        <button
          id="world-button"
          type="button"
          class="clock"
          aria-expanded={isWorldOpen}
          aria-controls={isWorldOpen ? 'world' : undefined}
          onClick={onWorld}
        >
          Test world
          <WorldTime />
        </button>
      )}
      {hasTestKit && <ClockMenu />}
      <div class="connection">
        <label class="keep">
          <input
            id="keep"
            type="checkbox"
            checked={isKept}
            onChange={({ currentTarget }) => {
              gate.keepInTab(currentTarget.checked);
              setKept(currentTarget.checked);
            }}
          />
          Keep key in tab
        </label>
        <button id="disconnect" type="button" class="small" onClick={onForget}>
          Forget key
        </button>
      </div>
    </div>
  );
}

function WorldTime() {
  const { response } = useRead('testkit.GetClock');
  const now = useNow();
  if (response?.status !== 200) {
    return null;
  }
  return (
    <time id="clock-now" dateTime={now.toISOString()}>
      {bangkokTime(now, now)}
    </time>
  );
}

/** Moves the clock of the test world, from every route. */
function ClockMenu() {
  const actions = useActions();
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  return (
    <details
      class="clock-menu"
      ref={menu}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') {
          setOpen(false);
          menu.current?.querySelector('summary')?.focus();
        }
      }}
    >
      <summary>Move the clock</summary>
      {isOpen && (
        <div>
          <ClockSteps actions={actions} />
          {actions.report}
        </div>
      )}
    </details>
  );
}

/** Finds a resource by its id or its number, and payments by their reference. */
function SearchField() {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key === '/' && !isTyping && document.querySelector('dialog[open]') === null) {
        event.preventDefault();
        field.current?.focus();
      }
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const address = addressOfSearch(text);
    if (address !== null) {
      location.hash = address;
      setText('');
    }
  };
  return (
    <search class="search">
      <form autocomplete="off" onSubmit={submit}>
        <input
          id="search"
          ref={field}
          type="search"
          aria-label="Find an id, a number or a reference"
          placeholder="Id, number, reference (/)"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
    </search>
  );
}
