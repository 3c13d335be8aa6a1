package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// forever is a time that no recorded time reaches.
const forever = math.MaxInt64 / 4

// span is a stretch of time, in milliseconds since 1970, both ends included.
type span struct {
	From  int64 `json:"from"`
	Until int64 `json:"until"`
}

// operation is one line of a recording: what one client asked for, and what it was answered. All operations of one
// history are about one resource.
type operation struct {
	History string `json:"history"`
	Model   string `json:"model"`
	Client  int    `json:"client"`
	// CalledAtUs and AnsweredAtUs are microseconds since the recording began. Without an answer nobody knows whether
	// the operation took effect, now or later: AnsweredAtUs is null.
	CalledAtUs   int64  `json:"calledAtUs"`
	AnsweredAtUs *int64 `json:"answeredAtUs"`
	// Tries is how often the request was sent, each time with the same key.
	Tries int `json:"tries"`
	// HasTimedOut is true where the client stopped waiting for a try.
	HasTimedOut bool `json:"hasTimedOut"`
	// Clock bounds the merchant's clock at the moment of the decision, Real the real time.
	Clock  span            `json:"clock"`
	Real   span            `json:"real"`
	Asked  json.RawMessage `json:"asked"`
	Answer json.RawMessage `json:"answer"`
}

// request is an operation as a model sees it.
type request[Asked, Answer any] struct {
	asked Asked
	// answer is nil where nobody knows whether the request took effect.
	answer *Answer
	clock  span
	real   span
	tries  int
}

// isUnknown tells that nobody knows whether the request took effect.
func (r request[Asked, Answer]) isUnknown() bool { return r.answer == nil }

// verdict is what every answer has.
type verdict struct {
	// Status is that of HTTP.
	Status int `json:"status"`
	// Code is the problem's, and CurrentStatus what its details say.
	Code          string `json:"code"`
	CurrentStatus string `json:"currentStatus"`
	// IsReplay is true where the answer has Idempotent-Replayed.
	IsReplay bool `json:"isReplay"`
}

func (v verdict) isDone() bool { return v.Status < 300 }

// isRefusedIn tells that a command was refused because of a resource's status (contract, principle 4).
func (v verdict) isRefusedIn(status string) bool {
	return v.Status == 409 && v.Code == "invalid_state" && v.CurrentStatus == status
}

// readHistories reads a recording.
func readHistories(file string) (names []string, histories map[string][]operation, err error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer opened.Close()
	histories = map[string][]operation{}
	lines := bufio.NewScanner(opened)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for lines.Scan() {
		var read operation
		if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
			return nil, nil, fmt.Errorf("unreadable line: %w: %.200s", err, lines.Text())
		}
		if _, isKnown := histories[read.History]; !isKnown {
			names = append(names, read.History)
		}
		histories[read.History] = append(histories[read.History], read)
	}
	return names, histories, lines.Err()
}
