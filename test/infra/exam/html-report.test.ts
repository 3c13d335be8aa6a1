import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { htmlReport } from '../../../infra/exam/html-report.ts';
import { unbalancedTags } from '../../support/browser/html-tags.ts';
import { rawMarkdownIn } from '../../support/browser/raw-markdown.ts';
import {
  FAILED,
  PASSED,
  SKIPPED,
  sampleEvent,
  sampleFailure,
  sampleReport,
  sampleResult,
} from './sample-report.ts';

const HOSTILE = `</code></pre><script>alert("1")</script><img src=x onerror='alert(2)'>" onload="alert(3)`;
const ESCAPED =
  "&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=x onerror='alert(2)'&gt;&quot; onload=&quot;alert(3)";

/** Every text that a shop, its addresses or a report from elsewhere can bring, hostile. */
const hostile = htmlReport({
  ...sampleReport([
    sampleResult('SIG-01', {
      title: HOSTILE,
      must: HOSTILE,
      why: HOSTILE,
      guide: `javascript:alert(1)//${HOSTILE}`,
      verdict: 'failed',
      reason: HOSTILE,
      failure: sampleFailure({
        expected: HOSTILE,
        actual: HOSTILE,
        story: [HOSTILE],
        again: HOSTILE,
        events: [
          sampleEvent({
            type: HOSTILE,
            event_id: HOSTILE,
            manner: HOSTILE,
            answered_status: null,
            error: HOSTILE,
            headers: { [HOSTILE]: HOSTILE },
            body: HOSTILE,
            curl: HOSTILE,
          }),
        ],
      }),
    }),
  ]),
  base_url: HOSTILE,
  receiver: HOSTILE,
  order: HOSTILE,
  probe: HOSTILE,
});

/** The elements of a page, by their names. */
function elementsOf(page: string): string[] {
  return [...new Set([...page.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, name]) => String(name)))];
}

describe('the HTML report', () => {
  test('steers no terminal that shows the file, and turns no direction of writing', () => {
    const actual = 'it answered \u001b]0;title\u0007 and \u202e, then\r\n::error::wrong';
    const page = htmlReport(sampleReport([{ ...FAILED, failure: sampleFailure({ actual }) }]));
    expect(page).toContain('it answered  ]0;title  and  , then');
    expect(page).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|^::/mu);
  });

  test('escapes every text that comes from a shop', () => {
    expect(hostile).not.toContain(HOSTILE);
    expect(hostile.split(ESCAPED)).toHaveLength(25);
    expect(unbalancedTags(hostile)).toEqual([]);
  });

  test.each([
    ['a usual report', htmlReport(sampleReport())],
    ['a hostile report', hostile],
  ])('of %s has no script, no handler, no form and no picture', (_, page) => {
    const elements = elementsOf(page);
    expect(elements).toContain('details');
    expect(elements).toEqual(
      expect.not.arrayContaining(['script', 'img', 'form', 'iframe', 'link', 'object', 'embed', 'base']),
    );
    expect(page).not.toMatch(/<[^>"]*(?:"[^"]*"[^>"]*)*\s(on\w+|style|src)=/);
  });

  test('shows no raw Markdown: what an advice names is code', () => {
    const advice = 'Does the shop find the order by `payment_id`?';
    const failed = { ...FAILED, failure: sampleFailure({ advice }) };
    const page = htmlReport(sampleReport([PASSED, SKIPPED, failed]));
    expect(rawMarkdownIn(page)).toEqual([]);
    expect(page).toContain('by <code>payment_id</code>?');
  });

  test('links to nothing but its own parts and the guide', () => {
    const hrefs = [...htmlReport(sampleReport()).matchAll(/\b(?:href|src|action)="([^"]*)"/g)].map(
      ([, href]) => String(href),
    );
    expect(hrefs.filter((href) => !href.startsWith('#'))).toEqual(
      [PASSED, SKIPPED, FAILED].map(({ guide }) => guide),
    );
    const parts = hrefs.filter((href) => href.startsWith('#'));
    expect(parts).toEqual(['#dup-02', '#pay', '#dup']);
    for (const part of parts) {
      expect(htmlReport(sampleReport()).split(` id="${part.slice(1)}"`)).toHaveLength(2);
    }
    expect([...hostile.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['#sig-01', '#sig']);
  });

  test('allows by its policy its own style, and nothing else', () => {
    const page = htmlReport(sampleReport());
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
    const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page) ?? [];
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`,
    );
    expect(style).not.toMatch(/url\(|@import/);
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
  });

  test.each([
    [[PASSED], 'passed', '1 of 1 question passed', 'The question that was asked passed.'],
    [[PASSED, SKIPPED], 'skipped', '1 of 2 questions passed, 1 skipped', 'Nothing failed. One question'],
    [[PASSED, SKIPPED, FAILED], 'failed', '1 of 3 questions passed, 1 failed, 1 skipped', 'not ready'],
    [[], 'skipped', '0 of 0 questions passed', 'proves nothing'],
  ])('begins with the verdict: %#', (questions, verdict, counts, meaning) => {
    const page = htmlReport(sampleReport(questions));
    const top = page.slice(page.indexOf('<header'), page.indexOf('</header>'));
    expect(top).toContain(`class="top ${verdict}"`);
    expect(top).toContain(`<h1>${counts}</h1>`);
    expect(top).toContain(meaning);
    expect(page).toContain(`<title>${counts} · Exam</title>`);
  });

  test('opens what failed and nothing else, with what was expected, what was and each event', () => {
    const page = htmlReport(sampleReport());
    expect([...page.matchAll(/<details class="question" id="([^"]*)" open>/g)].map(([, id]) => id)).toEqual([
      'dup-02',
    ]);
    const failed = page.slice(page.indexOf('id="dup-02"'));
    expect(failed).toContain('<dd>the goods to go out once</dd>');
    expect(failed).toContain('<dd class="bad">they went out twice</dd>');
    expect(failed).toContain('five times at once: answered 500');
    expect(failed).toContain('<li class="bad">probe $a <strong>failed here</strong></li>');
    expect(failed).toContain('curl -sS -i -H ');
    expect(failed).toContain('<code>{&quot;id&quot;:&quot;evt_01&quot;}</code>');
    expect(failed).toContain(String(FAILED.failure?.again));
  });

  test('shows the groups by their titles, and what each question asks of a shop', () => {
    const page = htmlReport(sampleReport());
    expect(page).toContain('<h2 id="dup">Duplicates <span class="count">0 of 2 passed</span></h2>');
    expect(page).toContain(PASSED.must);
    expect(page).toContain(PASSED.why);
    expect(page).toContain('<strong>Skipped:</strong> it needs --order and --probe');
    expect(page).toContain('<code>7</code>');
  });
});
