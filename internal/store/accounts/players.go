package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/purse"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// CreateAccount creates an account of the built-in platform; see local.Store.
func (db Store) CreateAccount(ctx context.Context, id account.Identity, emailKey, nameKey, passwordHash string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		// Checked first, because on PostgreSQL a constraint violation aborts the transaction; the constraint still
		// decides a race.
		taken, err := tx.AccountTaken(ctx, gen.AccountTakenParams{EmailKey: emailKey, NameKey: nameKey, Now: column.At(tx.Clock().Now())})
		if err != nil {
			return err
		}
		if fields := takenFields(taken); len(fields) > 0 {
			return conflictOf(fields)
		}
		if err := tx.InsertPlayer(ctx, gen.InsertPlayerParams{
			ID: id.PlayerID, DisplayName: id.DisplayName, Email: id.Email, CreatedAt: column.At(tx.Clock().Now()),
		}); err != nil {
			return err
		}
		err = tx.InsertLocalAccount(ctx, gen.InsertLocalAccountParams{PlayerID: id.PlayerID, EmailKey: emailKey, PasswordHash: passwordHash})
		if store.IsDuplicate(err) {
			return conflictOf(takenFields(gen.AccountTakenRow{EmailTaken: 1}))
		}
		if err != nil {
			return err
		}
		return errors.Join(takeFreeName(ctx, tx, id.PlayerID, nameKey),
			tx.LogSecurity(ctx, securitylog.Of(securitylog.AccountCreated, id.PlayerID, tx.Clock().Now())))
	})
}

// refusalsLogged is how many refused passwords a minute are logged, of all players: somebody who tries them by the thousand must not
// fill the log.
const refusalsLogged = 100

// LogRefusedPassword logs that a password was refused; playerID is "" for an unknown address. See local.Store.
func (db Store) LogRefusedPassword(ctx context.Context, playerID string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		e := securitylog.Entry{Event: securitylog.PasswordRefused, Subject: playerID, Refusal: "password"}
		return tx.LogSecurityAtMost(ctx, e, refusalsLogged, false)
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
func (db Store) AccountByEmail(ctx context.Context, emailKey string) (id account.Identity, passwordHash string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.LocalAccountByEmail(ctx, emailKey)
		if err != nil {
			return store.NotFound(err, "There is no such account.")
		}
		id, passwordHash = account.Identity{
			PlayerID: r.PlayerID, DisplayName: r.DisplayName, Email: r.Email, EmailConfirmed: !r.EmailConfirmedAt.IsZero(),
		}, r.PasswordHash
		return nil
	})
	return id, passwordHash, err
}

// Player returns a player's identity; fault.NotFound for an unknown id.
func (db Store) Player(ctx context.Context, playerID string) (id account.Identity, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.Player(ctx, playerID)
		if err != nil {
			return store.NotFound(err, "There is no such player.")
		}
		id = account.Identity{PlayerID: r.ID, DisplayName: r.DisplayName, Email: r.Email, EmailConfirmed: !r.EmailConfirmedAt.IsZero()}
		return nil
	})
	return id, err
}

// Currencies returns the player's balances by currency code.
func (db Store) Currencies(ctx context.Context, playerID string) (map[string]int64, error) {
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

// ChangeCurrency adds a positive or negative amount to a balance of the built-in platform; see local.Store.
func (db Store) ChangeCurrency(ctx context.Context, playerID, code string, amount int64) (balance int64, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if amount < 0 {
			n, err := tx.DebitCurrency(ctx, gen.DebitCurrencyParams{PlayerID: playerID, Code: code, Taken: -amount})
			if err != nil {
				return err
			}
			if n == 0 {
				return purse.ErrInsufficient
			}
		} else if err := tx.CreditCurrency(ctx, gen.CreditCurrencyParams{PlayerID: playerID, Code: code, Amount: amount}); err != nil {
			return err
		}
		balance, err = tx.CurrencyBalance(ctx, gen.CurrencyBalanceParams{PlayerID: playerID, Code: code})
		return err
	})
	return balance, err
}

// OpenSession records the player and the session; see account.Sessions.
func (db Store) OpenSession(
	ctx context.Context, id account.Identity, s account.Session, secretHash string, proven time.Time,
) (ended []string, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
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
		if err := takeName(ctx, tx, player.ID, account.NameKey(player.DisplayName)); err != nil {
			return err
		}
		if err := keepArrival(ctx, tx, s); err != nil {
			return err
		}
		fresh, err := keepBrowser(ctx, tx, s)
		if err != nil {
			return err
		}
		if ended, err = tx.RevokeOldSessions(ctx, gen.RevokeOldSessionsParams{
			Now: column.At(s.CreatedAt), PlayerID: s.PlayerID, Kept: account.MaxSessions - 1,
		}); err != nil {
			return err
		}
		if err := announceEnded(ctx, tx, ended...); err != nil {
			return err
		}
		entry := securitylog.Of(securitylog.SessionOpened, s.PlayerID, s.CreatedAt)
		entry.Session, entry.Detail = s.ID, s.Browser
		if fresh {
			entry.Detail += ", for the first time"
		}
		if s.External {
			entry.Detail += ", by another site"
		}
		if len(ended) > 0 {
			entry.Detail += fmt.Sprintf("; ended %d older sessions", len(ended))
		}
		return errors.Join(tx.InsertSession(ctx, gen.InsertSessionParams{
			ID: s.ID, PlayerID: s.PlayerID, SecretHash: secretHash, CreatedAt: column.At(s.CreatedAt), ExpiresAt: column.At(s.ExpiresAt),
			UsedAt: column.At(s.UsedAt), Browser: s.Browser, External: column.Flag(s.External),
		}), tx.LogSecurity(ctx, entry))
	})
	return ended, err
}

// Session returns a session; see account.Sessions.
func (db Store) Session(ctx context.Context, id string) (account.Session, error) {
	return db.session(ctx, func(q *gen.Queries) (gen.SessionRow, error) { return q.Session(ctx, id) })
}

// SessionBySecret returns a session; see account.Sessions.
func (db Store) SessionBySecret(ctx context.Context, secretHash string) (account.Session, error) {
	return db.session(ctx, func(q *gen.Queries) (gen.SessionRow, error) {
		r, err := q.SessionBySecret(ctx, secretHash)
		return gen.SessionRow(r), err
	})
}

func (db Store) session(ctx context.Context, get func(*gen.Queries) (gen.SessionRow, error)) (s account.Session, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := get(q)
		if err != nil {
			return store.NotFound(err, "There is no such session.")
		}
		s = sessionOf(r.Session)
		s.Frozen = store.FreezeOf(r.FrozenAt, r.FrozenReason)
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
func (db Store) RevokeSession(ctx context.Context, id string, at time.Time) (revoked bool, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.Queries.RevokeSession(ctx, gen.RevokeSessionParams{RevokedAt: column.At(at), ID: id})
		revoked = n == 1
		if err != nil || !revoked {
			return err
		}
		s, err := tx.Queries.Session(ctx, id)
		if err != nil {
			return err
		}
		return errors.Join(announceEnded(ctx, tx, id), tx.LogSecurity(ctx, securitylog.Entry{
			At: at, Event: securitylog.SessionEnded, Subject: s.Session.PlayerID, Detail: "session " + id,
		}))
	})
	return revoked, err
}
