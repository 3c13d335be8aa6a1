import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { errorsPage } from '../shared/docs/error-pages.ts';
import { serveDocs } from '../shared/http/serve-docs.ts';

/** Lists every error code. */
export const handler = serveDocs(servicePageOperations.getErrorPages, ({ root }) => errorsPage(root));
