package withdrawals

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	shopstore "pantheon/internal/store/webstore"
)

// WithdrawalPlayer returns a player's wallets; see withdrawal.Store.
func (db Store) WithdrawalPlayer(ctx context.Context, playerID string) (p withdrawal.Player, err error) {
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

// WithdrawalHoldings returns what a wallet holds of the tokens; see withdrawal.Store.
func (db Store) WithdrawalHoldings(ctx context.Context, owner eth.Address,
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

// WithdrawalListings returns a seller's active listings; see withdrawal.Store.
func (db Store) WithdrawalListings(ctx context.Context, chain onchain.ChainID, seller eth.Address,
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

// CreateWithdrawal stores an unconfirmed request; see withdrawal.Store.
func (db Store) CreateWithdrawal(ctx context.Context, r withdrawal.Request, maxOpen int) error {
	return db.WriteLocked(ctx, r.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.CountOpenWithdrawals(ctx, gen.CountOpenWithdrawalsParams{PlayerID: r.PlayerID, Now: column.At(r.CreatedAt)})
		if err != nil {
			return err
		}
		if n >= int64(maxOpen) {
			return withdrawal.ErrTooManyOpen
		}
		if err := tx.InsertWithdrawal(ctx, gen.InsertWithdrawalParams{
			ID: r.ID, PlayerID: r.PlayerID, Sender: r.From, Recipient: r.To, Own: column.Flag(r.Own),
			CreatedAt: column.At(r.CreatedAt), ExpiresAt: column.At(r.ExpiresAt),
		}); err != nil {
			return err
		}
		for i, part := range r.Parts {
			assets, err := json.Marshal(part.Assets)
			if err != nil {
				return err
			}
			if err := tx.InsertWithdrawalPart(ctx, gen.InsertWithdrawalPartParams{
				ID: part.ID, WithdrawalID: r.ID, Number: int64(i), ChainID: part.Chain, Assets: string(assets),
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// ConfirmWithdrawal confirms a request; see withdrawal.Store.
func (db Store) ConfirmWithdrawal(
	ctx context.Context, playerID, requestID string, readyAt, expiresAt time.Time, cancelHash string, message *email.Message,
) error {
	return db.WriteLocked(ctx, playerID, func(ctx context.Context, tx *store.Tx) error {
		now := tx.Clock().Now()
		n, err := tx.Queries.ConfirmWithdrawal(ctx, gen.ConfirmWithdrawalParams{
			ReadyAt: column.At(readyAt), ExpiresAt: column.At(expiresAt), CancelHash: cancelHash, Told: column.Flag(!readyAt.After(now)),
			ID: requestID, PlayerID: playerID, Now: column.At(now),
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return withdrawal.ErrOver
		}
		return errors.Join(tx.PostIf(ctx, message), announceWithdrawal(ctx, tx, playerID, requestID))
	})
}

// announceWithdrawal tells the player's browsers that a request has changed.
func announceWithdrawal(ctx context.Context, tx *store.Tx, playerID, requestID string) error {
	a, err := announce.ToPlayer(playerID, withdrawal.Update(requestID))
	if err != nil {
		return err
	}
	return tx.Announce(ctx, a)
}

// CancelWithdrawal cancels a player's request; see withdrawal.Store.
func (db Store) CancelWithdrawal(ctx context.Context, playerID, requestID, reason string) error {
	return db.WriteLocked(ctx, playerID, func(ctx context.Context, tx *store.Tx) error {
		row, err := tx.WithdrawalByID(ctx, requestID)
		if errors.Is(err, sql.ErrNoRows) || err == nil && row.PlayerID != playerID {
			return withdrawal.ErrNotFound
		}
		if err != nil {
			return err
		}
		return cancelWithdrawal(ctx, tx, row, reason)
	})
}

func cancelWithdrawal(ctx context.Context, tx *store.Tx, row gen.Withdrawal, reason string) error {
	n, err := tx.Queries.CancelWithdrawal(ctx, gen.CancelWithdrawalParams{Reason: reason, ID: row.ID, Now: column.At(tx.Clock().Now())})
	if err != nil {
		return err
	}
	if n == 0 {
		if row.State == withdrawal.Confirmed && row.ExpiresAt.After(tx.Clock().Now()) {
			return withdrawal.ErrSending
		}
		return withdrawal.ErrOver
	}
	return announceWithdrawal(ctx, tx, row.PlayerID, row.ID)
}

// CancelWithdrawalByToken cancels the request that an emailed link names; see withdrawal.Store.
func (db Store) CancelWithdrawalByToken(ctx context.Context, tokenHash, reason string) (r withdrawal.Request, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		row, err := tx.WithdrawalByCancelHash(ctx, tokenHash)
		if errors.Is(err, sql.ErrNoRows) {
			return withdrawal.ErrCancelLink
		}
		if err != nil {
			return err
		}
		if _, err := tx.LockHolds(ctx, row.PlayerID); err != nil {
			return err
		}
		if err := cancelWithdrawal(ctx, tx, row, reason); err != nil {
			return err
		}
		if row, err = tx.WithdrawalByID(ctx, row.ID); err != nil {
			return err
		}
		r, err = withdrawalOf(ctx, tx.Queries, row)
		return err
	})
	return r, err
}

// PasswordChanged notes when a player's password was changed, and cancels the player's requests.
func PasswordChanged(ctx context.Context, tx *store.Tx, playerID string, at time.Time) error {
	if err := tx.NotePasswordChanged(ctx, gen.NotePasswordChangedParams{PasswordAt: column.At(at), ID: playerID}); err != nil {
		return err
	}
	return CancelWithdrawals(ctx, tx, playerID, withdrawal.PasswordChangedText)
}

// CancelWithdrawals cancels the player's requests.
func CancelWithdrawals(ctx context.Context, tx *store.Tx, playerID, reason string) error {
	ids, err := tx.CancelWithdrawalsOf(ctx, gen.CancelWithdrawalsOfParams{Reason: reason, PlayerID: playerID})
	for _, id := range ids {
		err = errors.Join(err, announceWithdrawal(ctx, tx, playerID, id))
	}
	return err
}

// Withdrawal returns one of a player's requests; see withdrawal.Store.
func (db Store) Withdrawal(ctx context.Context, playerID, requestID string) (r withdrawal.Request, err error) {
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

// Withdrawals returns a page of a player's requests; see withdrawal.Store.
func (db Store) Withdrawals(ctx context.Context, playerID string, p withdrawal.Page) ([]withdrawal.Request, error) {
	return db.withdrawals(ctx, func(q *gen.Queries) ([]gen.Withdrawal, error) {
		return q.WithdrawalsOf(ctx, gen.WithdrawalsOfParams{PlayerID: playerID, Before: p.Before, Batch: int64(p.Limit)})
	})
}

// OpenWithdrawals returns a player's confirmed requests; see withdrawal.Store.
func (db Store) OpenWithdrawals(ctx context.Context, playerID string) ([]withdrawal.Request, error) {
	return db.withdrawals(ctx, func(q *gen.Queries) ([]gen.Withdrawal, error) { return q.ConfirmedWithdrawals(ctx, playerID) })
}

// ReadyWithdrawals returns ready requests whose player has not been notified; see withdrawal.Store.
func (db Store) ReadyWithdrawals(ctx context.Context, now time.Time, limit int) ([]withdrawal.Request, error) {
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
		CreatedAt: row.CreatedAt.Time, ReadyAt: row.ReadyAt.Time, ExpiresAt: row.ExpiresAt.Time,
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
		TxHash: store.HashOrNil(row.TxHash), Error: row.Error,
	}
	return p, json.Unmarshal([]byte(row.Assets), &p.Assets)
}

// UsedWithdrawals returns what a player has withdrawn since a time; see withdrawal.Store.
func (db Store) UsedWithdrawals(ctx context.Context, playerID, exceptPart string, since time.Time) (used withdrawal.Used, err error) {
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

// BindWithdrawal binds a part to an operation; see withdrawal.Store.
func (db Store) BindWithdrawal(
	ctx context.Context, b withdrawal.Binding, since time.Time, allow func(withdrawal.Request, withdrawal.Part, withdrawal.Used) error,
) error {
	return db.WriteLocked(ctx, b.PlayerID, func(ctx context.Context, tx *store.Tx) error {
		row, err := tx.WithdrawalPart(ctx, b.PartID)
		if errors.Is(err, sql.ErrNoRows) || err == nil && row.Withdrawal.PlayerID != b.PlayerID {
			return withdrawal.ErrNotFound
		}
		if err != nil {
			return err
		}
		r, err := withdrawalOf(ctx, tx.Queries, row.Withdrawal)
		if err != nil {
			return err
		}
		part, err := partOf(row.WithdrawalPart)
		if err != nil {
			return err
		}
		used, err := usedWithdrawals(ctx, tx.Queries, b.PlayerID, b.PartID, since)
		if err != nil {
			return err
		}
		if err := allow(r, part, used); err != nil {
			return err
		}
		n, err := tx.BindWithdrawalPart(ctx, gen.BindWithdrawalPartParams{
			Operation: b.Operation, Nonce: b.Nonce.String(), BoundAt: column.At(b.At), ID: b.PartID, Sender: b.Sender,
		})
		if err == nil && n == 0 {
			err = withdrawal.ErrSending
		}
		if err != nil {
			return err
		}
		return tx.PostIf(ctx, b.Message)
	})
}

// AcceptWithdrawal marks the part that is bound to the operation as being sent, in the transaction that accepts the
// operation: a request cannot be both cancelled and sent. It refuses transfers that belong to no part and pay for no debt.
func AcceptWithdrawal(ctx context.Context, tx *store.Tx, op gas.Operation) error {
	calls, err := gas.DecodeCalls(op.Operation.CallData)
	if err != nil {
		return err
	}
	if !gas.EffectsOf(calls).Sends {
		return nil
	}
	if pays, err := shopstore.AcceptDebtPayment(ctx, tx, op, calls); pays || err != nil {
		return err
	}
	row, err := tx.PartByOperation(ctx, op.Hash)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.Withdrawal.PlayerID != op.Player {
		return withdrawal.ErrReplaced
	}
	if err != nil {
		return err
	}
	if row.Withdrawal.State != withdrawal.Confirmed || !row.Withdrawal.ExpiresAt.After(op.CreatedAt) {
		return withdrawal.ErrOver
	}
	if row.WithdrawalPart.State != withdrawal.Open {
		return withdrawal.ErrSending
	}
	return errors.Join(
		tx.SetPartState(ctx, gen.SetPartStateParams{State: withdrawal.Sending, ID: row.WithdrawalPart.ID}),
		announceWithdrawal(ctx, tx, op.Player, row.Withdrawal.ID),
	)
}

// ReleaseWithdrawal opens the part of a dropped operation; see withdrawal.Store.
func (db Store) ReleaseWithdrawal(ctx context.Context, op eth.Hash) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		id, err := tx.ReleaseWithdrawalPart(ctx, op)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		row, err := tx.WithdrawalByID(ctx, id)
		if err != nil {
			return err
		}
		return announceWithdrawal(ctx, tx, row.PlayerID, id)
	})
}

// SettleWithdrawals ends the parts whose operations are in the batch, with the outcome on the chain.
func SettleWithdrawals(ctx context.Context, tx *store.Tx, b onchain.Batch) error {
	for _, op := range b.Ops {
		row, err := tx.PartByOperation(ctx, op.Hash)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		p := gen.SetPartStateParams{State: withdrawal.Sent, TxHash: op.Tx, SettledBlock: int64(op.Block), ID: row.WithdrawalPart.ID}
		if !op.Success {
			p.State, p.Error = withdrawal.Failed, withdrawal.RefusedText
		}
		if err := tx.SetPartState(ctx, p); err != nil {
			return err
		}
		if _, err := tx.FinishWithdrawal(ctx, row.Withdrawal.ID); err != nil {
			return err
		}
		if err := announceWithdrawal(ctx, tx, row.Withdrawal.PlayerID, row.Withdrawal.ID); err != nil {
			return err
		}
	}
	return nil
}

// UnsettleWithdrawals reverts the outcomes of parts that come from blocks above the ancestor.
func UnsettleWithdrawals(ctx context.Context, tx *store.Tx, chain onchain.ChainID, ancestor int64) error {
	rows, err := tx.PartsSettledAfter(ctx, gen.PartsSettledAfterParams{ChainID: chain, SettledBlock: ancestor})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := errors.Join(
			tx.SetPartState(ctx, gen.SetPartStateParams{State: withdrawal.Sending, ID: r.ID}),
			tx.ReopenWithdrawal(ctx, r.WithdrawalID),
		); err != nil {
			return err
		}
	}
	return nil
}

// ExpireWithdrawals ends the requests whose time has passed; see withdrawal.Store.
func (db Store) ExpireWithdrawals(ctx context.Context, now time.Time) error {
	var ids []string
	err := db.Read(ctx, func(q *gen.Queries) (err error) {
		ids, err = q.ExpiredWithdrawals(ctx, column.At(now))
		return err
	})
	if len(ids) == 0 || err != nil {
		return err
	}
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, id := range ids {
			n, err := tx.ExpireWithdrawal(ctx, gen.ExpireWithdrawalParams{ID: id, Now: column.At(now)})
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			row, err := tx.WithdrawalByID(ctx, id)
			if err != nil {
				return err
			}
			if err := announceWithdrawal(ctx, tx, row.PlayerID, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// TellWithdrawalReady records that a player was told; see withdrawal.Store.
func (db Store) TellWithdrawalReady(ctx context.Context, requestID string, message *email.Message) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.TellWithdrawal(ctx, requestID)
		if n == 0 || err != nil {
			return err
		}
		row, err := tx.WithdrawalByID(ctx, requestID)
		if err != nil {
			return err
		}
		return errors.Join(tx.PostIf(ctx, message), announceWithdrawal(ctx, tx, row.PlayerID, requestID))
	})
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
		return tx.Queries.SaveAddress(ctx, gen.SaveAddressParams{
			PlayerID: playerID, Address: s.Address, Label: s.Label, SavedAt: column.At(tx.Clock().Now()),
		})
	})
}

// ForgetAddress removes an address from a player's address book; see withdrawal.Addresses.
func (db Store) ForgetAddress(ctx context.Context, playerID string, a eth.Address) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Queries.ForgetAddress(ctx, gen.ForgetAddressParams{PlayerID: playerID, Address: a})
	})
}

// Balances returns what a player has of ERC-20 tokens; see withdrawal.Statement.
func (db Store) Balances(ctx context.Context, playerID string, wallet eth.Address, tokens []withdrawal.Token,
	now time.Time) (out []withdrawal.Balance, err error) {
	held, err := db.WithdrawalHoldings(ctx, wallet, tokens)
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
