import { servedOperations } from '../shared/contract/operations.ts';
import { methodsAt } from '../shared/contract/routes.ts';
import { Problem } from '../shared/errors/problem.ts';
import { serveProblem } from '../shared/http/serve-problem.ts';

/** Handles unknown routes: 405 if the path exists with another method, else 404. */
export const handler = serveProblem((event) => {
  const methods = methodsAt(servedOperations(), event.path);
  return methods.length === 0
    ? new Problem('route_not_found')
    : new Problem('method_not_allowed', { headers: { Allow: methods.join(', ') } });
});
