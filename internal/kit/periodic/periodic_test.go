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

func TestRun_RepeatsAndReportsUntilTheContextEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		var called []time.Duration
		var reported []error
		refused := errors.New("refused")
		err := periodic.Run(ctx, time.Minute, func(context.Context) error {
			called = append(called, time.Since(began))
			switch len(called) {
			case 2:
				return refused
			case 4:
				cancel()
			}
			return nil
		}, func(err error) { reported = append(reported, err) })
		if err != nil {
			t.Errorf("it ends with %v", err)
		}
		for i, at := range called {
			if at != time.Duration(i+1)*time.Minute {
				t.Errorf("call %d after %v", i+1, at)
			}
		}
		if len(called) != 4 || len(reported) != 1 || reported[0] != refused {
			t.Errorf("%d calls, reported %v", len(called), reported)
		}
	})
}

func TestRun_DoesNotReportContextErrors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		err := periodic.Run(ctx, time.Second, func(ctx context.Context) error {
			cancel()
			return ctx.Err()
		}, func(err error) { t.Errorf("reported %v", err) })
		if err != nil {
			t.Error(err)
		}
	})
}

func TestRunAtOnce_BeginsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		began, refused := time.Now(), errors.New("refused")
		var called []time.Duration
		var reported []error
		err := periodic.RunAtOnce(ctx, time.Minute, func(context.Context) error {
			if called = append(called, time.Since(began)); len(called) == 2 {
				cancel()
			}
			return refused
		}, func(err error) { reported = append(reported, err) })
		if err != nil || !slices.Equal(called, []time.Duration{0, time.Minute}) || !slices.Equal(reported, []error{refused}) {
			t.Errorf("called after %v; reported %v, %v", called, reported, err)
		}
	})
}

func TestEvery_SkipsCallsWithinTheInterval(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, refused := time.Now(), errors.New("refused")
		var called []time.Duration
		step := periodic.Every(time.Minute, func(context.Context) error {
			called = append(called, time.Since(began))
			return refused
		})
		for range 5 {
			if err := step(t.Context()); err != nil && err != refused {
				t.Error(err)
			}
			time.Sleep(25 * time.Second) // of the bubble's clock
		}
		if want := []time.Duration{0, 75 * time.Second}; !slices.Equal(called, want) {
			t.Errorf("called after %v, want %v", called, want)
		}
	})
}
