package main

// attemptsMax is how many payers one history has; they count from 1.
const attemptsMax = 14

// reservedMs is how long a payment holds a use while no method is chosen (§7).
const reservedMs = 15 * 60_000

// linkState is a payment link with the payments of its payers.
type linkState struct {
	isActive bool
	maxUses  int
	// uses counts the payments that succeeded, taken those and the ones that hold a use.
	uses, taken int
	attempts    [attemptsMax + 1]linkPayment
}

type linkPayment struct {
	// status is empty while there is no payment; "open" holds a use.
	status string
	// hash is that of the payment's address; unknownHash if the response got lost.
	hash string
	// expiresAtMs bounds the end of the time to pay.
	expiresAtMs span
}

type linkRequest struct {
	// Command is one of those in linkState.after.
	Command string `json:"command"`
	MaxUses int    `json:"maxUses"`
	// Attempt is the payer's number.
	Attempt int    `json:"attempt"`
	Outcome string `json:"outcome"`
}

type linkResponse struct {
	verdict
	Uses          int    `json:"uses"`
	LinkStatus    string `json:"linkStatus"`
	Hash          string `json:"hash"`
	ExpiresAtMs   int64  `json:"expiresAtMs"`
	ToMs          int64  `json:"toMs"`
	JobsRemaining int    `json:"jobsRemaining"`
}

type linkCall = modelCall[linkRequest, linkResponse]

func stepLink(state linkState, call linkCall) []linkState {
	if call.request.Command == "create" {
		return []linkState{{isActive: true, maxUses: call.request.MaxUses}}
	}
	var next []linkState
	if call.isUnknown() {
		next = append(next, state)
	}
	for _, stored := range reachable(state, func(s linkState) []linkState { return s.expiriesUntil(call.clock.Until) }) {
		next = append(next, stored.after(call)...)
	}
	return next
}

// expiriesUntil gives the states after one more payment has expired by a time. §7: it holds its use no longer.
func (s linkState) expiriesUntil(ms int64) []linkState {
	var next []linkState
	for place, payment := range s.attempts {
		if payment.status == "open" && payment.expiresAtMs.From <= ms {
			after := s
			after.attempts[place].status = "expired"
			after.taken--
			next = append(next, after)
		}
	}
	return next
}

func (s linkState) hasDueBy(ms int64) bool {
	for _, payment := range s.attempts {
		if payment.status == "open" && payment.expiresAtMs.Until <= ms {
			return true
		}
	}
	return false
}

// isAvailable reports whether a payer may request a payment. §7: a pending payment reserves a use.
func (s linkState) isAvailable() bool { return s.isActive && s.taken < s.maxUses }

func (s linkState) onlyIf(holds bool) []linkState {
	if !holds {
		return nil
	}
	return []linkState{s}
}

func (s linkState) isShownBy(response *linkResponse) bool {
	return response.isDone() && response.Uses == s.uses && (response.LinkStatus == "active") == s.isActive
}

func (s linkState) after(call linkCall) []linkState {
	response := call.response
	switch call.request.Command {
	case "request payment":
		return s.afterPaymentRequest(call)
	case "simulate":
		return s.afterSimulation(call)
	case "cancel":
		return s.afterCancel(call)
	case "retrieve":
		return s.onlyIf(call.isUnknown() || s.isShownBy(response))
	case "open page":
		// §7: the page of a disabled or used-up link responds with 410, and with 409 while its last uses are only held.
		status := 410
		if s.isAvailable() {
			status = 200
		} else if s.isActive && s.uses < s.maxUses {
			status = 409
		}
		return s.onlyIf(call.isUnknown() || response.Status == status)
	case "disable":
		// §7: disabling a disabled link changes nothing.
		s.isActive = false
		return s.onlyIf(call.isUnknown() || s.isShownBy(response))
	case "move clock":
		if call.isUnknown() || (response.Status == 409 && response.Code == "clock_busy") {
			return []linkState{s}
		}
		// §11: a move responds when its work is done.
		return s.onlyIf(response.isDone() && (response.JobsRemaining > 0 || !s.hasDueBy(response.ToMs)))
	}
	return nil
}

func (s linkState) afterPaymentRequest(call linkCall) []linkState {
	response := call.response
	payment := &s.attempts[call.request.Attempt]
	if payment.status != "" {
		// The same form sent twice makes one payment, whatever has become of the link.
		isSame := !call.isUnknown() && response.Status == 303 && (payment.hash == unknownHash || payment.hash == response.Hash)
		if isSame {
			payment.hash, payment.expiresAtMs = response.Hash, span{response.ExpiresAtMs, response.ExpiresAtMs}
		}
		return s.onlyIf(isSame)
	}
	if !s.isAvailable() {
		return s.onlyIf(!call.isUnknown() && response.Status == 409)
	}
	s.taken++
	if call.isUnknown() {
		*payment = linkPayment{"open", unknownHash, span{call.clock.From + reservedMs, forever}}
		return []linkState{s}
	}
	*payment = linkPayment{"open", response.Hash, span{response.ExpiresAtMs, response.ExpiresAtMs}}
	return s.onlyIf(response.Status == 303)
}

// isRefused reports whether the payment's status refuses the command. Its expiry counts at once (§5), though it holds
// its use until the job that records it has run.
func (p linkPayment) isRefused(call linkCall) bool {
	isOver := p.status != "open" || p.expiresAtMs.From <= call.clock.Until
	return isOver && !call.isUnknown() && call.response.Status == 409 && call.response.Code == "invalid_state"
}

func (s linkState) afterSimulation(call linkCall) []linkState {
	payment := &s.attempts[call.request.Attempt]
	next := s.onlyIf(payment.isRefused(call) && (call.request.Outcome == "failed" || payment.status != "open"))
	switch {
	case call.request.Outcome == "succeeded" && payment.status == "open":
		payment.status = "succeeded"
		s.uses++
	case call.request.Outcome == "succeeded" && (payment.status == "expired" || payment.status == "canceled"):
		// §7: only money that comes late can exceed the uses. It is kept.
		payment.status = "succeeded"
		s.uses++
		s.taken++
	case call.request.Outcome == "failed" && payment.status == "open":
		payment.status = "failed"
		s.taken--
	default:
		return next
	}
	return append(next, s.onlyIf(call.isUnknown() || call.response.isDone())...)
}

func (s linkState) afterCancel(call linkCall) []linkState {
	payment := &s.attempts[call.request.Attempt]
	next := s.onlyIf(payment.isRefused(call))
	if payment.status != "open" {
		return next
	}
	payment.status = "canceled"
	s.taken--
	return append(next, s.onlyIf(call.isUnknown() || call.response.isDone())...)
}
