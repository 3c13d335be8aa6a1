package main

// clockState is the offset of a merchant's clock from real time, in seconds.
type clockState struct{ offset int64 }

type clockAsked struct {
	// Command is "read", "move", "purge" or "create payment", which shows the clock by its `created_at`.
	Command string `json:"command"`
	Seconds int64  `json:"seconds"`
}

type clockAnswer struct {
	verdict
	OffsetSeconds   int64 `json:"offsetSeconds"`
	NowMs           int64 `json:"nowMs"`
	AdvancedSeconds int64 `json:"advancedSeconds"`
	FromMs          int64 `json:"fromMs"`
	ToMs            int64 `json:"toMs"`
}

// clockSlackMs is what two looks at one machine's clock may differ by.
const clockSlackMs = 2

func stepClock(state clockState, asked request[clockAsked, clockAnswer]) []clockState {
	answer := asked.answer
	moved := clockState{state.offset + asked.asked.Seconds}
	// §11: the clock is real time plus an offset.
	isNow := func(ms int64) bool {
		real := ms - state.offset*1000
		return real >= asked.real.From-clockSlackMs && real <= asked.real.Until+clockSlackMs
	}
	unchangedIf := func(holds bool) []clockState {
		if !holds {
			return nil
		}
		return []clockState{state}
	}
	switch asked.asked.Command {
	case "read":
		return unchangedIf(asked.isUnknown() || (answer.isDone() && answer.OffsetSeconds == state.offset && isNow(answer.NowMs)))
	case "create payment":
		return unchangedIf(asked.isUnknown() || (answer.isDone() && isNow(answer.NowMs)))
	case "move":
		if asked.isUnknown() {
			return []clockState{state, moved}
		}
		if !answer.isDone() {
			// §11: of two moves at the same time one is refused. §4: a refusal has changed nothing, so a move whose first
			// try stands is never refused.
			return unchangedIf(answer.Status == 409 && answer.Code == "clock_busy")
		}
		// §11: one move raises the offset once, however often it is sent.
		seconds := asked.asked.Seconds
		if answer.AdvancedSeconds == seconds && answer.ToMs-answer.FromMs == seconds*1000 && isNow(answer.FromMs) {
			return []clockState{moved}
		}
	case "purge":
		// §12: the clock is back at real time.
		if asked.isUnknown() {
			return []clockState{state, {}}
		}
		if answer.isDone() {
			return []clockState{{}}
		}
	}
	return nil
}
