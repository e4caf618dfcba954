package operator

import (
	"context"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// Order is a player's order on the market.
type Order struct {
	ID       string      `json:"id"`
	PlayerID string      `json:"playerId"`
	State    string      `json:"state"`
	Total    money.Units `json:"total"`                // in base units
	Currency eth.Address `json:"currency"`             // the token's contract
	Tx       *eth.Hash   `json:"transaction,omitzero"` // nil for none
	Error    string      `json:"error,omitzero"`
	PlacedAt time.Time   `json:"placedAt"`
}

// OrderDetails are an order with its items and what has happened to it.
type OrderDetails struct {
	Order
	Chain     onchain.ChainID `json:"chainId"`
	Wallet    eth.Address     `json:"wallet"`
	Operation *eth.Hash       `json:"operation,omitzero"` // the hash of the user operation; nil for none
	Trace     string          `json:"trace,omitzero"`     // the id of the trace of its payment, or of the checkout before; "" for none
	ExpiresAt time.Time       `json:"expiresAt"`          // how long its units are kept
	Items     []OrderItem     `json:"items"`
	Events    []OrderEvent    `json:"events"`
}

// OrderItem is some units of one listing.
type OrderItem struct {
	Listing  string      `json:"listing"`
	Contract eth.Address `json:"contract"`
	TokenID  string      `json:"tokenId"`
	Seller   eth.Address `json:"seller"`
	Quantity int64       `json:"quantity"`
	Bought   int64       `json:"bought"` // that the chain says are bought
	Price    money.Units `json:"price"`  // of one, in base units
}

// OrderEvent is an entry of an order's timeline, as the player sees it.
type OrderEvent struct {
	At     time.Time `json:"at"`
	State  string    `json:"state"`
	Detail string    `json:"detail,omitzero"`
}

// Orders reads orders.
type Orders interface {
	// OrdersOf returns a player's newest orders, the newest first.
	OrdersOf(ctx context.Context, playerID string, limit int) ([]Order, error)
	// Order returns an order of any player, or fault.NotFound.
	Order(ctx context.Context, id string) (OrderDetails, error)
}

// Orders returns the newest orders of a player, given as for Find.
func (s *Service) Orders(ctx context.Context, player string, limit int) ([]Order, error) {
	if err := checkLimit(limit); err != nil {
		return nil, err
	}
	p, err := s.Find(ctx, player)
	if err != nil {
		return nil, err
	}
	return s.o.Store.OrdersOf(ctx, p.ID, limit)
}

// Order returns an order. It returns fault.NotFound for an unknown one.
func (s *Service) Order(ctx context.Context, id string) (OrderDetails, error) {
	return s.o.Store.Order(ctx, id)
}
