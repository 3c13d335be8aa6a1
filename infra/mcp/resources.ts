import type { Resource } from '@modelcontextprotocol/server';
import type { OpenApiDocument } from '../../shared/contract/openapi-document.ts';
import { errorPage } from '../../shared/docs/error-pages.ts';
import { GUIDES } from '../../shared/docs/guides.ts';
import { catalogue, type ErrorCode, entryOf } from '../../shared/errors/catalogue.ts';
import { describeOperation } from './describe-operation.ts';
import type { OperationTool } from './tools.ts';

/** A text that a host can read, and how the list shows it. */
export interface ReadableResource {
  readonly listed: Resource;
  readonly read: () => string;
}

/**
 * The guides, the operations of tools and the error catalogue, by URI: `payments://guides/{name}`,
 * `payments://operations/{name}`, `payments://errors/{code}`.
 */
export function resourcesOf(
  document: OpenApiDocument,
  tools: Iterable<OperationTool>,
): ReadonlyMap<string, ReadableResource> {
  const all = [...guides(), ...[...tools].map((each) => operationOf(each, document)), ...errorsOf(document)];
  return new Map(all.map((resource) => [resource.listed.uri, resource]));
}

function guides(): ReadableResource[] {
  return GUIDES.map(({ name, title, summary: description, markdown }) => ({
    listed: { uri: `payments://guides/${name}`, name, title, description, mimeType: 'text/markdown' },
    read: () => markdown,
  }));
}

function operationOf(called: OperationTool, document: OpenApiDocument): ReadableResource {
  const { name, tool } = called;
  return {
    listed: {
      uri: `payments://operations/${name}`,
      name,
      ...(tool.title !== undefined && { title: tool.title }),
      description: `Everything about the tool ${name}: description, schemas, an example.`,
      mimeType: 'application/json',
    },
    read: () => JSON.stringify(describeOperation(called, document), null, 2),
  };
}

function errorsOf(document: OpenApiDocument): ReadableResource[] {
  return (Object.keys(catalogue) as ErrorCode[]).map((code) => ({
    listed: {
      uri: `payments://errors/${code}`,
      name: code,
      title: `${entryOf(code).status} ${entryOf(code).title}`,
      description: entryOf(code).advice,
      mimeType: 'application/json',
    },
    read: () => JSON.stringify(errorPage(document, '', code)?.data, null, 2),
  }));
}
