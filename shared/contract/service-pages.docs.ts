export const servicePageDocs = {
  getOpenApi: [
    'Retrieve the OpenAPI document',
    'OpenAPI 3.1 of this deployment: every operation, field, bound and error, with recorded examples. Generated clients are made from it.',
  ],
  getErrorPage: [
    'Show the page that explains an error code',
    'The page at the address in `type` of a problem: what the code means, what to do, and which operations answer it.',
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
  'errors/{code}': 'The error code to explain.',
} as const;
