/// <reference lib="dom" />
import { useRef } from 'preact/hooks';
import type { ConsoleOperation, Schema } from '../../story/read-operations.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import type { ShownProblem } from '../call/gate.ts';
import { uuidV7 } from '../call/uuid-v7.ts';
import { actTexts } from './act-texts.ts';
import { BodyEditor } from './body-editor.tsx';
import { faultsOf } from './faults.tsx';
import { SchemaFields } from './schema-fields.tsx';
import type { BenchFields } from './use-bench-fields.ts';

const texts = actTexts.bench;

interface FormProps {
  readonly operation: ConsoleOperation;
  readonly fields: BenchFields;
  /** Why the service refused the last request. */
  readonly problem: ShownProblem | null;
  /** The parameter of the path that has no value yet, and needs one. */
  readonly missing: string | null;
  readonly isSending: boolean;
  readonly onSubmit: () => void;
}

/** The form of an operation, made from its description: its path, query, body and headers. */
export function BenchForm(props: FormProps) {
  const { operation, isSending, onSubmit } = props;
  const form = useRef<HTMLFormElement>(null);
  return (
    <form
      ref={form}
      class="bench-form"
      noValidate
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          form.current?.requestSubmit();
        }
      }}
    >
      <PathPart {...props} />
      <QueryPart {...props} />
      {operation.body !== null && <BodyEditor {...props} />}
      <HeadersPart {...props} />
      <div class="send">
        <button type="submit" class="primary" disabled={isSending}>
          {texts.send}
        </button>
        <span class="hint">{texts.sendKeys}</span>
      </div>
    </form>
  );
}

function isEmpty({ properties = {} }: Schema): boolean {
  return Object.keys(properties).length === 0;
}

function PathPart({ operation: { id, path }, fields: { schemas, inPath }, problem, missing }: FormProps) {
  const { knownIds } = useDashboard();
  return isEmpty(schemas.path) ? null : (
    <section class="part">
      <h3>{texts.path}</h3>
      <SchemaFields
        schema={schemas.path}
        id={`${id}.path`}
        form={inPath.form}
        onChange={inPath.write}
        faults={{
          ...faultsOf(schemas.path, problem),
          ...(missing !== null && { [missing]: texts.missing }),
        }}
        suggest={(name) => knownIds.idsAt(path, name, othersOf(inPath.values, name))}
      />
    </section>
  );
}

function QueryPart({ operation: { id }, fields: { schemas, query, setQuery }, problem }: FormProps) {
  const { knownIds } = useDashboard();
  return isEmpty(schemas.query) ? null : (
    <section class="part">
      <h3>{texts.query}</h3>
      <SchemaFields
        schema={schemas.query}
        id={`${id}.query`}
        form={query}
        onChange={setQuery}
        faults={faultsOf(schemas.query, problem)}
        suggest={(name) => knownIds.idsFor(name)}
      />
    </section>
  );
}

function HeadersPart({ operation, fields }: FormProps) {
  const { id, isIdempotent, permission } = operation;
  return !isIdempotent && permission === null ? null : (
    <section class="part">
      <h3>{texts.headers}</h3>
      <div class="fields">
        {isIdempotent && (
          <KeyField id={id} value={fields.key} lastKey={fields.lastKey} onChange={fields.setKey} />
        )}
        {permission !== null && (
          <VersionField operation={operation} value={fields.version} onChange={fields.setVersion} />
        )}
      </div>
    </section>
  );
}

interface KeyFieldProps {
  /** The id of the operation. */
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
        Idempotency-Key<span class="need"> {actTexts.fields.required}</span>
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
          {texts.newKey}
        </button>
        <button
          type="button"
          class="small"
          disabled={lastKey === null}
          onClick={() => onChange(lastKey ?? '')}
        >
          {texts.lastKey}
        </button>
      </div>
      <span class="hint">{texts.keyHint}</span>
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
      <span class="hint">{texts.versionHint}</span>
    </div>
  );
}

function othersOf(values: Readonly<Record<string, string>>, name: string): string[] {
  return Object.entries(values)
    .filter(([each, value]) => each !== name && value !== '')
    .map(([, value]) => value);
}
