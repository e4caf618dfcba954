package withdrawals

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Player returns a player's wallets; see withdrawal.Store.
func (db Store) Player(ctx context.Context, playerID string) (p withdrawal.Player, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		r, err := q.WithdrawalPlayer(ctx, playerID)
		if errors.Is(err, sql.ErrNoRows) {
			return wallet.ErrNotReady
		}
		if err != nil {
			return err
		}
		p = withdrawal.Player{Owner: r.OwnerAddress, Smart: r.SmartAddress, PasswordAt: r.PasswordAt.Time}
		if r.Verified == "" {
			return nil
		}
		p.Verified, p.VerifiedAt = new(eth.Address), column.Of(r.VerifiedAt)
		return p.Verified.Scan(r.Verified)
	})
	return p, err
}

// Holdings returns what a wallet holds of the tokens; see withdrawal.Store.
func (db Store) Holdings(ctx context.Context, owner eth.Address,
	tokens []withdrawal.Token) (out []withdrawal.Holding, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out = nil
		rows, err := q.HoldingsOfOwner(ctx, owner)
		if err != nil {
			return err
		}
		for _, r := range rows {
			h := withdrawal.Holding{Chain: r.ChainID, Asset: withdrawal.Asset{
				Standard: r.Standard, Contract: r.Contract, TokenID: r.TokenID, Amount: r.Amount,
			}}
			if slices.ContainsFunc(tokens, func(t withdrawal.Token) bool { return t.Chain == h.Chain && t.Contract == h.Contract }) {
				out = append(out, h)
			}
		}
		return nil
	})
	return out, err
}

// Listings returns a seller's active listings; see withdrawal.Store.
func (db Store) Listings(ctx context.Context, chain onchain.ChainID, seller eth.Address,
	at time.Time) (out []withdrawal.Listing, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out = nil
		rows, err := q.ActiveListingsOfSeller(ctx, gen.ActiveListingsOfSellerParams{Seller: seller, ChainID: chain, Now: column.At(at)})
		for _, r := range rows {
			out = append(out, withdrawal.Listing{
				Number: r.ListingID, Contract: r.Contract, TokenID: r.TokenID, Quantity: money.FromInt(r.Listed),
			})
		}
		return err
	})
	return out, err
}

// KnownAddresses returns the addresses a player has used or saved; see withdrawal.Store.
func (db Store) KnownAddresses(ctx context.Context, playerID string) (out []eth.Address, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out, err = q.KnownAddresses(ctx, playerID)
		return err
	})
	return out, err
}

// PasswordChanged notes when a player's password was changed, and cancels the player's requests.
func PasswordChanged(ctx context.Context, tx *store.Tx, playerID string, at time.Time) error {
	if err := tx.NotePasswordChanged(ctx, gen.NotePasswordChangedParams{PasswordAt: column.At(at), ID: playerID}); err != nil {
		return err
	}
	return CancelAll(ctx, tx, playerID, withdrawal.PasswordChangedText)
}

// Request returns one of a player's requests; see withdrawal.Store.
func (db Store) Request(ctx context.Context, playerID, requestID string) (r withdrawal.Request, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.WithdrawalByID(ctx, requestID)
		if errors.Is(err, sql.ErrNoRows) || err == nil && row.PlayerID != playerID {
			return withdrawal.ErrNotFound
		}
		if err != nil {
			return err
		}
		r, err = withdrawalOf(ctx, q, row)
		return err
	})
	return r, err
}

// Requests returns a page of a player's requests; see withdrawal.Store.
func (db Store) Requests(ctx context.Context, playerID string, p withdrawal.Page) ([]withdrawal.Request, error) {
	return db.withdrawals(ctx, func(q *gen.Queries) ([]gen.Withdrawal, error) {
		return q.WithdrawalsOf(ctx, gen.WithdrawalsOfParams{PlayerID: playerID, Before: p.Before, Batch: int64(p.Limit)})
	})
}

// Confirmed returns a player's confirmed requests; see withdrawal.Store.
func (db Store) Confirmed(ctx context.Context, playerID string) ([]withdrawal.Request, error) {
	return db.withdrawals(ctx, func(q *gen.Queries) ([]gen.Withdrawal, error) { return q.ConfirmedWithdrawals(ctx, playerID) })
}

// Expired returns the ids of requests whose time has passed; see withdrawal.Store.
func (db Store) Expired(ctx context.Context, now time.Time) (ids []string, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		ids, err = q.ExpiredWithdrawals(ctx, column.At(now))
		return err
	})
	return ids, err
}

// Ready returns ready requests whose player has not been notified; see withdrawal.Store.
func (db Store) Ready(ctx context.Context, now time.Time, limit int) ([]withdrawal.Request, error) {
	return db.withdrawals(ctx, func(q *gen.Queries) ([]gen.Withdrawal, error) {
		return q.ReadyWithdrawals(ctx, gen.ReadyWithdrawalsParams{Now: column.At(now), Batch: int64(limit)})
	})
}

func (db Store) withdrawals(ctx context.Context, query func(*gen.Queries) ([]gen.Withdrawal, error)) (out []withdrawal.Request, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out = nil
		rows, err := query(q)
		for _, row := range rows {
			r, err := withdrawalOf(ctx, q, row)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return err
	})
	return out, err
}

func withdrawalOf(ctx context.Context, q *gen.Queries, row gen.Withdrawal) (withdrawal.Request, error) {
	r := withdrawal.Request{
		ID: row.ID, PlayerID: row.PlayerID, From: row.Sender, To: row.Recipient, Own: bool(row.Own), State: row.State, Reason: row.Reason,
		CreatedAt: row.CreatedAt.Time, ReadyAt: row.ReadyAt.Time, ExpiresAt: row.ExpiresAt.Time, CancelHash: row.CancelHash,
		Told: bool(row.Told),
	}
	parts, err := q.WithdrawalParts(ctx, row.ID)
	if err != nil {
		return r, err
	}
	for _, p := range parts {
		part, err := partOf(p)
		if err != nil {
			return r, err
		}
		r.Parts = append(r.Parts, part)
	}
	return r, nil
}

func partOf(row gen.WithdrawalPart) (p withdrawal.Part, err error) {
	p = withdrawal.Part{
		ID: row.ID, Chain: row.ChainID, State: row.State, Operation: store.HashOrNil(row.Operation),
		Nonce: row.Nonce, BoundAt: row.BoundAt.Time, TxHash: store.HashOrNil(row.TxHash), Error: row.Error,
		SettledBlock: uint64(row.SettledBlock),
	}
	return p, json.Unmarshal([]byte(row.Assets), &p.Assets)
}

// Used returns what a player has withdrawn since a time; see withdrawal.Store.
func (db Store) Used(ctx context.Context, playerID, exceptPart string, since time.Time) (used withdrawal.Used, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		used, err = usedWithdrawals(ctx, q, playerID, exceptPart, since)
		return err
	})
	return used, err
}

func usedWithdrawals(ctx context.Context, q *gen.Queries, playerID, exceptPart string, since time.Time) (withdrawal.Used, error) {
	used := withdrawal.Used{Tokens: map[eth.Address]money.Units{}}
	rows, err := q.BoundParts(ctx, gen.BoundPartsParams{PlayerID: playerID, ExceptPart: exceptPart, Since: column.At(since)})
	if err != nil {
		return used, err
	}
	for _, row := range rows {
		var assets []withdrawal.Asset
		if err := json.Unmarshal([]byte(row), &assets); err != nil {
			return used, err
		}
		for _, a := range assets {
			if err := used.Add(a); err != nil {
				return used, err
			}
		}
	}
	return used, nil
}

// SavedAddresses returns a player's address book; see withdrawal.Addresses.
func (db Store) SavedAddresses(ctx context.Context, playerID string) (out []withdrawal.SavedAddress, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out = nil
		rows, err := q.SavedAddresses(ctx, playerID)
		for _, r := range rows {
			out = append(out, withdrawal.SavedAddress{Address: r.Address, Label: r.Label})
		}
		return err
	})
	return out, err
}

// SaveAddress adds an address to a player's address book or renames it; see withdrawal.Addresses.
func (db Store) SaveAddress(ctx context.Context, playerID string, s withdrawal.SavedAddress, maxSaved int) error {
	return db.WriteLocked(ctx, playerID, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.CountSavedAddresses(ctx, gen.CountSavedAddressesParams{PlayerID: playerID, ExceptAddress: s.Address})
		if err != nil {
			return err
		}
		if n >= int64(maxSaved) {
			return withdrawal.ErrBookFull
		}
		known, err := tx.IsSavedAddress(ctx, gen.IsSavedAddressParams{PlayerID: playerID, Address: s.Address})
		if err == nil && known == 0 {
			err = tx.LogSecurity(ctx, securitylog.Entry{Event: securitylog.AddressSaved, Subject: playerID, Detail: s.Address.Checksum()})
		}
		if err != nil {
			return err
		}
		return tx.Queries.SaveAddress(ctx, gen.SaveAddressParams{
			PlayerID: playerID, Address: s.Address, Label: s.Label, SavedAt: column.At(tx.Clock().Now()),
		})
	})
}

// ForgetAddress removes an address from a player's address book; see withdrawal.Addresses.
func (db Store) ForgetAddress(ctx context.Context, playerID string, a eth.Address) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.Queries.ForgetAddress(ctx, gen.ForgetAddressParams{PlayerID: playerID, Address: a})
		if n == 0 || err != nil {
			return err
		}
		return tx.LogSecurity(ctx, securitylog.Entry{Event: securitylog.AddressForgotten, Subject: playerID, Detail: a.Checksum()})
	})
}

// Balances returns what a player has of ERC-20 tokens; see withdrawal.Statement.
func (db Store) Balances(ctx context.Context, playerID string, wallet eth.Address, tokens []withdrawal.Token,
	now time.Time) (out []withdrawal.Balance, err error) {
	held, err := db.Holdings(ctx, wallet, tokens)
	if err != nil {
		return nil, err
	}
	err = db.Read(ctx, func(q *gen.Queries) error {
		out = nil
		for _, t := range tokens {
			b := withdrawal.Balance{Token: t}
			for _, h := range held {
				if h.Chain == t.Chain && h.Contract == t.Contract {
					b.InWallet = h.Amount
				}
			}
			listed, err := q.ListedFor(ctx, gen.ListedForParams{Seller: wallet, ChainID: t.Chain, Currency: t.Contract, Now: column.At(now)})
			if err != nil {
				return err
			}
			b.Listings = len(listed)
			for _, l := range listed {
				price, err := l.Price.Mul(l.Quantity)
				if err != nil {
					continue // nobody can pay that
				}
				if sum, err := b.Asked.Add(price); err == nil {
					b.Asked = sum
				}
			}
			paying, err := q.PaidInOrders(ctx, gen.PaidInOrdersParams{PlayerID: playerID, ChainID: t.Chain, Currency: t.Contract})
			if err != nil {
				return err
			}
			for _, total := range paying {
				if b.Paying, err = b.Paying.Add(total); err != nil {
					return err
				}
			}
			out = append(out, b)
		}
		return nil
	})
	return out, err
}

// Movements returns transfers of money; see withdrawal.Statement.
func (db Store) Movements(
	ctx context.Context, chain onchain.ChainID, wallet eth.Address, tokens []withdrawal.Token, before onchain.Position, limit int,
) (out []withdrawal.Movement, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		out = nil
		rows, err := q.MoneyMovements(ctx, gen.MoneyMovementsParams{
			ChainID: chain, Wallet: wallet, BeforeBlock: int64(before.Block), BeforeLog: int64(before.LogIndex), Batch: int64(limit),
		})
		for _, r := range rows {
			out = append(out, movementOf(r, wallet, tokens))
		}
		return err
	})
	return out, err
}

func movementOf(r gen.MoneyMovementsRow, wallet eth.Address, tokens []withdrawal.Token) withdrawal.Movement {
	m := withdrawal.Movement{
		Position: onchain.Position{Block: uint64(r.BlockNumber), LogIndex: uint32(r.LogIndex), Tx: r.TxHash, Time: r.Time.Time},
		Amount:   r.Amount, In: r.ToAddress == wallet, Other: r.FromAddress,
	}
	i := slices.IndexFunc(tokens, func(t withdrawal.Token) bool { return t.Contract == r.Contract })
	if i < 0 {
		m.Token = withdrawal.Token{Contract: r.Contract, Standard: onchain.ERC20}
	} else {
		m.Token = tokens[i]
	}
	if !m.In {
		m.Other = r.ToAddress
	}
	switch {
	case m.In && r.FromAddress.IsZero():
		m.Purpose = withdrawal.Granted
	case m.In && r.Sold == 1:
		m.Purpose = withdrawal.Sale
	case m.In:
		m.Purpose = withdrawal.Received
	case r.Bought == 1:
		m.Purpose = withdrawal.Purchase
	case r.Withdrawn == 1:
		m.Purpose = withdrawal.Taken
	default:
		m.Purpose = withdrawal.Spent
	}
	return m
}
