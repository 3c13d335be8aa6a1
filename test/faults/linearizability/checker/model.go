package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"
)

// model says what one resource may answer.
type model struct {
	// check searches for an order of the operations that explains all answers.
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
// takes its effect in it, and none where its answer is not possible.
func modelOf[State comparable, Asked, Answer any](
	first State,
	step func(State, request[Asked, Answer]) []State,
) model {
	judged := porcupine.NondeterministicModel{
		Init: func() []any { return []any{first} },
		Step: func(state, asked, _ any) []any {
			return anyOf(distinct(step(state.(State), asked.(request[Asked, Answer]))))
		},
	}
	check := func(operations []operation, budget time.Duration) (porcupine.CheckResult, error) {
		history, err := historyOf[Asked, Answer](operations)
		if err != nil {
			return porcupine.Unknown, err
		}
		return porcupine.CheckOperationsTimeout(judged.ToModel(), history, budget), nil
	}
	return model{check}
}

// historyOf turns a recording into what porcupine checks.
func historyOf[Asked, Answer any](operations []operation) ([]porcupine.Operation, error) {
	var history []porcupine.Operation
	endMs := int64(0)
	for _, recorded := range operations {
		endMs = max(endMs, recorded.Clock.Until)
	}
	late := 1_000_000
	for _, recorded := range operations {
		asked, err := requestOf[Asked, Answer](recorded)
		if err != nil {
			return nil, err
		}
		returned := int64(forever)
		if recorded.AnsweredAtUs != nil {
			returned = *recorded.AnsweredAtUs
		} else {
			// What takes effect after the history can be told from nothing.
			asked.clock.Until = endMs
		}
		history = append(history, porcupine.Operation{
			ClientId: recorded.Client, Input: asked, Call: recorded.CalledAtUs, Return: returned,
		})
		if mayComeLate(recorded) {
			late++
			asked.answer = nil
			asked.clock.Until = endMs
			history = append(history, porcupine.Operation{
				ClientId: late, Input: asked, Call: recorded.CalledAtUs, Return: forever,
			})
		}
	}
	return history, nil
}

// mayComeLate tells that a request may take effect after it was refused. Only successes are saved (contract §4): where
// the client stopped waiting for an earlier try, its host may have been stopped, and go on after a later try was
// refused. A try whose host was killed does nothing more.
func mayComeLate(recorded operation) bool {
	var answered verdict
	if !recorded.HasTimedOut || recorded.AnsweredAtUs == nil || json.Unmarshal(recorded.Answer, &answered) != nil {
		return false
	}
	return !answered.isDone()
}

func requestOf[Asked, Answer any](recorded operation) (request[Asked, Answer], error) {
	read := request[Asked, Answer]{clock: recorded.Clock, real: recorded.Real, tries: recorded.Tries}
	if err := json.Unmarshal(recorded.Asked, &read.asked); err != nil {
		return read, fmt.Errorf("%s: %w", recorded.History, err)
	}
	if recorded.AnsweredAtUs == nil {
		return read, nil
	}
	if err := json.Unmarshal(recorded.Answer, &read.answer); err != nil {
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
