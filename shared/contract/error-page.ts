import { type ErrorCode, entryOf } from '../errors/catalogue.ts';
import { errorCodesOf } from './operation.ts';
import { allOperations } from './operations.ts';

/** The page that explains an error code, made from the catalogue and the table of operations alone. */
export function renderErrorPage(code: ErrorCode): string {
  const { status, title, advice, retryAfterSeconds } = entryOf(code);
  const rows = allOperations.filter((row) => errorCodesOf(row).includes(code));
  const retry =
    retryAfterSeconds === undefined
      ? 'Sending the same request again will not help until something is changed.'
      : 'The same request may be sent again after the seconds that Retry-After says.';
  const list = rows.map((row) => `<li><code>${row.method} ${row.path}</code> ${row.summary}</li>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${code}: ${title}</title>
<style>
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; color: #1b1f24; background: #fff; }
h1 { font-size: 1.6rem; line-height: 1.25; }
code { font-family: ui-monospace, monospace; background: #f1f3f5; padding: .1em .3em; border-radius: 4px; }
@media (prefers-color-scheme: dark) { body { color: #e6e8ea; background: #15181c; } code { background: #262b31; } }
</style>
</head>
<body>
<main>
<p><code>${status} ${code}</code></p>
<h1>${title}</h1>
<p>${advice}</p>
<p>${retry} A refused request has changed nothing.</p>
${rows.length === 0 ? '' : `<h2>Operations that can answer it</h2>\n<ul>\n${list}\n</ul>`}
</main>
</body>
</html>
`;
}
