// Checks a recording for linearizability: whether each history can be explained by requests that take effect one after
// the other, each at one moment between its call and its response.
//
//	checker [-show N] [-budget 60s] RECORDING
//
// prints its verdicts as JSON, and to the standard error the shortest beginning that cannot be explained of up to N
// histories.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// judgement is the verdict about one history.
type judgement struct {
	History    string `json:"history"`
	Model      string `json:"model"`
	Operations int    `json:"operations"`
	// Unknowns counts the operations whose effect is unknown.
	Unknowns int `json:"unknowns"`
	// Verdict is "legal", "illegal", or "undecided" where the time was too short.
	Verdict string `json:"verdict"`
	TookMs  int64  `json:"tookMs"`
}

var names = map[porcupine.CheckResult]string{
	porcupine.Ok: "legal", porcupine.Illegal: "illegal", porcupine.Unknown: "undecided",
}

func main() {
	show := flag.Int("show", 3, "how many histories are explained")
	budget := flag.Duration("budget", time.Minute, "the time for one history")
	flag.Parse()
	order, histories, err := readHistories(flag.Arg(0))
	failIf(err)

	judgements := make([]judgement, len(order))
	var waiting sync.WaitGroup
	turns := make(chan struct{}, runtime.NumCPU())
	for place, history := range order {
		waiting.Add(1)
		go func() {
			defer waiting.Done()
			turns <- struct{}{}
			judgements[place] = judge(history, histories[history], *budget)
			<-turns
		}()
	}
	waiting.Wait()

	shown := 0
	for _, judged := range judgements {
		if judged.Verdict == "illegal" && shown < *show {
			shown++
			fmt.Fprintln(os.Stderr, explain(histories[judged.History], *budget))
		}
	}
	failIf(json.NewEncoder(os.Stdout).Encode(judgements))
}

func judge(history string, operations []operation, budget time.Duration) judgement {
	began := time.Now()
	judged := judgement{History: history, Model: operations[0].Model, Operations: len(operations)}
	for _, recorded := range operations {
		if recorded.RespondedAtUs == nil {
			judged.Unknowns++
		}
	}
	model, isKnown := models[judged.Model]
	if !isKnown {
		failIf(fmt.Errorf("there is no model of %q", judged.Model))
	}
	result, err := model.check(operations, budget)
	failIf(err)
	judged.Verdict = names[result]
	judged.TookMs = time.Since(began).Milliseconds()
	return judged
}

func failIf(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
