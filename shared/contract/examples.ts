/* Answers of the running service, by operation. Made by `npm run examples`. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  "payments.CreatePayment": {
    "id": "pay_01k92fwa00e7t8000000000001",
    "number": "P-000002",
    "amount": {
      "currency": "THB",
      "minor": 129900
    },
    "checkout_url": null,
    "created_at": "2026-11-02T03:00:00.000Z",
    "description": "Two tickets to Chiang Mai",
    "expires_at": "2026-11-02T03:15:00.000Z",
    "late": false,
    "metadata": {
      "cart": "c_77"
    },
    "method": "promptpay",
    "mode": "test",
    "next_action": {
      "type": "display_qr",
      "qr": {
        "payload": "00020101021230630016A00000067701011201150000000000000000220WA00E7T800000000000153037645802TH54071299.00630495EC",
        "image_svg_url": "https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg"
      },
      "expires_at": "2026-11-02T03:15:00.000Z"
    },
    "reference": "order-1042",
    "refunded_minor": 0,
    "payment_link_id": null,
    "return_url": null,
    "status": "requires_action",
    "succeeded_at": null,
    "customer_email": "somchai@example.com",
    "customer_name": "Somchai Jaidee",
    "customer_phone": "+66812345678"
  },
  "payments.CancelPayment": {
    "id": "pay_01k92fwa00e7t8000000000001",
    "number": "P-000002",
    "amount": {
      "currency": "THB",
      "minor": 1000
    },
    "checkout_url": null,
    "created_at": "2026-11-02T03:00:00.000Z",
    "description": null,
    "expires_at": "2026-11-02T03:15:00.000Z",
    "late": false,
    "metadata": {},
    "method": "promptpay",
    "mode": "test",
    "next_action": null,
    "reference": null,
    "refunded_minor": 0,
    "payment_link_id": null,
    "return_url": null,
    "status": "canceled",
    "succeeded_at": null,
    "customer": {
      "email": null,
      "name": null,
      "phone": null
    }
  },
  "payments.GetPayment": {
    "id": "pay_01k92fwa00e7t8000000000001",
    "number": "P-000002",
    "amount": {
      "currency": "THB",
      "minor": 1000
    },
    "checkout_url": null,
    "created_at": "2026-11-02T03:00:00.000Z",
    "description": null,
    "expires_at": "2026-11-02T03:15:00.000Z",
    "late": false,
    "metadata": {},
    "method": "promptpay",
    "mode": "test",
    "next_action": {
      "type": "display_qr",
      "qr": {
        "payload": "00020101021230630016A00000067701011201150000000000000000220WA00E7T800000000000153037645802TH540510.006304355E",
        "image_svg_url": "https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg"
      },
      "expires_at": "2026-11-02T03:15:00.000Z"
    },
    "reference": null,
    "refunded_minor": 0,
    "payment_link_id": null,
    "return_url": null,
    "status": "requires_action",
    "succeeded_at": null,
    "customer_email": null,
    "customer_name": null,
    "customer_phone": null
  },
  "payments.ListPayments": {
    "data": [
      {
        "id": "pay_01k92fwa00e7t8000000000001",
        "number": "P-000002",
        "amount": {
          "currency": "THB",
          "minor": 1000
        },
        "checkout_url": null,
        "created_at": "2026-11-02T03:00:00.000Z",
        "description": null,
        "expires_at": "2026-11-02T03:15:00.000Z",
        "late": false,
        "metadata": {},
        "method": "promptpay",
        "mode": "test",
        "next_action": {
          "type": "display_qr",
          "qr": {
            "payload": "00020101021230630016A00000067701011201150000000000000000220WA00E7T800000000000153037645802TH540510.006304355E",
            "image_svg_url": "https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg"
          },
          "expires_at": "2026-11-02T03:15:00.000Z"
        },
        "reference": null,
        "refunded_minor": 0,
        "payment_link_id": null,
        "return_url": null,
        "status": "requires_action",
        "succeeded_at": null,
        "customer_email": null,
        "customer_name": null,
        "customer_phone": null
      }
    ],
    "has_more": true,
    "next_cursor": "MTc5MzU4ODQwMDAwMDpleGFtcGxl"
  },
  "payments.RequestRefund": {
    "id": "ref_01k92fwa00e7t8000000000001",
    "number": "R-000001",
    "payment_id": "pay_01k92fwa00e7t8000000000002",
    "amount": {
      "currency": "THB",
      "minor": 50000
    },
    "reason": "One ticket was not used",
    "reason_code": 1,
    "mode": "test",
    "created_at": "2026-11-02T03:00:00.000Z",
    "succeeded_at": null,
    "status": "requested"
  },
  "payments.CancelRefund": {
    "id": "ref_01k92fwa00e7t8000000000001",
    "number": "R-000001",
    "payment_id": "pay_01k92fwa00e7t8000000000002",
    "amount": {
      "currency": "THB",
      "minor": 1000
    },
    "reason": null,
    "reason_code": 1,
    "mode": "test",
    "created_at": "2026-11-02T03:00:00.000Z",
    "succeeded_at": null,
    "status": "canceled"
  },
  "payments.GetRefund": {
    "id": "ref_01k92fwa00e7t8000000000001",
    "number": "R-000001",
    "payment_id": "pay_01k92fwa00e7t8000000000002",
    "amount": {
      "currency": "THB",
      "minor": 1000
    },
    "reason": null,
    "reason_code": 1,
    "mode": "test",
    "created_at": "2026-11-02T03:00:00.000Z",
    "succeeded_at": null,
    "status": "requested"
  },
  "payments.ListRefunds": {
    "data": [
      {
        "id": "ref_01k92fwa00e7t8000000000001",
        "number": "R-000001",
        "payment_id": "pay_01k92fwa00e7t8000000000002",
        "amount": {
          "currency": "THB",
          "minor": 1000
        },
        "reason": null,
        "reason_code": 1,
        "mode": "test",
        "created_at": "2026-11-02T03:00:00.000Z",
        "succeeded_at": null,
        "status": "requested"
      }
    ],
    "has_more": false,
    "next_cursor": null
  },
  "checkout.CreatePaymentLink": {
    "id": "lnk_01k92fwa00e7t8000000000001",
    "number": "L-000002",
    "code": "k3v8w1x5za",
    "url": "https://pay.example.com/l/k3v8w1x5za",
    "amount": {
      "currency": "THB",
      "minor": 35000
    },
    "amount_type": "fixed",
    "min_amount": null,
    "max_amount": null,
    "currency": "THB",
    "collect_email": "required",
    "collect_name": "optional",
    "collect_phone": "off",
    "created_at": "2026-11-02T03:00:00.000Z",
    "description": "Cooking class, one seat",
    "expires_at": null,
    "max_uses": 12,
    "uses": 0,
    "metadata": {},
    "mode": "test",
    "return_url": null,
    "status": "active"
  },
  "checkout.DisablePaymentLink": {
    "id": "lnk_01k92fwa00e7t8000000000001",
    "number": "L-000002",
    "code": "k3v8w1x5za",
    "url": "https://pay.example.com/l/k3v8w1x5za",
    "amount": {
      "currency": "THB",
      "minor": 500
    },
    "amount_type": "fixed",
    "min_amount": null,
    "max_amount": null,
    "currency": "THB",
    "collect_email": "optional",
    "collect_name": "optional",
    "collect_phone": "off",
    "created_at": "2026-11-02T03:00:00.000Z",
    "description": null,
    "expires_at": null,
    "max_uses": null,
    "uses": 0,
    "metadata": {},
    "mode": "test",
    "return_url": null,
    "status": "disabled"
  },
  "checkout.GetPaymentLink": {
    "id": "lnk_01k92fwa00e7t8000000000001",
    "number": "L-000002",
    "code": "k3v8w1x5za",
    "url": "https://pay.example.com/l/k3v8w1x5za",
    "amount": {
      "currency": "THB",
      "minor": 500
    },
    "amount_type": "fixed",
    "min_amount": null,
    "max_amount": null,
    "currency": "THB",
    "collect_email": "optional",
    "collect_name": "optional",
    "collect_phone": "off",
    "created_at": "2026-11-02T03:00:00.000Z",
    "description": null,
    "expires_at": null,
    "max_uses": null,
    "uses": 0,
    "metadata": {},
    "mode": "test",
    "return_url": null,
    "status": "active"
  },
  "checkout.ListPaymentLinks": {
    "data": [
      {
        "id": "lnk_01k92fwa00e7t8000000000001",
        "number": "L-000002",
        "code": "k3v8w1x5za",
        "url": "https://pay.example.com/l/k3v8w1x5za",
        "amount": {
          "currency": "THB",
          "minor": 500
        },
        "amount_type": "fixed",
        "min_amount": null,
        "max_amount": null,
        "currency": "THB",
        "collect_email": "optional",
        "collect_name": "optional",
        "collect_phone": "off",
        "created_at": "2026-11-02T03:00:00.000Z",
        "description": null,
        "expires_at": null,
        "max_uses": null,
        "uses": 0,
        "metadata": {},
        "mode": "test",
        "return_url": null,
        "status": "active"
      }
    ],
    "has_more": true,
    "next_cursor": "MTc5MzU4ODQwMDAwMDpleGFtcGxl"
  },
  "payouts.GetPayout": {
    "id": "pot_01k92fwa00e7t8000000000001",
    "number": "O-000001",
    "settlement_id": "stl_01k92fwa00e7t8000000000002",
    "provider": "sim_provider",
    "amount": {
      "currency": "THB",
      "minor": 130900
    },
    "mode": "test",
    "return_reason": null,
    "created_at": "2026-11-02T03:00:00.000Z",
    "updated_at": "2026-11-02T03:00:00.000Z",
    "status": "pending"
  },
  "payouts.ListPayouts": {
    "data": [
      {
        "id": "pot_01k92fwa00e7t8000000000001",
        "number": "O-000001",
        "settlement_id": "stl_01k92fwa00e7t8000000000002",
        "provider": "sim_provider",
        "amount": {
          "currency": "THB",
          "minor": 130900
        },
        "mode": "test",
        "return_reason": null,
        "created_at": "2026-11-02T03:00:00.000Z",
        "updated_at": "2026-11-02T03:00:00.000Z",
        "status": "pending"
      }
    ],
    "has_more": false,
    "next_cursor": null
  },
  "settlements.GetSettlement": {
    "id": "stl_01k92fwa00e7t8000000000001",
    "number": "S-000001",
    "provider": "sim_provider",
    "value_date": "2026-11-02",
    "expected": {
      "currency": "THB",
      "minor": 130900
    },
    "stated": null,
    "payout_id": "pot_01k92fwa00e7t8000000000002",
    "mode": "test",
    "created_at": "2026-11-02T03:00:00.000Z",
    "status": "matched"
  },
  "settlements.ListSettlements": {
    "data": [
      {
        "id": "stl_01k92fwa00e7t8000000000001",
        "number": "S-000001",
        "provider": "sim_provider",
        "value_date": "2026-11-02",
        "expected": {
          "currency": "THB",
          "minor": 130900
        },
        "stated": null,
        "payout_id": "pot_01k92fwa00e7t8000000000002",
        "mode": "test",
        "created_at": "2026-11-02T03:00:00.000Z",
        "status": "matched"
      }
    ],
    "has_more": false,
    "next_cursor": null
  },
  "events.GetEvent": {
    "id": "evt_01k92fwa00e7t8000000000001",
    "type": "payment.requires_action",
    "timestamp": "2026-11-02T03:00:00.000Z",
    "mode": "test",
    "api_version": "2026-11-01",
    "sequence": 5,
    "data": {
      "object": {
        "id": "pay_01k92fwa00e7t8000000000002",
        "number": "P-000002",
        "amount": {
          "currency": "THB",
          "minor": 1000
        },
        "checkout_url": null,
        "created_at": "2026-11-02T03:00:00.000Z",
        "description": null,
        "expires_at": "2026-11-02T03:15:00.000Z",
        "late": false,
        "metadata": {},
        "method": "promptpay",
        "mode": "test",
        "next_action": {
          "type": "display_qr",
          "qr": {
            "payload": "00020101021230630016A00000067701011201150000000000000000220WA00E7T800000000000253037645802TH540510.0063040AF4",
            "image_svg_url": "https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg"
          },
          "expires_at": "2026-11-02T03:15:00.000Z"
        },
        "reference": null,
        "refunded_minor": 0,
        "payment_link_id": null,
        "return_url": null,
        "status": "requires_action",
        "succeeded_at": null,
        "customer_email": null,
        "customer_name": null,
        "customer_phone": null
      },
      "previous_status": "created"
    },
    "request": {
      "id": "req_01k92fwa00e7t8000000000003",
      "idempotency_key": "019a42fe-2800-7a3e-8000-000000000001"
    }
  },
  "events.ListEvents": {
    "data": [
      {
        "id": "evt_01k92fwa00e7t8000000000001",
        "type": "payment.requires_action",
        "timestamp": "2026-11-02T03:00:00.000Z",
        "mode": "test",
        "api_version": "2026-11-01",
        "sequence": 5,
        "data": {
          "object": {
            "id": "pay_01k92fwa00e7t8000000000002",
            "number": "P-000002",
            "amount": {
              "currency": "THB",
              "minor": 1000
            },
            "checkout_url": null,
            "created_at": "2026-11-02T03:00:00.000Z",
            "description": null,
            "expires_at": "2026-11-02T03:15:00.000Z",
            "late": false,
            "metadata": {},
            "method": "promptpay",
            "mode": "test",
            "next_action": {
              "type": "display_qr",
              "qr": {
                "payload": "00020101021230630016A00000067701011201150000000000000000220WA00E7T800000000000253037645802TH540510.0063040AF4",
                "image_svg_url": "https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg"
              },
              "expires_at": "2026-11-02T03:15:00.000Z"
            },
            "reference": null,
            "refunded_minor": 0,
            "payment_link_id": null,
            "return_url": null,
            "status": "requires_action",
            "succeeded_at": null,
            "customer_email": null,
            "customer_name": null,
            "customer_phone": null
          },
          "previous_status": "created"
        },
        "request": {
          "id": "req_01k92fwa00e7t8000000000003",
          "idempotency_key": "019a42fe-2800-7a3e-8000-000000000001"
        }
      }
    ],
    "has_more": true,
    "next_cursor": "MTc5MzU4ODQwMDAwMDpleGFtcGxl"
  },
  "testkit.SimulatePayment": {
    "action_id": "act_01k92fwa00e7t8000000000001",
    "outcome": "succeeded",
    "payment_id": "pay_01k92fwa00e7t8000000000002",
    "payout_id": null,
    "refund_id": null,
    "provider_event_id": "pev_01k92fwa00e7t8000000000003",
    "replayed": false
  },
  "testkit.SimulateRefund": {
    "action_id": "act_01k92fwa00e7t8000000000001",
    "outcome": "succeeded",
    "payment_id": null,
    "payout_id": null,
    "refund_id": "ref_01k92fwa00e7t8000000000002",
    "provider_event_id": "pev_01k92fwa00e7t8000000000003",
    "replayed": false
  },
  "testkit.SimulatePayout": {
    "action_id": "act_01k92fwa00e7t8000000000001",
    "outcome": "paid",
    "payment_id": null,
    "payout_id": "pot_01k92fwa00e7t8000000000002",
    "refund_id": null,
    "provider_event_id": "pev_01k92fwa00e7t8000000000003",
    "replayed": false
  },
  "testkit.SimulateSettlement": {
    "action_id": "act_01k92fwa00e7t8000000000001",
    "outcome": "matched",
    "payment_id": null,
    "payout_id": "pot_01k92fwa00e7t8000000000002",
    "refund_id": null,
    "provider_event_id": "pev_01k92fwa00e7t8000000000003",
    "replayed": false
  },
  "testkit.CreateWebhookSink": {
    "id": "snk_01k92fwa00e7t8000000000001",
    "name": "orders",
    "url": "https://pay.example.com/sink/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ",
    "mode": "test",
    "fail_count": 0,
    "received_count": 0,
    "respond_status": 200,
    "created_at": "2026-11-02T03:00:00.000Z",
    "updated_at": "2026-11-02T03:00:00.000Z"
  },
  "testkit.UpdateWebhookSink": {
    "id": "snk_01k92fwa00e7t8000000000001",
    "name": "sink-1",
    "url": "https://pay.example.com/sink/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ",
    "mode": "test",
    "fail_count": 2,
    "received_count": 0,
    "respond_status": 503,
    "created_at": "2026-11-02T03:00:00.000Z",
    "updated_at": "2026-11-02T03:00:00.000Z"
  },
  "testkit.GetWebhookSink": {
    "id": "snk_01k92fwa00e7t8000000000001",
    "name": "sink-1",
    "url": "https://pay.example.com/sink/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ",
    "mode": "test",
    "fail_count": 0,
    "received_count": 0,
    "respond_status": 200,
    "created_at": "2026-11-02T03:00:00.000Z",
    "updated_at": "2026-11-02T03:00:00.000Z",
    "secret": "whsec_ZXhhbXBsZWV4YW1wbGVleGFtcGxlZXhhbXBsZWV4YW0="
  },
  "testkit.ListWebhookSinks": {
    "data": [
      {
        "id": "snk_01k92fwa00e7t8000000000001",
        "name": "sink-1",
        "url": "https://pay.example.com/sink/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ",
        "mode": "test",
        "fail_count": 0,
        "received_count": 0,
        "respond_status": 200,
        "created_at": "2026-11-02T03:00:00.000Z",
        "updated_at": "2026-11-02T03:00:00.000Z"
      }
    ],
    "has_more": false,
    "next_cursor": null
  },
  "testkit.ListDeliveries": {
    "data": [
      {
        "id": "dlv_01k92fwa00e7t8000000000001",
        "sink_id": "snk_01k92fwa00e7t8000000000002",
        "event_id": "evt_01k92fwa00e7t8000000000003",
        "attempt": 1,
        "status": "delivered",
        "request_headers": {
          "webhook-id": "evt_01k92fwa00e7t8000000000003",
          "content-type": "application/json",
          "webhook-signature": "v1,c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJlc2lnbmE=",
          "webhook-timestamp": "1793588400",
          "user-agent": "Payments-Webhooks/1"
        },
        "body": "{\"id\":\"evt_01k92fwa00e7t8000000000003\",\"type\":\"payment.requires_action\",\"timestamp\":\"2026-11-02T03:00:00.000Z\",\"mode\":\"test\",\"api_version\":\"2026-11-01\",\"sequence\":5,\"data\":{\"object\":{\"id\":\"pay_01k92fwa00e7t8000000000004\",\"number\":\"P-000002\",\"amount\":{\"currency\":\"THB\",\"minor\":1000},\"checkout_url\":null,\"created_at\":\"2026-11-02T03:00:00.000Z\",\"description\":null,\"expires_at\":\"2026-11-02T03:15:00.000Z\",\"late\":false,\"metadata\":{},\"method\":\"promptpay\",\"mode\":\"test\",\"next_action\":{\"type\":\"display_qr\",\"qr\":{\"payload\":\"00020101021230630016A00000067701011201150000000000000000220QPMAEPGTYBGVWW0J81TW53037645802TH540510.0063045156\",\"image_svg_url\":\"https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg\"},\"expires_at\":\"2026-11-02T03:15:00.000Z\"},\"reference\":null,\"refunded_minor\":0,\"payment_link_id\":null,\"return_url\":null,\"status\":\"requires_action\",\"succeeded_at\":null,\"customer_email\":null,\"customer_name\":null,\"customer_phone\":null},\"previous_status\":\"created\"},\"request\":{\"id\":\"req_01k92fwa00e7t8000000000005\",\"idempotency_key\":\"019a42fe-2800-7a3e-8000-000000000001\"}}",
        "answered_status": 200,
        "signature_verdict": "valid",
        "attempted_at": "2026-11-02T03:00:00.000Z",
        "next_attempt_at": null
      }
    ],
    "has_more": true,
    "next_cursor": "MTc5MzU4ODQwMDAwMDpleGFtcGxl"
  },
  "testkit.Redeliver": {
    "sink_id": "snk_01k92fwa00e7t8000000000001",
    "event_id": "evt_01k92fwa00e7t8000000000002",
    "due_at": "2026-11-02T03:00:00.000Z"
  },
  "testkit.ReceiveWebhook": {
    "received": true
  },
  "testkit.GetClock": {
    "now": "2026-11-02T03:00:00.000Z",
    "offset_seconds": 0,
    "next_job_at": "2026-11-02T03:15:00.000Z"
  },
  "testkit.AdvanceClock": {
    "action_id": "act_01k92fwa00e7t8000000000001",
    "advanced_seconds": 3600,
    "jobs_run": 1,
    "shifted": {
      "from": "2026-11-02T03:00:00.000Z",
      "to": "2026-11-02T04:00:00.000Z",
      "payments_expired": 0,
      "refunds_approved": 0,
      "simulations_applied": 0,
      "deliveries_attempted": 0,
      "jobs_remaining": 0
    }
  },
  "testkit.SeedTestData": {
    "action_id": "act_01k92fwa00e7t8000000000001",
    "already_seeded": false,
    "profile": "small",
    "created": {
      "payments": 10,
      "refunds": 3,
      "payment_links": 2,
      "payouts": 1,
      "settlements": 1,
      "sinks": 1
    },
    "ids": {
      "payment.succeeded.bank_transfer": "pay_01k92fwa00e7t8000000000002",
      "payment.succeeded.refunded": "pay_01k92fwa00e7t8000000000003",
      "payment.succeeded": "pay_01k92fwa00e7t8000000000004",
      "payment.succeeded.unsettled": "pay_01k92fwa00e7t8000000000005",
      "payment.canceled": "pay_01k92fwa00e7t8000000000006",
      "payment.expired": "pay_01k92fwa00e7t8000000000007",
      "payment.failed": "pay_01k92fwa00e7t8000000000008",
      "payment.processing": "pay_01k92fwa00e7t8000000000009",
      "payment.created": "pay_01k92fwa00e7t8000000000010",
      "payment.requires_action.promptpay": "pay_01k92fwa00e7t8000000000011",
      "refund.succeeded": "ref_01k92fwa00e7t8000000000012",
      "refund.canceled": "ref_01k92fwa00e7t8000000000013",
      "refund.requested": "ref_01k92fwa00e7t8000000000014",
      "payment_link.disabled": "lnk_01k92fwa00e7t8000000000015",
      "payment_link.active": "lnk_01k92fwa00e7t8000000000016",
      "settlement.matched": "stl_01k92fwa00e7t8000000000017",
      "payout.paid": "pot_01k92fwa00e7t8000000000018",
      "sink.plain": "snk_01k92fwa00e7t8000000000019"
    },
    "skipped": {
      "payments": 0,
      "refunds": 0,
      "payment_links": 0,
      "payouts": 0,
      "settlements": 0,
      "sinks": 0
    },
    "summary": {
      "from": "2026-10-31T03:00:00.000Z",
      "to": "2026-11-02T02:55:00.000Z",
      "gross_minor": 519600,
      "refunded_minor": 25000,
      "currency": "THB"
    }
  },
  "testkit.PurgeTestData": {
    "action_id": "act_01k92fwa00e7t8000000000001",
    "status": "completed",
    "reason": "requested",
    "reset_at": "2026-11-02T03:00:00.000Z",
    "jobs_canceled": 1,
    "outbox_canceled": 3,
    "deleted": {
      "payments": 1,
      "refunds": 0,
      "payment_links": 1,
      "payouts": 0,
      "settlements": 0,
      "events": 0,
      "sinks": 0
    },
    "kept": {
      "api_keys": 1
    },
    "modules": {
      "payments": "reset",
      "checkout": "reset",
      "payouts": "reset",
      "events": "reset",
      "testkit": "reset",
      "clock": "reset"
    },
    "sequences_reset": {
      "payments": 1,
      "refunds": 0,
      "payment_links": 1,
      "payouts": 0,
      "settlements": 0,
      "events": 0
    }
  },
  "checkout.GetCheckoutPage": "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n<meta name=\"referrer\" content=\"same-origin\">\n<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E\">\n<title>THB 10.00 · Waiting for your payment</title>\n<style>\n:root { color-scheme: light dark; --ink: #16202b; --soft: #51606f; --line: #cfd8e1; --paper: #fff; --back: #f2f5f8; --act: #0b5cad; --on-act: #fff; --good: #0a6b3d; --bad: #a3201c; --test: #7a4b00; --test-back: #fff3d6; }\n@media (prefers-color-scheme: dark) { :root { --ink: #e9eef3; --soft: #a9b6c3; --line: #3a4754; --paper: #18212b; --back: #0f161d; --act: #7db8f5; --on-act: #06213d; --good: #6fd6a3; --bad: #ff9d97; --test: #ffd98a; --test-back: #3a2c08; } }\n* { box-sizing: border-box; }\nbody { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, \"Noto Sans Thai\", \"Sukhumvit Set\", Thonburi, sans-serif; }\nmain { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }\nh1 { font-size: 1.15rem; line-height: 1.4; margin: 0 0 .25rem; font-weight: 600; }\nh2 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }\np { margin: .35rem 0; overflow-wrap: anywhere; }\n.amount { font-size: 2.4rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }\n.payee { color: var(--soft); margin: 0 0 .75rem; padding: 0 0 .75rem; border-bottom: 1px solid var(--line); } .payee strong { color: var(--ink); }\n.soft { color: var(--soft); }\n.good { color: var(--good); } .bad { color: var(--bad); }\n.state { font-size: 1.25rem; font-weight: 600; margin-top: 1rem; }\n.test { background: var(--test-back); color: var(--test); padding: .5rem 1rem; text-align: center; font-weight: 600; }\n.qr { display: block; width: min(100%, 17rem); height: auto; margin: 1rem auto; background: #fff; border-radius: .75rem; }\ndl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }\ndt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }\nform { margin: 1rem 0 0; display: grid; gap: .6rem; }\nfieldset { border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem 1rem; margin: 1.25rem 0 0; display: grid; gap: .6rem; }\ndetails { margin-top: 1rem; } details form { margin-top: .6rem; }\nsummary { color: var(--act); cursor: pointer; font-weight: 600; min-height: 2.75rem; padding: .6rem 0; }\nlegend { padding: 0 .4rem; color: var(--soft); }\nlabel { font-weight: 600; }\ninput { font: inherit; width: 100%; padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: .6rem; background: transparent; color: inherit; }\ninput[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }\nbutton, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .6rem; border: 1px solid var(--act); background: transparent; color: var(--act); cursor: pointer; text-align: center; text-decoration: none; display: block; }\nbutton.main, .button.main { background: var(--act); color: var(--on-act); }\n:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }\n@media (max-width: 34rem) { main { margin: 0; border: 0; border-radius: 0; min-height: 100vh; } }\n@media print { .test, form, fieldset, details, .button { display: none; } main { border: 0; } body { background: #fff; } }\n</style>\n</head>\n<body>\n<div class=\"test\" role=\"note\">Test mode. No money moves.</div>\n<main data-state=\"requires_action-2\" data-open=\"1\">\n<p class=\"payee\">Pay to <strong>m-019a42fe-2800-7a3e-8000-000000000001</strong></p>\n<h1>Payment</h1>\n<p class=\"amount\">THB 10.00</p>\n<p class=\"soft\">Reference: P-000002</p>\n<p class=\"state \" role=\"status\">Waiting for your payment</p>\n\n\n\n\n<p class=\"soft\">Time left <strong data-until=\"1795311640424\" data-now=\"1795310740521\"></strong> <time datetime=\"2026-11-02T03:15:00.000Z\">until 22 Nov 2026, 08:40</time></p>\n\n<p>Scan this code with the app of your bank.</p><img class=\"qr\" src=\"https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg\" alt=\"PromptPay QR code for THB 10.00\" width=\"272\" height=\"272\">\n\n\n<form method=\"post\"><fieldset><legend>Simulate what happens</legend>\n<input type=\"hidden\" name=\"version\" value=\"2\">\n<button name=\"action\" value=\"pay\">Pay</button><button name=\"action\" value=\"fail\">Fail</button><button name=\"action\" value=\"mismatch\">Pay the wrong amount</button><button name=\"action\" value=\"late\">Pay late</button>\n</fieldset></form>\n</main>\n<script>\nconst clock = document.querySelector('[data-until]');\nif (clock) {\n  const skew = Number(clock.dataset.now) - Date.now();\n  const until = Number(clock.dataset.until);\n  const tick = () => {\n    const left = Math.max(0, Math.ceil((until - Date.now() - skew) / 1000));\n    const [h, m, s] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60].map((n) => String(n).padStart(2, '0'));\n    clock.textContent = (h === '00' ? '' : h + ':') + m + ':' + s;\n    if (left > 0) setTimeout(tick, 500);\n  };\n  tick();\n}\nconst main = document.querySelector('main[data-state]');\nif (main && main.dataset.open) {\n  const look = async () => {\n    try {\n      const text = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();\n      const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main[data-state]');\n      if (next && next.dataset.state !== main.dataset.state) return location.replace(location.href);\n    } catch {}\n    setTimeout(look, 2500);\n  };\n  setTimeout(look, 2500);\n}\n</script>\n</body>\n</html>\n",
  "checkout.ActOnCheckout": "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n<meta name=\"referrer\" content=\"same-origin\">\n<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E\">\n<title>THB 10.00 · Waiting for your payment</title>\n<style>\n:root { color-scheme: light dark; --ink: #16202b; --soft: #51606f; --line: #cfd8e1; --paper: #fff; --back: #f2f5f8; --act: #0b5cad; --on-act: #fff; --good: #0a6b3d; --bad: #a3201c; --test: #7a4b00; --test-back: #fff3d6; }\n@media (prefers-color-scheme: dark) { :root { --ink: #e9eef3; --soft: #a9b6c3; --line: #3a4754; --paper: #18212b; --back: #0f161d; --act: #7db8f5; --on-act: #06213d; --good: #6fd6a3; --bad: #ff9d97; --test: #ffd98a; --test-back: #3a2c08; } }\n* { box-sizing: border-box; }\nbody { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, \"Noto Sans Thai\", \"Sukhumvit Set\", Thonburi, sans-serif; }\nmain { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }\nh1 { font-size: 1.15rem; line-height: 1.4; margin: 0 0 .25rem; font-weight: 600; }\nh2 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }\np { margin: .35rem 0; overflow-wrap: anywhere; }\n.amount { font-size: 2.4rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }\n.payee { color: var(--soft); margin: 0 0 .75rem; padding: 0 0 .75rem; border-bottom: 1px solid var(--line); } .payee strong { color: var(--ink); }\n.soft { color: var(--soft); }\n.good { color: var(--good); } .bad { color: var(--bad); }\n.state { font-size: 1.25rem; font-weight: 600; margin-top: 1rem; }\n.test { background: var(--test-back); color: var(--test); padding: .5rem 1rem; text-align: center; font-weight: 600; }\n.qr { display: block; width: min(100%, 17rem); height: auto; margin: 1rem auto; background: #fff; border-radius: .75rem; }\ndl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }\ndt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }\nform { margin: 1rem 0 0; display: grid; gap: .6rem; }\nfieldset { border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem 1rem; margin: 1.25rem 0 0; display: grid; gap: .6rem; }\ndetails { margin-top: 1rem; } details form { margin-top: .6rem; }\nsummary { color: var(--act); cursor: pointer; font-weight: 600; min-height: 2.75rem; padding: .6rem 0; }\nlegend { padding: 0 .4rem; color: var(--soft); }\nlabel { font-weight: 600; }\ninput { font: inherit; width: 100%; padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: .6rem; background: transparent; color: inherit; }\ninput[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }\nbutton, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .6rem; border: 1px solid var(--act); background: transparent; color: var(--act); cursor: pointer; text-align: center; text-decoration: none; display: block; }\nbutton.main, .button.main { background: var(--act); color: var(--on-act); }\n:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }\n@media (max-width: 34rem) { main { margin: 0; border: 0; border-radius: 0; min-height: 100vh; } }\n@media print { .test, form, fieldset, details, .button { display: none; } main { border: 0; } body { background: #fff; } }\n</style>\n</head>\n<body>\n<div class=\"test\" role=\"note\">Test mode. No money moves.</div>\n<main data-state=\"requires_action-2\" data-open=\"1\">\n<p class=\"payee\">Pay to <strong>m-019a42fe-2800-7a3e-8000-000000000001</strong></p>\n<h1>Payment</h1>\n<p class=\"amount\">THB 10.00</p>\n<p class=\"soft\">Reference: P-000002</p>\n<p class=\"state \" role=\"status\">Waiting for your payment</p>\n\n\n\n\n<p class=\"soft\">Time left <strong data-until=\"1795311640738\" data-now=\"1795310740798\"></strong> <time datetime=\"2026-11-02T03:15:00.000Z\">until 22 Nov 2026, 08:40</time></p>\n\n<p>Scan this code with the app of your bank.</p><img class=\"qr\" src=\"https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZh7Gq2LmZ/qr.svg\" alt=\"PromptPay QR code for THB 10.00\" width=\"272\" height=\"272\">\n\n\n<form method=\"post\"><fieldset><legend>Simulate what happens</legend>\n<input type=\"hidden\" name=\"version\" value=\"2\">\n<button name=\"action\" value=\"pay\">Pay</button><button name=\"action\" value=\"fail\">Fail</button><button name=\"action\" value=\"mismatch\">Pay the wrong amount</button><button name=\"action\" value=\"late\">Pay late</button>\n</fieldset></form>\n</main>\n<script>\nconst clock = document.querySelector('[data-until]');\nif (clock) {\n  const skew = Number(clock.dataset.now) - Date.now();\n  const until = Number(clock.dataset.until);\n  const tick = () => {\n    const left = Math.max(0, Math.ceil((until - Date.now() - skew) / 1000));\n    const [h, m, s] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60].map((n) => String(n).padStart(2, '0'));\n    clock.textContent = (h === '00' ? '' : h + ':') + m + ':' + s;\n    if (left > 0) setTimeout(tick, 500);\n  };\n  tick();\n}\nconst main = document.querySelector('main[data-state]');\nif (main && main.dataset.open) {\n  const look = async () => {\n    try {\n      const text = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();\n      const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main[data-state]');\n      if (next && next.dataset.state !== main.dataset.state) return location.replace(location.href);\n    } catch {}\n    setTimeout(look, 2500);\n  };\n  setTimeout(look, 2500);\n}\n</script>\n</body>\n</html>\n",
  "checkout.GetLinkPage": "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n<meta name=\"referrer\" content=\"same-origin\">\n<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E\">\n<title>Payment</title>\n<style>\n:root { color-scheme: light dark; --ink: #16202b; --soft: #51606f; --line: #cfd8e1; --paper: #fff; --back: #f2f5f8; --act: #0b5cad; --on-act: #fff; --good: #0a6b3d; --bad: #a3201c; --test: #7a4b00; --test-back: #fff3d6; }\n@media (prefers-color-scheme: dark) { :root { --ink: #e9eef3; --soft: #a9b6c3; --line: #3a4754; --paper: #18212b; --back: #0f161d; --act: #7db8f5; --on-act: #06213d; --good: #6fd6a3; --bad: #ff9d97; --test: #ffd98a; --test-back: #3a2c08; } }\n* { box-sizing: border-box; }\nbody { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, \"Noto Sans Thai\", \"Sukhumvit Set\", Thonburi, sans-serif; }\nmain { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }\nh1 { font-size: 1.15rem; line-height: 1.4; margin: 0 0 .25rem; font-weight: 600; }\nh2 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }\np { margin: .35rem 0; overflow-wrap: anywhere; }\n.amount { font-size: 2.4rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }\n.payee { color: var(--soft); margin: 0 0 .75rem; padding: 0 0 .75rem; border-bottom: 1px solid var(--line); } .payee strong { color: var(--ink); }\n.soft { color: var(--soft); }\n.good { color: var(--good); } .bad { color: var(--bad); }\n.state { font-size: 1.25rem; font-weight: 600; margin-top: 1rem; }\n.test { background: var(--test-back); color: var(--test); padding: .5rem 1rem; text-align: center; font-weight: 600; }\n.qr { display: block; width: min(100%, 17rem); height: auto; margin: 1rem auto; background: #fff; border-radius: .75rem; }\ndl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }\ndt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }\nform { margin: 1rem 0 0; display: grid; gap: .6rem; }\nfieldset { border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem 1rem; margin: 1.25rem 0 0; display: grid; gap: .6rem; }\ndetails { margin-top: 1rem; } details form { margin-top: .6rem; }\nsummary { color: var(--act); cursor: pointer; font-weight: 600; min-height: 2.75rem; padding: .6rem 0; }\nlegend { padding: 0 .4rem; color: var(--soft); }\nlabel { font-weight: 600; }\ninput { font: inherit; width: 100%; padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: .6rem; background: transparent; color: inherit; }\ninput[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }\nbutton, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .6rem; border: 1px solid var(--act); background: transparent; color: var(--act); cursor: pointer; text-align: center; text-decoration: none; display: block; }\nbutton.main, .button.main { background: var(--act); color: var(--on-act); }\n:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }\n@media (max-width: 34rem) { main { margin: 0; border: 0; border-radius: 0; min-height: 100vh; } }\n@media print { .test, form, fieldset, details, .button { display: none; } main { border: 0; } body { background: #fff; } }\n</style>\n</head>\n<body>\n<div class=\"test\" role=\"note\">Test mode. No money moves.</div>\n<main>\n<p class=\"payee\">Pay to <strong>m-019a42fe-2800-7a3e-8000-000000000001</strong></p>\n<h1>Payment</h1>\n<p class=\"amount\">THB 5.00</p>\n\n<form method=\"post\" novalidate>\n<input type=\"hidden\" name=\"attempt\" value=\"1tB8W1EjVAtA7jM9plxKhN\">\n\n<div><label for=\"name\">Name</label> <span class=\"soft\" id=\"name-hint\">(optional)</span>\n<input id=\"name\" name=\"name\" value=\"\" type=\"text\" autocomplete=\"name\" aria-describedby=\"name-hint\">\n</div><div><label for=\"email\">E-mail</label> <span class=\"soft\" id=\"email-hint\">(optional)</span>\n<input id=\"email\" name=\"email\" value=\"\" type=\"email\" autocomplete=\"email\" aria-describedby=\"email-hint\">\n</div>\n<button class=\"main\">Continue to payment</button>\n</form>\n</main>\n\n</body>\n</html>\n",
  "checkout.PayByLink": "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n<meta name=\"referrer\" content=\"same-origin\">\n<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E\">\n<title>THB 5.00 · Choose how to pay</title>\n<style>\n:root { color-scheme: light dark; --ink: #16202b; --soft: #51606f; --line: #cfd8e1; --paper: #fff; --back: #f2f5f8; --act: #0b5cad; --on-act: #fff; --good: #0a6b3d; --bad: #a3201c; --test: #7a4b00; --test-back: #fff3d6; }\n@media (prefers-color-scheme: dark) { :root { --ink: #e9eef3; --soft: #a9b6c3; --line: #3a4754; --paper: #18212b; --back: #0f161d; --act: #7db8f5; --on-act: #06213d; --good: #6fd6a3; --bad: #ff9d97; --test: #ffd98a; --test-back: #3a2c08; } }\n* { box-sizing: border-box; }\nbody { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, \"Noto Sans Thai\", \"Sukhumvit Set\", Thonburi, sans-serif; }\nmain { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }\nh1 { font-size: 1.15rem; line-height: 1.4; margin: 0 0 .25rem; font-weight: 600; }\nh2 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }\np { margin: .35rem 0; overflow-wrap: anywhere; }\n.amount { font-size: 2.4rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }\n.payee { color: var(--soft); margin: 0 0 .75rem; padding: 0 0 .75rem; border-bottom: 1px solid var(--line); } .payee strong { color: var(--ink); }\n.soft { color: var(--soft); }\n.good { color: var(--good); } .bad { color: var(--bad); }\n.state { font-size: 1.25rem; font-weight: 600; margin-top: 1rem; }\n.test { background: var(--test-back); color: var(--test); padding: .5rem 1rem; text-align: center; font-weight: 600; }\n.qr { display: block; width: min(100%, 17rem); height: auto; margin: 1rem auto; background: #fff; border-radius: .75rem; }\ndl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }\ndt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }\nform { margin: 1rem 0 0; display: grid; gap: .6rem; }\nfieldset { border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem 1rem; margin: 1.25rem 0 0; display: grid; gap: .6rem; }\ndetails { margin-top: 1rem; } details form { margin-top: .6rem; }\nsummary { color: var(--act); cursor: pointer; font-weight: 600; min-height: 2.75rem; padding: .6rem 0; }\nlegend { padding: 0 .4rem; color: var(--soft); }\nlabel { font-weight: 600; }\ninput { font: inherit; width: 100%; padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: .6rem; background: transparent; color: inherit; }\ninput[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }\nbutton, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .6rem; border: 1px solid var(--act); background: transparent; color: var(--act); cursor: pointer; text-align: center; text-decoration: none; display: block; }\nbutton.main, .button.main { background: var(--act); color: var(--on-act); }\n:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }\n@media (max-width: 34rem) { main { margin: 0; border: 0; border-radius: 0; min-height: 100vh; } }\n@media print { .test, form, fieldset, details, .button { display: none; } main { border: 0; } body { background: #fff; } }\n</style>\n</head>\n<body>\n<div class=\"test\" role=\"note\">Test mode. No money moves.</div>\n<main data-state=\"created-1\" data-open=\"1\">\n<p class=\"payee\">Pay to <strong>m-019a42fe-2800-7a3e-8000-000000000001</strong></p>\n<h1>Payment</h1>\n<p class=\"amount\">THB 5.00</p>\n<p class=\"soft\">Reference: P-000002</p>\n<p class=\"state \" role=\"status\">Choose how to pay</p>\n\n\n\n\n<p class=\"soft\">Time left <strong data-until=\"1795311641158\" data-now=\"1795310741209\"></strong> <time datetime=\"2026-11-02T03:15:00.000Z\">until 22 Nov 2026, 08:40</time></p>\n<h2>How would you like to pay?</h2><form method=\"post\">\n<button name=\"method\" value=\"promptpay\">PromptPay</button><button name=\"method\" value=\"truemoney\">TrueMoney Wallet</button><button name=\"method\" value=\"linepay\">LINE Pay</button><button name=\"method\" value=\"shopeepay\">ShopeePay</button><button name=\"method\" value=\"bank_transfer\">Bank transfer</button><button name=\"method\" value=\"direct_debit\">Direct debit</button><button name=\"method\" value=\"installment\">Instalments</button>\n</form>\n\n\n\n<form method=\"post\"><fieldset><legend>Simulate what happens</legend>\n<input type=\"hidden\" name=\"version\" value=\"1\">\n<button name=\"action\" value=\"pay\">Pay</button><button name=\"action\" value=\"fail\">Fail</button><button name=\"action\" value=\"mismatch\">Pay the wrong amount</button><button name=\"action\" value=\"late\">Pay late</button>\n</fieldset></form>\n</main>\n<script>\nconst clock = document.querySelector('[data-until]');\nif (clock) {\n  const skew = Number(clock.dataset.now) - Date.now();\n  const until = Number(clock.dataset.until);\n  const tick = () => {\n    const left = Math.max(0, Math.ceil((until - Date.now() - skew) / 1000));\n    const [h, m, s] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60].map((n) => String(n).padStart(2, '0'));\n    clock.textContent = (h === '00' ? '' : h + ':') + m + ':' + s;\n    if (left > 0) setTimeout(tick, 500);\n  };\n  tick();\n}\nconst main = document.querySelector('main[data-state]');\nif (main && main.dataset.open) {\n  const look = async () => {\n    try {\n      const text = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();\n      const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main[data-state]');\n      if (next && next.dataset.state !== main.dataset.state) return location.replace(location.href);\n    } catch {}\n    setTimeout(look, 2500);\n  };\n  setTimeout(look, 2500);\n}\n</script>\n</body>\n</html>\n",
  "service.GetOpenApi": {
    "openapi": "3.1.0",
    "info": {
      "title": "Payments",
      "version": "2026-11-01",
      "summary": "Payments, refunds and payment links for Thailand, with a test kit.",
      "description": "Amounts are integers in minor units. Every operation that changes something takes an `Idempotency-Key` and takes effect once, however often it is sent. Every error is an `application/problem+json` document whose `type` is the address of a page that explains it.",
      "license": {
        "name": "Proprietary",
        "identifier": "LicenseRef-Proprietary"
      }
    }
  },
  "service.GetErrorPage": "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n<meta name=\"referrer\" content=\"same-origin\">\n<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E\">\n<title>invalid_state: The current status does not allow this</title>\n<style>\n:root { color-scheme: light dark; --ink: #16202b; --soft: #51606f; --line: #cfd8e1; --paper: #fff; --back: #f2f5f8; --act: #0b5cad; --on-act: #fff; --good: #0a6b3d; --bad: #a3201c; --test: #7a4b00; --test-back: #fff3d6; }\n@media (prefers-color-scheme: dark) { :root { --ink: #e9eef3; --soft: #a9b6c3; --line: #3a4754; --paper: #18212b; --back: #0f161d; --act: #7db8f5; --on-act: #06213d; --good: #6fd6a3; --bad: #ff9d97; --test: #ffd98a; --test-back: #3a2c08; } }\n* { box-sizing: border-box; }\nbody { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, \"Noto Sans Thai\", \"Sukhumvit Set\", Thonburi, sans-serif; }\nmain { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }\nh1 { font-size: 1.15rem; line-height: 1.4; margin: 0 0 .25rem; font-weight: 600; }\nh2 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }\np { margin: .35rem 0; overflow-wrap: anywhere; }\n.amount { font-size: 2.4rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }\n.payee { color: var(--soft); margin: 0 0 .75rem; padding: 0 0 .75rem; border-bottom: 1px solid var(--line); } .payee strong { color: var(--ink); }\n.soft { color: var(--soft); }\n.good { color: var(--good); } .bad { color: var(--bad); }\n.state { font-size: 1.25rem; font-weight: 600; margin-top: 1rem; }\n.test { background: var(--test-back); color: var(--test); padding: .5rem 1rem; text-align: center; font-weight: 600; }\n.qr { display: block; width: min(100%, 17rem); height: auto; margin: 1rem auto; background: #fff; border-radius: .75rem; }\ndl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }\ndt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }\nform { margin: 1rem 0 0; display: grid; gap: .6rem; }\nfieldset { border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem 1rem; margin: 1.25rem 0 0; display: grid; gap: .6rem; }\ndetails { margin-top: 1rem; } details form { margin-top: .6rem; }\nsummary { color: var(--act); cursor: pointer; font-weight: 600; min-height: 2.75rem; padding: .6rem 0; }\nlegend { padding: 0 .4rem; color: var(--soft); }\nlabel { font-weight: 600; }\ninput { font: inherit; width: 100%; padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: .6rem; background: transparent; color: inherit; }\ninput[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }\nbutton, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .6rem; border: 1px solid var(--act); background: transparent; color: var(--act); cursor: pointer; text-align: center; text-decoration: none; display: block; }\nbutton.main, .button.main { background: var(--act); color: var(--on-act); }\n:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }\n@media (max-width: 34rem) { main { margin: 0; border: 0; border-radius: 0; min-height: 100vh; } }\n@media print { .test, form, fieldset, details, .button { display: none; } main { border: 0; } body { background: #fff; } }\n</style>\n</head>\n<body>\n\n<main>\n<p><code>409 invalid_state</code></p>\n<h1>The current status does not allow this</h1>\n<p>Read the resource again: details.current_status is its status now, details.allowed_from lists the statuses in which this can be done.</p>\n<p>Sending the same request again will not help until something is changed. A refused request has changed nothing.</p>\n<h2>Operations that can answer it</h2>\n<ul>\n<li><code>POST /api/v1/payments/{id}/cancel</code> Cancel a payment that nobody has paid yet</li>\n<li><code>POST /api/v1/payments/{id}/refunds</code> Request a refund of a payment that succeeded</li>\n<li><code>POST /api/v1/refunds/{id}/cancel</code> Cancel a refund that is not approved yet</li>\n<li><code>POST /api/v1/test/payments/{id}/simulate</code> Say what the provider says of a payment</li>\n<li><code>POST /api/v1/test/refunds/{id}/simulate</code> Say what the provider says of a refund</li>\n<li><code>POST /api/v1/test/payouts/{id}/simulate</code> Say what the bank says of a payout</li>\n</ul>\n</main>\n\n</body>\n</html>\n",
  "checkout.GetPaymentQr": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 450 450\"><rect fill=\"white\" width=\"450\" height=\"450\"/><path fill=\"black\" d=\"M40,40h10v10h-10zM50,40h10v10h-10zM60,40h10v10h-10zM70,40h10v10h-10zM80,40h10v10h-10zM90,40h10v10h-10zM100,40h10v10h-10zM120,40h10v10h-10zM150,40h10v10h-10zM160,40h10v10h-10zM180,40h10v10h-10zM220,40h10v10h-10zM230,40h10v10h-10zM240,40h10v10h-10zM250,40h10v10h-10zM260,40h10v10h-10zM290,40h10v10h-10zM300,40h10v10h-10zM320,40h10v10h-10zM340,40h10v10h-10zM350,40h10v10h-10zM360,40h10v10h-10zM370,40h10v10h-10zM380,40h10v10h-10zM390,40h10v10h-10zM400,40h10v10h-10zM40,50h10v10h-10zM100,50h10v10h-10zM140,50h10v10h-10zM150,50h10v10h-10zM160,50h10v10h-10zM170,50h10v10h-10zM190,50h10v10h-10zM220,50h10v10h-10zM230,50h10v10h-10zM240,50h10v10h-10zM250,50h10v10h-10zM260,50h10v10h-10zM270,50h10v10h-10zM280,50h10v10h-10zM290,50h10v10h-10zM300,50h10v10h-10zM340,50h10v10h-10zM400,50h10v10h-10zM40,60h10v10h-10zM60,60h10v10h-10zM70,60h10v10h-10zM80,60h10v10h-10zM100,60h10v10h-10zM130,60h10v10h-10zM150,60h10v10h-10zM160,60h10v10h-10zM170,60h10v10h-10zM180,60h10v10h-10zM190,60h10v10h-10zM200,60h10v10h-10zM210,60h10v10h-10zM250,60h10v10h-10zM260,60h10v10h-10zM310,60h10v10h-10zM340,60h10v10h-10zM360,60h10v10h-10zM370,60h10v10h-10zM380,60h10v10h-10zM400,60h10v10h-10zM40,70h10v10h-10zM60,70h10v10h-10zM70,70h10v10h-10zM80,70h10v10h-10zM100,70h10v10h-10zM120,70h10v10h-10zM160,70h10v10h-10zM180,70h10v10h-10zM210,70h10v10h-10zM250,70h10v10h-10zM260,70h10v10h-10zM270,70h10v10h-10zM280,70h10v10h-10zM320,70h10v10h-10zM340,70h10v10h-10zM360,70h10v10h-10zM370,70h10v10h-10zM380,70h10v10h-10zM400,70h10v10h-10zM40,80h10v10h-10zM60,80h10v10h-10zM70,80h10v10h-10zM80,80h10v10h-10zM100,80h10v10h-10zM120,80h10v10h-10zM140,80h10v10h-10zM170,80h10v10h-10zM210,80h10v10h-10zM220,80h10v10h-10zM230,80h10v10h-10zM240,80h10v10h-10zM250,80h10v10h-10zM290,80h10v10h-10zM300,80h10v10h-10zM340,80h10v10h-10zM360,80h10v10h-10zM370,80h10v10h-10zM380,80h10v10h-10zM400,80h10v10h-10zM40,90h10v10h-10zM100,90h10v10h-10zM120,90h10v10h-10zM140,90h10v10h-10zM150,90h10v10h-10zM160,90h10v10h-10zM180,90h10v10h-10zM210,90h10v10h-10zM230,90h10v10h-10zM240,90h10v10h-10zM250,90h10v10h-10zM260,90h10v10h-10zM280,90h10v10h-10zM290,90h10v10h-10zM310,90h10v10h-10zM340,90h10v10h-10zM400,90h10v10h-10zM40,100h10v10h-10zM50,100h10v10h-10zM60,100h10v10h-10zM70,100h10v10h-10zM80,100h10v10h-10zM90,100h10v10h-10zM100,100h10v10h-10zM120,100h10v10h-10zM140,100h10v10h-10zM160,100h10v10h-10zM180,100h10v10h-10zM200,100h10v10h-10zM220,100h10v10h-10zM240,100h10v10h-10zM260,100h10v10h-10zM280,100h10v10h-10zM300,100h10v10h-10zM320,100h10v10h-10zM340,100h10v10h-10zM350,100h10v10h-10zM360,100h10v10h-10zM370,100h10v10h-10zM380,100h10v10h-10zM390,100h10v10h-10zM400,100h10v10h-10zM120,110h10v10h-10zM130,110h10v10h-10zM140,110h10v10h-10zM150,110h10v10h-10zM180,110h10v10h-10zM190,110h10v10h-10zM260,110h10v10h-10zM270,110h10v10h-10zM290,110h10v10h-10zM310,110h10v10h-10zM320,110h10v10h-10zM40,120h10v10h-10zM80,120h10v10h-10zM100,120h10v10h-10zM110,120h10v10h-10zM120,120h10v10h-10zM130,120h10v10h-10zM140,120h10v10h-10zM150,120h10v10h-10zM200,120h10v10h-10zM230,120h10v10h-10zM240,120h10v10h-10zM260,120h10v10h-10zM280,120h10v10h-10zM290,120h10v10h-10zM300,120h10v10h-10zM320,120h10v10h-10zM330,120h10v10h-10zM340,120h10v10h-10zM350,120h10v10h-10zM360,120h10v10h-10zM370,120h10v10h-10zM400,120h10v10h-10zM50,130h10v10h-10zM90,130h10v10h-10zM120,130h10v10h-10zM130,130h10v10h-10zM140,130h10v10h-10zM150,130h10v10h-10zM170,130h10v10h-10zM220,130h10v10h-10zM230,130h10v10h-10zM240,130h10v10h-10zM280,130h10v10h-10zM290,130h10v10h-10zM300,130h10v10h-10zM330,130h10v10h-10zM340,130h10v10h-10zM350,130h10v10h-10zM380,130h10v10h-10zM400,130h10v10h-10zM90,140h10v10h-10zM100,140h10v10h-10zM110,140h10v10h-10zM130,140h10v10h-10zM150,140h10v10h-10zM190,140h10v10h-10zM210,140h10v10h-10zM250,140h10v10h-10zM260,140h10v10h-10zM310,140h10v10h-10zM330,140h10v10h-10zM380,140h10v10h-10zM390,140h10v10h-10zM40,150h10v10h-10zM140,150h10v10h-10zM150,150h10v10h-10zM160,150h10v10h-10zM170,150h10v10h-10zM190,150h10v10h-10zM200,150h10v10h-10zM210,150h10v10h-10zM230,150h10v10h-10zM250,150h10v10h-10zM260,150h10v10h-10zM310,150h10v10h-10zM320,150h10v10h-10zM330,150h10v10h-10zM340,150h10v10h-10zM390,150h10v10h-10zM50,160h10v10h-10zM60,160h10v10h-10zM70,160h10v10h-10zM80,160h10v10h-10zM100,160h10v10h-10zM110,160h10v10h-10zM140,160h10v10h-10zM160,160h10v10h-10zM180,160h10v10h-10zM200,160h10v10h-10zM220,160h10v10h-10zM230,160h10v10h-10zM240,160h10v10h-10zM260,160h10v10h-10zM290,160h10v10h-10zM300,160h10v10h-10zM320,160h10v10h-10zM340,160h10v10h-10zM350,160h10v10h-10zM370,160h10v10h-10zM400,160h10v10h-10zM60,170h10v10h-10zM80,170h10v10h-10zM90,170h10v10h-10zM110,170h10v10h-10zM120,170h10v10h-10zM160,170h10v10h-10zM170,170h10v10h-10zM200,170h10v10h-10zM220,170h10v10h-10zM230,170h10v10h-10zM240,170h10v10h-10zM280,170h10v10h-10zM290,170h10v10h-10zM300,170h10v10h-10zM310,170h10v10h-10zM320,170h10v10h-10zM330,170h10v10h-10zM340,170h10v10h-10zM370,170h10v10h-10zM400,170h10v10h-10zM50,180h10v10h-10zM70,180h10v10h-10zM80,180h10v10h-10zM100,180h10v10h-10zM110,180h10v10h-10zM130,180h10v10h-10zM150,180h10v10h-10zM160,180h10v10h-10zM170,180h10v10h-10zM190,180h10v10h-10zM210,180h10v10h-10zM250,180h10v10h-10zM270,180h10v10h-10zM290,180h10v10h-10zM300,180h10v10h-10zM310,180h10v10h-10zM320,180h10v10h-10zM330,180h10v10h-10zM350,180h10v10h-10zM370,180h10v10h-10zM380,180h10v10h-10zM60,190h10v10h-10zM70,190h10v10h-10zM140,190h10v10h-10zM150,190h10v10h-10zM160,190h10v10h-10zM170,190h10v10h-10zM200,190h10v10h-10zM210,190h10v10h-10zM220,190h10v10h-10zM250,190h10v10h-10zM260,190h10v10h-10zM270,190h10v10h-10zM300,190h10v10h-10zM330,190h10v10h-10zM350,190h10v10h-10zM370,190h10v10h-10zM380,190h10v10h-10zM400,190h10v10h-10zM70,200h10v10h-10zM90,200h10v10h-10zM100,200h10v10h-10zM140,200h10v10h-10zM150,200h10v10h-10zM160,200h10v10h-10zM170,200h10v10h-10zM180,200h10v10h-10zM220,200h10v10h-10zM230,200h10v10h-10zM240,200h10v10h-10zM280,200h10v10h-10zM290,200h10v10h-10zM320,200h10v10h-10zM330,200h10v10h-10zM360,200h10v10h-10zM40,210h10v10h-10zM50,210h10v10h-10zM60,210h10v10h-10zM80,210h10v10h-10zM140,210h10v10h-10zM150,210h10v10h-10zM170,210h10v10h-10zM200,210h10v10h-10zM280,210h10v10h-10zM290,210h10v10h-10zM300,210h10v10h-10zM310,210h10v10h-10zM320,210h10v10h-10zM330,210h10v10h-10zM350,210h10v10h-10zM380,210h10v10h-10zM400,210h10v10h-10zM40,220h10v10h-10zM50,220h10v10h-10zM80,220h10v10h-10zM100,220h10v10h-10zM110,220h10v10h-10zM120,220h10v10h-10zM150,220h10v10h-10zM170,220h10v10h-10zM180,220h10v10h-10zM200,220h10v10h-10zM210,220h10v10h-10zM250,220h10v10h-10zM260,220h10v10h-10zM270,220h10v10h-10zM310,220h10v10h-10zM320,220h10v10h-10zM340,220h10v10h-10zM350,220h10v10h-10zM360,220h10v10h-10zM380,220h10v10h-10zM390,220h10v10h-10zM110,230h10v10h-10zM120,230h10v10h-10zM140,230h10v10h-10zM160,230h10v10h-10zM170,230h10v10h-10zM180,230h10v10h-10zM210,230h10v10h-10zM270,230h10v10h-10zM280,230h10v10h-10zM310,230h10v10h-10zM320,230h10v10h-10zM330,230h10v10h-10zM360,230h10v10h-10zM390,230h10v10h-10zM60,240h10v10h-10zM80,240h10v10h-10zM90,240h10v10h-10zM100,240h10v10h-10zM170,240h10v10h-10zM180,240h10v10h-10zM190,240h10v10h-10zM220,240h10v10h-10zM240,240h10v10h-10zM280,240h10v10h-10zM290,240h10v10h-10zM300,240h10v10h-10zM310,240h10v10h-10zM350,240h10v10h-10zM360,240h10v10h-10zM380,240h10v10h-10zM400,240h10v10h-10zM40,250h10v10h-10zM50,250h10v10h-10zM60,250h10v10h-10zM80,250h10v10h-10zM90,250h10v10h-10zM110,250h10v10h-10zM120,250h10v10h-10zM140,250h10v10h-10zM150,250h10v10h-10zM210,250h10v10h-10zM220,250h10v10h-10zM230,250h10v10h-10zM240,250h10v10h-10zM260,250h10v10h-10zM280,250h10v10h-10zM300,250h10v10h-10zM310,250h10v10h-10zM320,250h10v10h-10zM340,250h10v10h-10zM350,250h10v10h-10zM360,250h10v10h-10zM390,250h10v10h-10zM70,260h10v10h-10zM80,260h10v10h-10zM90,260h10v10h-10zM100,260h10v10h-10zM110,260h10v10h-10zM140,260h10v10h-10zM150,260h10v10h-10zM160,260h10v10h-10zM170,260h10v10h-10zM190,260h10v10h-10zM200,260h10v10h-10zM220,260h10v10h-10zM250,260h10v10h-10zM260,260h10v10h-10zM310,260h10v10h-10zM320,260h10v10h-10zM360,260h10v10h-10zM370,260h10v10h-10zM380,260h10v10h-10zM390,260h10v10h-10zM400,260h10v10h-10zM50,270h10v10h-10zM80,270h10v10h-10zM110,270h10v10h-10zM130,270h10v10h-10zM140,270h10v10h-10zM180,270h10v10h-10zM190,270h10v10h-10zM270,270h10v10h-10zM310,270h10v10h-10zM320,270h10v10h-10zM340,270h10v10h-10zM380,270h10v10h-10zM390,270h10v10h-10zM50,280h10v10h-10zM60,280h10v10h-10zM100,280h10v10h-10zM120,280h10v10h-10zM130,280h10v10h-10zM150,280h10v10h-10zM180,280h10v10h-10zM190,280h10v10h-10zM200,280h10v10h-10zM230,280h10v10h-10zM290,280h10v10h-10zM300,280h10v10h-10zM330,280h10v10h-10zM350,280h10v10h-10zM360,280h10v10h-10zM40,290h10v10h-10zM50,290h10v10h-10zM60,290h10v10h-10zM120,290h10v10h-10zM140,290h10v10h-10zM170,290h10v10h-10zM180,290h10v10h-10zM220,290h10v10h-10zM240,290h10v10h-10zM280,290h10v10h-10zM290,290h10v10h-10zM300,290h10v10h-10zM350,290h10v10h-10zM360,290h10v10h-10zM370,290h10v10h-10zM400,290h10v10h-10zM90,300h10v10h-10zM100,300h10v10h-10zM120,300h10v10h-10zM130,300h10v10h-10zM140,300h10v10h-10zM170,300h10v10h-10zM180,300h10v10h-10zM190,300h10v10h-10zM210,300h10v10h-10zM240,300h10v10h-10zM250,300h10v10h-10zM260,300h10v10h-10zM280,300h10v10h-10zM320,300h10v10h-10zM330,300h10v10h-10zM340,300h10v10h-10zM380,300h10v10h-10zM390,300h10v10h-10zM400,300h10v10h-10zM60,310h10v10h-10zM80,310h10v10h-10zM120,310h10v10h-10zM140,310h10v10h-10zM150,310h10v10h-10zM180,310h10v10h-10zM190,310h10v10h-10zM200,310h10v10h-10zM210,310h10v10h-10zM230,310h10v10h-10zM250,310h10v10h-10zM260,310h10v10h-10zM290,310h10v10h-10zM320,310h10v10h-10zM330,310h10v10h-10zM370,310h10v10h-10zM380,310h10v10h-10zM390,310h10v10h-10zM400,310h10v10h-10zM40,320h10v10h-10zM50,320h10v10h-10zM70,320h10v10h-10zM90,320h10v10h-10zM100,320h10v10h-10zM160,320h10v10h-10zM170,320h10v10h-10zM200,320h10v10h-10zM220,320h10v10h-10zM230,320h10v10h-10zM240,320h10v10h-10zM280,320h10v10h-10zM290,320h10v10h-10zM320,320h10v10h-10zM330,320h10v10h-10zM340,320h10v10h-10zM350,320h10v10h-10zM360,320h10v10h-10zM370,320h10v10h-10zM390,320h10v10h-10zM400,320h10v10h-10zM120,330h10v10h-10zM140,330h10v10h-10zM150,330h10v10h-10zM170,330h10v10h-10zM200,330h10v10h-10zM220,330h10v10h-10zM230,330h10v10h-10zM240,330h10v10h-10zM280,330h10v10h-10zM290,330h10v10h-10zM300,330h10v10h-10zM320,330h10v10h-10zM360,330h10v10h-10zM40,340h10v10h-10zM50,340h10v10h-10zM60,340h10v10h-10zM70,340h10v10h-10zM80,340h10v10h-10zM90,340h10v10h-10zM100,340h10v10h-10zM120,340h10v10h-10zM130,340h10v10h-10zM140,340h10v10h-10zM150,340h10v10h-10zM190,340h10v10h-10zM200,340h10v10h-10zM210,340h10v10h-10zM250,340h10v10h-10zM270,340h10v10h-10zM290,340h10v10h-10zM310,340h10v10h-10zM320,340h10v10h-10zM340,340h10v10h-10zM360,340h10v10h-10zM370,340h10v10h-10zM380,340h10v10h-10zM40,350h10v10h-10zM100,350h10v10h-10zM130,350h10v10h-10zM150,350h10v10h-10zM160,350h10v10h-10zM190,350h10v10h-10zM200,350h10v10h-10zM210,350h10v10h-10zM220,350h10v10h-10zM250,350h10v10h-10zM260,350h10v10h-10zM270,350h10v10h-10zM290,350h10v10h-10zM310,350h10v10h-10zM320,350h10v10h-10zM360,350h10v10h-10zM370,350h10v10h-10zM380,350h10v10h-10zM390,350h10v10h-10zM40,360h10v10h-10zM60,360h10v10h-10zM70,360h10v10h-10zM80,360h10v10h-10zM100,360h10v10h-10zM120,360h10v10h-10zM220,360h10v10h-10zM230,360h10v10h-10zM240,360h10v10h-10zM250,360h10v10h-10zM270,360h10v10h-10zM280,360h10v10h-10zM300,360h10v10h-10zM320,360h10v10h-10zM330,360h10v10h-10zM340,360h10v10h-10zM350,360h10v10h-10zM360,360h10v10h-10zM390,360h10v10h-10zM400,360h10v10h-10zM40,370h10v10h-10zM60,370h10v10h-10zM70,370h10v10h-10zM80,370h10v10h-10zM100,370h10v10h-10zM150,370h10v10h-10zM160,370h10v10h-10zM170,370h10v10h-10zM180,370h10v10h-10zM200,370h10v10h-10zM230,370h10v10h-10zM260,370h10v10h-10zM290,370h10v10h-10zM300,370h10v10h-10zM350,370h10v10h-10zM360,370h10v10h-10zM380,370h10v10h-10zM390,370h10v10h-10zM40,380h10v10h-10zM60,380h10v10h-10zM70,380h10v10h-10zM80,380h10v10h-10zM100,380h10v10h-10zM130,380h10v10h-10zM140,380h10v10h-10zM200,380h10v10h-10zM210,380h10v10h-10zM230,380h10v10h-10zM250,380h10v10h-10zM260,380h10v10h-10zM270,380h10v10h-10zM280,380h10v10h-10zM300,380h10v10h-10zM310,380h10v10h-10zM320,380h10v10h-10zM330,380h10v10h-10zM390,380h10v10h-10zM40,390h10v10h-10zM100,390h10v10h-10zM140,390h10v10h-10zM150,390h10v10h-10zM170,390h10v10h-10zM180,390h10v10h-10zM210,390h10v10h-10zM250,390h10v10h-10zM260,390h10v10h-10zM270,390h10v10h-10zM280,390h10v10h-10zM300,390h10v10h-10zM310,390h10v10h-10zM320,390h10v10h-10zM340,390h10v10h-10zM370,390h10v10h-10zM390,390h10v10h-10zM400,390h10v10h-10zM40,400h10v10h-10zM50,400h10v10h-10zM60,400h10v10h-10zM70,400h10v10h-10zM80,400h10v10h-10zM90,400h10v10h-10zM100,400h10v10h-10zM120,400h10v10h-10zM160,400h10v10h-10zM170,400h10v10h-10zM190,400h10v10h-10zM220,400h10v10h-10zM240,400h10v10h-10zM280,400h10v10h-10zM290,400h10v10h-10zM300,400h10v10h-10zM340,400h10v10h-10zM350,400h10v10h-10zM370,400h10v10h-10zM380,400h10v10h-10zM400,400h10v10h-10z\"/></svg>",
  "service.GetConsole": "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>Console · Payments</title>\n<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234338ca'/%3E%3Cpath d='M5 4h4a2 2 0 0 1 0 4H5zm0 4h5a2 2 0 0 1 0 4H5zM8 2v12' fill='none' stroke='%23fff' stroke-width='1.4'/%3E%3C/svg%3E\">\n"
};
