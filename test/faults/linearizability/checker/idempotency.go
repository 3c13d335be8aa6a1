package main

// keysMax is how many Idempotency-Keys one history has; they count from 1.
const keysMax = 5

// keysState is what each Idempotency-Key was answered first: that it is answered for ever (§4).
type keysState [keysMax + 1]savedAnswer

type savedAnswer struct {
	isSaved bool
	// body is the number of the body that the key was first sent with.
	body int
	// hash is that of the answer; unknownHash where it got lost.
	hash string
}

const unknownHash = "?"

type keysAsked struct {
	// Command is "send" or "count", which looks how many resources there are of a key.
	Command string `json:"command"`
	Key     int    `json:"key"`
	Body    int    `json:"body"`
	// IsContested is true where the key was sent with another body too, before this request was answered.
	IsContested bool `json:"isContested"`
}

type keysAnswer struct {
	verdict
	Hash  string `json:"hash"`
	Count int    `json:"count"`
}

func stepKeys(state keysState, asked request[keysAsked, keysAnswer]) []keysState {
	key, answer := asked.asked.Key, asked.answer
	saved := state[key]
	isSame := saved.isSaved && saved.body == asked.asked.Body
	saving := func(hash string) keysState {
		next := state
		next[key] = savedAnswer{true, asked.asked.Body, hash}
		return next
	}
	if asked.asked.Command == "count" {
		// §4, exactly once: one key makes one resource.
		if asked.isUnknown() || (answer.isDone() && (answer.Count == 1) == saved.isSaved && answer.Count <= 1) {
			return []keysState{state}
		}
		return nil
	}
	if asked.isUnknown() {
		if saved.isSaved {
			return []keysState{state}
		}
		return []keysState{state, saving(unknownHash)}
	}
	if answer.isDone() {
		if !saved.isSaved {
			// What was sent once cannot be a replay where nothing was saved.
			if answer.IsReplay && asked.tries == 1 {
				return nil
			}
			return []keysState{saving(answer.Hash)}
		}
		// §4: a replay has the same bytes, and says that it is one.
		if isSame && answer.IsReplay && (saved.hash == unknownHash || saved.hash == answer.Hash) {
			return []keysState{saving(answer.Hash)}
		}
		return nil
	}
	switch answer.Code {
	case "idempotency_key_reused":
		// §4: another body under the same key, whether it is answered or still runs.
		if asked.asked.IsContested && !isSame {
			return []keysState{state}
		}
	case "clock_busy":
		// §4, §11: a move that stands is finished or replayed, never refused.
		if !isSame {
			return []keysState{state}
		}
	}
	return nil
}
