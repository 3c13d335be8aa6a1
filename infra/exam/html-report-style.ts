/** Put in by the bundler of the package, which leaves out what reads it here. */
declare const BUILT_REPORT_STYLE: string | undefined;

/** The style of the report, after the tokens that all pages share: the report stays one file without requests. */
export const REPORT_STYLE =
  typeof BUILT_REPORT_STYLE === 'string'
    ? BUILT_REPORT_STYLE
    : (await import('../../shared/pages/read-style.ts')).readStyle('../infra/exam/html-report.css');
