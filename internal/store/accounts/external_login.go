package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// keepArrival stores how a session was opened and consumes its context; see account.Sessions.
func keepArrival(ctx context.Context, tx *store.Tx, s account.Session) error {
	from := s.Arrival
	if from == nil {
		return nil
	}
	if from.ContextHash != "" {
		// The game platform may have been slow. An expired context would be deleted next, and could then be used again.
		if !s.CreatedAt.Before(from.ExpiresAt) {
			return account.ErrContext
		}
		if err := tx.DeleteStaleContexts(ctx, column.At(s.CreatedAt)); err != nil {
			return err
		}
		n, err := tx.UseContext(ctx, gen.UseContextParams{ID: from.ContextHash, ExpiresAt: column.At(from.ExpiresAt)})
		if err != nil {
			return err
		}
		if n == 0 {
			return account.ErrContext
		}
		if err := tx.NoteGameLink(ctx, gen.NoteGameLinkParams{At: column.At(s.CreatedAt), PlayerID: s.PlayerID}); err != nil {
			return err
		}
	}
	if len(from.Parameters) == 0 {
		return nil
	}
	parameters, err := json.Marshal(from.Parameters)
	if err != nil {
		return err
	}
	if err := tx.DropOldArrivals(ctx, s.PlayerID); err != nil {
		return err
	}
	return tx.InsertArrival(ctx, gen.InsertArrivalParams{
		SessionID: s.ID, PlayerID: s.PlayerID, Parameters: string(parameters), At: column.At(s.CreatedAt),
	})
}

// SaveAttempt stores a sign-in that is in progress at another site; see account.Attempts.
func (db Store) SaveAttempt(ctx context.Context, stateHash, bindingHash, verifier string, at, expires time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.DeleteStaleSignInAttempts(ctx, column.At(at)); err != nil {
			return err
		}
		return tx.InsertSignInAttempt(ctx, gen.InsertSignInAttemptParams{
			StateHash: stateHash, BindingHash: bindingHash, Verifier: verifier, ExpiresAt: column.At(expires),
		})
	})
}

// TakeAttempt removes a sign-in that was in progress; see account.Attempts.
func (db Store) TakeAttempt(ctx context.Context, stateHash, bindingHash string, at time.Time) (verifier string, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		verifier, err = tx.TakeSignInAttempt(ctx, gen.TakeSignInAttemptParams{StateHash: stateHash, BindingHash: bindingHash, Now: column.At(at)})
		return store.NotFound(err, "There is no such attempt.")
	})
	return verifier, err
}

// PlayerByLink returns the player linked to an external account; see local.Store.
func (db Store) PlayerByLink(ctx context.Context, provider, externalID string) (id account.Identity, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.LinkedPlayer(ctx, gen.LinkedPlayerParams{Provider: provider, ExternalID: externalID})
		if err != nil {
			return store.NotFound(err, "There is no such player.")
		}
		id = account.Identity{PlayerID: r.ID, DisplayName: r.DisplayName, Email: r.Email, EmailConfirmed: !r.EmailConfirmedAt.IsZero()}
		return nil
	})
	return id, err
}

// CreateLinked creates an account of the built-in platform without an email and a password; see local.Store.
func (db Store) CreateLinked(ctx context.Context, id account.Identity, nameKey, provider, externalID string) error {
	// The link stands in for the email key; no email has its form. The empty password hash matches no password.
	link := provider + ":" + externalID
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		taken, err := tx.AccountTaken(ctx, gen.AccountTakenParams{EmailKey: link, NameKey: nameKey})
		if err != nil {
			return err
		}
		if taken.EmailTaken > 0 {
			return fault.New(fault.Conflict, "There is a player of this account already.")
		}
		if fields := takenFields(taken); len(fields) > 0 {
			return conflictOf(fields)
		}
		now := column.At(tx.Clock().Now())
		if err := tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: id.PlayerID, DisplayName: id.DisplayName, CreatedAt: now}); err != nil {
			return err
		}
		err = tx.InsertLocalAccount(ctx, gen.InsertLocalAccountParams{PlayerID: id.PlayerID, EmailKey: link})
		if store.IsDuplicate(err) {
			return fault.New(fault.Conflict, "There is a player of this account already.")
		}
		if err != nil {
			return err
		}
		if err := takeFreeName(ctx, tx, id.PlayerID, nameKey); err != nil {
			return err
		}
		created := securitylog.Of(securitylog.AccountCreated, id.PlayerID, now.Time)
		created.Detail = "by " + provider
		return errors.Join(tx.InsertLinkedAccount(ctx, gen.InsertLinkedAccountParams{
			Provider: provider, ExternalID: externalID, PlayerID: id.PlayerID, CreatedAt: now,
		}), tx.LogSecurity(ctx, created))
	})
}
