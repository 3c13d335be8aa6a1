import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { printHttpFile } from '../shared/docs/http-file.ts';
import { documentAt } from '../shared/docs/service-document.ts';
import { FOR_EVERY_ORIGIN, servePage } from '../shared/http/serve-page.ts';

/** Every request of the document as an .http file, with this deployment's address. */
export const handler = servePage(
  servicePageOperations.getHttpFile,
  async ({ baseUrl }) => printHttpFile(documentAt(baseUrl)),
  FOR_EVERY_ORIGIN,
);
