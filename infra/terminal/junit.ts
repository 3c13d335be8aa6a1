/** The result of one test, for a report of tests. */
export interface TestReport {
  /** What the test belongs to: a file, or a group of tests. */
  readonly group: string;
  readonly name: string;
  /** Null where the test has no file. */
  readonly file: string | null;
  readonly seconds: number;
  /** Why it failed, in lines; null where it did not. */
  readonly failure: string | null;
  /** Why it was not run; null where it was. */
  readonly skipped: string | null;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** XML cannot hold some of these, not even escaped, and the others steer what shows the report. */
const NO_XML =
  /[^\t\n\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]|(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The results of tests as JUnit XML, which continuous integration reads.
 * @param properties what one must know of the whole run, by name: the seed
 */
export function junitXml(
  name: string,
  reports: readonly TestReport[],
  properties: Readonly<Record<string, string>> = {},
): string {
  const seconds = reports.reduce((sum, report) => sum + report.seconds, 0);
  const totals = {
    tests: reports.length,
    failures: reports.filter(({ failure }) => failure !== null).length,
    errors: 0,
    skipped: reports.filter(({ skipped }) => skipped !== null).length,
    time: seconds.toFixed(3),
  };
  return suiteXml(name, totals, [...propertyLines(properties), ...reports.map(caseLine)]);
}

/** The report of a run that has no result. */
export function errorJunit(reason: string): string {
  const about = attributes({ classname: 'run', name: 'ends with a result' });
  return suiteXml('run', { tests: 1, failures: 0, errors: 1, skipped: 0 }, [
    `    <testcase${about}><error${attributes({ message: reason })}/></testcase>`,
  ]);
}

function suiteXml(
  name: string,
  totals: Readonly<Record<string, string | number>>,
  lines: readonly string[],
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(totals)}>`,
    `  <testsuite${attributes({ name, ...totals })}>`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseLine({ group, name, file, seconds, failure, skipped }: TestReport): string {
  const about = attributes({ classname: group, name, file, time: seconds.toFixed(3) });
  return `    <testcase${about}>${failureElement(failure)}${skippedElement(skipped)}</testcase>`;
}

function failureElement(failure: string | null): string {
  const message = failure?.split('\n')[0] ?? '';
  return failure === null ? '' : `<failure${attributes({ message })}>${escapeXml(failure)}</failure>`;
}

function skippedElement(skipped: string | null): string {
  return skipped === null ? '' : `<skipped${attributes({ message: skipped })}/>`;
}

function propertyLines(properties: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property${attributes({ name, value })}/>`,
  );
  return lines.length === 0 ? [] : ['    <properties>', ...lines, '    </properties>'];
}

/** Each with a space before it. Null adds nothing. */
function attributes(values: Readonly<Record<string, string | number | null>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === null ? '' : ` ${name}="${escapeXml(String(value))}"`))
    .join('');
}

function escapeXml(text: string): string {
  return text.replaceAll(NO_XML, '\ufffd').replaceAll(/[&<>"']/g, (character) => String(ESCAPES[character]));
}
