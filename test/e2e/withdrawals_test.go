package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/eth"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// thief receives what leaves the wallet; nobody has its key.
var thief = eth.MustAddress("0x00000000000000000000000000000000dead0001")

// withdrawn is a withdrawal as players see it.
type withdrawn struct {
	WithdrawalID string
	State        string
	Parts        []struct {
		PartID, State string
		TxHash        *eth.Hash
	}
}

var emailedCode = regexp.MustCompile(`\n    (\d{8})\n`)

// emailed returns the code of the newest email with the subject, from the development mailbox.
func emailed(ctx context.Context, t *testing.T, site, subject string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, site+"/dev/mail", nil)
	must(t, err)
	r.Header.Set("Accept", "application/json")
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	var box struct {
		Items []struct{ Subject, Text string }
	}
	must(t, json.NewDecoder(answer.Body).Decode(&box))
	for _, m := range box.Items {
		if found := emailedCode.FindStringSubmatch(m.Text); m.Subject == subject && found != nil {
			return found[1]
		}
	}
	t.Fatalf("no email %q", subject)
	return ""
}

// transfer20 is a transfer of an ERC-20 token.
func transfer20(token, to eth.Address, units int64) player.Call {
	return player.Call{To: token, Data: contracts.NewTestToken().PackTransfer(common.Address(to), big.NewInt(units))}
}

// withdraws asks for a withdrawal and confirms it with the emailed code.
func withdraws(ctx context.Context, t *testing.T, site string, p *player.Player, to eth.Address, assets ...map[string]any) (w withdrawn) {
	t.Helper()
	var created struct {
		Withdrawal withdrawn
		Proof      string
	}
	testkit.Eventually(t, 30*time.Second, func() bool {
		return p.Call(ctx, http.MethodPost, "/api/auth/withdrawals", map[string]any{"to": to.Checksum(), "assets": assets}, &created) == nil
	}, "the portal does not know of what is to leave")
	if created.Proof != "code" {
		t.Fatalf("proof %q", created.Proof)
	}
	code := emailed(ctx, t, site, "Your code for sending from your wallet")
	must(t, p.Call(ctx, http.MethodPost, "/api/auth/withdrawals/"+created.Withdrawal.WithdrawalID+"/confirm",
		map[string]string{"code": code}, &w))
	return w
}

func callsOf(ctx context.Context, p *player.Player, w withdrawn) ([]player.Call, error) {
	var answer struct{ Calls []player.Call }
	err := p.Call(ctx, http.MethodGet, "/api/auth/withdrawals/"+w.WithdrawalID+"/parts/"+w.Parts[0].PartID+"/calls", nil, &answer)
	return answer.Calls, err
}

// sends waits until a withdrawal is ready and sends it. It returns the calls it made.
func sends(ctx context.Context, t *testing.T, p *player.Player, w withdrawn) []player.Call {
	t.Helper()
	var calls []player.Call
	testkit.Eventually(t, 30*time.Second, func() (ready bool) {
		var err error
		calls, err = callsOf(ctx, p, w)
		return err == nil
	}, "the withdrawal does not become ready")
	op, err := prepare(ctx, t, p, calls)
	must(t, err)
	_, err = p.Send(ctx, op)
	must(t, err)
	testkit.Eventually(t, 30*time.Second, func() bool {
		err := p.Call(ctx, http.MethodGet, "/api/auth/withdrawals/"+w.WithdrawalID, nil, &w)
		return err == nil && w.State == "done" && w.Parts[0].State == "sent" && w.Parts[0].TxHash != nil
	}, "it was not sent: %+v", &w)
	return calls
}

// Nothing leaves a wallet but a withdrawal that its player has confirmed, in its time, to its recipient, and once: the
// signer and the relay are asked directly, on the real chains.
// Spec: MONEY-2, MONEY-4
func TestAttack_MoneyLeavesPastTheWithdrawal(t *testing.T) {
	t.Parallel()
	site := testkit.StartSite(t, testkit.SiteOptions{
		Engine: store.SQLite, Env: []string{"WITHDRAWAL_DELAY=10s", "WITHDRAWAL_USDC_PER_DAY=120"},
	})
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	p, err := player.Register(ctx, site.URL)
	must(t, err)
	usdc := p.Config.Currency.Address
	money := func(amount string) map[string]any {
		return map[string]any{"chainId": p.Config.GameChain.ID, "contract": usdc, "amount": amount}
	}
	mustBeRefused := func(what, reason string, calls ...player.Call) {
		t.Helper()
		if _, err := prepare(ctx, t, p, calls); err == nil || !isRefusal(err, reason) {
			t.Errorf("%s: %v, want a refusal with %q", what, err, reason)
		}
	}
	testkit.Eventually(t, 30*time.Second, func() bool {
		has, err := p.InWallet(ctx)
		return err == nil && has == "500"
	}, "the welcome money does not come")
	mustBeRefused("a transfer without a withdrawal", "as a withdrawal that you have confirmed", transfer20(usdc, thief, 1_000_000))

	w := withdraws(ctx, t, site.URL, p, thief, money("100"))
	_, err = callsOf(ctx, p, w)
	refused(t, "before its time", err, http.StatusTooManyRequests, `"not-ready"`)
	mustBeRefused("before its time, past the page", "can be sent from", transfer20(usdc, thief, 100_000_000))
	testkit.Eventually(t, 30*time.Second, func() bool { _, err := callsOf(ctx, p, w); return err == nil }, "it does not become ready")
	mustBeRefused("more than confirmed", "as a withdrawal that you have confirmed", transfer20(usdc, thief, 100_000_001))
	mustBeRefused("to somebody else", "as a withdrawal that you have confirmed", transfer20(usdc, p.Owner, 100_000_000))
	mustBeRefused("twice in one operation", "have changed", transfer20(usdc, thief, 100_000_000), transfer20(usdc, thief, 100_000_000))
	calls := sends(ctx, t, p, w)
	if got, err := p.Balance(ctx, usdc, thief); err != nil || got != "100000000" {
		t.Errorf("the recipient has %s (%v)", got, err)
	}
	mustBeRefused("replayed", "as a withdrawal that you have confirmed", calls...)

	again := withdraws(ctx, t, site.URL, p, thief, money("100"))
	testkit.Eventually(t, 30*time.Second, func() bool {
		_, err := callsOf(ctx, p, again)
		return isStatus(err, http.StatusTooManyRequests, "daily-limit")
	}, "the daily limit is not reached")
	mustBeRefused("above the daily limit", "a day out of your wallet", calls...)

	// Deployed on every chain, and it takes no items (github.com/Arachnid/deterministic-deployment-proxy).
	deployer := "0x4e59b44847b379578588920cA78FbF26c0B4956C"
	packs := kindOf(ctx, t, p, "listPacks")
	refused(t, "a contract that refuses items", p.Call(ctx, http.MethodPost, "/api/auth/withdrawals",
		map[string]any{"to": deployer, "assets": []any{packs}}, nil),
		http.StatusBadRequest, `"recipient"`)

	// An Elder God is listed; it leaves, and its listing ends with it. An immortal leaves on the main chain.
	god := kindOf(ctx, t, p, "listElderGods")
	lists(ctx, t, p, god)
	moved := withdraws(ctx, t, site.URL, p, thief, god, packs)
	if calls := sends(ctx, t, p, moved); len(calls) != 3 {
		t.Errorf("%d calls, want the listing's end and two transfers", len(calls))
	}
	testkit.Eventually(t, 30*time.Second, func() bool { return !isListed(ctx, t, p, god) }, "the listing has not ended")
	immortal := kindOf(ctx, t, p, "listImmortals")
	sends(ctx, t, p.OnMainChain(), withdraws(ctx, t, site.URL, p, thief, immortal))

	refused(t, "soulbound tokens", p.Call(ctx, http.MethodPost, "/api/auth/withdrawals", map[string]any{"to": thief, "assets": []any{
		map[string]any{"chainId": p.Config.GameChain.ID, "contract": p.Config.Contracts.PiggySoulboundCollection, "tokenId": "1", "amount": "1"},
	}}, nil), http.StatusBadRequest, "This cannot leave your wallet.")
}

// isRefusal reports whether the signer or the relay refused an operation with the text.
func isRefusal(err error, text string) bool {
	var answer *player.Error
	return reason(err, text) || errors.As(err, &answer) && strings.Contains(answer.Body, text)
}

func isStatus(err error, status int, text string) bool {
	var answer *player.Error
	return errors.As(err, &answer) && answer.Status == status && strings.Contains(answer.Body, text)
}

// kindOf returns the first token that one of the lists of holdings has, as an asset of a withdrawal.
func kindOf(ctx context.Context, t *testing.T, p *player.Player, list string) map[string]any {
	t.Helper()
	var held []player.Holding
	testkit.Eventually(t, 30*time.Second, func() (some bool) {
		var err error
		held, err = p.Holdings(ctx, list)
		return err == nil && len(held) > 0
	}, "%s is empty", list)
	chain := p.Config.GameChain.ID
	if list == "listImmortals" {
		chain = p.Config.MainChain.ID
	}
	return map[string]any{"chainId": chain, "contract": held[0].Contract, "tokenId": held[0].TokenID, "amount": "1"}
}

// lists lists an ERC-721 token for 10 USDC and waits for the market to show it.
func lists(ctx context.Context, t *testing.T, p *player.Player, asset map[string]any) {
	t.Helper()
	id, _ := new(big.Int).SetString(asset["tokenId"].(string), 10)
	op, err := prepare(ctx, t, p, p.ListCalls(asset["contract"].(eth.Address), id, 10_000_000))
	must(t, err)
	_, err = p.Send(ctx, op)
	must(t, err)
	testkit.Eventually(t, 30*time.Second, func() bool { return isListed(ctx, t, p, asset) }, "the market does not show the listing")
}

// isListed reports whether the player has a live listing of the token.
func isListed(ctx context.Context, t *testing.T, p *player.Player, asset map[string]any) bool {
	t.Helper()
	var item struct {
		Listings []player.Listing
	}
	must(t, p.Call(ctx, http.MethodGet, fmt.Sprintf("/api/marketplace/items/%s/%s", asset["contract"], asset["tokenId"]), nil, &item))
	return slices.ContainsFunc(item.Listings, func(l player.Listing) bool { return l.Seller == p.Smart })
}
