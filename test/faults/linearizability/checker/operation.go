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

// operation is one line of a recording: a request of one client, and its response. All operations of one
// history are about one resource.
type operation struct {
	History string `json:"history"`
	Model   string `json:"model"`
	Client  int    `json:"client"`
	// CalledAtUs and RespondedAtUs are microseconds since the recording began. Without a response it is unknown whether
	// the operation took effect, now or later: RespondedAtUs is null.
	CalledAtUs    int64  `json:"calledAtUs"`
	RespondedAtUs *int64 `json:"respondedAtUs"`
	// Tries is how often the request was sent, each time with the same key.
	Tries int `json:"tries"`
	// HasTimedOut is true if the client stopped waiting for a try.
	HasTimedOut bool `json:"hasTimedOut"`
	// Clock bounds the merchant's clock at the moment of the decision, Real the real time.
	Clock    span            `json:"clock"`
	Real     span            `json:"real"`
	Request  json.RawMessage `json:"request"`
	Response json.RawMessage `json:"response"`
}

// modelCall is an operation as a model sees it.
type modelCall[Request, Response any] struct {
	request Request
	// response is nil if it is unknown whether the request took effect.
	response *Response
	clock    span
	real     span
	tries    int
}

// isUnknown reports whether the effect of the request is unknown.
func (c modelCall[Request, Response]) isUnknown() bool { return c.response == nil }

// verdict has the fields of every response.
type verdict struct {
	// Status is that of HTTP.
	Status int `json:"status"`
	// Code is the problem's; CurrentStatus is from its details.
	Code          string `json:"code"`
	CurrentStatus string `json:"currentStatus"`
	// IsReplay is true if the response has Idempotent-Replayed.
	IsReplay bool `json:"isReplay"`
}

func (v verdict) isDone() bool { return v.Status < 300 }

// isRefusedIn reports whether a command was refused because of a resource's status (contract, principle 4).
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
