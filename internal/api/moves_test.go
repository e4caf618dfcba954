package api_test

import (
	"context"
	"strings"
	"testing"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/move"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/moves"
	"pantheon/internal/testkit"
)

// formerChain is the chain that the portal of the tests has left.
const formerChain onchain.ChainID = 4242

var formerItems, newItems = eth.MustAddress("0x00000000000000000000000000000000000f0001"), eth.MustAddress(testkit.Items)

// leave makes a portal one that has left a chain.
func (p *portal) leave(chain onchain.ChainID) {
	p.t.Helper()
	block := eth.Hash{31: 7}
	p.ok(p.db.Write(p.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		if err := moves.Begin(ctx, tx, move.Move{From: chain, FrozenAt: p.clock.Now()}); err != nil {
			return err
		}
		if err := tx.ChooseMoveBlock(ctx, gen.ChooseMoveBlockParams{
			BlockNumber: 9, BlockHash: block.String(), BlockTime: column.At(p.clock.Now()), FromChain: chain,
		}); err != nil {
			return err
		}
		if _, err := tx.FinishSnapshot(ctx, gen.FinishSnapshotParams{
			SnapshotHash: strings.Repeat("ab", 32), SnapshotAt: column.At(p.clock.Now()), FromChain: chain, BlockHash: block.String(),
		}); err != nil {
			return err
		}
		if err := tx.InsertMoveSupply(ctx, gen.InsertMoveSupplyParams{
			FromChain: chain, Contract: formerItems, TokenID: "5", Standard: onchain.ERC1155, Collection: "game-items",
			Minted: money.FromInt(1_000_000_000), Burned: money.FromInt(1),
		}); err != nil {
			return err
		}
		if err := tx.SetMoveContract(ctx, gen.SetMoveContractParams{
			ToContract: newItems.String(), FromChain: chain, Contract: formerItems,
		}); err != nil {
			return err
		}
		_, err := tx.FinishMove(ctx, gen.FinishMoveParams{ToChain: testkit.GameChain, MovedAt: column.At(p.clock.Now()), FromChain: chain})
		return err
	}))
}

// held makes a wallet hold a token in the snapshot of the former chain.
func (p *portal) held(owner eth.Address, amount int64) {
	p.t.Helper()
	p.ok(p.db.Write(p.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.Statements().ExecContext(ctx, `INSERT INTO move_holding (from_chain, position, contract, standard, token_id, owner, amount)
			SELECT $1, COUNT(*) + 1, $2, 'erc1155', '5', $3, $4 FROM move_holding`, formerChain, formerItems, owner, money.FromInt(amount))
		return err
	}))
}

// Spec: RUN-34
func TestMoves_EachHoldingIsClaimedOnce(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.admit("zeus", "1"), p.admit("hera", "2")
	p.held(testkit.WalletOf(zeus.id), 3)
	p.held(testkit.WalletOf(hera.id), 4)
	for _, want := range []string{`{"claimed":1}`, `{"claimed":0}`} {
		a := p.mustSucceed(zeus.authorized(request{method: "POST", path: "/api/auth/moves/4242/claim"}, player), 202)
		if strings.TrimSpace(a.text) != want {
			t.Errorf("%s, want %s", a.text, want)
		}
	}
	mine := p.mustSucceed(zeus.authorized(request{method: "GET", path: "/api/auth/moves/4242"}, player), 200).text
	for _, want := range []string{`"state":"drawn"`, `"rewardId":"move/4242/1"`, `"amount":"3"`, `"claimable":0`} {
		if !strings.Contains(mine, want) {
			t.Errorf("%s lacks %s", mine, want)
		}
	}
	other := p.mustSucceed(hera.authorized(request{method: "GET", path: "/api/auth/moves/4242"}, player), 200).text
	if !strings.Contains(other, `"state":"claimable"`) || !strings.Contains(other, `"claimable":1`) {
		t.Errorf("what the other can claim: %s", other)
	}
	public := p.mustSucceed(request{method: "GET", path: "/api/moves/4242"}, 200).text
	for _, want := range []string{`"minted":"1000000000"`, `"burned":"1"`, `"held":"999999999"`, `"claimed":"3"`, `"given":"0"`} {
		if !strings.Contains(public, want) {
			t.Errorf("%s lacks %s", public, want)
		}
	}
	text := p.mustSucceed(request{method: "GET", path: "/api/moves/4242/snapshot"}, 200).text
	want := "holdings snapshot 1\nchain 4242\nblock 9 0x" + strings.Repeat("0", 62) + "07\n" +
		formerItems.String() + " 5 " + testkit.WalletOf(zeus.id).String() + " 3\n" +
		formerItems.String() + " 5 " + testkit.WalletOf(hera.id).String() + " 4\n"
	if text != want {
		t.Errorf("the snapshot is\n%s\nwant\n%s", text, want)
	}
	if part := p.mustSucceed(request{method: "GET", path: "/api/moves/4242/snapshot?part=2"}, 200).text; part != "" {
		t.Errorf("the second part is %q", part)
	}
	p.mustBeProblem("another chain", p.send(request{method: "GET", path: "/api/moves/1"}), 404)
}
