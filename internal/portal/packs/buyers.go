package packs

import (
	"context"
	"slices"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/iso3166"
)

// Reasons of the faults that MayBuy returns.
const (
	ReasonAge     = "age-unconfirmed"
	ReasonCountry = "packs-country"
)

// AgeStore stores when players confirmed being 18 or older.
type AgeStore interface {
	// AgeConfirmed returns the time; the zero time if the player has not confirmed it.
	AgeConfirmed(ctx context.Context, playerID string) (time.Time, error)
	// ConfirmAge records the time unless there is one, and returns the recorded one.
	ConfirmAge(ctx context.Context, playerID string, at time.Time) (time.Time, error)
}

// Buyers decides who may buy packs. It is safe for concurrent use.
type Buyers struct {
	store     AgeStore
	clock     clock.Clock
	chests    eth.Address
	forbidden []string
}

// NewBuyers returns the Buyers of the packs of one contract. forbidden are the countries in which none are sold (ISO 3166-1
// alpha-2, in capitals).
func NewBuyers(s AgeStore, c clock.Clock, chests eth.Address, forbidden []string) *Buyers {
	return &Buyers{store: s, clock: c, chests: chests, forbidden: forbidden}
}

// MayBuy returns nil if the player may buy tokens of these contracts from the country, as Sold takes it. For packs it returns
// fault.Forbidden with ReasonCountry in a forbidden country, and fault.Conflict with ReasonAge until the player has confirmed
// being 18 or older.
func (b *Buyers) MayBuy(ctx context.Context, playerID, country string, contracts ...eth.Address) error {
	if !slices.Contains(contracts, b.chests) {
		return nil
	}
	return b.MayBuyChance(ctx, playerID, country)
}

// MayBuyChance is MayBuy for what is drawn, wherever it is bought.
func (b *Buyers) MayBuyChance(ctx context.Context, playerID, country string) error {
	if err := b.Sold(country); err != nil {
		return err
	}
	at, err := b.store.AgeConfirmed(ctx, playerID)
	if err == nil && at.IsZero() {
		err = fault.New(fault.Conflict, "Please confirm that you are 18 or older.").WithReason(ReasonAge)
	}
	return err
}

// Sold returns fault.Forbidden with ReasonCountry if no packs are sold in the country: "" if nothing places the player;
// iso3166.Unknown, which counts as forbidden where a country is, if the player's address cannot be read.
func (b *Buyers) Sold(country string) error {
	if slices.Contains(b.forbidden, country) || country == iso3166.Unknown && len(b.forbidden) > 0 {
		return fault.New(fault.Forbidden, "Packs are not sold in the country you seem to be in. You can still open those that you own.").
			WithReason(ReasonCountry)
	}
	return nil
}

// AgeConfirmed returns when the player confirmed being 18 or older; the zero time for never.
func (b *Buyers) AgeConfirmed(ctx context.Context, playerID string) (time.Time, error) {
	return b.store.AgeConfirmed(ctx, playerID)
}

// ConfirmAge records that the player confirms being 18 or older, and returns when that was confirmed first.
func (b *Buyers) ConfirmAge(ctx context.Context, playerID string) (time.Time, error) {
	return b.store.ConfirmAge(ctx, playerID, b.clock.Now())
}
