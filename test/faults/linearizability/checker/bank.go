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

// today, as the day up to which a settlement is asked for, leaves the day out.
const today = -100

// unknownPayout is the payout of a settlement whose answer got lost.
const unknownPayout = -1

// bankState is a merchant's money.
type bankState struct {
	// firstDay is the day in Bangkok, since 1970, that the others count from.
	firstDay int64
	// unsettled is what no settlement took yet, by day.
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

type bankAsked struct {
	// Command is "open", "pay", "refund", "settle", "probe" (a settlement of another amount), "pay out" or "move clock".
	Command     string `json:"command"`
	FirstDay    int64  `json:"firstDay"`
	AmountMinor int64  `json:"amountMinor"`
	// Shared is the number of a provider that settles more than once, or -1.
	Shared int `json:"shared"`
	// UntilDay is the day that is named, or today.
	UntilDay int64  `json:"untilDay"`
	Payout   int    `json:"payout"`
	Outcome  string `json:"outcome"`
}

type bankAnswer struct {
	verdict
	Outcome    string `json:"outcome"`
	IsRepeated bool   `json:"isRepeated"`
	// ExpectedMinor and Day are the settlement's.
	ExpectedMinor int64 `json:"expectedMinor"`
	Day           int64 `json:"day"`
	Payout        int   `json:"payout"`
	PayoutMinor   int64 `json:"payoutMinor"`
}

type bankRequest = request[bankAsked, bankAnswer]

func stepBank(state bankState, asked bankRequest) []bankState {
	answer := asked.answer
	var next []bankState
	if asked.isUnknown() {
		next = append(next, state)
	}
	switch asked.asked.Command {
	case "open":
		return []bankState{{firstDay: asked.asked.FirstDay}}
	case "pay":
		// §8: what was paid is unsettled, on the day of the clock on which that happened.
		return append(next, state.onAnyDay(asked, asked.asked.AmountMinor)...)
	case "refund":
		return append(next, state.onAnyDay(asked, -asked.asked.AmountMinor)...)
	case "pay out":
		return append(next, state.afterPayout(asked)...)
	case "settle", "probe":
		return append(next, state.afterSettlement(asked)...)
	case "move clock":
		if asked.isUnknown() || answer.isDone() || answer.Code == "clock_busy" {
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

func (s bankState) onAnyDay(asked bankRequest, amount int64) []bankState {
	if !asked.isUnknown() && !asked.answer.isDone() {
		return nil
	}
	var next []bankState
	for _, day := range s.days(asked.clock) {
		after := s
		after.unsettled[day] += amount
		next = append(next, after)
	}
	return next
}

// §8: a payout that fails or is returned puts its amount back, on the day on which that happens.
func (s bankState) afterPayout(asked bankRequest) []bankState {
	answer := asked.answer
	payout := &s.payouts[asked.asked.Payout]
	isAllowed := payout.status == "pending" || (payout.status == "paid" && asked.asked.Outcome == "returned")
	if !isAllowed {
		if !asked.isUnknown() && answer.isRefusedIn(payout.status) {
			return []bankState{s}
		}
		return nil
	}
	payout.status = asked.asked.Outcome
	if asked.asked.Outcome != "paid" {
		return s.onAnyDay(asked, payout.amount)
	}
	if asked.isUnknown() || answer.isDone() {
		return []bankState{s}
	}
	return nil
}

func (s bankState) afterSettlement(asked bankRequest) []bankState {
	answer := asked.answer
	if !asked.isUnknown() && !answer.isDone() {
		return nil
	}
	if asked.asked.UntilDay != today {
		return s.settledUntil(asked.asked.UntilDay, asked)
	}
	var next []bankState
	for _, day := range s.days(asked.clock) {
		// The settlement shows its day. One that found nothing is not stored, and shows none.
		if asked.isUnknown() || answer.Outcome == "empty" || answer.Day == day {
			next = append(next, s.settledUntil(day, asked)...)
		}
	}
	return next
}

// settledUntil gives the states after a settlement up to a day.
func (s bankState) settledUntil(until int64, asked bankRequest) []bankState {
	answer := asked.answer
	isKnown := !asked.isUnknown()
	var shared *sharedSettlement
	if number := asked.asked.Shared; number >= 0 && until >= 0 && until < daysMax {
		shared = &s.settled[number][until]
	}
	if shared != nil && shared.isMatched {
		return s.repeated(shared, asked)
	}
	if isKnown && answer.IsRepeated {
		return nil
	}
	// §8: it takes all that no earlier settlement took, up to the end of the day.
	var owed int64
	for day := int64(0); day <= until && day < daysMax; day++ {
		owed += s.unsettled[day]
	}
	if owed <= 0 {
		// §8: nothing to settle, or less than nothing: nothing is stored.
		return s.onlyIf(isKnown && answer.Outcome == "empty")
	}
	if asked.asked.Command == "probe" {
		// §8: another amount is a mismatch, and no payout.
		return s.onlyIf(!isKnown || (answer.Outcome == "mismatched" && answer.ExpectedMinor == owed))
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
	if answer.Outcome != "matched" || answer.ExpectedMinor != owed || answer.PayoutMinor != owed {
		return nil
	}
	s.payouts[answer.Payout] = payoutState{"pending", owed}
	if shared != nil {
		shared.payout = answer.Payout
	}
	return []bankState{s}
}

// repeated keeps the state, where the answer repeats an earlier settlement (§8: the same provider and day again).
func (s bankState) repeated(shared *sharedSettlement, asked bankRequest) []bankState {
	answer := asked.answer
	if asked.isUnknown() || !answer.IsRepeated || answer.Outcome != "matched" {
		return nil
	}
	if shared.payout == unknownPayout {
		shared.payout = answer.Payout
	}
	return s.onlyIf(shared.payout == answer.Payout)
}

func (s bankState) onlyIf(holds bool) []bankState {
	if !holds {
		return nil
	}
	return []bankState{s}
}
