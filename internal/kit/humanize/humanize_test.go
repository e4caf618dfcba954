package humanize

import (
	"testing"
	"time"
)

func TestDuration_IsRoundedUpToMinutes(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "a minute", time.Second: "a minute", time.Minute: "a minute", time.Minute + 1: "2 minutes", 90 * time.Second: "2 minutes",
		10 * time.Minute: "10 minutes", 59*time.Minute + 1: "an hour", time.Hour: "an hour", time.Hour + 1: "an hour and a minute",
		2 * time.Hour: "2 hours", 2*time.Hour + 5*time.Minute: "2 hours and 5 minutes",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}

func TestInWords_SpellsSmallNumbers(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Second: "a minute", 2 * time.Minute: "two minutes", 10 * time.Minute: "ten minutes", 12 * time.Minute: "twelve minutes",
		13 * time.Minute: "13 minutes", time.Hour: "an hour", 2*time.Hour + 5*time.Minute: "two hours and five minutes",
	} {
		if got := InWords(d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}
