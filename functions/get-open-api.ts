import { buildOpenApi } from '../shared/contract/openapi.ts';
import { servedOperations } from '../shared/contract/operations.ts';
import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';

/** A page of any origin may read it, for it is nobody's secret: tools that show documents run in browsers. */
const FOR_EVERY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/**
 * The OpenAPI document of this deployment, made from its rows of the table of operations, with its own address as the server.
 */
export const handler = servePage(
  servicePageOperations.getOpenApi,
  async ({ baseUrl }) => JSON.stringify(buildOpenApi(baseUrl, servedOperations())),
  FOR_EVERY_ORIGIN,
);
