package main

// endpointState is a webhook endpoint as its merchant has configured it.
type endpointState struct {
	settings
	// secret is a hash; unknownSecret if a rotation got no response.
	secret string
}

type settings struct {
	Events      string `json:"events"`
	Description string `json:"description"`
	Status      string `json:"endpointStatus"`
}

type endpointRequest struct {
	// Command is "create", "retrieve", "update" or "rotate secret".
	Command string `json:"command"`
	// An empty setting is not changed.
	settings
}

type endpointResponse struct {
	verdict
	settings
	Secret string `json:"secret"`
}

// unknownSecret stands for the secret of a rotation without a response.
const unknownSecret = "?"

func stepEndpoint(state endpointState, call modelCall[endpointRequest, endpointResponse]) []endpointState {
	response := call.response
	shown := func(next endpointState, withSecret bool) []endpointState {
		if !response.isDone() || response.settings != next.settings {
			return nil
		}
		if withSecret {
			if next.secret != unknownSecret && next.secret != response.Secret {
				return nil
			}
			next.secret = response.Secret
		}
		return []endpointState{next}
	}
	switch call.request.Command {
	case "create":
		return []endpointState{{response.settings, response.Secret}}
	case "retrieve":
		// §13: retrieving by id never lags behind. §14: it shows the secret.
		if call.isUnknown() {
			return []endpointState{state}
		}
		return shown(state, true)
	case "update":
		// §14: an update changes the fields that it names.
		next := state
		if call.request.Events != "" {
			next.Events = call.request.Events
		}
		if call.request.Description != "" {
			next.Description = call.request.Description
		}
		if call.request.Status != "" {
			next.Status = call.request.Status
		}
		if call.isUnknown() {
			return []endpointState{state, next}
		}
		return shown(next, false)
	case "rotate secret":
		// §14: a rotation gives a new secret.
		next := state
		next.secret = unknownSecret
		if call.isUnknown() {
			return []endpointState{state, next}
		}
		if response.Secret == state.secret {
			return nil
		}
		return shown(next, true)
	}
	return nil
}
