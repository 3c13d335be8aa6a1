export const servicePageDocs = {
  operations: {
    getStartPage: [
      'Show the start page',
      'Links to the dashboard, the documentation and the OpenAPI document of this deployment. Returns HTML or JSON, depending on `Accept`.',
    ],
    getDocs: [
      'Show the documentation',
      'Lists every guide, operation, object, event and error, or the results of a search. Returns HTML or JSON, depending on `Accept`.',
    ],
    getGuide: [
      'Show a guide',
      'A guide of the documentation. Returns HTML, Markdown, or JSON with the Markdown, depending on `Accept`. At its address with `.md`, it is always Markdown.',
    ],
    getOperationDocs: [
      'Show the documentation of an operation',
      'Its parameters, fields, responses and errors, with examples. Returns HTML, or its part of the OpenAPI document, depending on `Accept`.',
    ],
    getObjectDocs: [
      'Show the documentation of an object',
      'Its fields, and its statuses. Returns HTML, or its JSON Schema, depending on `Accept`.',
    ],
    getEventDocs: [
      'Show the documentation of an event type',
      'When the event occurs, and its body. Returns HTML, or its part of the OpenAPI document, depending on `Accept`.',
    ],
    getErrorPages: [
      'List all error codes',
      'Every code with its HTTP status and its meaning. Returns HTML or JSON, depending on `Accept`.',
    ],
    getOpenApi: [
      'Retrieve the OpenAPI document',
      'OpenAPI 3.1 of this deployment: every operation, field, limit and error, with recorded examples. You can generate clients from it.',
    ],
    getAsyncApi: [
      'Retrieve the AsyncAPI document',
      'AsyncAPI 3.1 of the webhooks: the receivers, every event with its headers, its body and an example. You can generate receivers from it.',
    ],
    getPostmanCollection: [
      'Retrieve every request as a Postman collection',
      'A collection in the format 2.1, which Postman, Bruno, Insomnia and Hoppscotch import: each operation with its headers, the body of its example and its recorded response. Set its variable `key`.',
    ],
    getHttpFile: [
      'Retrieve every request as an .http file',
      'A text file whose requests VS Code (REST Client), JetBrains IDEs, Visual Studio and httpYac send. Its first lines are the variables to set: the key, and ids.',
    ],
    getLlmsText: [
      'List the documentation for language models',
      'Every page with its address and a sentence, in the form of llms.txt. Guides are Markdown, and the other pages JSON.',
    ],
    getErrorPage: [
      'Show the page that explains an error code',
      'The page at the address in `type` of a problem: what the code means, its causes, what to do, and which operations return it. Returns HTML or JSON, depending on `Accept`.',
    ],
    getPaymentQr: [
      'Retrieve the PromptPay QR code of a payment as an image',
      'The URL has an unguessable token, so an `img` element can show it.',
    ],
    getPaymentQrPng: [
      'Retrieve the PromptPay QR code of a payment as a PNG image',
      'The same QR code as a PNG file, which a payer can save on a phone and open in a banking app.',
    ],
    getConsole: [
      'Open the console',
      'A page to try every operation and to watch the test world live. It accepts test keys only.',
    ],
  },
  paths: {
    'docs/{guide}': 'The name of the guide, such as `webhooks`.',
    'api/{operation}': 'The name of the operation, such as `createPayment`.',
    'objects/{name}': 'The name of the object, such as `Payment`.',
    'events/{type}': 'The type of the event, such as `payment.succeeded`.',
    'errors/{code}': 'The error code to explain.',
  },
} as const;
