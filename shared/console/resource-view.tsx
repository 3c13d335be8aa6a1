/// <reference lib="dom" />
import { formatMoney, isMoney } from './amounts.ts';
import { factsOf } from './facts.ts';
import type { AnyJson } from './gate.ts';
import { IdLink, LinkedText } from './linked-text.tsx';
import type { ListedKind } from './lists.ts';
import { NextStepLinks } from './next-step-links.tsx';
import { ResourceTabs } from './resource-tabs.tsx';
import { addressOf } from './route.ts';
import { ProblemView } from './shown-problem.tsx';
import { ShownTime } from './shown-time.tsx';
import { StatusBadge } from './status-badge.tsx';
import { StoryView } from './story-view.tsx';
import { useRead } from './use-read.ts';

const HAS_STORY = /^(pay|ref|lnk)_/;

interface ResourceProps {
  readonly kind: Pick<ListedKind, 'place' | 'title'>;
  /** The operation that retrieves it. */
  readonly getId: string;
  readonly id: string;
}

/** One resource, with what can be done with it next. */
export function ResourceView({ kind, getId, id }: ResourceProps) {
  const { answer, failure } = useRead(getId, { params: { id } });
  const json: AnyJson = answer?.status === 200 ? answer.json : null;
  return (
    <article class="view" aria-label={kind.title}>
      <p class="hint">
        <a href={addressOf([kind.place])}>{kind.title}</a>
      </p>
      <header class="view-head">
        <h2 tabIndex={-1}>
          {json !== null && isMoney(json.amount) ? formatMoney(json.amount) : (json?.type ?? id)}{' '}
          {typeof json?.status === 'string' && <StatusBadge status={json.status} />}
        </h2>
        {answer !== null && <NextStepLinks answer={answer} shownAt={addressOf([kind.place, id])} />}
      </header>
      {failure !== null && <p class="problem">{failure}</p>}
      {answer === null && failure === null && <p class="hint">Reading …</p>}
      {answer !== null && answer.status !== 200 && answer.json !== undefined && (
        <ProblemView problem={answer.json} />
      )}
      {json !== null && (
        <>
          {HAS_STORY.test(id) && <StoryView resource={json} />}
          <Facts json={json} />
          <ResourceTabs json={json} getId={getId} />
        </>
      )}
    </article>
  );
}

/** The fields of a resource that are set, by name. */
export function Facts({ json }: { readonly json: AnyJson }) {
  return (
    <dl class="facts-list">
      {factsOf(json).map(({ name, kind, value }) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>
            {kind === 'money' && isMoney(value) ? (
              formatMoney(value)
            ) : kind === 'time' ? (
              <ShownTime at={String(value)} />
            ) : kind === 'id' ? (
              <IdLink id={String(value)} />
            ) : (
              <LinkedText text={String(value)} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
