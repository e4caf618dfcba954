//go:build !nodev

package app

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pantheon/internal/brand"
	"pantheon/internal/catalogue"
	"pantheon/internal/chain/devnet"
	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/account"
	"pantheon/internal/store/accounts"
)

// demoPlayers is the number of fictional players on each leaderboard of the development world.
const demoPlayers = 200

// demoStandings returns the leaderboards' entries of fictional players, the same every time.
func demoStandings(names []string, boards []brand.Board) (out []accounts.Standing) {
	for i, name := range names {
		hash := eth.Keccak256([]byte("demo player " + strconv.Itoa(i)))
		id := strings.ToUpper(hex.EncodeToString(hash[:8]))
		jitter := int64(hash[8])
		up := int64(i*73) % demoPlayers // in another order on all boards but the first
		for n, board := range boards {
			score := int64(52_000*math.Pow(0.976, float64(i))) + jitter
			if n > 0 {
				score = 1_720 - 8*up - jitter%8
			}
			out = append(out, accounts.Standing{Board: board.ID, PlayerID: id, Name: name, Score: score})
		}
	}
	return out
}

// demoSellers names the wallets of the demo sellers: they lead the first leaderboard.
func demoSellers(names []string) map[eth.Address]string {
	out := map[eth.Address]string{}
	for n := range devnet.Sellers {
		out[eth.Address(devnet.WalletOf(devnet.Seller(n+1)).Address)] = names[n]
	}
	return out
}

// demoNames returns distinct names as players could choose them: those of the brand's avatars, without their epithets, and numbered ones
// where it has none.
func demoNames(c *catalogue.Catalogue) (names []string) {
	known := map[string]bool{}
	for token := 1; len(names) < demoPlayers; token++ {
		avatar, err := c.Describe("avatars", strconv.Itoa(token))
		name, _, _ := strings.Cut(avatar.Name, ", ")
		if err != nil {
			name = fmt.Sprintf("Player %d", token)
		}
		if account.NameFault(name) == "" && !known[name] {
			known[name] = true
			names = append(names, name)
		}
	}
	return names
}
