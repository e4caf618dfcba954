package periodic_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pantheon/internal/kit/periodic"
)

func TestLoop_RunsAtOnceAfterEachWaitAndWhenWoken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		loop, began, refused := periodic.NewLoop(), time.Now(), errors.New("refused")
		var called []time.Duration
		var reported []error
		time.AfterFunc(90*time.Second, loop.Wake) // before the third call is due
		err := loop.Run(ctx, func(context.Context) (time.Duration, error) {
			called = append(called, time.Since(began))
			switch len(called) {
			case 1:
				return time.Minute, refused
			case 4:
				cancel()
			}
			return 2 * time.Minute, nil
		}, func(err error) { reported = append(reported, err) })
		want := []time.Duration{0, time.Minute, 90 * time.Second, 210 * time.Second}
		if err != nil || !slices.Equal(called, want) || len(reported) != 1 || reported[0] != refused {
			t.Errorf("called after %v, want %v; reported %v, %v", called, want, reported, err)
		}
	})
}
