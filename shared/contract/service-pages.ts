import { type Operation, PUBLIC } from './operation.ts';

/** What anybody may read: the description of the service, its console, and the pictures that payers are shown. */
export const servicePageOperations = {
  getOpenApi: {
    ...PUBLIC,
    id: 'service.GetOpenApi',
    path: '/api/v1/openapi.json',
    success: { status: 200, contentType: 'application/json' },
  },
  getErrorPage: {
    ...PUBLIC,
    id: 'service.GetErrorPage',
    path: '/errors/{code}',
    success: { status: 200, contentType: 'text/html; charset=utf-8' },
    errors: ['route_not_found'],
  },
  getPaymentQr: {
    ...PUBLIC,
    id: 'checkout.GetPaymentQr',
    path: '/checkout/{token}/qr.svg',
    reads: ['world', 'payment'],
    success: { status: 200, contentType: 'image/svg+xml' },
    errors: ['route_not_found'],
  },
  getPaymentQrPng: {
    ...PUBLIC,
    id: 'checkout.GetPaymentQrPng',
    path: '/checkout/{token}/qr.png',
    reads: ['world', 'payment'],
    success: { status: 200, contentType: 'image/png' },
    errors: ['route_not_found'],
  },
  /** The interactive console: a page that calls the operations of this table, in test mode. */
  getConsole: {
    ...PUBLIC,
    id: 'service.GetConsole',
    path: '/console',
    success: { status: 200, contentType: 'text/html; charset=utf-8' },
  },
} as const satisfies Record<string, Operation>;
