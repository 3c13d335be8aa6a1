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
    summary: 'The page on which a payer pays',
    description:
      "The page at a payment's `checkout_url`: a choice of method where none was given, the QR or what else there is to do, the time that is left, and what became of it. In test mode with buttons that say what happens.",
    storage: { get: ['WORLD', 'PAYMENT'] },
    success: { status: 200, contentType: HTML },
    errors: ['route_not_found'],
  },
  actOnCheckout: {
    ...PAGE,
    id: 'checkout.ActOnCheckout',
    method: 'POST',
    path: '/checkout/{token}',
    summary: 'What a payer does on that page',
    description:
      'A form: `method` chooses one, or another one, for a payment whose merchant has named none, with `email` where the provider needs one that is not known, or to correct one that the payer gave; `action` (`pay`, `fail`, `mismatch`, `late`) with `version`, of test mode alone, says what happens.',
    storage: {
      get: ['WORLD', 'PAYMENT', 'LINK'],
      put: ['PAYMENT', 'LINK', 'PROVIDER-EVENTS', 'OUTBOX', 'JOBS'],
      update: ['LINK', 'BALANCES', 'POSTS'],
    },
    provider: true,
    success: { status: 200, contentType: HTML },
    alsoResponds: {
      303: 'It is done: the way back to the page.',
      409: 'The payer has chosen too often: the page says what to do.',
      422: 'The page again, with what is wrong at its field.',
    },
    errors: ['route_not_found', ...FORM_ERRORS],
  },
  getLinkPage: {
    ...PAGE,
    id: 'checkout.GetLinkPage',
    method: 'GET',
    path: '/l/{code}',
    summary: 'The page of a payment link',
    alsoResponds: { 410: 'The link is disabled, its time is over, or it is used up: the page says which.' },
    storage: { get: ['CODE', 'WORLD', 'LINK'] },
    success: { status: 200, contentType: HTML },
    errors: ['route_not_found'],
  },
  payByLink: {
    ...PAGE,
    id: 'checkout.PayByLink',
    method: 'POST',
    path: '/l/{code}',
    summary: 'A payer asks for a payment from a link',
    description:
      'A form: `amount` in baht for an open one, `name`, `email` and `phone` as the link collects them, and `attempt`, by which the same form sent twice makes one payment.',
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
      303: 'A payment was made: the way to its page.',
      409: 'The link takes no payment now: the page says why.',
      422: 'The form again, with what is wrong at its fields.',
      429: 'The form again, and when it can be sent: there are too many of this link in this minute.',
    },
    errors: ['route_not_found', ...FORM_ERRORS, 'link_unavailable', 'idempotency_in_progress'],
  },
} as const satisfies Record<string, Operation>;
