/*
 * Texts that the store's packed texts have in common, by version (`packed.ts`). A packed text can only be read with
 * the very dictionary that it was packed with: a version that was ever used is NEVER changed, not by one character. To
 * improve it, add the next version. What is packed most often comes last, where referring to it costs least.
 */

/** Parts of addresses, and what merchants often write into their own fields. */
const WORDS =
  'https://http://127.0.0.1:@gmail.com@hotmail.com@example.com.onrender.com.co.th/l/?step=provider.execute-api.ap-southeast-1.amazonaws.com/v1/checkout/"order_id":"order-"customer_id":"invoice":"+668';

const DELIVERY =
  '{"content-type":"application/json","user-agent":"Payments-Webhooks/1","webhook-id":"evt_01m","webhook-timestamp":"179","webhook-signature":"v1,';

/** Resources as the store keeps them. */
const ENTITIES = [
  '{"id":"pot_01m","number":"O-0000","version":1,"settlementId":"stl_01m","provider":"sim_provider","status":"returned"pending"paid","amount":{"currency":"THB","minor":00},"returnReason":null,"account_closed","createdAtMs":179',
  '{"id":"stl_01m","number":"S-0000","version":1,"provider":"sim_provider","valueDate":"2026-1","status":"mismatched"matched","expected":{"currency":"THB","minor":00},"stated":null,"payoutId":"pot_01m","actionId":"act_01m","providerEventId":"evt_01m","createdAtMs":179',
  '{"id":"lnk_01m","number":"L-0000","code":"","url":"https://","version":1,"status":"disabled"active","amountType":"open"fixed","amount":{"currency":"THB","minor":00},"minAmount":null,"maxAmount":null,"currency":"THB","collect":{"email":"optional","name":"required"optional","phone":"off"},"description":null,"maxUses":null,"uses":0,"takenUses":0,"metadata":{},"returnUrl":null,"createdAtMs":179,"updatedAtMs":179,"expiresAtMs":null}',
  '{"id":"ref_01m","number":"R-0000","version":1,"paymentId":"pay_01m","status":"rejected"canceled"failed"approved"processing"requested"succeeded","amount":{"currency":"THB","minor":00},"reason":null,"reasonCode":1,"createdAtMs":179,"updatedAtMs":179,"succeededAtMs":null}',
  '"isMethodOpen":true,"linkCode":"","payerErasedAtMs":179,"failureCode":"{"type":"bank_transfer","bankCode":"000","accountNumber":"0000000000","accountName":"Test Account (do not pay)","reference":"P-0000{"type":"redirect","url":"https://',
  '{"id":"pay_01m","number":"P-0000","version":2,"status":"created"failed"processing"expired"canceled"requires_action"succeeded","amount":{"currency":"THB","minor":00},"method":"promptpay","attempt":null,"attempt":{"id":"att_01m","method":"promptpay","nextAction":{"type":"display_qr","qr":{"payload":"00020101021230630016A00000067701011201150000000000000000220","imageSvgUrl":"https:///qr.svg"}},"createdAtMs":179},"checkoutUrl":null,"pageUrl":"https://","pageSecret":"","reference":null,"description":null,"customer":{"email":null,"name":null,"phone":null},"clientIp":null,"metadata":{},"returnUrl":null,"linkId":null,"late":false,"refundedMinor":0,"refundableMinor":00,"createdAtMs":179,"updatedAtMs":179,"expiresAtMs":179,"succeededAtMs":null}',
].join('');

/** Saved responses: JSON whose field `body` is JSON again, with its quotes escaped. */
const RESPONSES = [
  '303,"contentType":"text/plain","body":"https:///checkout/"}',
  String.raw`{\"id\":\"lnk_01m\",\"number\":\"L-0000\",\"code\":\"\",\"url\":\"https:///l/\",\"amount\":{\"currency\":\"THB\",\"minor\":00},\"amount_type\":\"fixed\",\"min_amount\":null,\"max_amount\":null,\"currency\":\"THB\",\"collect_email\":\"optional\",\"collect_name\":\"optional\",\"collect_phone\":\"off\",\"created_at\":\"2026-1.000Z\",\"description\":null,\"expires_at\":null,\"max_uses\":null,\"uses\":0,\"metadata\":{},\"mode\":\"test\",\"return_url\":null,\"status\":\"active\"}"}`,
  String.raw`{\"id\":\"ref_01m\",\"number\":\"R-0000\",\"payment_id\":\"pay_01m\",\"amount\":{\"currency\":\"THB\",\"minor\":00},\"reason\":null,\"reason_code\":1,\"mode\":\"test\",\"created_at\":\"2026-1.000Z\",\"succeeded_at\":null,\"status\":\"requested\"}"}`,
  String.raw`{\"type\":\"redirect\",\"url\":\"https://\"},\"status\":\"canceled\",\"customer\":{\"email\":null,\"name\":null,\"phone\":null}}"}`,
  String.raw`{"requestId":"req_01m","status":200,"status":201,"contentType":"application/json","body":"{\"id\":\"pay_01m\",\"number\":\"P-0000\",\"amount\":{\"currency\":\"THB\",\"minor\":00},\"checkout_url\":null,\"created_at\":\"2026-1:00.000Z\",\"description\":null,\"expires_at\":\"2026-1:00.000Z\",\"late\":false,\"metadata\":{},\"method\":\"promptpay\",\"mode\":\"test\",\"next_action\":null,\"next_action\":{\"type\":\"display_qr\",\"qr\":{\"payload\":\"00020101021230630016A00000067701011201150000000000000000220\",\"image_svg_url\":\"https:///qr.svg\"},\"expires_at\":\"2026-1\"},\"reference\":null,\"refunded_minor\":0,\"payment_link_id\":null,\"return_url\":null,\"status\":\"succeeded\",\"status\":\"requires_action\",\"succeeded_at\":null,\"customer_email\":null,\"customer_name\":null,\"customer_phone\":null}"}`,
].join('');

/** Bodies of events, and the resources in them as the API shows them. */
const EVENTS = [
  '"payout.returned"failed"paid"created",{"object":{"id":"pot_01m","number":"O-0000","settlement_id":"stl_01m","provider":"sim_provider","amount":{"currency":"THB","minor":00},"mode":"test","return_reason":null,"created_at":"2026-1","updated_at":"2026-1.000Z","status":"pending"},',
  '"settlement.mismatched"settlement.matched",{"object":{"id":"stl_01m","number":"S-0000","provider":"sim_provider","value_date":"2026-1","expected":{"currency":"THB","minor":00},"stated":null,"payout_id":"pot_01m","mode":"test","created_at":"2026-1.000Z","status":"matched"},',
  '"payment_link.overpaid"disabled"created",{"object":{"id":"lnk_01m","number":"L-0000","code":"","url":"https:///l/","amount":{"currency":"THB","minor":00},"amount_type":"fixed","min_amount":null,"max_amount":null,"currency":"THB","collect_email":"optional","collect_name":"optional","collect_phone":"off","created_at":"2026-1.000Z","description":null,"expires_at":null,"max_uses":null,"uses":0,"metadata":{},"mode":"test","return_url":null,"status":"active"},',
  '"refund.rejected"failed"canceled"approved"processing"requested"succeeded",{"object":{"id":"ref_01m","number":"R-0000","payment_id":"pay_01m","amount":{"currency":"THB","minor":00},"reason":null,"reason_code":1,"mode":"test","created_at":"2026-1.000Z","succeeded_at":"2026-1.000Z","status":"succeeded"},',
  '"payment.amount_mismatch"failed"processing"canceled"expired","timestamp":{"type":"bank_transfer","bank_code":"000","account_number":"0000000000","account_name":"Test Account (do not pay)","reference":"P-0000{"type":"redirect","url":"https://',
  '"truemoney"linepay"shopeepay"bank_transfer"direct_debit"installment"live"',
  '"type":"payment.succeeded","timestamp":"2026-1"checkout_url":null,"created_at":"2026-1"metadata":{},"method":"promptpay","mode":"test","next_action":null,"reference":null,"refunded_minor":0,"payment_link_id":null,"return_url":null,"status":"succeeded","succeeded_at":"2026-1Z","customer_email":null,"customer_name":null,"customer_phone":null},"previous_status":"requires_action"},"request":{"id":null,"idempotency_key":null}}',
  '"type":"payment.created","timestamp":"2026-1"mode":"test","next_action":null,"reference":""status":"created","succeeded_at":null,"customer_name":"","customer_phone":"","previous_status":null},"request":{"id":"req_01m',
  '{"id":"evt_01m","type":"payment.requires_action","timestamp":"2026-1Z","mode":"test","api_version":"2026-11-01","sequence":1,"data":{"object":{"id":"pay_01m","number":"P-0000","amount":{"currency":"THB","minor":00},"checkout_url":"https:///v1/checkout/","created_at":"2026-1Z","description":null,"expires_at":"2026-1Z","late":false,"metadata":{"order_id":""},"method":"promptpay","mode":"test","next_action":{"type":"display_qr","qr":{"payload":"00020101021230630016A0000006770101120115000000000000000022053037645802TH540.006304","image_svg_url":"https:///qr.svg"},"expires_at":"2026-1Z"},"reference":"order-","refunded_minor":0,"payment_link_id":null,"return_url":null,"status":"requires_action","succeeded_at":null,"customer_email":"@gmail.com@example.com","customer_name":null,"customer_phone":null},"previous_status":"created"},"request":{"id":"req_01m","idempotency_key":"',
].join('');

/** What payments and refunds tell of their past: as stored, in a saved response, and as shown. */
const PAST = [
  '"failureCode":"declined","received":{"currency":"THB","minor":0},"statusHistory":[{"status":"requested","atMs":179},{"status":"approved","atMs":179},{"status":"processing","atMs":179},{"status":"failed","atMs":179},{"status":"expired","atMs":179},{"status":"canceled","atMs":179}],',
  '"succeededAtMs":179,"statusHistory":[{"status":"created","atMs":179},{"status":"requires_action","atMs":179},{"status":"succeeded","atMs":179}]',
  String.raw`:00.000Z\",\"failure_code\":null,\"late\":false,\"metadata\":{},\"received\":null,\"reference\":null,\"refunded_minor\":0,\"status\":\"requires_action\",\"status_history\":[{\"status\":\"created\",\"at\":\"2026-1:00.000Z\"},{\"status\":\"requires_action\",\"at\":\"2026-1:00.000Z\"}],\"succeeded_at\":null,\"customer_email\":null`,
  String.raw`\"failure_code\":null,\"succeeded_at\":null,\"status\":\"requested\",\"status_history\":[{\"status\":\"requested\",\"at\":\"2026-1`,
  '"failure_code":null,"succeeded_at":"2026-1Z","status":"succeeded","status_history":[{"status":"requested","at":"2026-1"},{"status":"approved","at":"2026-1Z"},{"status":"processing","at":"2026-1Z"},{"status":"expired","at":"2026-1Z"},{"status":"canceled","at":"2026-1Z"},{"status":"failed","at":"',
  '"expires_at":"2026-1Z","failure_code":null,"late":false,"metadata":{"order_id":""},"method":"promptpay","mode":"test","next_action":{"type":"display_qr","qr":{"payload":"00020101021230630016A0000006770101120115000000000000000022053037645802TH540.006304","image_svg_url":"https:///qr.svg"},"expires_at":"2026-1Z"},"received":null,"reference":"order-","refunded_minor":0,"payment_link_id":null,"return_url":null,"status":"created","status_history":[{"status":"created","at":"2026-1Z"}],"succeeded_at":null,"status":"requires_action","status_history":[{"status":"created","at":"2026-1Z"},{"status":"requires_action","at":"2026-1Z"},{"status":"succeeded","at":"2026-1Z"}],"succeeded_at":null,"customer_email":"@gmail.com@example.com","customer_name":null,"customer_phone":null},"previous_status":"created"},"request":{"id":"req_01m","idempotency_key":"',
].join('');

/** The dictionaries, by version. */
export const DICTIONARIES: Readonly<Record<number, string>> = {
  1: WORDS + DELIVERY + ENTITIES + RESPONSES + EVENTS + PAST,
};
