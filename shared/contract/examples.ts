/* Answers of the running service, by operation. Made by `npm run examples`. */
const deletedWebhookEndpoint = { id: 'whe_01k92fwa00e7t8000000000001', deleted: true };

const testWorld = {
  id: 'wld_01k92fwa00e7t8000000000001',
  name: 'a test',
  expires_at: '2026-11-02T04:00:00.000Z',
  clock: { now: '2026-11-02T03:00:00.000Z', offset_seconds: 0 },
};

const simulationResult = {
  action_id: 'act_01k92fwa00e7t8000000000001',
  outcome: 'matched',
  payment_id: null,
  payout_id: 'pot_01k92fwa00e7t8000000000002',
  refund_id: null,
  provider_event_id: 'pev_01k92fwa00e7t8000000000003',
  replayed: false,
};

const testWorldWithKey = {
  ...testWorld,
  name: 'before the refund',
  expires_at: '2026-11-02T03:30:00.000Z',
  key: 'pg_test_h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2L',
};

const webhookSink = {
  id: 'snk_01k92fwa00e7t8000000000001',
  name: 'sink-1',
  url: 'https://pay.example.com/sink/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ',
  mode: 'test',
  fail_count: 2,
  received_count: 0,
  respond_status: 503,
  created_at: '2026-11-02T03:00:00.000Z',
  updated_at: '2026-11-02T03:00:00.000Z',
};

const settlement = {
  id: 'stl_01k92fwa00e7t8000000000001',
  number: 'S-000001',
  provider: 'sim_provider',
  value_date: '2026-11-02',
  expected: { currency: 'THB', minor: 130900 },
  stated: null,
  payout_id: 'pot_01k92fwa00e7t8000000000002',
  mode: 'test',
  created_at: '2026-11-02T03:00:00.000Z',
  status: 'matched',
};

const payout = {
  id: 'pot_01k92fwa00e7t8000000000001',
  number: 'O-000001',
  settlement_id: 'stl_01k92fwa00e7t8000000000002',
  provider: 'sim_provider',
  amount: { currency: 'THB', minor: 130900 },
  mode: 'test',
  return_reason: null,
  created_at: '2026-11-02T03:00:00.000Z',
  updated_at: '2026-11-02T03:00:00.000Z',
  status: 'pending',
};

const refund = {
  id: 'ref_01k92fwa00e7t8000000000001',
  number: 'R-000001',
  payment_id: 'pay_01k92fwa00e7t8000000000002',
  amount: { currency: 'THB', minor: 1000 },
  reason: null,
  reason_code: 1,
  mode: 'test',
  created_at: '2026-11-02T03:00:00.000Z',
  failure_code: null,
  succeeded_at: null,
  status: 'requested',
  status_history: [{ status: 'requested', at: '2026-11-02T03:00:00.000Z' }],
};

const webhookEndpoint = {
  id: 'whe_01k92fwa00e7t8000000000001',
  url: 'https://pay.example.com/sink/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ',
  description: 'orders',
  events: ['*'],
  status: 'disabled',
  disabled_reason: 'requested',
  previous_secret_expires_at: null,
  mode: 'test',
  api_version: '2026-11-01',
  created_at: '2026-11-02T03:00:00.000Z',
  updated_at: '2026-11-02T03:00:00.000Z',
  last_success_at: null,
  last_failure_at: null,
  failing_since: null,
};

const paymentLink = {
  id: 'lnk_01k92fwa00e7t8000000000001',
  number: 'L-000002',
  code: 'k3v8w1x5za',
  url: 'https://pay.example.com/l/k3v8w1x5za',
  amount: { currency: 'THB', minor: 500 },
  amount_type: 'fixed',
  min_amount: null,
  max_amount: null,
  currency: 'THB',
  collect_email: 'optional',
  collect_name: 'optional',
  collect_phone: 'off',
  created_at: '2026-11-02T03:00:00.000Z',
  description: null,
  expires_at: null,
  max_uses: null,
  uses: 0,
  metadata: {},
  mode: 'test',
  return_url: null,
  status: 'active',
};

const webhookEndpointWithSecret = {
  ...webhookEndpoint,
  description: null,
  status: 'enabled',
  disabled_reason: null,
  previous_secret_expires_at: '2026-11-03T03:00:00.000Z',
  secret: 'whsec_ZXhhbXBsZWV4YW1wbGVleGFtcGxlZXhhbXBsZWV4YW0=',
};

const endpointDelivery = {
  id: 'dlv_01k92fwa00e7t8000000000001',
  endpoint_id: 'whe_01k92fwa00e7t8000000000002',
  event_id: 'evt_01k92fwa00e7t8000000000003',
  attempt: 1,
  status: 'delivered',
  request_headers: {
    'content-type': 'application/json',
    'user-agent': 'Payments-Webhooks/1',
    'webhook-id': 'evt_01k92fwa00e7t8000000000003',
    'webhook-timestamp': '1793588400',
    'webhook-signature': 'v1,c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJlc2lnbmE=',
    'webhook-attempt': '1',
  },
  body: '{"id":"evt_01k92fwa00e7t8000000000003","type":"webhook.ping","timestamp":"2026-11-02T03:00:00.000Z","mode":"test","api_version":"2026-11-01","data":{"object":{"id":"whe_01k92fwa00e7t8000000000002"},"previous_status":null},"request":{"id":"req_01k92fwa00e7t8000000000004","idempotency_key":"019a42fe-2800-7a3e-8000-000000000001"}}',
  answered_status: 200,
  answered_body: '{"received":true}',
  failure: null,
  duration_ms: 12,
  attempted_at: '2026-11-02T03:00:00.000Z',
  next_attempt_at: null,
};

const payment = {
  id: 'pay_01k92fwa00e7t8000000000001',
  number: 'P-000002',
  amount: { currency: 'THB', minor: 1000 },
  checkout_url: null,
  created_at: '2026-11-02T03:00:00.000Z',
  description: null,
  expires_at: '2026-11-02T03:15:00.000Z',
  failure_code: null,
  late: false,
  metadata: {},
  method: 'promptpay',
  mode: 'test',
  next_action: {
    type: 'display_qr',
    qr: {
      payload:
        '00020101021230630016A00000067701011201150000000000000000220WA00E7T800000000000153037645802TH540510.006304355E',
      image_svg_url:
        'https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg',
    },
    expires_at: '2026-11-02T03:15:00.000Z',
  },
  received: null,
  reference: null,
  refunded_minor: 0,
  payment_link_id: null,
  return_url: null,
  status: 'requires_action',
  status_history: [
    { status: 'created', at: '2026-11-02T03:00:00.000Z' },
    { status: 'requires_action', at: '2026-11-02T03:00:00.000Z' },
  ],
  succeeded_at: null,
  customer_email: null,
  customer_name: null,
  customer_phone: null,
};

const event = {
  id: 'evt_01k92fwa00e7t8000000000001',
  type: 'payment.requires_action',
  timestamp: '2026-11-02T03:00:00.000Z',
  mode: 'test',
  api_version: '2026-11-01',
  sequence: 6,
  data: {
    object: {
      ...payment,
      id: 'pay_01k92fwa00e7t8000000000002',
      next_action: {
        type: 'display_qr',
        qr: {
          payload:
            '00020101021230630016A00000067701011201150000000000000000220WA00E7T800000000000253037645802TH540510.0063040AF4',
          image_svg_url:
            'https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg',
        },
        expires_at: '2026-11-02T03:15:00.000Z',
      },
    },
    previous_status: 'created',
  },
  request: { id: 'req_01k92fwa00e7t8000000000003', idempotency_key: '019a42fe-2800-7a3e-8000-000000000001' },
};

const dailyStatisticsList = {
  data: [
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-01',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 0, amount: { currency: 'THB', minor: 0 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: {},
    },
    {
      date: '2026-11-02',
      paid: { count: 1, amount: { currency: 'THB', minor: 129900 } },
      refunded: { count: 0, amount: { currency: 'THB', minor: 0 } },
      by_method: { promptpay: { count: 1, amount: { currency: 'THB', minor: 129900 } } },
    },
  ],
};

export const EXAMPLES: Readonly<Record<string, unknown>> = {
  'payments.CreatePayment': {
    ...payment,
    amount: { currency: 'THB', minor: 129900 },
    description: 'Two tickets to Chiang Mai',
    metadata: { cart: 'c_77' },
    next_action: {
      type: 'display_qr',
      qr: {
        payload:
          '00020101021230630016A00000067701011201150000000000000000220WA00E7T800000000000153037645802TH54071299.00630495EC',
        image_svg_url:
          'https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg',
      },
      expires_at: '2026-11-02T03:15:00.000Z',
    },
    reference: 'order-1042',
    customer_email: 'somchai@example.com',
    customer_name: 'Somchai Jaidee',
    customer_phone: '+66812345678',
  },
  'payments.CancelPayment': {
    id: 'pay_01k92fwa00e7t8000000000001',
    number: 'P-000002',
    amount: { currency: 'THB', minor: 1000 },
    checkout_url: null,
    created_at: '2026-11-02T03:00:00.000Z',
    description: null,
    expires_at: '2026-11-02T03:15:00.000Z',
    failure_code: null,
    late: false,
    metadata: {},
    method: 'promptpay',
    mode: 'test',
    next_action: null,
    received: null,
    reference: null,
    refunded_minor: 0,
    payment_link_id: null,
    return_url: null,
    status: 'canceled',
    status_history: [
      { status: 'created', at: '2026-11-02T03:00:00.000Z' },
      { status: 'requires_action', at: '2026-11-02T03:00:00.000Z' },
      { status: 'canceled', at: '2026-11-02T03:00:00.000Z' },
    ],
    succeeded_at: null,
    customer: { email: null, name: null, phone: null },
  },
  'payments.GetPayment': payment,
  'payments.ListPayments': {
    ...dailyStatisticsList,
    data: [payment],
    has_more: true,
    next_cursor: 'MTc5MzU4ODQwMDAwMDpleGFtcGxl',
  },
  'payments.RequestRefund': {
    ...refund,
    amount: { currency: 'THB', minor: 50000 },
    reason: 'One ticket was not used',
  },
  'payments.CancelRefund': {
    ...refund,
    status: 'canceled',
    status_history: [
      { status: 'requested', at: '2026-11-02T03:00:00.000Z' },
      { status: 'canceled', at: '2026-11-02T03:00:00.000Z' },
    ],
  },
  'payments.GetRefund': refund,
  'payments.ListRefunds': { ...dailyStatisticsList, data: [refund], has_more: false, next_cursor: null },
  'checkout.CreatePaymentLink': {
    ...paymentLink,
    amount: { currency: 'THB', minor: 35000 },
    collect_email: 'required',
    description: 'Cooking class, one seat',
    max_uses: 12,
  },
  'checkout.DisablePaymentLink': { ...paymentLink, status: 'disabled' },
  'checkout.GetPaymentLink': paymentLink,
  'checkout.ListPaymentLinks': {
    ...dailyStatisticsList,
    data: [paymentLink],
    has_more: true,
    next_cursor: 'MTc5MzU4ODQwMDAwMDpleGFtcGxl',
  },
  'payouts.GetPayout': payout,
  'payouts.ListPayouts': { ...dailyStatisticsList, data: [payout], has_more: false, next_cursor: null },
  'settlements.GetSettlement': settlement,
  'settlements.ListSettlements': {
    ...dailyStatisticsList,
    data: [settlement],
    has_more: false,
    next_cursor: null,
  },
  'reports.GetBalance': {
    unsettled: { currency: 'THB', minor: 129900 },
    pending: { currency: 'THB', minor: 0 },
    paid_out: { currency: 'THB', minor: 0 },
    as_of: '2026-11-02T03:00:00.000Z',
  },
  'reports.GetDailyStatistics': dailyStatisticsList,
  'events.GetEvent': event,
  'events.ListEvents': {
    ...dailyStatisticsList,
    data: [event],
    has_more: true,
    next_cursor: 'MTc5MzU4ODQwMDAwMDpleGFtcGxl',
  },
  'webhooks.CreateWebhookEndpoint': {
    ...webhookEndpointWithSecret,
    url: 'https://shop.example.com/webhooks',
    events: ['payment.*', 'refund.succeeded'],
    previous_secret_expires_at: null,
  },
  'webhooks.UpdateWebhookEndpoint': webhookEndpoint,
  'webhooks.DeleteWebhookEndpoint': deletedWebhookEndpoint,
  'webhooks.RotateWebhookSecret': webhookEndpointWithSecret,
  'webhooks.SendTestEvent': endpointDelivery,
  'webhooks.RecoverEvents': { events_queued: 4, has_more: false, next_since: null },
  'webhooks.RedeliverEvent': {
    endpoint_id: 'whe_01k92fwa00e7t8000000000001',
    event_id: 'evt_01k92fwa00e7t8000000000002',
    due_at: '2026-11-02T03:00:00.000Z',
  },
  'webhooks.GetWebhookEndpoint': { ...webhookEndpointWithSecret, previous_secret_expires_at: null },
  'webhooks.ListWebhookEndpoints': {
    ...dailyStatisticsList,
    data: [{ ...webhookEndpoint, description: null, status: 'enabled', disabled_reason: null }],
    has_more: false,
    next_cursor: null,
  },
  'webhooks.ListEndpointDeliveries': {
    ...dailyStatisticsList,
    data: [
      {
        ...endpointDelivery,
        body: '{"id":"evt_01k92fwa00e7t8000000000003","type":"payment.requires_action","timestamp":"2026-11-02T03:00:00.000Z","mode":"test","api_version":"2026-11-01","sequence":7,"data":{"object":{"id":"pay_01k92fwa00e7t8000000000004","number":"P-000002","amount":{"currency":"THB","minor":1000},"checkout_url":null,"created_at":"2026-11-02T03:00:00.000Z","description":null,"expires_at":"2026-11-02T03:15:00.000Z","failure_code":null,"late":false,"metadata":{},"method":"promptpay","mode":"test","next_action":{"type":"display_qr","qr":{"payload":"00020101021230630016A00000067701011201150000000000000000220EZYEE288C5T99E2QJT4R53037645802TH540510.006304DF7A","image_svg_url":"https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg"},"expires_at":"2026-11-02T03:15:00.000Z"},"received":null,"reference":null,"refunded_minor":0,"payment_link_id":null,"return_url":null,"status":"requires_action","status_history":[{"status":"created","at":"2026-11-02T03:00:00.000Z"},{"status":"requires_action","at":"2026-11-02T03:00:00.000Z"}],"succeeded_at":null,"customer_email":null,"customer_name":null,"customer_phone":null},"previous_status":"created"},"request":{"id":"req_01k92fwa00e7t8000000000005","idempotency_key":"019a42fe-2800-7a3e-8000-000000000001"}}',
      },
    ],
    has_more: true,
    next_cursor: 'MTc5MzU4ODQwMDAwMDpleGFtcGxl',
  },
  'webhooks.ListEventDeliveries': { ...dailyStatisticsList, data: [], has_more: false, next_cursor: null },
  'keys.GetKey': {
    id: 'key_01k92fwa00e7t8000000000001',
    label: 'test',
    mode: 'test',
    merchant: 'm-019a42fe-2800-7a3e-8000-000000000001',
    merchant_name: null,
    permissions: [
      'payment.create',
      'payment.cancel',
      'payment.read',
      'refund.request',
      'refund.cancel',
      'refund.read',
      'paymentlink.create',
      'paymentlink.manage',
      'paymentlink.read',
      'event.read',
      'webhook.manage',
      'webhook.read',
      'simulate',
      'seed',
      'reset',
      'world.create',
    ],
    expires_at: null,
    world: '5f0c1de2a9b84736',
  },
  'testkit.SimulatePayment': {
    ...simulationResult,
    outcome: 'succeeded',
    payment_id: 'pay_01k92fwa00e7t8000000000002',
    payout_id: null,
  },
  'testkit.SimulateRefund': {
    ...simulationResult,
    outcome: 'succeeded',
    payment_id: 'pay_01k92fwa00e7t8000000000002',
    payout_id: null,
    refund_id: 'ref_01k92fwa00e7t8000000000003',
    provider_event_id: 'pev_01k92fwa00e7t8000000000004',
  },
  'testkit.SimulatePayout': { ...simulationResult, outcome: 'paid' },
  'testkit.SimulateSettlement': simulationResult,
  'testkit.CreateWebhookSink': { ...webhookSink, name: 'orders', fail_count: 0, respond_status: 200 },
  'testkit.UpdateWebhookSink': webhookSink,
  'testkit.GetWebhookSink': {
    ...webhookSink,
    fail_count: 0,
    respond_status: 200,
    secret: 'whsec_ZXhhbXBsZWV4YW1wbGVleGFtcGxlZXhhbXBsZWV4YW0=',
  },
  'testkit.ListWebhookSinks': {
    ...dailyStatisticsList,
    data: [{ ...webhookSink, fail_count: 0, respond_status: 200 }],
    has_more: false,
    next_cursor: null,
  },
  'testkit.ListDeliveries': {
    ...dailyStatisticsList,
    data: [
      {
        id: 'dlv_01k92fwa00e7t8000000000001',
        sink_id: 'snk_01k92fwa00e7t8000000000002',
        event_id: 'evt_01k92fwa00e7t8000000000003',
        attempt: 1,
        status: 'delivered',
        request_headers: {
          'content-type': 'application/json',
          'user-agent': 'Payments-Webhooks/1',
          'webhook-id': 'evt_01k92fwa00e7t8000000000003',
          'webhook-timestamp': '1793588400',
          'webhook-signature': 'v1,c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJlc2lnbmE=',
          'webhook-attempt': '1',
        },
        body: '{"id":"evt_01k92fwa00e7t8000000000003","type":"payment.requires_action","timestamp":"2026-11-02T03:00:00.000Z","mode":"test","api_version":"2026-11-01","sequence":6,"data":{"object":{"id":"pay_01k92fwa00e7t8000000000004","number":"P-000002","amount":{"currency":"THB","minor":1000},"checkout_url":null,"created_at":"2026-11-02T03:00:00.000Z","description":null,"expires_at":"2026-11-02T03:15:00.000Z","failure_code":null,"late":false,"metadata":{},"method":"promptpay","mode":"test","next_action":{"type":"display_qr","qr":{"payload":"00020101021230630016A00000067701011201150000000000000000220FQ0QE4FTX10724B0GK3853037645802TH540510.006304636C","image_svg_url":"https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg"},"expires_at":"2026-11-02T03:15:00.000Z"},"received":null,"reference":null,"refunded_minor":0,"payment_link_id":null,"return_url":null,"status":"requires_action","status_history":[{"status":"created","at":"2026-11-02T03:00:00.000Z"},{"status":"requires_action","at":"2026-11-02T03:00:00.000Z"}],"succeeded_at":null,"customer_email":null,"customer_name":null,"customer_phone":null},"previous_status":"created"},"request":{"id":"req_01k92fwa00e7t8000000000005","idempotency_key":"019a42fe-2800-7a3e-8000-000000000001"}}',
        answered_status: 200,
        answered_body: null,
        failure: null,
        duration_ms: 12,
        attempted_at: '2026-11-02T03:00:00.000Z',
        next_attempt_at: null,
        signature_verdict: 'valid',
      },
    ],
    has_more: true,
    next_cursor: 'MTc5MzU4ODQwMDAwMDpleGFtcGxl',
  },
  'testkit.Redeliver': {
    sink_id: 'snk_01k92fwa00e7t8000000000001',
    event_id: 'evt_01k92fwa00e7t8000000000002',
    due_at: '2026-11-02T03:00:00.000Z',
  },
  'testkit.ReceiveWebhook': { received: true },
  'testkit.GetClock': {
    now: '2026-11-02T03:00:00.000Z',
    offset_seconds: 0,
    next_job_at: null,
    parked_jobs: 0,
  },
  'testkit.AdvanceClock': {
    action_id: 'act_01k92fwa00e7t8000000000001',
    advanced_seconds: 3600,
    jobs_run: 0,
    shifted: {
      from: '2026-11-02T03:00:00.000Z',
      to: '2026-11-02T04:00:00.000Z',
      payments_expired: 0,
      refunds_approved: 0,
      simulations_applied: 0,
      deliveries_attempted: 0,
      jobs_remaining: 0,
    },
  },
  'testkit.SeedTestData': {
    action_id: 'act_01k92fwa00e7t8000000000001',
    already_seeded: false,
    profile: 'small',
    created: { payments: 10, refunds: 3, payment_links: 2, payouts: 1, settlements: 1, sinks: 1 },
    ids: {
      'payment.succeeded.bank_transfer': 'pay_01k92fwa00e7t8000000000002',
      'payment.succeeded.refunded': 'pay_01k92fwa00e7t8000000000003',
      'payment.succeeded': 'pay_01k92fwa00e7t8000000000004',
      'payment.succeeded.unsettled': 'pay_01k92fwa00e7t8000000000005',
      'payment.canceled': 'pay_01k92fwa00e7t8000000000006',
      'payment.expired': 'pay_01k92fwa00e7t8000000000007',
      'payment.failed': 'pay_01k92fwa00e7t8000000000008',
      'payment.processing': 'pay_01k92fwa00e7t8000000000009',
      'payment.created': 'pay_01k92fwa00e7t8000000000010',
      'payment.requires_action.promptpay': 'pay_01k92fwa00e7t8000000000011',
      'refund.succeeded': 'ref_01k92fwa00e7t8000000000012',
      'refund.canceled': 'ref_01k92fwa00e7t8000000000013',
      'refund.requested': 'ref_01k92fwa00e7t8000000000014',
      'payment_link.disabled': 'lnk_01k92fwa00e7t8000000000015',
      'payment_link.active': 'lnk_01k92fwa00e7t8000000000016',
      'settlement.matched': 'stl_01k92fwa00e7t8000000000017',
      'payout.paid': 'pot_01k92fwa00e7t8000000000018',
      'sink.plain': 'snk_01k92fwa00e7t8000000000019',
    },
    skipped: { payments: 0, refunds: 0, payment_links: 0, payouts: 0, settlements: 0, sinks: 0 },
    summary: {
      from: '2026-10-31T03:00:00.000Z',
      to: '2026-11-02T02:55:00.000Z',
      gross_minor: 519600,
      refunded_minor: 25000,
      currency: 'THB',
    },
  },
  'testkit.PurgeTestData': {
    action_id: 'act_01k92fwa00e7t8000000000001',
    status: 'completed',
    reason: 'requested',
    reset_at: '2026-11-02T03:00:00.000Z',
    jobs_canceled: 0,
    outbox_canceled: 0,
    deleted: {
      payments: 1,
      refunds: 0,
      payment_links: 1,
      payouts: 0,
      settlements: 0,
      events: 4,
      webhook_endpoints: 0,
      sinks: 0,
    },
    kept: { api_keys: 1 },
    modules: {
      payments: 'reset',
      checkout: 'reset',
      payouts: 'reset',
      events: 'reset',
      webhooks: 'reset',
      testkit: 'reset',
      clock: 'reset',
    },
    sequences_reset: { payments: 1, refunds: 0, payment_links: 1, payouts: 0, settlements: 0, events: 4 },
  },
  'testkit.ListRequests': {
    ...dailyStatisticsList,
    data: [
      {
        id: 'req_01k92fwa00e7t8000000000001',
        at: '2026-11-02T03:00:00.000Z',
        method: 'POST',
        path: '/api/v1/payment-links',
        operation: 'checkout.CreatePaymentLink',
        status: 201,
        code: null,
        duration_ms: 12,
        key_id: 'key_01k92fwa00e7t8000000000002',
        idempotency_key: '019a42fe-2800-7a3e-8000-000000000001',
        replayed: false,
        request_body:
          '{"amount":{"type":"fixed","fixed":{"currency":"THB","minor":35000}},"collect":{"email":"required"},"description":"Cooking class, one seat","max_uses":12}',
        response_body:
          '{"id":"lnk_01k92fwa00e7t8000000000003","number":"L-000001","code":"k3v8w1x5za","url":"https://pay.example.com/l/k3v8w1x5za","amount":{"currency":"THB","minor":35000},"amount_type":"fixed","min_amount":null,"max_amount":null,"currency":"THB","collect_email":"required","collect_name":"optional","collect_phone":"off","created_at":"2026-11-02T03:00:00.000Z","description":"Cooking class, one seat","expires_at":null,"max_uses":12,"uses":0,"metadata":{},"mode":"test","return_url":null,"status":"active"}',
      },
    ],
    has_more: true,
    next_cursor: 'MTc5MzU4ODQwMDAwMDpleGFtcGxl',
  },
  'testkit.CreateTestWorld': { ...testWorldWithKey, name: 'checkout tests' },
  'testkit.ForkTestWorld': testWorldWithKey,
  'testkit.ListTestWorlds': { ...dailyStatisticsList, data: [testWorld], has_more: false, next_cursor: null },
  'testkit.GetTestWorld': testWorld,
  'testkit.DeleteTestWorld': { ...deletedWebhookEndpoint, id: 'wld_01k92fwa00e7t8000000000001' },
  'checkout.GetCheckoutPage':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="robots" content="noindex">\n<meta name="referrer" content="same-origin">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E">\n<title>฿10.00 · Waiting for your payment</title>\n',
  'checkout.ActOnCheckout':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="robots" content="noindex">\n<meta name="referrer" content="same-origin">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E">\n<title>฿10.00 · Waiting for your payment</title>\n',
  'checkout.GetLinkPage':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="robots" content="noindex">\n<meta name="referrer" content="same-origin">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E">\n<title>Payment</title>\n',
  'checkout.PayByLink':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="robots" content="noindex">\n<meta name="referrer" content="same-origin">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E">\n<title>฿5.00 · Choose how to pay</title>\n',
  'providers.ReceiveNotice': { received: true },
  'service.GetStartPage':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="description" content="Payments for Thailand: the documentation of the payment API.">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E">\n<title>Payments for Thailand · Payments</title>\n',
  'service.GetStartPage as JSON': {
    dashboard: 'https://pay.example.com/console',
    docs: 'https://pay.example.com/docs',
    errors: 'https://pay.example.com/errors',
    openapi: 'https://pay.example.com/api/v1/openapi.json',
  },
  'service.GetDocs':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="description" content="Documentation: the documentation of the payment API.">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E">\n<title>Documentation · Payments</title>\n',
  'service.GetDocs as JSON': {
    ...dailyStatisticsList,
    data: [
      {
        kind: 'guide',
        name: 'first-payment',
        title: 'A first payment',
        text: 'Create a payment, let it be paid in your test world, and read what became of it.',
        url: 'https://pay.example.com/docs/first-payment',
      },
      {
        kind: 'guide',
        name: 'idempotency',
        title: 'Safe retries',
        text: 'Send the same request again after a time-out or a crash, and be sure that it takes effect once.',
        url: 'https://pay.example.com/docs/idempotency',
      },
      {
        kind: 'guide',
        name: 'webhooks',
        title: 'Webhooks',
        text: 'Receive an event at your own server when a payment is paid, and know that it came from here.',
        url: 'https://pay.example.com/docs/webhooks',
      },
      {
        kind: 'guide',
        name: 'testing',
        title: 'Testing with the clock',
        text: 'Let payments fail, hours pass, and receivers break, in seconds and without a mock. Put your own receiver to the exam.',
        url: 'https://pay.example.com/docs/testing',
      },
    ],
  },
  'service.GetGuide':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="description" content="Webhooks: the documentation of the payment API.">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E">\n<title>Webhooks · Payments</title>\n',
  'service.GetGuide as JSON': {
    name: 'webhooks',
    title: 'Webhooks',
    summary: 'Receive an event at your own server when a payment is paid, and know that it came from here.',
    markdown:
      "# Webhooks\n\nReceive an event at your own server when a payment is paid, and know that it came from here.\n\nA webhook is a POST request with one event as JSON. It is signed as [Standard Webhooks](https://www.standardwebhooks.com) says, so that libraries in many languages can verify it. Create an endpoint with [Create Webhook Endpoint](/docs/api/webhooks.CreateWebhookEndpoint); its answer shows the signing secret, `whsec_…`, once.\n\n## What a receiver does\n\n1. Read the body as bytes, before anything parses it: the signature is of these bytes.\n2. Verify the signature. Answer 400 where it is wrong.\n3. Store the event's `id` and its effect in one transaction. Do nothing for an id that is there already: an event may come more than once.\n4. Answer with a status from 200 to 299 within 15 seconds, and do slow work afterwards.\n\nAny other answer, also a redirect, is a failure: the event",
  },
  'service.GetOperationDocs':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="description" content="Create a payment: the documentation of the payment API.">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E">\n<title>Create a payment · Payments</title>\n',
  'service.GetOperationDocs as JSON': {
    name: 'createPayment',
    operationId: 'payments.CreatePayment',
    summary: 'Create a payment',
    description:
      'With a method, the status is `requires_action` at once, and `next_action` says what to show the payer. Without a method, the status is `created`, and the payer chooses one on the page at `checkout_url`.',
    tags: ['payments'],
    'x-permission': 'payment.create',
    parameters: [
      { $ref: '#/components/parameters/IdempotencyKey' },
      { $ref: '#/components/parameters/PgVersion' },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/CreatePaymentRequest' },
          example: {
            amount: { currency: 'THB', minor: 129900 },
            method: 'promptpay',
            reference: 'order-1042',
            description: 'Two tickets to Chiang Mai',
            customer: { email: 'somchai@example.com', name: 'Somchai Jaidee', phone: '0812345678' },
            metadata: { cart: 'c_77' },
          },
        },
      },
    },
    responses: {
      '201': {
        description: 'Create a payment',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          'PG-Version': { $ref: '#/components/headers/PgVersion' },
          'PG-Clock': { $ref: '#/components/headers/PgClock' },
          'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' },
          'Original-Request-Id': { $ref: '#/components/headers/OriginalRequestId' },
        },
      },
    },
  },
  'service.GetObjectDocs':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="description" content="Payment: the documentation of the payment API.">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E">\n<title>Payment · Payments</title>\n',
  'service.GetObjectDocs as JSON': {
    name: 'Payment',
    schema: {
      description: 'A payment of one amount by one payer.',
      type: 'object',
      properties: {
        id: {
          type: 'string',
          pattern: '^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$',
          description: 'The id of the payment.',
        },
        number: {
          type: 'string',
          description:
            'Human-readable number: a letter and at least six digits (`P-000001`), counted per merchant and mode. There may be gaps.',
        },
        amount: { $ref: '#/components/schemas/Money', description: 'The amount to pay.' },
        checkout_url: {
          anyOf: [{ type: 'string' }, { type: 'null' }],
          description:
            "URL of the payer's checkout page. Null if a method was given without `checkout: true`.",
        },
        created_at: {
          type: 'string',
          format: 'date-time',
          description: "Time of creation, on the merchant's clock.",
        },
        description: {
          anyOf: [{ type: 'string' }, { type: 'null' }],
          description: 'Description shown to the payer; null if none was given.',
        },
        expires_at: {
          type: 'string',
          format: 'date-time',
          description: "Time at which the payment expires, on the merchant's clock.",
        },
        failure_code: {
          anyOf: [{ type: 'string' }, { type: 'null' }],
          description:
            "The provider's code of the failure, such as `insufficient_funds`; null unless the payment failed with one.",
        },
      },
    },
  },
  'service.GetEventDocs':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="description" content="payment.succeeded: the documentation of the payment API.">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E">\n<title>payment.succeeded · Payments</title>\n',
  'service.GetEventDocs as JSON': {
    type: 'payment.succeeded',
    operationId: 'deliveries.PaymentSucceeded',
    summary: 'payment succeeded',
    description:
      'The payment is paid: fulfill the order now. With `late: true`, the money came after the payment had expired or was canceled; fulfill the order, or refund it.',
    tags: ['deliveries'],
    security: [],
    parameters: [
      {
        name: 'webhook-id',
        in: 'header',
        required: true,
        description: 'The id of the event: the same at each attempt, so that you can recognize duplicates.',
        schema: { type: 'string' },
      },
      {
        name: 'webhook-timestamp',
        in: 'header',
        required: true,
        description: 'Time of this attempt as a Unix timestamp in seconds, in real time.',
        schema: { type: 'string' },
      },
      {
        name: 'webhook-signature',
        in: 'header',
        required: true,
        description:
          '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` with your secret, in Base64 (Standard Webhooks). There may be several signatures, separated by spaces: one match is enough.',
        schema: { type: 'string' },
      },
    ],
  },
  'service.GetErrorPages':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="description" content="Errors: the documentation of the payment API.">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E">\n<title>Errors · Payments</title>\n',
  'service.GetErrorPages as JSON': {
    ...dailyStatisticsList,
    data: [
      {
        code: 'malformed_json',
        status: 400,
        title: 'Malformed JSON',
        advice: 'Send the body as one JSON object, encoded in UTF-8.',
      },
      {
        code: 'malformed_request',
        status: 400,
        title: 'Malformed request',
        advice:
          'Send a complete HTTP/1.1 request: one Host header, the declared body length, and UTF-8 text.',
      },
      {
        code: 'request_timeout',
        status: 408,
        title: 'Request timeout',
        advice: 'Send the complete request without delay.',
      },
      {
        code: 'expectation_failed',
        status: 417,
        title: 'Expectation failed',
        advice: 'Remove the Expect header, or send "Expect: 100-continue".',
      },
      {
        code: 'headers_too_large',
        status: 431,
        title: 'Request header fields too large',
        advice: 'The URL and the headers together must not exceed 16 KB.',
      },
      {
        code: 'idempotency_key_missing',
        status: 400,
        title: 'Missing Idempotency-Key header',
        advice:
          'Send an Idempotency-Key header with a new value for each operation; a UUID version 7 is recommended. Repeat the same value when you retry.',
      },
    ],
  },
  'service.GetOpenApi': {
    openapi: '3.1.0',
    info: {
      title: 'Payments',
      version: '2026-11-01',
      summary: 'Payments, refunds and payment links for Thailand, with a test kit.',
      description:
        'Amounts are integers in minor units. Every operation that changes something takes an `Idempotency-Key` and takes effect once, however often it is sent. Every error is an `application/problem+json` document whose `type` is the URL of a page that explains it.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: 'https://pay.example.com', description: 'This deployment' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'payments', description: 'Payments by payers, and their refunds.' },
      {
        name: 'checkout',
        description: 'Payment links, and the pages on which payers choose a method and pay.',
      },
      { name: 'payouts', description: 'Money on its way to the bank account of the merchant.' },
      {
        name: 'settlements',
        description: 'What a provider states that it owes, compared with the expected amount.',
      },
    ],
  },
  'service.GetErrorPage':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="description" content="invalid_state: Not allowed in the current status: the documentation of the payment API.">\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E">\n<title>invalid_state: Not allowed in the current status · Payments</title>\n',
  'service.GetErrorPage as JSON': {
    code: 'invalid_state',
    status: 409,
    title: 'Not allowed in the current status',
    advice:
      'Retrieve the resource again. details.current_status is its current status; details.allowed_from lists the statuses that allow this operation.',
    causes: [
      'The object has changed since you last read it: the payer has paid, or time has passed.',
      'Two workers of yours act on the same object.',
    ],
    retry_after_seconds: null,
    operations: [
      'cancelPayment',
      'requestRefund',
      'cancelRefund',
      'sendTestEvent',
      'recoverEvents',
      'redeliverEvent',
      'simulatePayment',
      'simulateRefund',
      'simulatePayout',
    ],
  },
  'checkout.GetPaymentQr':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 450 450"><rect fill="white" width="450" height="450"/><path fill="black" d="M40,40h10v10h-10zM50,40h10v10h-10zM60,40h10v10h-10zM70,40h10v10h-10zM80,40h10v10h-10zM90,40h10v10h-10zM100,40h10v10h-10zM150,40h10v10h-10zM180,40h10v10h-10zM220,40h10v10h-10zM240,40h10v10h-10zM250,40h10v10h-10zM300,40h10v10h-10zM340,40h10v10h-10zM350,40h10v10h-10zM360,40h10v10h-10zM370,40h10v10h-10zM380,40h10v10h-10zM390,40h10v10h-10zM400,40h10v10h-10zM40,50h10v10h-10zM100,50h10v10h-10zM120,50h10v10h-10zM130,50h10v10h-10zM210,50h10v10h-10zM230,50h10v10h-10zM260,50h10v10h-10zM290,50h10v10h-10zM310,50h10v10h-10zM340,50h10v10h-10zM400,50h10v10h-10zM40,60h10v10h-10zM60,60h10v10h-10zM70,60h10v10h-10zM80,60h10v10h-10zM100,60h10v10h-10zM150,60h10v10h-10zM170,60h10v10h-10zM180,60h10v10h-10zM200,60h10v10h-10zM220,60h10v10h-10zM240,60h10v10h-10zM260,60h10v10h-10zM270,60h10v10h-10zM280,60h10v10h-10zM300,60h10v10h-10zM340,60h10v10h-10zM360,60h10v10h-10zM370,60h10v10h-10zM380,60h10v10h-10zM400,60h10v10h-10zM40,70h10v10h-10zM60,70h10v10h-10zM70,70h10v10h-10zM80,70h10v10h-10zM100,70h10v10h-10zM200,70h10v10h-10zM210,70h10v10h-10zM230,70h10v10h-10zM250,70h10v10h-10zM270,70h10v10h-10zM280,70h10v10h-10zM290,70h10v10h-10zM340,70h10v10h-10zM360,70h10v10h-10zM370,70h10v10h-10zM380,70h10v10h-10zM400,70h10v10h-10zM40,80h10v10h-10zM60,80h10v10h-10zM70,80h10v10h-10zM80,80h10v10h-10zM100,80h10v10h-10zM120,80h10v10h-10zM140,80h10v10h-10zM150,80h10v10h-10zM160,80h10v10h-10zM190,80h10v10h-10zM210,80h10v10h-10zM220,80h10v10h-10zM240,80h10v10h-10zM250,80h10v10h-10zM260,80h10v10h-10zM300,80h10v10h-10zM320,80h10v10h-10zM340,80h10v10h-10zM360,80h10v10h-10zM370,80h10v10h-10zM380,80h10v10h-10zM400,80h10v10h-10zM40,90h10v10h-10zM100,90h10v10h-10zM140,90h10v10h-10zM160,90h10v10h-10zM180,90h10v10h-10zM190,90h10v10h-10zM220,90h10v10h-10zM230,90h10v10h-10zM260,90h10v10h-10zM270,90h10v10h-10zM290,90h10v10h-10zM300,90h10v10h-10zM340,90h10v10h-10zM400,90h10v10h-10zM40,100h10v10h-10zM50,100h10v10h-10zM60,100h10v10h-10zM70,100h10v10h-10zM80,100h10v10h-10zM90,100h10v10h-10zM100,100h10v10h-10zM120,100h10v10h-10zM140,100h10v10h-10zM160,100h10v10h-10zM180,100h10v10h-10zM200,100h10v10h-10zM220,100h10v10h-10zM240,100h10v10h-10zM260,100h10v10h-10zM280,100h10v10h-10zM300,100h10v10h-10zM320,100h10v10h-10zM340,100h10v10h-10zM350,100h10v10h-10zM360,100h10v10h-10zM370,100h10v10h-10zM380,100h10v10h-10zM390,100h10v10h-10zM400,100h10v10h-10zM160,110h10v10h-10zM170,110h10v10h-10zM190,110h10v10h-10zM200,110h10v10h-10zM230,110h10v10h-10zM270,110h10v10h-10zM310,110h10v10h-10zM40,120h10v10h-10zM60,120h10v10h-10zM80,120h10v10h-10zM100,120h10v10h-10zM130,120h10v10h-10zM170,120h10v10h-10zM180,120h10v10h-10zM240,120h10v10h-10zM280,120h10v10h-10zM300,120h10v10h-10zM360,120h10v10h-10zM390,120h10v10h-10zM50,130h10v10h-10zM70,130h10v10h-10zM110,130h10v10h-10zM130,130h10v10h-10zM140,130h10v10h-10zM160,130h10v10h-10zM180,130h10v10h-10zM190,130h10v10h-10zM210,130h10v10h-10zM230,130h10v10h-10zM250,130h10v10h-10zM270,130h10v10h-10zM290,130h10v10h-10zM310,130h10v10h-10zM340,130h10v10h-10zM370,130h10v10h-10zM390,130h10v10h-10zM40,140h10v10h-10zM70,140h10v10h-10zM100,140h10v10h-10zM110,140h10v10h-10zM140,140h10v10h-10zM150,140h10v10h-10zM160,140h10v10h-10zM220,140h10v10h-10zM260,140h10v10h-10zM270,140h10v10h-10zM280,140h10v10h-10zM300,140h10v10h-10zM340,140h10v10h-10zM370,140h10v10h-10zM380,140h10v10h-10zM400,140h10v10h-10zM50,150h10v10h-10zM80,150h10v10h-10zM90,150h10v10h-10zM110,150h10v10h-10zM130,150h10v10h-10zM140,150h10v10h-10zM150,150h10v10h-10zM160,150h10v10h-10zM170,150h10v10h-10zM180,150h10v10h-10zM190,150h10v10h-10zM210,150h10v10h-10zM230,150h10v10h-10zM240,150h10v10h-10zM250,150h10v10h-10zM290,150h10v10h-10zM310,150h10v10h-10zM330,150h10v10h-10zM340,150h10v10h-10zM350,150h10v10h-10zM360,150h10v10h-10zM370,150h10v10h-10zM380,150h10v10h-10zM390,150h10v10h-10zM40,160h10v10h-10zM50,160h10v10h-10zM70,160h10v10h-10zM90,160h10v10h-10zM100,160h10v10h-10zM110,160h10v10h-10zM120,160h10v10h-10zM140,160h10v10h-10zM150,160h10v10h-10zM160,160h10v10h-10zM170,160h10v10h-10zM220,160h10v10h-10zM240,160h10v10h-10zM300,160h10v10h-10zM340,160h10v10h-10zM380,160h10v10h-10zM400,160h10v10h-10zM40,170h10v10h-10zM50,170h10v10h-10zM60,170h10v10h-10zM70,170h10v10h-10zM140,170h10v10h-10zM170,170h10v10h-10zM180,170h10v10h-10zM190,170h10v10h-10zM210,170h10v10h-10zM230,170h10v10h-10zM250,170h10v10h-10zM270,170h10v10h-10zM290,170h10v10h-10zM320,170h10v10h-10zM360,170h10v10h-10zM400,170h10v10h-10zM60,180h10v10h-10zM70,180h10v10h-10zM80,180h10v10h-10zM100,180h10v10h-10zM110,180h10v10h-10zM120,180h10v10h-10zM140,180h10v10h-10zM160,180h10v10h-10zM170,180h10v10h-10zM180,180h10v10h-10zM200,180h10v10h-10zM220,180h10v10h-10zM240,180h10v10h-10zM280,180h10v10h-10zM290,180h10v10h-10zM320,180h10v10h-10zM340,180h10v10h-10zM350,180h10v10h-10zM360,180h10v10h-10zM380,180h10v10h-10zM400,180h10v10h-10zM40,190h10v10h-10zM60,190h10v10h-10zM80,190h10v10h-10zM120,190h10v10h-10zM130,190h10v10h-10zM160,190h10v10h-10zM210,190h10v10h-10zM220,190h10v10h-10zM230,190h10v10h-10zM250,190h10v10h-10zM270,190h10v10h-10zM290,190h10v10h-10zM300,190h10v10h-10zM320,190h10v10h-10zM340,190h10v10h-10zM370,190h10v10h-10zM390,190h10v10h-10zM40,200h10v10h-10zM50,200h10v10h-10zM70,200h10v10h-10zM80,200h10v10h-10zM100,200h10v10h-10zM110,200h10v10h-10zM120,200h10v10h-10zM130,200h10v10h-10zM170,200h10v10h-10zM180,200h10v10h-10zM200,200h10v10h-10zM220,200h10v10h-10zM240,200h10v10h-10zM260,200h10v10h-10zM280,200h10v10h-10zM330,200h10v10h-10zM350,200h10v10h-10zM360,200h10v10h-10zM380,200h10v10h-10zM400,200h10v10h-10zM40,210h10v10h-10zM90,210h10v10h-10zM110,210h10v10h-10zM120,210h10v10h-10zM150,210h10v10h-10zM170,210h10v10h-10zM180,210h10v10h-10zM190,210h10v10h-10zM200,210h10v10h-10zM210,210h10v10h-10zM220,210h10v10h-10zM230,210h10v10h-10zM250,210h10v10h-10zM270,210h10v10h-10zM290,210h10v10h-10zM320,210h10v10h-10zM340,210h10v10h-10zM350,210h10v10h-10zM360,210h10v10h-10zM370,210h10v10h-10zM390,210h10v10h-10zM60,220h10v10h-10zM100,220h10v10h-10zM120,220h10v10h-10zM140,220h10v10h-10zM150,220h10v10h-10zM170,220h10v10h-10zM190,220h10v10h-10zM200,220h10v10h-10zM220,220h10v10h-10zM260,220h10v10h-10zM280,220h10v10h-10zM300,220h10v10h-10zM320,220h10v10h-10zM330,220h10v10h-10zM350,220h10v10h-10zM370,220h10v10h-10zM400,220h10v10h-10zM40,230h10v10h-10zM50,230h10v10h-10zM60,230h10v10h-10zM80,230h10v10h-10zM110,230h10v10h-10zM120,230h10v10h-10zM130,230h10v10h-10zM140,230h10v10h-10zM150,230h10v10h-10zM200,230h10v10h-10zM210,230h10v10h-10zM260,230h10v10h-10zM270,230h10v10h-10zM280,230h10v10h-10zM290,230h10v10h-10zM310,230h10v10h-10zM330,230h10v10h-10zM350,230h10v10h-10zM360,230h10v10h-10zM380,230h10v10h-10zM390,230h10v10h-10zM40,240h10v10h-10zM50,240h10v10h-10zM100,240h10v10h-10zM130,240h10v10h-10zM140,240h10v10h-10zM150,240h10v10h-10zM160,240h10v10h-10zM180,240h10v10h-10zM190,240h10v10h-10zM200,240h10v10h-10zM220,240h10v10h-10zM230,240h10v10h-10zM240,240h10v10h-10zM260,240h10v10h-10zM280,240h10v10h-10zM300,240h10v10h-10zM310,240h10v10h-10zM320,240h10v10h-10zM360,240h10v10h-10zM370,240h10v10h-10zM400,240h10v10h-10zM40,250h10v10h-10zM50,250h10v10h-10zM60,250h10v10h-10zM70,250h10v10h-10zM90,250h10v10h-10zM120,250h10v10h-10zM130,250h10v10h-10zM140,250h10v10h-10zM150,250h10v10h-10zM160,250h10v10h-10zM170,250h10v10h-10zM190,250h10v10h-10zM230,250h10v10h-10zM250,250h10v10h-10zM260,250h10v10h-10zM270,250h10v10h-10zM320,250h10v10h-10zM330,250h10v10h-10zM350,250h10v10h-10zM370,250h10v10h-10zM50,260h10v10h-10zM60,260h10v10h-10zM90,260h10v10h-10zM100,260h10v10h-10zM110,260h10v10h-10zM120,260h10v10h-10zM140,260h10v10h-10zM150,260h10v10h-10zM170,260h10v10h-10zM200,260h10v10h-10zM210,260h10v10h-10zM240,260h10v10h-10zM260,260h10v10h-10zM270,260h10v10h-10zM280,260h10v10h-10zM300,260h10v10h-10zM320,260h10v10h-10zM340,260h10v10h-10zM380,260h10v10h-10zM390,260h10v10h-10zM400,260h10v10h-10zM50,270h10v10h-10zM70,270h10v10h-10zM80,270h10v10h-10zM110,270h10v10h-10zM140,270h10v10h-10zM150,270h10v10h-10zM190,270h10v10h-10zM200,270h10v10h-10zM230,270h10v10h-10zM260,270h10v10h-10zM270,270h10v10h-10zM290,270h10v10h-10zM310,270h10v10h-10zM350,270h10v10h-10zM390,270h10v10h-10zM400,270h10v10h-10zM40,280h10v10h-10zM50,280h10v10h-10zM60,280h10v10h-10zM70,280h10v10h-10zM80,280h10v10h-10zM90,280h10v10h-10zM100,280h10v10h-10zM110,280h10v10h-10zM170,280h10v10h-10zM180,280h10v10h-10zM190,280h10v10h-10zM240,280h10v10h-10zM260,280h10v10h-10zM300,280h10v10h-10zM320,280h10v10h-10zM380,280h10v10h-10zM400,280h10v10h-10zM50,290h10v10h-10zM70,290h10v10h-10zM110,290h10v10h-10zM120,290h10v10h-10zM140,290h10v10h-10zM150,290h10v10h-10zM160,290h10v10h-10zM170,290h10v10h-10zM180,290h10v10h-10zM190,290h10v10h-10zM210,290h10v10h-10zM230,290h10v10h-10zM240,290h10v10h-10zM250,290h10v10h-10zM270,290h10v10h-10zM290,290h10v10h-10zM310,290h10v10h-10zM340,290h10v10h-10zM360,290h10v10h-10zM380,290h10v10h-10zM390,290h10v10h-10zM40,300h10v10h-10zM60,300h10v10h-10zM70,300h10v10h-10zM80,300h10v10h-10zM100,300h10v10h-10zM110,300h10v10h-10zM150,300h10v10h-10zM170,300h10v10h-10zM220,300h10v10h-10zM240,300h10v10h-10zM260,300h10v10h-10zM270,300h10v10h-10zM300,300h10v10h-10zM310,300h10v10h-10zM320,300h10v10h-10zM350,300h10v10h-10zM50,310h10v10h-10zM70,310h10v10h-10zM90,310h10v10h-10zM110,310h10v10h-10zM120,310h10v10h-10zM130,310h10v10h-10zM150,310h10v10h-10zM160,310h10v10h-10zM190,310h10v10h-10zM210,310h10v10h-10zM250,310h10v10h-10zM310,310h10v10h-10zM330,310h10v10h-10zM360,310h10v10h-10zM370,310h10v10h-10zM380,310h10v10h-10zM390,310h10v10h-10zM400,310h10v10h-10zM40,320h10v10h-10zM60,320h10v10h-10zM70,320h10v10h-10zM80,320h10v10h-10zM90,320h10v10h-10zM100,320h10v10h-10zM120,320h10v10h-10zM140,320h10v10h-10zM160,320h10v10h-10zM180,320h10v10h-10zM220,320h10v10h-10zM230,320h10v10h-10zM240,320h10v10h-10zM260,320h10v10h-10zM280,320h10v10h-10zM320,320h10v10h-10zM330,320h10v10h-10zM340,320h10v10h-10zM350,320h10v10h-10zM360,320h10v10h-10zM370,320h10v10h-10zM390,320h10v10h-10zM400,320h10v10h-10zM120,330h10v10h-10zM130,330h10v10h-10zM150,330h10v10h-10zM170,330h10v10h-10zM190,330h10v10h-10zM200,330h10v10h-10zM210,330h10v10h-10zM230,330h10v10h-10zM250,330h10v10h-10zM270,330h10v10h-10zM290,330h10v10h-10zM310,330h10v10h-10zM320,330h10v10h-10zM360,330h10v10h-10zM370,330h10v10h-10zM390,330h10v10h-10zM400,330h10v10h-10zM40,340h10v10h-10zM50,340h10v10h-10zM60,340h10v10h-10zM70,340h10v10h-10zM80,340h10v10h-10zM90,340h10v10h-10zM100,340h10v10h-10zM140,340h10v10h-10zM160,340h10v10h-10zM180,340h10v10h-10zM200,340h10v10h-10zM220,340h10v10h-10zM240,340h10v10h-10zM280,340h10v10h-10zM290,340h10v10h-10zM300,340h10v10h-10zM320,340h10v10h-10zM340,340h10v10h-10zM360,340h10v10h-10zM380,340h10v10h-10zM390,340h10v10h-10zM40,350h10v10h-10zM100,350h10v10h-10zM130,350h10v10h-10zM140,350h10v10h-10zM150,350h10v10h-10zM170,350h10v10h-10zM190,350h10v10h-10zM210,350h10v10h-10zM220,350h10v10h-10zM230,350h10v10h-10zM250,350h10v10h-10zM270,350h10v10h-10zM310,350h10v10h-10zM320,350h10v10h-10zM360,350h10v10h-10zM370,350h10v10h-10zM40,360h10v10h-10zM60,360h10v10h-10zM70,360h10v10h-10zM80,360h10v10h-10zM100,360h10v10h-10zM120,360h10v10h-10zM180,360h10v10h-10zM200,360h10v10h-10zM220,360h10v10h-10zM250,360h10v10h-10zM260,360h10v10h-10zM270,360h10v10h-10zM280,360h10v10h-10zM290,360h10v10h-10zM300,360h10v10h-10zM320,360h10v10h-10zM330,360h10v10h-10zM340,360h10v10h-10zM350,360h10v10h-10zM360,360h10v10h-10zM380,360h10v10h-10zM400,360h10v10h-10zM40,370h10v10h-10zM60,370h10v10h-10zM70,370h10v10h-10zM80,370h10v10h-10zM100,370h10v10h-10zM130,370h10v10h-10zM150,370h10v10h-10zM180,370h10v10h-10zM190,370h10v10h-10zM200,370h10v10h-10zM210,370h10v10h-10zM220,370h10v10h-10zM250,370h10v10h-10zM260,370h10v10h-10zM270,370h10v10h-10zM280,370h10v10h-10zM290,370h10v10h-10zM310,370h10v10h-10zM330,370h10v10h-10zM340,370h10v10h-10zM350,370h10v10h-10zM370,370h10v10h-10zM380,370h10v10h-10zM400,370h10v10h-10zM40,380h10v10h-10zM60,380h10v10h-10zM70,380h10v10h-10zM80,380h10v10h-10zM100,380h10v10h-10zM120,380h10v10h-10zM140,380h10v10h-10zM170,380h10v10h-10zM190,380h10v10h-10zM200,380h10v10h-10zM220,380h10v10h-10zM230,380h10v10h-10zM240,380h10v10h-10zM260,380h10v10h-10zM320,380h10v10h-10zM340,380h10v10h-10zM360,380h10v10h-10zM370,380h10v10h-10zM400,380h10v10h-10zM40,390h10v10h-10zM100,390h10v10h-10zM180,390h10v10h-10zM200,390h10v10h-10zM210,390h10v10h-10zM230,390h10v10h-10zM250,390h10v10h-10zM270,390h10v10h-10zM280,390h10v10h-10zM290,390h10v10h-10zM300,390h10v10h-10zM350,390h10v10h-10zM390,390h10v10h-10zM400,390h10v10h-10zM40,400h10v10h-10zM50,400h10v10h-10zM60,400h10v10h-10zM70,400h10v10h-10zM80,400h10v10h-10zM90,400h10v10h-10zM100,400h10v10h-10zM120,400h10v10h-10zM130,400h10v10h-10zM140,400h10v10h-10zM180,400h10v10h-10zM190,400h10v10h-10zM200,400h10v10h-10zM220,400h10v10h-10zM230,400h10v10h-10zM240,400h10v10h-10zM260,400h10v10h-10zM280,400h10v10h-10zM300,400h10v10h-10zM320,400h10v10h-10zM330,400h10v10h-10zM340,400h10v10h-10zM400,400h10v10h-10z"/></svg>',
  'checkout.GetPaymentQrPng': 'iVBORw0KGgoAAAANSUhEUg==',
  'service.GetConsole':
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="robots" content="noindex">\n<meta name="color-scheme" content="light dark">\n<title>Dashboard · Payments</title>\n<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=\'http://www.w3.org/2000/svg\' viewBox=\'0 0 16 16\'%3E%3Crect width=\'16\' height=\'16\' rx=\'4\' fill=\'%234338ca\'/%3E%3Cpath d=\'M5 4h4a2 2 0 0 1 0 4H5zm0 4h5a2 2 0 0 1 0 4H5zM8 2v12\' fill=\'none\' stroke=\'%23fff\' stroke-width=\'1.4\'/%3E%3C/svg%3E">\n',
  'testkit.GetScenarioSchema': {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 120,
        pattern:
          '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb]*$',
      },
      given: {
        type: 'object',
        properties: {
          starts_at: { type: 'string', format: 'date-time' },
          seed: { enum: ['small', 'month', 'e2e'], type: 'string' },
          sinks: {
            type: 'object',
            propertyNames: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$' },
            additionalProperties: {
              type: 'object',
              properties: {
                fail_count: { type: 'integer', minimum: 0, maximum: 1000, format: 'int32' },
                respond_status: { type: 'integer', minimum: 200, maximum: 599, format: 'int32' },
              },
              required: [],
              additionalProperties: false,
            },
          },
        },
        required: [],
        additionalProperties: false,
      },
      weather: {
        type: 'object',
        properties: {
          provider: {
            type: 'object',
            properties: {
              silent: { type: 'integer', minimum: 0, maximum: 1000, format: 'int32' },
              mismatch: { type: 'integer', minimum: 0, maximum: 1000, format: 'int32' },
            },
          },
        },
      },
    },
  },
  'testkit.GetExamSchema': {
    type: 'object',
    properties: {
      seed: { type: 'integer', description: 'The same seed makes the same exam.' },
      started_at: { type: 'string', format: 'date-time', description: 'Time at which the exam began.' },
      duration_ms: { type: 'integer', minimum: 0, description: 'How long the exam took, in milliseconds.' },
      base_url: { type: 'string', format: 'uri', description: 'The address of the service.' },
      receiver: { type: 'string', format: 'uri', description: 'The address that webhooks were sent to.' },
      order: {
        anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }],
        description: 'The address that opens orders. Null if none was given.',
      },
      probe: {
        anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }],
        description: 'The address that says what became of an order. Null if none was given.',
      },
      passed: { type: 'integer', minimum: 0, description: 'Number of questions that passed.' },
      failed: { type: 'integer', minimum: 0, description: 'Number of questions that failed.' },
      skipped: { type: 'integer', minimum: 0, description: 'Number of questions that were not asked.' },
    },
  },
};
