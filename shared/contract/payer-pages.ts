import { type Operation, PUBLIC } from './operation.ts';

const HTML = 'text/html; charset=utf-8';
const PAGE = { ...PUBLIC, problems: 'pages' } as const;

/** The codes with which any form can be refused. */
const FORM_ERRORS = ['cross_origin_refused', 'body_too_large', 'unsupported_media_type'] as const;

/** The payers' pages. They need no key: each address has an unguessable token or code. */
export const payerPageOperations = {
  getCheckoutPage: {
    ...PAGE,
    id: 'checkout.GetCheckoutPage',
    path: '/checkout/{token}',
    reads: ['world', 'payment'],
    success: { status: 200, contentType: HTML },
    errors: ['route_not_found'],
  },
  actOnCheckout: {
    ...PAGE,
    id: 'checkout.ActOnCheckout',
    method: 'POST',
    path: '/checkout/{token}',
    reads: ['world', 'payment', 'paymentLink'],
    changes: ['payment.end', 'form-count'],
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
    path: '/l/{code}',
    alsoResponds: {
      409: 'The uses that are left are reserved by payers who have not paid yet: the page says when to come back.',
      410: 'The link is disabled, expired or used up: the page says which.',
    },
    reads: ['link-code', 'world', 'paymentLink', 'payment'],
    success: { status: 200, contentType: HTML },
    errors: ['route_not_found', 'link_unavailable'],
  },
  payByLink: {
    ...PAGE,
    id: 'checkout.PayByLink',
    method: 'POST',
    path: '/l/{code}',
    reads: ['link-code', 'world', 'paymentLink', 'payment'],
    changes: ['claim', 'payment.create', 'link-use', 'form-count'],
    provider: true,
    // It responds with 303; the page of the payment, which has 200, follows.
    success: { status: 200, contentType: HTML },
    alsoResponds: {
      303: 'A payment was created: redirects to its page.',
      409: 'The link does not accept a payment now: the page says why, and when to come back if its uses are only reserved.',
      422: 'The form again, with the errors at its fields.',
      429: 'The form again, and when to retry: this link has too many submissions in this minute.',
    },
    errors: ['route_not_found', ...FORM_ERRORS, 'link_unavailable', 'idempotency_in_progress'],
  },
} as const satisfies Record<string, Operation>;
