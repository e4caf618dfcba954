package packs_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/packs"
)

// shelf is what is for sale until it closes.
type shelf struct {
	packs  map[string]int64
	closes time.Time
}

func (s shelf) PacksForSale(_ context.Context, now time.Time) (map[string]int64, error) {
	if !now.Before(s.closes) {
		return nil, nil
	}
	return s.packs, nil
}

func (shelf) PackOffers(context.Context, time.Time) ([]packs.Offer, error) { return nil, nil }

func TestPacks_InventoryChangeIsBroadcast(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	s := packs.NewService(shelf{map[string]int64{"1": 499, "3": 50, "7": 1}, now.Now().Add(time.Hour)}, nil, nil, now)
	for _, want := range []string{
		`{"channelId":"kod-pack","type":"inventory-change","payload":{"generalPacksRemaining":499,"avatarPacksRemaining":0,"godPacksRemaining":50}}`,
		`{"channelId":"kod-pack","type":"inventory-change","payload":{"generalPacksRemaining":0,"avatarPacksRemaining":0,"godPacksRemaining":0}}`,
	} {
		m, err := s.InventoryChange(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(m); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		now.Advance(time.Hour)
	}
}
