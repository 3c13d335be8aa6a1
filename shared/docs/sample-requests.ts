import type { OpenApiDocument } from '../contract/openapi-document.ts';
import type { ApiRequest } from '../story/api-request.ts';
import { nameOfOperation, operationsIn, type PlacedOperation } from './contents.ts';
import { sampleRequestOf } from './samples.ts';

/* Every operation as a request to send, for the files that other programs read: a Postman collection, an .http file. */

/** What a key looks like before it is set. */
export const KEY_EXAMPLE = 'pg_test_your_key';

export interface SampleRequest extends ApiRequest {
  /** As clients name it. */
  readonly name: string;
  readonly operation: PlacedOperation;
}

/** The requests in the order of the document. The parameters of their paths are variables: `{{payment_id}}`. */
export function sampleRequests(document: OpenApiDocument): SampleRequest[] {
  return [...operationsIn(document).values()].map((operation) => {
    const request = sampleRequestOf(operation);
    return { ...request, path: withVariables(request.path), name: nameOfOperation(operation), operation };
  });
}

/** The names of the variables in the paths, each once. */
export function variablesOf(requests: readonly SampleRequest[]): string[] {
  const names = requests.flatMap(({ path }) =>
    [...path.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)];
}

/** Ids of one kind are one variable: `payments/{id}` is `{{payment_id}}` in every path. */
function withVariables(path: string): string {
  let kind = '';
  const segments = path.split('/').map((segment) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name === undefined) {
      kind = segment.replaceAll('-', '_').replace(/s$/, '');
      return segment;
    }
    return `{{${name.includes('_') || name === kind ? name : `${kind}_${name}`}}}`;
  });
  return segments.join('/');
}
