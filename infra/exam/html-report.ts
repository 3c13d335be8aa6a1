import { hash } from 'node:crypto';
import type {
  ExamFailure,
  ExamReport,
  ExamResult,
  SentEvent,
  Verdict,
} from '../../shared/contract/testkit/exam-report.ts';
import { VERDICTS } from '../../shared/contract/testkit/exam-report.ts';
import { inlineText } from '../../shared/docs/inline-text.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { Html, html } from '../../shared/pages/html.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bangkokTime } from '../terminal/lines.ts';
import { countsText, meaningOf, responseText, sendingText } from './exam-words.ts';
import { REPORT_STYLE } from './html-report-style.ts';
import { type ResultGroup, resultGroups } from './result-groups.ts';

/** The page can do nothing but show itself: what the shop answered is in it, and must not act. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', REPORT_STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The report of an exam as one HTML file, which loads nothing, runs nothing and steers no terminal. */
export function htmlReport(report: ExamReport): string {
  const groups = resultGroups(report.questions);
  const counts = countsText(report);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${counts} · Exam</title>
<style>${new Html(REPORT_STYLE)}</style>
</head>
<body>
<main>
${renderTop(report, counts)}
${renderContents(groups)}
${groups.map(renderGroup)}
</main>
</body>
</html>
`;
  return page.text.split('\n').map(cleanLine).join('\n');
}

function renderTop(report: ExamReport, counts: string): Html {
  const { base_url: service, scheme, receiver, order, probe, seed, started_at: startedAt } = report;
  const seconds = (report.duration_ms / SECOND_MS).toFixed(1);
  return html`<header class="top ${verdictOf(report.questions)}">
<p class="soft">Exam of a webhook receiver</p>
<h1>${counts}</h1>
<p>${meaningOf(report)}</p>
${renderBar(report)}
<dl>
${renderFact('Receiver', receiver)}
${renderFact('Order', order ?? 'not given')}
${renderFact('Probe', probe ?? 'not given')}
${renderFact('Signatures', scheme)}
${renderFact('Service', service)}
${renderFact('Seed', seed)}
${renderFact('Time', `${bangkokTime(startedAt)} (Bangkok), ${seconds} s`)}
</dl>
${renderFailedList(report)}
</header>`;
}

/** The verdict on several questions: that of the worst one. */
function verdictOf(results: readonly ExamResult[]): Verdict {
  const worst = (['failed', 'skipped'] as const).find((verdict) => countOf(results, verdict) > 0);
  // Where nothing was asked, nothing is proven.
  return worst ?? (results.length === 0 ? 'skipped' : 'passed');
}

function countOf(results: readonly ExamResult[], wanted: Verdict): number {
  return results.filter(({ verdict }) => verdict === wanted).length;
}

/** The shares of the verdicts. The heading says the same in words. */
function renderBar({ questions }: ExamReport): Html {
  const parts = VERDICTS.map((verdict, index) => {
    const before = VERDICTS.slice(0, index).reduce((sum, each) => sum + countOf(questions, each), 0);
    return html`<rect class="${verdict}" x="${before}" y="0" width="${countOf(questions, verdict)}" height="1"/>`;
  });
  return html`<svg class="bar" viewBox="0 0 ${Math.max(questions.length, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function renderFact(name: string, value: string | number): Html {
  return html`<dt>${name}</dt><dd><code>${value}</code></dd>`;
}

/** One row for each cause. */
function renderFailedList({ causes, questions }: ExamReport): Html | null {
  const items = causes.map(({ questions: [first = '', ...same], actual, advice }) => {
    const { title = '', why = '' } = questions.find(({ id }) => id === first) ?? {};
    const links = same.map((id) => html` <a href="#${anchorOf(id)}">${id}</a>`);
    return html`<li><a href="#${anchorOf(first)}">${first}: ${title}</a><br>${inlineText(advice ?? actual)}<br><span class="soft">${why}</span>${links.length > 0 && html`<br>For the same reason:${links}`}</li>\n`;
  });
  return items.length === 0
    ? null
    : html`<h2>What failed</h2>
<ul>
${items}</ul>`;
}

function renderContents(groups: readonly ResultGroup[]): Html {
  const items = groups.map(
    ({ id, title, results }) =>
      html`<li><span class="verdict ${verdictOf(results)}">${countOf(results, 'passed')} of ${results.length}</span> <a href="#${anchorOf(id)}">${title}</a></li>\n`,
  );
  return html`<nav aria-label="Groups of questions">
<h2>Passed by group</h2>
<ul class="groups">
${items}</ul>
</nav>`;
}

function renderGroup({ id, title, results }: ResultGroup): Html {
  return html`<section aria-labelledby="${anchorOf(id)}">
<h2 id="${anchorOf(id)}">${title} <span class="count">${countOf(results, 'passed')} of ${results.length} passed</span></h2>
${results.map(renderQuestion)}</section>
`;
}

function anchorOf(id: string): string {
  return id.toLowerCase();
}

function renderQuestion(result: ExamResult): Html {
  const { id, title, must, why, guide, verdict, reason, failure } = result;
  return html`<details class="question" id="${anchorOf(id)}"${verdict === 'failed' && html` open`}>
<summary><span class="verdict ${verdict}">${verdict}</span> <code>${id}</code> <span class="title">${title}</span></summary>
<div>
${reason !== null && html`<p><strong>Skipped:</strong> ${reason}</p>\n`}<p><strong>What a shop must do:</strong> ${must}</p>
<p><strong>Why:</strong> ${why}</p>
${failure && renderFailure(failure)}
${renderGuide(id, guide)}
</div>
</details>
`;
}

/** Only an address of the web becomes a link: one that a report was given could run a script. */
function renderGuide(id: string, guide: string): Html {
  const isWeb = /^https?:\/\//i.test(guide);
  return isWeb
    ? html`<p><a href="${guide}" rel="noreferrer">${id} in the guide</a></p>`
    : html`<p class="soft">${guide}</p>`;
}

function renderFailure(failure: ExamFailure): Html {
  const { expected, actual, advice, same_as: sameAs, story, events } = failure;
  const { is_shortest: isShortest, failed_step: failedStep } = failure;
  return html`<h3>What failed</h3>
<dl>
<dt>Expected</dt><dd>${expected}</dd>
<dt>Was</dt><dd class="bad">${actual}</dd>
${advice !== null && html`<dt>Look at</dt><dd>${inlineText(advice)}</dd>\n`}</dl>
${sameAs !== null && html`<p>It failed for the same reason as <a href="#${anchorOf(sameAs)}">${sameAs}</a>.</p>`}
${
  story.length > 0 &&
  html`<h3>${isShortest ? 'The shortest steps that fail' : 'Steps that fail'}</h3>
<ol>
${story.map((step, index) => renderStep(step, index + 1 === failedStep))}</ol>`
}
${
  events.length > 0 &&
  html`<h3>Events as sent</h3>
<ol class="events">
${events.map(renderEvent)}</ol>`
}
<h3>Ask this question again</h3>
<pre tabindex="0"><code>${failure.again}</code></pre>`;
}

function renderStep(step: string, hasFailed: boolean): Html {
  return hasFailed
    ? html`<li class="bad">${step} <strong>failed here</strong></li>\n`
    : html`<li>${step}</li>\n`;
}

function renderEvent(event: SentEvent): Html {
  const { type, event_id: id, headers, body, curl } = event;
  const sending = sendingText(event);
  const headerText = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<li><code>${type}</code> <code class="soft">${id}</code>${sending !== '' && ` ${sending}`}: ${responseText(event)}
<details>
<summary>Headers and body</summary>
<pre tabindex="0"><code>${headerText.join('\n')}</code></pre>
<pre tabindex="0"><code>${body}</code></pre>
<p>The same request again, as long as its signature is not too old:</p>
<pre tabindex="0"><code>${curl}</code></pre>
</details></li>
`;
}
