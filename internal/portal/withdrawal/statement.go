package withdrawal

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Balance is what a player has of an ERC-20 token.
type Balance struct {
	Token    Token
	InWallet money.Units
	Paying   money.Units // in orders whose payment is on its way; still in the wallet
	Asked    money.Units // what the player's live listings ask for; not the player's yet
	Listings int         // how many live listings there are
	Used     money.Units // withdrawn within LimitWindow
}

// Purpose says what a movement of money was for.
type Purpose string

// The purposes.
const (
	Purchase Purpose = "purchase"   // paid on the marketplace
	Sale     Purpose = "sale"       // earned on the marketplace
	Taken    Purpose = "withdrawal" // withdrawn
	Granted  Purpose = "reward"     // minted for the player: a gift or a claim
	Received Purpose = "received"   // from another address
	Spent    Purpose = "sent"       // to another address, without a withdrawal
)

// Movement is one transfer of money from or to a player's smart wallet.
type Movement struct {
	Position onchain.Position
	Token    Token
	Purpose  Purpose
	In       bool
	Other    eth.Address // the other side; zero for a mint
	Amount   money.Units
}

// Statement reads what happened to the players' money.
type Statement interface {
	// Balances returns what a player has of each ERC-20 token, in their order.
	Balances(ctx context.Context, playerID string, wallet eth.Address, tokens []Token, now time.Time) ([]Balance, error)
	// Movements returns the transfers of the tokens from or to the wallet on a chain, newest first, that come before a position.
	Movements(ctx context.Context, chain onchain.ChainID, wallet eth.Address, tokens []Token, before onchain.Position,
		limit int) ([]Movement, error)
}

// Balances returns what the player has of each ERC-20 token that can be withdrawn.
func (s *Service) Balances(ctx context.Context, playerID string) ([]Balance, Used, error) {
	p, err := s.o.Store.Player(ctx, playerID)
	if err != nil {
		return nil, Used{}, err
	}
	now := s.o.Clock.Now()
	used, err := s.o.Store.Used(ctx, playerID, "", now.Add(-LimitWindow))
	if err != nil {
		return nil, used, err
	}
	out, err := s.o.Store.Balances(ctx, playerID, p.Smart, s.moneyTokens(), now)
	for i := range out {
		out[i].Used = used.Tokens[out[i].Token.Contract]
	}
	return out, used, err
}

func (s *Service) moneyTokens() []Token {
	return slices.DeleteFunc(slices.Clone(s.o.Rules.Tokens), func(t Token) bool { return t.Standard != onchain.ERC20 })
}

// movementOrder is the order of the movements' cursors.
const movementOrder = "movements"

// Movements returns a page of the transfers of money from or to the player's smart wallet, newest first, and the cursor of
// the next page ("" on the last). It returns fault.Invalid for a malformed cursor.
func (s *Service) Movements(ctx context.Context, playerID, after string, limit int) ([]Movement, string, error) {
	p, err := s.o.Store.Player(ctx, playerID)
	if err != nil {
		return nil, "", err
	}
	before := onchain.Position{Block: math.MaxInt64, LogIndex: math.MaxInt32}
	if after != "" {
		block, text, err := cursor.DecodeRank(movementOrder, after)
		if err != nil {
			return nil, "", err
		}
		log, err := strconv.ParseUint(text, 10, 31)
		if err != nil || block < 0 {
			return nil, "", cursor.Invalid()
		}
		before = onchain.Position{Block: uint64(block), LogIndex: uint32(log)}
	}
	tokens := s.moneyTokens()
	if len(tokens) == 0 {
		return nil, "", nil
	}
	out, err := s.o.Store.Movements(ctx, tokens[0].Chain, p.Smart, tokens, before, limit+1)
	if err != nil || len(out) <= limit {
		return out, "", err
	}
	last := out[limit-1].Position
	return out[:limit], cursor.EncodeRank(movementOrder, int64(last.Block), strconv.FormatUint(uint64(last.LogIndex), 10)), nil
}
