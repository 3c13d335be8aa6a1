import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CheckoutApi;
import org.openapitools.client.api.PaymentsApi;
import org.openapitools.client.model.*;

/** The README's first payment by what openapi-generator makes of the document for Java. Prints what it has read. */
public final class FirstPayment {
  private final ApiClient client = new ApiClient();
  private final PaymentsApi payments;

  private FirstPayment(String baseUrl, String key) {
    client.updateBaseUri(baseUrl);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    payments = new PaymentsApi(client);
  }

  public static void main(String[] args) throws Exception {
    new FirstPayment(System.getenv("BASE_URL"), System.getenv("KEY")).run();
  }

  private void run() throws Exception {
    Payment created = create(new CreatePaymentRequest()
        .amount(baht(129_900))
        .method(PaymentMethod.PROMPTPAY)
        .reference("order-1042")
        .putMetadataItem("cart", new MetadataInputValue("c-7"))
        .putMetadataItem("items", new MetadataInputValue(new java.math.BigDecimal(3)))
        .putMetadataItem("gift", new MetadataInputValue(true)));
    Payment payment = read(created.getId());
    DisplayQrAction action = (DisplayQrAction) payment.getNextAction().getActualInstance();
    CanceledPayment canceled = cancel(created.getId());
    Problem refusal = refusalOf(created.getId());
    PaymentLink link = new CheckoutApi(client).checkoutCreatePaymentLink(once(), new CreatePaymentLinkRequest()
        .amount(new PaymentLinkAmount(
            new OpenLinkAmount().type(OpenLinkAmount.TypeEnum.OPEN).min(baht(2_000))))
        .description("Tip jar"), null);
    Payment large = create(new CreatePaymentRequest()
        .amount(baht(3_000_000_000L))
        .method(PaymentMethod.BANK_TRANSFER));
    PaymentPage page = payments.paymentsListPayments(100, null, null, null, null, null, null, null, null);
    Payment listed = page.getData().stream()
        .filter(one -> one.getId().equals(large.getId()))
        .findFirst().orElseThrow();
    ObjectMapper json = ApiClient.createDefaultObjectMapper();
    System.out.println(json.writeValueAsString(Map.of(
        "payment", Map.of(
            "id", payment.getId(),
            "status", payment.getStatus(),
            "minor", payment.getAmount().getMinor(),
            "currency", payment.getAmount().getCurrency(),
            "reference", payment.getReference(),
            "metadata", payment.getMetadata(),
            "qr", action.getQr().getPayload()),
        "canceled", canceled.getStatus(),
        "refusal", Map.of(
            "status", refusal.getStatus(),
            "code", refusal.getCode(),
            "current_status", refusal.getDetails().get("current_status")),
        "link", Map.of(
            "id", link.getId(),
            "amount_type", link.getAmountType(),
            "min_minor", link.getMinAmount().getMinor(),
            "description", link.getDescription()),
        "large", Map.of(
            "id", large.getId(),
            "created", large.getAmount().getMinor(),
            "read", read(large.getId()).getAmount().getMinor(),
            "listed", listed.getAmount().getMinor()))));
  }

  private Payment create(CreatePaymentRequest order) throws ApiException {
    return payments.paymentsCreatePayment(once(), order, null);
  }

  private Payment read(String id) throws ApiException {
    return payments.paymentsGetPayment(id, null);
  }

  private CanceledPayment cancel(String id) throws ApiException {
    return payments.paymentsCancelPayment(id, once(), null, new CancelPaymentRequest());
  }

  /** The client keeps the text of a refusal; its own model and mapper read it. */
  private Problem refusalOf(String id) throws Exception {
    try {
      cancel(id);
    } catch (ApiException refused) {
      return client.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
    }
    throw new IllegalStateException("a second cancel went through");
  }

  private static MoneyInput baht(long minor) {
    return new MoneyInput().currency(Currency.THB).minor(minor);
  }

  private static String once() {
    return UUID.randomUUID().toString();
  }
}
