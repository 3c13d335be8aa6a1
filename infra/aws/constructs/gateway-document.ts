import type { Operation } from '../../../shared/contract/operation.ts';
import { methodsOf } from '../../../shared/contract/routes.ts';
import { gatewayResponses } from './gateway-problems.ts';

/** API Gateway's name for all methods that a path does not list. */
const ANY_METHOD = 'x-amazon-apigateway-any-method';
const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
/**
 * The paths that list every method. MiniStack leaves out what it reads of any method, silently, and looks for a method
 * that a path has not in the fallback: where that lists its methods, one document is right for AWS and for every target.
 */
const LISTING_ALL: readonly string[] = ['/', '/{proxy+}'];

/** Bodies are passed on as bytes: in text, bytes that are not UTF-8 would already have been replaced. */
export const BINARY_MEDIA_TYPES: readonly string[] = ['*/*'];

interface GatewayDocumentProps {
  readonly title: string;
  readonly rows: readonly Operation[];
  /** The URI of the function of an operation, as API Gateway names it; without an operation, that of unknown routes. */
  readonly uriOf: (row: Operation | undefined) => string;
  /** The role with which API Gateway calls the functions. */
  readonly credentials: string;
  readonly binaryMediaTypes: readonly string[];
  /** The public address, if it is not API Gateway's. */
  readonly baseUrl: string | undefined;
}

/**
 * The document for API Gateway: which function handles which route, and the gateway's own responses. In OpenAPI 3.0,
 * since it reads no newer version; without schemas, since the functions validate. People read `contract/openapi.ts`.
 */
export function gatewayDocument(props: GatewayDocumentProps) {
  const { title, rows, uriOf, credentials, binaryMediaTypes, baseUrl } = props;
  const integrate = (row: Operation | undefined) => ({
    responses: {},
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: uriOf(row),
      credentials,
    },
  });
  const methodsAt = (path: string) => {
    const own = rows
      .filter((row) => row.path === path)
      .flatMap((row) => methodsOf(row).map((method) => [method.toLowerCase(), integrate(row)] as const));
    const others = LISTING_ALL.includes(path) ? METHODS.map((method) => method.toLowerCase()) : [ANY_METHOD];
    return {
      ...Object.fromEntries(others.map((method) => [method, integrate(undefined)])),
      ...Object.fromEntries(own),
    };
  };
  const paths = pathsOf(rows).map((path) => [path, methodsAt(path)]);
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    paths: Object.fromEntries(paths),
    'x-amazon-apigateway-binary-media-types': binaryMediaTypes,
    'x-amazon-apigateway-gateway-responses': gatewayResponses(baseUrl),
  };
}

/** Includes every path on the way to an operation, since API Gateway tries only the best match. */
function pathsOf(rows: readonly Operation[]): string[] {
  const onTheWay = rows.flatMap(({ path }) =>
    path.split('/').map((_, depth, segments) => `/${segments.slice(1, depth + 1).join('/')}`),
  );
  return [...new Set([...onTheWay, '/{proxy+}'])].toSorted();
}
