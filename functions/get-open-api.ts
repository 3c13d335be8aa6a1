import { buildOpenApi } from '../shared/contract/openapi.ts';
import { servedOperations } from '../shared/contract/operations.ts';
import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { FOR_EVERY_ORIGIN, servePage } from '../shared/http/serve-page.ts';

/** The OpenAPI document, made from the table of operations, with this deployment's address as its server. */
export const handler = servePage(
  servicePageOperations.getOpenApi,
  async ({ baseUrl }) => JSON.stringify(buildOpenApi(baseUrl, servedOperations())),
  FOR_EVERY_ORIGIN,
);
