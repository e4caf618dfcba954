package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/collections"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/profile"
	"pantheon/internal/testkit"
)

type board struct {
	Items []struct {
		Rank  int
		Name  string
		Score int64
		Me    bool
	}
	NextCursor string
}

// scored registers players with scores, best first.
func (p *portal) scored(boards *leaderboard.Service, names ...string) (out []actor) {
	p.t.Helper()
	for i, name := range names {
		a := p.register(name)
		p.ok(boards.Report(p.t.Context(), "kod", a.id, int64(1000-i)))
		out = append(out, a)
	}
	return out
}

// Spec: PLAYER-4
func TestPlayers_LeaderboardIsPublicAndHasNoIDs(t *testing.T) {
	t.Parallel()
	var boards *leaderboard.Service
	p := open(t, func(o *api.Options) { boards = o.Boards })
	players := p.scored(boards, "zeus", "hera", "iris", "leto", "nike")
	visitor := p.mustSucceed(request{method: "GET", path: "/api/leaderboards/kod?limit=2"}, 200)
	var b board
	p.json(visitor, &b)
	if len(b.Items) != 2 || b.Items[0].Name != "zeus" || b.Items[0].Score != 1000 || b.Items[0].Me || b.NextCursor != "3" {
		t.Errorf("the first two: %s", visitor.text)
	}
	p.json(p.mustSucceed(request{method: "GET", path: "/api/leaderboards/kod?limit=3&cursor=3"}, 200), &b)
	if len(b.Items) != 3 || b.Items[2].Rank != 5 {
		t.Errorf("the rest: %+v", b)
	}
	around := p.mustSucceed(request{method: "GET", path: "/api/leaderboards/kod?around=me&limit=3", authorization: players[2].token}, 200)
	b = board{}
	p.json(around, &b)
	if len(b.Items) != 3 || b.Items[1].Name != "iris" || !b.Items[1].Me || b.Items[0].Me || b.NextCursor != "" {
		t.Errorf("around iris: %s", around.text)
	}
	for _, a := range []answer{visitor, around} {
		for _, other := range players {
			if strings.Contains(a.text, other.id) {
				t.Errorf("a player's id is told: %s", a.text)
			}
		}
	}
	if p.mustBeProblem("around nobody", p.send(request{method: "GET", path: "/api/leaderboards/kod?around=me"}), 401).
		Message != "Sign in to see where you stand." {
		t.Error("around nobody: another message")
	}
	p.mustBeProblem("an unknown board", p.send(request{method: "GET", path: "/api/leaderboards/chess"}), 404)
	for _, bad := range []string{"?cursor=x", "?limit=0", "?limit=101", "?around=you"} {
		p.mustBeProblem(bad, p.send(request{method: "GET", path: "/api/leaderboards/kod" + bad}), 400)
	}
	nobody := p.register("echo")
	b = board{}
	p.json(p.mustSucceed(request{method: "GET", path: "/api/leaderboards/kod?around=me", authorization: nobody.token}, 200), &b)
	if b.Items == nil || len(b.Items) != 0 {
		t.Errorf("around somebody who is not on it: %+v", b)
	}
}

// Spec: PLAYER-1
func TestPlayers_BookIsReadInPagesAndIsThePlayersOwn(t *testing.T) {
	t.Parallel()
	p := open(t)
	me, other := p.register("zeus"), p.register("hera")
	for range 3 {
		p.clock.Advance(time.Minute)
		p.mustSucceed(request{
			method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"thunder and rain"}`,
		}, 200)
	}
	read := func(a actor, query string) (types []string, next string) {
		t.Helper()
		var page struct {
			Items []struct {
				Type string
				At   time.Time
			}
			NextCursor string
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/activity" + query, authorization: a.token}, 200), &page)
		for _, e := range page.Items {
			types = append(types, e.Type)
		}
		return types, page.NextCursor
	}
	first, next := read(me, "?limit=3")
	rest, end := read(me, "?limit=3&cursor="+next)
	if len(first) != 3 || len(rest) != 1 || end != "" || first[0] != "login" {
		t.Errorf("pages %v and %v, ending %q", first, rest, end)
	}
	if others, _ := read(other, ""); len(others) != 1 {
		t.Errorf("hera has %v", others)
	}
	p.mustBeProblem("a page of no book", p.send(request{
		method: "GET", path: "/api/auth/activity?cursor=nonsense", authorization: me.token,
	}), 400)
}

// Spec: PLAYER-3
func TestPlayers_GameSaysWhatOfThePlayersCountsInIt(t *testing.T) {
	t.Parallel()
	p := open(t)
	me, other := p.admit("zeus", "1"), p.admit("hera", "2")
	for _, gift := range []struct {
		to      actor
		kind    collections.Kind
		tokenID string
		amount  int64
	}{
		{me, collections.GameItems, "1", 3}, {me, collections.GameItems, "2", 1}, {me, collections.Avatars, "1", 2},
		{me, collections.Immortals, "1", 5},
		{me, collections.Arks, "1", 1}, {other, collections.Packs, "1", 7}, {other, collections.GameItems, "1", 9},
	} {
		testkit.Give(t, p.db, testkit.WalletOf(gift.to.id), shelves[gift.kind], gift.tokenID, gift.amount)
	}
	read := func(a actor) (lines []string) {
		var games struct {
			Items []struct {
				ID, State string
				Holdings  []struct {
					Kind  string
					Count int64
				}
			}
		}
		p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/games", authorization: a.token}, 200), &games)
		for _, g := range games.Items {
			line := g.ID + " " + g.State
			for _, h := range g.Holdings {
				line += fmt.Sprintf(" %s:%d", h.Kind, h.Count)
			}
			if g.Holdings == nil {
				line += " null"
			}
			lines = append(lines, line)
		}
		return lines
	}
	for name, c := range map[string]struct {
		of   actor
		want []string
	}{
		"somebody with things": {
			me, []string{"king-of-destiny later game-items:4 avatars:2 packs:0", "infinimerge later", "immortal-siege later immortals:5"},
		},
		"somebody else": {
			other, []string{"king-of-destiny later game-items:9 avatars:0 packs:7", "infinimerge later", "immortal-siege later immortals:0"},
		},
		"without a wallet": {
			p.register("iris"),
			[]string{"king-of-destiny later game-items:0 avatars:0 packs:0", "infinimerge later", "immortal-siege later immortals:0"},
		},
	} {
		if got := read(c.of); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Spec: ACCOUNT-9
func TestPlayers_DataIsProtectedForThePlayerWhoAsks(t *testing.T) {
	t.Parallel()
	var protector *profile.Protector
	p := open(t, func(o *api.Options) { protector = o.Protector })
	me := p.register("zeus")
	ask := func(body string) answer {
		return p.send(request{method: "POST", path: "/api/auth/protectedData", authorization: me.token, body: body})
	}
	var out struct{ Value string }
	a := ask(`{"value":"` + me.id + `","action":"encrypt"}`)
	p.json(a, &out)
	if strings.Contains(a.text, me.id) {
		t.Errorf("the id stands in the open: %s", a.text)
	}
	player, value, err := protector.Open("shop", out.Value)
	if err != nil || player != me.id || value != me.id {
		t.Errorf("%q of %q, %v", value, player, err)
	}
	// Whatever a player asks to protect, the result contains the player's id.
	p.json(ask(`{"value":"0000000000000000","action":"encrypt"}`), &out)
	if player, _, err := protector.Open("shop", out.Value); err != nil || player != me.id {
		t.Errorf("somebody else's id is protected as %q's, %v", player, err)
	}
	for body, where := range map[string]string{
		`{"value":"","action":"encrypt"}`:                                  "body.value",
		`{"value":"x","action":"decrypt"}`:                                 "body.action",
		`{"value":"` + strings.Repeat("x", 1025) + `","action":"encrypt"}`: "body.value",
	} {
		problem := p.mustBeProblem(body[:20], ask(body), 400)
		if len(problem.Errors) != 1 || problem.Errors[0].Location != where {
			t.Errorf("%.20s: %+v", body, problem)
		}
	}
}

// Spec: ACCOUNT-10
func TestPlayers_WhitelistHasThePlayersLists(t *testing.T) {
	t.Parallel()
	p := open(t)
	me, other := p.register("zeus"), p.register("hera")
	lists := testkit.Operator(p.db, p.clock)
	put := func(list string, until time.Time) {
		_, err := lists.PutOnList(t.Context(), "id:"+me.id, list, until, testkit.By("asked"))
		p.ok(err)
	}
	put("founders", time.Time{})
	put("presale", opening.Add(time.Hour))
	read := func(a actor) string {
		return p.mustSucceed(request{method: "GET", path: "/api/auth/whitelist", authorization: a.token}, 200).text
	}
	if got, want := strings.TrimSpace(read(me)),
		`{"items":[{"name":"founders"},{"name":"presale","until":"2026-03-01T13:00:00Z"}]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := strings.TrimSpace(read(other)); got != `{"items":[]}` {
		t.Errorf("somebody else's: %s", got)
	}
	p.clock.Advance(time.Hour)
	if got := read(me); strings.Contains(got, "presale") {
		t.Errorf("after its end: %s", got)
	}
}

// Spec: BURN-3
func TestPlayers_TariffOfPiggyBanksIsPosted(t *testing.T) {
	t.Parallel()
	p := open(t)
	var tariff struct {
		Version int
		Banks   []struct {
			Contract, TokenID string
			Fate              int64
			VIP               bool
		}
	}
	p.json(p.mustSucceed(request{method: "GET", path: "/api/piggy-banks/config"}, 200), &tariff)
	if tariff.Version < 1 || len(tariff.Banks) != 6 {
		t.Fatalf("%+v", tariff)
	}
	if b := tariff.Banks[1]; !strings.EqualFold(b.Contract, testkit.Items) || b.TokenID != "2" || b.Fate != 250 || !b.VIP {
		t.Errorf("%+v", b)
	}
}

// Spec: BURN-3
func TestPlayers_TariffOfPowerPacksIsPosted(t *testing.T) {
	t.Parallel()
	p := open(t)
	var tariff struct {
		Version int
		Packs   []struct {
			TokenID            string
			InfiniGold, Nectar int64
		}
	}
	p.json(p.mustSucceed(request{method: "GET", path: "/api/power-packs/config"}, 200), &tariff)
	if tariff.Version < 1 || len(tariff.Packs) != 3 || tariff.Packs[0].TokenID != "1" || tariff.Packs[0].InfiniGold != 100 ||
		tariff.Packs[0].Nectar != 20 {
		t.Errorf("%+v", tariff)
	}
}

// Spec: ITEM-8
func TestPlayers_TariffOfArksIsPosted(t *testing.T) {
	t.Parallel()
	p := open(t)
	var tariff struct {
		Version int
		Arks    []struct {
			TokenID           string
			Followers, Tokens map[string]int64
		}
	}
	p.json(p.mustSucceed(request{method: "GET", path: "/api/arks/config"}, 200), &tariff)
	if tariff.Version < 1 || len(tariff.Arks) != 4 || tariff.Arks[0].TokenID != "1" || tariff.Arks[0].Followers["d0"] == 0 ||
		tariff.Arks[0].Tokens["gt"] == 0 {
		t.Errorf("%+v", tariff)
	}
}

// Players see the tariff that is in force, and the version that is announced.
// Spec: ITEM-8, BURN-3
func TestPlayers_TariffsAreThoseInForceAndTheNext(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) {
		later := o.Clock.Now().Add(time.Hour).UTC().Truncate(time.Second).Format(time.RFC3339)
		useRules(t, o, fmt.Sprintf(`arks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{token: "1", followers: {d0: 1}}]}
  - {version: 2, from: %[1]s, kinds: [{token: "1", tokens: {gt: 2}}]}
piggyBanks:
  - {version: 1, from: 2026-01-01T00:00:00Z, kinds: [{collection: piggy-banks, token: "1", fate: 1}]}
  - {version: 2, from: %[1]s, kinds: [{collection: piggy-banks, token: "1", fate: 2}]}
powerPacks:
  - {version: 1, from: %[1]s, kinds: [{token: "1", infiniGold: 1, nectar: 1}]}
`, later))
	})
	shown := func() string {
		t.Helper()
		var out []string
		for _, of := range []string{"arks", "piggy-banks", "power-packs"} {
			out = append(out, p.mustSucceed(request{method: "GET", path: "/api/" + of + "/config"}, 200).text)
		}
		return strings.Join(out, "\n")
	}
	before := shown()
	for _, want := range []string{
		`"arks":[{"tokenId":"1","name":"Item 1","followers":{"d0":1},"tokens":{}}]`, `"next":{"version":2,"from":"`, `"tokens":{"gt":2}`,
		`"fate":1`, `"fate":2`, `"version":0,"packs":[],"next":{"version":1,`, `"infiniGold":1,`,
	} {
		if !strings.Contains(before, want) {
			t.Errorf("before: %s is not in\n%s", want, before)
		}
	}
	p.clock.Advance(2 * time.Hour)
	if got := shown(); strings.Contains(got, "next") || strings.Contains(got, `"version":0`) || !strings.Contains(got, `"fate":2`) {
		t.Errorf("after: %s", got)
	}
}
