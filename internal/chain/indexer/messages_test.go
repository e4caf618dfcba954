package indexer_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/announce"
	"pantheon/internal/store"
)

// player assigns a role's wallet to a player.
func (x *indexed) player(id string, r devnet.Role) {
	x.t.Helper()
	for _, insert := range []string{
		fmt.Sprintf("INSERT INTO player (id, display_name, email, created_at) VALUES ('%s', '%[1]s', '%[1]s', 0)", id),
		fmt.Sprintf("INSERT INTO wallet (player_id, owner_address, sealed_key, smart_address, created_at) VALUES ('%s', '%[1]s', '', '%s', 0)",
			id, devnet.WalletOf(r).Address),
	} {
		if _, err := x.raw.ExecContext(x.t.Context(), insert); err != nil {
			x.t.Fatal(err)
		}
	}
}

// told returns the announcements in the outbox, each text once with its count: the topic and the listing, or the
// receiver, the channel and the type of a message.
func (x *indexed) told() (lines []string) {
	x.t.Helper()
	all, err := store.Outbox{DB: x.db}.Announcements(x.t.Context(), 10_000)
	if err != nil {
		x.t.Fatal(err)
	}
	count := map[string]int{}
	for _, a := range all {
		line := string(a.Topic) + " " + a.Payload
		if a.Topic == announce.Message {
			var m announce.Realtime
			if err := json.Unmarshal([]byte(a.Payload), &m); err != nil {
				x.t.Fatal(err)
			}
			line = fmt.Sprintf("%s: %s/%s", a.Target, m.ChannelID, m.Type)
		}
		count[line]++
	}
	for line, n := range count {
		lines = append(lines, fmt.Sprintf("%d × %s", n, line))
	}
	slices.Sort(lines)
	return lines
}

// A listing of packs is created, bought from and cancelled; then the chain replaces these blocks by others with the
// same transactions, at the same positions and at others. The restored listing is announced to everyone; its seller and
// its buyer are notified once.
// Spec: LIVE-26
func TestMessages_PlayersAreToldOnceHoweverTheChainIsReorganised(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, b *bazaar, engine store.Engine) {
		x := b.index(engine)
		x.player("seller", devnet.Seller(1))
		x.player("buyer", devnet.Claimer)
		_, _ = follow(t, b.options(x))
		b.stock()
		x.await(b.chain.Head())
		chests := b.at.Collections["chests"]
		b.mine(b.fixTable(1, 1))
		b.mine(
			b.act(devnet.Manager, chests, many.PackMint(addressOf(devnet.Seller(1)), big.NewInt(1), big.NewInt(9), nil)),
			b.act(devnet.Seller(1), chests, many.PackSetApprovalForAll(common.Address(b.at.Marketplace), true)),
		)
		x.await(b.chain.Head())
		x.want("of goods and money", x.told(), "1 × buyer: holdings/change", "2 × seller: holdings/change")

		b.mine(b.act(devnet.Seller(1), b.at.Marketplace, marketV3.PackCreateListing(b.offer(chests, 1, 9, 2_000_000))))
		x.await(b.chain.Head())
		b.ok(b.chain.Reorg(t.Context(), 1, b.branches()["the same"](1)))
		x.await(b.chain.Head())
		x.want("of a listing that was made twice", x.told(), "1 × : live-listings-change/delete", "1 × buyer: holdings/change",
			"1 × seller: listing/new", "2 × listing-new 1337042-0", "2 × seller: holdings/change")

		b.mine(b.buy(0, devnet.Claimer, 2, 2_000_000))
		b.mine(b.act(devnet.Seller(1), b.at.Marketplace, marketV3.PackCancelListing(big.NewInt(0))))
		x.await(b.chain.Head())
		once := func() []string {
			return slices.DeleteFunc(x.told(), func(line string) bool {
				return !strings.Contains(line, "kod-pack/") && !strings.Contains(line, "seller: listing/")
			})
		}
		want := []string{"1 × buyer: kod-pack/purchase-complete", "1 × seller: listing/new", "1 × seller: listing/remove"}
		x.want("of sale and end", once(), want...)
		for _, branch := range []string{"the same", "all at the end", "nothing"} {
			b.ok(b.chain.Reorg(t.Context(), 3, b.branches()[branch](3)))
			x.await(b.chain.Head())
			_, err := b.chain.Mine(t.Context()) // the omitted transactions are mined again
			b.ok(err)
			x.await(b.chain.Head())
			x.want("after three blocks were replaced by "+branch, once(), want...)
			x.want("listings then", x.listings(), "0 7 2000000 cancelled invalid")
		}
	})
}
