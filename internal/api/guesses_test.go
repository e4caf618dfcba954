package api_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"sync"
	"testing"

	"pantheon/internal/api"
)

// A short version of the attack in test/load: many guesses on few accounts, existing and not, from some networks.
// Hashing is expensive; the limits bound it, and honest players can sign in meanwhile.
// Spec: ACCOUNT-24
func TestPasswords_GuessesCostNoMoreHashesThanTheLimitsLetThrough(t *testing.T) {
	t.Parallel()
	const (
		guesses, clients = 600, 8
		accounts         = 4 // every other one exists
		networks         = 3
		attempts         = 5 // per account and network in a quarter of an hour
		honest           = 10
	)
	p := open(t, func(o *api.Options) {
		o.Limits.AttemptsPerQuarter, o.Limits.LoginsPerMinute = attempts, 100
		o.Trusted = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	for i := 0; i < accounts; i += 2 {
		p.register(fmt.Sprint("guessed", i))
	}
	login := func(from string, account int, password string) answer {
		return p.send(request{
			method: "POST", path: "/api/auth/login", from: "10.0.0.1:1", forwarded: from,
			body: fmt.Sprintf(`{"email":"guessed%d@olympus.example","password":"%s"}`, account, password),
		})
	}
	before, _ := p.hashes()
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			for i := client; i < guesses; i += clients {
				a := login(fmt.Sprintf("203.0.%d.%d", i%networks, i%7), i/networks%accounts, "wrong")
				if a.status != http.StatusUnauthorized && (a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "") {
					t.Errorf("a guess: %d %s", a.status, a.text)
				}
			}
		})
	}
	wg.Go(func() {
		for range honest {
			if a := login("198.51.100.7", 0, "thunder and rain"); a.status != http.StatusOK {
				t.Errorf("the owner of a guessed account: %d %s", a.status, a.text)
			}
		}
	})
	wg.Wait()
	after, refused := p.hashes()
	// Doubled, as a quarter of an hour may end during the test.
	if most := int64(2*accounts*networks*attempts + honest); after-before > most || after-before < honest || refused != 0 {
		t.Errorf("%d passwords were hashed and %d not, want %d to %d, and none refused", after-before, refused, honest, most)
	}
}
