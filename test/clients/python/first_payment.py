"""The README's first payment by what openapi-python-client makes of the document. Prints what it has read."""

import json
import os
import uuid
from typing import TypeVar

from payments_client import AuthenticatedClient
from payments_client.api.checkout import checkout_create_payment_link
from payments_client.api.payments import (
    payments_cancel_payment,
    payments_create_payment,
    payments_get_payment,
    payments_list_payments,
)
from payments_client.models import (
    CanceledPayment,
    CancelPaymentRequest,
    CreatePaymentLinkRequest,
    CreatePaymentRequest,
    Currency,
    DisplayQrAction,
    MetadataInput,
    Money,
    MoneyInput,
    OpenLinkAmount,
    OpenLinkAmountType,
    Payment,
    PaymentLink,
    PaymentMethod,
    PaymentPage,
    Problem,
    ProblemDetails,
)

Model = TypeVar("Model")


def expect(kind: type[Model], answer: object) -> Model:
    if not isinstance(answer, kind):
        raise TypeError(f"{kind.__name__} was expected, not {answer!r}")
    return answer


def baht(minor: int) -> MoneyInput:
    return MoneyInput(currency=Currency.THB, minor=minor)


def once() -> str:
    return str(uuid.uuid4())


def create(client: AuthenticatedClient, body: CreatePaymentRequest) -> Payment:
    return expect(Payment, payments_create_payment.sync(client=client, body=body, idempotency_key=once()))


def read(client: AuthenticatedClient, payment_id: str) -> Payment:
    return expect(Payment, payments_get_payment.sync(payment_id, client=client))


def cancel(client: AuthenticatedClient, payment_id: str) -> object:
    body = CancelPaymentRequest()
    return payments_cancel_payment.sync(payment_id, client=client, body=body, idempotency_key=once())


def main() -> None:
    client = AuthenticatedClient(
        base_url=os.environ["BASE_URL"], token=os.environ["KEY"], raise_on_unexpected_status=True
    )
    metadata = MetadataInput()
    metadata.additional_properties = {"cart": "c-7", "items": 3, "gift": True}
    created = create(
        client,
        CreatePaymentRequest(
            amount=baht(129_900),
            method=PaymentMethod.PROMPTPAY,
            reference="order-1042",
            metadata=metadata,
        ),
    )
    payment = read(client, created.id)
    canceled = expect(CanceledPayment, cancel(client, created.id))
    refusal = expect(Problem, cancel(client, created.id))
    details = expect(ProblemDetails, refusal.details)
    amount = OpenLinkAmount(type_=OpenLinkAmountType.OPEN, min_=baht(2_000))
    link = expect(
        PaymentLink,
        checkout_create_payment_link.sync(
            client=client,
            body=CreatePaymentLinkRequest(amount=amount, description="Tip jar"),
            idempotency_key=once(),
        ),
    )
    large = create(
        client, CreatePaymentRequest(amount=baht(3_000_000_000), method=PaymentMethod.BANK_TRANSFER)
    )
    page = expect(PaymentPage, payments_list_payments.sync(client=client, limit=100))
    print(
        json.dumps(
            {
                "payment": {
                    "id": payment.id,
                    "status": payment.status,
                    "minor": payment.amount.minor,
                    "currency": payment.amount.currency,
                    "reference": payment.reference,
                    "metadata": payment.metadata.additional_properties,
                    "qr": expect(DisplayQrAction, payment.next_action).qr.payload,
                },
                "canceled": canceled.status,
                "refusal": {
                    "status": refusal.status,
                    "code": refusal.code,
                    "current_status": details["current_status"],
                },
                "link": {
                    "id": link.id,
                    "amount_type": link.amount_type,
                    "min_minor": expect(Money, link.min_amount).minor,
                    "description": link.description,
                },
                "large": {
                    "id": large.id,
                    "created": large.amount.minor,
                    "read": read(client, large.id).amount.minor,
                    "listed": next(one.amount.minor for one in page.data if one.id == large.id),
                },
            }
        )
    )


main()
