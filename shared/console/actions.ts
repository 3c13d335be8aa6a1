/// <reference lib="dom" />
import type { AnswerView } from './answer-view.ts';
import type { CallInput, Calls } from './calls.ts';
import type { Elements } from './elements.ts';
import type { Gate } from './gate.ts';
import type { KnownIds } from './known-ids.ts';

interface ActionParts {
  readonly elements: Pick<Elements, 'el'>;
  readonly gate: Pick<Gate, 'isOpen'>;
  readonly answerView: Pick<AnswerView, 'showProblem'>;
  readonly calls: Pick<Calls, 'call'>;
  readonly knownIds: KnownIds;
  readonly announce: (text: string) => void;
  readonly onChange: () => void;
  /** The element that shows the result. */
  readonly report: HTMLElement;
}

// biome-ignore lint/suspicious/noExplicitAny: the response of any operation
type Done = string | ((json: any) => string | HTMLElement);

export type Actions = ReturnType<typeof createActions>;

/** Buttons that call an operation at once, and the report of the result. */
export function createActions(parts: ActionParts) {
  const { elements, gate, answerView, calls, knownIds, announce, onChange, report } = parts;
  const underWay = new Set<string>();
  let latest = Promise.resolve();

  /** Calls an operation and reports the result, one call at a time. Pressing the same button twice calls it once. */
  async function act(operationId: string, input: CallInput, done: Done): Promise<void> {
    const name = JSON.stringify([operationId, input]);
    if (!underWay.has(name)) {
      underWay.add(name);
      latest = latest.then(() => perform(operationId, input, done));
      await latest;
      underWay.delete(name);
      onChange();
    }
  }

  async function perform(operationId: string, input: CallInput, done: Done): Promise<void> {
    if (!gate.isOpen()) {
      return;
    }
    report.textContent = 'Working …';
    try {
      const answer = await calls.call(operationId, input);
      const { status, json } = answer;
      knownIds.remember(answer);
      if (status < 300) {
        tell(typeof done === 'string' ? done : done(json));
      } else {
        tell(json === undefined ? `Answered ${status}.` : answerView.showProblem(json));
      }
    } catch (error) {
      if (gate.isOpen()) {
        tell(error instanceof Error ? error.message : String(error));
      }
    }
  }

  function tell(said: string | HTMLElement): void {
    report.replaceChildren(said);
    announce(report.textContent ?? '');
  }

  function actionButton(
    name: string,
    label: string,
    operationId: string,
    input: CallInput,
    done: Done,
  ): HTMLElement {
    return button(name, label, () => act(operationId, input, done));
  }

  function button(name: string, label: string, click: () => void): HTMLElement {
    return elements.el('button', { type: 'button', class: 'small', 'data-name': name, click }, label);
  }

  return { act, tell, actionButton, button };
}
