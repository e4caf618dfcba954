package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// LogSecurity adds an entry to the security log. What it does not say of its time, its actor and where the call comes from is taken from
// the transaction's clock and the context.
func (tx *Tx) LogSecurity(ctx context.Context, e securitylog.Entry) error {
	origin := securitylog.OriginOf(ctx)
	if e.At.IsZero() {
		e.At = tx.clock.Now()
	}
	if e.Kind == "" {
		switch {
		case origin.Player != "":
			e.Kind, e.Actor = securitylog.Player, origin.Player
		case origin.Network != "":
			e.Kind = securitylog.Visitor
		default:
			e.Kind = securitylog.Portal
		}
	}
	if e.Session == "" {
		e.Session = origin.Session
	}
	network, err := tx.networkTag(ctx, origin.Network, e.At)
	if err != nil {
		return err
	}
	return tx.InsertSecurityEntry(ctx, gen.InsertSecurityEntryParams{
		ID: securitylog.NewID(), At: column.At(e.At), Event: string(e.Event), ActorKind: string(e.Kind), Actor: e.Actor, Subject: e.Subject,
		SessionID: e.Session, Network: network, Refusal: e.Refusal, Detail: stored(e.Detail), Reason: e.Reason,
	})
}

// LogSecurityAtMost is LogSecurity unless there are so many entries of the event within the last minute already: of the subject if it is
// set and each is true, else of all. What anybody can cause as often as they like must not fill the log.
func (tx *Tx) LogSecurityAtMost(ctx context.Context, e securitylog.Entry, most int64, each bool) error {
	since := column.At(tx.clock.Now().Add(-time.Minute))
	n, err := int64(0), error(nil)
	if each {
		n, err = tx.RecentSecurityEntriesOf(ctx, gen.RecentSecurityEntriesOfParams{
			Subject: e.Subject, Event: string(e.Event), Since: since, UpTo: most,
		})
	} else {
		n, err = tx.RecentSecurityEntries(ctx, gen.RecentSecurityEntriesParams{Event: string(e.Event), Since: since, UpTo: most})
	}
	if err != nil || n >= most {
		return err
	}
	return tx.LogSecurity(ctx, e)
}

// stored returns a text as both engines store it: valid, without NUL, and not too long.
func stored(text string) string {
	if len(text) > securitylog.MaxDetail {
		text = text[:securitylog.MaxDetail]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
}

// networkTag returns the tag of a network in the month of a time: an HMAC by a random key, which is made with the month's first tag.
func (tx *Tx) networkTag(ctx context.Context, network string, at time.Time) (string, error) {
	if network == "" {
		return "", nil
	}
	month := at.UTC().Format("2006-01")
	key, err := tx.SecurityNetworkKey(ctx, month)
	if errors.Is(err, sql.ErrNoRows) {
		if err := tx.InsertSecurityNetworkKey(ctx, gen.InsertSecurityNetworkKeyParams{Month: month, Key: rand.Text()}); err != nil {
			return "", err
		}
		key, err = tx.SecurityNetworkKey(ctx, month) // another transaction may have been first
	}
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(network))
	return hex.EncodeToString(mac.Sum(nil)[:8]), nil
}
