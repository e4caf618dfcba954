package signer_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/chain/signer"
	"pantheon/internal/files"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
)

// place is a second place that can fail.
type place struct {
	files.Folder
	full bool
}

func (p *place) Write(ctx context.Context, name string, content []byte) error {
	if p.full {
		return errFull
	}
	return p.Folder.Write(ctx, name, content)
}

// studio is a database with its second place.
type studio struct {
	*testing.T
	engine store.Engine
	db     *store.DB
	place  *place
	ring   signer.Ring
	copies *wallet.Copies
	*wallet.Service
}

// onCopies opens a database of an engine on a second place.
func onCopies(t *testing.T, engine store.Engine, folder string, ring signer.Ring) *studio {
	t.Helper()
	s := &studio{T: t, engine: engine, db: testkit.Database(t, engine), place: &place{Folder: files.Folder{Path: folder}}, ring: ring}
	record := store.SignerKeys{DB: s.db}
	if err := signer.BindKeys(t.Context(), ring, record); err != nil {
		t.Fatal(err)
	}
	box, err := signer.NewBox(ring, record)
	if err != nil {
		t.Fatal(err)
	}
	now := clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	s.copies = wallet.NewCopies(wallet.CopiesOptions{Store: accounts.New(s.db), Files: s.place, Box: box, Clock: now, SmartOf: smartOf})
	keys, err := signer.New(signer.Options{
		Ring: ring, Sealing: record, Guard: &guard{}, Sponsored: &sponsored{}, Bindings: &bound{}, Record: &bound{}, Policies: policies(),
		Site: site,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Service = wallet.NewService(accounts.New(s.db), keys, now, nil, s.copies)
	return s
}

// smartOf returns the account that an owner controls.
func smartOf(owner eth.Address) eth.Address {
	return contracts.AccountAddress(policies()[0].Factory, policies()[0].Implementation, owner, 0)
}

// register registers a player of the built-in platform.
func (s *studio) register(id string) {
	s.Helper()
	err := accounts.New(s.db).CreateAccount(s.Context(), account.Identity{
		PlayerID: id, DisplayName: "Name of " + id, Email: id + "@mail.example",
	}, id+"@mail.example", "name of "+id, "a hash")
	if err != nil {
		s.Fatal(err)
	}
}

// connect gives a player a wallet.
func (s *studio) connect(id string) wallet.Wallet {
	s.Helper()
	w, err := s.Connect(s.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	return w
}

func (s *studio) restore(store bool) wallet.Restored {
	s.Helper()
	r, err := s.copies.Restore(s.Context(), store)
	if err != nil {
		s.Fatal(err)
	}
	return r
}

func (s *studio) file(name string) string {
	return filepath.Join(s.place.Path, filepath.FromSlash(name))
}

func eachCopies(t *testing.T, test func(t *testing.T, s *studio, again func() *studio)) {
	t.Helper()
	for _, engine := range []store.Engine{store.SQLite, store.PostgreSQL} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			kek, err := signer.KeyFile(filepath.Join(t.TempDir(), "signer.key"))
			if err != nil {
				t.Fatal(err)
			}
			test(t, onCopies(t, engine, folder, signer.Ring{kek}), func() *studio { return onCopies(t, engine, folder, signer.Ring{kek}) })
		})
	}
}

// Spec: RUN-27
func TestCopies_AWalletIsUsedOnlyOnceItIsCopied(t *testing.T) {
	t.Parallel()
	eachCopies(t, func(t *testing.T, s *studio, _ func() *studio) {
		s.register("A")
		s.place.full = true
		for range 2 {
			if _, err := s.Connect(t.Context(), "A"); !fault.Is(err, fault.Unavailable) || !errors.Is(err, errFull) {
				t.Fatalf("with a full disk: %v", err)
			}
		}
		made, err := accounts.New(s.db).Wallet(t.Context(), "A")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Register(t.Context(), "A", "A", made.Owner.Checksum(), made.Smart.Checksum()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("registering the pair: %v", err)
		}
		s.place.full = false
		if w := s.connect("A"); w.Owner != made.Owner {
			t.Errorf("another wallet, %s", w.Owner)
		}
		text, err := os.ReadFile(s.file("wallets/A.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"mail.example", "Name of"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("the copy has %q in clear:\n%s", secret, text)
			}
		}
		if !strings.Contains(string(text), `"owner":"`+made.Owner.Checksum()) {
			t.Errorf("the copy does not name the owner:\n%s", text)
		}
	})
}

// Spec: RUN-27
func TestCopies_ARestoredBackupGetsBackNewerWalletsAndAccounts(t *testing.T) {
	t.Parallel()
	eachCopies(t, func(t *testing.T, s *studio, again func() *studio) {
		s.register("A")
		s.register("B")
		a, b := s.connect("A"), s.connect("B")
		err := s.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertLinkedAccount(ctx, gen.InsertLinkedAccountParams{Provider: "x", ExternalID: "77", PlayerID: "B"})
		})
		if err != nil {
			t.Fatal(err)
		}
		s.confirm("B")
		if err := s.copies.Run(t.Context()); err != nil {
			t.Fatal(err)
		}

		old := again() // a backup from before B registered
		old.register("A")
		if r := old.restore(false); r.Copies != 2 || !slices.Equal(r.Restored, []string{"A", "B"}) || len(r.Problems)+len(r.Deleted) > 0 {
			t.Errorf("dry: %+v", r)
		}
		if r := old.restore(true); !slices.Equal(r.Restored, []string{"A", "B"}) || len(r.Problems) > 0 {
			t.Errorf("%+v", r)
		}
		if r := old.restore(true); r.Copies != 2 || len(r.Restored)+len(r.Problems) > 0 {
			t.Errorf("once more: %+v", r)
		}
		for player, want := range map[string]wallet.Wallet{"A": a, "B": b} {
			if w := old.connect(player); w.Owner != want.Owner || w.Smart != want.Smart || w.Sealed != want.Sealed {
				t.Errorf("%s has %s, want %s", player, w.Smart, want.Smart)
			}
		}
		id, hash, err := accounts.New(old.db).AccountByEmail(t.Context(), "B@mail.example")
		if err != nil || id.PlayerID != "B" || id.DisplayName != "Name of B" || !id.EmailConfirmed || hash != "" {
			t.Errorf("%+v, %q, %v", id, hash, err)
		}
		var linked []gen.LinkedAccountsRow
		err = old.db.Read(t.Context(), func(q *gen.Queries) (err error) { linked, err = q.LinkedAccounts(t.Context(), "B"); return err })
		if err != nil || len(linked) != 1 || linked[0].ExternalID != "77" {
			t.Errorf("links %+v, %v", linked, err)
		}
	})
}

// confirm confirms a player's address.
func (s *studio) confirm(id string) {
	s.Helper()
	db, now := accounts.New(s.db), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	who := account.Identity{PlayerID: id, Email: id + "@mail.example"}
	err := errors.Join(
		db.SaveEmailCode(s.Context(), account.EmailCode{
			PlayerID: id, Email: who.Email, Hash: "hash", Attempts: 1, Expires: time.Now().Add(time.Hour),
			Message: email.Message{To: who.Email, PlayerID: id},
		}),
		db.ConfirmEmail(s.Context(), who, func(hash string) bool { return hash == "hash" }, now, account.EmailChange{}))
	if err != nil {
		s.Fatal(err)
	}
}

func TestCopies_DamagedOnesAreNamedAndTheOthersRestored(t *testing.T) {
	t.Parallel()
	eachCopies(t, func(t *testing.T, s *studio, again func() *studio) {
		for _, id := range []string{"A", "B", "C", "D", "E", "F", "G"} {
			s.register(id)
			s.connect(id)
		}
		change := func(id string, change func(map[string]any)) {
			t.Helper()
			text, err := os.ReadFile(s.file("wallets/" + id + ".json"))
			if err != nil {
				t.Fatal(err)
			}
			var in map[string]any
			if err := json.Unmarshal(text, &in); err != nil {
				t.Fatal(err)
			}
			change(in)
			if text, err = json.Marshal(in); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(s.file("wallets/"+id+".json"), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		flip := func(field string) func(map[string]any) {
			return func(in map[string]any) {
				text := []byte(in[field].(string))
				middle := len(text) / 2
				text[middle] = map[bool]byte{true: 'B', false: 'A'}[text[middle] == 'A']
				in[field] = string(text)
			}
		}
		change("A", flip("key"))
		change("B", flip("account"))
		change("C", func(in map[string]any) { in["player"] = "F" })
		change("G", func(in map[string]any) { in["smart"] = in["owner"] })
		change("D", func(in map[string]any) { in["owner"] = "0x0000000000000000000000000000000000000001" })
		if err := os.WriteFile(s.file("wallets/E.json"), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		r := again().restore(true)
		if r.Copies != 7 || !slices.Equal(r.Restored, []string{"F"}) || len(r.Problems) != 6 {
			t.Errorf("%+v", r)
		}
		for i, want := range []string{
			"wallets/A.json: signer: a sealed key does not open", "wallets/B.json: signer: a sealed key does not open",
			"wallets/C.json: it is the copy of another player, F", "wallets/D.json: its key is that of 0x",
			"wallets/E.json: it is damaged: it is no JSON",
			"wallets/G.json: its owner controls 0x",
		} {
			if i < len(r.Problems) && !strings.HasPrefix(r.Problems[i], want) {
				t.Errorf("%q, want %q", r.Problems[i], want)
			}
		}
	})
}

// A restored database lacks a wallet, and its player comes before `wallet restore` is run.
// Spec: RUN-27
func TestCopies_ANewWalletDoesNotOverwriteTheCopyOfAnother(t *testing.T) {
	t.Parallel()
	eachCopies(t, func(t *testing.T, s *studio, again func() *studio) {
		s.register("A")
		w := s.connect("A")
		old := again()
		old.register("A")
		if _, err := old.Connect(t.Context(), "A"); !fault.Is(err, fault.Unavailable) {
			t.Errorf("before the restore: %v", err)
		}
		if r := old.restore(true); !slices.Equal(r.Restored, []string{"A"}) || len(r.Problems) > 0 {
			t.Errorf("%+v", r)
		}
		if got := old.connect("A"); got.Owner != w.Owner {
			t.Errorf("the wallet of %s, want %s", got.Owner, w.Owner)
		}
	})
}

func TestCopies_AnEmptyPlaceIsNoticed(t *testing.T) {
	t.Parallel()
	eachCopies(t, func(t *testing.T, s *studio, _ func() *studio) {
		if err := s.copies.Check(t.Context()); err != nil {
			t.Errorf("before there are wallets: %v", err)
		}
		s.register("A")
		s.connect("A")
		if err := s.copies.Check(t.Context()); err != nil {
			t.Error(err)
		}
		s.place.Path = t.TempDir() // not mounted
		if err := s.copies.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "it lacks the copy of the wallet of A") {
			t.Errorf("an empty folder: %v", err)
		}
		if _, err := s.copies.Restore(t.Context(), true); err == nil || !strings.Contains(err.Error(), "there is no copy in the second place") {
			t.Errorf("restored from an empty folder: %v", err)
		}
	})
}

// Spec: RUN-27
func TestCopies_DeletionsOutliveTheDatabase(t *testing.T) {
	t.Parallel()
	eachCopies(t, func(t *testing.T, s *studio, again func() *studio) {
		s.register("A")
		s.register("B")
		s.connect("A")
		s.connect("B")
		if _, err := accounts.New(s.db).DeletePlayer(t.Context(), account.DeletedPlayer{PlayerID: "A", At: time.Now()}); err != nil {
			t.Fatal(err)
		}
		if err := s.copies.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(s.file("wallets/A.json")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the copy of a deleted player's wallet: %v", err)
		}
		old := again() // a backup from before the deletion
		old.register("A")
		if r := old.restore(true); r.Copies != 1 || !slices.Equal(r.Restored, []string{"B"}) || !slices.Equal(r.Deleted, []string{"A"}) {
			t.Errorf("%+v", r)
		}
	})
}

func TestCopies_FollowTheKeyAndTheAddress(t *testing.T) {
	t.Parallel()
	eachCopies(t, func(t *testing.T, s *studio, again func() *studio) {
		s.register("A")
		s.connect("A")
		read := func() string {
			t.Helper()
			if err := s.copies.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(s.file("wallets/A.json"))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		first := read()
		if again := read(); again != first {
			t.Error("a copy is written again without need")
		}
		s.confirm("A")
		second := read()
		if second == first {
			t.Error("the copy does not follow the address")
		}
		next, err := signer.KeyFile(filepath.Join(t.TempDir(), "next.key"))
		if err != nil {
			t.Fatal(err)
		}
		err = s.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.ReplaceSignerKeyFingerprint(ctx, gen.ReplaceSignerKeyFingerprintParams{
				New: next.Fingerprint(), Old: s.ring[0].Fingerprint(),
			})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		both := signer.Ring{s.ring[0], next}
		if _, err := signer.Reseal(t.Context(), both, next.Fingerprint(), store.SignerKeys{DB: s.db}, nil); err != nil {
			t.Fatal(err)
		}
		box, err := signer.NewBox(both, store.SignerKeys{DB: s.db})
		if err != nil {
			t.Fatal(err)
		}
		s.copies = wallet.NewCopies(wallet.CopiesOptions{
			Store: accounts.New(s.db), Files: s.place, Box: box, Clock: clock.System{}, SmartOf: smartOf,
		})
		if third := read(); strings.Count(third, next.Fingerprint()) != 2 {
			t.Errorf("the copy is not sealed with the next key:\n%s", third)
		}
	})
}

func TestCopies_ConflictsAreNamed(t *testing.T) {
	t.Parallel()
	eachCopies(t, func(t *testing.T, s *studio, again func() *studio) {
		s.register("A")
		s.register("B")
		s.connect("A")
		s.connect("B")
		other := onCopies(t, s.engine, t.TempDir(), s.ring)
		other.register("A") // with another wallet
		other.connect("A")
		err := accounts.New(other.db).CreateAccount(t.Context(), account.Identity{
			PlayerID: "C", DisplayName: "Somebody", Email: "B@mail.example",
		}, "B@mail.example", "somebody", "a hash")
		if err != nil {
			t.Fatal(err)
		}
		other.place.Path = s.place.Path
		r := other.restore(true)
		if len(r.Restored) != 0 || len(r.Problems) != 2 || !strings.HasPrefix(r.Problems[0], "wallets/A.json: the player's wallet is 0x") ||
			r.Problems[1] != "wallets/B.json: its email is the player C's by now" {
			t.Errorf("%+v", r)
		}
		if _, err := accounts.New(other.db).Wallet(t.Context(), "B"); !fault.Is(err, fault.NotFound) {
			t.Errorf("half of B was restored: %v", err)
		}
	})
}
