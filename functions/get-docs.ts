import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { indexPage, searchPage } from '../shared/docs/index-page.ts';
import { serveDocs } from '../shared/http/serve-docs.ts';

/** Lists everything that the documentation has, or what a search (`q`) finds. */
export const handler = serveDocs(servicePageOperations.getDocs, ({ document, root, query, language }) =>
  query === undefined ? indexPage(document, root, language) : searchPage(document, root, query, language),
);
