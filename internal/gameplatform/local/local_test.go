package local_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"sync"
	"testing"

	"golang.org/x/crypto/argon2"

	"pantheon/internal/gameplatform/local"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// kept is a database in which every account has the given password hash.
type kept struct {
	accounts.Store
	hash string
}

func (k kept) AccountByEmail(context.Context, string) (account.Identity, string, error) {
	return account.Identity{PlayerID: "A"}, k.hash, nil
}

func (kept) LogRefusedPassword(context.Context, string) error { return nil }

func hashed(password string, memory, time uint32, threads uint8) string {
	salt := []byte("0123456789abcdef")
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", memory, time, threads, b64(salt),
		b64(argon2.IDKey([]byte(password), salt, time, memory, threads, 32)))
}

// The cost of hashing may be raised later: older hashes remain valid.
func TestLocal_PasswordsHashedAtAnotherCostStillOpen(t *testing.T) {
	t.Parallel()
	platform, err := local.New(kept{hash: hashed("thunder and rain", 8*1024, 1, 2)}, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if id, err := platform.Login(t.Context(), "zeus@olympus.example", "thunder and rain"); err != nil || id.PlayerID != "A" {
		t.Errorf("%+v, %v", id, err)
	}
	if _, err := platform.Login(t.Context(), "zeus@olympus.example", "thunde"); !errors.Is(err, account.ErrPassword) {
		t.Errorf("a wrong password: %v", err)
	}
}

// A malformed hash lets nobody in, and is an internal error, not the player's.
func TestLocal_UnreadableHashesLetNobodyIn(t *testing.T) {
	t.Parallel()
	good := hashed("thunder and rain", 1024, 1, 1)
	for what, hash := range map[string]string{
		"nothing": "", "plain text": "thunder and rain", "another method": "$2a$12$abcdefghijklmnopqrstuv",
		"another kind":    "$argon2i" + good[len("$argon2id"):],
		"another version": "$argon2id$v=16" + good[len("$argon2id$v=19"):], "no parameters": "$argon2id$v=19$$MDEyMzQ1Njc4OWFiY2RlZg$MDEy",
		"salt that is no base64": "$argon2id$v=19$m=1024,t=1,p=1$§§$MDEy",
		"hash that is no base64": "$argon2id$v=19$m=1024,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$§§",
		"an empty hash":          "$argon2id$v=19$m=1024,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$",
	} {
		platform, err := local.New(kept{hash: hash}, local.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, password := range []string{"thunder and rain", "", hash} {
			if id, err := platform.Login(t.Context(), "zeus@olympus.example", password); err == nil || id != (account.Identity{}) {
				t.Errorf("%s opens with %q: %+v, %v", what, password, id, err)
			}
		}
	}
}

// Hashing is expensive: a waiting hash is abandoned when its caller's context ends, with a fault that the portal is
// busy.
// Spec: ACCOUNT-25
func TestLocal_CancelledWaitForAHashIsUnavailable(t *testing.T) {
	t.Parallel()
	platform, err := local.New(accounts.New(testkit.Database(t, store.SQLite)), local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const logins = 64
	errs := make([]error, logins)
	var wg sync.WaitGroup
	for i := range logins {
		wg.Go(func() {
			_, errs[i] = platform.Login(ctx, "nobody@olympus.example", "thunder and rain")
			cancel() // the first to be served cancels the others
		})
	}
	wg.Wait()
	for _, err := range errs {
		if !errors.Is(err, account.ErrPassword) && !fault.Is(err, fault.TooMany) && !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want a refusal or to be told that we are busy", err)
		}
	}
}
