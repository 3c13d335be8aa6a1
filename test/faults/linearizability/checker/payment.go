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
	// hash is that of the answer to the request that created it.
	hash                   string
	amount, refunded, held int64
	expiresAtMs            int64
	refunds                [refundsMax + 1]refundState
	// unknownRefunds are those whose request got no answer, if it took effect.
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

// delayedOutcome is what the provider says later.
type delayedOutcome struct {
	outcome string
	dueMs   span
}

type paymentAsked struct {
	// Command is one of those in stepPayment.
	Command string `json:"command"`
	// HasMethod tells that the payment was created with a method.
	HasMethod bool `json:"hasMethod"`
	// AmountMinor is 0 where all that is left is to be refunded.
	AmountMinor int64  `json:"amountMinor"`
	Outcome     string `json:"outcome"`
	// Event is the number of the provider's event, 0 for none.
	Event        int   `json:"event"`
	DelaySeconds int64 `json:"delaySeconds"`
	Refund       int   `json:"refund"`
	// IsRejected tells that the refund's reason is the one that is rejected.
	IsRejected bool `json:"isRejected"`
}

type paymentAnswer struct {
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

type paymentRequest = request[paymentAsked, paymentAnswer]

func stepPayment(state paymentState, asked paymentRequest) []paymentState {
	if asked.asked.Command == "create" {
		return createPayment(state, asked)
	}
	if state.status == "" {
		return nil
	}
	var next []paymentState
	if asked.isUnknown() {
		next = append(next, state)
	}
	for _, stored := range reachable(state, func(s paymentState) []paymentState { return s.stepsUntil(asked.clock.Until) }) {
		if asked.asked.Command == "move clock" {
			next = append(next, stored.afterMove(asked)...)
			continue
		}
		for _, shown := range stored.asOf(asked.clock) {
			next = append(next, shown.after(asked)...)
		}
	}
	return next
}

// §4: however often the request is sent, there is one payment, and one answer.
func createPayment(state paymentState, asked paymentRequest) []paymentState {
	answer := asked.answer
	switch {
	case asked.isUnknown() || !answer.isDone():
		return nil
	case state.status == "":
		state.status = "created"
		if asked.asked.HasMethod {
			state.status = "requires_action"
		}
		state.amount, state.expiresAtMs, state.hash = asked.asked.AmountMinor, answer.ExpiresAtMs, answer.Hash
		return []paymentState{state}
	case state.hash == answer.Hash:
		return []paymentState{state}
	}
	return nil
}

// isPayable tells that the payment can expire and be canceled (§5).
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

// afterOutcome is the state after what a provider says; false where the status does not allow it (§5).
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

// afterDelayed lets what was delayed take place. §9: only then is it decided whether the status allows it. §11: it
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

// afterMove is the state when a move of the clock is answered. §11: then its work is done, and what was due has run.
func (s paymentState) afterMove(asked paymentRequest) []paymentState {
	answer := asked.answer
	if asked.isUnknown() || (answer.Status == 409 && answer.Code == "clock_busy") {
		return []paymentState{s}
	}
	if !answer.isDone() || (answer.JobsRemaining == 0 && s.hasDueBy(answer.ToMs)) {
		return nil
	}
	return []paymentState{s}
}

// hasDueBy tells that a step is surely due by a time.
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

// after gives the states after a request that sees the payment as it is here; none where its answer is not possible.
func (s paymentState) after(asked paymentRequest) []paymentState {
	switch asked.asked.Command {
	case "retrieve":
		// §13: retrieving by id never lags behind.
		return s.onlyIf(asked.isUnknown() || s.isShownBy(asked.answer))
	case "list":
		return s.onlyIf(asked.isUnknown() || (asked.answer.Found == 1 && s.isShownBy(asked.answer)))
	case "cancel":
		return s.afterCancel(asked)
	case "simulate":
		return s.afterSimulation(asked)
	case "request refund":
		return s.afterRefund(asked)
	case "retrieve refund":
		answer := asked.answer
		return s.onlyIf(asked.isUnknown() ||
			(answer.isDone() && answer.RefundStatus == s.refunds[asked.asked.Refund].status))
	case "cancel refund":
		return s.afterRefundCancel(asked)
	case "simulate refund":
		return s.afterRefundSimulation(asked)
	}
	return nil
}

func (s paymentState) onlyIf(holds bool) []paymentState {
	if !holds {
		return nil
	}
	return []paymentState{s}
}

func (s paymentState) isShownBy(answer *paymentAnswer) bool {
	return answer.isDone() && answer.PaymentStatus == s.status && answer.IsLate == s.isLate &&
		answer.RefundedMinor == s.refunded
}

// refused keeps the state, where the answer is that its status does not allow the command (principle 4).
func (s paymentState) refused(asked paymentRequest) []paymentState {
	return s.onlyIf(!asked.isUnknown() && asked.answer.isRefusedIn(s.status))
}

func (s paymentState) afterCancel(asked paymentRequest) []paymentState {
	if !s.isPayable() {
		return s.refused(asked)
	}
	s.status = "canceled"
	return s.onlyIf(asked.isUnknown() || (asked.answer.isDone() && asked.answer.PaymentStatus == "canceled"))
}

func (s paymentState) afterSimulation(asked paymentRequest) []paymentState {
	wanted, answer := asked.asked, asked.answer
	if known := s.events[wanted.Event]; wanted.Event > 0 && known.outcome != "" {
		return s.onlyIf(!asked.isUnknown() && known.isRepeatedBy(wanted.Outcome, answer))
	}
	if !asked.isUnknown() && answer.isDone() && answer.IsRepeated {
		return nil
	}
	if wanted.DelaySeconds > 0 {
		return s.afterDelay(asked)
	}
	after, isAllowed := s.afterOutcome(wanted.Outcome)
	if !isAllowed {
		return s.refused(asked)
	}
	if wanted.Event > 0 {
		after.events[wanted.Event] = providerEvent{wanted.Outcome, wanted.Outcome}
	}
	return after.onlyIf(asked.isUnknown() || (answer.isDone() && answer.Outcome == wanted.Outcome))
}

// isRepeatedBy tells that an answer is right for an event that is known already. §9: with the same content it is
// repeated, with other content refused; both before the status is looked at.
func (e providerEvent) isRepeatedBy(outcome string, answer *paymentAnswer) bool {
	if outcome == e.outcome {
		return answer.isDone() && answer.IsRepeated && answer.Outcome == e.result
	}
	return answer.Status == 409 && answer.Code == "event_conflict"
}

// afterDelay queues what the provider says later (§9).
func (s paymentState) afterDelay(asked paymentRequest) []paymentState {
	answer := asked.answer
	if !asked.isUnknown() && (!answer.isDone() || answer.Outcome != "queued") {
		return nil
	}
	delayMs := asked.asked.DelaySeconds * 1000
	// Sorted by time, so those that are free come last.
	s.delayed[delayedMax-1] = delayedOutcome{
		asked.asked.Outcome, span{asked.clock.From + delayMs, asked.clock.Until + delayMs},
	}
	s.sortDelayed()
	return []paymentState{s}
}

// afterRefund requests a refund. §6: of a payment that succeeded, by default all that is left of it, and never more.
func (s paymentState) afterRefund(asked paymentRequest) []paymentState {
	if s.status != "succeeded" {
		return s.refused(asked)
	}
	answer := asked.answer
	left := s.amount - s.held
	amount := asked.asked.AmountMinor
	if amount == 0 {
		amount = left
	}
	if amount > left || left == 0 {
		return s.onlyIf(!asked.isUnknown() && answer.Status == 422 && answer.Code == "refund_amount_exceeded" &&
			answer.RefundableMinor == left)
	}
	refund := refundState{status: "requested", amount: amount, isRejected: asked.asked.IsRejected}
	s.held += amount
	if asked.isUnknown() {
		refund.dueMs = span{asked.clock.From + approvedAfterMs, forever}
		s.addUnknown(refund)
		return []paymentState{s}
	}
	if !answer.isDone() || answer.AmountMinor != amount || answer.RefundStatus != "requested" {
		return nil
	}
	dueMs := answer.CreatedAtMs + approvedAfterMs
	refund.dueMs = span{dueMs, dueMs}
	s.refunds[answer.Refund] = refund
	return []paymentState{s}
}

func (s *paymentState) addUnknown(refund refundState) {
	for place := range s.unknownRefunds {
		if s.unknownRefunds[place].status == "" {
			s.unknownRefunds[place] = refund
			return
		}
	}
	panic("a recording has more refunds without an answer than the model can hold")
}

func (s paymentState) refusedFor(refund refundState, asked paymentRequest) []paymentState {
	return s.onlyIf(!asked.isUnknown() && asked.answer.isRefusedIn(refund.status))
}

// §6: a refund can be canceled until it is approved.
func (s paymentState) afterRefundCancel(asked paymentRequest) []paymentState {
	refund := &s.refunds[asked.asked.Refund]
	if refund.status != "requested" {
		return s.refusedFor(*refund, asked)
	}
	refund.status = "canceled"
	s.held -= refund.amount
	return s.onlyIf(asked.isUnknown() || (asked.answer.isDone() && asked.answer.RefundStatus == "canceled"))
}

// §9: simulating a refund takes every step in between.
func (s paymentState) afterRefundSimulation(asked paymentRequest) []paymentState {
	refund := &s.refunds[asked.asked.Refund]
	outcome := asked.asked.Outcome
	switch {
	case refund.status != "requested" && refund.status != "approved" && refund.status != "processing":
		return s.refusedFor(*refund, asked)
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
	return s.onlyIf(asked.isUnknown() || (asked.answer.isDone() && asked.answer.Outcome == outcome))
}
