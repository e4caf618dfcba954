package burn

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// kind is what one kind of token gives.
type kind interface {
	token() token
	String() string // the token, as faults name it
	validate(bad fault)
	earned(amount int64) projection.Earned // by burning an amount of it
}

type token struct{ collection, id string }

// outOfRange reports whether a token cannot give n of something.
func outOfRange(n int64) bool { return n < 1 || n > 1e6 }

const wantRange = "must be from 1 to 1000000"

// Ark is the content of one kind of ark: amounts, at least 1, by currency code.
type Ark struct {
	TokenID   string           `yaml:"token"`
	Followers map[string]int64 `yaml:"followers"`
	Tokens    map[string]int64 `yaml:"tokens"`
}

func (a Ark) token() token   { return token{"arks", a.TokenID} }
func (a Ark) String() string { return strconv.Quote(a.TokenID) }

func (a Ark) validate(bad fault) {
	amounts := func(field string, of map[string]int64, codes ...string) {
		for _, code := range slices.Sorted(maps.Keys(of)) {
			switch {
			case !slices.Contains(codes, code):
				bad(field, "%s is none of them", code)
			case outOfRange(of[code]):
				bad(field, "%s: %s", code, wantRange)
			}
		}
	}
	amounts("followers", a.Followers, "d0", "d1", "f2", "f3")
	amounts("tokens", a.Tokens, "gt", "nt", "et", "ct")
}

func (a Ark) earned(amount int64) projection.Earned {
	each := maps.Clone(a.Followers)
	if each == nil {
		each = map[string]int64{}
	}
	maps.Copy(each, a.Tokens)
	return currencies(reward.FromArk, a.TokenID, amount, each)
}

// PiggyBank is the content of one kind of piggy bank.
type PiggyBank struct {
	Collection string `yaml:"collection"` // slug
	TokenID    string `yaml:"token"`
	Fate       int64  `yaml:"fate"` // at least 1
	VIP        bool   `yaml:"vip"`
}

func (p PiggyBank) token() token   { return token{p.Collection, p.TokenID} }
func (p PiggyBank) String() string { return fmt.Sprintf("%q of %s", p.TokenID, p.Collection) }

func (p PiggyBank) validate(bad fault) {
	if outOfRange(p.Fate) {
		bad("fate", wantRange)
	}
}

func (p PiggyBank) earned(amount int64) projection.Earned {
	fate := amount * p.Fate
	return projection.Earned{
		Origin: reward.FromPiggyBank,
		Detail: projection.BankBroken{TokenID: p.TokenID, Amount: amount, FateAmount: fate, IsVIP: p.VIP},
		Grants: []reward.Content{reward.Currency{Code: "fa", Amount: fate}.Content()},
	}
}

// PowerPack is the content of one kind of power pack.
type PowerPack struct {
	TokenID    string `yaml:"token"`
	InfiniGold int64  `yaml:"infiniGold"` // at least 1
	Nectar     int64  `yaml:"nectar"`     // at least 1
}

func (p PowerPack) token() token   { return token{"power-packs", p.TokenID} }
func (p PowerPack) String() string { return strconv.Quote(p.TokenID) }

func (p PowerPack) validate(bad fault) {
	if outOfRange(p.InfiniGold) {
		bad("infiniGold", wantRange)
	}
	if outOfRange(p.Nectar) {
		bad("nectar", wantRange)
	}
}

func (p PowerPack) earned(amount int64) projection.Earned {
	return currencies(reward.FromPowerPack, p.TokenID, amount, map[string]int64{"ig": p.InfiniGold, "ne": p.Nectar})
}

// currencies returns what an amount of a token earns of which each gives these currencies, in the order of their codes.
func currencies(origin reward.Origin, tokenID string, amount int64, each map[string]int64) projection.Earned {
	detail := projection.CurrenciesEarned{TokenID: tokenID, Amount: amount, Rewards: map[string]int64{}}
	e := projection.Earned{Origin: origin}
	for _, code := range slices.Sorted(maps.Keys(each)) {
		n := amount * each[code]
		detail.Rewards[code] = n
		e.Grants = append(e.Grants, reward.Currency{Code: code, Amount: n}.Content())
	}
	e.Detail = detail
	return e
}
