/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { useDashboard } from '../call/dashboard-context.ts';
import { judgeKey, type KeyVerdict } from '../call/judge-key.ts';
import { frameTexts } from './frame-texts.ts';
import { KEY_REFUSALS, refusedKey } from './key-refusals.ts';

const texts = frameTexts.connect;

interface ConnectProps {
  /** Why there is no connection. */
  readonly message: string;
  readonly onMessage: (message: string) => void;
  readonly onKey: (verdict: KeyVerdict) => void;
}

/** Takes a test key. What is typed is handed to the gate, and the field is emptied. */
export function ConnectForm({ message, onMessage, onKey }: ConnectProps) {
  const { gate } = useDashboard();
  const [key, setKey] = useState('');
  const watch = (text: string) => {
    setKey(text);
    const verdict = judgeKey(text);
    if (refusedKey(verdict)) {
      gate.lock();
      onMessage(KEY_REFUSALS[verdict]);
    } else {
      onMessage('');
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const verdict = gate.unlock(key);
    onKey(verdict);
    setKey('');
  };
  return (
    <section class="connect">
      <h2>{texts.title}</h2>
      <form id="key-form" autocomplete="off" noValidate onSubmit={submit}>
        <label for="key">{texts.key}</label>
        <div class="row">
          <KeyInput value={key} isRefused={message !== ''} onText={watch} />
          <button type="submit" class="primary">
            {texts.submit}
          </button>
        </div>
      </form>
      <p id="key-message" role="alert">
        {message}
      </p>
      <p id="key-note" class="hint">
        {texts.note}
      </p>
    </section>
  );
}

interface KeyInputProps {
  readonly value: string;
  readonly isRefused: boolean;
  readonly onText: (text: string) => void;
}

function KeyInput({ value, isRefused, onText }: KeyInputProps) {
  return (
    <input
      id="key"
      type="text"
      class="mono secret"
      autocomplete="off"
      autocapitalize="off"
      autocorrect="off"
      spellcheck={false}
      placeholder="pg_test_…"
      aria-invalid={isRefused ? 'true' : 'false'}
      aria-describedby="key-message key-note"
      value={value}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}
