import { mergeStorage, numbering, type Operation, PUBLIC, RUNNING_ONCE } from './operation.ts';

const HTML = 'text/html; charset=utf-8';
const PAGE = { ...PUBLIC, problems: 'pages' } as const;

/** What a form can be refused for before it is looked at. */
const FORM_ERRORS = [
  'cross_origin_refused',
  'body_too_large',
  'malformed_request',
  'unsupported_media_type',
] as const;

/** What payers see. Whoever holds the address may use it: it carries a token or a code that nobody can guess. */
export const payerPageOperations = {
  getCheckoutPage: {
    ...PAGE,
    id: 'checkout.GetCheckoutPage',
    method: 'GET',
    path: '/checkout/{token}',
    summary: 'Show the checkout page of a payment',
    description:
      "The page at a payment's `checkout_url`. It shows a choice of method if none was given, the QR code or other next step, the remaining time, and the result. In test mode it has buttons that simulate the outcome.",
    storage: { get: ['WORLD', 'PAYMENT'] },
    success: { status: 200, contentType: HTML },
    errors: ['route_not_found'],
  },
  actOnCheckout: {
    ...PAGE,
    id: 'checkout.ActOnCheckout',
    method: 'POST',
    path: '/checkout/{token}',
    summary: 'Submit the checkout page of a payment',
    description:
      'A form. `method` chooses or changes the method of a payment that was created without one. `email` comes with it if the provider needs one that is unknown, or to correct one that the payer gave. In test mode only, `action` (`pay`, `fail`, `mismatch`, `late`) with `version` simulates the outcome.',
    storage: {
      get: ['WORLD', 'PAYMENT', 'LINK'],
      put: ['PAYMENT', 'LINK', 'PROVIDER-EVENTS', 'OUTBOX', 'JOBS'],
      update: ['LINK', 'BALANCES', 'POSTS'],
    },
    provider: true,
    success: { status: 200, contentType: HTML },
    alsoResponds: {
      303: 'Done: redirects back to the page.',
      409: 'The payer has chosen a method too often: the page says what to do.',
      422: 'The page again, with the error at its field.',
    },
    errors: ['route_not_found', ...FORM_ERRORS],
  },
  getLinkPage: {
    ...PAGE,
    id: 'checkout.GetLinkPage',
    method: 'GET',
    path: '/l/{code}',
    summary: 'Show the page of a payment link',
    alsoResponds: { 410: 'The link is disabled, expired or used up: the page says which.' },
    storage: { get: ['CODE', 'WORLD', 'LINK'] },
    success: { status: 200, contentType: HTML },
    errors: ['route_not_found'],
  },
  payByLink: {
    ...PAGE,
    id: 'checkout.PayByLink',
    method: 'POST',
    path: '/l/{code}',
    summary: 'Submit the page of a payment link',
    description:
      'A form that creates a payment: `amount` in baht if the link has an open amount, `name`, `email` and `phone` as the link collects them, and `attempt`, which makes the same form create one payment even if it is sent twice.',
    storage: mergeStorage(RUNNING_ONCE, {
      get: ['CODE', 'WORLD', 'LINK'],
      put: ['PAYMENT', 'OUTBOX', 'JOBS'],
      update: ['LINK', 'POSTS'],
      updateWorld: numbering('payment'),
    }),
    provider: true,
    // Its own answer is 303; who follows it there sees the page of the payment.
    success: { status: 200, contentType: HTML },
    alsoResponds: {
      303: 'A payment was created: redirects to its page.',
      409: 'The link does not accept a payment now: the page says why.',
      422: 'The form again, with the errors at its fields.',
      429: 'The form again, and when to retry: this link has too many submissions in this minute.',
    },
    errors: ['route_not_found', ...FORM_ERRORS, 'link_unavailable', 'idempotency_in_progress'],
  },
} as const satisfies Record<string, Operation>;
