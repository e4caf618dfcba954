package operator

import (
	"context"
	"math/big"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
)

// TokenMetadata is what is known of a token from its contract, and what is read next.
type TokenMetadata struct {
	Contract   eth.Address `json:"contract"`
	TokenID    string      `json:"tokenId"`
	Name       string      `json:"name"` // in the market
	URI        string      `json:"uri,omitzero"`
	Stage      string      `json:"stage"`         // what is read next: uri, document or picture
	Host       string      `json:"host,omitzero"` // that is asked for it; "" for the chain
	HasPicture bool        `json:"hasPicture"`
	ReadAt     time.Time   `json:"readAt,omitzero"`
	DueAt      time.Time   `json:"dueAt"`
	Failures   int         `json:"failures"` // in a row
	Reason     string      `json:"reason,omitzero"`
}

// Tokens are the tokens that their contracts describe.
type Tokens interface {
	// FailingTokens returns those that failed last, the most failures first, at most limit.
	FailingTokens(ctx context.Context, limit int) ([]TokenMetadata, error)
	// Token returns what is known of one. It returns fault.NotFound for a token whose contract is not asked.
	Token(ctx context.Context, contract eth.Address, tokenID string) (TokenMetadata, error)
	// RefreshTokens queues the tokens of a contract from the first to the last id to be fetched again, and returns how many.
	RefreshTokens(ctx context.Context, contract eth.Address, first, last string, e Entry) (int64, error)
}

// FailingTokens returns the tokens whose metadata could not be read.
func (s *Service) FailingTokens(ctx context.Context, limit int) ([]TokenMetadata, error) {
	if limit < 1 || limit > MaxLimit {
		return nil, fault.New(fault.Invalid, "The limit must be 1 to %d.", MaxLimit)
	}
	return s.o.Store.FailingTokens(ctx, limit)
}

// Token returns what is known of a token from its contract. It returns fault.Invalid for what is no address, and fault.NotFound for a
// token that is not described by its contract.
func (s *Service) Token(ctx context.Context, contract, tokenID string) (TokenMetadata, error) {
	address, err := eth.ParseAddress(contract)
	if err != nil {
		return TokenMetadata{}, fault.New(fault.Invalid, "%q is no address of a contract.", contract)
	}
	return s.o.Store.Token(ctx, address, tokenID)
}

// RefreshTokens queues a token to be fetched again, or all tokens of a contract for an empty id, and returns how many.
func (s *Service) RefreshTokens(ctx context.Context, contract, tokenID string, by By) (int64, error) {
	address, err := eth.ParseAddress(contract)
	if err != nil {
		return 0, fault.New(fault.Invalid, "%q is no address of a contract.", contract)
	}
	first, last := tokenID, tokenID
	if tokenID == "" {
		most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
		first, last = "", most.String() // with what the contract says of itself
	}
	e, err := s.entry(by, "token refresh", address.Checksum(), tokenID)
	if err != nil {
		return 0, err
	}
	n, err := s.o.Store.RefreshTokens(ctx, address, first, last, e)
	if err == nil && n == 0 {
		err = fault.New(fault.NotFound, "No such token is described by its contract.")
	}
	return n, err
}
