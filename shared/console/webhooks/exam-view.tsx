/// <reference lib="dom" />

import { examGroups, type ShownQuestionGroup } from '../../story/exam-groups.ts';
import { LANGUAGE } from '../../story/language.ts';
import { addressOf } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { ShownText } from '../show/shown-text.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { EXAM_ADDRESSES } from './exam-commands.ts';
import { ReportSection } from './exam-report-view.tsx';
import { ExamRun } from './exam-run.tsx';
import { examTexts } from './exam-texts.ts';

const { view: viewTexts, addresses: addressTexts, questions: questionTexts } = examTexts;
const GUIDE = '/docs/exam';

/** The exam for the merchant's own receiver: how to run it, and what it asks. It needs no key. */
export function ExamView() {
  const { root } = useDashboard();
  return (
    <article class="view exam" aria-label={viewTexts.title}>
      <header class="view-head">
        <div>
          <ViewHeading>{viewTexts.title}</ViewHeading>
          <p class="hint">{viewTexts.about(<a href={addressOf(['webhooks'])}>{viewTexts.endpoints}</a>)}</p>
        </div>
        <a class="button" href={root + GUIDE} target="_blank" rel="noreferrer">
          {viewTexts.guide}
        </a>
      </header>
      <ExamRun />
      <ReportSection />
      <TestAddresses />
      {questionTexts.language !== null && <p class="hint">{questionTexts.language}</p>}
      {examGroups().map((group) => (
        <QuestionGroup key={group.group} shown={group} />
      ))}
    </article>
  );
}

function TestAddresses() {
  return (
    <section class="part" aria-label={addressTexts.title}>
      <h3>{addressTexts.title}</h3>
      <p>{addressTexts.about}</p>
      <div class="commands">
        {EXAM_ADDRESSES.map(({ option, text, name, json }) => (
          <div key={option} class="stack">
            <p>
              <code>{option}</code> {text}
            </p>
            <ShownText name={name} text={JSON.stringify(json, null, 2)} />
          </div>
        ))}
      </div>
    </section>
  );
}

function QuestionGroup({ shown: { group, title, questions } }: { readonly shown: ShownQuestionGroup }) {
  const { root } = useDashboard();
  return (
    <section class="stack" aria-label={title} lang="en">
      <h3>
        {title} · {group}
      </h3>
      <ol class="questions">
        {questions.map((question) => (
          <li key={question.id}>
            <h4>
              <span class="mono">{question.id}</span> {question.title}
            </h4>
            <p>{question.must}</p>
            <p class="hint">{question.why}</p>
            <a href={root + question.guide} target="_blank" rel="noreferrer" lang={LANGUAGE}>
              {questionTexts.inGuide(question.id)}
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
