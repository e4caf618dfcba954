package claim_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/claim"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

var (
	opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) // in the season dawn
	gods    = claim.Contract{Chain: testkit.GameChain, Address: eth.MustAddress("0x00000000000000000000000000000000000000e6")}
	god     = claim.Contract{Chain: testkit.GameChain, Address: eth.MustAddress("0x000000000000000000000000000000000000060d")}
	avatars = claim.Contract{Chain: testkit.GameChain, Address: eth.MustAddress("0x00000000000000000000000000000000000000a2")}
)

// world is the service on a database, with the players A and B.
type world struct {
	*claim.Service
	t     *testing.T
	db    *store.DB
	clock *clock.Fake
}

func each(t *testing.T, seasons string, test func(w *world)) {
	t.Helper()
	current := parseSeasons(t, seasons)
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, c *clock.Fake) {
		testkit.AddPlayers(t, db, 0, "A", "B")
		test(&world{claim.NewService(claim.Options{
			Store: rewards.New(db), Seasons: func() claim.Seasons { return current }, Clock: c, Gods: gods, GOD: god, Avatars: avatars,
			Claimed: func() {},
		}), t, db, c})
	})
}

// give puts an Elder God into a wallet; every one is rare.
func (w *world) give(owner eth.Address, tokenID string) {
	w.t.Helper()
	testkit.Give(w.t, w.db, owner, gods.Address, tokenID, 1)
}

// take removes an Elder God from a wallet.
func (w *world) take(owner eth.Address, tokenID string) {
	w.t.Helper()
	w.ok(w.db.Write(w.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return tx.DeleteHolding(ctx, gen.DeleteHoldingParams{
			ChainID: testkit.GameChain, Contract: gods.Address, TokenID: tokenID, Owner: owner,
		})
	}))
}

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// records returns a player's rewards.
func (w *world) records(player string) []reward.Record {
	w.t.Helper()
	page, _, err := reward.Records{RecordStore: rewards.New(w.db)}.Page(w.t.Context(), reward.Query{PlayerID: player, Limit: 100}, "")
	w.ok(err)
	return page
}

func (w *world) refused(err error, code fault.Code, reason string) *fault.Fault {
	w.t.Helper()
	f := fault.As(err)
	if f == nil || f.Code != code || f.Reason != reason || f.Message == "" {
		w.t.Fatalf("%v, want %s for the reason %q", err, code, reason)
	}
	return f
}

func TestVault_ClaimIsAMintOfGODToTheSmartWallet(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		w.give(testkit.WalletOf("A"), "7")
		ids, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		w.ok(err)
		source := "vault/dawn/" + gods.Address.String() + "/7"
		if !slices.Equal(ids, []string{source}) {
			w.t.Fatalf("the claims are %v", ids)
		}
		r := w.records("A")
		want := reward.Mint{
			Chain: god.Chain, Contract: god.Address, Standard: onchain.ERC20, TokenID: "0", Amount: money.MustParse("100000000000000000000"),
		}.Content()
		if len(r) != 1 || r[0].Source != source || r[0].Origin != "vault" || r[0].Detail != `{"tokenId":"7","season":"dawn","amount":"100"}` ||
			len(r[0].Given) != 1 || r[0].Given[0].Content != want || !r[0].EarnedAt.Equal(opening) {
			w.t.Errorf("the rewards are %+v", r)
		}
		claimed, err := w.VaultsOf(w.t.Context(), "A", seasonAt(w, opening))
		if err != nil || claimed["7"] != (claim.Claimed{ID: source, State: reward.Drawn}) || len(claimed) != 1 {
			w.t.Errorf("%v, %v", claimed, err)
		}
	})
}

func seasonAt(w *world, at time.Time) *claim.Season {
	now, _ := w.Seasons().At(at)
	return now
}

// Spec: CLAIM-2
func TestVault_IsClaimedOnceASeasonWhoeverOwnsTheGod(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		w.give(testkit.WalletOf("A"), "7")
		_, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		w.ok(err)
		_, err = w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		f := w.refused(err, fault.Conflict, "claimed")
		if f.Details["nextSeason"] != "dusk" || f.Details["nextFrom"] != "2026-08-01T00:00:00Z" || !strings.Contains(f.Message, "1 August 2026") {
			w.t.Errorf("the next season is not told: %q, %v", f.Message, f.Details)
		}
		w.take(testkit.WalletOf("A"), "7")
		w.give(testkit.WalletOf("B"), "7")
		_, err = w.ClaimVaults(w.t.Context(), "B", []string{"7"})
		w.refused(err, fault.Conflict, "claimed")
		claimed, err := w.VaultsOf(w.t.Context(), "B", seasonAt(w, opening))
		if c, ok := claimed["7"]; err != nil || !ok || c != (claim.Claimed{}) {
			w.t.Errorf("the new owner reads %+v, %v", claimed, err)
		}
		w.clock.Advance(160 * 24 * time.Hour) // dusk
		_, err = w.ClaimVaults(w.t.Context(), "B", []string{"7"})
		w.ok(err)
		if len(w.records("A")) != 1 || len(w.records("B")) != 1 {
			w.t.Error("not one reward for each season")
		}
	})
}

// The claim stays when the player who made it is deleted with all rewards.
// Spec: CLAIM-2
func TestVault_StaysClaimedWhenThePlayerIsDeleted(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		w.give(testkit.WalletOf("A"), "7")
		_, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		w.ok(err)
		w.ok(w.db.Write(w.t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.DeletePlayer(ctx, "A")
			return err
		}))
		w.take(testkit.WalletOf("A"), "7")
		w.give(testkit.WalletOf("B"), "7")
		_, err = w.ClaimVaults(w.t.Context(), "B", []string{"7"})
		w.refused(err, fault.Conflict, "claimed")
	})
}

// Spec: CLAIM-2
func TestVault_OnlyTheOwnerByTheIndexClaims(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		w.give(testkit.WalletOf("B"), "7")
		_, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		w.refused(err, fault.Forbidden, "not-yours")
		w.give(testkit.WalletOf("A"), "8")
		w.take(testkit.WalletOf("A"), "8") // sold a block ago
		_, err = w.ClaimVaults(w.t.Context(), "A", []string{"8"})
		w.refused(err, fault.Forbidden, "not-yours")
	})
}

func TestVault_GodsInTheVerifiedWalletCount(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		own := eth.Address{1}
		w.ok(accounts.New(w.db).SaveChallenge(w.t.Context(), "A", wallet.Challenge{
			Address: own, Chain: testkit.GameChain, Nonce: "n", IssuedAt: opening, ExpiresAt: opening,
		}))
		w.ok(accounts.New(w.db).KeepVerified(w.t.Context(),
			wallet.Verified{PlayerID: "A", Address: own, Chain: testkit.GameChain, At: opening}, "n", nil))
		w.give(own, "7")
		_, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		w.ok(err)
		if claimed, err := w.VaultsOf(w.t.Context(), "A", seasonAt(w, opening)); err != nil || claimed["7"].State != reward.Drawn {
			w.t.Errorf("%v, %v", claimed, err)
		}
	})
}

// A god on a listing is still in its owner's wallet.
func TestVault_GodsOnListingsCount(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		w.give(testkit.WalletOf("A"), "7")
		w.ok(w.db.Write(w.t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.PutListing(ctx, gen.PutListingParams{
				ID: "L", ChainID: testkit.GameChain, ListingID: "1", Contract: gods.Address, TokenID: "7", Seller: testkit.WalletOf("A"),
				Quantity: 1, Currency: eth.MustAddress(testkit.USDC), Price: money.FromInt(1), Status: "active", Valid: true,
			})
		}))
		_, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		w.ok(err)
	})
}

func TestVault_AllOfAClaimOrNone(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		for _, id := range []string{"10", "9", "8"} {
			w.give(testkit.WalletOf("A"), id)
		}
		_, err := w.ClaimVaults(w.t.Context(), "A", []string{"8", "9", "11"})
		w.refused(err, fault.Forbidden, "not-yours")
		if r := w.records("A"); len(r) != 0 {
			w.t.Fatalf("%d rewards of a refused claim", len(r))
		}
		ids, err := w.ClaimVaults(w.t.Context(), "A", []string{"10", "9", "10", "8"})
		w.ok(err)
		if len(ids) != 3 || !strings.HasSuffix(ids[0], "/10") || !strings.HasSuffix(ids[1], "/9") || !strings.HasSuffix(ids[2], "/8") ||
			len(w.records("A")) != 3 {
			w.t.Errorf("the claims are %v", ids)
		}
	})
}

func TestVault_NothingIsClaimedBetweenSeasons(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		w.give(testkit.WalletOf("A"), "7")
		w.clock.Advance(130 * 24 * time.Hour) // in July
		_, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		if f := w.refused(err, fault.Conflict, "no-season"); f.Details["nextSeason"] != "dusk" {
			w.t.Errorf("details %v", f.Details)
		}
		_, err = w.ClaimAvatar(w.t.Context(), "A")
		w.refused(err, fault.Conflict, "no-season")
		w.clock.Advance(365 * 24 * time.Hour)
		_, err = w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		if f := w.refused(err, fault.Conflict, "no-season"); f.Details != nil || !strings.Contains(f.Message, "not announced") {
			w.t.Errorf("%q, %v", f.Message, f.Details)
		}
	})
}

// tabs makes n claims at once and returns how many succeeded. The others must be refused as claimed.
func tabs(w *world, n int, claim func(i int) error) (succeeded int) {
	w.t.Helper()
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		start = make(chan struct{})
	)
	for i := range n {
		wg.Go(func() {
			<-start
			err := claim(i)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				succeeded++
			} else if f := fault.As(err); f == nil || f.Code != fault.Conflict || f.Reason != "claimed" {
				w.t.Errorf("claim %d: %v", i, err)
			}
		})
	}
	close(start)
	wg.Wait()
	return succeeded
}

// Spec: CLAIM-2
func TestVault_ExactlyOneOfConcurrentClaimsSucceeds(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		// A god that two players' wallets hold for a moment, as if the index moved it in between.
		both := []string{"A", "B"}
		for round := range 5 {
			ids := []string{strconv.Itoa(100 + 2*round), strconv.Itoa(101 + 2*round)}
			for _, id := range ids {
				w.give(testkit.WalletOf("A"), id)
				w.give(testkit.WalletOf("B"), id)
			}
			n := tabs(w, 16, func(i int) error {
				order := slices.Clone(ids)
				if i%4 < 2 {
					slices.Reverse(order)
				}
				_, err := w.ClaimVaults(w.t.Context(), both[i%2], order)
				return err
			})
			if n != 1 {
				w.t.Fatalf("round %d: %d claims succeeded", round, n)
			}
		}
		if n := len(w.records("A")) + len(w.records("B")); n != 10 {
			w.t.Errorf("%d rewards, want 10", n)
		}
	})
}

// Spec: CLAIM-3
func TestAvatar_IsClaimedOnceAWallet(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		has, err := w.HasAvatar(w.t.Context(), testkit.WalletOf("A"))
		if has || err != nil {
			w.t.Fatalf("%v, %v before", has, err)
		}
		var mu sync.Mutex
		var id string
		n := tabs(w, 8, func(int) error {
			got, err := w.ClaimAvatar(w.t.Context(), "A")
			if err == nil {
				mu.Lock()
				id = got
				mu.Unlock()
			}
			return err
		})
		smart := testkit.WalletOf("A")
		if n != 1 || id != "avatar/"+smart.String() {
			w.t.Fatalf("%d claims succeeded, the last is %q", n, id)
		}
		if has, err := w.HasAvatar(w.t.Context(), testkit.WalletOf("A")); !has || err != nil {
			w.t.Errorf("%v, %v afterwards", has, err)
		}
		r := w.records("A")
		want := reward.Mint{
			Chain: avatars.Chain, Contract: avatars.Address, Standard: onchain.ERC721, TokenID: "1", Amount: money.FromInt(1), To: smart,
		}.Content()
		detail := `{"tokenId":"1","season":"dawn","contract":"` + avatars.Address.String() + `"}`
		if len(r) != 1 || r[0].Origin != "avatar" || !strings.EqualFold(r[0].Detail, detail) || len(r[0].Given) != 1 ||
			r[0].Given[0].Content != want {
			w.t.Errorf("the rewards are %+v", r)
		}
	})
}

// Spec: CLAIM-3
func TestAvatar_EachClaimHasATokenOfItsOwn(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		var players []string
		for i := range 12 { // of which ten get one of the ids 1 to 10
			players = append(players, fmt.Sprintf("P%d", i))
		}
		testkit.AddPlayers(w.t, w.db, 0, players...)
		var wg sync.WaitGroup
		refused := make(chan error, len(players))
		for _, p := range players {
			wg.Go(func() {
				if _, err := w.ClaimAvatar(w.t.Context(), p); err != nil {
					refused <- err
				}
			})
		}
		wg.Wait()
		close(refused)
		for err := range refused {
			w.refused(err, fault.Conflict, "none-left")
		}
		given := map[string]bool{}
		for _, p := range players {
			for _, r := range w.records(p) {
				given[r.Detail] = true
			}
		}
		if len(given) != 10 {
			w.t.Errorf("%d different avatars, want 10: %v", len(given), given)
		}
	})
}

func TestAvatar_NeedsAWalletAndASeasonWithAvatars(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		testkit.AddPlatformPlayer(w.t, w.db, "C")
		_, err := w.ClaimAvatar(w.t.Context(), "C")
		w.refused(err, fault.Conflict, "no-wallet")
		if has, err := w.HasAvatar(w.t.Context(), testkit.WalletOf("C")); has || err != nil {
			w.t.Errorf("%v, %v", has, err)
		}
		_, err = w.ClaimAvatar(w.t.Context(), "A")
		w.ok(err)
		w.clock.Advance(160 * 24 * time.Hour) // dusk, which has none
		_, err = w.ClaimAvatar(w.t.Context(), "B")
		w.refused(err, fault.Conflict, "no-season")
		_, err = w.ClaimAvatar(w.t.Context(), "A")
		w.refused(err, fault.Conflict, "claimed")
	})
}

func TestClaim_FrozenPlayersClaimNothing(t *testing.T) {
	t.Parallel()
	each(t, twoSeasons, func(w *world) {
		w.give(testkit.WalletOf("A"), "7")
		_, err := testkit.Operator(w.db, clock.NewFake(opening)).Freeze(w.t.Context(), "id:A", testkit.By("attack"))
		w.ok(err)
		if _, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"}); !fault.Is(err, fault.Forbidden) {
			w.t.Errorf("the vault: %v", err)
		}
		if _, err := w.ClaimAvatar(w.t.Context(), "A"); !fault.Is(err, fault.Forbidden) {
			w.t.Errorf("the avatar: %v", err)
		}
	})
}

// The portal pays the minting: where players must be reachable for that, one who is not claims nothing.
func TestClaims_NeedAPlayerWhoCanBeReached(t *testing.T) {
	t.Parallel()
	each(t, "", func(w *world) {
		w.give(testkit.WalletOf("A"), "7")
		reached := false
		w.Reachable = func(_ context.Context, player string) (bool, error) { return reached && player == "A", nil }
		_, vault := w.ClaimVaults(w.t.Context(), "A", []string{"7"})
		_, avatar := w.ClaimAvatar(w.t.Context(), "A")
		for what, err := range map[string]error{"vault": vault, "avatar": avatar} {
			if f := fault.As(err); f == nil || f.Code != fault.Forbidden || f.Reason != "email" {
				w.t.Errorf("%s: %v", what, err)
			}
		}
		reached = true
		if _, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"}); err != nil {
			w.t.Error(err)
		}
		if _, err := w.ClaimAvatar(w.t.Context(), "A"); err != nil {
			w.t.Error(err)
		}
	})
}

// Vaults pay by rarity and open once a season: one that is opened too early would pay the least for ever.
// Spec: CLAIM-2
func TestVault_WaitsUntilTheRarityIsKnown(t *testing.T) {
	t.Parallel()
	each(t, "", func(w *world) {
		w.give(testkit.WalletOf("A"), "7")
		w.give(testkit.WalletOf("A"), "8")
		w.ByContract = func(tokenID string) bool { return tokenID == "7" }
		due := column.At(opening)
		w.ok(w.db.Write(w.t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.InsertTokenMetadata(ctx, gen.InsertTokenMetadataParams{
				Contract: gods.Address, TokenID: "7", ChainID: testkit.GameChain, Standard: onchain.ERC721, Host: "chain", DueAt: due,
			})
			return err
		}))
		unknown, err := w.Unknown(w.t.Context(), []string{"7", "8"})
		if err != nil || !unknown["7"] || unknown["8"] {
			w.t.Errorf("%v, %v", unknown, err)
		}
		_, err = w.ClaimVaults(w.t.Context(), "A", []string{"7", "8"})
		if f := fault.As(err); f == nil || f.Code != fault.Conflict || f.Reason != "not-known" {
			w.t.Errorf("before: %v", err)
		}
		if claims, err := w.ClaimVaults(w.t.Context(), "A", []string{"8"}); err != nil || len(claims) != 1 {
			w.t.Errorf("another one: %v, %v", claims, err)
		}
		w.ok(w.db.Write(w.t.Context(), func(ctx context.Context, tx *store.Tx) error {
			n, err := tx.UpdateTokenMetadata(ctx, gen.UpdateTokenMetadataParams{
				Stage: "picture", Document: "{}", DueAt: opening.UnixMilli(), Contract: gods.Address, TokenID: "7", WasStage: "uri", WasDueAt: due,
			})
			if err == nil && n != 1 {
				err = fmt.Errorf("%d rows", n)
			}
			return err
		}))
		if claims, err := w.ClaimVaults(w.t.Context(), "A", []string{"7"}); err != nil || len(claims) != 1 {
			w.t.Errorf("after: %v, %v", claims, err)
		}
	})
}
