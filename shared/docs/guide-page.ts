import { Html } from '../pages/html.ts';
import type { DocsPage } from './docs-page.ts';
import { GUIDES } from './guides.ts';

/** What the guides say where a deployment has its own addresses. */
const BASE_URL = 'https://api.example.com';
const HERE = 'href="/';

/** The page of a guide by its name, with or without `.md`, or null if there is none. */
export function guidePage(baseUrl: string, root: string, asked: string): DocsPage | null {
  const name = asked.replace(/\.md$/, '');
  const guide = GUIDES.find((each) => each.name === name);
  if (guide === undefined) {
    return null;
  }
  const body = new Html(guide.html.replaceAll(BASE_URL, baseUrl).replaceAll(HERE, `href="${root}/`));
  const { title, summary } = guide;
  const markdown = guide.markdown.replaceAll(BASE_URL, baseUrl);
  return {
    title,
    body,
    markdown: markdown.replaceAll('](/', `](${baseUrl}/`),
    data: { name, title, summary, markdown },
  };
}
