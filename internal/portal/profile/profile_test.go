package profile_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/profile"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func protector(t testing.TB, key byte, c clock.Clock) *profile.Protector {
	t.Helper()
	p, err := profile.NewProtector(keyset.Keys{[]byte(strings.Repeat(string(key), 32))}, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Spec: ACCOUNT-9
func TestProfile_ProtectedDataOpensForItsPurposeAndSaysWhoseItIs(t *testing.T) {
	t.Parallel()
	p := protector(t, 'k', clock.NewFake(noon))
	rapid.Check(t, func(t *rapid.T) {
		player, value := rapid.StringMatching(`[0-9A-F]{16}`).Draw(t, "player"), rapid.StringN(1, 200, 800).Draw(t, "value")
		value = strings.ToValidUTF8(value, "?")
		text, err := p.Seal("shop", player, value)
		if err != nil {
			t.Fatal(err)
		}
		if gotPlayer, got, err := p.Open("shop", text); err != nil || gotPlayer != player || got != value {
			t.Fatalf("%q of %q, %v; want %q of %q", got, gotPlayer, err, value, player)
		}
		if again, _ := p.Seal("shop", player, value); again == text {
			t.Fatal("the same text twice")
		}
	})
}

func TestProfile_ProtectedDataOutlivesAReplacementOfTheKey(t *testing.T) {
	t.Parallel()
	former, next := []byte(strings.Repeat("f", 32)), []byte(strings.Repeat("n", 32))
	text, err := protector(t, 'f', clock.NewFake(noon)).Seal("shop", "A", "hello")
	if err != nil {
		t.Fatal(err)
	}
	both, err := profile.NewProtector(keyset.Keys{next, former}, clock.NewFake(noon))
	if err != nil {
		t.Fatal(err)
	}
	if player, value, err := both.Open("shop", text); err != nil || player != "A" || value != "hello" {
		t.Errorf("with both keys: %q, %q, %v", player, value, err)
	}
	text, err = both.Seal("shop", "A", "hello")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := protector(t, 'n', clock.NewFake(noon)).Open("shop", text); err != nil {
		t.Errorf("what both seal does not open with the first: %v", err)
	}
}

// Spec: ACCOUNT-9
func TestProfile_ProtectedDataOpensForAnHour(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(noon)
	p := protector(t, 'k', now)
	text, err := p.Seal("shop", "A1", "A1")
	if err != nil {
		t.Fatal(err)
	}
	now.Advance(time.Hour - time.Second)
	if _, _, err := p.Open("shop", text); err != nil {
		t.Errorf("after not quite an hour: %v", err)
	}
	now.Advance(time.Second)
	if _, _, err := p.Open("shop", text); !fault.Is(err, fault.Invalid) {
		t.Errorf("after an hour: %v", err)
	}
}

// Spec: ACCOUNT-9
func TestProfile_InvalidProtectedDataIsRefused(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(noon)
	p := protector(t, 'k', now)
	text, err := p.Seal("shop", "A1", "A1")
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := base64.RawURLEncoding.DecodeString(text)
	for i := range raw {
		changed := append([]byte(nil), raw...)
		changed[i] ^= 1
		if _, _, err := p.Open("shop", base64.RawURLEncoding.EncodeToString(changed)); !fault.Is(err, fault.Invalid) {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
	for what, err := range map[string]error{
		"another purpose": func() error { _, _, err := p.Open("mail", text); return err }(),
		"another key":     func() error { _, _, err := protector(t, 'x', now).Open("shop", text); return err }(),
		"nothing":         func() error { _, _, err := p.Open("shop", ""); return err }(),
		"no base64":       func() error { _, _, err := p.Open("shop", "&&"); return err }(),
		"cut":             func() error { _, _, err := p.Open("shop", text[:len(text)-4]); return err }(),
	} {
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := p.Seal("shop", "A1", strings.Repeat("x", 1024)); err != nil {
		t.Errorf("a value of 1024 bytes: %v", err)
	}
	for _, value := range []string{"", strings.Repeat("x", 1025)} {
		if _, err := p.Seal("shop", "A1", value); !fault.Is(err, fault.Invalid) || len(fault.As(err).Fields) != 1 {
			t.Errorf("a value of %d bytes: %v", len(value), err)
		}
	}
}

// Spec: ACCOUNT-10
func TestProfile_PlayerIsOnAListUntilItEnds(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		now := clock.NewFake(noon)
		lists, operators := profile.NewLists(accounts.New(db), now), testkit.Operator(db, now)
		testkit.AddPlayers(t, db, 0, "zeus", "hera")
		put := func(player, list string, until time.Time) {
			t.Helper()
			if _, err := operators.PutOnList(t.Context(), "id:"+player, list, until, testkit.By("asked")); err != nil {
				t.Fatal(err)
			}
		}
		put("zeus", "presale", noon.Add(time.Hour))
		put("zeus", "founders", time.Time{})
		put("zeus", "founders", time.Time{}) // repeating it changes nothing
		put("hera", "peacocks", time.Time{})
		names := func() (names []string) {
			got, err := lists.Of(t.Context(), "zeus")
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range got {
				names = append(names, l.Name)
			}
			return names
		}
		if got := strings.Join(names(), " "); got != "founders presale" {
			t.Errorf("zeus is on %s", got)
		}
		now.Advance(time.Hour)
		if got := strings.Join(names(), " "); got != "founders" {
			t.Errorf("an hour later zeus is on %s", got)
		}
		if _, err := operators.TakeOffList(t.Context(), "id:zeus", "founders", testkit.By("asked")); err != nil || len(names()) != 0 {
			t.Errorf("taken off: %v; zeus is on %v", err, names())
		}
	})
}
