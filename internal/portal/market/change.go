package market

import (
	"context"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
)

// changeChannel is the realtime channel for live listings.
const changeChannel = "live-listings-change"

// Change is the payload of a live-listings-change message.
type Change struct {
	Document PublishedListing `json:"document"`
	Contract eth.Address      `json:"assetContractAddress"`
}

// ListingChanges returns the messages that broadcast the current state of announced listings, by the announcements' ids:
// insert for a new listing, delete for one that has ended, update otherwise. A listing that no longer exists because of a
// reorganisation has none.
func (s *Service) ListingChanges(ctx context.Context, p Publisher,
	announcements []announce.Announcement) (map[string]announce.Realtime, error) {
	ids := make([]string, len(announcements))
	for i, a := range announcements {
		ids[i] = a.Payload
	}
	now := s.clock.Now()
	listings, err := s.store.ListingsByID(ctx, ids, now)
	if err != nil {
		return nil, err
	}
	out := make(map[string]announce.Realtime, len(listings))
	for _, a := range announcements {
		l, ok := listings[a.Payload]
		if !ok {
			continue
		}
		kind := "update"
		switch {
		case l.Status != Active:
			kind = "delete"
		case a.Topic == announce.ListingNew:
			kind = "insert"
		}
		out[a.ID] = change(p, l, kind, now)
	}
	return out, nil
}

// Taken returns the message for a listing that is about to be deleted.
func Taken(p Publisher, l Listing, now time.Time) announce.Realtime {
	return change(p, l, "delete", now)
}

func change(p Publisher, l Listing, kind string, now time.Time) announce.Realtime {
	return announce.Realtime{ChannelID: changeChannel, Type: kind, Payload: Change{Document: p.Publish(l, "", now), Contract: l.Contract}}
}
