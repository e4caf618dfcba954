package activity_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/activity"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var (
	noon  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	usdc  = eth.MustAddress(testkit.USDC)
	items = eth.MustAddress(testkit.Items)
	packs = eth.MustAddress("0x0000000000000000000000000000000000000ca5")
	gods  = eth.MustAddress("0x00000000000000000000000000000000000060d5")
	arks  = eth.MustAddress("0x000000000000000000000000000000000000a4c5")
	zeus  = testkit.WalletOf("zeus")
	hera  = testkit.WalletOf("hera")
)

const mainChain onchain.ChainID = 1337137

// world is the index of the game chain and the Service on it.
type world struct {
	t  *testing.T
	db *store.DB
	*activity.Service
	at    time.Time // time of the last event
	block uint64
}

func open(t *testing.T, db *store.DB) *world {
	t.Helper()
	testkit.AddPlayers(t, db, 0, "zeus", "hera")
	s := store.Activity{
		DB: db, Chains: []onchain.ChainID{testkit.GameChain, mainChain},
		Currencies: map[eth.Address]activity.Currency{usdc: {Symbol: "USDC", Decimals: 6}},
	}
	return &world{t: t, db: db, at: noon, Service: activity.NewService(s, activity.Config{
		Packs: packs, ElderGods: gods, Kinds: [][]eth.Address{{items}, {packs}, {gods}, {arks}, {}, {}, {}, {}, {}},
	})}
}

// happens stores an event one minute after the previous one.
func (w *world) happens(what func(ctx context.Context, tx *store.Tx) error) {
	w.t.Helper()
	w.at = w.at.Add(time.Minute)
	w.block++
	if err := w.db.Write(w.t.Context(), what); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) tx() eth.Hash { return eth.Keccak256([]byte(fmt.Sprint("tx", w.block))) }

func (w *world) sale(seller, buyer eth.Address, currency eth.Address, total int64) {
	w.t.Helper()
	w.happens(func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertSale(ctx, gen.InsertSaleParams{
			ChainID: testkit.GameChain, BlockNumber: int64(w.block), TxHash: w.tx(), Time: column.At(w.at), ListingID: "7", Contract: items,
			TokenID: "1", Seller: seller, Buyer: buyer, Currency: currency, Quantity: 2, Total: money.FromInt(total),
			UnitPrice: money.FromInt(1),
		})
	})
}

func (w *world) transfer(chain onchain.ChainID, contract eth.Address, id string, from, to eth.Address) {
	w.t.Helper()
	w.happens(func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertTransfer(ctx, gen.InsertTransferParams{
			ChainID: chain, BlockNumber: int64(w.block), TxHash: w.tx(), Time: column.At(w.at), Contract: contract,
			Standard: onchain.ERC1155, TokenID: id, FromAddress: from, ToAddress: to, Amount: money.FromInt(1),
		})
	})
}

func (w *world) listed(number string, kind onchain.ListingKind, seller eth.Address) {
	w.t.Helper()
	testkit.List(w.t, w.db, testkit.Offer{Number: number, Seller: seller, Quantity: 3, CreatedAt: w.at.Add(time.Minute)})
	detail, err := json.Marshal(onchain.ListingTerms{
		Seller: seller, Contract: items, TokenID: "1", Quantity: 3, Currency: usdc, PricePerToken: money.FromInt(1_500_000),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if kind == onchain.ListingCancelled {
		detail = []byte("{}")
	}
	w.happens(func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertListingEvent(ctx, gen.InsertListingEventParams{
			ChainID: testkit.GameChain, BlockNumber: int64(w.block), TxHash: w.tx(), Time: column.At(w.at), ListingID: number,
			Kind: string(kind), Detail: string(detail),
		})
	})
}

func (w *world) rewarded(player, kind, detail string, state reward.State) {
	w.t.Helper()
	w.happens(func(ctx context.Context, tx *store.Tx) error {
		source := fmt.Sprint("gift", w.block)
		_, err := tx.InsertReward(ctx, gen.InsertRewardParams{
			Source: source, PlayerID: sql.NullString{String: player, Valid: true}, Origin: "gift", Detail: "{}", State: string(state),
			At: column.At(w.at),
		})
		if err != nil {
			return err
		}
		if err := tx.InsertRewardGrant(ctx, gen.InsertRewardGrantParams{
			Source: source, Kind: kind, Detail: detail, At: column.At(w.at),
		}); err != nil {
			return err
		}
		_, err = tx.Queries.MoveGrant(ctx, gen.MoveGrantParams{
			ToState: string(state), UpdatedAt: column.At(w.at), Source: source, FromState: "pending",
		})
		return err
	})
}

func (w *world) login(player string) {
	w.t.Helper()
	w.happens(func(ctx context.Context, tx *store.Tx) error {
		id := fmt.Sprint("session", w.block)
		return tx.InsertSession(ctx, gen.InsertSessionParams{
			ID: id, PlayerID: player, SecretHash: id, CreatedAt: column.At(w.at), ExpiresAt: column.At(w.at.Add(time.Hour)),
		})
	})
}

// token stores a token's metadata.
func (w *world) token(contract eth.Address, id string, rank int64, god string) {
	w.t.Helper()
	if err := w.db.Write(w.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.InsertToken(ctx, gen.InsertTokenParams{
			Contract: contract, TokenID: id, Collection: "c", Name: "Thing " + id, RarityRank: rank, Attributes: "[]",
		}); err != nil || god == "" {
			return err
		}
		return tx.InsertTokenTrait(ctx, gen.InsertTokenTraitParams{Contract: contract, TokenID: id, Trait: "God", Value: god})
	}); err != nil {
		w.t.Fatal(err)
	}
}

// book returns all of a player's entries as text, read in pages of the given size.
func (w *world) book(player string, wallet *eth.Address, size int) (lines []string) {
	w.t.Helper()
	cursor, last := "", time.Time{}
	for {
		entries, next, err := w.Entries(w.t.Context(), player, wallet, cursor, size)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(entries) > size || next != "" && len(entries) < size {
			w.t.Errorf("a page of %d entries, of %d at most, and the next is %q", len(entries), size, next)
		}
		for _, e := range entries {
			if !last.IsZero() && e.At.After(last) {
				w.t.Errorf("%s at %s follows %s", e.Type, e.At, last)
			}
			last = e.At
			line := string(e.Type)
			if e.Token != nil {
				line += " " + e.Token.Name
			}
			if !e.Quantity.IsZero() {
				line += " x" + e.Quantity.String()
			}
			if e.Price != nil {
				line += " " + e.Price.Amount.Decimal(e.Price.Decimals) + e.Price.Symbol
			}
			lines = append(lines, line+e.Code)
		}
		if cursor = next; cursor == "" {
			return lines
		}
	}
}

// Spec: PLAYER-1
func TestActivity_ListsWhatHappenedOnThePlayersAccountOnly(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		w.login("zeus")
		w.rewarded("zeus", reward.KindCurrency, reward.Currency{Code: "gt", Amount: 30}.Content().Detail, reward.Done)
		w.rewarded("zeus", reward.KindMint, reward.Mint{
			Contract: usdc, Standard: onchain.ERC20, TokenID: "0", Amount: money.FromInt(5_000_000),
		}.Content().Detail, reward.Done)
		w.rewarded("zeus", reward.KindCurrency, reward.Currency{Code: "nt", Amount: 1}.Content().Detail, reward.Pending)
		w.listed("7", onchain.ListingCreated, zeus)
		w.sale(zeus, hera, usdc, 3_000_000)
		w.sale(hera, zeus, eth.Address{}, 1) // in an unknown currency
		w.listed("7", onchain.ListingCancelled, zeus)
		w.transfer(testkit.GameChain, packs, "1", zeus, eth.Address{})
		w.transfer(mainChain, arks, "1", zeus, eth.Address{})
		w.transfer(testkit.GameChain, packs, "1", eth.Address{}, zeus) // a token received is not an entry: a purchase or a reward is
		w.login("hera")
		w.transfer(testkit.GameChain, packs, "1", hera, eth.Address{})
		want := []string{
			"burn ", "opening ", "unlisting Item 1", "purchase Item 1 x2", "sale Item 1 x2 3USDC", "listing Item 1 x3 1.5USDC", "reward 5USDC",
			"reward x30gt", "login",
		}
		for i := range want {
			if strings.HasSuffix(want[i], " ") {
				want[i] += " x1"
			}
		}
		for _, size := range []int{1, 3, 100} {
			got := w.book("zeus", &zeus, size)
			if !slices.Equal(got, want) {
				t.Errorf("in pages of %d:\n%s\nwant\n%s", size, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		if got, want := strings.Join(w.book("zeus", nil, 10), ", "), "reward 5USDC, reward x30gt, login"; got != want {
			t.Errorf("without a wallet: %s, want %s", got, want)
		}
		if got, want := strings.Join(w.book("hera", &hera, 10), ", "),
			"opening  x1, login, sale Item 1 x2, purchase Item 1 x2 3USDC"; got != want {
			t.Errorf("hera's: %s, want %s", got, want)
		}
	})
}

// Spec: PAY-4
func TestActivity_PurchaseNamesItsOrderToItsBuyerOnly(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		w.sale(zeus, hera, usdc, 3_000_000) // outside the portal
		w.sale(zeus, hera, usdc, 3_000_000)
		if err := w.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.SaveOrder(ctx, gen.SaveOrderParams{
				ID: "ORDER", PlayerID: "hera", Wallet: hera, State: "complete", TxHash: w.tx(), Calls: "[]",
			})
		}); err != nil {
			t.Fatal(err)
		}
		orders := func(player string, wallet eth.Address) (out []string) {
			entries, _, err := w.Entries(t.Context(), player, &wallet, "", 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				out = append(out, string(e.Type)+" "+e.OrderID)
			}
			return out
		}
		if got, want := orders("hera", hera), []string{"purchase ORDER", "purchase "}; !slices.Equal(got, want) {
			t.Errorf("the buyer's: %q, want %q", got, want)
		}
		if got, want := orders("zeus", zeus), []string{"sale ", "sale "}; !slices.Equal(got, want) {
			t.Errorf("the seller's: %q, want %q", got, want)
		}
	})
}

// Many events may have the same time: pages neither repeat nor skip one.
// Spec: PLAYER-1
func TestActivity_EntriesOfOneMomentAreReadOnceEach(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		at := noon
		for range 12 {
			w.at = at.Add(-time.Minute)
			w.sale(hera, zeus, usdc, 1_000_000)
			w.at = at.Add(-time.Minute)
			w.login("zeus")
		}
		if got := w.book("zeus", &zeus, 5); len(got) != 24 {
			t.Errorf("%d entries, want 24: %v", len(got), got)
		}
	})
}

func TestActivity_CursorOfNoPageIsRefused(t *testing.T) {
	t.Parallel()
	w := open(t, testkit.Database(t, store.SQLite))
	for _, cursor := range []string{"x", "%%", "MTIz", "IHg"} {
		if _, _, err := w.Entries(t.Context(), "zeus", nil, cursor, 10); !fault.Is(err, fault.Invalid) {
			t.Errorf("cursor %q: %v", cursor, err)
		}
	}
}

// Spec: PLAYER-2
func TestActivity_AchievementsAreWhatTheFactsSay(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		state := func() string {
			t.Helper()
			all, err := w.Achievements(t.Context(), &zeus)
			if err != nil {
				t.Fatal(err)
			}
			var words []string
			for _, a := range all {
				if a.Progress == 0 {
					continue
				}
				word := fmt.Sprintf("%s %d/%d", a.ID, a.Progress, a.Goal)
				if a.Reached() {
					word = fmt.Sprintf("%s at %s", a.ID, a.ReachedAt.UTC().Format("15:04"))
				}
				words = append(words, word)
			}
			return strings.Join(words, ", ")
		}
		step := func(what string, want string) {
			t.Helper()
			if got := state(); got != want {
				t.Errorf("%s: %s\nwant %s", what, got, want)
			}
		}
		step("at first", "")
		w.sale(hera, zeus, usdc, 1)
		step("a purchase", "first-purchase at 12:01, ten-purchases 1/10")
		for range 10 {
			w.sale(hera, zeus, usdc, 1)
		}
		step("eleven purchases", "first-purchase at 12:01, ten-purchases at 12:10")
		w.sale(zeus, hera, usdc, 1)
		w.listed("7", onchain.ListingCreated, zeus)
		step("a sale and a listing", "first-purchase at 12:01, ten-purchases at 12:10, first-listing at 12:13, first-sale at 12:12")
		w.transfer(testkit.GameChain, packs, "1", zeus, eth.Address{})
		step("an opening", "first-purchase at 12:01, ten-purchases at 12:10, first-listing at 12:13, first-sale at 12:12, first-opening at 12:14")
	})
}

// Spec: PLAYER-2
func TestActivity_CollectorsAchievementsCountWhatEverCame(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		for i, god := range []string{"Helikara", "Helikara", "Selmene", "Morvaion", "Ophelyx", "Zephyrine"} {
			w.token(gods, fmt.Sprint(i), 3, god)
		}
		w.token(items, "43", 5, "")
		w.transfer(mainChain, arks, "1", eth.Address{}, zeus)
		w.transfer(mainChain, arks, "1", zeus, hera) // a token that was given away still counts
		w.transfer(testkit.GameChain, items, "43", eth.Address{}, zeus)
		for i := range 6 {
			w.transfer(testkit.GameChain, gods, fmt.Sprint(i), eth.Address{}, zeus)
		}
		all, err := w.Achievements(t.Context(), &zeus)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, a := range all {
			got[a.ID] = fmt.Sprintf("%d/%d %s", a.Progress, a.Goal, a.ReachedAt.UTC().Format("15:04"))
		}
		for id, want := range map[string]string{
			"elder-god": "1/1 12:04", "five-gods": "5/5 12:09", "legend": "1/1 12:03", "five-kinds": "3/5 00:00", "every-kind": "3/9 00:00",
		} {
			if got[id] != want {
				t.Errorf("%s is %s, want %s", id, got[id], want)
			}
		}
	})
}

func TestActivity_PlayerWithoutAWalletHasNoProgress(t *testing.T) {
	t.Parallel()
	w := open(t, testkit.Database(t, store.SQLite))
	w.transfer(testkit.GameChain, items, "1", zeus, eth.Address{}) // a burn goes to the zero address, which has no owner
	all, err := w.Achievements(t.Context(), nil)
	if err != nil || len(all) != 10 {
		t.Fatalf("%d achievements, %v", len(all), err)
	}
	ids := map[string]bool{}
	for _, a := range all {
		ids[a.ID] = true
		if a.Progress != 0 || !a.ReachedAt.IsZero() || a.Name == "" || a.Text == "" || a.Goal < 1 {
			t.Errorf("%+v", a)
		}
	}
	if len(ids) != len(all) {
		t.Errorf("two achievements have one id: %v", ids)
	}
}

func TestActivity_PageOfTheBookHasOneToAHundredEntries(t *testing.T) {
	t.Parallel()
	w := open(t, testkit.Database(t, store.SQLite))
	for range 102 {
		w.sale(hera, zeus, usdc, 1)
	}
	for limit, want := range map[int]int{-1: 1, 0: 1, 1: 1, 100: 100, 101: 100, 1 << 40: 100} {
		entries, next, err := w.Entries(t.Context(), "zeus", &zeus, "", limit)
		if err != nil || len(entries) != want || next == "" {
			t.Errorf("a page of %d has %d entries, next is %q, %v", limit, len(entries), next, err)
		}
	}
}

func TestActivity_OnlyWhatTheBrandHasCanBeAchieved(t *testing.T) {
	t.Parallel()
	kinds := func(n int) [][]eth.Address { return make([][]eth.Address, n) }
	for name, c := range map[string]struct {
		config activity.Config
		want   string
	}{
		"items of one kind": {
			activity.Config{Kinds: kinds(1)}, "first-purchase:1 ten-purchases:10 first-listing:1 first-sale:1 legend:1",
		},
		"items of five kinds": {
			activity.Config{Kinds: kinds(5)}, "first-purchase:1 ten-purchases:10 first-listing:1 first-sale:1 every-kind:5 legend:1",
		},
		"packs and six kinds": {
			activity.Config{Kinds: kinds(6), Packs: packs},
			"first-purchase:1 ten-purchases:10 first-listing:1 first-sale:1 first-opening:1 five-kinds:5 every-kind:6 legend:1",
		},
	} {
		all, err := activity.NewService(nil, c.config).Achievements(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range all {
			got = append(got, fmt.Sprintf("%s:%d", a.ID, a.Goal))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", name, strings.Join(got, " "), c.want)
		}
	}
}
