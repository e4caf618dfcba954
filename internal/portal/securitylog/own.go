package securitylog

import (
	"context"
	"strings"

	"pantheon/internal/kit/cursor"
)

// ActOfSupport is what a player reads of any operator's act.
const ActOfSupport Event = "support.act"

// Own lists to players what concerns their own account.
type Own struct{ Log Reader }

// Entries returns a page of a player's entries, the newest first, and the cursor of the next page; "" on the last. What operators did is
// there without who, what and why: freezes tell their reason themselves; that operators looked is not there. It
// returns fault.Invalid for a malformed cursor.
func (o Own) Entries(ctx context.Context, playerID, after string, limit int) (entries []Entry, next string, err error) {
	entries, next, err = Page(ctx, o.Log, Filter{Subject: playerID, Acts: true}, after, limit)
	for i, e := range entries {
		entries[i] = e.forPlayer()
	}
	return entries, next, err
}

// Page returns a page of the entries that match a filter, the newest first, and the cursor of the next page; "" on the last. It returns
// fault.Invalid for a malformed cursor.
func Page(ctx context.Context, r Reader, f Filter, after string, limit int) (entries []Entry, next string, err error) {
	at, id, err := cursor.Decode(after)
	if err != nil {
		return nil, "", err
	}
	if f.Limit = limit + 1; after != "" {
		f.Before = Place{At: at, ID: id}
	}
	entries, err = r.Entries(ctx, f)
	if err != nil {
		return nil, "", err
	}
	if len(entries) > limit {
		entries = entries[:limit]
		next = cursor.Encode(entries[limit-1].At, entries[limit-1].ID)
	}
	return entries, next, nil
}

// forPlayer returns what the player may read of an entry.
func (e Entry) forPlayer() Entry {
	if e.Kind == Operator {
		return Entry{ID: e.ID, At: e.At, Event: ActOfSupport, Kind: Operator}
	}
	out := Entry{ID: e.ID, At: e.At, Event: e.Event, Kind: e.Kind, Session: e.Session}
	switch {
	case e.Event == OperationSigned: // the hash and the chain are for operators
		_, out.Detail, _ = strings.Cut(e.Detail, ": ")
	case e.Event == SessionOpened, e.Event == WalletConnected, e.Event == AddressSaved, e.Event == AddressForgotten:
		out.Detail = e.Detail
	}
	return out
}
