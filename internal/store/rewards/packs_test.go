package rewards_test

import (
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

// Spec: PACK-6
func TestPacks_FirstConfirmationOfTheAgeIsKept(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		const zeus, hera = "zeus", "hera"
		testkit.AddPlayers(t, db, 0, zeus, hera)
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		if got, err := rewards.New(db).AgeConfirmed(t.Context(), zeus); err != nil || !got.IsZero() {
			t.Errorf("before: %v, %v", got, err)
		}
		for i := range 2 {
			if got, err := rewards.New(db).ConfirmAge(t.Context(), zeus, at.Add(time.Duration(i)*time.Hour)); err != nil || !got.Equal(at) {
				t.Errorf("confirmation %d: %v, %v", i, got, err)
			}
		}
		if got, err := rewards.New(db).AgeConfirmed(t.Context(), zeus); err != nil || !got.Equal(at) {
			t.Errorf("after: %v, %v", got, err)
		}
		if got, err := rewards.New(db).AgeConfirmed(t.Context(), hera); err != nil || !got.IsZero() {
			t.Errorf("of another player: %v, %v", got, err)
		}
	})
}
