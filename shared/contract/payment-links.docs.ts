const AMOUNT_TYPE =
  '`fixed`: every payer pays the same amount. `open`: each payer enters an amount within bounds.';

const COLLECT = 'Whether payers must enter (`required`), can enter (`optional`) or do not enter (`off`)';

export const paymentLinkDocs = {
  operations: {
    createPaymentLink: [
      'Create a payment link',
      'A payment page for anyone who knows its URL, with a fixed amount or an open amount within bounds.',
    ],
    disablePaymentLink: [
      'Disable a payment link',
      'Disabling a disabled link returns 200 and changes nothing.',
    ],
    getPaymentLink: [
      'Retrieve a payment link',
      '`uses` is the number of its succeeded payments, and `url` the page that payers open. A payment in progress reserves a use until it succeeds, fails, expires or is canceled.',
    ],
    listPaymentLinks: [
      'List payment links, newest first',
      'Disabled links stay in the list. A link that has expired or is used up is still active: its page says why it accepts no payment.',
    ],
  },
  paths: {
    'payment-links/{id}': 'The id of the payment link: `lnk_…`.',
  },
  schemas: {
    PaymentLinkAmountType: { about: AMOUNT_TYPE },
    CollectRule: { about: `${COLLECT}.` },
    PaymentLink: {
      about: 'A payment page for anyone who knows its URL.',
      id: 'The id of the payment link.',
      code: 'The last part of its URL: ten unguessable characters.',
      url: 'URL of its page, for a message, a post or a printed QR code.',
      amount: 'The fixed amount; null if the amount is open.',
      amount_type: AMOUNT_TYPE,
      min_amount: 'Minimum amount; null if there is none.',
      max_amount: 'Maximum amount; null if none was given.',
      currency: 'ISO 4217 code of the currency of its payments.',
      collect_email: `${COLLECT} their email address.`,
      collect_name: `${COLLECT} their name.`,
      collect_phone: `${COLLECT} their phone number.`,
      description: 'Description shown to payers; null if none was given.',
      expires_at: "Time at which the link expires, on the merchant's clock; null if it never expires.",
      max_uses: 'Maximum number of payments; null if unlimited.',
      uses: 'Number of succeeded payments.',
      metadata: 'The metadata given at creation.',
      return_url: 'URL to which payers return afterwards; null if none was given.',
      status:
        '`active`, or `disabled` by the merchant. A link that is used up or expired keeps its status and accepts no payments.',
    },
    PaymentLinkAmount: { about: 'The amount of a payment link: fixed, or open within bounds.' },
    FixedLinkAmount: {
      about: 'Every payer pays the same amount.',
      type: 'The type of amount.',
      currency: 'ISO 4217 currency code. Default: the currency of `fixed`.',
      fixed: 'The amount that every payer pays.',
    },
    OpenLinkAmount: {
      about: 'Each payer enters an amount within bounds.',
      type: 'The type of amount.',
      currency: 'ISO 4217 currency code. Default: the currency of the bounds, otherwise THB.',
      min: 'Minimum amount, at most `max`.',
      max: 'Maximum amount. Default: 1,000,000 baht.',
    },
    PaymentLinkCollect: {
      about: 'The payer data to collect.',
      email: `${COLLECT} their email address. Default: \`optional\`.`,
      name: `${COLLECT} their name. Default: \`optional\`.`,
      phone: `${COLLECT} their phone number. Default: \`off\`.`,
    },
    CreatePaymentLinkRequest: {
      about: 'The payment link to create.',
      amount: 'The amount of the link.',
      collect: 'The payer data to collect.',
      description: 'Description shown to payers.',
      expires_at:
        "Time at which the link expires: in the future on the merchant's clock, at most 366 days ahead. Default: never.",
      max_uses: 'Maximum number of payments. Default: unlimited.',
      metadata: 'Your own data on the resource.',
      return_url:
        'URL to which payers return afterwards: absolute http or https, without user name and password; in live mode, https.',
    },
    DisablePaymentLinkRequest: { about: 'Optional. The path already has the id.' },
  },
  events: {
    'payment_link.created': 'A payment link was created.',
    'payment_link.disabled': 'A payment link was disabled: it accepts no new payments.',
    'payment_link.overpaid':
      'A link has received more payments than its `max_uses`, because late money is never refused. Fulfill these orders, or refund them.',
  },
} as const;
