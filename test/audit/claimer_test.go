package audit_test

import (
	"encoding/hex"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"pantheon/internal/audit"
	"pantheon/internal/brand/brandtest"
	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/chain/devnet/devnettest"
	"pantheon/internal/chain/devnet/world"
	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/store"
	"pantheon/test/player"
)

// replacing is a scene in which one wallet takes the place of another that mints and anchors.
type replacing struct {
	*scene
	former, next devnet.Wallet
	chains       map[onchain.ChainID]*ethclient.Client
	minted       map[onchain.ChainID][]eth.Address // contracts
	players      []*player.Player
}

// The wallet that mints and anchors is replaced in three steps while packs are burned and bought, and the portal is killed at each.
// Nothing is minted twice or lost, and everybody can verify the openings of both wallets.
// Spec: RUN-26
func TestAudit_TheClaimerIsReplaced(t *testing.T) {
	t.Parallel()
	s := start(t, store.SQLite, 8*time.Minute)
	r := &replacing{
		scene: s, former: devnet.WalletOf(devnet.Claimer), next: devnet.WalletOf("next claimer"),
		chains: map[onchain.ChainID]*ethclient.Client{}, minted: map[onchain.ChainID][]eth.Address{},
	}
	r.dial()
	for _, client := range r.chains {
		r.pay(client, r.next.Address, nil, 5e18)
	}
	r.rights("grantRole(bytes32,address)", r.next)
	r.players = s.newPlayers(2, map[int64]int64{general: 12})
	s.sold("destiny-bronze", 1)

	for _, step := range [][]string{
		{"CLAIMER_PRIVATE_KEY=" + hexOf(r.former) + "," + hexOf(r.next)},
		{"CLAIMER_PRIVATE_KEY=" + hexOf(r.next) + "," + hexOf(r.former), "CLAIMER_BACKEND_WALLET=" + r.next.Address.Checksum()},
	} {
		wait := r.open()
		for _, setting := range step {
			s.site.Set(setting)
		}
		s.site.Kill()
		s.site.Restart()
		wait()
	}
	r.open()()
	r.allGiven()
	r.rights("revokeRole(bytes32,address)", r.former)
	s.site.Set("CLAIMER_PRIVATE_KEY=" + hexOf(r.next))
	s.site.Set("CLAIMER_FORMER_WALLETS=" + r.former.Address.Checksum())
	s.site.Restart()
	r.open()()
	r.allGiven()

	var config struct {
		Contracts             struct{ ClaimerBackendWallet eth.Address }
		ClaimerBackendWallets []eth.Address
	}
	s.ok(s.get("/api/config", &config))
	if all := config.ClaimerBackendWallets; config.Contracts.ClaimerBackendWallet != r.next.Address || len(all) != 2 ||
		all[0] != r.next.Address || all[1] != r.former.Address {
		t.Errorf("the configuration names %v", config)
	}
	found := r.audit()
	if err := found.Err(); err != nil || found.Unsure+found.Ungiven+found.Waiting+len(found.Unknown) > 0 || found.Recorded != 16 {
		t.Errorf("found %+v", found)
	}
	mints, granted := r.mints(), r.granted()
	if mints[r.former.Address] == 0 || mints[r.next.Address] == 0 || mints[r.former.Address]+mints[r.next.Address] != granted {
		t.Errorf("%d tokens are granted, and minted by wallets: %v", granted, mints)
	}
	if by := r.anchors(); by[r.former.Address] == 0 || by[r.next.Address] == 0 {
		t.Errorf("anchors by wallets: %v", by)
	}
	s.site.Set("CLAIMER_FORMER_WALLETS=")
	s.site.Restart()
	unnamed := r.audit()
	want := "by " + r.former.Address.Checksum() + " on chain 1337042, and not by a wallet that the portal publishes"
	if err := unnamed.Err(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("while the former wallet is not named: %v", err)
	}
}

func hexOf(w devnet.Wallet) string { return "0x" + hex.EncodeToString(crypto.FromECDSA(w.Key)) }

// dial connects to the chains, and finds the contracts that rewards mint.
func (r *replacing) dial() {
	r.Helper()
	for id, side := range map[onchain.ChainID]collections.Chain{
		devnettest.GameChain: collections.GameChain, devnettest.MainChain: collections.MainChain,
	} {
		client, err := ethclient.Dial(r.nodes[id])
		r.ok(err)
		r.Cleanup(client.Close)
		r.chains[id] = client
		at, err := world.AddressesOf(brandtest.Pantheon().Collections, side)
		r.ok(err)
		for _, c := range brandtest.Pantheon().Collections.All() {
			if c.Chain == side {
				r.minted[id] = append(r.minted[id], at.Collections[c.Slug])
			}
		}
		if side == collections.GameChain {
			r.minted[id] = append(r.minted[id], at.GOD)
		}
	}
}

// pay has the manager send a transaction on a chain, and waits until it is mined.
func (r *replacing) pay(client *ethclient.Client, to eth.Address, data []byte, wei float64) {
	r.Helper()
	delete(r.nonces, devnet.Manager) // which send keeps
	from, target := devnet.WalletOf(devnet.Manager), common.Address(to)
	nonce, err := client.PendingNonceAt(r.ctx, common.Address(from.Address))
	r.ok(err)
	chain, err := client.ChainID(r.ctx)
	r.ok(err)
	value, _ := big.NewFloat(wei).Int(nil)
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(chain), &types.DynamicFeeTx{
		ChainID: chain, Nonce: nonce, To: &target, Value: value, Data: data, Gas: 200_000, GasTipCap: big.NewInt(1),
		GasFeeCap: big.NewInt(100_000_000_000),
	})
	r.ok(err)
	r.ok(client.SendTransaction(r.ctx, tx))
	r.eventually(func() bool {
		receipt, err := client.TransactionReceipt(r.ctx, tx.Hash())
		return err == nil && receipt.Status == types.ReceiptStatusSuccessful
	}, "the manager is not obeyed")
}

// rights lets the manager give a wallet the right to mint, or take it.
func (r *replacing) rights(method string, w devnet.Wallet) {
	r.Helper()
	for id, client := range r.chains {
		for _, contract := range r.minted[id] {
			r.pay(client, contract, contracts.Call(method, eth.Keccak256([]byte("MINTER_ROLE")), eth.AddressWord(w.Address)), 0)
		}
	}
}

// open has each player burn packs and buy others, which are recorded. The result waits until the burned ones are on the chain.
func (r *replacing) open() (wait func()) {
	r.Helper()
	var waits []func()
	for _, p := range r.players {
		r.buy(p, bronze, 2)
		waits = append(waits, r.relay(p, map[int64]int64{general: 2}))
	}
	r.eventually(func() bool { return r.recorded() == r.paid() }, "the payments are not recorded")
	return func() {
		r.Helper()
		for _, wait := range waits {
			wait()
		}
	}
}

// allGiven waits until all openings are drawn, and the players have what they were given.
func (r *replacing) allGiven() {
	r.Helper()
	var p progress
	_, burned := r.burned()
	r.allDrawn(&p, burned+r.paid())
	for _, player := range r.players {
		r.eventually(func() bool {
			rewards, err := player.Rewards(r.ctx, "")
			return err == nil && allDone(rewards, 18)
		}, "something is not given")
	}
}

func (r *replacing) audit() audit.Summary {
	r.Helper()
	found, err := r.auditor().All(r.ctx, audit.Chests{Chain: devnettest.GameChain, Contract: r.chests})
	r.ok(err)
	return found
}

// granted returns how many grants of tokens the players have had.
func (r *replacing) granted() (n int) {
	r.Helper()
	for _, p := range r.players {
		rewards, err := p.Rewards(r.ctx, "")
		r.ok(err)
		for _, reward := range rewards {
			for _, g := range reward.Grants {
				if g.Contract != nil {
					n++
				}
			}
		}
	}
	return n
}

// mints returns how many transactions of each wallet have minted something for the players, on both chains.
func (r *replacing) mints() map[eth.Address]int {
	r.Helper()
	out := map[eth.Address]int{}
	for _, client := range r.chains {
		head, err := client.BlockNumber(r.ctx)
		r.ok(err)
		chain, err := client.ChainID(r.ctx)
		r.ok(err)
		for number := range head + 1 {
			block, err := client.BlockByNumber(r.ctx, new(big.Int).SetUint64(number))
			r.ok(err)
			for _, tx := range block.Transactions() {
				by, err := types.Sender(types.LatestSignerForChainID(chain), tx)
				r.ok(err)
				if from := eth.Address(by); (from == r.former.Address || from == r.next.Address) && r.isForPlayers(tx) {
					out[from]++
				}
			}
		}
	}
	return out
}

// isForPlayers reports whether the first argument of a transaction's call is the wallet of a player.
func (r *replacing) isForPlayers(tx *types.Transaction) bool {
	for _, p := range r.players {
		if word := eth.AddressWord(p.Smart); len(tx.Data()) >= 36 && eth.Hash(tx.Data()[4:36]) == word {
			return true
		}
	}
	return false
}

// anchors returns how many anchors of the public log are of each wallet.
func (r *replacing) anchors() map[eth.Address]int {
	r.Helper()
	var log struct {
		Anchors []struct{ Wallet eth.Address }
	}
	r.ok(r.get("/api/packs/records?limit=500", &log))
	out := map[eth.Address]int{}
	for _, a := range log.Anchors {
		out[a.Wallet]++
	}
	return out
}
