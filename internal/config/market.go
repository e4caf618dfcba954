package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pantheon/internal/kit/money"
)

// Holds says who can hold items.
type Holds struct {
	// What holding an item needs: funds (money in the wallet for everything that is held), email (a confirmed address; as with
	// SPONSOR_NEEDS, players for whom X, the game or PlayFab vouches need none) or none; by default funds (prod) and none (else).
	HoldsNeed string `env:"HOLDS_NEED"`
}

func (h *Holds) complete(environment string) {
	if h.HoldsNeed == "" {
		h.HoldsNeed = "none"
		if environment == prod {
			h.HoldsNeed = "funds"
		}
	}
}

// check adds what is wrong. noMail tells that players' addresses cannot be confirmed.
func (h *Holds) check(f *faults, noMail bool) {
	f.check(slices.Contains([]string{"funds", "email", "none"}, h.HoldsNeed), "HOLDS_NEED", "must be funds, email or none")
	f.check(h.HoldsNeed != "email" || !noMail,
		"HOLDS_NEED", "must be funds or none where SMTP_HOST is not set: without mail no player can confirm an address")
}

// Listings limit what players list through the portal.
type Listings struct {
	// The lowest price at which a player can list an item, in the market's currency.
	MinPrice string `env:"LISTING_PRICE_MIN" envDefault:"0.01"`
	// New listings in one operation of a player, 1 to 20.
	AtOnce int `env:"LISTINGS_AT_ONCE" envDefault:"20"`
	// Listings that a player can have at a time.
	Live int `env:"LISTINGS_PER_SELLER" envDefault:"500" min:"1"`
}

// Price returns MinPrice in base units of a currency with so many decimals; zero if it is malformed.
func (l Listings) Price(decimals int) money.Units {
	price, err := money.ParseDecimal(l.MinPrice, decimals)
	if err != nil {
		return money.Units{}
	}
	return price
}

func (l *Listings) check(f *faults, decimals int) {
	f.check(!l.Price(decimals).IsZero(), "LISTING_PRICE_MIN", fmt.Sprintf("must be an amount above 0 with at most %d decimals", decimals))
	f.check(l.AtOnce >= 1 && l.AtOnce <= 20, "LISTINGS_AT_ONCE", "must be from 1 to 20")
}

// Trades bound what a player can lose by trades that nobody but the session approved.
type Trades struct {
	// How much of the market's currency a player's trades may deviate from reference prices in 24 hours, by selling below them or buying
	// above them; an operation beyond it needs the player's approval by an emailed code. 25 when empty, 100 with pantheon dev.
	RiskPerDay string `env:"TRADE_RISK_PER_DAY"`
	// What listing one item counts in TRADE_RISK_PER_DAY where nothing tells what it is worth, in the market's currency.
	Unknown string `env:"TRADE_RISK_UNKNOWN" envDefault:"25"`
	// How much of the market's currency one seller can get from one player in 24 hours before all of it counts in TRADE_RISK_PER_DAY.
	OneSeller string `env:"TRADE_ONE_SELLER" envDefault:"200"`
}

// DevTradeRisk is the default of TRADE_RISK_PER_DAY with pantheon dev.
const DevTradeRisk = "100"

func (t *Trades) complete() { t.RiskPerDay = cmp.Or(t.RiskPerDay, "25") }

func (t *Trades) check(f *faults, decimals int) {
	f.amount(decimals, "TRADE_RISK_PER_DAY", t.RiskPerDay)
	f.amount(decimals, "TRADE_RISK_UNKNOWN", t.Unknown)
	f.amount(decimals, "TRADE_ONE_SELLER", t.OneSeller)
	for name, amount := range map[string]string{
		"TRADE_RISK_PER_DAY": t.RiskPerDay, "TRADE_RISK_UNKNOWN": t.Unknown, "TRADE_ONE_SELLER": t.OneSeller,
	} {
		units, err := money.ParseDecimal(amount, decimals)
		f.check(err != nil || units.Cmp(money.MustParse("9000000"+strings.Repeat("0", decimals))) <= 0, name, "must be at most 9000000")
	}
}
