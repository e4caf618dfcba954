// Package moves stores the moves of chains; see package move.
package moves

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/move"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

// Store stores moves.
type Store struct{ *store.DB }

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db} }

var _ move.Store = Store{}

const noMove = "No such chain moves."

// Moves returns all moves; see move.Store.
func (db Store) Moves(ctx context.Context) (out []move.Move, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.Moves(ctx)
		for _, r := range rows {
			m, err := moveOf(r)
			if err != nil {
				return err
			}
			out = append(out, m)
		}
		return err
	})
	return out, err
}

func moveOf(r gen.ChainMove) (m move.Move, err error) {
	m = move.Move{
		From: r.FromChain, To: r.ToChain, State: move.State(r.State), FrozenAt: r.FrozenAt.Time, Waits: r.Waits, Hash: r.SnapshotHash,
		SnapshotAt: r.SnapshotAt.Time, Holdings: r.Holdings, Factory: r.Factory, Currency: r.Currency, Main: bool(r.Main),
		MovedAt: r.MovedAt.Time,
	}
	if r.BlockHash != "" {
		m.Block.Number, m.Block.Time = uint64(r.BlockNumber), r.BlockTime.Time
		err = m.Block.Hash.Scan(r.BlockHash)
	}
	return m, err
}

// Begin freezes a chain in a transaction. It returns fault.Conflict for one that is frozen.
func Begin(ctx context.Context, tx *store.Tx, m move.Move) error {
	n, err := tx.InsertMove(ctx, gen.InsertMoveParams{
		FromChain: m.From, FrozenAt: column.At(m.FrozenAt), Factory: m.Factory, Currency: m.Currency, Main: column.Flag(m.Main),
	})
	if err == nil && n == 0 {
		err = fault.New(fault.Conflict, "Chain %d is frozen already.", m.From)
	}
	return err
}

// Cancel ends a move in a transaction, of which the portal has not moved yet. It returns fault.NotFound if there is none, and
// fault.Conflict if it has.
func Cancel(ctx context.Context, tx *store.Tx, chain onchain.ChainID) error {
	if err := Check(ctx, tx, chain, move.Frozen, move.Snapshotted); err != nil {
		return err
	}
	if err := dropSnapshot(ctx, tx, chain); err != nil {
		return err
	}
	_, err := tx.DeleteMove(ctx, chain)
	return err
}

// Retake discards a snapshot in a transaction, so that another one is taken. It returns fault.NotFound for a chain that does not move, and
// fault.Conflict for one that has no snapshot or has moved.
func Retake(ctx context.Context, tx *store.Tx, chain onchain.ChainID) error {
	if err := Check(ctx, tx, chain, move.Snapshotted); err != nil {
		return err
	}
	if err := dropSnapshot(ctx, tx, chain); err != nil {
		return err
	}
	_, err := tx.RetakeSnapshot(ctx, chain)
	return err
}

// Check makes sure that a chain moves, and is in one of the states.
func Check(ctx context.Context, tx *store.Tx, chain onchain.ChainID, states ...move.State) error {
	row, err := tx.Move(ctx, chain)
	if err != nil {
		return store.NotFound(err, noMove)
	}
	if !slices.Contains(states, move.State(row.State)) {
		return fault.New(fault.Conflict, "Chain %d is %s.", chain, row.State)
	}
	return nil
}

func dropSnapshot(ctx context.Context, tx *store.Tx, chain onchain.ChainID) error {
	return errors.Join(tx.DeleteMoveHoldings(ctx, chain), tx.DeleteMoveSupplies(ctx, chain))
}

// Note keeps what the snapshot waits for; see move.Store.
func (db Store) Note(ctx context.Context, chain onchain.ChainID, waits string) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.NoteMove(ctx, gen.NoteMoveParams{Waits: waits, FromChain: chain})
	})
}

// ChooseBlock keeps the block of the snapshot; see move.Store.
func (db Store) ChooseBlock(ctx context.Context, chain onchain.ChainID, b onchain.Block) error {
	p := gen.ChooseMoveBlockParams{BlockNumber: int64(b.Number), BlockHash: b.Hash.String(), BlockTime: column.At(b.Time), FromChain: chain}
	if b.Hash == (eth.Hash{}) {
		p.BlockNumber, p.BlockHash = -1, ""
	}
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.ChooseMoveBlock(ctx, p) })
}

// Traffic returns what is on its way to a chain; see move.Store.
func (db Store) Traffic(ctx context.Context, chain onchain.ChainID) (operations, transactions int64, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		row, err := q.MoveTraffic(ctx, chain)
		operations, transactions = int64(row.Operations), int64(row.Transactions)
		return err
	})
	return operations, transactions, err
}

// UnsettledBurns returns how many burns have not been rewarded; see move.Store.
func (db Store) UnsettledBurns(ctx context.Context, chain onchain.ChainID, upTo uint64) (n int64, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		cursor, err := q.ChainCursor(ctx, chain)
		if err != nil {
			return store.NotFound(err, noMove)
		}
		n, err = q.UnsettledBurnsUpTo(ctx, gen.UnsettledBurnsUpToParams{
			ChainID: chain, FromBlock: cursor.SettledBlock, FromLog: cursor.SettledLog, FromSub: cursor.SettledSub, UpTo: int64(upTo),
		})
		return err
	})
	return n, err
}

// HoldingsOf returns holdings of a snapshot; see move.Store.
func (db Store) HoldingsOf(ctx context.Context, chain onchain.ChainID, after int64, limit int) (out []move.Holding, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.MoveHoldings(ctx, gen.MoveHoldingsParams{FromChain: chain, After: after, Batch: int64(limit)})
		for _, r := range rows {
			out = append(out, holdingOf(r))
		}
		return err
	})
	return out, err
}

func holdingOf(r gen.MoveHolding) move.Holding {
	return move.Holding{
		Position: r.Position, Contract: r.Contract, Standard: r.Standard, TokenID: r.TokenID, Owner: r.Owner, Amount: r.Amount,
		Claimed: !r.ClaimedAt.IsZero(),
	}
}

// Supplies returns the supplies of a snapshot; see move.Store.
func (db Store) Supplies(ctx context.Context, chain onchain.ChainID) (out []move.Supply, err error) {
	err = db.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.MoveSupplies(ctx, chain)
		for _, r := range rows {
			s, err := supplyOf(r)
			if err != nil {
				return err
			}
			out = append(out, s)
		}
		return err
	})
	return out, err
}

func supplyOf(r gen.MoveSupply) (s move.Supply, err error) {
	s = move.Supply{
		Token: move.Token{Contract: r.Contract, Standard: r.Standard, Collection: r.Collection}, TokenID: r.TokenID, Minted: r.Minted,
		Burned: r.Burned,
	}
	if r.Cap != "" {
		limit, err := money.Parse(r.Cap)
		if err != nil {
			return s, err
		}
		s.Cap = &limit
	}
	if r.ToContract != "" {
		err = s.To.Scan(r.ToContract)
	}
	return s, err
}

// FinishSnapshot makes a snapshot the move's; see move.Store.
func (db Store) FinishSnapshot(ctx context.Context, m move.Move, hash string, holdings int64, at time.Time) error {
	return db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.FinishSnapshot(ctx, gen.FinishSnapshotParams{
			SnapshotHash: hash, SnapshotAt: column.At(at), Holdings: holdings, FromChain: m.From, BlockHash: m.Block.Hash.String(),
		})
		return err
	})
}

// place is who holds which token.
type place struct {
	contract eth.Address
	tokenID  string
	owner    eth.Address
}

// TakeSnapshot stores who holds what; see move.Store. The index may have read further than the block: what moved later is taken back.
func (db Store) TakeSnapshot(ctx context.Context, m move.Move, tokens []move.Token) (hash string, holdings int64, err error) {
	err = db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := Check(ctx, tx, m.From, move.Frozen); err != nil {
			return err
		}
		if now, err := tx.Move(ctx, m.From); err != nil || now.BlockHash != m.Block.Hash.String() {
			return errors.Join(err, fault.New(fault.Conflict, "waits for another block"))
		}
		row, err := tx.LockChainCursor(ctx, m.From)
		if err != nil {
			return store.NotFound(err, noMove)
		}
		if row.BlockNumber < int64(m.Block.Number) {
			return fault.New(fault.Conflict, "waits for the index to read block %d", m.Block.Number)
		}
		if err := dropSnapshot(ctx, tx, m.From); err != nil {
			return err
		}
		s := snapshot{tx: tx, move: m, tokens: map[eth.Address]move.Token{}, held: map[place]*big.Int{}, supplies: map[place]*counts{}}
		for _, t := range tokens {
			s.tokens[t.Contract] = t
		}
		if err := errors.Join(s.readHoldings(ctx), s.readSupplies(ctx)); err != nil {
			return err
		}
		if err := s.undo(ctx); err != nil {
			return err
		}
		if err := s.saveSupplies(ctx); err != nil {
			return err
		}
		hash, holdings, err = s.saveHoldings(ctx)
		return err
	})
	return hash, holdings, err
}

// snapshot is one that is being taken.
type snapshot struct {
	tx       *store.Tx
	move     move.Move
	tokens   map[eth.Address]move.Token
	held     map[place]*big.Int
	supplies map[place]*counts // by contract and token
}

type counts struct{ minted, burned big.Int }

const pageSize = 1000

func (s *snapshot) readHoldings(ctx context.Context) error {
	var after gen.Holding
	for {
		rows, err := s.tx.HoldingsAfter(ctx, gen.HoldingsAfterParams{
			ChainID: s.move.From, Contract: after.Contract, TokenID: after.TokenID, Owner: after.Owner, Batch: pageSize,
		})
		if err != nil {
			return err
		}
		for _, r := range rows {
			after = r
			if _, ok := s.tokens[r.Contract]; !ok {
				continue
			}
			if !r.Missing.IsZero() {
				return fault.New(fault.Conflict, "waits for an index that begins with the contract %s: set START_BLOCK to an earlier block and run "+
					"`pantheon index rebuild`", r.Contract.Checksum())
			}
			s.held[place{r.Contract, r.TokenID, r.Owner}] = r.Amount.Big()
		}
		if len(rows) < pageSize {
			return nil
		}
	}
}

func (s *snapshot) readSupplies(ctx context.Context) error {
	for contract, t := range s.tokens {
		for after := ""; t.Standard != onchain.ERC20; {
			rows, err := s.tx.SuppliesOf(ctx, gen.SuppliesOfParams{ChainID: s.move.From, Contract: contract, After: after, Batch: pageSize})
			if err != nil {
				return err
			}
			for _, r := range rows {
				c := s.supplyOf(contract, r.TokenID)
				c.minted.Set(r.Minted.Big())
				c.burned.Set(r.Burned.Big())
				after = r.TokenID
			}
			if len(rows) < pageSize {
				break
			}
		}
	}
	return nil
}

func (s *snapshot) supplyOf(contract eth.Address, tokenID string) *counts {
	p := place{contract: contract, tokenID: tokenID}
	if s.supplies[p] == nil {
		s.supplies[p] = &counts{}
	}
	return s.supplies[p]
}

// undo takes back what moved after the block.
func (s *snapshot) undo(ctx context.Context) error {
	rows, err := s.tx.TransfersAbove(ctx, gen.TransfersAboveParams{ChainID: s.move.From, BlockNumber: int64(s.move.Block.Number)})
	if err != nil {
		return err
	}
	for _, r := range rows {
		t, ok := s.tokens[r.Contract]
		if !ok {
			continue
		}
		counted := r.TokenID
		if t.Standard == onchain.ERC721 {
			counted = ""
		}
		amount := r.Amount.Big()
		if r.FromAddress.IsZero() {
			c := s.supplyOf(r.Contract, counted)
			c.minted.Sub(&c.minted, amount)
		} else {
			s.add(place{r.Contract, r.TokenID, r.FromAddress}, amount)
		}
		if r.ToAddress.IsZero() {
			c := s.supplyOf(r.Contract, counted)
			c.burned.Sub(&c.burned, amount)
		} else {
			s.add(place{r.Contract, r.TokenID, r.ToAddress}, new(big.Int).Neg(amount))
		}
	}
	return nil
}

func (s *snapshot) add(p place, amount *big.Int) {
	if s.held[p] == nil {
		s.held[p] = new(big.Int)
	}
	s.held[p].Add(s.held[p], amount)
}

// saveSupplies stores the supplies, each of which must be what is held.
func (s *snapshot) saveSupplies(ctx context.Context) error {
	held := map[place]*big.Int{}
	for p, amount := range s.held {
		counted := place{contract: p.contract, tokenID: p.tokenID}
		if s.tokens[p.contract].Standard == onchain.ERC721 {
			counted.tokenID = ""
		}
		if held[counted] == nil {
			held[counted] = new(big.Int)
		}
		held[counted].Add(held[counted], amount)
	}
	for p, sum := range held { // a currency has no supply in the index
		if s.tokens[p.contract].Standard == onchain.ERC20 {
			s.supplyOf(p.contract, p.tokenID).minted.Set(sum)
		}
	}
	caps := map[place]string{}
	for contract := range s.tokens {
		rows, err := s.tx.CapsOf(ctx, gen.CapsOfParams{ChainID: s.move.From, Contract: contract})
		if err != nil {
			return err
		}
		for _, r := range rows {
			caps[place{contract: contract, tokenID: r.TokenID}] = r.MaxSupply.String()
		}
	}
	for p := range caps {
		s.supplyOf(p.contract, p.tokenID) // a cap counts before anything is minted
	}
	for p, c := range s.supplies {
		if c.minted.Sign() == 0 && caps[p] == "" {
			continue // all of it was minted later
		}
		there := new(big.Int).Sub(&c.minted, &c.burned)
		sum := held[p]
		if sum == nil {
			sum = new(big.Int)
		}
		if there.Cmp(sum) != 0 {
			return fault.New(fault.Conflict, "waits for an index that is right: of token %s of %s there are %s, and owners have %s; run "+
				"`pantheon index rebuild`", p.tokenID, p.contract.Checksum(), there, sum)
		}
		t := s.tokens[p.contract]
		minted, errMinted := money.FromBig(&c.minted)
		burned, errBurned := money.FromBig(&c.burned)
		if err := errors.Join(errMinted, errBurned); err != nil {
			return err
		}
		if err := s.tx.InsertMoveSupply(ctx, gen.InsertMoveSupplyParams{
			FromChain: s.move.From, Contract: p.contract, TokenID: p.tokenID, Standard: t.Standard, Collection: t.Collection, Minted: minted,
			Burned: burned, Cap: caps[p],
		}); err != nil {
			return err
		}
	}
	return nil
}

// rowsAtOnce is how many holdings one statement inserts.
const rowsAtOnce = 100

func (s *snapshot) saveHoldings(ctx context.Context) (hash string, n int64, err error) {
	var all []move.Holding
	for p, held := range s.held {
		amount, err := money.FromBig(held)
		if err != nil || held.Sign() < 0 {
			return "", 0, errors.Join(err, fmt.Errorf("%s/%s of %s: %s are held", p.contract, p.tokenID, p.owner, held))
		}
		if held.Sign() > 0 {
			standard := s.tokens[p.contract].Standard
			all = append(all, move.Holding{Contract: p.contract, Standard: standard, TokenID: p.tokenID, Owner: p.owner, Amount: amount})
		}
	}
	move.Arrange(all)
	digest := move.NewDigest(s.move.From, s.move.Block)
	for rows := range slices.Chunk(all, rowsAtOnce) {
		q := &store.SQLText{}
		q.Add("INSERT INTO move_holding (from_chain, position, contract, standard, token_id, owner, amount) VALUES ")
		for i, h := range rows {
			q.Add([]string{"", ", "}[min(i, 1)]+"(?"+strings.Repeat(", ?", 6)+")",
				s.move.From, h.Position, h.Contract, h.Standard, h.TokenID, h.Owner, h.Amount)
			digest.Add(h)
		}
		if _, err := s.tx.Statements().ExecContext(ctx, q.String(), q.Args...); err != nil {
			return "", 0, err
		}
	}
	return digest.Hex(), int64(len(all)), nil
}

// Of returns the move of a chain, in a transaction.
func Of(ctx context.Context, tx *store.Tx, chain onchain.ChainID) (m move.Move, err error) {
	row, err := tx.Move(ctx, chain)
	if err != nil {
		return m, store.NotFound(err, noMove)
	}
	return moveOf(row)
}
