import { randomBytes } from 'node:crypto';
import { billPayment } from 'promptparse/generate';

/* What Stripe remembers of one account, for PromptPay (https://docs.stripe.com/payments/promptpay). */

const BILLER_ID = '099400016550100';
/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const AMOUNT_MIN_MINOR = 1_000;
const REFUND_EXPIRES_AFTER_SECONDS = 45 * 86_400;

export interface StoredIntent {
  readonly id: string;
  readonly created: number;
  readonly status: string;
  readonly amount: number;
  readonly amount_received: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface StoredRefund {
  readonly id: string;
  readonly created: number;
  readonly status: string;
  readonly amount: number;
  readonly payment_intent: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: StoredIntent | StoredRefund };
  readonly [field: string]: unknown;
}

export interface StripeError {
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error';
  readonly code?: string;
  readonly param?: string;
  readonly message: string;
  readonly payment_intent?: StoredIntent;
}

/** A response of 4xx. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { readonly error: StripeError };

  constructor(status: number, error: StripeError) {
    super(error.message);
    this.status = status;
    this.body = { error };
  }
}

/** An object of the validator: every field that the document requires. */
type Example = Readonly<Record<string, unknown>>;
type Form = Readonly<Record<string, string>>;

export class StripeAccount {
  readonly #nowSeconds: () => number;
  readonly #version: string;
  /** Oldest first. */
  readonly intents = new Map<string, StoredIntent>();
  readonly refunds = new Map<string, StoredRefund>();
  readonly events: StoredEvent[] = [];
  /** Receives each event. */
  readonly #onEvent: (event: StoredEvent) => void;

  constructor(version: string, nowSeconds: () => number, onEvent: (event: StoredEvent) => void) {
    this.#version = version;
    this.#nowSeconds = nowSeconds;
    this.#onEvent = onEvent;
  }

  createIntent(form: Form, example: Example): StoredIntent {
    if (form['payment_method_types[]'] !== 'promptpay' || form['payment_method_data[type]'] !== 'promptpay') {
      throw invalid('payment_method_types', 'This account takes PromptPay alone.');
    }
    if (form.confirm !== 'true' || form.currency !== 'thb') {
      throw invalid('confirm', 'PromptPay is confirmed at once here, and in baht.');
    }
    const email = form['payment_method_data[billing_details][email]'] ?? '';
    if (email === '') {
      throw missing('payment_method_data[billing_details][email]');
    }
    const amount = Number(form.amount);
    if (amount < AMOUNT_MIN_MINOR) {
      throw new Refusal(400, {
        type: 'invalid_request_error',
        code: 'amount_too_small',
        param: 'amount',
        message: 'Amount must be at least ฿10.00 thb',
      });
    }
    const id = newId('pi');
    const data = billPayment({ billerId: BILLER_ID, amount: amount / 100, ref1: id.slice(-20) });
    const picture = `https://qr.stripe.com/${id}`;
    const intent: StoredIntent = {
      ...this.#strangersIntent(example),
      id,
      client_secret: `${id}_secret_${newId('s')}`,
      status: 'requires_action',
      amount,
      currency: 'thb',
      metadata: metadataOf(form),
      payment_method: newId('pm'),
      payment_method_types: ['promptpay'],
      next_action: {
        type: 'promptpay_display_qr_code',
        promptpay_display_qr_code: {
          data,
          hosted_instructions_url: `https://payments.stripe.com/qr/instructions/${id}`,
          image_url_png: `${picture}.png`,
          image_url_svg: `${picture}.svg`,
        },
      },
    };
    this.#storeIntent(intent, 'created');
    return this.#storeIntent(intent, 'requires_action');
  }

  /** PaymentIntents of other systems in the same account. */
  addStrangers(count: number, example: Example): void {
    for (let made = 0; made < count; made += 1) {
      const stranger = this.#strangersIntent(example);
      this.intents.set(stranger.id, stranger);
    }
  }

  intent(id: string): StoredIntent {
    return this.intents.get(id) ?? notFound('payment_intent', id);
  }

  refundOf(id: string): StoredRefund {
    return this.refunds.get(id) ?? notFound('refund', id);
  }

  cancelIntent(id: string): StoredIntent {
    const intent = this.intent(id);
    if (!['requires_action', 'requires_payment_method'].includes(intent.status)) {
      throw new Refusal(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        payment_intent: intent,
      });
    }
    const canceled = { ...intent, status: 'canceled', canceled_at: this.#nowSeconds(), next_action: null };
    return this.#storeIntent(canceled, 'canceled');
  }

  /** The payer pays the requested or another amount, whatever has become of the payment since. */
  pay(id: string, amount = this.intent(id).amount): StoredIntent {
    return this.#storeIntent(
      {
        ...this.intent(id),
        status: 'succeeded',
        amount_received: amount,
        latest_charge: newId('py'),
        next_action: null,
      },
      'succeeded',
    );
  }

  /** The payer's bank is on it. */
  process(id: string): StoredIntent {
    return this.#storeIntent({ ...this.intent(id), status: 'processing', next_action: null }, 'processing');
  }

  /** The payer's bank declines, or the payment has not come in time. */
  fail(id: string): StoredIntent {
    return this.#storeIntent(
      {
        ...this.intent(id),
        status: 'requires_payment_method',
        next_action: null,
        payment_method: null,
        last_payment_error: {
          type: 'invalid_request_error',
          code: 'payment_intent_payment_attempt_failed',
          message: 'The payment attempt failed.',
        },
      },
      'payment_failed',
    );
  }

  createRefund(form: Form, example: Example): StoredRefund {
    const intent = this.intent(form.payment_intent ?? '');
    const others = [...this.refunds.values()].filter(
      ({ payment_intent, status }) =>
        payment_intent === intent.id && !['failed', 'canceled'].includes(status),
    );
    const left = intent.amount_received - others.reduce((sum, { amount }) => sum + amount, 0);
    const amount = form.amount === undefined ? left : Number(form.amount);
    if (intent.status !== 'succeeded') {
      throw invalid('payment_intent', 'It has no successful charge to refund.');
    }
    if (left === 0) {
      throw new Refusal(400, {
        type: 'invalid_request_error',
        code: 'charge_already_refunded',
        message: 'The charge has already been refunded.',
      });
    }
    if (amount > left) {
      throw invalid('amount', 'The refund is larger than what is left of the charge.');
    }
    const email = form.instructions_email ?? '';
    if (email === '') {
      throw missing('instructions_email');
    }
    const created = this.#nowSeconds();
    return this.#storeRefund(
      {
        ...example,
        id: newId('re'),
        created,
        amount,
        currency: 'thb',
        charge: String(intent.latest_charge),
        payment_intent: intent.id,
        metadata: metadataOf(form),
        destination_details: { type: 'th_bank_transfer', th_bank_transfer: {} },
        instructions_email: email,
        status: 'requires_action',
        next_action: {
          type: 'display_details',
          display_details: {
            email_sent: { email_sent_at: created, email_sent_to: email },
            expires_at: created + REFUND_EXPIRES_AFTER_SECONDS,
          },
        },
      },
      'created',
    );
  }

  /** The payer has named an account for the money, and it is on its way. */
  processRefund(id: string): StoredRefund {
    return this.#endRefund(id, 'pending', 'updated');
  }

  payBack(id: string): StoredRefund {
    return this.#endRefund(id, 'succeeded', 'updated');
  }

  /** The payer's bank declines it. */
  failRefund(id: string): StoredRefund {
    return this.#endRefund(id, 'failed', 'failed', { failure_reason: 'declined' });
  }

  /** The payer has never named an account for the money. */
  expireRefund(id: string): StoredRefund {
    return this.#endRefund(id, 'canceled', 'updated');
  }

  #endRefund(id: string, status: string, event: string, more: object = {}): StoredRefund {
    const { next_action: _, ...refund } = this.refundOf(id);
    return this.#storeRefund({ ...refund, ...more, status } as StoredRefund, event);
  }

  /** A new one that nothing has happened to. */
  #strangersIntent(example: Example): StoredIntent {
    const id = newId('pi');
    return {
      ...example,
      id,
      client_secret: `${id}_secret_${newId('s')}`,
      created: this.#nowSeconds(),
      status: 'requires_confirmation',
      amount: 2_000,
      amount_received: 0,
      metadata: {},
      automatic_payment_methods: null,
      canceled_at: null,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      next_action: null,
      payment_method_configuration_details: null,
      processing: null,
      shipping: null,
      transfer_data: null,
    };
  }

  #storeIntent(intent: StoredIntent, event: string): StoredIntent {
    this.intents.set(intent.id, intent);
    this.#emit(`payment_intent.${event}`, intent);
    return intent;
  }

  #storeRefund(refund: StoredRefund, event: string): StoredRefund {
    this.refunds.set(refund.id, refund);
    this.#emit(`refund.${event}`, refund);
    return refund;
  }

  #emit(type: string, object: StoredIntent | StoredRefund): void {
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: this.#version,
      created: this.#nowSeconds(),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    this.events.push(event);
    this.#onEvent(event);
  }
}

function metadataOf(form: Form): Record<string, string> {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      const [, key] = /^metadata\[(.+)\]$/.exec(name) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex').toUpperCase()}`;
}

function invalid(param: string, message: string): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', param, message });
}

function missing(param: string): Refusal {
  return new Refusal(400, {
    type: 'invalid_request_error',
    code: 'parameter_missing',
    param,
    message: `Missing required param: ${param}.`,
  });
}

function notFound(kind: string, id: string): never {
  throw new Refusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: kind,
    message: `No such ${kind}: '${id}'`,
  });
}
