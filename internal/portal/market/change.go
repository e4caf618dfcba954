package market

import (
	"context"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

// changeChannel is the realtime channel for live listings.
const changeChannel = "live-listings-change"

// Change is the payload of a live-listings-change message.
type Change struct {
	Document PublishedListing `json:"document"`
	Contract eth.Address      `json:"assetContractAddress"`
}

// ListingChange returns the message that broadcasts a listing's current state: insert for a new one, delete for one
// that has ended, update otherwise. It returns false for a listing that no longer exists because of a reorganisation.
func (s *Service) ListingChange(ctx context.Context, p Publisher, topic announce.Topic, id string) (announce.Realtime, bool, error) {
	l, err := s.Listing(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return announce.Realtime{}, false, nil
	}
	if err != nil {
		return announce.Realtime{}, false, err
	}
	kind := "update"
	switch {
	case l.Status != Active:
		kind = "delete"
	case topic == announce.ListingNew:
		kind = "insert"
	}
	return change(p, l, kind, s.clock.Now()), true, nil
}

// Taken returns the message for a listing that is about to be deleted.
func Taken(p Publisher, l Listing, now time.Time) announce.Realtime {
	return change(p, l, "delete", now)
}

func change(p Publisher, l Listing, kind string, now time.Time) announce.Realtime {
	return announce.Realtime{ChannelID: changeChannel, Type: kind, Payload: Change{Document: p.Publish(l, "", now), Contract: l.Contract}}
}
