export const payerPageDocs = {
  operations: {
    getCheckoutPage: [
      'Show the checkout page of a payment',
      "The page at a payment's `checkout_url`. It shows a choice of method if none was given, the QR code or other next step, the remaining time, and the result. In test mode it has buttons that simulate the outcome.",
    ],
    actOnCheckout: [
      'Submit the checkout page of a payment',
      'A form. `method` chooses or changes the method of a payment that was created without one. `email` is needed with it if the provider requires an email address and none is known; it can also correct one that the payer entered. In test mode only, `action` (`pay`, `fail`, `mismatch`, `late`) with `version` simulates the outcome.',
    ],
    getLinkPage: [
      'Show the page of a payment link',
      'The page that payers open: the amount or a field for it, and the fields that the link collects. A link that accepts no payment returns 410 with a page that says why. While its last uses are reserved by payers who have not paid yet, it returns 409 and says when to come back; a caller that accepts `application/problem+json` and no HTML gets the problem `link_unavailable`, with `reserved` as `details.reason`.',
    ],
    payByLink: [
      'Submit the page of a payment link',
      'A form that creates a payment: `amount` in baht if the link has an open amount, `name`, `email` and `phone` as the link collects them, and `attempt`, so that a form that is sent twice creates one payment.',
    ],
  },
  paths: {
    'checkout/{token}': 'The token of the payment: the last part of its `checkout_url`.',
    'l/{code}': 'The `code` of the payment link.',
  },
} as const;
