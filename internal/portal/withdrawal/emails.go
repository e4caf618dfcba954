package withdrawal

import (
	"fmt"
	"net/url"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/emailcode"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// describe says what a request takes out and where to, one line each.
func describe(r Request, rules Rules) []string {
	var lines []string
	items := money.Units{}
	sums := map[eth.Address]money.Units{}
	for _, p := range r.Parts {
		for _, a := range p.Assets {
			if a.Standard == onchain.ERC20 {
				if sum, err := sums[a.Contract].Add(a.Amount); err == nil {
					sums[a.Contract] = sum
				}
			} else if sum, err := items.Add(a.Amount); err == nil {
				items = sum
			}
		}
	}
	for _, t := range rules.Tokens {
		if sum, ok := sums[t.Contract]; ok && t.Standard == onchain.ERC20 {
			lines = append(lines, fmt.Sprintf("    %s %s", sum.Decimal(t.Decimals), t.Symbol))
			delete(sums, t.Contract)
		}
	}
	switch n := items.String(); n {
	case "0":
	case "1":
		lines = append(lines, "    1 item")
	default:
		lines = append(lines, "    "+n+" items")
	}
	return append(lines, "    to "+r.To.Checksum())
}

func codeEmail(site, code string, r Request, rules Rules) email.Message {
	lines := []string{fmt.Sprintf("This code confirms that you want to send from your wallet at %s:", email.Host(site)), ""}
	lines = append(lines, describe(r, rules)...)
	return email.Compose(site, "Your code for sending from your wallet", emailcode.TTL, append(lines,
		"",
		"    "+code,
		"",
		"It is good for "+emailcode.Lifetime()+". Check the address before you enter it: what is sent cannot be called back.",
		"If you did not ask for it, somebody else is signed in to your account: tell the code to nobody, and change your password.")...)
}

func waitingEmail(site, token string, ready time.Time, r Request, rules Rules) email.Message {
	lines := []string{fmt.Sprintf("You have confirmed that you want to send from your wallet at %s:", email.Host(site)), ""}
	lines = append(lines, describe(r, rules)...)
	return email.Compose(site, "You can send from your wallet soon", 0, append(lines,
		"",
		fmt.Sprintf("You can send it from %s on.", ready.UTC().Format("2 January 2006, 15:04 UTC")),
		"If it was not you, or you have changed your mind, cancel it here:",
		"",
		site+"/portal/withdrawals/cancel?token="+url.QueryEscape(token),
		"",
		"If it was not you, change your password as well.")...)
}

func readyEmail(site string, r Request, rules Rules) email.Message {
	lines := []string{fmt.Sprintf("What you wanted to send from your wallet at %s can be sent now:", email.Host(site)), ""}
	lines = append(lines, describe(r, rules)...)
	return email.Compose(site, "You can send from your wallet now", 0, append(lines,
		"",
		"Sign in and press Send:",
		"",
		site+"/portal/money",
		"",
		fmt.Sprintf("This is possible until %s.", r.ExpiresAt.UTC().Format("2 January 2006, 15:04 UTC")))...)
}
