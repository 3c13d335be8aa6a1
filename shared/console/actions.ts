/// <reference lib="dom" />
import type { CallInput } from './calls.ts';
import type { AnyJson } from './gate.ts';
import type { SharedParts } from './shared-parts.ts';

interface ActionParts extends SharedParts {
  /** The element that shows the results of actions. */
  readonly report: HTMLElement;
}

type Done = string | ((json: AnyJson) => string | HTMLElement);

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
        showResult(typeof done === 'string' ? done : done(json));
      } else {
        showResult(json === undefined ? `Response: ${status}.` : answerView.showProblem(json));
      }
    } catch (error) {
      if (gate.isOpen()) {
        showResult(error instanceof Error ? error.message : String(error));
      }
    }
  }

  function showResult(content: string | HTMLElement): void {
    report.replaceChildren(content);
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

  return { showResult, actionButton, button };
}
