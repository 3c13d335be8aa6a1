/// <reference lib="dom" />
import { useRef, useState } from 'preact/hooks';
import { addressOfSearch } from '../../story/search.ts';
import { bangkokMinute } from '../../story/times.ts';
import { useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useNow } from '../call/use-now.ts';
import { useRead } from '../call/use-read.ts';
import { Menu } from '../show/menu.tsx';
import { ClockSteps } from '../world/clock-steps.tsx';
import { frameTexts as texts } from './frame-texts.ts';
import { Brand } from './navigation.tsx';

interface TopProps {
  readonly isOpen: boolean;
  readonly isWorldOpen: boolean;
  readonly onWorld: () => void;
}

/** The line above every page: the one search, and the clock of the test world. */
export function TopLine({ isOpen, isWorldOpen, onWorld }: TopProps) {
  const { hasTestKit } = useDashboard();
  return (
    <header class="top">
      <Brand />
      {isOpen && <SearchField />}
      {isOpen && hasTestKit && <ClockMenu isWorldOpen={isWorldOpen} onWorld={onWorld} />}
    </header>
  );
}

/** The time of the test world: moves its clock, and opens its drawer. */
function ClockMenu({ isWorldOpen, onWorld }: Omit<TopProps, 'isOpen'>) {
  const actions = useActions();
  return (
    <Menu id="clock-button" class="clock" button={<WorldTime />}>
      <ClockSteps actions={actions} />
      {actions.report}
      <button
        id="world-button"
        type="button"
        aria-expanded={isWorldOpen}
        aria-controls={isWorldOpen ? 'world' : undefined}
        onClick={onWorld}
      >
        {texts.menu.world}
      </button>
    </Menu>
  );
}

function WorldTime() {
  const { response } = useRead('testkit.GetClock');
  const now = useNow();
  return (
    <>
      <span class="unseen">{texts.clock.label}</span>
      {response?.status === 200 && (
        <time id="clock-now" dateTime={now.toISOString()}>
          {bangkokMinute(now)}
        </time>
      )}
      <span class="pill t-open">{texts.clock.mode}</span>
    </>
  );
}

/** Finds everything by what somebody knows of it. */
function SearchField() {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const address = addressOfSearch(text);
    if (address !== null) {
      location.hash = address;
      setText('');
      field.current?.blur();
    }
  };
  return (
    <search class="search">
      <form autocomplete="off" onSubmit={submit}>
        <input
          id="search"
          ref={field}
          type="search"
          aria-label={texts.search.label}
          placeholder={texts.search.placeholder}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
    </search>
  );
}
