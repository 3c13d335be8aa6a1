// The README's first payment by what openapi-generator makes of the document for Go. Prints what it has read.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"judge/payments"
)

type object = map[string]any

var ctx = context.Background()

func main() {
	log.SetFlags(0)
	configuration := payments.NewConfiguration()
	configuration.Servers = payments.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("KEY"))
	client := payments.NewAPIClient(configuration)

	order := payments.NewCreatePaymentRequest(baht(129_900))
	order.SetMethod(payments.PROMPTPAY)
	order.SetReference("order-1042")
	order.SetMetadata(metadata())
	created := create(client, order)
	payment := read(client, created.GetId())
	action := payment.GetNextAction()
	qr, isQr := action.GetActualInstance().(*payments.DisplayQrAction)
	if !isQr {
		log.Fatalf("the next action is a %T", action.GetActualInstance())
	}

	canceled, err := cancel(client, created.GetId())
	check(err)
	_, err = cancel(client, created.GetId())
	refusal := problemOf(err)

	amount := payments.NewOpenLinkAmount("open")
	amount.SetMin(baht(2_000))
	linkOrder := payments.NewCreatePaymentLinkRequest(payments.OpenLinkAmountAsPaymentLinkAmount(amount))
	linkOrder.SetDescription("Tip jar")
	link, _, err := client.CheckoutAPI.CheckoutCreatePaymentLink(ctx).
		IdempotencyKey(once()).CreatePaymentLinkRequest(*linkOrder).Execute()
	check(err)
	least := link.GetMinAmount()

	largeOrder := payments.NewCreatePaymentRequest(baht(3_000_000_000))
	largeOrder.SetMethod(payments.BANK_TRANSFER)
	large := create(client, largeOrder)
	page, _, err := client.PaymentsAPI.PaymentsListPayments(ctx).Limit(100).Execute()
	check(err)
	var listed any
	for _, one := range page.GetData() {
		if one.GetId() == large.GetId() {
			listed = one.Amount.GetMinor()
		}
	}
	largeAgain := read(client, large.GetId())

	check(json.NewEncoder(os.Stdout).Encode(object{
		"payment": object{
			"id":        payment.GetId(),
			"status":    payment.GetStatus(),
			"minor":     payment.Amount.GetMinor(),
			"currency":  payment.Amount.GetCurrency(),
			"reference": payment.GetReference(),
			"metadata":  payment.GetMetadata(),
			"qr":        qr.Qr.GetPayload(),
		},
		"canceled": canceled.GetStatus(),
		"refusal": object{
			"status":         refusal.GetStatus(),
			"code":           refusal.GetCode(),
			"current_status": refusal.GetDetails()["current_status"],
		},
		"link": object{
			"id":          link.GetId(),
			"amount_type": link.GetAmountType(),
			"min_minor":   least.GetMinor(),
			"description": link.GetDescription(),
		},
		"large": object{
			"id":      large.GetId(),
			"created": large.Amount.GetMinor(),
			"read":    largeAgain.Amount.GetMinor(),
			"listed":  listed,
		},
	}))
}

func create(client *payments.APIClient, order *payments.CreatePaymentRequest) *payments.Payment {
	payment, _, err := client.PaymentsAPI.PaymentsCreatePayment(ctx).
		IdempotencyKey(once()).CreatePaymentRequest(*order).Execute()
	check(err)
	return payment
}

func read(client *payments.APIClient, id string) *payments.Payment {
	payment, _, err := client.PaymentsAPI.PaymentsGetPayment(ctx, id).Execute()
	check(err)
	return payment
}

func cancel(client *payments.APIClient, id string) (*payments.CanceledPayment, error) {
	payment, _, err := client.PaymentsAPI.PaymentsCancelPayment(ctx, id).IdempotencyKey(once()).Execute()
	return payment, err
}

func baht(minor int64) payments.MoneyInput {
	return *payments.NewMoneyInput(payments.THB, minor)
}

func once() string {
	key := make([]byte, 16)
	_, err := rand.Read(key)
	check(err)
	return hex.EncodeToString(key)
}

func metadata() map[string]payments.MetadataInputValue {
	cart, items, gift := "c-7", float32(3), true
	return map[string]payments.MetadataInputValue{
		"cart":  {String: &cart},
		"items": {Float32: &items},
		"gift":  {Bool: &gift},
	}
}

func problemOf(err error) payments.Problem {
	var refused *payments.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatalf("a refusal was expected, not %v", err)
	}
	problem, isProblem := refused.Model().(payments.Problem)
	if !isProblem {
		log.Fatalf("a problem was expected, not %T: %s", refused.Model(), refused.Body())
	}
	return problem
}

func check(err error) {
	if err == nil {
		return
	}
	var refused *payments.GenericOpenAPIError
	if errors.As(err, &refused) {
		log.Fatal(fmt.Sprintf("%v: %s", err, refused.Body()))
	}
	log.Fatal(err)
}
