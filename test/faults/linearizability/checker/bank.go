package main

import "time"

// How much one history has at most. Payouts count from 1, days and shared providers from 0.
const (
	daysMax    = 8
	payoutsMax = 30
	sharedMax  = 3
)

const (
	dayMs     = int64(24 * time.Hour / time.Millisecond)
	bangkokMs = int64(7 * time.Hour / time.Millisecond)
)

// today is the last day of a settlement request without a day.
const today = -100

// unknownPayout is the payout of a settlement whose response got lost.
const unknownPayout = -1

// bankState is a merchant's money.
type bankState struct {
	// firstDay is the day in Bangkok, since 1970, that the others count from.
	firstDay int64
	// unsettled is the money that no settlement took yet, by day.
	unsettled [daysMax]int64
	payouts   [payoutsMax + 1]payoutState
	// settled are the settlements of providers that settle more than once, by day.
	settled [sharedMax][daysMax]sharedSettlement
}

type payoutState struct {
	status string
	amount int64
}

type sharedSettlement struct {
	isMatched bool
	payout    int
}

type bankRequest struct {
	// Command is "open", "pay", "refund", "settle", "probe" (a settlement of another amount), "pay out" or "move clock".
	Command     string `json:"command"`
	FirstDay    int64  `json:"firstDay"`
	AmountMinor int64  `json:"amountMinor"`
	// Shared is the number of a provider that settles more than once, or -1.
	Shared int `json:"shared"`
	// UntilDay is the named day, or today.
	UntilDay int64  `json:"untilDay"`
	Payout   int    `json:"payout"`
	Outcome  string `json:"outcome"`
}

type bankResponse struct {
	verdict
	Outcome    string `json:"outcome"`
	IsRepeated bool   `json:"isRepeated"`
	// ExpectedMinor and Day are the settlement's.
	ExpectedMinor int64 `json:"expectedMinor"`
	Day           int64 `json:"day"`
	Payout        int   `json:"payout"`
	PayoutMinor   int64 `json:"payoutMinor"`
}

type bankCall = modelCall[bankRequest, bankResponse]

func stepBank(state bankState, call bankCall) []bankState {
	response := call.response
	var next []bankState
	if call.isUnknown() {
		next = append(next, state)
	}
	switch call.request.Command {
	case "open":
		return []bankState{{firstDay: call.request.FirstDay}}
	case "pay":
		// §8: paid money is unsettled, on the clock's day of the payment.
		return append(next, state.onAnyDay(call, call.request.AmountMinor)...)
	case "refund":
		return append(next, state.onAnyDay(call, -call.request.AmountMinor)...)
	case "pay out":
		return append(next, state.afterPayout(call)...)
	case "settle", "probe":
		return append(next, state.afterSettlement(call)...)
	case "move clock":
		if call.isUnknown() || response.isDone() || response.Code == "clock_busy" {
			return []bankState{state}
		}
	}
	return next
}

// days gives the days on which a request may have been decided.
func (s bankState) days(clock span) []int64 {
	dayOf := func(ms int64) int64 { return (ms+bangkokMs)/dayMs - s.firstDay }
	var days []int64
	for day := max(0, dayOf(clock.From)); day <= min(daysMax-1, dayOf(clock.Until)); day++ {
		days = append(days, day)
	}
	return days
}

func (s bankState) onAnyDay(call bankCall, amount int64) []bankState {
	if !call.isUnknown() && !call.response.isDone() {
		return nil
	}
	var next []bankState
	for _, day := range s.days(call.clock) {
		after := s
		after.unsettled[day] += amount
		next = append(next, after)
	}
	return next
}

// §8: a payout that fails or is returned puts its amount back, on the day on which that happens.
func (s bankState) afterPayout(call bankCall) []bankState {
	response := call.response
	payout := &s.payouts[call.request.Payout]
	isAllowed := payout.status == "pending" || (payout.status == "paid" && call.request.Outcome == "returned")
	if !isAllowed {
		if !call.isUnknown() && response.isRefusedIn(payout.status) {
			return []bankState{s}
		}
		return nil
	}
	payout.status = call.request.Outcome
	if call.request.Outcome != "paid" {
		return s.onAnyDay(call, payout.amount)
	}
	if call.isUnknown() || response.isDone() {
		return []bankState{s}
	}
	return nil
}

func (s bankState) afterSettlement(call bankCall) []bankState {
	response := call.response
	if !call.isUnknown() && !response.isDone() {
		return nil
	}
	if call.request.UntilDay != today {
		return s.settledUntil(call.request.UntilDay, call)
	}
	var next []bankState
	for _, day := range s.days(call.clock) {
		// The settlement shows its day. One that found nothing is not stored, and shows none.
		if call.isUnknown() || response.Outcome == "empty" || response.Day == day {
			next = append(next, s.settledUntil(day, call)...)
		}
	}
	return next
}

// settledUntil gives the states after a settlement up to a day.
func (s bankState) settledUntil(until int64, call bankCall) []bankState {
	response := call.response
	isKnown := !call.isUnknown()
	var shared *sharedSettlement
	if number := call.request.Shared; number >= 0 && until >= 0 && until < daysMax {
		shared = &s.settled[number][until]
	}
	if shared != nil && shared.isMatched {
		return s.repeated(shared, call)
	}
	if isKnown && response.IsRepeated {
		return nil
	}
	// §8: it takes all that no earlier settlement took, up to the end of the day.
	var owed int64
	for day := int64(0); day <= until && day < daysMax; day++ {
		owed += s.unsettled[day]
	}
	if owed <= 0 {
		// §8: nothing to settle, or less than nothing: nothing is stored.
		return s.onlyIf(isKnown && response.Outcome == "empty")
	}
	if call.request.Command == "probe" {
		// §8: another amount is a mismatch, and no payout.
		return s.onlyIf(!isKnown || (response.Outcome == "mismatched" && response.ExpectedMinor == owed))
	}
	for day := int64(0); day <= until && day < daysMax; day++ {
		s.unsettled[day] = 0
	}
	if shared != nil {
		*shared = sharedSettlement{true, unknownPayout}
	}
	if !isKnown {
		return []bankState{s}
	}
	if response.Outcome != "matched" || response.ExpectedMinor != owed || response.PayoutMinor != owed {
		return nil
	}
	s.payouts[response.Payout] = payoutState{"pending", owed}
	if shared != nil {
		shared.payout = response.Payout
	}
	return []bankState{s}
}

// repeated keeps the state, if the response repeats an earlier settlement (§8: the same provider and day again).
func (s bankState) repeated(shared *sharedSettlement, call bankCall) []bankState {
	response := call.response
	if call.isUnknown() || !response.IsRepeated || response.Outcome != "matched" {
		return nil
	}
	if shared.payout == unknownPayout {
		shared.payout = response.Payout
	}
	return s.onlyIf(shared.payout == response.Payout)
}

func (s bankState) onlyIf(holds bool) []bankState {
	if !holds {
		return nil
	}
	return []bankState{s}
}
