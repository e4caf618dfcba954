package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// CreateAccount creates an account of the built-in platform; see local.Store.
func (db *DB) CreateAccount(ctx context.Context, id account.Identity, emailKey, nameKey, passwordHash string) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		// Checked first, because on PostgreSQL a constraint violation aborts the transaction; the constraint still
		// decides a race.
		taken, err := tx.AccountTaken(ctx, gen.AccountTakenParams{EmailKey: emailKey, NameKey: nameKey, Now: column.At(tx.clock.Now())})
		if err != nil {
			return err
		}
		if fields := takenFields(taken); len(fields) > 0 {
			return conflictOf(fields)
		}
		if err := tx.InsertPlayer(ctx, gen.InsertPlayerParams{
			ID: id.PlayerID, DisplayName: id.DisplayName, Email: id.Email, CreatedAt: column.At(tx.clock.Now()),
		}); err != nil {
			return err
		}
		err = tx.InsertLocalAccount(ctx, gen.InsertLocalAccountParams{PlayerID: id.PlayerID, EmailKey: emailKey, PasswordHash: passwordHash})
		if isDuplicate(err) {
			return conflictOf(takenFields(gen.AccountTakenRow{EmailTaken: 1}))
		}
		if err != nil {
			return err
		}
		return tx.takeFreeName(ctx, id.PlayerID, nameKey)
	})
}

func takenFields(t gen.AccountTakenRow) (fields []fault.Field) {
	if t.EmailTaken > 0 {
		fields = append(fields, fault.Field{Location: "body.email", Message: "There is an account with this email already."})
	}
	if t.NameTaken > 0 {
		fields = append(fields, fault.Field{Location: "body.displayName", Message: "This name is taken."})
	}
	return fields
}

func conflictOf(fields []fault.Field) error {
	f := fault.New(fault.Conflict, "%s", fields[0].Message)
	f.Fields = fields
	return f
}

// AccountByEmail returns an account of the built-in platform; see local.Store.
func (db *DB) AccountByEmail(ctx context.Context, emailKey string) (id account.Identity, passwordHash string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.LocalAccountByEmail(ctx, emailKey)
		if err != nil {
			return notFound(err, "There is no such account.")
		}
		id, passwordHash = account.Identity{
			PlayerID: r.PlayerID, DisplayName: r.DisplayName, Email: r.Email, EmailConfirmed: !r.EmailConfirmedAt.IsZero(),
		}, r.PasswordHash
		return nil
	})
	return id, passwordHash, err
}

// Player returns a player's identity; fault.NotFound for an unknown id.
func (db *DB) Player(ctx context.Context, playerID string) (id account.Identity, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.Player(ctx, playerID)
		if err != nil {
			return notFound(err, "There is no such player.")
		}
		id = account.Identity{PlayerID: r.ID, DisplayName: r.DisplayName, Email: r.Email, EmailConfirmed: !r.EmailConfirmedAt.IsZero()}
		return nil
	})
	return id, err
}

// Currencies returns the player's balances by currency code.
func (db *DB) Currencies(ctx context.Context, playerID string) (map[string]int64, error) {
	balances := map[string]int64{}
	err := db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.Currencies(ctx, playerID)
		for _, r := range rows {
			balances[r.Code] = r.Amount
		}
		return err
	})
	return balances, err
}

// OpenSession records the player and the session; see account.Sessions.
func (db *DB) OpenSession(
	ctx context.Context, id account.Identity, s account.Session, secretHash string, proven time.Time,
) (ended []string, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if err := tx.SavePlayer(ctx, gen.SavePlayerParams{
			ID: id.PlayerID, DisplayName: id.DisplayName, Email: id.Email, CreatedAt: column.At(s.CreatedAt),
		}); err != nil {
			return err
		}
		// The player's row is locked here: earlier deletions and ends of sessions are visible, and later ones see this
		// session.
		if deleted, err := tx.CountDeletedPlayer(ctx, id.PlayerID); err != nil || deleted > 0 {
			if err == nil {
				err = account.ErrDeleted
			}
			return err
		}
		player, err := tx.Player(ctx, id.PlayerID)
		if err != nil {
			return err
		}
		if !player.FrozenAt.IsZero() {
			return account.FrozenFault(player.FrozenReason)
		}
		if player.SessionsEndedAt.After(proven.Truncate(time.Millisecond)) {
			return account.ErrSignedOut
		}
		// The game platform may allow two names that look alike. Keys from older rules are also replaced.
		if err := tx.takeName(ctx, player.ID, account.NameKey(player.DisplayName)); err != nil {
			return err
		}
		if err := tx.keepArrival(ctx, s); err != nil {
			return err
		}
		if err := tx.keepBrowser(ctx, s); err != nil {
			return err
		}
		if ended, err = tx.RevokeOldSessions(ctx, gen.RevokeOldSessionsParams{
			Now: column.At(s.CreatedAt), PlayerID: s.PlayerID, Kept: account.MaxSessions - 1,
		}); err != nil {
			return err
		}
		if err := tx.announceEnded(ctx, ended...); err != nil {
			return err
		}
		return tx.InsertSession(ctx, gen.InsertSessionParams{
			ID: s.ID, PlayerID: s.PlayerID, SecretHash: secretHash, CreatedAt: column.At(s.CreatedAt), ExpiresAt: column.At(s.ExpiresAt),
			UsedAt: column.At(s.UsedAt), Browser: s.Browser, External: column.Flag(s.External),
		})
	})
	return ended, err
}

// Session returns a session; see account.Sessions.
func (db *DB) Session(ctx context.Context, id string) (account.Session, error) {
	return db.session(ctx, func(q *gen.Queries) (gen.SessionRow, error) { return q.Session(ctx, id) })
}

// SessionBySecret returns a session; see account.Sessions.
func (db *DB) SessionBySecret(ctx context.Context, secretHash string) (account.Session, error) {
	return db.session(ctx, func(q *gen.Queries) (gen.SessionRow, error) {
		r, err := q.SessionBySecret(ctx, secretHash)
		return gen.SessionRow(r), err
	})
}

func (db *DB) session(ctx context.Context, get func(*gen.Queries) (gen.SessionRow, error)) (s account.Session, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := get(q)
		if err != nil {
			return notFound(err, "There is no such session.")
		}
		s = sessionOf(r.Session)
		s.Frozen = freezeOf(r.FrozenAt, r.FrozenReason)
		return nil
	})
	return s, err
}

func sessionOf(r gen.Session) account.Session {
	return account.Session{
		ID: r.ID, PlayerID: r.PlayerID, Browser: r.Browser, External: bool(r.External),
		CreatedAt: r.CreatedAt.Time, UsedAt: r.UsedAt.Time, ExpiresAt: r.ExpiresAt.Time, RevokedAt: r.RevokedAt.Time,
	}
}

// RevokeSession ends a session; see account.Sessions.
func (db *DB) RevokeSession(ctx context.Context, id string, at time.Time) (revoked bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err := tx.Queries.RevokeSession(ctx, gen.RevokeSessionParams{RevokedAt: column.At(at), ID: id})
		revoked = n == 1
		if err != nil || !revoked {
			return err
		}
		return tx.announceEnded(ctx, id)
	})
	return revoked, err
}

// begun is the latest start_at of a time window that is open now; see onchain.Open.
func begun(now time.Time) column.Time { return column.At(now.Add(onchain.ClockLead)) }

// notFound turns sql.ErrNoRows into a fault.
func notFound(err error, message string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.New(fault.NotFound, "%s", message)
	}
	return err
}
