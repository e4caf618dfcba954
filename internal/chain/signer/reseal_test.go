package signer_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/chain/signer"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/wallet"
)

// vault stores sealed keys, and which key seals.
type vault struct {
	wallets map[string]wallet.Sealed
	owners  map[string]eth.Address
	kept    string
	fails   int // after so many, replacing fails
}

func (v *vault) KeyFingerprint(context.Context) (string, error) { return v.kept, nil }

func (v *vault) KeepKeyFingerprint(_ context.Context, fingerprint string) (string, error) {
	if v.kept == "" {
		v.kept = fingerprint
	}
	return v.kept, nil
}

func (v *vault) OldestSealedKey(context.Context) (player, sealed string, err error) {
	return "", "", nil
}

func (v *vault) Seals(context.Context) (map[string]int64, error) {
	out := map[string]int64{}
	for _, w := range v.wallets {
		out[w.By]++
	}
	return out, nil
}

func (v *vault) SealedKey(_ context.Context, player string) (owner eth.Address, sealed, by string, err error) {
	w, ok := v.wallets[player]
	if !ok {
		return owner, "", "", fault.New(fault.NotFound, "You do not have a wallet yet.")
	}
	return v.owners[player], w.Key, w.By, nil
}

func (v *vault) SealedOtherwise(_ context.Context, after, fingerprint string, limit int) (out []wallet.Sealed, err error) {
	for _, w := range v.wallets {
		if w.Player > after && w.By != fingerprint {
			out = append(out, w)
		}
	}
	slices.SortFunc(out, func(a, b wallet.Sealed) int { return strings.Compare(a.Player, b.Player) })
	return out[:min(limit, len(out))], nil
}

var errFull = errors.New("the disk is full")

func (v *vault) Reseal(_ context.Context, old wallet.Sealed, sealed, fingerprint string) (bool, error) {
	if v.fails--; v.fails == 0 {
		return false, errFull
	}
	if v.wallets[old.Player] != old || v.kept != fingerprint {
		return false, nil
	}
	v.wallets[old.Player] = wallet.Sealed{Player: old.Player, Key: sealed, By: fingerprint}
	return true, nil
}

func (v *vault) signer(t *testing.T, ring signer.Ring) *signer.Signer {
	t.Helper()
	s, err := signer.New(signer.Options{
		Ring: ring, Sealing: v, Keys: v, Guard: &guard{}, Sponsored: &sponsored{}, Bindings: &bound{}, Record: &bound{}, Policies: policies(),
		Site: site,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keyFile(t *testing.T, name string) signer.KEK {
	t.Helper()
	kek, err := signer.KeyFile(filepath.Join(t.TempDir(), name))
	if err != nil {
		t.Fatal(err)
	}
	return kek
}

// All wallets are sealed with the new key, wherever an earlier run ended, those of an earlier release too. What does not open is named, and
// left as it is.
// Spec: RUN-24
func TestReseal_SealsAllWalletsWithTheNewKey(t *testing.T) {
	t.Parallel()
	before, after := keyFile(t, "before"), keyFile(t, "after")
	v := &vault{wallets: map[string]wallet.Sealed{}, owners: map[string]eth.Address{}, kept: before.Fingerprint()}
	const players = 450
	for i := range players {
		player := fmt.Sprintf("P%03d", i)
		key, err := v.signer(t, signer.Ring{before}).NewKey(t.Context(), player)
		if err != nil {
			t.Fatal(err)
		}
		w := wallet.Sealed{Player: player, Key: key.Sealed, By: key.SealedBy}
		if i%3 == 0 { // of an earlier release
			w.By = ""
		}
		v.wallets[player], v.owners[player] = w, key.Owner
	}
	damaged := v.wallets["P007"]
	damaged.Key = damaged.Key[:40] + strings.Map(func(r rune) rune {
		if r == 'A' {
			return 'B'
		}
		return 'A'
	}, damaged.Key[40:41]) + damaged.Key[41:]
	v.wallets["P007"] = damaged
	ring := signer.Ring{before, after}
	v.kept, v.fails = after.Fingerprint(), 250
	if _, err := signer.Reseal(t.Context(), ring, after.Fingerprint(), v, nil); !errors.Is(err, errFull) {
		t.Fatalf("a disk that is full: %v", err)
	}
	if seals, _ := v.Seals(t.Context()); seals[after.Fingerprint()] != 249 {
		t.Errorf("before the disk was full: %v", seals)
	}
	v.fails = 0
	done := 0
	bad, err := signer.Reseal(t.Context(), ring, after.Fingerprint(), v, func(n int) { done = n })
	if err != nil || !slices.Equal(bad, []string{"P007"}) || done != players-1-249 {
		t.Errorf("damaged %q, done %d, %v", bad, done, err)
	}
	if v.wallets["P007"] != damaged {
		t.Error("a damaged key was changed")
	}
	alone := v.signer(t, signer.Ring{after})
	key, err := alone.NewKey(t.Context(), "new")
	if err != nil || key.SealedBy != after.Fingerprint() {
		t.Errorf("a new wallet is sealed with %s: %v", key.SealedBy, err)
	}
	// The former key is gone: what is sealed with it is no damage, but a key that is missing.
	third := keyFile(t, "third")
	if _, err := signer.Reseal(t.Context(), signer.Ring{before, after, third}, third.Fingerprint(), v, nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("while another key seals: %v", err)
	}
	v.kept = third.Fingerprint()
	if _, err := signer.Reseal(t.Context(), signer.Ring{after, third}, third.Fingerprint(), v, nil); err == nil ||
		!strings.Contains(err.Error(), "SIGNER_KEY_FILE does not name the key "+before.Fingerprint()) {
		t.Errorf("without the former key: %v", err)
	}
	bad, err = signer.Reseal(t.Context(), signer.Ring{before, after, third}, third.Fingerprint(), v, nil)
	if seals, _ := v.Seals(t.Context()); err != nil || !slices.Equal(bad, []string{"P007"}) || seals[third.Fingerprint()] != players-1 {
		t.Errorf("with all keys: damaged %q, seals %v, %v", bad, seals, err)
	}
}

// Spec: RUN-24
func TestReseal_KeysThatWalletsNeedAreMissed(t *testing.T) {
	t.Parallel()
	one, two := keyFile(t, "one"), keyFile(t, "two")
	v := &vault{wallets: map[string]wallet.Sealed{"P": {Player: "P", Key: "AA==", By: one.Fingerprint()}}, kept: two.Fingerprint()}
	for _, c := range []struct {
		ring signer.Ring
		want string // in the error; "" for none
	}{
		{signer.Ring{one, two}, ""},
		{signer.Ring{two, one}, ""},
		{signer.Ring{two}, "1 wallets are sealed with the key " + one.Fingerprint()},
		{signer.Ring{one}, "its fingerprint is " + one.Fingerprint() + ", expected " + two.Fingerprint()},
	} {
		err := signer.CheckKeys(t.Context(), c.ring, v)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, signer.ErrAnotherKey) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.ring.Fingerprints(), err, c.want)
		}
	}
}
