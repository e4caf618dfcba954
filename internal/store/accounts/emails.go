package accounts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// SaveEmailCode stores a code and queues the email; see account.Emails.
func (db Store) SaveEmailCode(ctx context.Context, c account.EmailCode) error {
	return db.WriteLocked(ctx, c.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		hash, message := c.Hash, c.Message
		owner, err := tx.LocalAccountByEmail(ctx, account.EmailKey(c.Email))
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case owner.PlayerID != c.PlayerID:
			hash, message = "", c.Taken
			message.PlayerID = owner.PlayerID
		}
		if err := tx.Queries.SaveEmailCode(ctx, gen.SaveEmailCodeParams{
			PlayerID: c.PlayerID, Email: c.Email, CodeHash: hash, AttemptsLeft: int64(c.Attempts), ExpiresAt: column.At(c.Expires),
		}); err != nil {
			return err
		}
		return tx.Post(ctx, message)
	})
}

// ConfirmEmail confirms an address by its code; see account.Emails.
func (db Store) ConfirmEmail(
	ctx context.Context, from account.Identity, matches func(hash string) bool, at time.Time, n account.EmailChange,
) error {
	wrong := false
	err := db.WriteLocked(ctx, from.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		wrong = false
		player, err := tx.Player(ctx, from.PlayerID)
		if err != nil {
			return store.NotFound(err, store.NoPlayer)
		}
		code, err := tx.TryEmailCode(ctx, gen.TryEmailCodeParams{PlayerID: from.PlayerID, Now: column.At(at)})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		same := account.EmailKey(player.Email) == account.EmailKey(from.Email) && (!player.EmailConfirmedAt.IsZero()) == from.EmailConfirmed
		if err != nil || !same || !matches(code.CodeHash) {
			wrong = true // the spent attempt is committed
			return nil
		}
		return confirmEmail(ctx, tx, player, code.Email, at, n)
	})
	if err == nil && wrong {
		err = fault.New(fault.NotFound, "There is no such code.")
	}
	return err
}

// confirmEmail sets the player's email to a confirmed address.
func confirmEmail(ctx context.Context, tx *store.Tx, player gen.Player, address string, at time.Time, n account.EmailChange) error {
	if err := tx.DeleteEmailCode(ctx, player.ID); err != nil {
		return err
	}
	key := account.EmailKey(address)
	if key == account.EmailKey(player.Email) {
		return confirmOwnEmail(ctx, tx, gen.ConfirmOwnEmailParams{At: column.At(at), PlayerID: player.ID})
	}
	if err := tx.LogSecurity(ctx, securitylog.Entry{At: at, Event: securitylog.EmailChanged, Subject: player.ID}); err != nil {
		return err
	}
	if err := changeEmailKey(ctx, tx, player.ID, key); err != nil {
		return err
	}
	if n.BySignIn {
		if err := tx.DropNotices(ctx, player.ID); err != nil {
			return err
		}
	}
	if player.Email != "" { // before the change: a notice's link is good for restoring the address
		n.Old.To, n.Old.PlayerID = player.Email, player.ID
		if err := tx.Post(ctx, n.Old); err != nil {
			return err
		}
	}
	if err := setEmail(ctx, tx, gen.SetEmailParams{Email: address, At: column.At(at), PlayerID: player.ID}); err != nil {
		return err
	}
	n.New.To, n.New.PlayerID = address, player.ID
	return tx.Post(ctx, n.New)
}

// setEmail changes a player's address, which the copy of the wallet has as well.
func setEmail(ctx context.Context, tx *store.Tx, p gen.SetEmailParams) error {
	_, err := tx.SetEmail(ctx, p)
	return errors.Join(err, copyAgain(ctx, tx, p.PlayerID))
}

// confirmOwnEmail confirms a player's address; see setEmail.
func confirmOwnEmail(ctx context.Context, tx *store.Tx, p gen.ConfirmOwnEmailParams) error {
	n, err := tx.ConfirmOwnEmail(ctx, p)
	if n == 0 || err != nil {
		return err
	}
	return errors.Join(copyAgain(ctx, tx, p.PlayerID), tx.LogSecurity(ctx, securitylog.Entry{
		At: p.At.Time, Event: securitylog.EmailConfirmed, Subject: p.PlayerID,
	}))
}

func copyAgain(ctx context.Context, tx *store.Tx, playerID string) error {
	return tx.CopyWalletAgain(ctx, gen.CopyWalletAgainParams{At: column.At(tx.Clock().Now()), PlayerID: playerID})
}

// changeEmailKey changes the address with which a player of the built-in platform signs in; a fault.Conflict if it is
// taken. Recovery links and codes of approvals that were sent to the previous address become invalid.
func changeEmailKey(ctx context.Context, tx *store.Tx, playerID, key string) error {
	taken := fault.New(fault.Conflict, "This email is another player's.")
	// Checked first, because on PostgreSQL a constraint violation aborts the transaction; the constraint still decides
	// a race.
	if _, err := tx.LocalAccountByEmail(ctx, key); !errors.Is(err, sql.ErrNoRows) {
		if err == nil {
			err = taken
		}
		return err
	}
	now := column.At(tx.Clock().Now())
	if n, err := tx.EmailReserved(ctx, gen.EmailReservedParams{EmailKey: key, PlayerID: playerID, Now: now}); err != nil || n > 0 {
		if err == nil {
			err = taken
		}
		return err
	}
	n, err := tx.SetEmailKey(ctx, gen.SetEmailKeyParams{EmailKey: key, PlayerID: playerID})
	if store.IsDuplicate(err) || err == nil && n == 0 { // n == 0: the game platform keeps the account
		return taken
	}
	if err != nil {
		return err
	}
	if err := tx.EndEmailedApprovals(ctx, gen.EndEmailedApprovalsParams{PlayerID: playerID, Now: now}); err != nil {
		return err
	}
	return tx.DeleteRecoveryLinks(ctx, sql.NullString{String: playerID, Valid: true})
}

// EmailChangedAt returns when the player's present address replaced another one, or none; see account.Emails.
func (db Store) EmailChangedAt(ctx context.Context, playerID string) (at time.Time, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		changed, err := q.EmailChangedAt(ctx, playerID)
		at = changed.Time
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return err
	})
	return at, err
}

// Proofs returns what shows that a player can be reached; see account.Emails.
func (db Store) Proofs(ctx context.Context, playerID string) (p account.Proofs, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		p, err = store.ProofsOf(ctx, q, playerID)
		return err
	})
	return p, err
}
