package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"
)

// model defines the possible responses of one resource.
type model struct {
	// check searches for an order of the operations that explains all responses.
	check func(operations []operation, budget time.Duration) (porcupine.CheckResult, error)
}

var models = map[string]model{
	"payment":      modelOf(paymentState{}, stepPayment),
	"bank":         modelOf(bankState{}, stepBank),
	"payment link": modelOf(linkState{}, stepLink),
	"idempotency":  modelOf(keysState{}, stepKeys),
	"clock":        modelOf(clockState{}, stepClock),
	"endpoint":     modelOf(endpointState{}, stepEndpoint),
}

// modelOf makes a model of a resource's first state and of a step: the states that may follow one state where a request
// takes its effect in it, and none if its response is not possible.
func modelOf[State comparable, Request, Response any](
	first State,
	step func(State, modelCall[Request, Response]) []State,
) model {
	judged := porcupine.NondeterministicModel{
		Init: func() []any { return []any{first} },
		Step: func(state, call, _ any) []any {
			return anyOf(distinct(step(state.(State), call.(modelCall[Request, Response]))))
		},
	}
	check := func(operations []operation, budget time.Duration) (porcupine.CheckResult, error) {
		history, err := historyOf[Request, Response](operations)
		if err != nil {
			return porcupine.Unknown, err
		}
		return porcupine.CheckOperationsTimeout(judged.ToModel(), history, budget), nil
	}
	return model{check}
}

// historyOf turns a recording into the input of porcupine.
func historyOf[Request, Response any](operations []operation) ([]porcupine.Operation, error) {
	var history []porcupine.Operation
	endMs := int64(0)
	for _, recorded := range operations {
		endMs = max(endMs, recorded.Clock.Until)
	}
	late := 1_000_000
	for _, recorded := range operations {
		call, err := callOf[Request, Response](recorded)
		if err != nil {
			return nil, err
		}
		returned := int64(forever)
		if recorded.RespondedAtUs != nil {
			returned = *recorded.RespondedAtUs
		} else {
			// An effect after the history cannot be distinguished from no effect.
			call.clock.Until = endMs
		}
		history = append(history, porcupine.Operation{
			ClientId: recorded.Client, Input: call, Call: recorded.CalledAtUs, Return: returned,
		})
		if mayComeLate(recorded) {
			late++
			call.response = nil
			call.clock.Until = endMs
			history = append(history, porcupine.Operation{
				ClientId: late, Input: call, Call: recorded.CalledAtUs, Return: forever,
			})
		}
	}
	return history, nil
}

// mayComeLate reports whether a request may take effect after it was refused. Only successes are saved (contract §4): where
// the client stopped waiting for an earlier try, its host may have been stopped, and go on after a later try was
// refused. A try whose host was killed does nothing more.
func mayComeLate(recorded operation) bool {
	var last verdict
	if !recorded.HasTimedOut || recorded.RespondedAtUs == nil || json.Unmarshal(recorded.Response, &last) != nil {
		return false
	}
	return !last.isDone()
}

func callOf[Request, Response any](recorded operation) (modelCall[Request, Response], error) {
	read := modelCall[Request, Response]{clock: recorded.Clock, real: recorded.Real, tries: recorded.Tries}
	if err := json.Unmarshal(recorded.Request, &read.request); err != nil {
		return read, fmt.Errorf("%s: %w", recorded.History, err)
	}
	if recorded.RespondedAtUs == nil {
		return read, nil
	}
	if err := json.Unmarshal(recorded.Response, &read.response); err != nil {
		return read, fmt.Errorf("%s: %w", recorded.History, err)
	}
	return read, nil
}

func distinct[State comparable](states []State) []State {
	seen := map[State]bool{}
	var once []State
	for _, state := range states {
		if !seen[state] {
			seen[state] = true
			once = append(once, state)
		}
	}
	return once
}

func anyOf[State any](states []State) []any {
	var all []any
	for _, state := range states {
		all = append(all, state)
	}
	return all
}

// reachable gives all states that a state can become by itself, itself included.
func reachable[State comparable](from State, next func(State) []State) []State {
	seen := map[State]bool{from: true}
	all := []State{from}
	for place := 0; place < len(all); place++ {
		for _, state := range next(all[place]) {
			if !seen[state] {
				seen[state] = true
				all = append(all, state)
			}
		}
	}
	return all
}
