package withdrawal

import (
	"fmt"
	"net/url"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
)

// notice returns an email about a step of a withdrawal; codes and confirmations limit how many there are.
func notice(site, subject string, ttl time.Duration, lines ...string) email.Message {
	return email.NewNotice(site, subject, ttl, "withdrawal", 0, lines...)
}

// listed returns what a request takes out and where to as indented lines.
func listed(r Request, rules Rules) []string {
	lines := describe(r, rules)
	for i, l := range lines {
		lines[i] = "    " + l
	}
	return lines
}

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
			lines = append(lines, fmt.Sprintf("%s %s", sum.Decimal(t.Decimals), t.Symbol))
			delete(sums, t.Contract)
		}
	}
	switch n := items.String(); n {
	case "0":
	case "1":
		lines = append(lines, "1 item")
	default:
		lines = append(lines, n+" items")
	}
	return append(lines, "to "+r.To.Checksum())
}

// confirmedEmail returns the email about a confirmed request. token cancels it.
func confirmedEmail(site, token string, now, ready time.Time, r Request, rules Rules) email.Message {
	lines := []string{fmt.Sprintf("You have confirmed that you want to send from your wallet at %s:", email.Host(site)), ""}
	lines = append(lines, listed(r, rules)...)
	subject, when := "You can send from your wallet now", "You can send it now."
	if ready.After(now) {
		subject = "You can send from your wallet soon"
		when = fmt.Sprintf("You can send it from %s on.", ready.UTC().Format("2 January 2006, 15:04 UTC"))
	}
	return notice(site, subject, 0, append(lines,
		"",
		when,
		"If you have changed your mind, cancel it here:",
		"",
		site+"/portal/withdrawals/cancel?token="+url.QueryEscape(token))...)
}

func readyEmail(site string, r Request, rules Rules) email.Message {
	lines := []string{fmt.Sprintf("What you wanted to send from your wallet at %s can be sent now:", email.Host(site)), ""}
	lines = append(lines, listed(r, rules)...)
	return notice(site, "You can send from your wallet now", 0, append(lines,
		"",
		"Sign in and press Send:",
		"",
		site+"/portal/money",
		"",
		fmt.Sprintf("This is possible until %s.", r.ExpiresAt.UTC().Format("2 January 2006, 15:04 UTC")))...)
}

// sendingEmail returns the email about a part that is signed. The same operation may be signed several times: it is mailed
// once.
func sendingEmail(site string, r Request, part Part, rules Rules) email.Message {
	r.Parts = []Part{part}
	lines := append([]string{fmt.Sprintf("This is leaving your wallet at %s now:", email.Host(site)), ""}, listed(r, rules)...)
	return email.NewNotice(site, "You are sending from your wallet", 0, "withdrawal "+part.ID, 1, lines...)
}
