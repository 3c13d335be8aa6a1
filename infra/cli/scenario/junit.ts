/** The result of one file, for a report of tests. */
export interface ScenarioReport {
  readonly file: string;
  readonly name: string;
  readonly seconds: number;
  /** Why it failed, in lines; null where it passed. */
  readonly failure: string | null;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** XML cannot hold these, not even escaped. */
const NO_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** The results of files as JUnit XML, which continuous integration reads. */
export function junitXml(reports: readonly ScenarioReport[]): string {
  const failures = reports.filter(({ failure }) => failure !== null).length;
  const seconds = reports.reduce((sum, report) => sum + report.seconds, 0);
  const cases = reports.map(({ file, name, seconds: took, failure }) => {
    const [first = ''] = (failure ?? '').split('\n');
    const body =
      failure === null ? '' : `<failure message="${escapeXml(first)}">${escapeXml(failure)}</failure>`;
    return `    <testcase classname="${escapeXml(file)}" name="${escapeXml(name)}" file="${escapeXml(file)}" time="${took.toFixed(3)}">${body}</testcase>`;
  });
  const totals = `tests="${reports.length}" failures="${failures}" errors="0" time="${seconds.toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="scenarios" ${totals}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function escapeXml(text: string): string {
  return text.replaceAll(NO_XML, '\ufffd').replaceAll(/[&<>"']/g, (character) => String(ESCAPES[character]));
}
