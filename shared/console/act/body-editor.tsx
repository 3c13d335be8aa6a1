import { useState } from 'preact/hooks';
import type { ConsoleOperation } from '../../story/read-operations.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { EMPTY_FORM, toTexts, toValue } from '../call/form-values.ts';
import type { ShownProblem } from '../call/gate.ts';
import { actTexts } from './act-texts.ts';
import { faultsOf } from './faults.tsx';
import { SchemaFields } from './schema-fields.tsx';
import type { BenchFields } from './use-bench-fields.ts';

const texts = actTexts.body;

interface EditorProps {
  readonly operation: ConsoleOperation;
  readonly fields: BenchFields;
  readonly problem: ShownProblem | null;
}

/** A body as a form or as text. The text can hold values that a form cannot, such as a wrong type. */
export function BodyEditor({ operation: { id, example }, fields, problem }: EditorProps) {
  const { body: form, setBody, text, setText } = fields;
  const schema = fields.schemas.body;
  const { knownIds } = useDashboard();
  const [isNoJson, setNoJson] = useState(false);
  const isText = text !== null;
  const write = (value: unknown) => {
    setBody(toTexts(schema, value));
    if (isText) {
      setText(JSON.stringify(value, null, 2));
    }
  };
  const showText = () => setText(text ?? JSON.stringify(toValue(schema, form), null, 2));
  return (
    <section class="part">
      <div class="part-head">
        <h3>{texts.title}</h3>
        <div class="tools">
          <button type="button" class="small" onClick={() => write(example)}>
            {texts.example}
          </button>
          <button type="button" class="small" onClick={() => (isText ? setText('{}') : setBody(EMPTY_FORM))}>
            {texts.clear}
          </button>
          <FormatSwitch
            isText={isText}
            onForm={() => setNoJson(!fields.showBodyAsForm())}
            onText={showText}
          />
        </div>
      </div>
      {isText ? (
        <textarea
          aria-label={texts.asJson}
          rows={12}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      ) : (
        <SchemaFields
          schema={schema}
          id={`${id}.body`}
          form={form}
          onChange={setBody}
          faults={faultsOf(schema, problem)}
          suggest={(name) => knownIds.idsFor(name)}
        />
      )}
      {Object.keys(schema.properties ?? {}).length === 0 && <p class="hint">{texts.empty}</p>}
      {isNoJson && <p class="error">{texts.noJson}</p>}
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
    <span class="switch" role="group" aria-label={texts.format}>
      <button type="button" class="small" aria-pressed={!isText} onClick={onForm}>
        {texts.form}
      </button>
      <button type="button" class="small" aria-pressed={isText} onClick={onText}>
        {texts.json}
      </button>
    </span>
  );
}
