import { buildOpenApi } from '../shared/contract/openapi.ts';
import { servedOperations } from '../shared/contract/operations.ts';
import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';

/** The document is public: pages of any origin may read it, since tools that show it run in browsers. */
const FOR_EVERY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/** The OpenAPI document, made from the table of operations, with this deployment's address as its server. */
export const handler = servePage(
  servicePageOperations.getOpenApi,
  async ({ baseUrl }) => JSON.stringify(buildOpenApi(baseUrl, servedOperations())),
  FOR_EVERY_ORIGIN,
);
