// Package packs implements the sale of KOD packs: the chests that the portal's manager wallet sells.
package packs

import (
	"context"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/draw"
)

// ReasonNotFixed is the reason of MaySell's fault.
const ReasonNotFixed = "pack-not-fixed"

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
	// PackListed returns the token that a listing offers; ok is false unless that is packs.
	PackListed(ctx context.Context, listingID string) (tokenID string, ok bool, err error)
	// PackOffers returns the manager's live listings of packs at the given time, the cheapest first.
	PackOffers(ctx context.Context, now time.Time) ([]Offer, error)
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	store    Store
	openings OpeningStore
	registry *Registry
	tables   func() *draw.Tables
	clock    clock.Clock
	fits     *draw.Fits
}

// NewService returns a Service. tables returns the current drop tables.
func NewService(s Store, openings OpeningStore, r *Registry, tables func() *draw.Tables, c clock.Clock) *Service {
	return &Service{store: s, openings: openings, registry: r, tables: tables, clock: c, fits: draw.NewFits([32]byte{})}
}

// Remaining returns how many packs of each kind are for sale now, over all editions whose tables are fixed.
func (s *Service) Remaining(ctx context.Context) (Remaining, error) {
	stock, err := s.store.PacksForSale(ctx, s.clock.Now())
	if err != nil {
		return Remaining{}, err
	}
	fixed, err := s.registry.Tables(ctx)
	if err != nil {
		return Remaining{}, err
	}
	n, tables := map[string]int64{}, s.tables()
	for token, units := range stock {
		if t, ok := tables.OfToken(token); ok && fixed.onSale(t) {
			n[t.Kind] += units
		}
	}
	return Remaining{General: n[General], Avatar: n[Avatar], God: n[God]}, nil
}

// Contract returns the contract of the packs.
func (s *Service) Contract() eth.Address { return s.registry.contract }

// MaySell returns nil if what a listing offers can be sold now: a Conflict fault if that is packs whose drop table is not fixed.
func (s *Service) MaySell(ctx context.Context, listingID string) error {
	token, ok, err := s.store.PackListed(ctx, listingID)
	if !ok || err != nil {
		return err
	}
	fixed, err := s.registry.Tables(ctx)
	if err != nil {
		return err
	}
	if t, ok := s.tables().OfToken(token); !ok || !fixed.onSale(t) {
		return fault.New(fault.Conflict, "This pack is not on sale yet: what it can contain is not fixed.").WithReason(ReasonNotFixed)
	}
	return nil
}

// InShopNow returns the edition in which packs of a kind are sold in the shop now: the newest whose table was fixed before now by this
// server's clock, because a payment whose record is not later than that can never be drawn. It returns an Unavailable fault while there
// is none.
func (s *Service) InShopNow(ctx context.Context, kind string) (edition int, err error) {
	fixed, err := s.registry.Tables(ctx)
	if err != nil {
		return 0, err
	}
	now := s.clock.Now()
	for _, t := range s.tables().Editions(kind) {
		if at, ok, err := fixed.Of(t); ok && err == nil && at.At.Before(now) {
			return t.Edition, nil
		}
	}
	return 0, fault.New(fault.Unavailable, "These packs are not on sale yet: what they can contain is not fixed.")
}

// KindOf returns the kind of drop table by which a pack of the contract of packs is drawn; "" for another token.
func (s *Service) KindOf(tokenID string) string {
	t, _ := s.tables().OfToken(tokenID)
	return t.Kind
}

// InventoryChange returns the message that broadcasts how many packs are for sale now.
func (s *Service) InventoryChange(ctx context.Context) (announce.Realtime, error) {
	remaining, err := s.Remaining(ctx)
	return announce.Realtime{ChannelID: "kod-pack", Type: "inventory-change", Payload: remaining}, err
}
