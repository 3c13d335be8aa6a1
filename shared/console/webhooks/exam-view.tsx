/// <reference lib="dom" />

import { examGroups, type ShownQuestionGroup } from '../../story/exam-groups.ts';
import { addressOf } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { ShownText } from '../show/shown-text.tsx';
import { EXAM_ADDRESSES, examCommands } from './exam-commands.ts';

const GUIDE = '/docs/testing#the-exam-for-your-receiver';

/** The exam for the merchant's own receiver: how to run it, and what it asks. It needs no key. */
export function ExamView() {
  const { root } = useDashboard();
  return (
    <article class="view exam" aria-label="Exam">
      <header class="view-head">
        <div>
          <h2 tabIndex={-1}>Exam</h2>
          <p class="hint">
            The exam sends webhooks to your own shop, in good and in bad ways, and judges what the shop does.
            It runs on your machine. <a href={addressOf(['webhooks'])}>Your webhook endpoints</a>
          </p>
        </div>
        <a class="button" href={root + GUIDE} target="_blank" rel="noreferrer">
          Guide to the exam
        </a>
      </header>
      <HowToRun />
      <TestAddresses />
      {examGroups().map((group) => (
        <QuestionGroup key={group.group} shown={group} />
      ))}
    </article>
  );
}

function HowToRun() {
  const { root } = useDashboard();
  return (
    <section class="part" aria-label="How to run it">
      <h3>How to run it</h3>
      <p>
        <code>pg</code> is the command line of this service, in its repository. The exam works in a test world
        of its own. The exit status is 0 if no question failed.
      </p>
      <div class="commands">
        {examCommands(location.origin + root).map(({ name, text }) => (
          <ShownText key={name} name={name} text={text} />
        ))}
      </div>
    </section>
  );
}

function TestAddresses() {
  return (
    <section class="part" aria-label="Two addresses for tests">
      <h3>Two addresses for tests</h3>
      <p>
        Your shop has them where it is tested, and nowhere else. Without them, the exam skips the questions
        that need them.
      </p>
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
    <section class="stack" aria-label={title}>
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
            <a href={root + question.guide} target="_blank" rel="noreferrer">
              {question.id} in the guide
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
