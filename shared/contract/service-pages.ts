import { type Operation, PUBLIC } from './operation.ts';

/** HTML or JSON, depending on `Accept` (contract §18). */
const NEGOTIATED = {
  ...PUBLIC,
  success: { status: 200, contentType: 'text/html; charset=utf-8', orJson: true },
} as const;
/** The address names one guide, operation, object, event or error. */
const NEGOTIATED_BY_NAME = { ...NEGOTIATED, errors: ['route_not_found'] } as const;

/** Public pages: the documentation, the console and the QR codes of payments. */
export const servicePageOperations = {
  getStartPage: { ...NEGOTIATED, id: 'service.GetStartPage', path: '/' },
  getDocs: { ...NEGOTIATED, id: 'service.GetDocs', path: '/docs' },
  /** Markdown where the address ends with `.md` or the caller asks for it. */
  getGuide: {
    ...NEGOTIATED_BY_NAME,
    id: 'service.GetGuide',
    path: '/docs/{guide}',
    success: { ...NEGOTIATED.success, orMarkdown: true },
  },
  getOperationDocs: {
    ...NEGOTIATED_BY_NAME,
    id: 'service.GetOperationDocs',
    path: '/docs/api/{operation}',
  },
  getObjectDocs: { ...NEGOTIATED_BY_NAME, id: 'service.GetObjectDocs', path: '/docs/objects/{name}' },
  getEventDocs: { ...NEGOTIATED_BY_NAME, id: 'service.GetEventDocs', path: '/docs/events/{type}' },
  getErrorPages: { ...NEGOTIATED, id: 'service.GetErrorPages', path: '/errors' },
  getOpenApi: {
    ...PUBLIC,
    id: 'service.GetOpenApi',
    path: '/api/v1/openapi.json',
    success: { status: 200, contentType: 'application/json' },
  },
  getAsyncApi: {
    ...PUBLIC,
    id: 'service.GetAsyncApi',
    path: '/api/v1/asyncapi.json',
    success: { status: 200, contentType: 'application/json' },
  },
  getPostmanCollection: {
    ...PUBLIC,
    id: 'service.GetPostmanCollection',
    path: '/api/v1/postman.json',
    success: { status: 200, contentType: 'application/json' },
  },
  getHttpFile: {
    ...PUBLIC,
    id: 'service.GetHttpFile',
    path: '/api/v1/requests.http',
    success: { status: 200, contentType: 'text/plain; charset=utf-8' },
  },
  getLlmsText: {
    ...PUBLIC,
    id: 'service.GetLlmsText',
    path: '/llms.txt',
    success: { status: 200, contentType: 'text/plain; charset=utf-8' },
  },
  getErrorPage: { ...NEGOTIATED_BY_NAME, id: 'service.GetErrorPage', path: '/errors/{code}' },
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
