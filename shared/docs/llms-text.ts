import type { OpenApiDocument } from '../contract/openapi-document.ts';
import { contentsOf, DOCS_KINDS, type DocsEntry } from './contents.ts';
import { docsTextsOf } from './docs-texts.ts';

/** Every page for programs that read text, in the form of llms.txt: guides as Markdown, the rest as JSON. */
export function printLlmsText(document: OpenApiDocument): string {
  const entries = contentsOf(document);
  const [{ url }] = document.servers;
  const sections = DOCS_KINDS.map((kind) => {
    const lines = entries.filter((entry) => entry.kind === kind).map((entry) => lineOf(url, entry));
    return `## ${docsTextsOf('en').kinds[kind]}\n\n${lines.join('\n')}`;
  });
  return `${[
    `# ${document.info.title}`,
    `> ${document.info.summary}`,
    document.info.description,
    `Guides are Markdown. The pages of operations, objects, events and errors are JSON, unless the request asks for HTML. All of the API in one document: [OpenAPI](${url}/api/v1/openapi.json).`,
    ...sections,
  ].join('\n\n')}\n`;
}

function lineOf(url: string, { kind, title, path, text }: DocsEntry): string {
  const sentences = text.replaceAll('\n', ' ').split(/(?<=[.!?]) /);
  // Of an operation, its route is the first one.
  const said = sentences.slice(0, kind === 'operation' ? 2 : 1).join(' ');
  return `- [${title}](${url}${path}${kind === 'guide' ? '.md' : ''})${said === '' ? '' : `: ${said}`}`;
}
