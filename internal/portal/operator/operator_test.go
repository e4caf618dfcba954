package operator_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const (
	zeus    = "00000000000000A1"
	hera    = "00000000000000A2"
	unclear = "Nobody knows."
)

// desk is an operator's service on a database with two players.
type desk struct {
	*operator.Service
	t     *testing.T
	db    *store.DB
	clock *clock.Fake
}

func eachDesk(t *testing.T, test func(t *testing.T, d desk)) {
	t.Helper()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, c *clock.Fake) { test(t, newDesk(t, db, c)) })
}

func newDesk(t *testing.T, db *store.DB, c *clock.Fake) desk {
	t.Helper()
	d := desk{t: t, db: db, clock: c}
	ports := ports{operators.New(db), rewards.New(db)}
	d.Service = operator.NewService(operator.Options{
		Store: ports.Store, Clock: c, Gas: ports, Scores: ports, Tables: ports, ShopName: "shop", UnclearGrant: unclear,
		SignInLink: func(playerID, page string, at time.Time) (string, error) {
			return "https://portal.example" + page + "?" + playerID, nil
		},
		FrozenText: func(reason string) string { return "Frozen: " + reason },
	})
	for id, name := range map[string]string{zeus: "Zeus", hera: "Hera"} {
		d.join(id, name, strings.ToLower(name)+"@olympus.example")
	}
	return d
}

// ports are the ports that the database alone does not have.
type ports struct {
	operators.Store
	kept rewards.Store
}

func (p ports) KeptTables(ctx context.Context) ([]draw.Table, error) { return p.kept.KeptTables(ctx) }

func (p ports) GasBudgets(_ context.Context, at time.Time) ([]operator.GasBudget, error) {
	return []operator.GasBudget{{Chain: "game", ChainID: 7, Day: at.Truncate(24 * time.Hour)}, {ChainID: 8}}, nil
}

func (p ports) ReportScore(ctx context.Context, playerID, board string, score int64, e operator.Entry) error {
	return p.PutScore(ctx, playerID, board, score, e)
}

func (p ports) Announce(ctx context.Context, tables *draw.Tables, e operator.Entry) error {
	return p.KeepTables(ctx, tables.All(), func([]draw.Table) error { return nil }, e)
}

// join adds a player of the built-in platform.
func (d desk) join(id, name, email string) {
	d.t.Helper()
	player := account.Identity{PlayerID: id, DisplayName: name, Email: email}
	d.ok(accounts.New(d.db).CreateAccount(d.t.Context(), player, account.EmailKey(email), account.NameKey(name), "-"))
}

func (d desk) ok(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// mustFail checks the fault of what was refused.
func (d desk) mustFail(what string, err error, code fault.Code, message string) {
	d.t.Helper()
	if f := fault.As(err); f == nil || f.Code != code || f.Message != message {
		d.t.Errorf("%s: %v, want a fault %s %q", what, err, code, message)
	}
}

// log returns the entries of the log, sorted.
func (d desk) log() (out []string) {
	d.t.Helper()
	entries, err := d.Log(d.t.Context(), 100)
	d.ok(err)
	for _, e := range entries {
		if e.At.IsZero() {
			d.t.Errorf("an entry without a time: %+v", e)
		}
		out = append(out, strings.Join([]string{e.Who, e.Command, e.Subject, e.Detail, e.Reason}, " | "))
	}
	slices.Sort(out)
	return out
}

// session opens a session of a player.
func (d desk) session(id string, s account.Session) {
	d.t.Helper()
	s.PlayerID, s.ExpiresAt = id, s.CreatedAt.Add(time.Hour)
	_, err := accounts.New(d.db).OpenSession(d.t.Context(), account.Identity{PlayerID: id, DisplayName: "Zeus"}, s, s.ID, s.CreatedAt)
	d.ok(err)
}

const shopSource = "shop-7-1-0"

// settle changes the shop's order 7.
func (d desk) settle(fn func(context.Context, webstore.Tx) error) {
	d.t.Helper()
	d.ok(shopstore.New(d.db).SettleOrder(d.t.Context(), webstore.Hint{OrderID: 7}, time.Time{}, fn))
}

// pay has the shop's order 7 be paid, without a player.
func (d desk) pay() {
	d.t.Helper()
	d.settle(func(ctx context.Context, tx webstore.Tx) error {
		if _, err := tx.AddReward(ctx, reward.Reward{
			Source: shopSource, Origin: reward.FromWebstore, Grants: []reward.Content{reward.Currency{Code: "ig", Amount: 5}.Content()},
		}); err != nil {
			return err
		}
		return tx.PutOrder(ctx, webstore.Order{
			ID: 7, Number: "7", Status: webstore.Processing, PaidAt: opening, Problem: "The order has no valid reference of a player.",
			Notes: []string{"It rained."},
			Lines: []webstore.Line{{
				ID: 1, Variation: 201, Name: "A pouch", Quantity: 2, Given: 1, Waits: "too many",
				Contents: &webstore.Contents{Gives: []draw.Grant{{Currency: "ig", Amount: 5}}},
			}},
		})
	})
}

// earn adds a reward of which all has failed, of a player or, without one, of a wallet.
func (d desk) earn(source, playerID, failure string) {
	d.t.Helper()
	r := reward.Reward{
		Source: source, Origin: reward.FromGift, PlayerID: playerID, Detail: `{"why":"a gift"}`,
		Grants: []reward.Content{reward.Currency{Code: "fa", Amount: 5}.Content()},
	}
	if playerID == "" {
		r.Wallet = testkit.WalletOf("stranger")
	}
	d.ok(rewards.New(d.db).AddReward(d.t.Context(), r, opening))
	if failure != "" {
		g := reward.Grant{Source: source, Content: r.Grants[0], State: reward.Pending, PlayerID: playerID}
		_, err := rewards.New(d.db).MoveGrant(d.t.Context(), g, reward.Failed, failure, opening)
		d.ok(err)
	}
}

func tables(editions ...int) *draw.Tables {
	var out []draw.Table
	for _, edition := range editions {
		out = append(out, draw.Table{
			Kind: "hat", Edition: edition, Total: 1,
			Drops: []draw.Drop{{ID: "hat", Name: "A hat", Rarity: "rare", Weight: 1, Gives: []draw.Grant{{Currency: "fa", Amount: 1}}}},
		})
	}
	return draw.TablesOf(out)
}

// acts are all acts: what each does and, from the second column of the log on, what the log has of it.
var acts = map[string]struct {
	do   func(d desk, by operator.By) error
	want string
}{
	"freeze": {func(d desk, by operator.By) error {
		_, err := d.Freeze(d.t.Context(), "name:Zeus", by)
		return err
	}, "player freeze | 00000000000000A1 | "},
	"unfreeze": {func(d desk, by operator.By) error {
		_, err := d.Unfreeze(d.t.Context(), "email:hera@olympus.example", by)
		return err
	}, "player unfreeze | 00000000000000A2 | "},
	"score": {func(d desk, by operator.By) error {
		_, err := d.ReportScore(d.t.Context(), "Zeus", "kod", 12, by)
		return err
	}, "player score | 00000000000000A1 | 12 on kod"},
	"a list": {func(d desk, by operator.By) error {
		_, err := d.PutOnList(d.t.Context(), "zeus@olympus.example", "presale", opening.AddDate(0, 1, 0), by)
		return err
	}, "player whitelist add | 00000000000000A1 | presale until 2026-04-01"},
	"a list without an end": {func(d desk, by operator.By) error {
		_, err := d.PutOnList(d.t.Context(), "id:"+zeus, "founders", time.Time{}, by)
		return err
	}, "player whitelist add | 00000000000000A1 | founders"},
	"off a list": {func(d desk, by operator.By) error {
		_, err := d.TakeOffList(d.t.Context(), hera, "peacocks", by)
		return err
	}, "player whitelist remove | 00000000000000A2 | peacocks"},
	"a link": {func(d desk, by operator.By) error {
		l, err := d.SignInLink(d.t.Context(), "Zeus", "/packs", by)
		if err == nil && l.URL != "https://portal.example/packs?"+zeus {
			d.t.Errorf("the link is %+v", l)
		}
		return err
	}, "player sign-in-link | 00000000000000A1 | /packs"},
	"redo": {func(d desk, by operator.By) error {
		_, err := d.RedoReward(d.t.Context(), "failed", false, by)
		return err
	}, "reward redo | failed | "},
	"redo what is unclear": {func(d desk, by operator.By) error {
		_, err := d.RedoReward(d.t.Context(), "unclear", true, by)
		return err
	}, "reward redo | unclear | even if given"},
	"assign a reward": {func(d desk, by operator.By) error {
		_, err := d.AssignReward(d.t.Context(), "unowned", "name:Hera", by)
		return err
	}, "reward assign | unowned | to 00000000000000A2"},
	"assign an order": {func(d desk, by operator.By) error {
		_, err := d.AssignShopOrder(d.t.Context(), 7, "Zeus", by)
		return err
	}, "shop assign | 7 | to 00000000000000A1"},
	"release": {func(d desk, by operator.By) error {
		return d.ReleaseShopOrder(d.t.Context(), 8, by)
	}, "shop release | 8 | "},
	"forgive": {func(d desk, by operator.By) error {
		_, err := d.ForgiveShopDebts(d.t.Context(), "Hera", by)
		return err
	}, "shop forgive | 00000000000000A2 | "},
	"gas": {func(d desk, by operator.By) error {
		_, err := d.RaiseGas(d.t.Context(), "game", "0.05", 3, by)
		return err
	}, "gas raise | game | 0.05, 3 operations"},
	"a token": {func(d desk, by operator.By) error {
		_, err := d.RefreshTokens(d.t.Context(), "0x0000000000000000000000000000000000000721", "121", by)
		return err
	}, "token refresh | 0x0000000000000000000000000000000000000721 | 121"},
	"an address": {func(d desk, by operator.By) error {
		return d.DeleteAddress(d.t.Context(), " Athena@olympus.example", by)
	}, "address delete | A…@olympus.example | "},
	"tables": {func(d desk, by operator.By) error {
		return d.AnnounceTables(d.t.Context(), tables(1, 2), by)
	}, "odds announce | hat 2 | "},
}

// furnish adds what the acts need.
func (d desk) furnish() {
	d.t.Helper()
	ctx, by := d.t.Context(), testkit.By("to begin with")
	_, err := d.Freeze(ctx, "id:"+hera, by)
	d.ok(err)
	_, err = d.PutOnList(ctx, "id:"+hera, "peacocks", time.Time{}, by)
	d.ok(err)
	d.earn("failed", zeus, "no such token")
	d.earn("unclear", zeus, unclear)
	d.earn("unowned", "", "")
	d.pay()
	d.ok(shopstore.New(d.db).SettleOrder(ctx, webstore.Hint{OrderID: 8}, time.Time{}, func(ctx context.Context, tx webstore.Tx) error {
		return tx.PutOrder(ctx, webstore.Order{
			ID: 8, Number: "8", Status: webstore.Processing, PaidAt: opening, PlayerID: zeus, Problem: "paid less",
		})
	}))
	d.ok(contact.NewService(store.Contacts{DB: d.db}, d.clock, "").PreRegister(ctx, "athena@olympus.example"))
	d.ok(d.AnnounceTables(ctx, tables(1), by))
	d.ok(d.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertChainCursor(ctx, gen.InsertChainCursorParams{ChainID: 7})
	}))
	testkit.AddUnreadToken(d.t, d.db, eth.MustAddress("0x0000000000000000000000000000000000000721"), "121")
}

// Spec: RUN-14
func TestOperator_EachActIsLoggedWithWhoAndWhy(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		d.furnish()
		want := d.log()
		for what, act := range acts {
			by := operator.By{Who: " cron (root@db-1) ", Reason: " " + what + ": ticket 4711 "}
			if err := act.do(d, by); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			want = append(want, "cron (root@db-1) | "+act.want+" | "+what+": ticket 4711")
		}
		slices.Sort(want)
		if got := d.log(); !slices.Equal(got, want) {
			t.Errorf("logged\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// Spec: RUN-14
func TestOperator_WithoutWhoAndWhyNothingIsDone(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		d.furnish()
		before := d.log()
		long := strings.Repeat("ä", 201)
		for what, act := range acts {
			for _, reason := range []string{"", "  ", "two\nlines", "a zero byte\x00", "an escape \x1b[2J", "broken \xff", long} {
				message := "Give a reason of 1 to 200 characters on one line."
				if what == "freeze" {
					message = "Give a reason of 1 to 200 characters on one line: the player reads it."
				}
				d.mustFail(fmt.Sprintf("%s, %.20q", what, reason), act.do(d, testkit.By(reason)), fault.Invalid, message)
			}
			for _, who := range []string{"", "two\nlines", long} {
				err := act.do(d, operator.By{Who: who, Reason: "asked"})
				d.mustFail(fmt.Sprintf("%s, by %.20q", what, who), err, fault.Invalid, "Say who you are in 1 to 200 characters on one line.")
			}
		}
		if got := d.log(); !slices.Equal(got, before) {
			t.Errorf("logged\n%s", strings.Join(got, "\n"))
		}
		if _, err := d.Freeze(t.Context(), "Zeus", testkit.By(strings.Repeat("ä", 200))); err != nil {
			t.Error(err)
		}
	})
}

// What was refused, or had nothing to change, is not in the log.
func TestOperator_RefusedActsAreNotLogged(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		d.furnish()
		before, ctx, by := d.log(), t.Context(), testkit.By("asked")
		value := func(_ any, err error) error { return err }
		for _, c := range []struct {
			what    string
			err     error
			code    fault.Code
			message string
		}{
			{"nobody is frozen", value(d.Freeze(ctx, "Ares", by)), fault.NotFound, `There is no player with the id, email or name "Ares".`},
			{
				"no name of a list", value(d.PutOnList(ctx, "Zeus", "Founders", time.Time{}, by)), fault.Invalid,
				"A list's name has 1 to 40 lower-case letters, digits and hyphens.",
			},
			{
				"a name of 41 letters", value(d.PutOnList(ctx, "Zeus", strings.Repeat("x", 41), time.Time{}, by)), fault.Invalid,
				"A list's name has 1 to 40 lower-case letters, digits and hyphens.",
			},
			{"on no list", value(d.TakeOffList(ctx, "Zeus", "presale", by)), fault.NotFound, `This player is not on the list "presale".`},
			{"an unknown reward", value(d.RedoReward(ctx, "unknown", false, by)), fault.NotFound, "There is no such reward."},
			{
				"a reward of which nothing failed", value(d.RedoReward(ctx, "unowned", false, by)), fault.Conflict,
				"Nothing of this reward has failed; it is drawn.",
			},
			{
				"a reward that is somebody's", value(d.AssignReward(ctx, "failed", "Hera", by)), fault.Conflict,
				"This reward is player " + zeus + "'s.",
			},
			{
				"a reward of the shop", value(d.AssignReward(ctx, shopSource, "Hera", by)), fault.Conflict,
				"This reward is of an order of the webstore: assign the whole order by shop assign.",
			},
			{"an unknown order", value(d.AssignShopOrder(ctx, 9, "Hera", by)), fault.NotFound, "There is no paid order 9."},
			{"an order that is somebody's", value(d.AssignShopOrder(ctx, 8, "Hera", by)), fault.Conflict, "This order is player " + zeus + "'s."},
			{"an order without a player", d.ReleaseShopOrder(ctx, 7, by), fault.Conflict, "This order has no player: assign it first."},
			{"no amount", value(d.RaiseGas(ctx, "game", "much", 0, by)), fault.Invalid, "The amount must be a number such as 0.05."},
			{"nothing", value(d.RaiseGas(ctx, "game", "0", 0, by)), fault.Invalid, "Say by how much: an amount, or a number of operations."},
			{"less", value(d.RaiseGas(ctx, "game", "1", -1, by)), fault.Invalid, "Say by how much: an amount, or a number of operations."},
			{"another chain", value(d.RaiseGas(ctx, "other", "1", 0, by)), fault.Invalid, "The chain must be game or main."},
			{"a chain without a name", value(d.RaiseGas(ctx, "", "1", 0, by)), fault.Invalid, "The chain must be game or main."},
			{"no address", value(d.RefreshTokens(ctx, "elder-gods", "1", by)), fault.Invalid, `"elder-gods" is no address of a contract.`},
			{
				"an unknown token", value(d.RefreshTokens(ctx, "0x0000000000000000000000000000000000000721", "122", by)), fault.NotFound,
				"No such token is described by its contract.",
			},
			{"an unknown address", d.DeleteAddress(ctx, "ares@olympus.example", by), fault.NotFound, "This address is not on the list."},
			{"no entries", value(d.Log(ctx, 0)), fault.Invalid, "The limit must be 1 to 1000."},
			{"too many orders", value(d.Orders(ctx, "Zeus", 1001)), fault.Invalid, "The limit must be 1 to 1000."},
			{"fewer rewards than none", value(d.Rewards(ctx, "", operator.Find{Limit: -1})), fault.Invalid, "The limit must be 1 to 1000."},
			{"too much of the shop", value(d.ShopBacklog(ctx, 1001)), fault.Invalid, "The limit must be 1 to 1000."},
		} {
			d.mustFail(c.what, c.err, c.code, c.message)
		}
		if u, err := d.Unfreeze(ctx, "Zeus", by); err != nil || u.Was != nil {
			t.Errorf("unfreezing somebody who is not frozen: %+v, %v", u, err)
		}
		if got := d.log(); !slices.Equal(got, before) {
			t.Errorf("logged\n%s", strings.Join(got, "\n"))
		}
	})
}

// An act whose entry cannot be written has no effect.
//
// Spec: RUN-14
func TestOperator_EntryAndEffectAreOneTransaction(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.SQLite)
	c := clock.NewFake(opening)
	o.Clock = c
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	d := newDesk(t, db, c)
	d.furnish()
	raw, err := sql.Open("sqlite", "file:"+o.Path+"?_pragma=busy_timeout(10000)")
	d.ok(err)
	t.Cleanup(func() { _ = raw.Close() })
	dump := func() (out []string) {
		t.Helper()
		for _, table := range []string{
			"player", "whitelist_entry", "statistic", "reward", "reward_grant", "shop_order", "shop_line", "shop_hint", "gas_raise",
			"pre_registration", "drop_table",
		} {
			rows, err := raw.QueryContext(t.Context(), "SELECT * FROM "+table)
			d.ok(err)
			columns, err := rows.Columns()
			d.ok(err)
			for rows.Next() {
				values := make([]any, len(columns))
				for i := range values {
					values[i] = new(any)
				}
				d.ok(rows.Scan(values...))
				text := table
				for _, v := range values {
					text += fmt.Sprint(" ", *v.(*any))
				}
				out = append(out, text)
			}
			d.ok(rows.Err())
			d.ok(rows.Close())
		}
		return out
	}
	_, err = raw.ExecContext(t.Context(), "ALTER TABLE security_entry RENAME COLUMN reason TO no_reason")
	d.ok(err)
	before := dump()
	for what, act := range acts {
		if err := act.do(d, testkit.By("asked")); err == nil || !strings.Contains(err.Error(), "reason") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if after := dump(); !slices.Equal(after, before) {
		t.Errorf("before\n%s\nafter\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
}

// Spec: SAFE-7
func TestFreeze_TakesIDEmailOrNameOfOnePlayer(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		for _, written := range []string{
			zeus, "zeus@olympus.example", " ZEUS@Olympus.example ", "Zeus", "zEUS",
			"id:" + zeus, "email:zeus@olympus.example", " email: ZEUS@Olympus.example ", "name:Zeus", "name: zEUS",
		} {
			f, err := d.Freeze(t.Context(), written, testkit.By("a chargeback"))
			if want := (operator.Player{ID: zeus, Name: "Zeus", Email: "zeus@olympus.example"}); err != nil || f.Player != want {
				t.Errorf("%q: %+v, %v", written, f, err)
			}
			if u, err := d.Unfreeze(t.Context(), written, testkit.By("settled")); err != nil || u.Was == nil {
				t.Errorf("%q: %+v, %v", written, u, err)
			}
		}
		for _, written := range []string{
			"", "Ares", "ares@olympus.example", "0123456789ABCDEF", "id:", "email:", "name:", "id:Zeus", "email:Zeus",
			"name:zeus@olympus.example", "name:" + zeus, "Name:Zeus",
		} {
			_, err := d.Player(t.Context(), written)
			d.mustFail("nobody", err, fault.NotFound, fmt.Sprintf("There is no player with the id, email or name %q.", written))
		}
	})
}

// Whoever takes another player's id or address as a name neither hides that player from operators nor is acted on in that player's place.
func TestOperator_WordThatFitsTwoPlayersIsRefusedWithBoth(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		d.furnish()
		d.ok(d.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return errors.Join(
				tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: "ERIS", DisplayName: zeus, Email: "eris@olympus.example"}),
				tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: "ATE", DisplayName: "zeus@olympus.example", Email: "ate@olympus.example"}))
		}))
		by, before := testkit.By("asked"), d.log()
		for name, other := range map[string]string{zeus: "ERIS", "zeus@olympus.example": "ATE"} {
			for what, err := range map[string]error{
				"show":     func() error { _, err := d.Player(t.Context(), name); return err }(),
				"orders":   func() error { _, err := d.Orders(t.Context(), name, 1); return err }(),
				"rewards":  func() error { _, err := d.Rewards(t.Context(), name, operator.Find{Limit: 1}); return err }(),
				"freeze":   func() error { _, err := d.Freeze(t.Context(), name, by); return err }(),
				"unfreeze": func() error { _, err := d.Unfreeze(t.Context(), name, by); return err }(),
				"score":    func() error { _, err := d.ReportScore(t.Context(), name, "kod", 1, by); return err }(),
				"list":     func() error { _, err := d.PutOnList(t.Context(), name, "presale", time.Time{}, by); return err }(),
				"off":      func() error { _, err := d.TakeOffList(t.Context(), name, "presale", by); return err }(),
				"link":     func() error { _, err := d.SignInLink(t.Context(), name, "/", by); return err }(),
				"reward":   func() error { _, err := d.AssignReward(t.Context(), "unowned", name, by); return err }(),
				"order":    func() error { _, err := d.AssignShopOrder(t.Context(), 7, name, by); return err }(),
				"forgive":  func() error { _, err := d.ForgiveShopDebts(t.Context(), name, by); return err }(),
			} {
				f := fault.As(err)
				if f == nil || f.Code != fault.Invalid ||
					!strings.HasPrefix(f.Message, fmt.Sprintf("Several players fit %q. Write one of these: ", name)) ||
					!strings.Contains(f.Message, "id:"+zeus+` (name "Zeus", email "zeus@olympus.example")`) ||
					!strings.Contains(f.Message, "id:"+other+" (name ") {
					t.Errorf("%s of %q, which fits two players: %v", what, name, err)
				}
			}
			if p, err := d.Player(t.Context(), "name:"+name); err != nil || p.ID != other {
				t.Errorf("the player called %q: %+v, %v", name, p, err)
			}
		}
		for _, written := range []string{"id:" + zeus, "email:zeus@olympus.example"} {
			if p, err := d.Player(t.Context(), written); err != nil || p.ID != zeus {
				t.Errorf("%q: %+v, %v", written, p, err)
			}
		}
		if got := d.log(); !slices.Equal(got, before) {
			t.Errorf("logged\n%s", strings.Join(got, "\n"))
		}
	})
}

func TestOperator_SeesWhatIsKnownOfAPlayer(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		d.furnish()
		testkit.AddWallet(t, d.db, zeus, 0)
		_, err := d.PutOnList(t.Context(), "id:"+zeus, "presale", opening.Add(time.Hour), testkit.By("asked"))
		d.ok(err)
		p, err := d.Player(t.Context(), "Zeus")
		if err != nil || p.ID != zeus || p.Frozen != nil || p.Verified != nil || p.Wallet == nil || p.Wallet.Smart != testkit.WalletOf(zeus) ||
			len(p.Lists) != 1 || p.Lists[0] != (operator.List{Name: "presale", Until: opening.Add(time.Hour)}) ||
			p.Rewards != (operator.RewardCounts{Failed: 2}) {
			t.Errorf("%+v, %v", p, err)
		}
		p, err = d.Player(t.Context(), "Hera")
		if err != nil || p.Wallet != nil || p.Frozen == nil || *p.Frozen != (operator.Freeze{At: opening, Reason: "to begin with"}) {
			t.Errorf("%+v, %v", p, err)
		}
		if b, err := json.Marshal(p); err != nil || string(b) != `{"id":"`+hera+`","name":"Hera","email":"hera@olympus.example",`+
			`"frozen":{"since":"2026-03-01T12:00:00Z","reason":"to begin with"},"lists":[{"name":"peacocks"}],`+
			`"rewards":{"done":0,"failed":0,"cancelled":0,"open":0}}` {
			t.Errorf("as JSON: %s, %v", b, err)
		}
	})
}

func TestOperator_ReadsOrders(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		wallet, item, sold := testkit.WalletOf(zeus), eth.MustAddress(testkit.Items), eth.Keccak256([]byte("sold"))
		d.ok(d.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			for i, id := range []string{"one", "two", "three"} {
				at := column.At(opening.Add(time.Duration(i) * time.Minute))
				if err := tx.SaveOrder(ctx, gen.SaveOrderParams{
					ID: id, PlayerID: zeus, Wallet: wallet, ChainID: 7, Currency: eth.MustAddress(testkit.USDC), Total: money.FromInt(1_500_000),
					State: "failed", Error: "The seller was faster.", TxHash: sold, Calls: "[]", CreatedAt: at, UpdatedAt: at, ExpiresAt: at,
				}); err != nil {
					return err
				}
			}
			return errors.Join(
				tx.SaveOrderItem(ctx, gen.SaveOrderItemParams{
					OrderID: "two", ListingID: "7-1", Number: "1", Contract: item, TokenID: "43", Seller: wallet,
					Quantity: 3, Price: money.FromInt(500_000), Bought: 1,
				}),
				tx.SaveOrderEvent(ctx, gen.SaveOrderEventParams{OrderID: "two", State: "failed", At: column.At(opening), Detail: "too late"}))
		}))
		orders, err := d.Orders(t.Context(), "Zeus", 2)
		if err != nil || len(orders) != 2 || orders[0].ID != "three" || orders[1].ID != "two" {
			t.Errorf("%+v, %v", orders, err)
		}
		o, err := d.Order(t.Context(), "two")
		if err != nil || o.PlayerID != zeus || o.Total.Cmp(money.FromInt(1_500_000)) != 0 || o.Error != "The seller was faster." ||
			!o.PlacedAt.Equal(opening.Add(time.Minute)) || o.Tx == nil || *o.Tx != sold || o.Operation != nil ||
			o.Chain != 7 || o.Wallet != wallet || len(o.Items) != 1 || len(o.Events) != 1 {
			t.Fatalf("%+v, %v", o, err)
		}
		if i := o.Items[0]; i.Listing != "7-1" || i.Contract != item || i.TokenID != "43" || i.Seller != wallet || i.Quantity != 3 ||
			i.Bought != 1 || i.Price.Cmp(money.FromInt(500_000)) != 0 {
			t.Errorf("its item is %+v", i)
		}
		if e := o.Events[0]; e.State != "failed" || e.Detail != "too late" || !e.At.Equal(opening) {
			t.Errorf("its event is %+v", e)
		}
		_, err = d.Order(t.Context(), "four")
		d.mustFail("an unknown order", err, fault.NotFound, "There is no such order.")
	})
}

// What the player may have already, because the game platform's answer was lost, is given again only if the operator says so.
func TestOperator_UncertainGrantIsRedoneOnlyIfForced(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		d.earn("gift", zeus, unclear)
		_, err := d.RedoReward(t.Context(), "gift", false, testkit.By("asked for"))
		d.mustFail("unasked", err, fault.Conflict, `It is not known whether the player has grant 0 ({"code":"fa","amount":5}): `+
			"look up the balance on the game platform and, if it was not given, give it again although the player may have it (--even-if-given).")
		if n, err := d.RedoReward(t.Context(), "gift", true, testkit.By("looked it up")); n != 1 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		r, err := d.Reward(t.Context(), "gift")
		if err != nil || r.PlayerID != zeus || r.State != reward.Drawn || string(r.Detail) != `{"why":"a gift"}` || len(r.Grants) != 1 ||
			string(r.Grants[0].Detail) != `{"code":"fa","amount":5}` || r.Grants[0].State != reward.Pending {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestOperator_AssignsAPaidOrderAndForgivesDebts(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		d.pay()
		b, err := d.ShopBacklog(t.Context(), 10)
		if err != nil || b.Waiting != 1 || len(b.Orders) != 1 || b.Orders[0].ID != 7 || len(b.Debts) != 0 {
			t.Errorf("%+v, %v", b, err)
		}
		const why = "The order has no valid reference of a player. Line 1 (A pouch): too many."
		o, err := d.ShopOrder(t.Context(), 7)
		if err != nil || o.PlayerID != "" || o.Why() != why || !slices.Equal(o.Notes, []string{"It rained."}) ||
			len(o.Lines) != 1 || o.Lines[0].Waiting != 1 || len(o.Rewards) != 1 ||
			o.Rewards[0].Source != shopSource || o.Rewards[0].State != reward.Drawn {
			t.Errorf("%+v, %v", o, err)
		}
		_, err = d.AssignShopOrder(t.Context(), 7, "Zeus", testkit.By("asked"))
		d.ok(err)
		if o, err = d.ShopOrder(t.Context(), 7); err != nil || o.PlayerID != zeus {
			t.Errorf("%+v, %v", o, err)
		}
		d.ok(d.ReleaseShopOrder(t.Context(), 7, testkit.By("it is fine")))
		if b, err = d.ShopBacklog(t.Context(), 10); err != nil || b.Waiting != 0 || b.Reported != 1 {
			t.Errorf("%+v, %v", b, err)
		}
		_, err = reward.NewService(rewards.New(d.db), nil, reward.Treasury{}, d.clock).Step(t.Context())
		d.ok(err)
		d.settle(func(ctx context.Context, tx webstore.Tx) error { return tx.TakeBack(ctx, shopSource, 7_990_000) })
		b, err = d.ShopBacklog(t.Context(), 10)
		if err != nil || len(b.Debts) != 1 || b.Debts[0].PlayerID != zeus || b.Debts[0].State != "open" ||
			string(b.Debts[0].Detail) != `{"code":"ig","amount":5}` {
			t.Errorf("%+v, %v", b, err)
		}
		if f, err := d.ForgiveShopDebts(t.Context(), "Zeus", testkit.By("a gift")); err != nil || f.Debts != 1 || f.Disputes != 0 {
			t.Errorf("%+v, %v", f, err)
		}
	})
}

// Spec: PLAYER-7
func TestOperator_ReadsWhatPeopleLeft(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		s := contact.NewService(store.Contacts{DB: d.db}, d.clock, "")
		for _, address := range []string{"zeus@olympus.example", "hera@olympus.example"} {
			d.ok(s.PreRegister(t.Context(), address))
		}
		d.ok(s.Write(t.Context(), "zeus@olympus.example", contact.Wallet, "Where is it?\nI looked everywhere."))
		requests, err := d.SupportRequests(t.Context())
		if err != nil || len(requests) != 1 || requests[0].Email != "zeus@olympus.example" || requests[0].Topic != "wallet" ||
			requests[0].Message != "Where is it?\nI looked everywhere." || !requests[0].CreatedAt.Equal(opening) {
			t.Errorf("%+v, %v", requests, err)
		}
		d.ok(d.DeleteAddress(t.Context(), "Zeus@olympus.example", testkit.By("asked")))
		again := d.DeleteAddress(t.Context(), "zeus@olympus.example", testkit.By("asked"))
		d.mustFail("a second time", again, fault.NotFound, "This address is not on the list.")
		if left, err := d.Addresses(t.Context()); err != nil || len(left) != 1 || left[0].Email != "hera@olympus.example" {
			t.Errorf("%+v, %v", left, err)
		}
	})
}

// Spec: ACCOUNT-8
func TestOperator_ReadsWherePlayersComeFrom(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		for i, source := range []string{"game", "letter"} {
			d.session(zeus, account.Session{
				ID: source, CreatedAt: opening.Add(time.Duration(i) * time.Minute),
				Arrival: &account.Arrival{Parameters: map[string]string{"utm_source": source}},
			})
		}
		arrivals, err := d.Arrivals(t.Context())
		if err != nil || len(arrivals) != 2 || arrivals[0].PlayerID != zeus || !arrivals[0].At.Equal(opening) ||
			string(arrivals[0].Parameters) != `{"utm_source":"game"}` || string(arrivals[1].Parameters) != `{"utm_source":"letter"}` {
			t.Errorf("%+v, %v", arrivals, err)
		}
	})
}

// The command has the settings of another portal: it would raise what nobody reads.
func TestOperator_GasIsRaisedOnChainsThatThePortalFollows(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		raise := func() error {
			_, err := d.RaiseGas(t.Context(), "game", "1", 0, testkit.By("a sale"))
			return err
		}
		follow := func(chain onchain.ChainID) {
			d.ok(d.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				return tx.InsertChainCursor(ctx, gen.InsertChainCursorParams{ChainID: chain})
			}))
		}
		d.ok(raise()) // before the portal's first start
		follow(9)
		d.mustFail("another portal's chain", raise(), fault.Conflict,
			"The portal does not follow chain 7. Give the command the portal's ENVIRONMENT and ids of chains.")
		follow(7)
		d.ok(raise())
		if len(d.log()) != 2 {
			t.Errorf("logged %q", d.log())
		}
	})
}

func TestOperator_LogHasTheNewestFirst(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d desk) {
		for _, page := range []string{"/one", "/two", "/three"} {
			_, err := d.SignInLink(t.Context(), "Zeus", page, testkit.By("support"))
			d.ok(err)
			d.clock.Advance(time.Minute)
		}
		log, err := d.Log(t.Context(), 2)
		want := operator.Entry{
			At: opening.Add(2 * time.Minute), Who: "root@test", Command: "player sign-in-link", Subject: zeus, Detail: "/three", Reason: "support",
		}
		if err != nil || len(log) != 2 || log[0] != want || log[1].Detail != "/two" {
			t.Errorf("%+v, %v", log, err)
		}
	})
}
