export const servicePageDocs = {
  getStartPage: [
    'Show where everything is',
    'Leads to the dashboard, the documentation and the OpenAPI document of this deployment. For people a page, for programs JSON, by `Accept`.',
  ],
  getDocs: [
    'Show the documentation',
    'Every guide, operation, object, event and error, or those that a search finds. For people a page, for programs JSON, by `Accept`.',
  ],
  getGuide: [
    'Show a guide',
    'A guide of the documentation. For people a page, for programs JSON with its Markdown, by `Accept`.',
  ],
  getOperationDocs: [
    'Show the documentation of an operation',
    'Its fields, answers and errors, with examples. For people a page, for programs its part of the OpenAPI document, by `Accept`.',
  ],
  getObjectDocs: [
    'Show the documentation of an object',
    'What its fields mean, and the statuses that it goes through. For people a page, for programs its JSON Schema, by `Accept`.',
  ],
  getEventDocs: [
    'Show the documentation of an event type',
    'When the event occurs, and what it carries. For people a page, for programs its part of the OpenAPI document, by `Accept`.',
  ],
  getErrorPages: [
    'List all error codes',
    'Every code with its status and its meaning. For people a page, for programs JSON, by `Accept`.',
  ],
  getOpenApi: [
    'Retrieve the OpenAPI document',
    'OpenAPI 3.1 of this deployment: every operation, field, bound and error, with recorded examples. Generated clients are made from it.',
  ],
  getErrorPage: [
    'Show the page that explains an error code',
    'The page at the address in `type` of a problem: what the code means, its causes, what to do, and which operations answer it. For people a page, for programs JSON, by `Accept`.',
  ],
  getPaymentQr: [
    'Retrieve the PromptPay QR code of a payment as an image',
    'The URL has an unguessable token, so an `img` element can show it.',
  ],
  getPaymentQrPng: [
    'Retrieve the PromptPay QR code of a payment as a picture to save',
    'The same QR code as a PNG file: a payer saves it on a phone and opens it in the app of a bank.',
  ],
  getConsole: [
    'Open the console',
    'A page to try every operation and to watch the test world live. It accepts test keys only.',
  ],
  'docs/{guide}': 'The name of the guide, such as `webhooks`.',
  'api/{operation}': 'The name of the operation, such as `createPayment`.',
  'objects/{name}': 'The name of the object, such as `Payment`.',
  'events/{type}': 'The type of the event, such as `payment.succeeded`.',
  'errors/{code}': 'The error code to explain.',
} as const;
