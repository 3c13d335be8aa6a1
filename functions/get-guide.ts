import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { guidePage } from '../shared/docs/guide-page.ts';
import { serveDocs } from '../shared/http/serve-docs.ts';

/** Shows a guide. */
export const handler = serveDocs(servicePageOperations.getGuide, ({ params, baseUrl, root }) =>
  guidePage(baseUrl, root, params.guide),
);
