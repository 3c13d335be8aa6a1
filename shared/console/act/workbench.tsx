/// <reference lib="dom" />
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiRequest } from '../../story/api-request.ts';
import { namesIn } from '../../story/path-values.ts';
import type { ConsoleOperation, Schema } from '../../story/read-operations.ts';
import type { BenchState } from '../call/bench-memory.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { EMPTY_FORM, toTexts, toValue } from '../call/form-values.ts';
import type { GateAnswer } from '../call/gate.ts';
import { uuidV7 } from '../call/uuid-v7.ts';
import { AnswerView } from '../show/answer-view.tsx';
import { Prose } from '../show/linked-text.tsx';
import { askErasure } from './ask-erasure.tsx';
import { BodyEditor } from './body-editor.tsx';
import { faultsOf } from './faults.ts';
import { parameterSchema } from './parameter-schema.ts';
import { focusField, SchemaFields } from './schema-fields.tsx';
import { usePathFields } from './use-path-fields.ts';

interface BenchProps {
  readonly operation: ConsoleOperation;
  /** Values for its path and query, from the address. */
  readonly given: Readonly<Record<string, string>>;
}

const NO_FIELDS: Schema = { properties: {} };
/** Of the height of the window: a response below that is scrolled into view. */
const LOW = 0.6;

/** The form of an operation, made from its description, and the response. */
export function Workbench({ operation, given }: BenchProps) {
  const { announce, benches, calls, gate, knownIds, openDialog, reads } = useDashboard();
  const { id, example, isIdempotent, permission, method, path } = operation;
  const bodySchema = operation.body ?? NO_FIELDS;
  const pathSchema = parameterSchema(operation, 'path') ?? NO_FIELDS;
  const querySchema = parameterSchema(operation, 'query') ?? NO_FIELDS;
  const isErasing = permission === 'reset';
  const known = benches.get(id);
  const inPath = usePathFields(operation, { ...known?.typed, ...pick(given, namesIn(path)) });
  const [query, setQuery] = useState(() => {
    const asked = pick(given, Object.keys(querySchema.properties ?? {}));
    return Object.keys(asked).length > 0 ? { texts: asked, rows: {} } : (known?.query ?? EMPTY_FORM);
  });
  const [body, setBody] = useState(known?.body ?? toTexts(bodySchema, example));
  const [text, setText] = useState(known?.text ?? null);
  const [version, setVersion] = useState(known?.version ?? '');
  const [key, setKey] = useState(uuidV7);
  const [lastKey, setLastKey] = useState(known?.lastKey ?? null);
  const [answer, setAnswer] = useState(known?.answer ?? null);
  const [failure, setFailure] = useState<{ readonly message: string; readonly sent: ApiRequest } | null>(
    null,
  );
  const [missing, setMissing] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [toFocus, setToFocus] = useState<string | null>(null);
  const outcome = useRef<HTMLElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const suggest = knownIds.idsFor;

  const state: BenchState = { typed: inPath.typed, query, body, text, version, lastKey, answer };
  useLayoutEffect(() => {
    benches.set(id, state);
  });

  const schemas = [
    ['path', pathSchema],
    ['query', querySchema],
    ['body', bodySchema],
  ] as const;

  useLayoutEffect(() => {
    // Here, since the form may have to take the place of the text first.
    if (toFocus !== null) {
      setToFocus(null);
      schemas.some(([place, schema]) => focusField(schema, `${id}.${place}`, toFocus));
    }
  }, [toFocus]);

  function request(): ApiRequest {
    const sent = operation.body === null ? undefined : (text ?? JSON.stringify(toValue(bodySchema, body)));
    return {
      method,
      path: calls.addressOf(operation, inPath.values, toValue(querySchema, query) as Record<string, unknown>),
      headers: {
        ...(isIdempotent && { 'Idempotency-Key': key }),
        ...(version.trim() !== '' && { 'PG-Version': version.trim() }),
        ...(sent !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: sent,
      isKeyed: permission !== null,
    };
  }

  async function send(sent: ApiRequest): Promise<void> {
    inPath.use();
    setMissing(null);
    setFailure(null);
    setSending(true);
    try {
      show(await gate.send(sent));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setAnswer(null);
      setFailure({ message, sent });
      announce(message);
    } finally {
      setSending(false);
      requestAnimationFrame(scrollToOutcome);
    }
  }

  function show(received: GateAnswer): void {
    if (isErasing && received.status < 300) {
      knownIds.forget();
      benches.clear();
    } else {
      knownIds.remember(received);
    }
    setLastKey(received.request.headers['Idempotency-Key'] ?? null);
    setKey(uuidV7());
    setAnswer(received);
    announce(`Response ${received.status} after ${received.durationMs} milliseconds.`);
    benches.set(id, { ...state, answer: received });
    if (method !== 'GET') {
      reads.refresh();
    }
  }

  /** The form may be long, so the response is scrolled into view. */
  function scrollToOutcome(): void {
    const shown = outcome.current;
    if (shown !== null && shown.getBoundingClientRect().top > LOW * innerHeight) {
      shown.scrollIntoView({ block: 'start' });
    }
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const empty = namesIn(path).find((name) => (inPath.values[name] ?? '') === '');
    if (empty !== undefined) {
      setMissing(empty);
      setToFocus(empty);
      return;
    }
    const sent = request();
    if (!isErasing || !gate.isOpen() || (await askErasure(openDialog))) {
      await send(sent);
    }
  }

  function onField(field: string): void {
    if (text !== null) {
      try {
        setBody(toTexts(bodySchema, JSON.parse(text)));
        setText(null);
      } catch {
        return;
      }
    }
    setToFocus(field);
  }

  const problem = isSending ? null : (answer?.problem ?? null);
  const faults = (schema: Schema) => faultsOf(schema, problem);
  return (
    <article class="bench">
      <BenchHead operation={operation} />
      <form
        ref={form}
        class="bench-form"
        noValidate
        autocomplete="off"
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            form.current?.requestSubmit();
          }
        }}
      >
        {pathSchema !== NO_FIELDS && (
          <section class="part">
            <h3>Path</h3>
            <SchemaFields
              schema={pathSchema}
              id={`${id}.path`}
              form={inPath.form}
              onChange={inPath.write}
              faults={{
                ...faults(pathSchema),
                ...(missing !== null && { [missing]: 'is required in the URL' }),
              }}
              suggest={(name) => knownIds.idsAt(path, name, othersOf(inPath.values, name))}
            />
          </section>
        )}
        {querySchema !== NO_FIELDS && (
          <section class="part">
            <h3>Query</h3>
            <SchemaFields
              schema={querySchema}
              id={`${id}.query`}
              form={query}
              onChange={setQuery}
              faults={faults(querySchema)}
              suggest={suggest}
            />
          </section>
        )}
        {operation.body !== null && (
          <BodyEditor
            schema={operation.body}
            id={`${id}.body`}
            example={example}
            form={body}
            onForm={setBody}
            text={text}
            onText={setText}
            faults={faults(bodySchema)}
            suggest={suggest}
          />
        )}
        {(isIdempotent || permission !== null) && (
          <section class="part">
            <h3>Headers</h3>
            <div class="fields">
              {isIdempotent && <KeyField id={id} value={key} lastKey={lastKey} onChange={setKey} />}
              {permission !== null && (
                <VersionField operation={operation} value={version} onChange={setVersion} />
              )}
            </div>
          </section>
        )}
        <div class="send">
          <button type="submit" class="primary" disabled={isSending}>
            Send
          </button>
          <span class="hint">Ctrl + Enter</span>
        </div>
      </form>
      <section
        ref={outcome}
        class="outcome-area"
        aria-label="Answer"
        aria-busy={isSending ? 'true' : undefined}
      >
        {answer !== null && (
          <AnswerView
            operation={operation}
            answer={answer}
            onRepeat={isIdempotent ? () => void send(answer.request) : null}
            onField={onField}
          />
        )}
        {failure !== null && (
          <div class="problem">
            <p>{failure.message}</p>
            {gate.isOpen() && (
              <button type="button" class="small" onClick={() => void send(failure.sent)}>
                Same request again
              </button>
            )}
          </div>
        )}
      </section>
    </article>
  );
}

function BenchHead({ operation }: Pick<BenchProps, 'operation'>) {
  const { root } = useDashboard();
  const { method, path, summary, description, permission } = operation;
  return (
    <header class="bench-head">
      <h2 tabIndex={-1}>{summary}</h2>
      <p class="address">
        <span class={`method m-${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
      </p>
      {description !== '' && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <p class="hint">
        {permission === null ? (
          'No key is needed, and none is sent.'
        ) : (
          <>
            Permission <code>{permission}</code>
          </>
        )}{' '}
        · <a href={`${root}/docs/api/${operation.id}`}>Documentation</a>
      </p>
    </header>
  );
}

interface KeyFieldProps {
  /** Of the operation. */
  readonly id: string;
  readonly value: string;
  readonly lastKey: string | null;
  readonly onChange: (key: string) => void;
}

/** An idempotency key that is new for each request, and can be kept to see a replay. */
function KeyField({ id, value, lastKey, onChange }: KeyFieldProps) {
  const own = `${id}.idempotency-key`;
  return (
    <div class="field wide">
      <label for={own}>
        Idempotency-Key<span class="need"> required</span>
      </label>
      <div class="row">
        <input
          id={own}
          type="text"
          autocomplete="off"
          spellcheck={false}
          class="mono"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <button type="button" class="small" onClick={() => onChange(uuidV7())}>
          New key
        </button>
        <button
          type="button"
          class="small"
          disabled={lastKey === null}
          onClick={() => onChange(lastKey ?? '')}
        >
          Last key
        </button>
      </div>
      <span class="hint">
        Changes after every call. Send the same request with the last key to see a replay.
      </span>
    </div>
  );
}

interface VersionFieldProps {
  readonly operation: ConsoleOperation;
  readonly value: string;
  readonly onChange: (version: string) => void;
}

function VersionField({ operation: { id, parameters }, value, onChange }: VersionFieldProps) {
  const own = `${id}.version`;
  return (
    <div class="field">
      <label for={own}>PG-Version</label>
      <input
        id={own}
        type="text"
        autocomplete="off"
        placeholder={parameters.find(({ name }) => name === 'PG-Version')?.example ?? ''}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <span class="hint">date · the key's own by default</span>
    </div>
  );
}

function pick(values: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function othersOf(values: Readonly<Record<string, string>>, name: string): string[] {
  return Object.entries(values)
    .filter(([each, value]) => each !== name && value !== '')
    .map(([, value]) => value);
}
