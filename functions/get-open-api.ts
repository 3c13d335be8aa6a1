import { buildOpenApi } from '../shared/contract/openapi.ts';
import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';

/**
 * The OpenAPI document of this deployment, made from the table of operations, with its own address as the server.
 */
export const handler = servePage(servicePageOperations.getOpenApi, async ({ baseUrl }) => {
  return JSON.stringify(buildOpenApi(baseUrl));
});
