// Package holdings returns which tokens an address holds, by the kinds that the portal supports. Holdings come from
// the chains' transfers, which the indexer stores; this package only reads them.
package holdings

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pantheon/internal/collections"
	"pantheon/internal/kit/cursor"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// MaxPage is the maximum number of tokens per page.
const MaxPage = 100

// Contract is a token contract on a chain.
type Contract struct {
	Chain   onchain.ChainID
	Address eth.Address
}

// Currency is an ERC-20 token that is shown as a balance.
type Currency struct {
	Contract
	Symbol   string
	Decimals int
}

// Config lists the contracts of each kind, in display order, and the contracts of the two pass tiers.
type Config struct {
	Kinds           map[collections.Kind][]Contract
	CommunityPasses Contract
	UltimatePasses  Contract
	Currencies      []Currency
}

// Token is one token and how many of it its owner holds.
type Token struct {
	Owner      eth.Address // the wallet that holds it
	Contract   eth.Address
	TokenID    string      // decimal uint256
	Amount     money.Units // at least 1
	Collection string      // slug, such as "game-items"
	Name       string
	Kind       string // such as "sword"
	Rarity     string
	Attributes []Attribute
}

// Attribute is one trait of a token, in the form of ERC-721 metadata.
type Attribute struct {
	TraitType string `json:"trait_type" doc:"What the trait is called."`
	Value     string `json:"value" doc:"The trait's value."`
}

// Stock is the number held of one token.
type Stock struct {
	TokenID string
	Amount  money.Units
}

// Page is a part of a list.
type Page struct {
	Total int64 // total number of tokens, every copy counted; 2^63-1 also stands for more
	Items []Token
	Next  string // cursor of the next page; "" at the end
}

// PassList lists passes by tier.
type PassList struct {
	CommunityTokenIDs []string // ascending
	UltimateTokenIDs  []string // ascending
}

// Balance is a balance of a currency, in base units.
type Balance struct {
	Currency
	Amount money.Units
}

// Store reads the indexer's data.
type Store interface {
	// TokensOf returns at most limit tokens of the contract that the owner holds, by ascending id, starting after the
	// given id; "" starts at the beginning.
	TokensOf(ctx context.Context, owner eth.Address, c Contract, after string, limit int) ([]Token, error)
	// StockOf returns all tokens of the contract that the owner holds, by ascending id.
	StockOf(ctx context.Context, owner eth.Address, c Contract) ([]Stock, error)
	// NewItems returns the ids of the contract's tokens that the player's wallets hold and received from others since
	// SeeItems was last called for the player; since the wallet was registered, if it never was.
	NewItems(ctx context.Context, playerID string, c Contract) ([]string, error)
	// SeeItems records that the player has seen all tokens that the index has now.
	SeeItems(ctx context.Context, playerID string) error
	// BalanceOf returns the owner's balance of an ERC-20 token.
	BalanceOf(ctx context.Context, owner eth.Address, c Contract) (money.Units, error)
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	store  Store
	config Config
}

// NewService returns a Service.
func NewService(s Store, c Config) *Service { return &Service{store: s, config: c} }

// shelf is a contract and an owner whose tokens of it are listed.
type shelf struct {
	owner    eth.Address
	contract Contract
}

// shelves returns the contracts of each owner, in the order of the owners.
func shelves(owners []eth.Address, contracts ...Contract) (out []shelf) {
	for _, owner := range owners {
		for _, c := range contracts {
			out = append(out, shelf{owner, c})
		}
	}
	return out
}

// List returns a page of the owners' holdings of a kind: by owner, then by the kind's contracts, then by token id.
// The owners must differ. limit is 1 to MaxPage, any other means MaxPage; cursor is Next of the previous page, "" for
// the first. It returns fault.NotFound for an unknown kind and fault.Invalid for an invalid cursor.
func (s *Service) List(ctx context.Context, owners []eth.Address, kind collections.Kind, cursor string, limit int) (Page, error) {
	contracts, ok := s.config.Kinds[kind]
	if !ok {
		return Page{}, fault.New(fault.NotFound, "There is no such kind of item.")
	}
	all := shelves(owners, contracts...)
	at, after, err := decodeCursor(cursor, len(all))
	if err != nil {
		return Page{}, err
	}
	if limit < 1 || limit > MaxPage {
		limit = MaxPage
	}
	page := Page{Items: []Token{}}
	if page.Total, err = s.total(ctx, all); err != nil {
		return Page{}, err
	}
	// One more than limit shows whether there is another page.
	for ; at < len(all) && len(page.Items) <= limit; at++ {
		some, err := s.store.TokensOf(ctx, all[at].owner, all[at].contract, after, limit+1-len(page.Items))
		if err != nil {
			return Page{}, err
		}
		page.Items, after = append(page.Items, some...), ""
	}
	if len(page.Items) > limit {
		page.Items = page.Items[:limit]
		page.Next = encodeCursor(all, page.Items[limit-1])
	}
	return page, nil
}

func (s *Service) total(ctx context.Context, all []shelf) (int64, error) {
	total := money.Units{}
	for _, at := range all {
		stock, err := s.store.StockOf(ctx, at.owner, at.contract)
		if err != nil {
			return 0, err
		}
		for _, t := range stock {
			if total, err = total.Add(t.Amount); err != nil {
				return math.MaxInt64, nil // more than any counter holds
			}
		}
	}
	if n, ok := total.Int64(); ok {
		return n, nil
	}
	return math.MaxInt64, nil
}

// NewItems returns the ids of the game items that the player received since they were last seen, ascending. What was there
// when the wallet was registered is not new.
func (s *Service) NewItems(ctx context.Context, playerID string) ([]string, error) {
	ids := []string{}
	for _, c := range s.config.Kinds[collections.GameItems] {
		some, err := s.store.NewItems(ctx, playerID, c)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	sortIDs(ids)
	return ids, nil
}

// SeeItems records that the player has seen the game items, on every device.
func (s *Service) SeeItems(ctx context.Context, playerID string) error {
	return s.store.SeeItems(ctx, playerID)
}

// Passes returns the passes of all owners together.
func (s *Service) Passes(ctx context.Context, owners []eth.Address) (p PassList, err error) {
	if p.CommunityTokenIDs, err = s.tokenIDs(ctx, shelves(owners, s.config.CommunityPasses)); err != nil {
		return PassList{}, err
	}
	p.UltimateTokenIDs, err = s.tokenIDs(ctx, shelves(owners, s.config.UltimatePasses))
	return p, err
}

// tokenIDs returns the ids of all tokens on the shelves, ascending.
func (s *Service) tokenIDs(ctx context.Context, all []shelf) ([]string, error) {
	ids := []string{}
	for _, at := range all {
		stock, err := s.store.StockOf(ctx, at.owner, at.contract)
		if err != nil {
			return nil, err
		}
		for _, t := range stock {
			ids = append(ids, t.TokenID)
		}
	}
	sortIDs(ids)
	return ids, nil
}

// sortIDs sorts decimal ids without leading zeros by their numbers.
func sortIDs(ids []string) {
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
}

// Balances returns the owner's balance of each currency, in the order of the configuration.
func (s *Service) Balances(ctx context.Context, owner eth.Address) ([]Balance, error) {
	out := make([]Balance, len(s.config.Currencies))
	for i, c := range s.config.Currencies {
		amount, err := s.store.BalanceOf(ctx, owner, c.Contract)
		if err != nil {
			return nil, err
		}
		out[i] = Balance{Currency: c, Amount: amount}
	}
	return out, nil
}

// cursorOrder is the order of the cursors: by the index of a token's shelf, then by its id.
const cursorOrder = "holdings"

// encodeCursor encodes the last token of a page.
func encodeCursor(all []shelf, last Token) string {
	at := slices.IndexFunc(all, func(s shelf) bool { return s.owner == last.Owner && s.contract.Address == last.Contract })
	return cursor.EncodeRank(cursorOrder, int64(at), last.TokenID)
}

func decodeCursor(text string, all int) (at int, after string, err error) {
	if text == "" {
		return 0, "", nil
	}
	rank, after, err := cursor.DecodeRank(cursorOrder, text)
	if err != nil {
		return 0, "", err
	}
	if _, err := money.Parse(after); err != nil || rank < 0 || rank >= int64(all) {
		return 0, "", cursor.Invalid()
	}
	return int(rank), after, nil
}
