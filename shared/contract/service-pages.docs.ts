export const servicePageDocs = {
  getOpenApi: 'Retrieve the OpenAPI document',
  getErrorPage: 'Show the page that explains an error code',
  getPaymentQr: [
    'Retrieve the PromptPay QR code of a payment as an image',
    'The URL has an unguessable token, so an `img` element can show it.',
  ],
  getConsole: [
    'Open the console',
    'A page to try every operation and to watch the test world live. It accepts test keys only.',
  ],
  'errors/{code}': 'The error code to explain.',
} as const;
