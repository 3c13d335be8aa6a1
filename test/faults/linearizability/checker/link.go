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
	// hash is that of the payment's address; unknownHash where the answer got lost.
	hash string
	// expiresAtMs bounds the end of the time to pay.
	expiresAtMs span
}

type linkAsked struct {
	// Command is one of those in linkState.after.
	Command string `json:"command"`
	MaxUses int    `json:"maxUses"`
	// Attempt is the payer's number.
	Attempt int    `json:"attempt"`
	Outcome string `json:"outcome"`
}

type linkAnswer struct {
	verdict
	Uses          int    `json:"uses"`
	LinkStatus    string `json:"linkStatus"`
	Hash          string `json:"hash"`
	ExpiresAtMs   int64  `json:"expiresAtMs"`
	ToMs          int64  `json:"toMs"`
	JobsRemaining int    `json:"jobsRemaining"`
}

type linkRequest = request[linkAsked, linkAnswer]

func stepLink(state linkState, asked linkRequest) []linkState {
	if asked.asked.Command == "create" {
		return []linkState{{isActive: true, maxUses: asked.asked.MaxUses}}
	}
	var next []linkState
	if asked.isUnknown() {
		next = append(next, state)
	}
	for _, stored := range reachable(state, func(s linkState) []linkState { return s.expiriesUntil(asked.clock.Until) }) {
		next = append(next, stored.after(asked)...)
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

// isAvailable tells that a payer may ask for a payment. §7: a payment that is under way reserves a use.
func (s linkState) isAvailable() bool { return s.isActive && s.taken < s.maxUses }

func (s linkState) onlyIf(holds bool) []linkState {
	if !holds {
		return nil
	}
	return []linkState{s}
}

func (s linkState) isShownBy(answer *linkAnswer) bool {
	return answer.isDone() && answer.Uses == s.uses && (answer.LinkStatus == "active") == s.isActive
}

func (s linkState) after(asked linkRequest) []linkState {
	answer := asked.answer
	switch asked.asked.Command {
	case "ask for payment":
		return s.afterAsking(asked)
	case "simulate":
		return s.afterSimulation(asked)
	case "cancel":
		return s.afterCancel(asked)
	case "retrieve":
		return s.onlyIf(asked.isUnknown() || s.isShownBy(answer))
	case "open page":
		// §7: a link that is disabled or used up answers 410 on its page.
		status := 410
		if s.isAvailable() {
			status = 200
		}
		return s.onlyIf(asked.isUnknown() || answer.Status == status)
	case "disable":
		// §7: disabling a disabled link changes nothing.
		s.isActive = false
		return s.onlyIf(asked.isUnknown() || s.isShownBy(answer))
	case "move clock":
		if asked.isUnknown() || (answer.Status == 409 && answer.Code == "clock_busy") {
			return []linkState{s}
		}
		// §11: a move answers when its work is done.
		return s.onlyIf(answer.isDone() && (answer.JobsRemaining > 0 || !s.hasDueBy(answer.ToMs)))
	}
	return nil
}

func (s linkState) afterAsking(asked linkRequest) []linkState {
	answer := asked.answer
	payment := &s.attempts[asked.asked.Attempt]
	if payment.status != "" {
		// The same form sent twice makes one payment, whatever has become of the link.
		isSame := !asked.isUnknown() && answer.Status == 303 && (payment.hash == unknownHash || payment.hash == answer.Hash)
		if isSame {
			payment.hash, payment.expiresAtMs = answer.Hash, span{answer.ExpiresAtMs, answer.ExpiresAtMs}
		}
		return s.onlyIf(isSame)
	}
	if !s.isAvailable() {
		return s.onlyIf(!asked.isUnknown() && answer.Status == 409)
	}
	s.taken++
	if asked.isUnknown() {
		*payment = linkPayment{"open", unknownHash, span{asked.clock.From + reservedMs, forever}}
		return []linkState{s}
	}
	*payment = linkPayment{"open", answer.Hash, span{answer.ExpiresAtMs, answer.ExpiresAtMs}}
	return s.onlyIf(answer.Status == 303)
}

// isRefused tells that the payment's status does not allow the command. Its expiry counts at once (§5), though it holds
// its use until the job that records it has run.
func (p linkPayment) isRefused(asked linkRequest) bool {
	isOver := p.status != "open" || p.expiresAtMs.From <= asked.clock.Until
	return isOver && !asked.isUnknown() && asked.answer.Status == 409 && asked.answer.Code == "invalid_state"
}

func (s linkState) afterSimulation(asked linkRequest) []linkState {
	payment := &s.attempts[asked.asked.Attempt]
	next := s.onlyIf(payment.isRefused(asked) && (asked.asked.Outcome == "failed" || payment.status != "open"))
	switch {
	case asked.asked.Outcome == "succeeded" && payment.status == "open":
		payment.status = "succeeded"
		s.uses++
	case asked.asked.Outcome == "succeeded" && (payment.status == "expired" || payment.status == "canceled"):
		// §7: only money that comes late can exceed the uses. It is kept.
		payment.status = "succeeded"
		s.uses++
		s.taken++
	case asked.asked.Outcome == "failed" && payment.status == "open":
		payment.status = "failed"
		s.taken--
	default:
		return next
	}
	return append(next, s.onlyIf(asked.isUnknown() || asked.answer.isDone())...)
}

func (s linkState) afterCancel(asked linkRequest) []linkState {
	payment := &s.attempts[asked.asked.Attempt]
	next := s.onlyIf(payment.isRefused(asked))
	if payment.status != "open" {
		return next
	}
	payment.status = "canceled"
	s.taken--
	return append(next, s.onlyIf(asked.isUnknown() || asked.answer.isDone())...)
}
