package wallet_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/gen"
	"pantheon/internal/store/rewards"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// keyMaker creates a different key each time, like a signer.
type keyMaker struct{ made atomic.Int64 }

func (k *keyMaker) NewKey(context.Context, string) (wallet.Key, error) {
	n := byte(k.made.Add(1))
	return wallet.Key{Owner: eth.Address{1, n}, Smart: eth.Address{2, n}, Sealed: "sealed"}, nil
}

func (*keyMaker) SignUserOperation(context.Context, string, string, onchain.ChainID, *eth.UserOperation) (eth.Bytes, error) {
	return nil, errors.New("not asked for")
}

func (*keyMaker) SignMessage(context.Context, string, string) (eth.Bytes, error) {
	return nil, errors.New("not asked for")
}

func (*keyMaker) SignTypedData(context.Context, string, []byte) (eth.Bytes, error) {
	return nil, errors.New("not asked for")
}

func kit(w wallet.Wallet) []wallet.Gift {
	return []wallet.Gift{
		{Source: "starter-1-" + w.PlayerID, Kind: "currency", Detail: "{}"}, {Source: "starter-2-" + w.PlayerID, Kind: "mint", Detail: "{}"},
	}
}

// eachService runs the test with the players A and B, who have no wallets yet.
func eachService(t *testing.T, test func(t *testing.T, db *store.DB, s *wallet.Service)) {
	t.Helper()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return errors.Join(tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: "A"}), tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: "B"}))
		})
		if err != nil {
			t.Fatal(err)
		}
		test(t, db, wallet.NewService(accounts.New(db), &keyMaker{}, clock.NewFake(opening), kit, nil))
	})
}

// gifts returns the sources of the recorded rewards.
func gifts(t *testing.T, db *store.DB) (out []string) {
	t.Helper()
	rewards, err := rewards.New(db).DueGrants(t.Context(), reward.Due{State: "pending", By: opening.AddDate(1, 0, 0), Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rewards {
		out = append(out, r.Source)
	}
	slices.Sort(out)
	return out
}

func TestWallet_PlayerHasOneWalletHoweverOftenTheyConnect(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, _ *store.DB, s *wallet.Service) {
		const browsers = 16
		got, errs := make([]wallet.Wallet, browsers), make([]error, browsers)
		var wg sync.WaitGroup
		for i := range browsers {
			wg.Go(func() { got[i], errs[i] = s.Connect(t.Context(), "A") })
		}
		wg.Wait()
		for i := range browsers {
			if errs[i] != nil || got[i] != got[0] {
				t.Fatalf("browser %d got %+v, %v; another got %+v", i, got[i], errs[i], got[0])
			}
		}
		if other, err := s.Connect(t.Context(), "B"); err != nil || other.Owner == got[0].Owner || other.Smart == got[0].Smart {
			t.Errorf("another player got %+v, %v", other, err)
		}
	})
}

func TestWallet_PairIsKnownOnceItIsRegistered(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, s *wallet.Service) {
		known := func() *wallet.Wallet {
			t.Helper()
			w, err := s.Registered(t.Context(), "A", "A")
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		if w := known(); w != nil {
			t.Errorf("before there is a wallet: %+v", w)
		}
		w, err := s.Connect(t.Context(), "A")
		if err != nil {
			t.Fatal(err)
		}
		embedded, smart, err := s.Pair(t.Context(), "A")
		if known() != nil || embedded != nil || smart != nil || err != nil || len(gifts(t, db)) != 0 {
			t.Errorf("before it is registered: %v, %v, %v, gifts %v", embedded, smart, err, gifts(t, db))
		}

		var wg sync.WaitGroup
		errs := make([]error, 16)
		for i := range errs {
			wg.Go(func() { _, errs[i] = s.Register(t.Context(), "A", "A", w.Owner.Checksum(), w.Smart.String()) })
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		if r := known(); r == nil || r.Owner != w.Owner || r.Smart != w.Smart || !r.StoredAt.Equal(opening) {
			t.Errorf("registered: %+v", r)
		}
		if got, want := gifts(t, db), []string{"starter-1-A", "starter-2-A"}; !slices.Equal(got, want) {
			t.Errorf("gifts %v, want %v once", got, want)
		}
	})
}

func TestWallet_OnlyTheOwnPairCanBeRegistered(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, db *store.DB, s *wallet.Service) {
		a, err := s.Connect(t.Context(), "A")
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Connect(t.Context(), "B")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			what, player, asked, embedded, smart string
			code                                 fault.Code
			fields                               int
		}{
			{"another player's account", "A", "B", b.Owner.String(), b.Smart.String(), fault.Forbidden, 0},
			{"another player's pair", "A", "A", b.Owner.String(), b.Smart.String(), fault.Invalid, 0},
			{"another player's smart wallet", "A", "A", a.Owner.String(), b.Smart.String(), fault.Invalid, 0},
			{"another player's embedded wallet", "A", "A", b.Owner.String(), a.Smart.String(), fault.Invalid, 0},
			{"the two the wrong way round", "A", "A", a.Smart.String(), a.Owner.String(), fault.Invalid, 0},
			{"no addresses", "A", "A", "", "0x12", fault.Invalid, 2},
			{"a player without a wallet", "nobody", "nobody", a.Owner.String(), a.Smart.String(), fault.Invalid, 0},
		} {
			_, err := s.Register(t.Context(), c.player, c.asked, c.embedded, c.smart)
			if f := fault.As(err); f == nil || f.Code != c.code || len(f.Fields) != c.fields {
				t.Errorf("%s: %v, want a fault %s with %d fields", c.what, err, c.code, c.fields)
			}
		}
		if got := gifts(t, db); len(got) != 0 {
			t.Errorf("refused registrations gave %v", got)
		}
		if _, err := s.Registered(t.Context(), "A", "B"); !fault.Is(err, fault.Forbidden) {
			t.Errorf("asking for another's pair: %v", err)
		}
	})
}

func TestWallet_OwningAWallet(t *testing.T) {
	t.Parallel()
	eachService(t, func(t *testing.T, _ *store.DB, s *wallet.Service) {
		a, err := s.Connect(t.Context(), "A")
		if err != nil {
			t.Fatal(err)
		}
		for address, want := range map[string]fault.Code{
			a.Smart.String(): "", a.Smart.Checksum(): "", a.Owner.String(): fault.Forbidden, "0x12": fault.Invalid,
			eth.Address{9}.String(): fault.Forbidden,
		} {
			if err := s.Owns(t.Context(), "A", address); want == "" && err != nil || want != "" && !fault.Is(err, want) {
				t.Errorf("%s: %v, want %q", address, err, want)
			}
		}
		if err := s.Owns(t.Context(), "B", a.Smart.String()); !fault.Is(err, fault.Forbidden) {
			t.Errorf("another's wallet: %v", err)
		}
	})
}
