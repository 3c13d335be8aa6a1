import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { buildAsyncApi } from '../shared/docs/async-api.ts';
import { documentAt } from '../shared/docs/service-document.ts';
import { FOR_EVERY_ORIGIN, servePage } from '../shared/http/serve-page.ts';

/** What receivers of webhooks get, as an AsyncAPI document. */
export const handler = servePage(
  servicePageOperations.getAsyncApi,
  async ({ baseUrl }) => JSON.stringify(buildAsyncApi(documentAt(baseUrl))),
  FOR_EVERY_ORIGIN,
);
