import type { Operation } from '../../shared/contract/operation.ts';
import { methodsOf } from '../../shared/contract/routes.ts';
import { gatewayResponses } from './gateway-problems.ts';

/** All that API Gateway has. Each by its name: not every target that stands in for it reads its word for any of them. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** Bodies are handed over as bytes: as text, what is no UTF-8 would have been replaced by then. */
export const BINARY_MEDIA_TYPES = ['*/*'];

interface GatewayDocumentProps {
  readonly title: string;
  readonly rows: readonly Operation[];
  /** Which function an operation is answered by, in API Gateway's words; without one, whatever no operation has. */
  readonly uriOf: (row: Operation | undefined) => string;
  /** The role that API Gateway calls them as. */
  readonly credentials: string;
  /** Where people reach it, if not where API Gateway puts it. */
  readonly baseUrl: string | undefined;
}

/**
 * The service as API Gateway is told of it: which function answers what, and what it says by itself. OpenAPI 3.0, for it
 * reads no newer one; without schemas, for the functions check what is sent. People read `contract/openapi.ts`.
 */
export function gatewayDocument({ title, rows, uriOf, credentials, baseUrl }: GatewayDocumentProps) {
  const integrate = (path: string, method: string) => ({
    responses: {},
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: uriOf(rows.find((row) => row.path === path && methodsOf(row).includes(method))),
      credentials,
    },
  });
  const paths = pathsOf(rows).map((path) => [
    path,
    Object.fromEntries(METHODS.map((method) => [method.toLowerCase(), integrate(path, method)])),
  ]);
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    paths: Object.fromEntries(paths),
    'x-amazon-apigateway-binary-media-types': BINARY_MEDIA_TYPES,
    'x-amazon-apigateway-gateway-responses': gatewayResponses(baseUrl),
  };
}

/** Every path on the way to an operation too: API Gateway does not look further than the best match. */
function pathsOf(rows: readonly Operation[]): string[] {
  const onTheWay = rows.flatMap(({ path }) =>
    path.split('/').map((_, depth, segments) => `/${segments.slice(1, depth + 1).join('/')}`),
  );
  return [...new Set([...onTheWay, '/{proxy+}'])].toSorted();
}
