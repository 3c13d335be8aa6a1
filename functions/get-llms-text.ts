import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { printLlmsText } from '../shared/docs/llms-text.ts';
import { documentAt } from '../shared/docs/service-document.ts';
import { servePage } from '../shared/http/serve-page.ts';

/** Lists the pages of the documentation for programs that read text. */
export const handler = servePage(servicePageOperations.getLlmsText, async ({ baseUrl }) =>
  printLlmsText(documentAt(baseUrl)),
);
