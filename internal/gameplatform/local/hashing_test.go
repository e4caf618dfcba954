package local_test

import (
	"errors"
	"regexp"
	"runtime"
	"sync"
	"testing"

	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

func TestPasswords_AreHashedAtTheCostThatOWASPRecommends(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.SQLite)
	platform, err := local.New(accounts.New(db), local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := platform.Register(t.Context(), account.Registration{
		Email: "zeus@olympus.example", DisplayName: "Zeus", Password: "thunder and rain",
	}); err != nil {
		t.Fatal(err)
	}
	_, hash, err := accounts.New(db).AccountByEmail(t.Context(), "zeus@olympus.example")
	if err != nil || !regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`).MatchString(hash) {
		t.Errorf("the password is kept as %q, %v", hash, err)
	}
}

// 64 hashes per core may wait; further callers are refused at once, with the time to retry after.
// Spec: ACCOUNT-25
func TestHashing_QueueBeforeTheHashesIsBounded(t *testing.T) {
	t.Parallel()
	platform, err := local.New(accounts.New(testkit.Database(t, store.SQLite)), local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := platform.Hashes()
	logins := 4 * 65 * runtime.GOMAXPROCS(0)
	errs := make([]error, logins)
	var wg sync.WaitGroup
	for i := range logins {
		wg.Go(func() { _, errs[i] = platform.Login(t.Context(), "nobody@olympus.example", "thunder and rain") })
	}
	wg.Wait()
	answered, refused := 0, 0
	for _, err := range errs {
		f := fault.As(err)
		switch {
		case errors.Is(err, account.ErrPassword):
			answered++
		case f != nil && f.Code == fault.TooMany && f.RetryAfter > 0:
			refused++
		default:
			t.Errorf("%v, want a refusal or to be told when to come back", err)
		}
	}
	made, turnedAway := platform.Hashes()
	if answered == 0 || answered+refused != logins || int(made-before) != answered || int(turnedAway) != refused {
		t.Errorf("of %d logins %d were answered and %d sent away; counted are %d and %d", logins, answered, refused, made-before, turnedAway)
	}
}

// Without email, no link is promised.
func TestHashing_WithoutMailNoLinkIsPromised(t *testing.T) {
	t.Parallel()
	db := testkit.Database(t, store.SQLite)
	platform, err := local.New(accounts.New(db), local.Options{NoMail: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"zeus@olympus.example", "nobody@olympus.example"} {
		if err := platform.SendRecovery(t.Context(), address); !errors.Is(err, account.ErrNoMail) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
