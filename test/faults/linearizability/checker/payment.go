package main

import "sort"

// How many things of a kind one history has at most. Refunds and events count from 1.
const (
	refundsMax        = 14
	unknownRefundsMax = 12
	eventsMax         = 4
	delayedMax        = 5
)

const (
	approvedAfterMs   = 15 * 60_000
	handedOverAfterMs = 60_000
)

// paymentState is a payment with its refunds.
type paymentState struct {
	// status is empty until the payment was created.
	status string
	isLate bool
	// hash is that of the response to the request that created it.
	hash                   string
	amount, refunded, held int64
	expiresAtMs            int64
	refunds                [refundsMax + 1]refundState
	// unknownRefunds are those whose request got no response, if it took effect.
	unknownRefunds [unknownRefundsMax]refundState
	events         [eventsMax + 1]providerEvent
	delayed        [delayedMax]delayedOutcome
}

type refundState struct {
	status     string
	amount     int64
	isRejected bool
	// dueMs bounds the time of the next step.
	dueMs span
}

// providerEvent is an event that the provider has an id for.
type providerEvent struct{ outcome, result string }

// delayedOutcome is an outcome that the provider reports later.
type delayedOutcome struct {
	outcome string
	dueMs   span
}

type paymentRequest struct {
	// Command is one of those in stepPayment.
	Command string `json:"command"`
	// HasMethod reports whether the payment was created with a method.
	HasMethod bool `json:"hasMethod"`
	// AmountMinor is 0 where all that is left is to be refunded.
	AmountMinor int64  `json:"amountMinor"`
	Outcome     string `json:"outcome"`
	// Event is the number of the provider's event, 0 for none.
	Event        int   `json:"event"`
	DelaySeconds int64 `json:"delaySeconds"`
	Refund       int   `json:"refund"`
	// IsRejected reports whether the refund's reason is the one that is rejected.
	IsRejected bool `json:"isRejected"`
}

type paymentResponse struct {
	verdict
	PaymentStatus string `json:"paymentStatus"`
	IsLate        bool   `json:"isLate"`
	RefundedMinor int64  `json:"refundedMinor"`
	Hash          string `json:"hash"`
	ExpiresAtMs   int64  `json:"expiresAtMs"`
	// Found is how many payments a list has.
	Found int `json:"found"`
	// Outcome and IsRepeated are those of a simulation.
	Outcome         string `json:"outcome"`
	IsRepeated      bool   `json:"isRepeated"`
	Refund          int    `json:"refund"`
	RefundStatus    string `json:"refundStatus"`
	AmountMinor     int64  `json:"amountMinor"`
	CreatedAtMs     int64  `json:"createdAtMs"`
	RefundableMinor int64  `json:"refundableMinor"`
	ToMs            int64  `json:"toMs"`
	JobsRemaining   int    `json:"jobsRemaining"`
}

type paymentCall = modelCall[paymentRequest, paymentResponse]

func stepPayment(state paymentState, call paymentCall) []paymentState {
	if call.request.Command == "create" {
		return createPayment(state, call)
	}
	if state.status == "" {
		return nil
	}
	var next []paymentState
	if call.isUnknown() {
		next = append(next, state)
	}
	for _, stored := range reachable(state, func(s paymentState) []paymentState { return s.stepsUntil(call.clock.Until) }) {
		if call.request.Command == "move clock" {
			next = append(next, stored.afterMove(call)...)
			continue
		}
		for _, shown := range stored.asOf(call.clock) {
			next = append(next, shown.after(call)...)
		}
	}
	return next
}

// §4: however often the request is sent, there is one payment, and one response.
func createPayment(state paymentState, call paymentCall) []paymentState {
	response := call.response
	switch {
	case call.isUnknown() || !response.isDone():
		return nil
	case state.status == "":
		state.status = "created"
		if call.request.HasMethod {
			state.status = "requires_action"
		}
		state.amount, state.expiresAtMs, state.hash = call.request.AmountMinor, response.ExpiresAtMs, response.Hash
		return []paymentState{state}
	case state.hash == response.Hash:
		return []paymentState{state}
	}
	return nil
}

// isPayable reports whether the payment can expire and be canceled (§5).
func (s paymentState) isPayable() bool { return s.status == "created" || s.status == "requires_action" }

// asOf gives the states that a request may see. §5: every read and every command takes an expiry into account at once,
// even if the job that records it has not run. What was seen as expired stays so, unless money comes late.
func (s paymentState) asOf(clock span) []paymentState {
	expired := s
	expired.status = "expired"
	switch {
	case !s.isPayable() || clock.Until < s.expiresAtMs:
		return []paymentState{s}
	case clock.From >= s.expiresAtMs:
		return []paymentState{expired}
	}
	return []paymentState{s, expired}
}

// afterOutcome is the state after a provider's outcome; false if the status does not allow it (§5).
func (s paymentState) afterOutcome(outcome string) (paymentState, bool) {
	isOpen := s.isPayable() || s.status == "processing"
	switch {
	case outcome == "succeeded" && isOpen:
		s.status = "succeeded"
	case outcome == "succeeded" && (s.status == "expired" || s.status == "canceled"):
		// Money that arrived counts (principle 5).
		s.status, s.isLate = "succeeded", true
	case outcome == "failed" && isOpen:
		s.status = "failed"
	case outcome == "pending" && s.isPayable():
		s.status = "processing"
	case outcome == "mismatch" && isOpen:
		s.status = "processing"
	default:
		return s, false
	}
	return s, true
}

// stepsUntil gives the states after one more of the steps that the clock brings by a time (§11).
func (s paymentState) stepsUntil(ms int64) []paymentState {
	var next []paymentState
	if s.isPayable() && s.expiresAtMs <= ms {
		expired := s
		expired.status = "expired"
		next = append(next, expired)
	}
	for place := range s.refunds {
		after := s
		if after.stepRefund(&after.refunds[place], ms) {
			next = append(next, after)
		}
	}
	for place := range s.unknownRefunds {
		after := s
		if after.stepRefund(&after.unknownRefunds[place], ms) {
			next = append(next, after)
		}
	}
	for place, delayed := range s.delayed {
		if delayed.outcome != "" && delayed.dueMs.From <= ms {
			next = append(next, s.afterDelayed(place)...)
		}
	}
	return next
}

// stepRefund takes a refund one step ahead, where it is due by a time. §6: it is approved, or rejected, 15 minutes after
// it was requested, and handed over a minute later.
func (s *paymentState) stepRefund(refund *refundState, ms int64) bool {
	if refund.dueMs.From > ms {
		return false
	}
	switch {
	case refund.status == "requested" && refund.isRejected:
		refund.status = "rejected"
		s.held -= refund.amount
	case refund.status == "requested":
		refund.status = "approved"
		refund.dueMs = span{refund.dueMs.From + handedOverAfterMs, refund.dueMs.Until + handedOverAfterMs}
	case refund.status == "approved":
		refund.status = "processing"
	default:
		return false
	}
	return true
}

// afterDelayed applies the delayed outcome. §9: only then is it decided whether the status allows it. §11: it
// happens at its own time, so an expiry that is due before it comes first.
func (s paymentState) afterDelayed(place int) []paymentState {
	delayed := s.delayed[place]
	s.delayed[place] = delayedOutcome{}
	s.sortDelayed()
	var next []paymentState
	for _, before := range s.asOf(delayed.dueMs) {
		if after, isAllowed := before.afterOutcome(delayed.outcome); isAllowed {
			next = append(next, after)
		} else {
			next = append(next, s)
		}
	}
	return next
}

// sortDelayed makes states equal that differ in the order only.
func (s *paymentState) sortDelayed() {
	sort.Slice(s.delayed[:], func(a, b int) bool {
		one, other := s.delayed[a], s.delayed[b]
		return one.dueMs.From > other.dueMs.From || (one.dueMs == other.dueMs && one.outcome > other.outcome)
	})
}

// afterMove is the state at the response to a move of the clock. §11: then its work is done, and all due jobs have run.
func (s paymentState) afterMove(call paymentCall) []paymentState {
	response := call.response
	if call.isUnknown() || (response.Status == 409 && response.Code == "clock_busy") {
		return []paymentState{s}
	}
	if !response.isDone() || (response.JobsRemaining == 0 && s.hasDueBy(response.ToMs)) {
		return nil
	}
	return []paymentState{s}
}

// hasDueBy reports whether a step is surely due by a time.
func (s paymentState) hasDueBy(ms int64) bool {
	if s.isPayable() && s.expiresAtMs <= ms {
		return true
	}
	for _, refund := range s.refunds {
		if (refund.status == "requested" || refund.status == "approved") && refund.dueMs.Until <= ms {
			return true
		}
	}
	for _, delayed := range s.delayed {
		if delayed.outcome != "" && delayed.dueMs.Until <= ms {
			return true
		}
	}
	return false
}

// after gives the states after a request that sees this payment; none if its response is not possible.
func (s paymentState) after(call paymentCall) []paymentState {
	switch call.request.Command {
	case "retrieve":
		// §13: retrieving by id never lags behind.
		return s.onlyIf(call.isUnknown() || s.isShownBy(call.response))
	case "list":
		return s.onlyIf(call.isUnknown() || (call.response.Found == 1 && s.isShownBy(call.response)))
	case "cancel":
		return s.afterCancel(call)
	case "simulate":
		return s.afterSimulation(call)
	case "request refund":
		return s.afterRefund(call)
	case "retrieve refund":
		response := call.response
		return s.onlyIf(call.isUnknown() ||
			(response.isDone() && response.RefundStatus == s.refunds[call.request.Refund].status))
	case "cancel refund":
		return s.afterRefundCancel(call)
	case "simulate refund":
		return s.afterRefundSimulation(call)
	}
	return nil
}

func (s paymentState) onlyIf(holds bool) []paymentState {
	if !holds {
		return nil
	}
	return []paymentState{s}
}

func (s paymentState) isShownBy(response *paymentResponse) bool {
	return response.isDone() && response.PaymentStatus == s.status && response.IsLate == s.isLate &&
		response.RefundedMinor == s.refunded
}

// refused keeps the state if the response is that its status does not allow the command (principle 4).
func (s paymentState) refused(call paymentCall) []paymentState {
	return s.onlyIf(!call.isUnknown() && call.response.isRefusedIn(s.status))
}

func (s paymentState) afterCancel(call paymentCall) []paymentState {
	if !s.isPayable() {
		return s.refused(call)
	}
	s.status = "canceled"
	return s.onlyIf(call.isUnknown() || (call.response.isDone() && call.response.PaymentStatus == "canceled"))
}

func (s paymentState) afterSimulation(call paymentCall) []paymentState {
	wanted, response := call.request, call.response
	if known := s.events[wanted.Event]; wanted.Event > 0 && known.outcome != "" {
		return s.onlyIf(!call.isUnknown() && known.isRepeatedBy(wanted.Outcome, response))
	}
	if !call.isUnknown() && response.isDone() && response.IsRepeated {
		return nil
	}
	if wanted.DelaySeconds > 0 {
		return s.afterDelay(call)
	}
	after, isAllowed := s.afterOutcome(wanted.Outcome)
	if !isAllowed {
		return s.refused(call)
	}
	if wanted.Event > 0 {
		after.events[wanted.Event] = providerEvent{wanted.Outcome, wanted.Outcome}
	}
	return after.onlyIf(call.isUnknown() || (response.isDone() && response.Outcome == wanted.Outcome))
}

// isRepeatedBy reports whether a response is right for an event that is already known. §9: with the same content it is
// repeated, with other content refused; both before the status is checked.
func (e providerEvent) isRepeatedBy(outcome string, response *paymentResponse) bool {
	if outcome == e.outcome {
		return response.isDone() && response.IsRepeated && response.Outcome == e.result
	}
	return response.Status == 409 && response.Code == "event_conflict"
}

// afterDelay queues an outcome that the provider reports later (§9).
func (s paymentState) afterDelay(call paymentCall) []paymentState {
	response := call.response
	if !call.isUnknown() && (!response.isDone() || response.Outcome != "queued") {
		return nil
	}
	delayMs := call.request.DelaySeconds * 1000
	// Sorted by time, so those that are free come last.
	s.delayed[delayedMax-1] = delayedOutcome{
		call.request.Outcome, span{call.clock.From + delayMs, call.clock.Until + delayMs},
	}
	s.sortDelayed()
	return []paymentState{s}
}

// afterRefund requests a refund. §6: of a payment that succeeded, by default all that is left of it, and never more.
func (s paymentState) afterRefund(call paymentCall) []paymentState {
	if s.status != "succeeded" {
		return s.refused(call)
	}
	response := call.response
	left := s.amount - s.held
	amount := call.request.AmountMinor
	if amount == 0 {
		amount = left
	}
	if amount > left || left == 0 {
		return s.onlyIf(!call.isUnknown() && response.Status == 422 && response.Code == "refund_amount_exceeded" &&
			response.RefundableMinor == left)
	}
	refund := refundState{status: "requested", amount: amount, isRejected: call.request.IsRejected}
	s.held += amount
	if call.isUnknown() {
		refund.dueMs = span{call.clock.From + approvedAfterMs, forever}
		s.addUnknown(refund)
		return []paymentState{s}
	}
	if !response.isDone() || response.AmountMinor != amount || response.RefundStatus != "requested" {
		return nil
	}
	dueMs := response.CreatedAtMs + approvedAfterMs
	refund.dueMs = span{dueMs, dueMs}
	s.refunds[response.Refund] = refund
	return []paymentState{s}
}

func (s *paymentState) addUnknown(refund refundState) {
	for place := range s.unknownRefunds {
		if s.unknownRefunds[place].status == "" {
			s.unknownRefunds[place] = refund
			return
		}
	}
	panic("a recording has more refunds without an response than the model can hold")
}

func (s paymentState) refusedFor(refund refundState, call paymentCall) []paymentState {
	return s.onlyIf(!call.isUnknown() && call.response.isRefusedIn(refund.status))
}

// §6: a refund can be canceled until it is approved.
func (s paymentState) afterRefundCancel(call paymentCall) []paymentState {
	refund := &s.refunds[call.request.Refund]
	if refund.status != "requested" {
		return s.refusedFor(*refund, call)
	}
	refund.status = "canceled"
	s.held -= refund.amount
	return s.onlyIf(call.isUnknown() || (call.response.isDone() && call.response.RefundStatus == "canceled"))
}

// §9: simulating a refund takes every step in between.
func (s paymentState) afterRefundSimulation(call paymentCall) []paymentState {
	refund := &s.refunds[call.request.Refund]
	outcome := call.request.Outcome
	switch {
	case refund.status != "requested" && refund.status != "approved" && refund.status != "processing":
		return s.refusedFor(*refund, call)
	case refund.status == "requested" && refund.isRejected:
		outcome = "rejected"
		refund.status = "rejected"
		s.held -= refund.amount
	case outcome == "succeeded":
		refund.status = "succeeded"
		s.refunded += refund.amount
	default:
		refund.status = "failed"
		s.held -= refund.amount
	}
	return s.onlyIf(call.isUnknown() || (call.response.isDone() && call.response.Outcome == outcome))
}
