package rewards

import (
	"context"
	"database/sql"
	"errors"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/portal/claim"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Claim runs fn in the player's turn; see claim.Store.
func (db Store) Claim(ctx context.Context, playerID string, fn func(context.Context, claim.Tx) error) error {
	return db.WriteLocked(ctx, playerID, func(ctx context.Context, tx *store.Tx) error {
		of, err := store.WalletsOf(ctx, tx.Queries, playerID)
		if err != nil {
			return err
		}
		return fn(ctx, claimTx{tx, of})
	})
}

// Vaults returns the claims of a player's gods; see claim.Store.
func (db Store) Vaults(ctx context.Context, playerID, season string, gods claim.Contract) (claim.Vaults, error) {
	out := claim.Vaults{}
	err := db.Read(ctx, func(q *gen.Queries) error {
		of, err := store.WalletsOf(ctx, q, playerID)
		if err != nil {
			return err
		}
		smart, verified := of.Both()
		rows, err := q.VaultClaims(ctx, gen.VaultClaimsParams{
			ChainID: gods.Chain, Contract: gods.Address, Season: season,
			PlayerID: sql.NullString{String: playerID, Valid: true}, Smart: smart, Verified: verified,
		})
		for _, r := range rows {
			out[r.TokenID] = claim.Claimed{ID: r.Source, State: reward.State(r.State)}
		}
		return err
	})
	return out, err
}

// Described returns those of a contract's tokens of which it is known what their contract says; see claim.Store.
func (db Store) Described(ctx context.Context, contract eth.Address, tokenIDs []string) (known map[string]bool, err error) {
	known = map[string]bool{}
	err = db.Read(ctx, func(q *gen.Queries) error {
		for _, id := range tokenIDs {
			n, err := q.DescribedByContract(ctx, gen.DescribedByContractParams{Contract: contract, TokenID: id})
			if err != nil {
				return err
			}
			known[id] = n > 0
		}
		return nil
	})
	return known, err
}

// HasAvatar reports whether a wallet has claimed its avatar; see claim.Store.
func (db Store) HasAvatar(ctx context.Context, wallet eth.Address) (has bool, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		n, err := q.SeasonAvatars(ctx, wallet)
		has = n > 0
		return err
	})
	return has, err
}

// claimTx implements claim.Tx.
type claimTx struct {
	*store.Tx
	wallets store.PlayersWallets
}

func (tx claimTx) Held(ctx context.Context, of claim.Contract, tokenID string) (rarity.Rarity, bool, error) {
	smart, verified := tx.wallets.Both()
	n, err := tx.HeldByEither(ctx, gen.HeldByEitherParams{
		ChainID: of.Chain, Contract: of.Address, TokenID: tokenID, Smart: smart, Verified: verified,
	})
	if n == 0 || err != nil {
		return "", false, err
	}
	t, err := tx.TokenByID(ctx, gen.TokenByIDParams{Contract: of.Address, TokenID: tokenID})
	if errors.Is(err, sql.ErrNoRows) {
		return "", true, nil
	}
	return rarity.Rarity(t.Rarity), true, err
}

func (tx claimTx) Described(ctx context.Context, contract eth.Address, tokenID string) (bool, error) {
	n, err := tx.DescribedByContract(ctx, gen.DescribedByContractParams{Contract: contract, TokenID: tokenID})
	return n > 0, err
}

func (tx claimTx) MarkVault(ctx context.Context, season string, god eth.Address, tokenID, source string) (bool, error) {
	n, err := tx.InsertVaultClaim(ctx, gen.InsertVaultClaimParams{
		Season: season, Contract: god, TokenID: tokenID, Source: source, ClaimedAt: column.At(tx.Clock().Now()),
	})
	return n > 0, err
}

func (tx claimTx) SmartWallet(context.Context) (eth.Address, error) { return tx.wallets.Smart, nil }

func (tx claimTx) HasAvatar(ctx context.Context, wallet eth.Address) (bool, error) {
	n, err := tx.SeasonAvatars(ctx, wallet)
	return n > 0, err
}

func (tx claimTx) TakeAvatar(ctx context.Context, wallet eth.Address, season string, ids claim.IDs) (int64, error) {
	for {
		id, err := tx.NextSeasonAvatar(ctx, gen.NextSeasonAvatarParams{FirstID: ids.First, LastID: ids.Last})
		if id > ids.Last || err != nil {
			return 0, err
		}
		n, err := tx.InsertSeasonAvatar(ctx, gen.InsertSeasonAvatarParams{
			Wallet: wallet, TokenID: id, Season: season, ClaimedAt: column.At(tx.Clock().Now()),
		})
		if n > 0 || err != nil {
			return id, err
		}
		// On PostgreSQL another transaction has taken the id and is committed.
	}
}

func (tx claimTx) AddReward(ctx context.Context, r reward.Reward) (bool, error) {
	return AddReward(ctx, tx.Tx, r, tx.Clock().Now())
}
