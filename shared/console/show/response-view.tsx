/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import type { PaymentView } from '../../contract/payments.ts';
import { commandsOf } from '../../story/commands.ts';
import type { ConsoleOperation } from '../../story/read-operations.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import type { GateResponse } from '../call/gate.ts';
import { NextStepLinks } from './next-step-links.tsx';
import { showTexts } from './show-texts.ts';
import { ProblemView } from './shown-problem.tsx';
import { ShownText } from './shown-text.tsx';
import { nameOfStatus } from './status-names.ts';

const texts = showTexts.response;

interface ResponseProps {
  readonly operation: ConsoleOperation;
  readonly response: GateResponse;
  /** Sends the same request again, with the same Idempotency-Key; null if the operation takes none. */
  readonly onRepeat: (() => void) | null;
  /** Focuses the field that a problem names. */
  readonly onField: (field: string) => void;
}

/** Shows a response: status, duration, problem, what comes next, body, headers, and commands that send the same. */
export function ResponseView({ operation, response, onRepeat, onField }: ResponseProps) {
  const { status, durationMs, headers, json, problem, text } = response;
  const isReplayed = headers.some(([name]) => name.toLowerCase() === 'idempotent-replayed');
  return (
    <div class="response">
      <p class="outcome">
        <span class={`status s${Math.floor(status / 100)}`}>
          {`${status} ${nameOfStatus(status)}`.trim()}
        </span>
        <span class="duration">{durationMs} ms</span>
        {isReplayed && <span class="badge">{texts.replayed}</span>}
        {onRepeat !== null && (
          <button type="button" class="small" onClick={onRepeat}>
            {texts.repeat}
          </button>
        )}
      </p>
      {problem !== null && <ProblemView problem={problem} onField={onField} />}
      <NextStepLinks response={response} />
      <QrPicture json={json} />
      <ShownText
        key={response.respondedAt}
        name={texts.body}
        text={json === undefined ? text : JSON.stringify(json, null, 2)}
      />
      <HeaderTable headers={headers} />
      <Commands operation={operation} response={response} />
    </div>
  );
}

/** The QR that a payer would scan, if this service serves it. */
export function QrPicture({ json }: { readonly json: unknown }) {
  const { next_action: action }: Partial<PaymentView> = Object(json);
  const address = action?.type === 'display_qr' ? action.qr.image_svg_url : '';
  if (!address.startsWith(`${location.origin}/`)) {
    return null;
  }
  return <img class="qr" src={address} alt={texts.qr} width={148} height={148} />;
}

interface HeadersProps {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly isOpen?: boolean;
}

export function HeaderTable({ headers, isOpen = false }: HeadersProps) {
  return (
    <details open={isOpen}>
      <summary>{texts.headers(headers.length)}</summary>
      <table class="headers">
        <tbody>
          {headers.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Commands({ operation, response }: Pick<ResponseProps, 'operation' | 'response'>) {
  const { root } = useDashboard();
  const [chosen, choose] = useState<string>('curl');
  const commands = commandsOf(location.origin + root, operation, response.request);
  const shown = commands.find(({ name }) => name === chosen) ?? commands[0];
  return (
    <details>
      <summary>{texts.asCommand}</summary>
      <div class="stack">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
        <span class="switch" role="group" aria-label={texts.commandChoice}>
          {commands.map(({ name }) => (
            <button
              key={name}
              type="button"
              class="small"
              aria-pressed={name === shown?.name}
              onClick={() => choose(name)}
            >
              {name}
            </button>
          ))}
        </span>
        {shown !== undefined && <ShownText key={shown.text} name={shown.name} text={shown.text} />}
      </div>
    </details>
  );
}
