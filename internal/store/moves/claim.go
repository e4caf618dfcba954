package moves

import (
	"context"
	"errors"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/move"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
)

// ForeignOwners returns owners that are no smart wallets of players; see move.Store.
func (db Store) ForeignOwners(ctx context.Context, chain onchain.ChainID, after eth.Address, limit int) (out []eth.Address, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out, err = q.ForeignOwners(ctx, gen.ForeignOwnersParams{FromChain: chain, After: after.String(), Batch: int64(limit)})
		return err
	})
	return out, err
}

// MarkContracts notes of owners that they are contracts; see move.Store.
func (db Store) MarkContracts(ctx context.Context, chain onchain.ChainID, owners []eth.Address) error {
	if len(owners) == 0 {
		return nil
	}
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var errs []error
		for _, o := range owners {
			errs = append(errs, tx.MarkForeignContract(ctx, gen.MarkForeignContractParams{FromChain: chain, Owner: o}))
		}
		return errors.Join(errs...)
	})
}

// WalletsOf returns the wallets of a player; see move.Store.
func (db Store) WalletsOf(ctx context.Context, playerID string) (out []move.Wallet, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		of, err := store.WalletsOf(ctx, q, playerID)
		if err != nil {
			return err
		}
		if !of.Smart.IsZero() {
			out = append(out, move.Wallet{Address: of.Smart})
		}
		if of.Verified.IsZero() {
			return nil
		}
		proof, err := q.VerifiedWalletSince(ctx, playerID)
		out = append(out, move.Wallet{Address: of.Verified, Since: proof.VerifiedAt.Time, Chain: proof.ChainID})
		return err
	})
	return out, err
}

// HeldBy returns holdings of a wallet; see move.Store.
func (db Store) HeldBy(ctx context.Context, m move.Move, owner eth.Address, limit int) (out []move.Held, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		contracts, err := contractsOf(ctx, q, m.From)
		if err != nil {
			return err
		}
		rows, err := q.MoveHoldingsOfOwner(ctx, gen.MoveHoldingsOfOwnerParams{FromChain: m.From, Owner: owner, Batch: int64(limit)})
		for _, r := range rows {
			out = append(out, move.Held{
				Holding: holdingOf(r.MoveHolding), Foreign: bool(r.MoveHolding.ForeignContract), To: contracts[r.MoveHolding.Contract],
				State: reward.State(r.RewardState),
			})
		}
		return err
	})
	return out, err
}

// Claim records rewards for holdings; see move.Store.
func (db Store) Claim(ctx context.Context, m move.Move, w move.Wallet, playerID string, limit int) (claimed int, err error) {
	write := db.Write
	if playerID != "" {
		write = func(ctx context.Context, fn func(context.Context, *store.Tx) error) error {
			return db.WriteLocked(ctx, playerID, fn)
		}
	}
	err = write(ctx, func(ctx context.Context, tx *store.Tx) error {
		claimed = 0
		contracts, err := contractsOf(ctx, tx.Queries, m.From)
		if err != nil {
			return err
		}
		now := db.Clock().Now()
		for after := int64(0); claimed < limit; {
			rows, err := tx.UnclaimedHoldings(ctx, gen.UnclaimedHoldingsParams{
				FromChain: m.From, Owner: w.Address, After: after, Batch: int64(limit - claimed),
			})
			if err != nil || len(rows) == 0 {
				return err
			}
			for _, r := range rows {
				after = r.Position
				if !w.May(m, bool(r.ForeignContract)) {
					continue
				}
				if err := claimHolding(ctx, tx, m, holdingOf(r), contracts[r.Contract], playerID, now); err != nil {
					return err
				}
				claimed++
			}
		}
		return nil
	})
	return claimed, err
}

func claimHolding(ctx context.Context, tx *store.Tx, m move.Move, h move.Holding, to move.Contract, playerID string, at time.Time) error {
	n, err := tx.ClaimHolding(ctx, gen.ClaimHoldingParams{ClaimedAt: column.At(at), FromChain: m.From, Position: h.Position})
	if err != nil {
		return err
	}
	if n == 0 {
		return fault.New(fault.Conflict, "This is being claimed already.") // by another transaction
	}
	_, err = rewards.AddReward(ctx, tx, h.Reward(m, to, playerID), at)
	return err
}

// contractsOf returns the contracts that move, by their addresses on the old chain.
func contractsOf(ctx context.Context, q *gen.Queries, chain onchain.ChainID) (map[eth.Address]move.Contract, error) {
	rows, err := q.MoveContracts(ctx, chain)
	out := map[eth.Address]move.Contract{}
	for _, r := range rows {
		c := move.Contract{Token: move.Token{Contract: r.Contract, Standard: r.Standard, Collection: r.Collection}}
		if r.ToContract != "" {
			if err := c.To.Scan(r.ToContract); err != nil {
				return nil, err
			}
		}
		out[r.Contract] = c
	}
	return out, err
}

// Claimed returns how many holdings of a chain are claimed.
func (db Store) Claimed(ctx context.Context, chain onchain.ChainID) (n int64, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		n, err = q.CountClaimed(ctx, chain)
		return err
	})
	return n, err
}

// ClaimedOf returns claimed holdings; see move.Store.
func (db Store) ClaimedOf(ctx context.Context, chain onchain.ChainID, after int64, limit int) (out []move.Claimed, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.ClaimedHoldings(ctx, gen.ClaimedHoldingsParams{FromChain: chain, After: after, Batch: int64(limit)})
		for _, r := range rows {
			out = append(out, move.Claimed{Holding: holdingOf(r.MoveHolding), Given: r.Given == 1})
		}
		return err
	})
	return out, err
}

// SetCap keeps how many of a contract's tokens can ever be minted; see move.Store.
func (db Store) SetCap(ctx context.Context, chain onchain.ChainID, contract eth.Address, limit money.Units) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.SetMoveCap(ctx, gen.SetMoveCapParams{Cap: limit.String(), FromChain: chain, Contract: contract})
	})
}

// HasUnclaimed reports whether a wallet has holdings that were not claimed; see move.Store.
func (db Store) HasUnclaimed(ctx context.Context, chain onchain.ChainID, owner eth.Address) (has bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		n, err := q.HasUnclaimed(ctx, gen.HasUnclaimedParams{FromChain: chain, Owner: owner})
		has = n > 0
		return err
	})
	return has, err
}

// Give claims all that a wallet held for a player who has proven in another way to own it, in a transaction, and returns how many holdings
// that were. It returns fault.NotFound if there are none.
func Give(ctx context.Context, tx *store.Tx, m move.Move, owner eth.Address, playerID string, at time.Time) (given int, err error) {
	contracts, err := contractsOf(ctx, tx.Queries, m.From)
	if err != nil {
		return 0, err
	}
	for after := int64(0); ; {
		rows, err := tx.UnclaimedHoldings(ctx, gen.UnclaimedHoldingsParams{FromChain: m.From, Owner: owner, After: after, Batch: pageSize})
		if err != nil {
			return given, err
		}
		for _, r := range rows {
			after = r.Position
			if err := claimHolding(ctx, tx, m, holdingOf(r), contracts[r.Contract], playerID, at); err != nil {
				return given, err
			}
			given++
		}
		if len(rows) < pageSize {
			break
		}
	}
	if given == 0 {
		return 0, fault.New(fault.NotFound, "%s held nothing on chain %d that was not claimed.", owner.Checksum(), m.From)
	}
	return given, nil
}
