package main

// keysMax is how many Idempotency-Keys one history has; they count from 1.
const keysMax = 5

// keysState holds the first saved response of each Idempotency-Key, which it gets for ever (§4).
type keysState [keysMax + 1]savedResponse

type savedResponse struct {
	isSaved bool
	// body is the number of the body that the key was first sent with.
	body int
	// hash is that of the response; unknownHash if it got lost.
	hash string
}

const unknownHash = "?"

type keysRequest struct {
	// Command is "send" or "count", which counts the resources of a key.
	Command string `json:"command"`
	Key     int    `json:"key"`
	Body    int    `json:"body"`
	// IsContested is true if the key was also sent with another body before this request got its response.
	IsContested bool `json:"isContested"`
}

type keysResponse struct {
	verdict
	Hash  string `json:"hash"`
	Count int    `json:"count"`
}

func stepKeys(state keysState, call modelCall[keysRequest, keysResponse]) []keysState {
	key, response := call.request.Key, call.response
	saved := state[key]
	isSame := saved.isSaved && saved.body == call.request.Body
	saving := func(hash string) keysState {
		next := state
		next[key] = savedResponse{true, call.request.Body, hash}
		return next
	}
	if call.request.Command == "count" {
		// §4, exactly once: one key makes one resource.
		if call.isUnknown() || (response.isDone() && (response.Count == 1) == saved.isSaved && response.Count <= 1) {
			return []keysState{state}
		}
		return nil
	}
	if call.isUnknown() {
		if saved.isSaved {
			return []keysState{state}
		}
		return []keysState{state, saving(unknownHash)}
	}
	if response.isDone() {
		if !saved.isSaved {
			// A request that was sent once cannot be a replay if nothing was saved.
			if response.IsReplay && call.tries == 1 {
				return nil
			}
			return []keysState{saving(response.Hash)}
		}
		// §4: a replay has the same bytes, and says that it is one.
		if isSame && response.IsReplay && (saved.hash == unknownHash || saved.hash == response.Hash) {
			return []keysState{saving(response.Hash)}
		}
		return nil
	}
	switch response.Code {
	case "idempotency_key_reused":
		// §4: another body under the same key, whether it has its response or still runs.
		if call.request.IsContested && !isSame {
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
