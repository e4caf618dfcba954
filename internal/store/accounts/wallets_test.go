package accounts_test

import (
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

func TestWallets_WalletsOfPlayersAreKnown(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		testkit.AddPlayers(t, db, 0, "A", "B")
		own, stranger := eth.Address{1}, eth.Address{2}
		at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
		if err := accounts.New(db).SaveChallenge(t.Context(), "A", wallet.Challenge{
			Address: own, Chain: testkit.GameChain, Nonce: "n", IssuedAt: at, ExpiresAt: at,
		}); err != nil {
			t.Fatal(err)
		}
		is := func(a eth.Address) bool {
			t.Helper()
			found, err := accounts.New(db).IsPlayersWallet(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		if is(own) {
			t.Error("a wallet that nobody has proven to hold is a player's")
		}
		if err := accounts.New(db).KeepVerified(t.Context(), wallet.Verified{
			PlayerID: "A", Address: own, Chain: testkit.GameChain, At: at,
		}, "n", nil); err != nil {
			t.Fatal(err)
		}
		for what, a := range map[string]eth.Address{
			"a smart wallet": testkit.WalletOf("B"), "an embedded wallet": testkit.OwnerOf("B"), "a verified wallet": own,
		} {
			if !is(a) {
				t.Errorf("%s is no player's", what)
			}
		}
		if is(stranger) || is(eth.Address{}) {
			t.Error("a stranger's wallet is a player's")
		}
	})
}
