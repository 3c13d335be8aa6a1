/// <reference lib="dom" />
import { useDashboard } from '../call/dashboard-context.ts';
import type { GateResponse, ShownProblem } from '../call/gate.ts';
import type { ReadState } from '../call/reads.ts';

interface ProblemProps {
  readonly problem: ShownProblem;
  /** Focuses an invalid field. */
  readonly onField?: (field: string) => void;
}

/** A refusal in words: what is wrong, at which field, and where it is explained. */
export function ProblemView({ problem, onField }: ProblemProps) {
  const { root } = useDashboard();
  const { title, code, detail, details = {}, errors = [] } = problem;
  return (
    <div class="problem">
      <p>
        <strong>{title}</strong> <code>{code}</code>
      </p>
      {detail !== undefined && <p>{detail}</p>}
      {Object.entries(details).map(([name, value]) => (
        <p key={name}>
          <code>
            {name}: {String(value)}
          </code>
        </p>
      ))}
      {errors.length > 0 && (
        <ul>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {onField === undefined ? (
                field
              ) : (
                <button type="button" class="link" onClick={() => onField(field)}>
                  {field}
                </button>
              )}{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={`${root}/errors/${encodeURIComponent(code)}`} target="_blank" rel="noreferrer">
          What {code} means
        </a>
      </p>
    </div>
  );
}

/** Why a part of the page cannot be shown, in a few words; null if it can. */
export function refusalOf({ status, body, problem }: GateResponse): string | null {
  if (body !== null) {
    return null;
  }
  const required = problem?.details?.required;
  return required === undefined ? (problem?.title ?? `Response: ${status}.`) : `This key lacks ${required}.`;
}

/** What stands in the place of a read: that it is not there yet, or why it cannot be shown; null if it can. */
export function absenceOf({ response, failure }: ReadState): string | null {
  return response === null ? (failure ?? 'Reading …') : refusalOf(response);
}
