/** What a model reads before it calls a tool. */
export const INSTRUCTIONS = `A payment API for Thailand, in test mode: no money moves, and the payment provider is you.

- Amounts are integers in satang: { "currency": "THB", "minor": 129900 } is 1,299.00 baht.
- To begin: createPayment, then simulatePayment with the outcome "succeeded", then getPayment and listEvents.
- Time is the clock of your test world. advanceClock moves it, and does everything that is due by then: payments expire, refunds are approved, webhooks are tried again.
- To receive webhooks without a server: createWebhookSink before the change, then listDeliveries.
- To see why a payment is as it is: showStory tells what happened to it, each attempt to deliver its events, and what comes next.
- To try a whole story at once: runScenario plays one in YAML, in a world of its own, and says which step failed.
- To test a shop: runExam sends webhooks to its receiver in good and in bad ways, and says of each failed question what to look at first. It takes a minute or more.
- seedTestData fills the test world; purgeTestData deletes everything in it. createTestWorld makes another one, with a key of its own, which these tools do not use.
- Lists come in pages: while has_more is true, call again with the same arguments and "after": next_cursor.
- A description that ends with "…" is a beginning. The resource payments://operations/{name} has the whole of a tool: its description, the schemas of its arguments and its result, and an example.
- A refused call changes nothing. Its result is a problem: code is stable, detail says what to do, errors lists every wrong field. The resource payments://errors/{code} explains a code.
- A call without a clear response may have taken effect. Repeat it with the same arguments and the idempotency_key of its result: it takes effect once.`;
