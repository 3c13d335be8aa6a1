/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatMoney, isMoney, type ShownMoney } from '../../story/amounts.ts';
import type { BodyOf, CallInput, CallInputOf, FieldNameOf, OperationId } from '../../story/operation-id.ts';
import type { Schema } from '../../story/read-operations.ts';
import { type Dashboard, useDashboard } from '../call/dashboard-context.ts';
import { inBahtFields, toTexts, toValue } from '../call/form-values.ts';
import { Prose } from '../show/linked-text.tsx';
import { ProblemView } from '../show/shown-problem.tsx';
import { actTexts } from './act-texts.ts';
import { besideFields, faultOfPart, faultsForPeople, faultsOf } from './faults.tsx';
import { type Choice, focusField, SchemaFields } from './schema-fields.tsx';
import { useSending } from './use-sending.ts';

/** A question for the input of an operation. */
export interface Question<Id extends OperationId> {
  readonly label: string;
  /** What a person calls it, with the words of people for its fields; without it, all is as the document says it. */
  readonly title?: string;
  /** The resource that the operation changes. */
  readonly about?: string;
  readonly params?: CallInputOf<Id>['params'];
  readonly values?: { readonly [Name in FieldNameOf<Id>]?: unknown };
  /** The fields to show; by default all. What has a value is sent, shown or not. */
  readonly fields?: readonly FieldNameOf<Id>[];
  /** Values to choose from, by the name of the field, which takes others too. */
  readonly offered?: { readonly [Name in FieldNameOf<Id>]?: readonly string[] };
  /** The only values of a field, in words of people. */
  readonly choices?: { readonly [Name in FieldNameOf<Id>]?: readonly Choice[] };
  /** What the field `amount` takes at most: all of it is chosen first, or else a part is typed. */
  readonly whole?: ShownMoney;
  /** Another operation, which takes the rest of the fields where a field has this value. */
  readonly elsewhere?: Elsewhere;
}

interface Elsewhere {
  readonly field: string;
  readonly value: string;
  readonly operationId: OperationId;
  readonly params: Readonly<Record<string, string>>;
}

type Asking = Pick<Dashboard, 'openDialog' | 'calls' | 'readDocument'>;

/** The response of the operation, or null if the user canceled. After a refusal, the form stays, with the reason. */
export async function askForInput<Id extends OperationId>(
  dashboard: Asking,
  operationId: Id,
  question: Question<Id>,
): Promise<BodyOf<Id> | null>;
export async function askForInput(
  { openDialog, calls, readDocument }: Asking,
  operationId: OperationId,
  question: AnyQuestion,
): Promise<unknown> {
  let received: unknown = null;
  // The form is made from the document: without it, it would send nothing of what the user wants.
  if (!(await readDocument())) {
    return null;
  }
  await openDialog({
    title: question.title ?? calls.operationOf(operationId).summary,
    content: (close) => (
      <OperationForm
        operationId={operationId}
        question={question}
        onResponse={(body) => {
          received = body;
          close();
        }}
        onCancel={close}
      />
    ),
  });
  return received;
}

/** A question, for a form that is made from whatever the document says of the operation. */
interface AnyQuestion {
  readonly label: string;
  readonly title?: string;
  readonly about?: string;
  readonly params?: CallInput['params'];
  readonly values?: Readonly<Record<string, unknown>>;
  readonly fields?: readonly PropertyKey[];
  readonly offered?: Readonly<Record<string, readonly string[]>>;
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
  readonly whole?: ShownMoney;
  readonly elsewhere?: Elsewhere;
}

interface OperationFormProps {
  readonly operationId: OperationId;
  readonly question: AnyQuestion;
  readonly onResponse: (body: unknown) => void;
  readonly onCancel: () => void;
}

/** Sends the form of an operation, and holds what came of it. */
function useSubmission({
  operationId,
  question: { params = {}, elsewhere },
  onResponse,
}: OperationFormProps) {
  const { calls, knownIds } = useDashboard();
  const { send, ...came } = useSending(onResponse);
  const submit = (body: unknown) =>
    send(async () => {
      const { [elsewhere?.field ?? '']: value, ...others } = Object(body);
      const response =
        elsewhere !== undefined && value === elsewhere.value
          ? await calls.send(elsewhere.operationId, { params: elsewhere.params, body: others })
          : await calls.send(operationId, { params, body });
      knownIds.remember(response);
      return response;
    });
  return { ...came, submit };
}

function OperationForm(props: OperationFormProps) {
  const { label, title, about, values = {}, fields, whole } = props.question;
  const { method, description, body } = useDashboard().calls.operationOf(props.operationId);
  const schema = inBahtFields(body ?? { properties: {} });
  const shown = shownPart(schema, fields);
  const [form, setForm] = useState(() => toTexts(schema, values));
  const [partFault, setPartFault] = useState<string | null>(null);
  const { problem, failure, isBusy, submit } = useSubmission(props);
  const input = toValue(schema, form);
  const { amount }: { readonly amount?: unknown } = Object(input);
  const isForPeople = title !== undefined;
  const onSubmit = (event: Event) => {
    event.preventDefault();
    const fault = whole === undefined ? null : faultOfPart(amount, whole);
    setPartFault(fault);
    if (fault === null) {
      void submit(body === null ? undefined : input);
    } else {
      focusField(schema, 'dialog', 'amount');
    }
  };
  return (
    <form noValidate autocomplete="off" onSubmit={onSubmit} aria-busy={isBusy ? 'true' : undefined}>
      {about !== undefined && <p>{title === undefined ? <code>{about}</code> : about}</p>}
      {title === undefined && (
        <p class="hint">
          <Prose text={description} />
        </p>
      )}
      <SchemaFields
        schema={shown}
        id="dialog"
        form={form}
        onChange={setForm}
        faults={{
          ...(isForPeople ? faultsForPeople(shown, problem) : faultsOf(shown, problem)),
          ...(partFault !== null && { amount: partFault }),
        }}
        isForPeople={isForPeople}
        {...optionsOf(props.question)}
      />
      <Alert>
        {problem !== null && (
          <ProblemView
            problem={isForPeople ? besideFields(shown, problem) : problem}
            onField={(field) => focusField(schema, 'dialog', field)}
          />
        )}
        {failure !== null && <p class="problem">{failure}</p>}
      </Alert>
      <div class="tools">
        <button type="button" onClick={() => props.onCancel()}>
          {actTexts.cancel}
        </button>
        <button type="submit" class={method === 'DELETE' ? 'danger' : 'primary'}>
          {isMoney(amount) ? `${label} ${formatMoney(amount)}` : label}
        </button>
      </div>
    </form>
  );
}

/** The fields of a schema that a form shows. */
function shownPart(schema: Schema, fields: AnyQuestion['fields']): Schema {
  const shown = Object.entries(schema.properties ?? {}).filter(([name]) => fields?.includes(name) ?? true);
  return { ...schema, properties: Object.fromEntries(shown) };
}

/** How fields are filled in that are not typed. */
function optionsOf({ offered, choices, whole }: AnyQuestion) {
  return {
    ...(offered !== undefined && { suggest: (name: string) => offered[name] ?? [] }),
    ...(choices !== undefined && { choices }),
    ...(whole !== undefined && { whole }),
  };
}

function Alert({ children }: { readonly children: ComponentChildren }) {
  return <div role="alert">{children}</div>;
}
