package chaos_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/contract/playfab"
	"pantheon/test/player"
)

// rewardPoints are the crash points, in the order in which a reward reaches them.
var rewardPoints = []string{
	"burned, not settled",
	"settled, not told",
	"round read, not drawn",
	"drawn, not given",
	"mint not queued",
	"grant not moved to sending",
	"grant moved to sending",
	"transaction kept, not broadcast",
	"broadcast, nothing noted",
	"mined, not noted",
	"grant not moved to done",
	"grant moved to done",
	"currency not paid",
	"currency paid",
}

// What the starter kit's burnable things give: two piggy banks, an ark, a power pack.
var kitRewards = map[string]int64{"fa": 50 + 250, "d0": 12, "d1": 3, "gt": 9, "nt": 2, "ig": 100, "ne": 20}

// The currencies of the starter kit.
var kitCurrencies = map[string]int64{"d0": 40, "d1": 12, "f2": 6, "f3": 2, "gt": 30, "nt": 15, "et": 8, "ct": 4}

func TestCrash_RewardsSurviveKill9AtEveryPoint(t *testing.T) {
	eachCrash(t, rewardPoints, 3, func(ctx context.Context, t *testing.T, site *crash) {
		site.start(t)
		p, err := player.Register(ctx, site.URL)
		must(t, err)
		testkit.Eventually(t, waitTimeout, func() bool { return giftsArrived(ctx, t, p) && allDone(ctx, t, p, 18) },
			"the welcome gifts did not arrive")
		b, err := begin(ctx, p)
		must(t, err)
		site.arm(t)
		if err := b.game(); err != nil && !player.IsGone(err) {
			t.Fatalf("before the crash: %v", err)
		}
		site.restart(t)
		b.finish(ctx, t, site.Site)
	})
}

// burner is a player who burns the whole starter kit.
type burner struct {
	*player.Player
	packs, banks, arks, power []player.Holding
	items                     []player.Holding // before
}

func begin(ctx context.Context, p *player.Player) (b *burner, err error) {
	b = &burner{Player: p}
	for list, into := range map[string]*[]player.Holding{
		"listPacks": &b.packs, "listPiggyBanks": &b.banks, "listArks": &b.arks, "listPowerPacks": &b.power, "listGameItems": &b.items,
	} {
		if *into, err = p.Holdings(ctx, list); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func burnsOf(lists ...[]player.Holding) (out []player.Burn) {
	for _, held := range slices.Concat(lists...) {
		id, _ := strconv.ParseInt(held.TokenID, 10, 64)
		n, _ := strconv.ParseInt(held.Amount, 10, 64)
		out = append(out, player.Burn{Contract: held.Contract, TokenID: id, Amount: n})
	}
	return out
}

// game burns the pack and the banks in one operation, on the game chain.
func (b *burner) game() error {
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	_, err := b.BurnTokens(ctx, burnsOf(b.packs, b.banks)...)
	return err
}

// main burns the ark and the power pack in one operation, on the main chain.
func (b *burner) main(ctx context.Context) error {
	_, err := b.OnMainChain().BurnTokens(ctx, burnsOf(b.arks, b.power)...)
	return err
}

// finish burns the remaining tokens, waits until every reward is done, and checks that each source was granted exactly once.
func (b *burner) finish(ctx context.Context, t *testing.T, site *testkit.Site) {
	t.Helper()
	testkit.Eventually(t, waitTimeout, func() bool {
		if err := b.RenewWallet(ctx); err != nil {
			return false
		}
		banks, err := b.Holdings(ctx, "listPiggyBanks")
		if err == nil && len(banks) > 0 {
			_ = b.game() // refused while the first attempt is on its way
		}
		arks, err2 := b.Holdings(ctx, "listArks")
		if err2 == nil && len(arks) > 0 {
			_ = b.main(ctx)
		}
		return err == nil && err2 == nil && len(banks) == 0 && len(arks) == 0
	}, "the starter kit is not burned\n%s", site.Log())
	// A credit whose answer was lost is checked after a minute; until then, other credits of the balance wait.
	var open []player.Reward
	testkit.Eventually(t, 3*waitTimeout, func() bool {
		rewards, _ := b.Rewards(ctx, "")
		open = slices.DeleteFunc(rewards, func(r player.Reward) bool { return r.State == "done" })
		return allDone(ctx, t, b.Player, 18+5)
	}, "the rewards are not done: %+v", &open)
	b.count(ctx, t)
}

// count compares what the player has with what the burns give, on the chain and on the platform.
func (b *burner) count(ctx context.Context, t *testing.T) {
	t.Helper()
	rewards, err := b.Rewards(ctx, "")
	must(t, err)
	origins := map[string]int{}
	for _, r := range rewards {
		origins[r.Origin]++
	}
	delete(origins, "gift")
	if want := map[string]int{"pack": 1, "piggy-bank": 2, "ark": 1, "power-pack": 1}; !maps.Equal(origins, want) {
		t.Errorf("rewards by origin: %v, want %v", origins, want)
	}
	want := maps.Clone(kitCurrencies)
	for code, n := range kitRewards {
		want[code] += n
	}
	minted := map[string]int{}
	for _, r := range rewards {
		if r.Origin != "pack" {
			continue
		}
		for _, g := range r.Grants {
			if g.Kind == "currency" {
				n, _ := strconv.ParseInt(g.Amount, 10, 64)
				want[g.Currency] += n
				continue
			}
			minted[g.Contract.String()+"/"+g.TokenID]++
		}
	}
	var balances struct{ Currencies map[string]int64 }
	must(t, b.Call(ctx, "GET", "/api/auth/currencies", nil, &balances))
	for code, n := range want {
		if balances.Currencies[code] != n {
			t.Errorf("%d %s, want %d", balances.Currencies[code], code, n)
		}
	}
	// A general pack gives one game item.
	var held map[string]int
	testkit.Eventually(t, waitTimeout, func() bool {
		items, err := b.Holdings(ctx, "listGameItems")
		must(t, err)
		held = map[string]int{}
		for _, i := range items {
			n, _ := strconv.Atoi(i.Amount)
			held[i.Contract.String()+"/"+i.TokenID] += n
		}
		return maps.Equal(held, minted)
	}, "held %v, want %v", &held, minted)
	if len(minted) != 1 {
		t.Errorf("the pack gave %v", minted)
	}
}

// allDone reports whether the player has n rewards and all are done.
func allDone(ctx context.Context, t *testing.T, p *player.Player, n int) bool {
	t.Helper()
	rewards, err := p.Rewards(ctx, "")
	if err != nil {
		return false
	}
	for _, r := range rewards {
		if r.State == "failed" {
			t.Fatalf("reward %s failed: %s", r.ID, r.Message)
		}
		if r.State != "done" {
			return false
		}
	}
	return len(rewards) == n
}

// Many players burn everything they have while the process is killed again and again, and answers of PlayFab are lost: each
// source is granted exactly once, counted on the chain and on the platform.
func TestCrash_ManyRewardsSurviveRandomKills(t *testing.T) {
	players, kills := 200, 20 // of five rewards each
	if testing.Short() {
		players, kills = 6, 3
	}
	eachPlatform(t, func(t *testing.T, engine store.Engine, title *playfab.Server, env []string) {
		env = append(env, "LIMIT_LOGINS=0", "DEV_BLOCK_LEAD=1m", "LIMIT_MAILS=0", "LIMIT_CHAIN_READS=0", "LIMIT_READS=0", "SPONSOR_NEEDS=none")
		burnWhileKilled(t, testkit.StartSite(t, testkit.SiteOptions{Engine: engine, Env: env}), title, players, kills)
	})
}

// eachPlatform runs the test on both databases, with the built-in game platform and with PlayFab; a short run takes
// each database and each platform once. title is nil for the built-in platform; env are the portal's settings for the platform.
func eachPlatform(t *testing.T, test func(t *testing.T, engine store.Engine, title *playfab.Server, env []string)) {
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		for _, platform := range []string{"local", "playfab"} {
			if testing.Short() && (engine == store.SQLite) != (platform == "playfab") {
				continue
			}
			t.Run(fmt.Sprintf("%s %s", engine, platform), func(t *testing.T) {
				t.Parallel()
				if platform == "local" {
					test(t, engine, nil, nil)
					return
				}
				title := playfab.New(playfab.Options{})
				server := httptest.NewServer(title)
				t.Cleanup(server.Close)
				test(t, engine, title, []string{
					"GAME_PLATFORM=playfab", "PLAYFAB_TITLE_ID=" + title.TitleID(), "PLAYFAB_SECRET_KEY=" + title.SecretKey(), "PLAYFAB_URL=" + server.URL,
					"PLAYFAB_LOGINS_PER_MINUTE=0",
				})
			})
		}
	}
}

// burnWhileKilled makes the players burn their starter kits while the site is killed. title is nil for the built-in platform.
func burnWhileKilled(t *testing.T, site *testkit.Site, title *playfab.Server, players, kills int) {
	ctx, cancel := context.WithTimeout(t.Context(), 25*time.Minute)
	defer cancel()
	burners := make([]*burner, players)
	for i := range burners {
		p, err := player.Register(ctx, site.URL)
		must(t, err)
		burners[i] = &burner{Player: p}
	}
	for i, b := range burners {
		testkit.Eventually(t, 5*waitTimeout, func() bool { return giftsArrived(ctx, t, b.Player) && allDone(ctx, t, b.Player, 18) },
			"the welcome gifts did not arrive")
		ready, err := begin(ctx, b.Player)
		must(t, err)
		burners[i] = ready
	}
	var wg sync.WaitGroup
	ended := make(chan struct{})
	wg.Go(func() {
		defer close(ended)
		for _, b := range burners {
			if !awake(ctx, b) {
				return
			}
			_ = b.game() // some meet a killed process; finish repeats them
			_ = b.main(ctx)
		}
	})
	for i := range kills {
		if title != nil {
			// Every other lost answer is for a credit that took effect.
			title.Break(playfab.Fault{Call: "Server/AddUserVirtualCurrency", Times: 1, Applied: i%2 == 0, Answer: playfab.Cut()})
		}
		select {
		case <-time.After(time.Duration(200+rand.IntN(1500)) * time.Millisecond):
		case <-ctx.Done():
			t.Fatal(ctx.Err())
		}
		site.Kill()
		site.Restart()
	}
	<-ended
	wg.Wait()
	if title != nil {
		title.Heal() // otherwise the remaining faults would hit the retries, each a minute after the last
		lost := strings.Count(site.Log(), "not known whether a reward was credited")
		if lost == 0 {
			t.Error("no answer was lost")
		}
		t.Logf("%d answers were lost", lost)
	}
	for _, b := range burners {
		b.finish(ctx, t, site)
	}
}

// awake waits until the site answers the player, so that a killed one does not use up the burns at once. It reports false
// when ctx ends.
func awake(ctx context.Context, b *burner) bool {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for b.RenewWallet(ctx) != nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
