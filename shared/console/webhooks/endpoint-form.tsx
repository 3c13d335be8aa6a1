/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { WebhookEndpointView } from '../../contract/webhook-endpoint-view.ts';
import { ALL_EVENTS, ENDPOINT_DESCRIPTION_MAX_CHARS } from '../../domain/endpoint-limits.ts';
import type { EventType } from '../../domain/resource.ts';
import { EVENT_GROUPS, type EventGroup, filtersFor, typesOf } from '../../story/event-words.ts';
import type { BodyOf } from '../../story/operation-id.ts';
import type { Schema } from '../../story/read-operations.ts';
import { type Faults, faultsForPeople } from '../act/faults.tsx';
import { useSending } from '../act/use-sending.ts';
import { type Dashboard, useDashboard } from '../call/dashboard-context.ts';
import type { GateResponse } from '../call/gate.ts';
import { ProblemView } from '../show/shown-problem.tsx';
import { webhookTexts } from './webhook-texts.ts';

const texts = webhookTexts.form;

type EndpointBody = BodyOf<'webhooks.CreateWebhookEndpoint'> | BodyOf<'webhooks.UpdateWebhookEndpoint'>;

/**
 * Asks for an endpoint in the words of people: its address, its events with boxes to tick, a description.
 * @param present the endpoint to change; null for a new one
 * @returns what the service has made of it; null if the user canceled
 */
export async function askForEndpoint(
  { openDialog }: Pick<Dashboard, 'openDialog'>,
  present: WebhookEndpointView | null,
): Promise<EndpointBody | null> {
  let saved: EndpointBody | null = null;
  await openDialog({
    title: present === null ? texts.create : texts.edit,
    content: (close) => (
      <EndpointForm
        present={present}
        onSaved={(body) => {
          saved = body;
          close();
        }}
        onCancel={close}
      />
    ),
  });
  return saved;
}

interface EndpointFormProps {
  readonly present: WebhookEndpointView | null;
  readonly onSaved: (body: EndpointBody) => void;
  readonly onCancel: () => void;
}

/** What the form holds. */
interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly isAll: boolean;
  readonly types: ReadonlySet<EventType>;
}
/** Where a refusal is shown: a problem of one of the events belongs to all of them. */
const FIELDS: Schema = {
  properties: {
    url: { type: 'string', format: 'uri' },
    events: { type: 'array' },
    description: { type: 'string' },
  },
};
type DraftField = 'url' | 'events' | 'description';

function draftOf(present: WebhookEndpointView | null): EndpointDraft {
  const { url = '', description = '', events = [ALL_EVENTS] } = present ?? {};
  const isAll = events.includes(ALL_EVENTS);
  return { url, description: description ?? '', isAll, types: typesOf(isAll ? [] : events) };
}

function bodyOf({ url, description, isAll, types }: EndpointDraft) {
  const events = isAll ? [ALL_EVENTS] : filtersFor(types);
  return { url: url.trim(), description, events: events as (typeof ALL_EVENTS)[] };
}

/** What the form lacks by itself; everything else is judged by the service. */
function lacksOf({ url, isAll, types }: EndpointDraft): Faults {
  return {
    ...(url.trim() === '' && { url: texts.noUrl }),
    ...(!isAll && types.size === 0 && { events: texts.noEvents }),
  };
}

function useSaving({ present, onSaved }: EndpointFormProps) {
  const { calls } = useDashboard();
  const [lacks, setLacks] = useState<Faults>({});
  const { problem, failure, clear, send } = useSending(onSaved);

  function call(draft: EndpointDraft): Promise<GateResponse<EndpointBody>> {
    const body = bodyOf(draft);
    return present === null
      ? calls.call('webhooks.CreateWebhookEndpoint', { body })
      : calls.call('webhooks.UpdateWebhookEndpoint', { params: { id: present.id }, body });
  }

  async function save(draft: EndpointDraft): Promise<void> {
    const found = lacksOf(draft);
    setLacks(found);
    if (Object.keys(found).length > 0) {
      clear();
    } else {
      await send(() => call(draft));
    }
  }

  const faults: Faults = { ...faultsForPeople(FIELDS, problem), ...lacks };
  return { faults, problem, failure, save };
}

function EndpointForm(props: EndpointFormProps) {
  const [draft, setDraft] = useState(() => draftOf(props.present));
  const { faults, problem, failure, save } = useSaving(props);
  const change = (changed: Partial<EndpointDraft>) => setDraft({ ...draft, ...changed });
  return (
    <form
      noValidate
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void save(draft);
      }}
    >
      <TextField
        name="url"
        label={texts.url}
        hint={texts.urlHint}
        value={draft.url}
        fault={faults.url}
        onValue={(url) => change({ url })}
      />
      <EventChoice draft={draft} fault={faults.events} onChange={change} />
      <TextField
        name="description"
        label={texts.description}
        hint={texts.descriptionHint}
        value={draft.description}
        fault={faults.description}
        onValue={(description) => change({ description })}
      />
      <div role="alert">
        {problem !== null && Object.keys(faults).length === 0 && <ProblemView problem={problem} />}
        {failure !== null && <p class="problem">{failure}</p>}
      </div>
      <div class="tools">
        <button type="button" onClick={() => props.onCancel()}>
          {texts.cancel}
        </button>
        <button type="submit" class="primary">
          {props.present === null ? webhookTexts.view.create : texts.save}
        </button>
      </div>
    </form>
  );
}

interface TextFieldProps {
  readonly name: DraftField;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly fault: ComponentChildren;
  readonly onValue: (value: string) => void;
}

function TextField({ name, label, hint, value, fault, onValue }: TextFieldProps) {
  const id = `dialog.${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={value}
        inputMode={name === 'url' ? 'url' : undefined}
        autocapitalize="off"
        spellcheck={name === 'description'}
        maxLength={name === 'description' ? ENDPOINT_DESCRIPTION_MAX_CHARS : undefined}
        aria-describedby={`${id}.hint ${id}.error`}
        aria-invalid={fault === undefined ? 'false' : 'true'}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      <span class="hint" id={`${id}.hint`}>
        {hint}
      </span>
      <FieldFault id={`${id}.error`} fault={fault} />
    </div>
  );
}

function FieldFault({ id, fault }: { readonly id: string; readonly fault: ComponentChildren }) {
  return (
    <span class="error" id={id} role="alert" hidden={fault === undefined}>
      {fault}
    </span>
  );
}

interface EventChoiceProps {
  readonly draft: EndpointDraft;
  readonly fault: ComponentChildren;
  readonly onChange: (changed: Partial<EndpointDraft>) => void;
}

/** All events, or those whose boxes are ticked. */
function EventChoice({ draft: { isAll, types }, fault, onChange }: EventChoiceProps) {
  return (
    <fieldset class="event-choice" aria-describedby="dialog.events.error">
      <legend>{texts.events}</legend>
      <label class="keep">
        <input type="radio" name="events" checked={isAll} onChange={() => onChange({ isAll: true })} />
        {texts.all}
      </label>
      <label class="keep">
        <input type="radio" name="events" checked={!isAll} onChange={() => onChange({ isAll: false })} />
        {texts.chosen}
      </label>
      {!isAll &&
        EVENT_GROUPS.map((group) => (
          <GroupBoxes
            key={group.family}
            group={group}
            types={types}
            onTypes={(changed) => onChange({ types: changed })}
          />
        ))}
      <FieldFault id="dialog.events.error" fault={fault} />
    </fieldset>
  );
}

interface GroupBoxesProps {
  readonly group: EventGroup;
  readonly types: ReadonlySet<EventType>;
  readonly onTypes: (types: ReadonlySet<EventType>) => void;
}

/** A box for all events of a group, and one for each. */
function GroupBoxes({ group: { title, events }, types, onTypes }: GroupBoxesProps) {
  const own = events.map(({ type }) => type);
  const count = own.filter((type) => types.has(type)).length;
  const turn = (turned: readonly EventType[], isOn: boolean) => {
    const others = [...types].filter((type) => !turned.includes(type));
    onTypes(new Set(isOn ? [...others, ...turned] : others));
  };
  return (
    <fieldset>
      <legend>{title}</legend>
      <label class="keep">
        <input
          type="checkbox"
          checked={count === own.length}
          ref={(box) => {
            if (box !== null) {
              box.indeterminate = count > 0 && count < own.length;
            }
          }}
          onChange={({ currentTarget }) => turn(own, currentTarget.checked)}
        />
        {texts.allOf(title)}
      </label>
      <div class="boxes">
        {events.map(({ type, text }) => (
          <label key={type} class="keep">
            <input
              type="checkbox"
              checked={types.has(type)}
              onChange={({ currentTarget }) => turn([type], currentTarget.checked)}
            />
            <span title={type}>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
