/// <reference lib="dom" />
import { foreignWords } from '../../story/language.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import type { GateResponse, ShownProblem } from '../call/gate.ts';
import type { ReadState } from '../call/reads.ts';
import { problemTitles } from './problem-titles.ts';
import { showTexts } from './show-texts.ts';

const texts = showTexts.problem;

interface ProblemProps {
  readonly problem: ShownProblem;
  /** Focuses an invalid field. */
  readonly onField?: (field: string) => void;
}

/** A refusal in words: what is wrong, at which field, and where it is explained. */
export function ProblemView({ problem, onField }: ProblemProps) {
  const { root } = useDashboard();
  const { code, detail, details = {}, errors = [] } = problem;
  return (
    <div class="problem">
      <p>
        <strong>{titleOfProblem(problem)}</strong> <code>{code}</code>
      </p>
      {detail !== undefined && <p {...foreignWords}>{detail}</p>}
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
              <span {...foreignWords}>{message}</span>
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={`${root}/errors/${encodeURIComponent(code)}`} target="_blank" rel="noreferrer">
          {texts.meaning(code)}
        </a>
      </p>
    </div>
  );
}

/** What is wrong, in the language of the page; as the service says it, where its code is not known. */
function titleOfProblem({ code, title }: ShownProblem): string {
  return problemTitles[code] ?? title;
}

/** Why a part of the page cannot be shown, in a few words; null if it can. */
export function refusalOf({ status, body, problem }: GateResponse): string | null {
  if (body !== null) {
    return null;
  }
  const required = problem?.details?.required;
  const title = problem && titleOfProblem(problem);
  return required === undefined ? (title ?? texts.status(status)) : texts.lacks(String(required));
}

/** What stands in the place of a read: that it is not there yet, or why it cannot be shown; null if it can. */
export function absenceOf({ response, failure }: ReadState): string | null {
  return response === null ? (failure ?? showTexts.reading) : refusalOf(response);
}
