import { useState } from 'preact/hooks';
import type { Schema } from '../../story/read-operations.ts';
import { EMPTY_FORM, type FormTexts, toTexts, toValue } from '../call/form-values.ts';
import { SchemaFields } from './schema-fields.tsx';

interface EditorProps {
  readonly schema: Schema;
  readonly id: string;
  readonly example: unknown;
  readonly form: FormTexts;
  readonly onForm: (form: FormTexts) => void;
  /** The body as text; null while it is edited as a form. */
  readonly text: string | null;
  readonly onText: (text: string | null) => void;
  readonly faults: Readonly<Record<string, string>>;
  readonly suggest: (name: string) => readonly string[];
}

/** A body as a form or as text. The text can hold values that a form cannot, such as a wrong type. */
export function BodyEditor(props: EditorProps) {
  const { schema, id, example, form, onForm, text, onText, faults, suggest } = props;
  const [isNoJson, setNoJson] = useState(false);
  const isText = text !== null;
  const write = (value: unknown) => {
    onForm(toTexts(schema, value));
    if (isText) {
      onText(JSON.stringify(value, null, 2));
    }
  };
  const showForm = () => {
    try {
      onForm(text === null ? form : toTexts(schema, JSON.parse(text)));
      onText(null);
      setNoJson(false);
    } catch {
      setNoJson(true);
    }
  };
  const showText = () => onText(text ?? JSON.stringify(toValue(schema, form), null, 2));
  return (
    <section class="part">
      <div class="part-head">
        <h3>Body</h3>
        <div class="tools">
          <button type="button" class="small" onClick={() => write(example)}>
            Example
          </button>
          <button type="button" class="small" onClick={() => (isText ? onText('{}') : onForm(EMPTY_FORM))}>
            Clear
          </button>
          <FormatSwitch isText={isText} onForm={showForm} onText={showText} />
        </div>
      </div>
      {isText ? (
        <textarea
          aria-label="Body as JSON"
          rows={12}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      ) : (
        <SchemaFields
          schema={schema}
          id={id}
          form={form}
          onChange={onForm}
          faults={faults}
          suggest={suggest}
        />
      )}
      {Object.keys(schema.properties ?? {}).length === 0 && <p class="hint">The body has no fields.</p>}
      {isNoJson && <p class="error">This is not JSON, so the form cannot show it. You can still send it.</p>}
    </section>
  );
}

interface SwitchProps {
  readonly isText: boolean;
  readonly onForm: () => void;
  readonly onText: () => void;
}

function FormatSwitch({ isText, onForm, onText }: SwitchProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <span class="switch" role="group" aria-label="Edit the body as">
      <button type="button" class="small" aria-pressed={!isText} onClick={onForm}>
        Form
      </button>
      <button type="button" class="small" aria-pressed={isText} onClick={onText}>
        JSON
      </button>
    </span>
  );
}
