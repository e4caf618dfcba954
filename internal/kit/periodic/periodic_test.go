package periodic_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"pantheon/internal/kit/periodic"
)

func TestRun_RepeatsAndReportsUntilTheContextEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		calls, reported := 0, 0
		done := make(chan error)
		go func() {
			done <- periodic.Run(ctx, time.Minute, func(context.Context) error {
				if calls++; calls%2 == 0 {
					return errors.New("even")
				}
				return nil
			}, func(error) { reported++ })
		}()
		time.Sleep(5*time.Minute + time.Second)
		synctest.Wait()
		if calls != 5 || reported != 2 {
			t.Errorf("%d calls and %d reports in five minutes, want 5 and 2", calls, reported)
		}
		cancel()
		if err := <-done; err != nil {
			t.Errorf("it ends with %v", err)
		}
	})
}

func TestRun_DoesNotReportWhatTheEndOfTheContextCauses(t *testing.T) {
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
