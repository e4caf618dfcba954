// Package packs implements the sale of KOD packs: the chests that the portal's manager wallet sells.
package packs

import (
	"context"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/draw"
)

// Remaining is how many packs of each kind are for sale; it is the payload of kod-pack/inventory-change.
type Remaining struct {
	General int64 `json:"generalPacksRemaining"`
	Avatar  int64 `json:"avatarPacksRemaining"`
	God     int64 `json:"godPacksRemaining"`
}

// Store reads the indexer's data.
type Store interface {
	// PacksForSale returns how many packs the manager's live listings offer at the given time, by token id.
	PacksForSale(ctx context.Context, now time.Time) (map[string]int64, error)
	// PackOffers returns the manager's live listings of packs at the given time, the cheapest first.
	PackOffers(ctx context.Context, now time.Time) ([]Offer, error)
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	store    Store
	openings OpeningStore
	tables   func() *draw.Tables
	clock    clock.Clock
	fits     *draw.Fits
}

// NewService returns a Service. tables returns the current drop tables.
func NewService(s Store, openings OpeningStore, tables func() *draw.Tables, c clock.Clock) *Service {
	return &Service{store: s, openings: openings, tables: tables, clock: c, fits: draw.NewFits([32]byte{})}
}

// Remaining returns how many packs of each kind are for sale now.
func (s *Service) Remaining(ctx context.Context) (Remaining, error) {
	n, err := s.store.PacksForSale(ctx, s.clock.Now())
	return Remaining{General: n[General], Avatar: n[Avatar], God: n[God]}, err
}

// InventoryChange returns the message that broadcasts how many packs are for sale now.
func (s *Service) InventoryChange(ctx context.Context) (announce.Realtime, error) {
	remaining, err := s.Remaining(ctx)
	return announce.Realtime{ChannelID: "kod-pack", Type: "inventory-change", Payload: remaining}, err
}
