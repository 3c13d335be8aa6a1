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
		if one.RespondedAtUs != nil {
			ends = append(ends, *one.RespondedAtUs)
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

// beginning gives the operations that were called until a time; those without a response by then count as unknown.
func beginning(operations []operation, untilUs int64) []operation {
	var begun []operation
	for _, one := range operations {
		if one.CalledAtUs > untilUs {
			continue
		}
		if one.RespondedAtUs != nil && *one.RespondedAtUs > untilUs {
			one.RespondedAtUs, one.Response = nil, nil
		}
		begun = append(begun, one)
	}
	return begun
}

func describe(operations []operation, lastUs int64) string {
	var text strings.Builder
	first := operations[0]
	fmt.Fprintf(&text, "\n%s: its first %d operations cannot be explained. The last of them, in milliseconds since the first; => is the response that no order explains:\n",
		first.History, len(operations))
	for _, one := range operations[max(0, len(operations)-linesMax):] {
		mark, end, response := "  ", "      ?", "unknown"
		if one.RespondedAtUs != nil {
			end = fmt.Sprintf("%7.1f", float64(*one.RespondedAtUs-first.CalledAtUs)/1000)
			response = string(one.Response)
			if *one.RespondedAtUs == lastUs {
				mark = "=>"
			}
		}
		fmt.Fprintf(&text, "%s client %-3d %7.1f..%s tries %-3d %s -> %s\n",
			mark, one.Client, float64(one.CalledAtUs-first.CalledAtUs)/1000, end, one.Tries, one.Request, response)
	}
	return text.String()
}
