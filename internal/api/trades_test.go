package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/traderisk"
	"pantheon/internal/testkit"
)

// tradeDesk finds a sale of a god for 1 USDC, of which nothing tells what it is worth, and a purchase for 9 that usually
// costs 2.5. Without calls there is nothing to approve.
type tradeDesk struct{}

func (tradeDesk) Assess(_ context.Context, _ string, chain onchain.ChainID, calls []gas.Call) (traderisk.Assessment, approval.Act, error) {
	if chain != testkit.GameChain {
		return traderisk.Assessment{}, approval.Act{}, nil
	}
	usual := money.FromInt(2_500_000)
	return traderisk.Assessment{
		PerDay: money.FromInt(25_000_000), Left: money.FromInt(3_000_000), Risk: money.FromInt(31_500_000),
		Trades: []traderisk.Trade{
			{
				Order: traderisk.Order{Side: traderisk.Sells, Contract: calls[0].Target, TokenID: "7", Quantity: 1, Price: money.FromInt(1_000_000)},
				Name:  "Zeus", Risk: money.FromInt(25_000_000),
			},
			{
				Order: traderisk.Order{
					Side: traderisk.Buys, Contract: eth.MustAddress(testkit.Items), TokenID: "8", Quantity: 1, Price: money.FromInt(9_000_000),
				},
				Reference: &usual, Name: "Hera", Risk: money.FromInt(6_500_000),
			},
		},
	}, approval.Act{Kind: approval.Trade, Digest: "d", Lines: []string{"Sell Zeus for 1 USDC each, its usual price is not known"}}, nil
}

// The answer says what is far from usual prices, and an approval of exactly these calls was requested.
// Spec: SELL-5
func TestTrades_TheAnswerNamesPricesAndTheApproval(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.register("zeus")
	answer := p.mustSucceed(request{
		method: http.MethodPost, path: "/api/auth/marketplace/trades/approval", authorization: zeus.token,
		body: `{"chainId":1337042,"calls":[{"to":"` + testkit.Items + `","data":"0x01"}]}`,
	}, http.StatusOK).text
	for _, part := range []string{
		`"needed":true`, `"way":"code"`, `"kind":"trade"`, `"perDay":"25"`,
		`{"side":"sells","name":"Zeus","contract":"` + eth.MustAddress(testkit.Items).Checksum() +
			`","tokenId":"7","quantity":1,"price":"1","risk":"25"}`,
		`"price":"9","reference":"2.5","risk":"6.5"}`,
	} {
		if !strings.Contains(answer, part) {
			t.Errorf("%s is not in %s", part, answer)
		}
	}
}
