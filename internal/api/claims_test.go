package api_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/api"
	"pantheon/internal/collections"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/claim"
	"pantheon/internal/portal/flags"
	"pantheon/internal/testkit"
)

// vault is the response of getVault.
type vault struct {
	Season, Next *struct{ ID, Name, From, Until string }
	Gods         []struct {
		Contract, TokenID, Wallet, Amount, State, ClaimID, RewardState string
		Metadata                                                       struct{ Name, Rarity string }
	}
	Total     int
	Claimable string
}

func (p *portal) vault(a actor) (v vault) {
	p.t.Helper()
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/vault", authorization: a.token}, 200), &v)
	return v
}

func (p *portal) giveGods(a actor, ids ...string) {
	p.t.Helper()
	for _, id := range ids {
		testkit.Give(p.t, p.db, testkit.WalletOf(a.id), shelves[collections.ElderGods], id, 1)
	}
}

func claimOf(a actor, path, body string) request {
	return request{method: "POST", path: path, body: body, authorization: a.token}
}

// Spec: CLAIM-2
func TestClaims_VaultShowsAllGodsAndWhatBecameOfThem(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	p.giveGods(me, "7", "12", "100")
	v := p.vault(me)
	if v.Season == nil || v.Season.ID != "season-1" || v.Next == nil || v.Next.From != "2026-07-01T00:00:00Z" || v.Total != 3 ||
		len(v.Gods) != 3 || v.Claimable != "300" {
		t.Fatalf("the vault is %+v", v)
	}
	if g := v.Gods[0]; g.TokenID != "7" || g.Wallet != "smart" || g.Amount != "100" || g.State != "eligible" || g.ClaimID != "" ||
		g.Metadata.Name == "" {
		t.Errorf("a god is %+v", g)
	}
	var claimed struct {
		ClaimID  string
		ClaimIDs []string
	}
	p.json(p.mustSucceed(claimOf(me, "/api/auth/vault/claim", `{"tokenIds":["12","7"]}`), 202), &claimed)
	if len(claimed.ClaimIDs) != 2 || claimed.ClaimID != claimed.ClaimIDs[0] || !strings.HasSuffix(claimed.ClaimID, "/12") {
		t.Errorf("the claim is %+v", claimed)
	}
	v = p.vault(me)
	if g := v.Gods[1]; g.State != "claimed" || g.ClaimID != claimed.ClaimID || g.RewardState != "drawn" || v.Claimable != "100" {
		t.Errorf("afterwards the vault is %+v", v)
	}
	refused := p.mustBeProblem("twice", p.send(claimOf(me, "/api/auth/vault/claim", `{"tokenId":"7"}`)), 409)
	if refused.Reason != "claimed" || !strings.Contains(refused.Message, "1 July 2026") {
		t.Errorf("the second claim: %+v", refused)
	}
	var rewards struct {
		Items []struct {
			ID, Origin, TokenID string
			Amount              int
			Grants              []struct{ Amount string }
		}
	}
	p.json(p.mustSucceed(request{method: "GET", path: "/api/auth/rewards?origin=vault", authorization: me.token}, 200), &rewards)
	i := slices.IndexFunc(rewards.Items, func(r struct {
		ID, Origin, TokenID string
		Amount              int
		Grants              []struct{ Amount string }
	}) bool {
		return r.ID == claimed.ClaimID
	})
	if len(rewards.Items) != 2 || i < 0 || rewards.Items[i].TokenID != "12" || rewards.Items[i].Amount != 0 ||
		rewards.Items[i].Grants[0].Amount != "100000000000000000000" {
		t.Errorf("the rewards are %+v", rewards)
	}
}

func TestClaims_MalformedClaimsAreRefused(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	many := `{"tokenIds":["` + strings.TrimSuffix(strings.Repeat(`1","`, 101), `","`) + `"]}`
	for what, body := range map[string]string{
		"no god": `{}`, "an empty list": `{"tokenIds":[]}`, "101 gods": many,
		"101 by both fields": strings.Replace(many, `{`, `{"tokenId":"2",`, 1),
		"no number":          `{"tokenId":"<b>"}`, "a leading zero": `{"tokenIds":["01"]}`,
	} {
		a := p.send(claimOf(me, "/api/auth/vault/claim", body))
		p.mustBeProblem(what, a, 400)
		if strings.Contains(a.text, "<b>") {
			t.Errorf("%s: the answer repeats what was refused", what)
		}
	}
	p.mustBeProblem("no address", p.send(claimOf(me, "/api/auth/marketplace/avatar/avatarClaimCheck", `{"walletAddress":"zeus"}`)), 400)
}

func TestClaims_BetweenSeasonsGodsWait(t *testing.T) {
	t.Parallel()
	seasons, err := claim.ParseSeasons(section.Text("rules.yaml",
		"seasons: [{id: later, name: Later, from: 2026-03-01T18:00:00Z, until: 2026-03-01T20:00:00Z, vault: {default: \"2.5\"}}]"))
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, func(o *api.Options) { o.Claims.Seasons = func() claim.Seasons { return seasons } })
	me := p.admit("zeus", "1")
	p.giveGods(me, "7")
	if v := p.vault(me); v.Season != nil || v.Next == nil || v.Gods[0].State != "not-now" || v.Gods[0].Amount != "2.5" || v.Claimable != "0" {
		t.Errorf("the vault is %+v", v)
	}
	for _, path := range []string{"/api/auth/vault/claim", "/api/auth/marketplace/avatar/claim"} {
		if refused := p.mustBeProblem(path, p.send(claimOf(me, path, `{"tokenId":"7"}`)), 409); refused.Reason != "no-season" {
			t.Errorf("%s: %+v", path, refused)
		}
	}
	p.clock.Advance(10 * time.Hour)
	if v := p.vault(me); v.Season != nil || v.Next != nil || v.Gods[0].Amount != "0" {
		t.Errorf("after all seasons the vault is %+v", v)
	}
}

// Spec: CLAIM-2
func TestClaims_GodsWhoseRarityIsNotKnownWait(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *api.Options) { o.Claims.ByContract = func(tokenID string) bool { return tokenID == "7" } })
	me := p.admit("zeus", "1")
	p.giveGods(me, "7", "8")
	v := p.vault(me)
	states := map[string]string{}
	for _, god := range v.Gods {
		states[god.TokenID] = god.State + " " + god.Amount
	}
	if states["7"] != "not-known 0" || states["8"] != "eligible 100" || v.Claimable != "100" {
		t.Errorf("%v, claimable %s", states, v.Claimable)
	}
	const path = "/api/auth/vault/claim"
	if refused := p.mustBeProblem(path, p.send(claimOf(me, path, `{"tokenIds":["7","8"]}`)), 409); refused.Reason != "not-known" {
		t.Errorf("%+v", refused)
	}
}

// Spec: CLAIM-2
func TestClaims_AreRefusedWhilePaused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "flags.yaml")
	text := "flags:\n"
	for _, key := range flags.Keys() {
		text += "  - {key: \"" + key + "\", enabled: " + map[bool]string{true: "false", false: "true"}[key == flags.AllowClaims] + "}\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, func(o *api.Options) {
		var err error
		o.Flags, err = flags.New(t.Context(), flags.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
	})
	me := p.admit("zeus", "1")
	p.giveGods(me, "7")
	for _, path := range []string{"/api/auth/vault/claim", "/api/auth/marketplace/avatar/claim"} {
		if refused := p.mustBeProblem(path, p.send(claimOf(me, path, `{"tokenId":"7"}`)), 409); refused.Reason != "paused" {
			t.Errorf("%s: %+v", path, refused)
		}
	}
	if v := p.vault(me); v.Gods[0].State != "eligible" {
		t.Errorf("the vault is %+v", v)
	}
}

// Spec: CLAIM-1, CLAIM-3
func TestClaims_AvatarIsClaimedOnce(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	check := func(want string) {
		t.Helper()
		body := fill(`{"walletAddress":"{smart}"}`, me)
		if a := p.mustSucceed(claimOf(me, "/api/auth/marketplace/avatar/avatarClaimCheck", body), 200); strings.TrimSpace(a.text) != want {
			t.Errorf("the check says %s, want %s", a.text, want)
		}
	}
	check(`{"success":true,"claimed":false,"claimable":true}`)
	a := p.mustSucceed(claimOf(me, "/api/auth/marketplace/avatar/claim", ""), 202)
	if want := `{"claimId":"avatar/` + testkit.WalletOf(me.id).String() + `"}`; strings.TrimSpace(a.text) != want {
		t.Errorf("the claim is %s, want %s", a.text, want)
	}
	check(`{"success":true,"claimed":true,"claimable":false}`)
	if refused := p.mustBeProblem("twice", p.send(claimOf(me, "/api/auth/marketplace/avatar/claim", "")), 409); refused.Reason != "claimed" {
		t.Errorf("the second claim: %+v", refused)
	}
	for _, origin := range []string{"avatar", ""} {
		p.mustSucceed(request{method: "GET", path: "/api/auth/rewards?origin=" + origin, authorization: me.token}, 200)
	}
}

// Who has claimed is public on the chain.
// Spec: CLAIM-1
func TestClaims_AvatarOfAnyWalletIsChecked(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus, hera := p.admit("zeus", "1"), p.admit("hera", "2")
	p.mustSucceed(claimOf(hera, "/api/auth/marketplace/avatar/claim", ""), 202)
	for wallet, want := range map[string]string{
		testkit.WalletOf(zeus.id).Checksum():         `{"success":true,"claimed":false,"claimable":true}`,
		testkit.WalletOf(hera.id).Checksum():         `{"success":true,"claimed":true,"claimable":false}`,
		"0x00000000000000000000000000000000000000d1": `{"success":true,"claimed":false,"claimable":false}`,
	} {
		a := p.mustSucceed(claimOf(zeus, "/api/auth/marketplace/avatar/avatarClaimCheck", `{"walletAddress":"`+wallet+`"}`), 200)
		if strings.TrimSpace(a.text) != want {
			t.Errorf("%s: %s, want %s", wallet, a.text, want)
		}
	}
}

// Spec: ITEM-7
func TestHoldings_GameItemsSayWhichAreNew(t *testing.T) {
	t.Parallel()
	p := open(t)
	me := p.admit("zeus", "1")
	a := p.mustSucceed(request{method: "GET", path: "/api/auth/nft/listGameItems", authorization: me.token}, 200)
	if !strings.Contains(a.text, `"newItems":[]`) {
		t.Errorf("the list is %s", a.text)
	}
	p.mustSucceed(claimOf(me, "/api/auth/nft/gameItems/seen", ""), 200)
}
