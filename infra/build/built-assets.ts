import { deflateRawSync } from 'node:zlib';
import { buildConsoleAssets } from '../../shared/console/frame/build-assets.ts';
import { buildGuides } from '../../shared/docs/build-guides.ts';
import { readStyle } from '../../shared/pages/read-style.ts';

/**
 * What a bundle brings along beside code, by the names that the code has for it: pages bring their styles, the console its
 * script, the documentation its guides. The bundler then drops the branches that build or read them.
 * @returns texts of code, and the files of the console's script
 */
export function builtAssets() {
  const { script, style, sources } = buildConsoleAssets();
  const texts = {
    BUILT_CONSOLE_SCRIPT: script,
    BUILT_CONSOLE_STYLE: style,
    BUILT_PAGE_STYLE: readStyle('pages/page.css'),
    BUILT_DOCS_STYLE: readStyle('docs/docs.css'),
    BUILT_REPORT_STYLE: readStyle('../infra/exam/html-report.css'),
    // A text: the bundler compares its type. Deflated, it is a third as long.
    BUILT_GUIDES: deflateRawSync(JSON.stringify(buildGuides())).toString('base64'),
  };
  const define = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, JSON.stringify(text)]),
  );
  return { define, sources };
}
