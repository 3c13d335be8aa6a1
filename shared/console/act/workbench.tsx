/// <reference lib="dom" />
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiRequest } from '../../story/api-request.ts';
import { namesIn } from '../../story/path-values.ts';
import type { ConsoleOperation } from '../../story/read-operations.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { Prose } from '../show/linked-text.tsx';
import { ResponseView } from '../show/response-view.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { actTexts } from './act-texts.ts';
import { askErasure } from './ask-erasure.tsx';
import { BenchForm } from './bench-form.tsx';
import { focusField } from './schema-fields.tsx';
import { useBenchCall } from './use-bench-call.ts';
import { useBenchFields } from './use-bench-fields.ts';

const texts = actTexts.bench;

interface BenchProps {
  readonly operation: ConsoleOperation;
  /** Values for its path and query, from the address. */
  readonly given: Readonly<Record<string, string>>;
}

/** A response below this part of the height of the window is scrolled into view. */
const LOW = 0.6;

/** The form of an operation, and the response. */
export function Workbench({ operation, given }: BenchProps) {
  const { gate, openDialog } = useDashboard();
  const { id, path, permission } = operation;
  const fields = useBenchFields(operation, given);
  const call = useBenchCall(operation, fields);
  const [missing, setMissing] = useState<string | null>(null);
  const [toFocus, setToFocus] = useState<string | null>(null);
  const outcome = useRef<HTMLElement>(null);

  useLayoutEffect(() => {
    // Here, since the form may have to replace the text first.
    if (toFocus !== null) {
      setToFocus(null);
      Object.entries(fields.schemas).some(([part, schema]) => focusField(schema, `${id}.${part}`, toFocus));
    }
  }, [toFocus]);

  async function send(request: ApiRequest): Promise<void> {
    setMissing(null);
    await call.send(request);
    requestAnimationFrame(() => scrollTo(outcome.current));
  }

  async function submit(): Promise<void> {
    const empty = namesIn(path).find((name) => (fields.inPath.values[name] ?? '') === '');
    if (empty !== undefined) {
      setMissing(empty);
      setToFocus(empty);
      return;
    }
    const request = fields.request();
    if (permission !== 'reset' || !gate.isOpen() || (await askErasure(openDialog))) {
      await send(request);
    }
  }

  return (
    <article class="bench">
      <BenchHead operation={operation} />
      <BenchForm
        operation={operation}
        fields={fields}
        problem={call.isSending ? null : (call.response?.problem ?? null)}
        missing={missing}
        isSending={call.isSending}
        onSubmit={() => void submit()}
      />
      <section
        ref={outcome}
        class="outcome-area"
        aria-label={texts.response}
        aria-busy={call.isSending ? 'true' : undefined}
      >
        <Outcome
          operation={operation}
          call={call}
          onSend={(request) => void send(request)}
          onField={(field) => fields.showBodyAsForm() && setToFocus(field)}
        />
      </section>
    </article>
  );
}

/** The form may be long, so the response is scrolled into view. */
function scrollTo(outcome: HTMLElement | null): void {
  if (outcome !== null && outcome.getBoundingClientRect().top > LOW * innerHeight) {
    outcome.scrollIntoView({ block: 'start' });
  }
}

interface OutcomeProps extends Pick<BenchProps, 'operation'> {
  readonly call: Pick<ReturnType<typeof useBenchCall>, 'response' | 'failure'>;
  readonly onSend: (request: ApiRequest) => void;
  readonly onField: (field: string) => void;
}

function Outcome({ operation, call: { response, failure }, onSend, onField }: OutcomeProps) {
  const { gate } = useDashboard();
  return (
    <>
      {response !== null && (
        <ResponseView
          operation={operation}
          response={response}
          onRepeat={operation.isIdempotent ? () => onSend(response.request) : null}
          onField={onField}
        />
      )}
      {failure !== null && (
        <div class="problem">
          <p>{failure.message}</p>
          {gate.isOpen() && (
            <button type="button" class="small" onClick={() => onSend(failure.sent)}>
              {texts.repeat}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function BenchHead({ operation }: Pick<BenchProps, 'operation'>) {
  const { root } = useDashboard();
  const { method, path, summary, description, permission } = operation;
  return (
    <header class="bench-head">
      <ViewHeading>{summary}</ViewHeading>
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
          texts.keyless
        ) : (
          <>
            {texts.permission} <code>{permission}</code>
          </>
        )}{' '}
        · <a href={`${root}/docs/api/${operation.id}`}>{texts.documentation}</a>
      </p>
    </header>
  );
}
