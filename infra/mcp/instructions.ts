/** What a model reads before it calls a tool. */
export const INSTRUCTIONS = `A payment API for Thailand, in test mode: no money moves, and the payment provider is you.

- Amounts are integers in satang: { "currency": "THB", "minor": 129900 } is 1,299.00 baht.
- To begin: createPayment, then simulatePayment with the outcome "succeeded", then getPayment and listEvents.
- Time is the clock of your test world. advanceClock moves it, and does everything that is due by then: payments expire, refunds are approved, webhooks are tried again.
- To receive webhooks without a server: createWebhookSink before the change, then listDeliveries.
- seedTestData fills the test world; purgeTestData deletes everything in it. createTestWorld makes another one, with a key of its own, which these tools do not use.
- Lists come in pages: while has_more is true, call again with the same arguments and "after": next_cursor.
- A refused call changes nothing. Its result is a problem: code is stable, detail says what to do, errors lists every wrong field. The resource payments://errors/{code} explains a code.
- A call without a clear response may have taken effect. Repeat it with the same arguments and the idempotency_key of its result: it takes effect once.`;
