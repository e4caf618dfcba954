// Package packs is about KOD packs: the chests that the portal's manager wallet sells.
package packs

import (
	"context"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
)

// Token ids of the kinds of pack in the contract of chests.
const (
	General = "1"
	Avatar  = "2"
	God     = "3"
)

// Remaining is how many packs of each kind are for sale; the payload of kod-pack/inventory-change.
type Remaining struct {
	General int64 `json:"generalPacksRemaining"`
	Avatar  int64 `json:"avatarPacksRemaining"`
	God     int64 `json:"godPacksRemaining"`
}

// Store reads what the indexer wrote.
type Store interface {
	// PacksForSale returns how many packs the manager's live listings offer at the time, by token id.
	PacksForSale(ctx context.Context, now time.Time) (map[string]int64, error)
}

// Service is the capability. It is safe for concurrent use.
type Service struct {
	store Store
	clock clock.Clock
}

// NewService returns the capability.
func NewService(s Store, c clock.Clock) *Service { return &Service{store: s, clock: c} }

// Remaining returns how many packs of each kind are for sale now.
func (s *Service) Remaining(ctx context.Context) (Remaining, error) {
	n, err := s.store.PacksForSale(ctx, s.clock.Now())
	return Remaining{General: n[General], Avatar: n[Avatar], God: n[God]}, err
}

// InventoryChange composes the message that tells everybody how many packs are for sale now.
func (s *Service) InventoryChange(ctx context.Context) (announce.Realtime, error) {
	remaining, err := s.Remaining(ctx)
	return announce.Realtime{ChannelID: "kod-pack", Type: "inventory-change", Payload: remaining}, err
}
