package main

// endpointState is a webhook endpoint as its merchant has configured it.
type endpointState struct {
	settings
	// secret is a hash; unknownSecret where a rotation got no answer.
	secret string
}

type settings struct {
	Events      string `json:"events"`
	Description string `json:"description"`
	Status      string `json:"endpointStatus"`
}

type endpointAsked struct {
	// Command is "create", "retrieve", "update" or "rotate secret".
	Command string `json:"command"`
	// An empty setting stays as it is.
	settings
}

type endpointAnswer struct {
	verdict
	settings
	Secret string `json:"secret"`
}

// unknownSecret is what a rotation without an answer has given.
const unknownSecret = "?"

func stepEndpoint(state endpointState, asked request[endpointAsked, endpointAnswer]) []endpointState {
	answer := asked.answer
	shown := func(next endpointState, withSecret bool) []endpointState {
		if !answer.isDone() || answer.settings != next.settings {
			return nil
		}
		if withSecret {
			if next.secret != unknownSecret && next.secret != answer.Secret {
				return nil
			}
			next.secret = answer.Secret
		}
		return []endpointState{next}
	}
	switch asked.asked.Command {
	case "create":
		return []endpointState{{answer.settings, answer.Secret}}
	case "retrieve":
		// §13: retrieving by id never lags behind. §14: it shows the secret.
		if asked.isUnknown() {
			return []endpointState{state}
		}
		return shown(state, true)
	case "update":
		// §14: an update changes the fields that it names.
		next := state
		if asked.asked.Events != "" {
			next.Events = asked.asked.Events
		}
		if asked.asked.Description != "" {
			next.Description = asked.asked.Description
		}
		if asked.asked.Status != "" {
			next.Status = asked.asked.Status
		}
		if asked.isUnknown() {
			return []endpointState{state, next}
		}
		return shown(next, false)
	case "rotate secret":
		// §14: a rotation gives a new secret.
		next := state
		next.secret = unknownSecret
		if asked.isUnknown() {
			return []endpointState{state, next}
		}
		if answer.Secret == state.secret {
			return nil
		}
		return shown(next, true)
	}
	return nil
}
