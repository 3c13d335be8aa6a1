/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { BodyOf, CallInputOf, OperationId } from '../../story/operation-id.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { showTexts } from '../show/show-texts.ts';
import { ProblemView } from '../show/shown-problem.tsx';
import { actTexts } from './act-texts.ts';

/** What is reported of a success. */
type Done<Id extends OperationId> = string | ((body: BodyOf<Id>) => ComponentChildren);

export type RunAction = <Id extends OperationId>(
  operationId: Id,
  input: CallInputOf<Id>,
  done: Done<Id>,
) => Promise<void>;

/** Buttons that call an operation at once, and the report of the result. */
export interface Actions {
  /** Calls an operation and reports the result, one call at a time. Pressing the same button twice calls it once. */
  readonly act: RunAction;
  readonly say: (content: ComponentChildren) => void;
  readonly report: ComponentChildren;
}

export function useActions(): Actions {
  const { announce, calls, gate, knownIds, reads } = useDashboard();
  const [said, say] = useState<ComponentChildren>(null);
  const underWay = useRef(new Set<string>());
  const latest = useRef(Promise.resolve());

  async function act<Id extends OperationId>(
    operationId: Id,
    input: CallInputOf<Id>,
    done: Done<Id>,
  ): Promise<void> {
    const name = JSON.stringify([operationId, input]);
    if (!underWay.current.has(name)) {
      underWay.current.add(name);
      latest.current = latest.current.then(() => perform(operationId, input, done));
      await latest.current;
      underWay.current.delete(name);
      reads.refresh();
    }
  }

  async function perform<Id extends OperationId>(
    operationId: Id,
    input: CallInputOf<Id>,
    done: Done<Id>,
  ): Promise<void> {
    if (!gate.isOpen()) {
      return;
    }
    say(actTexts.working);
    try {
      const response = await calls.call(operationId, input);
      const { status, body, problem } = response;
      knownIds.remember(response);
      if (body !== null) {
        say(typeof done === 'string' ? done : done(body));
      } else {
        say(problem === null ? showTexts.problem.status(status) : <ProblemView problem={problem} />);
      }
    } catch (error) {
      if (gate.isOpen()) {
        say(error instanceof Error ? error.message : String(error));
      }
    }
  }

  return { act, say, report: <Report content={said} announce={announce} /> };
}

interface ReportProps {
  readonly content: ComponentChildren;
  readonly announce: (text: string) => void;
}

function Report({ content, announce }: ReportProps) {
  const shown = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const text = shown.current?.textContent ?? '';
    if (text !== '') {
      announce(text);
    }
  }, [content]);
  return (
    <div class="report" ref={shown}>
      {content}
    </div>
  );
}
