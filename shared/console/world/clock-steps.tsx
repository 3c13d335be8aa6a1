/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { SECOND_MS } from '../../domain/clock.ts';
import { parseLength, relativeTime } from '../../story/times.ts';
import { effectsOf } from '../../story/world-words.ts';
import type { Actions } from '../act/use-actions.tsx';
import { useNow } from '../call/use-now.ts';
import { useRead } from '../call/use-read.ts';
import { worldViewTexts } from './world-view-texts.ts';

const texts = worldViewTexts.clock;
const STEPS = [
  [900, texts.plusMinutes(15)],
  [3_600, texts.plusHours(1)],
  [86_400, texts.plusDays(1)],
] as const;

/** Moves the clock of the test world, by a step or by a length of one's own. */
export function ClockSteps({ actions: { act, say } }: { readonly actions: Actions }) {
  const [own, setOwn] = useState('');
  const advance = (seconds: number, label: string) =>
    void act('testkit.AdvanceClock', { body: { seconds } }, (body) =>
      [texts.moved(label), effectsOf(body)].filter(Boolean).join(' '),
    );
  const submit = (event: Event) => {
    event.preventDefault();
    const seconds = parseLength(own);
    if (seconds === null) {
      say(texts.wrongStep);
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
      <NextJob onAdvance={advance} />
      <form class="own-step" noValidate autocomplete="off" onSubmit={submit}>
        <input
          type="text"
          aria-label={texts.ownStep}
          placeholder="30d"
          size={5}
          value={own}
          onInput={({ currentTarget }) => setOwn(currentTarget.value)}
        />
        <button type="submit" class="small">
          {texts.move}
        </button>
      </form>
    </div>
  );
}

/** Moves the clock to what is due next; nothing where nothing is ahead. */
function NextJob({ onAdvance }: { readonly onAdvance: (seconds: number, label: string) => void }) {
  const nextAt = useRead('testkit.GetClock').response?.body?.next_job_at ?? null;
  const now = useNow();
  const seconds = nextAt === null ? 0 : Math.ceil((Date.parse(nextAt) - now.getTime()) / SECOND_MS);
  if (nextAt === null || seconds < 1) {
    return null;
  }
  return (
    <button type="button" class="small" onClick={() => onAdvance(seconds, texts.movedToJob)}>
      {texts.toNextJob(relativeTime(new Date(nextAt), now))}
    </button>
  );
}
