package main

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

const linesMax = 30

// explain finds the shortest beginning of a history that cannot be explained, and shows its last operations.
func explain(operations []operation, budget time.Duration) string {
	recorded := append([]operation{}, operations...)
	sort.Slice(recorded, func(a, b int) bool { return recorded[a].CalledAtUs < recorded[b].CalledAtUs })
	var ends []int64
	for _, one := range recorded {
		if one.AnsweredAtUs != nil {
			ends = append(ends, *one.AnsweredAtUs)
		}
	}
	sort.Slice(ends, func(a, b int) bool { return ends[a] < ends[b] })
	// What cannot be explained at one time cannot be explained later.
	shortest := sort.Search(len(ends)-1, func(place int) bool {
		result, err := models[recorded[0].Model].check(beginning(recorded, ends[place]), budget)
		return err == nil && result == porcupine.Illegal
	})
	cut := beginning(recorded, ends[shortest])
	return describe(cut, ends[shortest])
}

// beginning gives what was called until a time; what was not answered by then counts as unknown.
func beginning(operations []operation, untilUs int64) []operation {
	var begun []operation
	for _, one := range operations {
		if one.CalledAtUs > untilUs {
			continue
		}
		if one.AnsweredAtUs != nil && *one.AnsweredAtUs > untilUs {
			one.AnsweredAtUs, one.Answer = nil, nil
		}
		begun = append(begun, one)
	}
	return begun
}

func describe(operations []operation, lastUs int64) string {
	var text strings.Builder
	first := operations[0]
	fmt.Fprintf(&text, "\n%s: its first %d operations cannot be explained. The last of them, in milliseconds since the first; => is the answer that no order explains:\n",
		first.History, len(operations))
	for _, one := range operations[max(0, len(operations)-linesMax):] {
		mark, end, answer := "  ", "      ?", "unknown"
		if one.AnsweredAtUs != nil {
			end = fmt.Sprintf("%7.1f", float64(*one.AnsweredAtUs-first.CalledAtUs)/1000)
			answer = string(one.Answer)
			if *one.AnsweredAtUs == lastUs {
				mark = "=>"
			}
		}
		fmt.Fprintf(&text, "%s client %-3d %7.1f..%s tries %-3d %s -> %s\n",
			mark, one.Client, float64(one.CalledAtUs-first.CalledAtUs)/1000, end, one.Tries, one.Asked, answer)
	}
	return text.String()
}
