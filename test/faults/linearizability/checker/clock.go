package main

// clockState is the offset of a merchant's clock from real time, in seconds.
type clockState struct{ offset int64 }

type clockRequest struct {
	// Command is "read", "move", "purge" or "create payment", which shows the clock by its `created_at`.
	Command string `json:"command"`
	Seconds int64  `json:"seconds"`
}

type clockResponse struct {
	verdict
	OffsetSeconds   int64 `json:"offsetSeconds"`
	NowMs           int64 `json:"nowMs"`
	AdvancedSeconds int64 `json:"advancedSeconds"`
	FromMs          int64 `json:"fromMs"`
	ToMs            int64 `json:"toMs"`
}

// clockSlackMs is the largest difference between two readings of one machine's clock.
const clockSlackMs = 2

func stepClock(state clockState, call modelCall[clockRequest, clockResponse]) []clockState {
	response := call.response
	moved := clockState{state.offset + call.request.Seconds}
	// §11: the clock is real time plus an offset.
	isNow := func(ms int64) bool {
		real := ms - state.offset*1000
		return real >= call.real.From-clockSlackMs && real <= call.real.Until+clockSlackMs
	}
	unchangedIf := func(holds bool) []clockState {
		if !holds {
			return nil
		}
		return []clockState{state}
	}
	switch call.request.Command {
	case "read":
		return unchangedIf(call.isUnknown() || (response.isDone() && response.OffsetSeconds == state.offset && isNow(response.NowMs)))
	case "create payment":
		return unchangedIf(call.isUnknown() || (response.isDone() && isNow(response.NowMs)))
	case "move":
		if call.isUnknown() {
			return []clockState{state, moved}
		}
		if !response.isDone() {
			// §11: of two moves at the same time one is refused. §4: a refusal has changed nothing, so a move whose first
			// try stands is never refused.
			return unchangedIf(response.Status == 409 && response.Code == "clock_busy")
		}
		// §11: one move raises the offset once, however often it is sent.
		seconds := call.request.Seconds
		if response.AdvancedSeconds == seconds && response.ToMs-response.FromMs == seconds*1000 && isNow(response.FromMs) {
			return []clockState{moved}
		}
	case "purge":
		// §12: the clock is back at real time.
		if call.isUnknown() {
			return []clockState{state, {}}
		}
		if response.isDone() {
			return []clockState{{}}
		}
	}
	return nil
}
