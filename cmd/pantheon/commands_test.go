package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/index"
	"pantheon/internal/store/rewards"
	shopstore "pantheon/internal/store/webstore"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// invoke runs a command with settings, and returns what it prints.
func invoke(t *testing.T, settings []string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	command, err := parser(t.Context(), &console{out: terminal{&out}, environ: settings}).Parse(args)
	if err == nil {
		err = command.Run()
	}
	return out.String(), err
}

// must runs a command that succeeds.
func must(t *testing.T, settings []string, args ...string) string {
	t.Helper()
	out, err := invoke(t, settings, args...)
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return out
}

// words returns a command line; reasons stand at its end.
func words(line string) []string { return strings.Fields(line) }

// lookups are the commands that read the database.
var lookups = []string{
	"player show id:A", "player frozen", "order list id:A", "order show O", "reward list", "reward list --player name:Zeus --state open",
	"reward show gift", "shop list", "shop show 7", "gas show", "token list",
	"token show 0x0000000000000000000000000000000000000721 121", "support list", "address list", "arrival list", "operator log", "move status",
	"audit list", "audit list --kind operator", "operator list",
}

// acts are the commands that change something, and need a reason.
var acts = []string{
	"operator add Ada --role=owner", "operator add Bob --role=support", "operator role bob economy", "operator invite Bob",
	"operator remove Bob",
	"player freeze id:A", "player unfreeze id:A", "player score id:A kod 7", "player whitelist add id:A presale",
	"player whitelist remove id:A presale", "player sign-in-link id:A", "reward redo gift", "reward assign unowned id:A", "shop assign 7 id:A",
	"shop release 8", "shop forgive id:A", "gas raise game 0.05",
	"token refresh 0x0000000000000000000000000000000000000721 121", "address delete athena@olympus.example",
	"odds announce ../../docs/samples/rules.yaml", "key init",
}

// others change nothing and read no database of the portal.
var others = []string{
	"brand check", "brand init ours", "odds check", "odds simulate", "opening verify", "deploy plan", "deploy apply", "deploy keys",
	"deploy sources", "gas topup", "operator rights",
}

// The grammar is noun, verb. What changes something needs a reason; the rest, and what acts say, can be had as JSON.
func TestCommands_AreNounsThenVerbs(t *testing.T) {
	t.Parallel()
	var leaves []string
	flags := map[string]map[string]*kong.Flag{}
	err := kong.Visit(parser(t.Context(), &console{}).Model, func(node kong.Visitable, next kong.Next) error {
		if n, ok := node.(*kong.Node); ok && n.Leaf() {
			path := strings.TrimPrefix(regexp.MustCompile(` [<\[].*`).ReplaceAllString(n.FullPath(), ""), "pantheon ")
			leaves = append(leaves, path)
			flags[path] = map[string]*kong.Flag{}
			for _, f := range n.Flags {
				flags[path][f.Name] = f
			}
			if strings.Contains(strings.ToLower(n.Help), "strike") {
				t.Errorf("%s: %s", path, n.Help)
			}
		}
		return next(nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"dev": false, "chain": false, "serve": false, "config": false, "check": false, "migrate": false,
		"version": false, "health": false, "verify": false, "index rebuild": true, "key rotate": true, "key show": false, "key seal": false,
		"wallet restore": true, "wallet copy": true, "backup make": false, "backup list": false, "backup key": false, "backup restore": false,
		"rehearse": false, "audit verify": false, "audit export": false,
		"move freeze": true, "move retake": true, "move cancel": true, "move finish": true, "move give": true}
	for needsReason, lines := range map[bool][]string{false: append(slices.Clone(lookups), others...), true: acts} {
		for _, line := range lines {
			for _, leaf := range leaves {
				if (line + " ")[:min(len(leaf)+1, len(line)+1)] == leaf+" " {
					want[leaf] = needsReason
				}
			}
		}
	}
	for _, leaf := range leaves {
		needsReason, known := want[leaf]
		if !known {
			t.Errorf("%s is in no list of this test", leaf)
		}
		if f := flags[leaf]["reason"]; (f != nil && f.Required) != needsReason || (flags[leaf]["as"] != nil) != needsReason {
			t.Errorf("%s: a reason must be required: %t", leaf, needsReason)
		}
		if !slices.Contains([]string{"dev", "chain", "serve", "address delete"}, leaf) && flags[leaf]["json"] == nil {
			t.Errorf("%s: no --json", leaf)
		}
	}
	if len(leaves) != len(want) {
		t.Errorf("%d commands, want %d", len(leaves), len(want))
	}
}

// furnished is a migrated database with something for every command, and the settings that lead to it: one alone, with its path.
func furnished(t *testing.T, engine store.Engine) (settings []string, o store.Options) {
	t.Helper()
	o = testkit.DatabaseOptions(t, engine)
	settings = []string{"DATABASE_URL=" + o.URL}
	if engine == store.SQLite {
		settings = []string{"DATA_DIR=" + filepath.Dir(o.Path)}
	}
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	session := account.Session{
		ID: "here", PlayerID: "A", CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		Arrival: &account.Arrival{Parameters: map[string]string{"utm_source": "game"}},
	}
	zeus := account.Identity{PlayerID: "A", DisplayName: "Zeus", Email: "zeus@olympus.example"}
	ok(accounts.New(db).CreateAccount(t.Context(), zeus, account.EmailKey(zeus.Email), account.NameKey(zeus.DisplayName), "-"))
	_, err = accounts.New(db).OpenSession(t.Context(), zeus, session, "here", now)
	ok(err)
	testkit.AddWallet(t, db, "A", 0)
	testkit.AddUnreadToken(t, db, eth.MustAddress("0x0000000000000000000000000000000000000721"), "121")
	_, err = index.New(db, index.Options{}).Resume(t.Context(), 421614, onchain.Sources{Base: "test"}, false)
	ok(err)
	gift := reward.Reward{
		Source: "gift", Origin: reward.FromGift, PlayerID: "A", Detail: "{}",
		Grants: []reward.Content{reward.Currency{Code: "fa", Amount: 5}.Content()},
	}
	ok(rewards.New(db).AddReward(t.Context(), gift, now))
	grant := reward.Grant{Source: "gift", Content: gift.Grants[0], State: reward.Pending, PlayerID: "A"}
	_, err = rewards.New(db).MoveGrant(t.Context(), grant, reward.Failed, "lost", now)
	ok(err)
	ok(rewards.New(db).AddReward(t.Context(), reward.Reward{
		Source: "unowned", Origin: reward.FromArk, Wallet: testkit.WalletOf("stranger"), Detail: "{}", Grants: gift.Grants,
	}, now))
	for id, owner := range map[int64]string{7: "", 8: "A"} {
		ok(shopstore.New(db).SettleOrder(t.Context(), webstore.Hint{OrderID: id}, time.Time{}, func(ctx context.Context, tx webstore.Tx) error {
			return tx.PutOrder(ctx, webstore.Order{
				ID: id, Number: "7\n\u202e", Status: webstore.Processing, PaidAt: now, PlayerID: owner, Problem: "Nobody knows.",
				Notes: []string{"It\nrained."},
			})
		}))
	}
	s := contact.NewService(store.Contacts{DB: db}, clock.System{}, "")
	ok(s.PreRegister(t.Context(), "athena@olympus.example"))
	ok(s.Write(t.Context(), "zeus@olympus.example", contact.Wallet, "Where is it?\nI looked everywhere."))
	ok(db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(
			tx.PutWhitelistEntry(ctx, gen.PutWhitelistEntryParams{PlayerID: "A", List: "presale"}),
			tx.SaveOrder(ctx, gen.SaveOrderParams{
				ID: "O", PlayerID: "A", Wallet: testkit.WalletOf("A"), ChainID: 7, Currency: eth.MustAddress(testkit.USDC),
				Total: money.FromInt(1_500_000), State: "expired", Calls: "[]",
				CreatedAt: column.At(now), UpdatedAt: column.At(now), ExpiresAt: column.At(now),
			}))
	}))
	ok(db.Close())
	return settings, o
}

// tree lists a folder's files with their contents.
func tree(t *testing.T, folder string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out = append(out, path+"\n"+string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Spec: RUN-15
func TestCommands_OfADatabaseMakeNeitherItNorItsFolder(t *testing.T) {
	t.Parallel()
	for _, line := range slices.Concat(lookups, acts) {
		if line == "key init" {
			continue // is for a new portal
		}
		folder := t.TempDir()
		for _, data := range []string{folder, filepath.Join(folder, "data")} {
			args := words(line)
			if slices.Contains(acts, line) {
				args = append(args, "--reason=asked")
			}
			out, err := invoke(t, []string{"DATA_DIR=" + data}, args...)
			want := "database: there is none at " + filepath.Join(data, "pantheon.db") +
				", set DATA_DIR or DATABASE_URL as for the portal: file does not exist"
			if err == nil || err.Error() != want || out != "" {
				t.Errorf("%s: %v, want %s\n%s", line, err, want, out)
			}
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 0 {
			t.Errorf("%s: the folder has %v, %v", line, files, err)
		}
	}
}

// Spec: RUN-15
func TestCommands_OlderSchemasAreRefusedInOneLine(t *testing.T) {
	t.Parallel()
	settings, o := furnished(t, store.SQLite)
	raw, err := sql.Open("sqlite", "file:"+o.Path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = raw.ExecContext(t.Context(), "DELETE FROM schema_version WHERE version_id >= 19")
	if err := errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
	settings = append(settings, "SIGNER_KEY_FILE="+filepath.Join(t.TempDir(), "signer.key"))
	before := tree(t, filepath.Dir(o.Path))
	for _, line := range slices.Concat(lookups, acts) {
		args := words(line)
		if slices.Contains(acts, line) {
			args = append(args, "--reason=asked")
		}
		const want = "database: its schema has version 18, which is older than 30: run `pantheon migrate` of this version, or start it " +
			"with MIGRATE=auto"
		if _, err := invoke(t, settings, args...); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	if !slices.Equal(tree(t, filepath.Dir(o.Path)), before) {
		t.Error("the folder has changed")
	}
}

// Lookups need the setting of the database alone, and change nothing: neither it nor the folder it is in.
//
// Spec: RUN-15
func TestCommands_LookupsNeedTheDatabaseOnlyAndChangeNothing(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			settings, o := furnished(t, engine)
			if engine == store.PostgreSQL { // what writes fails
				raw, err := sql.Open("pgx", o.URL)
				if err != nil {
					t.Fatal(err)
				}
				name := o.URL[strings.LastIndex(o.URL, "/")+1 : strings.Index(o.URL, "?")]
				_, err = raw.ExecContext(t.Context(), "ALTER DATABASE "+name+" SET default_transaction_read_only = on")
				if err := errors.Join(err, raw.Close()); err != nil {
					t.Fatal(err)
				}
			}
			var before []string
			if engine == store.SQLite {
				before = tree(t, filepath.Dir(o.Path))
			}
			for _, line := range lookups {
				must(t, settings, words(line)...)
				out := must(t, settings, append(words(line), "--json")...)
				if !json.Valid([]byte(out)) || strings.ContainsAny(out, "\u202e") {
					t.Errorf("%s: not one JSON document:\n%s", line, out)
				}
			}
			if engine == store.SQLite && !slices.Equal(tree(t, filepath.Dir(o.Path)), before) {
				t.Error("the folder has changed")
			}
		})
	}
}

// Spec: RUN-14
func TestCommands_ActsAreLoggedAndPrintJSON(t *testing.T) {
	t.Parallel()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			settings, _ := furnished(t, engine)
			settings = append(settings, "SIGNER_KEY_FILE="+filepath.Join(t.TempDir(), "signer.key"),
				"GAME_CONTEXT_SECRET="+strings.Repeat("YWJj", 11))
			for _, line := range acts {
				for _, reason := range []string{"", "two\nlines", strings.Repeat("x", 201)} {
					_, err := invoke(t, settings, append(words(line), "--reason="+reason)...)
					if err == nil || !strings.HasPrefix(err.Error(), "Give a reason of 1 to 200 characters on one line") {
						t.Errorf("%s, %.20q: %v", line, reason, err)
					}
				}
				if _, err := invoke(t, settings, words(line)...); err == nil || !strings.Contains(err.Error(), "missing flags: --reason=TEXT") {
					t.Errorf("%s without a reason: %v", line, err)
				}
				args := append(words(line), "--reason=for "+line, "--as=Ada")
				if line != "address delete athena@olympus.example" {
					args = append(args, "--json")
				}
				if out := must(t, settings, args...); out != "" && !json.Valid([]byte(out)) {
					t.Errorf("%s: not one JSON document:\n%s", line, out)
				}
			}
			var entries []operator.Entry
			if err := json.Unmarshal([]byte(must(t, settings, "operator", "log", "--json")), &entries); err != nil {
				t.Fatal(err)
			}
			for _, line := range acts {
				if !slices.ContainsFunc(entries, func(e operator.Entry) bool {
					return e.Reason == "for "+line && strings.HasPrefix(line, e.Command) && e.Subject != "" && !e.At.IsZero() &&
						regexp.MustCompile(`^Ada \(\S+@\S+\)$`).MatchString(e.Who)
				}) {
					t.Errorf("%s is not logged: %+v", line, entries)
				}
			}
			if len(entries) != len(acts) {
				t.Errorf("%d entries, want %d", len(entries), len(acts))
			}
		})
	}
}

func TestCommands_SayWhoActs(t *testing.T) {
	t.Parallel()
	plain := acting{}.as(&console{}, "asked")
	if !regexp.MustCompile(`^\S+@\S+$`).MatchString(plain.Who) || plain.Reason != "asked" {
		t.Errorf("%+v", plain)
	}
	if got := (acting{As: "Ada"}).as(&console{}, "asked").Who; got != "Ada ("+plain.Who+")" {
		t.Errorf("with --as: %s", got)
	}
	account, machine, _ := strings.Cut(plain.Who, "@")
	if os.Geteuid() == 0 {
		account = "ada"
	}
	if got := (acting{}).as(&console{environ: []string{"SUDO_USER=ada"}}, "asked").Who; got != account+"@"+machine {
		t.Errorf("with sudo: %s", got)
	}
}

func TestCommands_RefuseWrongInput(t *testing.T) {
	t.Parallel()
	settings, o := furnished(t, store.SQLite)
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: "B", DisplayName: "A"})
	}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	const two = `Several players fit "A". Write one of these: id:A (name "Zeus", email "zeus@olympus.example"), id:B (name "A", email "").`
	for line, want := range map[string]string{
		"player show A":                                             two,
		"player score A kod 1 --reason=x":                           two,
		"player show name:Hera":                                     `There is no player with the id, email or name "name:Hera".`,
		"player score id:A chess 1 --reason=x":                      "There is no such leaderboard.",
		"player score id:A kod many --reason=x":                     "<score>: expected a valid 64 bit int but got \"many\"",
		"player whitelist add id:A presale --until=soon --reason=x": "--until: write a day as 2027-01-31",
		"player whitelist add id:A Presale --reason=x":              "A list's name has 1 to 40 lower-case letters, digits and hyphens.",
		"reward list --limit=0":                                     "The limit must be 1 to 1000.",
		"order list id:A --limit=1001":                              "The limit must be 1 to 1000.",
		"shop show many":                                            "<order>: expected a valid 64 bit int but got \"many\"",
		"gas raise other 1 --reason=x":                              "The chain must be game or main.",
		"opening verify":                                            "verify: name a receipt or an opening, or use --all",
		"verify":                                                    "verify: name a receipt or an opening, or use --all",
		"player strike id:A":                                        "unexpected argument strike",

		"player sign-in-link id:A --reason=x": "GAME_CONTEXT_SECRET is not set, and no `pantheon dev` has made one in " + filepath.Dir(o.Path),

		"reward list --state=lost": `--state must be one of "","pending","drawn","sending","done","failed","cancelled","open" but got "lost"`,
	} {
		if out, err := invoke(t, settings, words(line)...); err == nil || err.Error() != want || out != "" {
			t.Errorf("%s: %v, want %s\n%s", line, err, want, out)
		}
	}
}

func TestDev_ServesNoHTTPS(t *testing.T) {
	t.Parallel()
	out, err := invoke(t, []string{"TLS_DOMAIN=portal.example", "DATA_DIR=" + t.TempDir()}, "dev")
	if err == nil || err.Error() != "TLS_DOMAIN: pantheon dev serves http only; unset it, or use pantheon serve" || out != "" {
		t.Errorf("%v\n%s", err, out)
	}
}

// A file with the database's address that cannot be read must not lead to another database.
func TestCommands_DoNotGuessTheDatabase(t *testing.T) {
	t.Parallel()
	settings, _ := furnished(t, store.SQLite)
	_, err := invoke(t, append(settings, "DATABASE_URL_FILE="+filepath.Join(t.TempDir(), "url")), "player", "frozen")
	if err == nil || !strings.Contains(err.Error(), "DATABASE_URL_FILE: must name a file that can be read: no such file or directory") {
		t.Errorf("%v", err)
	}
	if _, err := invoke(t, append(settings, "LIMIT_ART=many", "SHOP_NAME=?", "GAME_CHAIN_ID=x"), "player", "frozen"); err != nil {
		t.Errorf("with other settings that are wrong: %v", err)
	}
}

func TestCommands_PrintWhatIsNotOfTheDatabase(t *testing.T) {
	t.Parallel()
	version := regexp.MustCompile(
		`^pantheon \S+\ncommit   \S+.*\ngo       go1\.\S+\nschema   30\n(contract \w+ +code hash 0x[0-9a-f]{64}\n){4}$`)
	if out := must(t, nil, "version"); !version.MatchString(out) {
		t.Errorf("version:\n%s", out)
	}
	for _, line := range []string{"version", "odds check", "odds simulate -n 10"} {
		if out := must(t, nil, append(words(line), "--json")...); !json.Valid([]byte(out)) {
			t.Errorf("%s:\n%s", line, out)
		}
	}
	if out := must(t, nil, "odds", "check"); !strings.Contains(out, "Crown of Destiny") || !strings.Contains(out, "0.0750 %") {
		t.Errorf("odds:\n%s", out)
	}
	if out := must(t, nil, "odds", "simulate", "-n", "1000"); strings.Count(out, "of 1000,") != 6 {
		t.Errorf("draws:\n%s", out)
	}
	out, err := invoke(t, []string{"SHOP_SECRET=hunter2", "SHOP_NAME=corner"}, "config", "--json")
	var values map[string]string
	jsonErr := json.Unmarshal([]byte(out), &values)
	if err == nil || jsonErr != nil || values["SHOP_NAME"] != "corner" || values["SHOP_SECRET"] != "(hidden)" {
		t.Errorf("config: %v, %v\n%s", err, jsonErr, out)
	}
}

func TestCommands_PrintForReaders(t *testing.T) {
	t.Parallel()
	settings, _ := furnished(t, store.SQLite)
	at := regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`)
	for line, want := range map[string]string{
		"player show id:A": "player   A (Zeus, zeus@olympus.example)\nwallet   " + testkit.WalletOf("A").Checksum() + " (smart), " +
			testkit.OwnerOf("A").Checksum() + " (embedded)\nlist     presale\nrewards  0 done, 1 failed, 0 cancelled, 0 open\n",
		"support list": "TIME  wallet  zeus@olympus.example\n\n    Where is it?\n    I looked everywhere.\n\n",
		"address list": "athena@olympus.example\n",
		"arrival list": "TIME  A  {\"utm_source\":\"game\"}\n",
		"order list id:A": "placed (UTC)         order  state    total     transaction  error\n" +
			"TIME  O      expired  1.5 USDC               \n",
		"reward show gift": "source   gift\norigin   gift\nstate    failed\nowner    A\nearned   TIME\nrecorded TIME\nchanged  TIME\n" +
			"detail   {}\nerror    lost\ngrant 0  failed  currency  {\"code\":\"fa\",\"amount\":5}  lost\n",
		"shop show 7": "order    7 (7\\n\\u202e)\nstatus   processing\nplayer   nobody\npaid     TIME\nproblem  Nobody knows.\n" +
			"note     It\\nrained.\n",
	} {
		if out := at.ReplaceAllString(must(t, settings, words(line)...), "TIME"); out != want {
			t.Errorf("%s:\n%q, want\n%q", line, out, want)
		}
	}
}

// Spec: SAFE-7
func TestFreeze_TheOperatorReadsWhatWasDone(t *testing.T) {
	t.Parallel()
	o := testkit.DatabaseOptions(t, store.SQLite)
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // the portal keeps running meanwhile
	zeus := account.Identity{PlayerID: "00000000000000A1", DisplayName: "Zeus", Email: "zeus@olympus.example"}
	for _, id := range []string{"here", "there"} {
		s := account.Session{ID: id, PlayerID: zeus.PlayerID, CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour)}
		if _, err := accounts.New(db).OpenSession(t.Context(), zeus, s, id, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	settings := []string{"DATA_DIR=" + filepath.Dir(o.Path)}
	freeze := func(reason string) func() (string, error) {
		return func() (string, error) {
			return invoke(t, settings, "player", "freeze", "zeus@olympus.example", "--reason", reason)
		}
	}
	unfreeze := func() (string, error) {
		return invoke(t, settings, "player", "unfreeze", "Zeus", "--reason", "settled")
	}
	list := func() (string, error) { return invoke(t, settings, "player", "frozen") }
	link := email.NewNotice("https://portal.example", "A notice", 0, "test", 0)
	link.To, link.PlayerID = zeus.Email, zeus.PlayerID
	if err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.Post(ctx, link) }); err != nil {
		t.Fatal(err)
	}
	pressLink := func() (string, error) {
		_, err := accounts.New(db).FreezeByNotice(t.Context(), account.SelfFreeze{TokenHash: link.Notice.TokenHash, At: time.Now()})
		return "", err
	}
	const who = "00000000000000A1 (Zeus, zeus@olympus.example)"
	for _, step := range []struct {
		what string
		do   func() (string, error)
		want string
	}{
		{"nobody is frozen", list, ""},
		{"unfreezing somebody who is not", unfreeze, who + " is not frozen.\n"},
		{"freezing", freeze("stolen card"), who + " is frozen. Sessions ended: 2. Holds ended: 0.\n" +
			"The player reads: This account is frozen: stolen card. Please write to our support.\nPayments that the chain has already go on.\n"},
		{"freezing again", freeze("two stolen cards"), who + " is frozen already, since TIME. The reason is now: two stolen cards\n"},
		{"the list", list, "TIME  " + who + "  two stolen cards\n"},
		{"unfreezing", unfreeze, who + " is no longer frozen. The account was frozen since TIME: two stolen cards\n"},
		{"nobody is frozen any more", list, ""},
		{"the owner's link", pressLink, ""},
		{"the list with it", list, "TIME  " + who + "  self-frozen: the owner pressed \"This was not me\" in an email\n"},
		{"freezing it", freeze("a thief's account"), who + " is frozen already, since TIME. The reason is now: a thief's account\n"},
		{"the link again", pressLink, ""},
		{"the list with the operator's freeze", list, "TIME  " + who + "  a thief's account\n"},
	} {
		out, err := step.do()
		if got := timeInWords.ReplaceAllString(out, "TIME"); err != nil || got != step.want {
			t.Errorf("%s: %v\n%swant\n%s", step.what, err, got, step.want)
		}
	}
	out, err := invoke(t, settings, "player", "freeze", "hera", "--reason", "stolen card")
	if err == nil || err.Error() != `There is no player with the id, email or name "hera".` || out != "" {
		t.Errorf("somebody unknown: %v, %s", err, out)
	}
}

var timeInWords = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`)
