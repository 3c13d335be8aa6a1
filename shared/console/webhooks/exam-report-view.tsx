/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { LANGUAGE } from '../../story/language.ts';
import { type OpenedReport, readExamReport } from '../../story/read-exam-report.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { Prose } from '../show/linked-text.tsx';
import { ShownText } from '../show/shown-text.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { REPORT_FILES } from './exam-commands.ts';
import { examTexts } from './exam-texts.ts';

const { report: texts, questions: questionTexts } = examTexts;
type OpenedResult = OpenedReport['questions'][number];
type ShownVerdict = OpenedResult['verdict'];

/** Far more than the longest report, and little enough to read at once. */
const FILE_MAX_BYTES = 50_000_000;
const TONES = { passed: 'good', failed: 'bad', skipped: 'open' } satisfies Record<ShownVerdict, string>;
const VERDICTS = Object.keys(TONES) as ShownVerdict[];

/** A report that was opened, or why a file is none. */
type OpenedFile =
  | { readonly name: string; readonly report: OpenedReport }
  | { readonly fault: string }
  | null;

async function openFile(file: File): Promise<OpenedFile> {
  const { name } = file;
  if (file.size > FILE_MAX_BYTES) {
    return { fault: texts.tooLarge(name) };
  }
  const report = readExamReport(await file.text());
  return report === null ? { fault: texts.wrongFile(name) } : { name, report };
}

/** Opens the report of an exam from a file: it is dropped here or chosen, read in this browser, and sent nowhere. */
export function ReportSection() {
  const [opened, setOpened] = useState<OpenedFile>(null);
  const [isOver, setOver] = useState(false);
  const open = async (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file !== undefined) {
      setOpened(await openFile(file));
    }
  };
  const hasReport = opened !== null && 'report' in opened;
  return (
    <section
      class={`part drop ${isOver ? 'over' : ''}`}
      aria-label={texts.title}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        // The browser would leave the page and show the file.
        event.preventDefault();
        setOver(false);
        void open(event.dataTransfer?.files);
      }}
    >
      <div class="part-head">
        <h3>{texts.title}</h3>
        {hasReport && (
          <button type="button" class="small" onClick={() => setOpened(null)}>
            {texts.close}
          </button>
        )}
      </div>
      {!hasReport && (
        <>
          <p>{texts.about(<code>{REPORT_FILES.report}</code>)}</p>
          <label class="button file">
            {texts.choose}
            <input
              type="file"
              accept=".json,application/json"
              onChange={({ currentTarget }) => {
                void open(currentTarget.files);
                // The same file may be chosen again.
                currentTarget.value = '';
              }}
            />
          </label>
        </>
      )}
      <div role="alert">{opened !== null && 'fault' in opened && <p class="problem">{opened.fault}</p>}</div>
      {hasReport && <ShownReport name={opened.name} report={opened.report} />}
    </section>
  );
}

function countIn({ questions }: OpenedReport, verdict: ShownVerdict): number {
  return questions.filter((question) => question.verdict === verdict).length;
}

function ShownReport({ name, report }: { readonly name: string; readonly report: OpenedReport }) {
  const { questions, receiver, seed, started_at: startedAt } = report;
  const worst = (['failed', 'skipped'] as const).find((verdict) => countIn(report, verdict) > 0) ?? 'passed';
  const { facts } = texts;
  return (
    <div class="stack">
      <div>
        <p class="verdict">
          <b class={`word t-${TONES[worst]}`}>{texts.counts(countIn(report, 'passed'), questions.length)}</b>
          {VERDICTS.filter((verdict) => verdict !== 'passed' && countIn(report, verdict) > 0).map(
            (verdict) => (
              <span key={verdict} class={`pill t-${TONES[verdict]}`}>
                {countIn(report, verdict)} {texts.verdicts[verdict]}
              </span>
            ),
          )}
        </p>
        <p>{texts.meanings[worst]}</p>
      </div>
      <dl class="facts-list">
        {(
          [
            [facts.receiver, <code key="receiver">{receiver}</code>],
            [facts.seed, seed],
            [facts.time, <ShownTime key="time" at={startedAt} />],
            [facts.file, name],
          ] as const
        ).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul class="results" lang="en">
        {questions.map((result) => (
          <li key={result.id}>
            <ShownResult result={result} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ShownResult({ result }: { readonly result: OpenedResult }) {
  const { root } = useDashboard();
  const { id, title, must, why, verdict, reason, failure } = result;
  return (
    <details open={verdict === 'failed'}>
      <summary>
        <span class={`pill t-${TONES[verdict]}`} lang={LANGUAGE}>
          {texts.verdicts[verdict]}
        </span>{' '}
        <span class="mono">{id}</span> {title}
      </summary>
      <div class="stack">
        {reason !== null && <p>{reason}</p>}
        {failure !== null && <ShownFailure failure={failure} />}
        <p>{must}</p>
        <p class="hint">{why}</p>
        {/* The guide of this service: a file may name any address. */}
        <p lang={LANGUAGE}>
          <a href={`${root}/docs/exam#${id.toLowerCase()}`} target="_blank" rel="noreferrer">
            {questionTexts.inGuide(id)}
          </a>
        </p>
      </div>
    </details>
  );
}

function ShownFailure({ failure }: { readonly failure: NonNullable<OpenedResult['failure']> }) {
  const { expected, actual, advice, same_as: sameAs, story, failed_step: failedStep, again } = failure;
  return (
    <>
      <dl class="failure">
        <dt lang={LANGUAGE}>{texts.expected}</dt>
        <dd>{expected}</dd>
        <dt lang={LANGUAGE}>{texts.actual}</dt>
        <dd class="bad">{actual}</dd>
        {advice !== null && (
          <>
            <dt lang={LANGUAGE}>{texts.hint}</dt>
            <dd>
              <Prose text={advice} />
            </dd>
          </>
        )}
      </dl>
      {sameAs !== null && <p lang={LANGUAGE}>{texts.sameAs(sameAs)}</p>}
      {story.length > 0 && (
        <>
          <b lang={LANGUAGE}>{texts.steps}</b>
          <ol class="steps-that-fail">
            {story.map((step, index) => (
              <li key={index} class={index + 1 === failedStep ? 'bad' : undefined}>
                {step}
                {index + 1 === failedStep && <span lang={LANGUAGE}> · {texts.failedHere}</span>}
              </li>
            ))}
          </ol>
        </>
      )}
      <ShownText name={texts.again} text={again} />
    </>
  );
}
