/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { parseLength } from '../../story/times.ts';
import { effectsOf } from '../../story/world-words.ts';
import type { Actions } from '../act/use-actions.tsx';

const STEPS = [
  [60, '+1m'],
  [900, '+15m'],
  [3_600, '+1h'],
  [86_400, '+1d'],
] as const;

/** Moves the clock of the test world, by a step or by a length of one's own. */
export function ClockSteps({ actions: { act, say } }: { readonly actions: Actions }) {
  const [own, setOwn] = useState('');
  const advance = (seconds: number, label: string) =>
    void act('testkit.AdvanceClock', { body: { seconds } }, (body) =>
      [`The clock moved ${label}.`, effectsOf(body)].filter(Boolean).join(' '),
    );
  const submit = (event: Event) => {
    event.preventDefault();
    const seconds = parseLength(own);
    if (seconds === null) {
      say('Enter a length such as 90s, 30m, 2h or 30d.');
    } else {
      advance(seconds, `+${own.trim()}`);
      setOwn('');
    }
  };
  return (
    <div class="steps">
      {STEPS.map(([seconds, label]) => (
        <button key={label} type="button" class="small" onClick={() => advance(seconds, label)}>
          {label}
        </button>
      ))}
      <form class="own-step" noValidate autocomplete="off" onSubmit={submit}>
        <input
          type="text"
          aria-label="Move the clock by"
          placeholder="30d"
          size={5}
          value={own}
          onInput={({ currentTarget }) => setOwn(currentTarget.value)}
        />
        <button type="submit" class="small">
          Move
        </button>
      </form>
    </div>
  );
}
