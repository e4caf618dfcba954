package traderisk

import (
	"context"
	"slices"
	"sync"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
)

const (
	// cacheFor is how long the sales and offers of a kind are cached.
	cacheFor = 30 * time.Second
	// maxCached is how many kinds are cached at most.
	maxCached = 2000
)

// precedents are the cached sales and offers of a kind.
type precedents struct {
	mu     sync.Mutex // while they are read
	at     time.Time  // zero until they were read
	sales  []Sale
	offers []Offer
	mainly map[[2]eth.Address]bool // whether two wallets trade mainly with each other
}

// weigh weighs each order of an operation.
func (s *Service) weigh(ctx context.Context, op Operation) ([]Trade, error) {
	trades := make([]Trade, 0, len(op.Orders))
	for _, o := range op.Orders {
		t := Trade{Order: o}
		var err error
		if o.Side == Buys {
			err = s.weighPurchase(ctx, op.Wallet, &t)
		} else {
			err = s.weighListing(ctx, op.Wallet, &t)
		}
		if err != nil {
			return nil, err
		}
		trades = append(trades, t)
	}
	return trades, nil
}

func (s *Service) weighPurchase(ctx context.Context, wallet eth.Address, t *Trade) error {
	l, err := s.o.Store.Listing(ctx, t.Listing)
	if err != nil {
		return err
	}
	t.Contract, t.TokenID = l.Contract, l.TokenID
	if s.isOwn(l.Seller) {
		return nil
	}
	t.Seller = l.Seller
	prices, _, err := s.market(ctx, wallet, t)
	if err != nil {
		return err
	}
	over := t.Price
	if reference, ok := referenceForPurchase(prices); ok {
		t.Reference, over = &reference, less(t.Price, reference)
	}
	t.Risk = times(over, t.Quantity)
	return nil
}

// weighListing weighs all units of a listing, even if it is an update: the update sets the quantity, and the index may lag behind
// sales of the previous units. A unique token whose price does not fall was weighed when it was listed.
func (s *Service) weighListing(ctx context.Context, wallet eth.Address, t *Trade) error {
	if t.Listing != "" {
		l, err := s.o.Store.Listing(ctx, t.Listing)
		if err != nil {
			return err
		}
		t.Contract, t.TokenID = l.Contract, l.TokenID
		if l.Live && s.o.Limits.Unique(l.Contract) && t.Price.Cmp(l.Price) >= 0 {
			return nil
		}
	}
	prices, offers, err := s.market(ctx, wallet, t)
	if err != nil {
		return err
	}
	bought, err := s.o.Store.Bought(ctx, wallet, t.Contract, t.TokenID, s.o.Limits.Currency)
	if err != nil {
		return err
	}
	r := referenceForSale(prices, offers, bought, wallet, s.isOwn, s.o.Clock.Now())
	under := less(r.Price, t.Price)
	if r.Precedent {
		t.Reference = &r.Price
	} else if under.Cmp(s.o.Limits.Unknown) < 0 {
		under = s.o.Limits.Unknown
	}
	t.Risk = times(under, t.Quantity)
	return nil
}

// market returns the prices that count for a player, and the offers, of the kind of a trade's token, and names the token.
func (s *Service) market(ctx context.Context, wallet eth.Address, t *Trade) ([]money.Units, []Offer, error) {
	token, err := s.o.Store.Token(ctx, t.Contract, t.TokenID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, nil, err
	}
	t.Name = token.Name
	if t.Name == "" {
		t.Name = "item #" + t.TokenID
	}
	k := Kind{Contract: t.Contract, TokenID: t.TokenID}
	if s.o.Limits.Unique(t.Contract) {
		k = Kind{Contract: t.Contract, Rarity: token.Rarity}
	}
	p := s.precedentsOf(k)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := s.refresh(ctx, k, p); err != nil {
		return nil, nil, err
	}
	prices, err := countedSales(p.sales, wallet, s.isOwn, func(a, b eth.Address) (bool, error) { return s.mainly(ctx, p, a, b) })
	return prices, p.offers, err
}

func (s *Service) precedentsOf(k Kind) *precedents {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.known[k]
	if p == nil {
		if len(s.known) >= maxCached {
			clear(s.known)
		}
		p = &precedents{}
		s.known[k] = p
	}
	return p
}

// refresh reads the precedents unless they are recent. p is locked.
func (s *Service) refresh(ctx context.Context, k Kind, p *precedents) error {
	now := s.o.Clock.Now()
	if !p.at.IsZero() && now.Sub(p.at) < cacheFor {
		return nil
	}
	sales, err := s.o.Store.Sales(ctx, k, s.o.Limits.Currency, SaleFilter{Since: now.Add(-SalesWindow), MinAge: minAge, Own: s.o.Limits.Own})
	if err != nil {
		return err
	}
	offers, err := s.o.Store.Offers(ctx, k, s.o.Limits.Currency)
	if err != nil {
		return err
	}
	p.at, p.sales, p.offers, p.mainly = now, sales, offers, map[[2]eth.Address]bool{}
	return nil
}

// mainly reports whether each of two wallets traded mainly with the other one. p is locked.
func (s *Service) mainly(ctx context.Context, p *precedents, a, b eth.Address) (bool, error) {
	pair := [2]eth.Address{a, b}
	if slices.Compare(a[:], b[:]) > 0 {
		pair = [2]eth.Address{b, a}
	}
	if among, ok := p.mainly[pair]; ok {
		return among, nil
	}
	among := true
	for _, w := range [2][2]eth.Address{{a, b}, {b, a}} {
		deals, err := s.o.Store.Deals(ctx, w[0], s.o.Limits.Currency, s.o.Clock.Now().Add(-SalesWindow))
		if err != nil {
			return false, err
		}
		among = among && mainlyWith(deals, w[1])
	}
	p.mainly[pair] = among
	return among, nil
}
