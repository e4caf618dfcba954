// Package humanize formats values for players.
package humanize

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration formats a duration in hours and minutes, rounded up to whole minutes: "a minute", "10 minutes", "an hour",
// "2 hours and 5 minutes".
func Duration(d time.Duration) string {
	n := (d + time.Minute - 1) / time.Minute
	switch {
	case n <= 1:
		return "a minute"
	case n == 60:
		return "an hour"
	case n > 60 && n%60 == 0:
		return fmt.Sprintf("%d hours", n/60)
	case n > 60:
		return Duration(n/60*time.Hour) + " and " + Duration(n%60*time.Minute)
	}
	return fmt.Sprintf("%d minutes", n)
}

// InWords is Duration with numbers up to twelve in words: "ten minutes", "two hours and five minutes".
func InWords(d time.Duration) string {
	small := []string{2: "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	fields := strings.Fields(Duration(d))
	for i, field := range fields {
		if n, err := strconv.Atoi(field); err == nil && n < len(small) {
			fields[i] = small[n]
		}
	}
	return strings.Join(fields, " ")
}
