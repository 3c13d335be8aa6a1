import type { Resource } from '@modelcontextprotocol/server';
import type { OpenApiDocument } from '../../shared/contract/openapi-document.ts';
import { errorPage } from '../../shared/docs/error-pages.ts';
import { GUIDES } from '../../shared/docs/guides.ts';
import { catalogue, type ErrorCode, entryOf } from '../../shared/errors/catalogue.ts';

/** A text that a host can read, and how the list shows it. */
export interface ReadableResource {
  readonly listed: Resource;
  readonly read: () => string;
}

/** The error catalogue and the guides, by URI: `payments://errors/{code}`, `payments://guides/{name}`. */
export function resourcesOf(document: OpenApiDocument): ReadonlyMap<string, ReadableResource> {
  const errors = (Object.keys(catalogue) as ErrorCode[]).map((code) => ({
    listed: {
      uri: `payments://errors/${code}`,
      name: code,
      title: `${entryOf(code).status} ${entryOf(code).title}`,
      description: entryOf(code).advice,
      mimeType: 'application/json',
    },
    read: () => JSON.stringify(errorPage(document, '', code)?.data, null, 2),
  }));
  const guides = GUIDES.map(({ name, title, summary: description, markdown }) => ({
    listed: { uri: `payments://guides/${name}`, name, title, description, mimeType: 'text/markdown' },
    read: () => markdown,
  }));
  return new Map([...guides, ...errors].map((resource) => [resource.listed.uri, resource]));
}
