import { type Operation, PUBLIC } from './operation.ts';

/** What anybody may read: the description of the service, and the pictures that payers are shown. */
export const servicePageOperations = {
  getOpenApi: {
    ...PUBLIC,
    id: 'service.GetOpenApi',
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'Retrieve the OpenAPI document',
    storage: 'none',
    success: { status: 200, contentType: 'application/json' },
    errors: [],
  },
  getErrorPage: {
    ...PUBLIC,
    id: 'service.GetErrorPage',
    method: 'GET',
    path: '/errors/{code}',
    summary: 'Show the page that explains an error code',
    storage: 'none',
    success: { status: 200, contentType: 'text/html; charset=utf-8' },
    errors: ['route_not_found'],
  },
  getPaymentQr: {
    ...PUBLIC,
    id: 'checkout.GetPaymentQr',
    method: 'GET',
    path: '/checkout/{token}/qr.svg',
    summary: 'Retrieve the PromptPay QR code of a payment as an image',
    description: 'The URL has an unguessable token, so an `img` element can show it.',
    storage: { get: ['WORLD', 'PAYMENT'] },
    success: { status: 200, contentType: 'image/svg+xml' },
    errors: ['route_not_found'],
  },
} as const satisfies Record<string, Operation>;
