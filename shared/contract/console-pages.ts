import { type Operation, PUBLIC } from './operation.ts';

/** The interactive console: a page that calls the operations of this table, in test mode. */
export const consolePageOperations = {
  getConsole: {
    ...PUBLIC,
    id: 'service.GetConsole',
    method: 'GET',
    path: '/console',
    summary: 'Open the console',
    description: 'A page to try every operation and to watch the test world live. It accepts test keys only.',
    storage: 'none',
    success: { status: 200, contentType: 'text/html; charset=utf-8' },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
