package operators

import (
	"context"
	"database/sql"
	"errors"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// FindPlayers returns the players that match an id, an address or a name; see operator.Players.
func (o Store) FindPlayers(ctx context.Context, by, value string) (out []operator.Player, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.FindPlayers(ctx, gen.FindPlayersParams{
			Written: value, EmailKey: account.EmailKey(value), NameKey: account.NameKey(value),
		})
		for _, r := range rows {
			p := operator.Player{ID: r.ID, Name: r.DisplayName, Email: r.Email}
			if by == operator.ByAnything || by == operator.ByID && p.ID == value ||
				by == operator.ByEmail && account.EmailKey(p.Email) == account.EmailKey(value) ||
				by == operator.ByName && account.NameKey(p.Name) == account.NameKey(value) {
				out = append(out, p)
			}
		}
		return err
	})
	return out, err
}

// PlayersOfWallet returns the players with a wallet; see operator.Players.
func (o Store) PlayersOfWallet(ctx context.Context, wallet eth.Address) (out []operator.Found, err error) {
	var players []operator.Player
	err = o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.PlayersOfWallet(ctx, wallet)
		for _, r := range rows {
			players = append(players, operator.Player{ID: r.ID, Name: r.DisplayName, Email: r.Email})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return o.WithFreezes(ctx, players)
}

// WithFreezes returns players with their freezes; see operator.Players.
func (o Store) WithFreezes(ctx context.Context, players []operator.Player) ([]operator.Found, error) {
	out := make([]operator.Found, len(players))
	err := o.Read(ctx, func(q *gen.Queries) error {
		for i, p := range players {
			r, err := q.FrozenPlayer(ctx, p.ID)
			if err != nil && !errors.Is(err, sql.ErrNoRows) { // deleted meanwhile
				return err
			}
			out[i].Player = p
			if !r.FrozenAt.IsZero() {
				out[i].Frozen = &operator.Freeze{At: r.FrozenAt.Time.UTC(), Reason: r.FrozenReason}
			}
		}
		return nil
	})
	return out, err
}

// Profile returns what is known of a player; see operator.Players.
func (o Store) Profile(ctx context.Context, playerID string) (p operator.Profile, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		row, err := q.FrozenPlayer(ctx, playerID)
		if err != nil {
			return store.NotFound(err, store.NoPlayer)
		}
		if !row.FrozenAt.IsZero() {
			p.Frozen = &operator.Freeze{At: row.FrozenAt.Time, Reason: row.FrozenReason}
		}
		counts, err := q.RewardCountsOf(ctx, sql.NullString{String: playerID, Valid: true})
		for _, c := range counts {
			switch reward.State(c.State) {
			case reward.Done:
				p.Rewards.Done += c.Rewards
			case reward.Failed:
				p.Rewards.Failed += c.Rewards
			case reward.Cancelled:
				p.Rewards.Cancelled += c.Rewards
			default:
				p.Rewards.Open += c.Rewards
			}
		}
		return err
	})
	if err != nil {
		return p, err
	}
	w, err := accounts.New(o.DB).Wallet(ctx, playerID)
	if err == nil {
		p.Wallet = &operator.Wallet{Smart: w.Smart, Owner: w.Owner}
	} else if !fault.Is(err, fault.NotFound) {
		return p, err
	}
	own, err := accounts.New(o.DB).VerifiedWallet(ctx, playerID)
	if err == nil {
		p.Verified = &own.Address
	} else if !fault.Is(err, fault.NotFound) {
		return p, err
	}
	lists, err := accounts.New(o.DB).Whitelist(ctx, playerID, o.Clock().Now())
	p.Lists = make([]operator.List, len(lists))
	for i, l := range lists {
		p.Lists[i] = operator.List{Name: l.Name, Until: l.Until}
	}
	return p, err
}

// PutOnList adds a player to a list; see operator.Players.
func (o Store) PutOnList(ctx context.Context, playerID string, l operator.List, e operator.Entry) error {
	return o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.Player(ctx, playerID); err != nil {
			return store.NotFound(err, store.NoPlayer)
		}
		return tx.PutWhitelistEntry(ctx, gen.PutWhitelistEntryParams{PlayerID: playerID, List: l.Name, UntilAt: column.At(l.Until)})
	})
}

// TakeOffList removes a player from a list; see operator.Players.
func (o Store) TakeOffList(ctx context.Context, playerID, list string, e operator.Entry) (was bool, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DropWhitelistEntry(ctx, gen.DropWhitelistEntryParams{PlayerID: playerID, List: list})
		was = n > 0
		return unlessChanged(n, err)
	})
	return was, err
}

// unlessChanged returns errUnchanged if a statement has changed no row.
func unlessChanged(n int64, err error) error {
	if err == nil && n == 0 {
		return errUnchanged
	}
	return err
}

// PutScore stores a score as PutScore of the DB does.
func (o Store) PutScore(ctx context.Context, playerID, board string, score int64, e operator.Entry) error {
	return o.act(ctx, e, accounts.PutScore(playerID, board, score))
}

// FreezePlayer freezes a player; see operator.Players.
func (o Store) FreezePlayer(ctx context.Context, playerID string, e operator.Entry) (out operator.FreezeResult, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		was, err := tx.LockHolds(ctx, playerID)
		if err != nil {
			return err
		}
		out = operator.FreezeResult{Frozen: operator.Frozen{Freeze: operator.Freeze{At: e.At, Reason: e.Reason}}}
		if was != nil {
			out.Already, out.At = true, was.At
		}
		params := gen.FreezePlayerParams{At: column.At(out.At), Reason: e.Reason, PlayerID: playerID}
		if _, err := tx.Queries.FreezePlayer(ctx, params); err != nil {
			return err
		}
		if out.Already {
			return nil
		}
		sessions, holds, err := accounts.ShutOut(ctx, tx, playerID, e.At, withdrawal.FrozenByOperatorText)
		out.Sessions, out.Holds = len(sessions), holds
		return err
	})
	return out, err
}

// UnfreezePlayer lifts a player's freeze; see operator.Players.
func (o Store) UnfreezePlayer(ctx context.Context, playerID string, e operator.Entry) (was *operator.Freeze, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		f, err := tx.LockHolds(ctx, playerID)
		if err != nil {
			return err
		}
		if f == nil {
			return errUnchanged
		}
		was = &operator.Freeze{At: f.At, Reason: f.Reason}
		if _, err = tx.Queries.FreezePlayer(ctx, gen.FreezePlayerParams{PlayerID: playerID}); err != nil {
			return err
		}
		return accounts.SetWalletClosed(ctx, tx, playerID, tx.Clock().Now())
	})
	return was, err
}

// FrozenPlayers returns the players who are frozen; see operator.Players.
func (o Store) FrozenPlayers(ctx context.Context) ([]operator.Frozen, error) {
	out := []operator.Frozen{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.FrozenPlayers(ctx)
		for _, r := range rows {
			out = append(out, operator.Frozen{
				Player: operator.Player{ID: r.ID, Name: r.DisplayName, Email: r.Email},
				Freeze: operator.Freeze{At: r.FrozenAt.Time, Reason: r.FrozenReason},
			})
		}
		return err
	})
	return out, err
}
