package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"pantheon/internal/testkit"
)

// The attack: the numbers of guesses, of accounts, half of which exist, and of addresses and networks.
const (
	guessesMade     = 10_000
	guessedAccounts = 100
	guesserNetworks = 10
	guesserLines    = 3 // addresses in each network
	guesserClients  = 96

	// loginsPerMinute is the limit per address and minute: the default of LIMIT_LOGINS.
	loginsPerMinute = 20

	// Honest players own attacked accounts, and sign in repeatedly from their own line, below the limit of logins per
	// minute.
	honestPlayers  = 5
	honestPause    = 3500 * time.Millisecond
	honestAttempts = 5 // after a refusal with a Retry-After the client waits, like a browser's player
)

const (
	rightPassword = "correct horse battery"
	wrongPassword = "incorrect horse"
)

// tally is the result of an attack.
type tally struct {
	answered, limited, busy atomic.Int64 // guesses: 401; 429 by a limit; 429 by a full queue
	honestWaits             atomic.Int64 // honest logins that had to be retried
	mu                      sync.Mutex
	honest                  []time.Duration // from the first attempt to the response
}

// guess attacks a portal with its default limits, and prints the result. It fails on any wrong response: a guess that
// succeeds, a refusal without a time to wait, an honest player who cannot sign in. It also fails if more passwords
// are hashed than the limits allow: the guessers' addresses may make a number of attempts in each minute begun, and
// in the previous one, as the window slides; every honest login is one more.
func guess(ctx context.Context, binary, dir string) error {
	host, err := testkit.FreeAddress()
	if err != nil {
		return err
	}
	metrics, err := testkit.FreeAddress()
	if err != nil {
		return err
	}
	p, err := launch(ctx, host, "/readyz", []string{
		"DATA_DIR=" + filepath.Join(dir, "guesses"), "LISTEN_ADDR=" + host, "METRICS_ADDR=" + metrics, "DEV_BEACON_PORT=0",
		"LOG_LEVEL=error", "TRUSTED_PROXIES=127.0.0.0/8", "DRAIN_TIME=0s",
	}, binary, "dev")
	if err != nil {
		return fmt.Errorf("portal: %w", err)
	}
	defer p.stop()
	a := &attack{base: "http://" + host, http: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: guesserClients + honestPlayers}, Timeout: 30 * time.Second,
	}}
	defer a.http.CloseIdleConnections()
	if err := a.register(ctx); err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	before, err := hashes(ctx, metrics)
	if err != nil {
		return err
	}
	var t tally
	began := time.Now()
	if err := a.run(ctx, &t); err != nil {
		return err
	}
	took := time.Since(began)
	after, err := hashes(ctx, metrics)
	if err != nil {
		return err
	}
	minutes := int(took.Minutes()) + 2
	budget := guesserNetworks*guesserLines*loginsPerMinute*minutes + len(t.honest)
	slices.Sort(t.honest)
	fmt.Printf("%d guesses on %d accounts from %d addresses in %.1f s (%.0f/s):\n", guessesMade, guessedAccounts, guesserNetworks*guesserLines,
		took.Seconds(), guessesMade/took.Seconds())
	fmt.Printf("  answered by 401        %6d\n  refused by limits, 429 %6d\n  queue was full, 429    %6d\n", t.answered.Load(),
		t.limited.Load(), t.busy.Load())
	fmt.Printf("  passwords hashed       %6.0f of %d at most (%.0f/s)\n", after-before, budget, (after-before)/took.Seconds())
	fmt.Printf("  honest logins          %6d, all let in, %d after waiting; p50 %v, p99 %v\n", len(t.honest), t.honestWaits.Load(),
		t.honest[len(t.honest)/2].Round(time.Millisecond), t.honest[len(t.honest)*99/100].Round(time.Millisecond))
	if made := int(after - before); made > budget {
		return fmt.Errorf("%d passwords were hashed: the limits should have let through %d at most", made, budget)
	}
	return nil
}

// attack is a site under attack.
type attack struct {
	base string
	http *http.Client
}

func accountName(i int) string { return fmt.Sprintf("guessed%d@example.org", i) }

// register creates every other account, each from its own address.
func (a *attack) register(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(connections)
	for i := 0; i < guessedAccounts; i += 2 {
		group.Go(func() error {
			r, err := a.post(ctx, "/api/auth/register", fmt.Sprintf("192.0.2.%d", i), map[string]string{
				"email": accountName(i), "displayName": "Guessed " + strconv.Itoa(i), "password": rightPassword,
			})
			if err == nil && r.status != http.StatusCreated {
				err = r.wrong()
			}
			return err
		})
	}
	return group.Wait()
}

// run makes all guesses while the honest players sign in.
func (a *attack) run(ctx context.Context, t *tally) error {
	group, ctx := errgroup.WithContext(ctx)
	over := make(chan struct{})
	for i := range honestPlayers {
		group.Go(func() error { return a.beHonest(ctx, i, over, t) })
	}
	guessers, guessing := errgroup.WithContext(ctx)
	var made atomic.Int64
	for range guesserClients {
		guessers.Go(func() error {
			for made.Add(1) <= guessesMade {
				if err := a.guessOnce(guessing, t); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(over)
		return guessers.Wait()
	})
	return group.Wait()
}

func (a *attack) guessOnce(ctx context.Context, t *tally) error {
	from := fmt.Sprintf("203.%d.113.%d", rand.IntN(guesserNetworks), rand.IntN(guesserLines))
	r, err := a.login(ctx, from, rand.IntN(guessedAccounts), wrongPassword)
	if err != nil {
		return err
	}
	switch {
	case r.status == http.StatusUnauthorized && strings.Contains(r.body, "Invalid email or password"):
		t.answered.Add(1)
	case r.isBusy():
		t.busy.Add(1)
	case r.status == http.StatusTooManyRequests && r.wait > 0:
		t.limited.Add(1)
	default:
		return fmt.Errorf("a guess: %w", r.wrong())
	}
	return nil
}

// beHonest signs in the owner of an attacked account repeatedly until the attack is over.
func (a *attack) beHonest(ctx context.Context, player int, over <-chan struct{}, t *tally) error {
	tick := time.NewTicker(honestPause)
	defer tick.Stop()
	for {
		began := time.Now()
		for attempt := 1; ; attempt++ {
			r, err := a.login(ctx, fmt.Sprintf("198.51.%d.7", player), 2*player, rightPassword)
			if err != nil {
				return err
			}
			if r.status == http.StatusOK {
				break
			}
			if !r.isBusy() || attempt == honestAttempts {
				return fmt.Errorf("an honest login, attempt %d: %w", attempt, r.wrong())
			}
			t.honestWaits.Add(1)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(r.wait):
			}
		}
		t.mu.Lock()
		t.honest = append(t.honest, time.Since(began))
		t.mu.Unlock()
		select {
		case <-over:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// reply is a response of the portal.
type reply struct {
	status int
	body   string
	wait   time.Duration // Retry-After
}

// isBusy reports whether the queue of password hashes was full.
func (r reply) isBusy() bool {
	return r.status == http.StatusTooManyRequests && r.wait > 0 && strings.Contains(r.body, "Many players are signing in")
}

func (r reply) wrong() error { return fmt.Errorf("wrong answer %d %.300s", r.status, r.body) }

func (a *attack) login(ctx context.Context, from string, account int, password string) (reply, error) {
	return a.post(ctx, "/api/auth/login", from, map[string]string{"email": accountName(account), "password": password})
}

func (a *attack) post(ctx context.Context, path, from string, body map[string]string) (reply, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return reply{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+path, strings.NewReader(string(b)))
	if err != nil {
		return reply{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", from)
	response, err := a.http.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return reply{response.StatusCode, string(text), time.Duration(seconds) * time.Second}, err
}

// hashes returns the number of hashed passwords from the metrics.
func hashes(ctx context.Context, host string) (float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), `pantheon_password_hashes_total{result="made"} `); ok {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, errors.Join(lines.Err(), errors.New("the metrics do not count hashes"))
}
