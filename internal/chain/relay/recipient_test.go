package relay_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/gas"
)

// burner deploys a contract that takes every token, after it has counted down from n, at about 40 gas a step.
func (s *site) burner(n uint32) eth.Address {
	s.Helper()
	runtime := slices.Concat(
		[]byte{0x63, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)},  // PUSH4 n
		[]byte{0x5b, 0x60, 0x01, 0x90, 0x03, 0x80, 0x60, 0x05, 0x57},       // again: n - 1; JUMPI again
		[]byte{0x5f, 0x35, 0x60, 0xe0, 0x1c, 0x60, 0xe0, 0x1b, 0x5f, 0x52}, // the called function's selector is the answer
		[]byte{0x60, 0x20, 0x5f, 0xf3},                                     // RETURN
	)
	size := byte(len(runtime))
	creation := slices.Concat([]byte{0x60, size, 0x60, 0x0a, 0x5f, 0x39, 0x60, size, 0x5f, 0xf3}, runtime)
	s.transact(devnet.Manager, contracts.Deployer, append(make([]byte, 32), creation...))
	return contracts.Create2Address(contracts.Deployer, eth.Hash{}, creation)
}

// A recipient's code that burns gas does not run on ours.
func TestAttack_RecipientsCodeBurnsTheGas(t *testing.T) {
	t.Parallel()
	s := newSite(t, sqlite(t))
	chests, avatars := s.at.Collections["chests"], s.at.Collections["avatars"]
	sendable := gas.Contracts{Sendable721: []eth.Address{avatars}, Sendable1155: []eth.Address{chests}}
	s.policy.Allowed = append(s.policy.Allowed, gas.AllowedCalls(sendable)...)
	s.start()
	p := s.player("P", 0)
	two, token := big.NewInt(2), big.NewInt(77)
	packs, err := contracts.Mint1155(p.Smart, two, two)
	if err != nil {
		t.Fatal(err)
	}
	avatar, err := contracts.Mint721(p.Smart, token)
	if err != nil {
		t.Fatal(err)
	}
	s.transact(devnet.Manager, chests, packs)
	s.transact(devnet.Manager, avatars, avatar)
	greedy, modest := s.burner(50_000), s.burner(100)
	from := common.Address(p.Smart)
	pack := func(to eth.Address) []gas.Call {
		return []gas.Call{{
			Target: chests, Data: contracts.NewCollection1155().PackSafeTransferFrom(from, common.Address(to), two, big.NewInt(1), nil),
		}}
	}
	wantRefusal(t, p.complete(p.draft(0, pack(greedy))), -32501, "recipient")
	p.prepare(pack(modest))

	op := p.prepare([]gas.Call{{Target: avatars, Data: contracts.NewCollection721().PackTransferFrom(from, common.Address(greedy), token)}})
	if limit, _ := op.CallGasLimit.Uint64(); limit > 200_000 {
		t.Errorf("moving an avatar may take %d gas", limit)
	}
}
