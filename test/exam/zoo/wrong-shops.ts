/* The zoo: shops that look right and are not. Each shows that a question of the exam catches what it is there for. */

import type { QuestionId } from '../../../shared/contract/testkit/exam-questions.ts';

/** A wrong shop: a small change to the right one, and the public thread that it comes from. */
export interface WrongShop {
  /** In kebab-case; unique. */
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly wrong: string;
  /** On GitHub: a thread about a real receiver, plugin or library that had this defect or one of its kind. */
  readonly thread: string;
  /** The id of the question that has to catch it. Others may catch it, too. */
  readonly caughtBy: QuestionId;
  /** The right shop that it is a change of: by default `node-shop.ts`. */
  readonly of?: 'sqlite-shop.ts';
  /** What is replaced in the text of the right shop, where each `from` occurs exactly once. */
  readonly changes: readonly Change[];
}

type Change = readonly [from: string, to: string];

/** Places in `node-shop.ts` that several shops change. */
const AT_EVENT = "if (event.type === 'payment.succeeded') {";
const AT_SUCCESS = 'entryOf(this.#paid, reference).set(id, amount);';
const AT_OTHER_EVENTS = "} else if (event.type === 'refund.succeeded') {";
const RECEIVE = 'shop.receive(webhooks.verify(body, request.headers, secret));';
const VERIFY = 'webhooks.verify(body, request.headers, secret)';
const RECEIVE_METHOD = 'receive(event: WebhookEvent): void {';
const STORE_ID = 'this.#eventIds.add(event.id);';
const SUM_OF_REFUNDS = 'refunds.reduce((sum, { minor }) => sum + minor, 0)';

/** Slow work, during which the sender may hang up: it ends then, so that what follows is not a matter of timing. */
const UNTIL_HUNG_UP = `await new Promise((resolve) => {
      sender.once('close', resolve);
      setTimeout(resolve, 1_000);
    });`;

/** Sends the goods at each event of the first payment: only the ids of events keep it from sending them again. */
const SENDS_AT_EACH_EVENT: Change = [
  'order?.fulfilled === 0 && this.#isPaid(reference)',
  'order !== undefined && this.#paid.get(reference)?.size === 1 && this.#isPaid(reference)',
];

/** Takes an event of other types for a payment. */
function paysOn(type: string): Change {
  return [AT_EVENT, `if (event.type === 'payment.succeeded' || event.type === '${type}') {`];
}

/** An order whose payment ended without money is closed for ever. */
function closesOn(type: string): readonly Change[] {
  return [
    [
      'readonly #eventIds = new Set<string>();',
      'readonly #eventIds = new Set<string>();\n  readonly #closed = new Set<string | null>();',
    ],
    [
      AT_EVENT,
      `if (event.type === '${type}') {
      this.#closed.add(event.data.object.reference);
    } else if (event.type === 'payment.succeeded' && !this.#closed.has(event.data.object.reference)) {`,
    ],
  ];
}

/** An event of one of the types makes the payment unpaid, also if it is older than its success. */
function fallsBackOn(types: string): Change {
  return [
    AT_OTHER_EVENTS,
    `} else if (/^payment[.](${types})$/.test(event.type)) {
      const { id, reference } = event.data.object;
      this.#paid.get(reference)?.delete(id);
    ${AT_OTHER_EVENTS}`,
  ];
}

/** Refuses events with an error, before it does anything. */
function refusesIf(condition: string): Change {
  return [
    AT_EVENT,
    `if (${condition}) {
      throw new WebhookVerificationError(new Error('Unexpected event'));
    }
    ${AT_EVENT}`,
  ];
}

/** Verifies signatures by its own code. @param isRight of `signature`, `expected` and `ageSeconds` */
function verifiesItself(isRight: string): readonly Change[] {
  return [
    [
      "import { createServer, type IncomingMessage } from 'node:http';",
      "import { createHmac } from 'node:crypto';\nimport { createServer, type IncomingMessage } from 'node:http';",
    ],
    [
      RECEIVE,
      `const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = request.headers;
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        const signed = [id, time, body].join('.');
        const expected = 'v1,' + createHmac('sha256', key).update(signed).digest('base64');
        const ageSeconds = Date.now() / 1_000 - Number(time);
        if (!(${isRight})) {
          throw new WebhookVerificationError(new Error('Wrong signature'));
        }
        shop.receive(JSON.parse(body.toString()));`,
    ],
  ];
}

/** Gives other headers to the library than those that came. */
function verifiesWith(header: string, value: string): Change {
  return [VERIFY, `webhooks.verify(body, { ...request.headers, '${header}': ${value} }, secret)`];
}

export const WRONG_SHOPS: readonly WrongShop[] = [
  {
    name: 'waits-for-another-type',
    wrong: 'The shop waits for an event type that is never sent, and answers 200 to the success.',
    thread: 'woocommerce/woocommerce-gateway-stripe#5691',
    caughtBy: 'PAY-01',
    changes: [["event.type === 'payment.succeeded'", "event.type === 'payment.paid'"]],
  },
  {
    name: 'failure-closes-the-order',
    wrong: 'The shop closes an order when a payment fails, and ignores the payment that succeeds afterwards.',
    thread: 'offspot/imager-service#525',
    caughtBy: 'PAY-02',
    changes: closesOn('payment.failed'),
  },
  {
    name: 'mismatch-pays',
    wrong: 'The shop takes a payment of another amount for a payment of the order.',
    thread: 'nimiq/woocommerce-gateway-nimiq#29',
    caughtBy: 'PAY-03',
    changes: [paysOn('payment.amount_mismatch')],
  },
  {
    name: 'expiry-closes-the-order',
    wrong: 'The shop closes an order when its payment expires, and loses the money that comes late.',
    thread: 'mollie/WooCommerce#139',
    caughtBy: 'PAY-04',
    changes: closesOn('payment.expired'),
  },
  {
    name: 'cancellation-closes-the-order',
    wrong: 'The shop keeps an order canceled although its payment succeeds afterwards.',
    thread: 'coreshop/CoreShop#2529',
    caughtBy: 'PAY-05',
    changes: closesOn('payment.canceled'),
  },
  {
    name: 'processing-pays',
    wrong: 'The shop takes a payment that is still in progress for a paid one.',
    thread: 'woocommerce/woocommerce-gateway-paypal-express-checkout#598',
    caughtBy: 'PAY-06',
    changes: [paysOn('payment.processing')],
  },
  {
    name: 'creation-pays',
    wrong: 'The shop sends the goods as soon as the checkout is done, and does not wait for the money.',
    thread: 'AI-Shipping-Labs/website#1423',
    caughtBy: 'PAY-06',
    changes: [paysOn('payment.created')],
  },
  {
    name: 'every-event-pays',
    wrong: 'The shop does not look at the status of a payment, so that each event of it pays.',
    thread: 'RoboJackets/apiary#1580',
    caughtBy: 'PAY-06',
    changes: [[AT_EVENT, "if (event.type.startsWith('payment.')) {"]],
  },
  {
    name: 'failure-pays',
    wrong: 'The shop takes every end of a payment for its success, also a failed one.',
    thread: 'saleor/saleor#6428',
    caughtBy: 'PAY-07',
    changes: [paysOn('payment.failed')],
  },
  {
    name: 'each-payment-sends-goods',
    wrong: 'The shop sends the goods for each payment of an order that succeeds.',
    thread: 'Sylius/Sylius#1319',
    caughtBy: 'PAY-08',
    changes: [['order?.fulfilled === 0 && ', 'order !== undefined && ']],
  },

  {
    name: 'keeps-no-ids',
    wrong: 'The shop does not store the ids of events, and does the work again for each repetition.',
    thread: 'anomalyco/opencode#28402',
    caughtBy: 'DUP-01',
    changes: [SENDS_AT_EACH_EVENT, [STORE_ID, '']],
  },
  {
    name: 'looks-first-and-stores-later',
    wrong: 'The shop waits between looking for the id of an event and storing it.',
    thread: 'Pinelab-studio/pinelab-vendure-plugins#620',
    caughtBy: 'DUP-02',
    changes: [
      SENDS_AT_EACH_EVENT,
      [RECEIVE_METHOD, 'async receive(event: WebhookEvent): Promise<void> {'],
      [AT_EVENT, `await new Promise((resolve) => setTimeout(resolve, 200));\n    ${AT_EVENT}`],
      [RECEIVE, `await ${RECEIVE}`],
    ],
  },
  {
    name: 'works-again-at-each-attempt',
    wrong: 'The shop takes a second attempt for work that was not done.',
    thread: 'toeverything/AFFiNE#15078',
    caughtBy: 'DUP-03',
    changes: [
      SENDS_AT_EACH_EVENT,
      [RECEIVE_METHOD, 'receive(event: WebhookEvent, isRetry: boolean): void {'],
      ['if (this.#eventIds.has(event.id)) {', 'if (!isRetry && this.#eventIds.has(event.id)) {'],
      [RECEIVE, `shop.receive(${VERIFY}, request.headers['webhook-attempt'] !== '1');`],
    ],
  },
  {
    name: 'stores-the-id-after-the-answer',
    wrong: 'The shop does slow work, and stores the id of the event only if the sender is still there.',
    thread: 'frappe/press#1175',
    caughtBy: 'DUP-04',
    changes: [
      SENDS_AT_EACH_EVENT,
      [RECEIVE_METHOD, 'async receive(event: WebhookEvent, sender: Socket): Promise<void> {'],
      [
        STORE_ID,
        `${UNTIL_HUNG_UP}
    if (!sender.destroyed) {
      ${STORE_ID}
    }`,
      ],
      [RECEIVE, `await shop.receive(${VERIFY}, request.socket);`],
    ],
  },
  {
    name: 'stops-in-the-middle',
    wrong: 'The shop stores the id of an event first, and gives up the work when the sender has hung up.',
    thread: 'mollie/PrestaShop#1441',
    caughtBy: 'DUP-04',
    changes: [
      [RECEIVE_METHOD, 'async receive(event: WebhookEvent, sender: Socket): Promise<void> {'],
      [
        AT_EVENT,
        `${STORE_ID}
    ${UNTIL_HUNG_UP}
    if (sender.destroyed) {
      return;
    }
    ${AT_EVENT}`,
      ],
      [RECEIVE, `await shop.receive(${VERIFY}, request.socket);`],
    ],
  },
  {
    name: 'knows-deliveries-and-not-events',
    wrong: 'The shop takes the same event for another one if it comes at another time or attempt.',
    thread: 'webrenew/unicon#56',
    caughtBy: 'DUP-05',
    changes: [
      SENDS_AT_EACH_EVENT,
      [
        RECEIVE,
        `const event = ${VERIFY};
        const { 'webhook-timestamp': time, 'webhook-attempt': attempt } = request.headers;
        shop.receive({ ...event, id: [event.id, time, attempt].join() });`,
      ],
    ],
  },

  {
    name: 'last-event-wins',
    wrong: 'The shop shows the status of the event that came last.',
    thread: 'paypal/mirakl-hyperwallet-connector#35',
    caughtBy: 'ORD-01',
    changes: [fallsBackOn('.*')],
  },
  {
    name: 'needs-the-creation-first',
    wrong: 'The shop ignores the success of a payment whose creation has not come yet.',
    thread: 'laravel/cashier-stripe#1201',
    caughtBy: 'ORD-02',
    changes: [
      [
        'readonly #eventIds = new Set<string>();',
        'readonly #eventIds = new Set<string>();\n  readonly #created = new Set<string>();',
      ],
      [
        AT_EVENT,
        `if (event.type === 'payment.created') {
      this.#created.add(event.data.object.id);
    } else if (event.type === 'payment.succeeded' && this.#created.has(event.data.object.id)) {`,
      ],
    ],
  },
  {
    name: 'fails-without-the-creation',
    wrong: 'The shop answers 500 to the success of a payment whose creation has not come yet.',
    thread: 'frappe/ecommerce_integrations#425',
    caughtBy: 'ORD-02',
    changes: [
      [
        'readonly #eventIds = new Set<string>();',
        'readonly #eventIds = new Set<string>();\n  readonly #payments = new Map<string, { isPaid: boolean }>();',
      ],
      [
        AT_EVENT,
        `if (event.type === 'payment.created') {
      this.#payments.set(event.data.object.id, { isPaid: false });
    }
    ${AT_EVENT}
      this.#payments.get(event.data.object.id).isPaid = true;`,
      ],
    ],
  },
  {
    name: 'stores-the-order-after-the-payment',
    wrong: 'The shop stores an order when the API has answered, and drops the events that come before.',
    thread: 'duncanmcclean/statamic-cargo#190',
    caughtBy: 'ORD-03',
    of: 'sqlite-shop.ts',
    changes: [
      [
        'const { currency, minor, payment_id, is_ended } = shop.openOrder(reference, amount);',
        'const { currency, minor } = amount;\n    const payment_id = null;',
      ],
      ['if (payment_id !== null && is_ended === 0) {\n      return payment_id;\n    }', ''],
      [
        'shop.keepPaymentId(reference, id);',
        'shop.openOrder(reference, amount);\n    shop.keepPaymentId(reference, id);',
      ],
      [
        "if (type === 'payment.succeeded') {",
        "if (type === 'payment.succeeded' && this.probe(String(data.object.reference)) !== undefined) {",
      ],
    ],
  },
  {
    name: 'goes-back-to-open',
    wrong: 'The shop makes a paid order unpaid when an older event of an open payment comes late.',
    thread: 'PostHog/posthog#98651',
    caughtBy: 'ORD-04',
    changes: [fallsBackOn('created|requires_action|processing')],
  },
  {
    name: 'late-end-takes-the-order-back',
    wrong: 'The shop cancels a paid order when an older failure or expiry comes late.',
    thread: 'mollie/WooCommerce#668',
    caughtBy: 'ORD-05',
    changes: [fallsBackOn('failed|expired|canceled')],
  },
  {
    name: 'decides-by-the-last-status',
    wrong: 'The shop has no ids of events, and sends the goods whenever the status becomes paid.',
    thread: 'laravel/cashier-stripe#1759',
    caughtBy: 'ORD-06',
    changes: [
      SENDS_AT_EACH_EVENT,
      ['if (reference !== null) {', 'if (reference !== null && !this.#paid.get(reference)?.has(id)) {'],
      fallsBackOn('.*'),
      [STORE_ID, ''],
    ],
  },

  {
    name: 'verifies-nothing',
    wrong: 'The shop believes every request.',
    thread: 'Carrington-dev/dj-payfast#30',
    caughtBy: 'SIG-01',
    changes: [[VERIFY, 'JSON.parse(body.toString())']],
  },
  {
    name: 'goes-on-after-a-wrong-signature',
    wrong: 'The shop logs that a signature is wrong, and processes the event all the same.',
    thread: 'open-mercato/open-mercato#1311',
    caughtBy: 'SIG-01',
    changes: [
      [
        RECEIVE,
        `try {
          ${VERIFY};
        } catch (error) {
          console.error(error);
        }
        shop.receive(JSON.parse(body.toString()));`,
      ],
    ],
  },
  {
    name: 'fails-at-a-wrong-signature',
    wrong: 'The shop refuses a wrong signature by an error of its own, 500, as if it were broken.',
    thread: 'spatie/laravel-webhook-client#84',
    caughtBy: 'SIG-01',
    changes: [['return [400, { error: error.message }];', 'return [500, { error: error.message }];']],
  },
  {
    name: 'fails-without-a-signature',
    wrong:
      'The shop reads the header of the signature before it looks whether there is one, and answers 500.',
    thread: 'Dokploy/dokploy#4275',
    caughtBy: 'SIG-05',
    changes: [
      [
        RECEIVE,
        `if (request.headers['webhook-signature'] === undefined) {
          throw new TypeError('no header');
        }
        ${RECEIVE}`,
      ],
    ],
  },
  {
    name: 'verifies-after-the-work',
    wrong: 'The shop processes an event before it verifies the signature, and then answers 400.',
    thread: 'teesofttech/PayBridge#61',
    caughtBy: 'SIG-02',
    changes: [[RECEIVE, `shop.receive(JSON.parse(body.toString()));\n        ${VERIFY};`]],
  },
  {
    name: 'accepts-yesterday',
    wrong: 'The shop does not look at the age of a signature.',
    thread: 'profullstack/sh1pt#711',
    caughtBy: 'SIG-03',
    changes: verifiesItself("(signature ?? '').split(' ').includes(expected) && ageSeconds > -300"),
  },
  {
    name: 'accepts-tomorrow',
    wrong: 'The shop refuses old signatures, but none of the future.',
    thread: 'stripe/stripe-php#657',
    caughtBy: 'SIG-04',
    changes: verifiesItself("(signature ?? '').split(' ').includes(expected) && ageSeconds < 300"),
  },
  {
    name: 'verifies-only-what-is-signed',
    wrong: 'The shop verifies a signature only if there is one.',
    thread: 'krkn-chaos/website#359',
    caughtBy: 'SIG-05',
    changes: [
      [
        VERIFY,
        `request.headers['webhook-signature'] === undefined ? JSON.parse(body.toString()) : ${VERIFY}`,
      ],
    ],
  },
  {
    name: 'reads-the-first-signature',
    wrong: 'The shop looks at the first signature only.',
    thread: 'Significant-Gravitas/AutoGPT#13435',
    caughtBy: 'SIG-06',
    changes: [verifiesWith('webhook-signature', "request.headers['webhook-signature']?.split(' ')[0]")],
  },
  {
    name: 'compares-the-whole-header',
    wrong: 'The shop compares all of the header with one signature.',
    thread: 'blindpaylabs/blindpay-node#24',
    caughtBy: 'SIG-06',
    changes: verifiesItself('signature === expected && Math.abs(ageSeconds) < 300'),
  },
  {
    name: 'refuses-unknown-versions',
    wrong: 'The shop refuses a request that has a signature of an unknown version beside the right one.',
    thread: 'afrotools/afrotools#44',
    caughtBy: 'SIG-07',
    changes: [
      [
        RECEIVE,
        `if (request.headers['webhook-signature']?.split(' ').some((each) => !each.startsWith('v1,'))) {
          throw new WebhookVerificationError(new Error('Unsupported signature version'));
        }
        ${RECEIVE}`,
      ],
    ],
  },
  {
    name: 'verifies-a-rewritten-body',
    wrong: 'The shop parses the body, and verifies what it writes from it.',
    thread: 'razorpay/razorpay-magento#251',
    caughtBy: 'SIG-08',
    changes: [
      [VERIFY, 'webhooks.verify(JSON.stringify(JSON.parse(body.toString())), request.headers, secret)'],
    ],
  },
  {
    name: 'ignores-the-signed-id',
    wrong: 'The shop verifies with the id in the body, and lets every webhook-id pass.',
    thread: 'prathamdby/pr-agent#476',
    caughtBy: 'SIG-09',
    changes: [verifiesWith('webhook-id', 'JSON.parse(body.toString()).id')],
  },
  {
    name: 'compares-as-much-as-came',
    wrong: 'The shop compares only as many characters of the signature as came: none are always right.',
    thread: 'krkn-chaos/krkn#1277',
    caughtBy: 'SIG-10',
    changes: verifiesItself(
      "(signature ?? 'none').split(' ').some((each) => expected.startsWith(each)) && Math.abs(ageSeconds) < 300",
    ),
  },

  {
    name: 'fails-at-a-malformed-signature',
    wrong: 'The shop compares texts that need not be ASCII, and answers 500 to a signature that is none.',
    thread: 'NousResearch/hermes-agent#65307',
    caughtBy: 'SIG-11',
    changes: [
      [
        RECEIVE,
        `if (!/^[!-~ ]*$/.test(request.headers['webhook-signature'] ?? '')) {
          throw new TypeError('comparing strings with non-ASCII characters is not supported');
        }
        ${RECEIVE}`,
      ],
    ],
  },
  {
    name: 'ends-at-a-malformed-signature',
    wrong:
      'The shop compares bytes of another length, which throws where nothing catches it: the connection is lost.',
    thread: 'inkbox-ai/inkbox#178',
    caughtBy: 'SIG-11',
    changes: [
      [
        RECEIVE,
        `if (!/^v1,[^,]{44}(?: |$)/.test(request.headers['webhook-signature'] ?? 'v1,'.padEnd(47))) {
          request.socket.destroy();
        }
        ${RECEIVE}`,
      ],
    ],
  },

  {
    name: 'refuses-unknown-types',
    wrong: 'The shop answers 400 to an event type that is not on its list.',
    thread: 'vercel/nextjs-subscription-payments#356',
    caughtBy: 'FWD-01',
    changes: [
      refusesIf(
        '!/^(payment[.](created|requires_action|processing|amount_mismatch|succeeded|failed|expired|canceled)|refund[.].*|webhook[.]ping)$/.test(event.type)',
      ),
    ],
  },
  {
    name: 'knows-all-fields',
    wrong: 'The shop refuses events that have more fields than it knows.',
    thread: 'dodopayments/dodo-adapters#132',
    caughtBy: 'FWD-02',
    changes: [
      refusesIf(
        "Object.keys(event).some((key) => !'id type timestamp mode api_version sequence data request'.split(' ').includes(key))",
      ),
    ],
  },
  {
    name: 'knows-all-methods',
    wrong: 'The shop refuses events of a payment method that it does not know.',
    thread: 'checkout/checkout-sdk-net#556',
    caughtBy: 'FWD-03',
    changes: [
      refusesIf(
        "event.data.object.method && !'promptpay truemoney linepay shopeepay bank_transfer direct_debit installment'.split(' ').includes(event.data.object.method)",
      ),
    ],
  },
  {
    name: 'expects-an-amount-in-each-event',
    wrong: 'The shop reads the currency of every event, and answers 500 to a ping, which has none.',
    thread: 'coinbase/coinbase-commerce-prestashop#13',
    caughtBy: 'FWD-04',
    changes: [
      [AT_EVENT, `if (event.data.object.amount.currency !== 'THB') {\n      return;\n    }\n    ${AT_EVENT}`],
    ],
  },

  {
    name: 'refunds-everything',
    wrong: 'The shop takes the refund of a part for a refund of the whole amount.',
    thread: '202-ecommerce/stripe_official#55',
    caughtBy: 'REF-01',
    changes: [[SUM_OF_REFUNDS, 'refunds.length > 0 ? order.amount.minor : 0']],
  },
  {
    name: 'ignores-refunds',
    wrong: 'The shop does not book refunds that it has not made itself.',
    thread: 'Sylius/StripePlugin#101',
    caughtBy: 'REF-01',
    changes: [["event.type === 'refund.succeeded'", "event.type === 'refund.completed'"]],
  },
  {
    name: 'last-refund-wins',
    wrong: 'The shop replaces the amount of the first refund by that of the second one.',
    thread: 'flowglad/flowglad#1176',
    caughtBy: 'REF-02',
    changes: [[SUM_OF_REFUNDS, 'refunds.at(-1)?.minor ?? 0']],
  },
  {
    name: 'first-refund-wins',
    wrong: 'The shop books one refund of a payment, and drops the second one.',
    thread: 'anomalyco/opencode#28400',
    caughtBy: 'REF-02',
    changes: [[SUM_OF_REFUNDS, 'refunds[0]?.minor ?? 0']],
  },
  {
    name: 'keeps-something-back',
    wrong: 'The shop books refunds only as long as something of the payment is left.',
    thread: 'nopSolutions/nopCommerce#740',
    caughtBy: 'REF-03',
    changes: [
      [
        SUM_OF_REFUNDS,
        'refunds.reduce((sum, { minor }) => (sum + minor < order.amount.minor ? sum + minor : sum), 0)',
      ],
    ],
  },
  {
    name: 'books-refunds-at-the-request',
    wrong: 'The shop books a refund at its first event, and keeps it when the refund fails.',
    thread: 'woocommerce/woocommerce-gateway-stripe#4405',
    caughtBy: 'REF-04',
    changes: [["event.type === 'refund.succeeded'", "event.type.startsWith('refund.')"]],
  },
  {
    name: 'books-each-refund-event',
    wrong: 'The shop books an amount for each event of a refund, also for a repeated one.',
    thread: 'solidusio/solidus_stripe#281',
    caughtBy: 'REF-05',
    changes: [
      [
        'entryOf(this.#refunded, payment_id).set(id, amount);',
        'const refunds = entryOf(this.#refunded, payment_id);\n      refunds.set(String(refunds.size), amount);',
      ],
      [STORE_ID, `if (event.type.startsWith('payment.')) {\n      ${STORE_ID}\n    }`],
    ],
  },
  {
    name: 'older-event-undoes-the-refund',
    wrong: 'The shop forgets a refund when an older event of it or of its payment comes late.',
    thread: 'mollie/WooCommerce#1252',
    caughtBy: 'REF-06',
    changes: [
      [AT_SUCCESS, `${AT_SUCCESS}\n        this.#refunded.delete(id);`],
      [
        AT_OTHER_EVENTS,
        `} else if (event.type.startsWith('refund.') && event.type !== 'refund.succeeded') {
      const { id, payment_id } = event.data.object;
      this.#refunded.get(payment_id)?.delete(id);
    ${AT_OTHER_EVENTS}`,
      ],
    ],
  },

  {
    name: 'answers-200-although-it-failed',
    wrong: 'The shop catches the error of a refund whose payment it does not know, logs it, and answers 200.',
    thread: 'mikenelsonjr/Accelerators#2',
    caughtBy: 'REF-07',
    changes: [
      [
        'entryOf(this.#refunded, payment_id).set(id, amount);',
        `if (![...this.#paid.values()].some((payments) => payments.has(payment_id))) {
        throw new Error('Payment not found');
      }
      entryOf(this.#refunded, payment_id).set(id, amount);`,
      ],
      [
        RECEIVE,
        `const event = ${VERIFY};
        try {
          shop.receive(event);
        } catch (error) {
          console.error(error);
        }`,
      ],
    ],
  },
  {
    name: 'ignores-refunds-of-unknown-payments',
    wrong:
      'The shop takes a refund whose payment it does not know for that of somebody else, and ignores it.',
    thread: 'getlago/lago-api#857',
    caughtBy: 'REF-07',
    changes: [
      [
        'entryOf(this.#refunded, payment_id).set(id, amount);',
        `if ([...this.#paid.values()].some((payments) => payments.has(payment_id))) {
        entryOf(this.#refunded, payment_id).set(id, amount);
      }`,
      ],
    ],
  },

  {
    name: 'refuses-old-events',
    wrong: 'The shop ignores events that happened more than an hour ago, although their signature is new.',
    thread: 'EarnQuestOne/stellar_Earn#2255',
    caughtBy: 'OUT-01',
    changes: [
      [
        'if (this.#eventIds.has(event.id)) {',
        'if (this.#eventIds.has(event.id) || Date.now() - Date.parse(event.timestamp) > 3_600_000) {',
      ],
    ],
  },
  {
    name: 'drops-what-is-older-than-the-newest',
    wrong: 'The shop keeps the highest sequence number, and ignores every event below it.',
    thread: 'webrenew/memories#402',
    caughtBy: 'OUT-02',
    changes: [
      ['readonly #eventIds = new Set<string>();', 'readonly #eventIds = new Set<string>();\n  #newest = 0;'],
      [
        'if (this.#eventIds.has(event.id)) {',
        'if (this.#eventIds.has(event.id) || event.sequence < this.#newest) {',
      ],
      [STORE_ID, `${STORE_ID}\n    this.#newest = Math.max(this.#newest, event.sequence ?? 0);`],
    ],
  },
  {
    name: 'remembers-the-last-event',
    wrong:
      'The shop knows only the last event again, and does the work twice when all events are sent once more.',
    thread: 'mollie/magento2#978',
    caughtBy: 'OUT-03',
    changes: [SENDS_AT_EACH_EVENT, [STORE_ID, `this.#eventIds.clear();\n    ${STORE_ID}`]],
  },

  {
    name: 'counts-in-32-bits',
    wrong: 'The shop keeps amounts in 32 bits.',
    thread: 'opencollective/opencollective#6401',
    caughtBy: 'BIG-01',
    changes: [['paid.minor >= due.minor', '(paid.minor | 0) >= due.minor']],
  },
  {
    name: 'reads-latin-1',
    wrong: 'The shop reads the body in a character set of one byte, and verifies that text.',
    thread: 'razorpay/razorpay-java#352',
    caughtBy: 'BIG-02',
    changes: [
      ['const body = await buffer(request);', "const body = (await buffer(request)).toString('latin1');"],
    ],
  },
  {
    name: 'limits-metadata',
    wrong: 'The shop refuses payments with more than twenty metadata entries.',
    thread: 'chobbledotcom/tickets#913',
    caughtBy: 'BIG-03',
    changes: [refusesIf('Object.keys(event.data.object.metadata ?? {}).length > 20')],
  },
  {
    name: 'limits-the-body',
    wrong: 'The shop refuses bodies that are larger than eight kilobytes.',
    thread: 'Shopify/shopify-app-js#233',
    caughtBy: 'BIG-03',
    changes: [
      [
        RECEIVE,
        `if (body.length > 8_192) {
          return [413, { error: 'The body is too large' }];
        }
        ${RECEIVE}`,
      ],
    ],
  },
  {
    name: 'drops-what-it-has-no-time-for',
    wrong: 'The shop answers 200 and does nothing while it works on ten other events.',
    thread: 'gnikyt/laravel-shopify#1088',
    caughtBy: 'BIG-04',
    changes: [
      ['const shop = new Shop();', 'const shop = new Shop();\n  let inWork = 0;'],
      [
        RECEIVE,
        `const event = ${VERIFY};
        if (inWork < 10) {
          inWork += 1;
          await new Promise((resolve) => setTimeout(resolve, 20));
          inWork -= 1;
          shop.receive(event);
        }`,
      ],
    ],
  },
  {
    name: 'locks-its-database',
    wrong: 'The shop answers 500 to each request that comes while another one writes.',
    thread: 'dj-stripe/dj-stripe#1571',
    caughtBy: 'BIG-04',
    changes: [
      ['const shop = new Shop();', 'const shop = new Shop();\n  let isLocked = false;'],
      [
        RECEIVE,
        `const event = ${VERIFY};
        if (isLocked) {
          throw new Error('database is locked');
        }
        isLocked = true;
        await new Promise((resolve) => setTimeout(resolve, 20));
        isLocked = false;
        shop.receive(event);`,
      ],
    ],
  },
  {
    name: 'shares-a-variable-of-requests',
    wrong: 'The shop keeps the event of a request where the next request replaces it.',
    thread: 'getdokan/dokan#2621',
    caughtBy: 'BIG-04',
    changes: [
      ['const shop = new Shop();', 'const shop = new Shop();\n  let event: WebhookEvent;'],
      [
        RECEIVE,
        `event = ${VERIFY};
        await new Promise((resolve) => setTimeout(resolve, 5));
        shop.receive(event);`,
      ],
    ],
  },

  {
    name: 'fails-at-unknown-orders',
    wrong: 'The shop answers 500 to a payment of an order that it does not have.',
    thread: 'blockonomics/woocommerce-plugin#264',
    caughtBy: 'STR-01',
    changes: [
      [
        'if (reference !== null) {',
        `if (reference === null || !this.#orders.has(reference)) {
        throw new Error('Order not found');
      } else {`,
      ],
    ],
  },
  {
    name: 'makes-orders-of-payments',
    wrong: 'The shop makes an order of each payment that has none.',
    thread: 'razorpay/razorpay-magento#175',
    caughtBy: 'STR-01',
    changes: [[AT_SUCCESS, `this.openOrder(reference, amount);\n        ${AT_SUCCESS}`]],
  },
];
