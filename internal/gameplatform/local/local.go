// Package local is the built-in game platform: accounts, currencies and statistics in the portal's own database.
package local

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"runtime"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
)

// Store stores the accounts, their currencies and their scores.
type Store interface {
	Accounts
	Links
	Statistics
	// CreateAccount returns fault.Conflict with reason "email" or "name" if one is taken.
	CreateAccount(ctx context.Context, id account.Identity, emailKey, nameKey, passwordHash string) error
	// AccountByEmail returns fault.NotFound for an unknown address.
	AccountByEmail(ctx context.Context, emailKey string) (id account.Identity, passwordHash string, err error)
	// LogRefusedPassword logs that a password was refused; playerID is "" for an unknown address.
	LogRefusedPassword(ctx context.Context, playerID string) error
	// Player returns fault.NotFound for an unknown id.
	Player(ctx context.Context, playerID string) (account.Identity, error)
	// Currencies returns the player's balances by currency code.
	Currencies(ctx context.Context, playerID string) (map[string]int64, error)
	// ChangeCurrency adds a positive amount or takes a negative one, and returns the new balance. It returns
	// purse.ErrInsufficient if the balance is lower than the amount to take.
	ChangeCurrency(ctx context.Context, playerID, code string, amount int64) (balance int64, err error)
}

// Platform implements the ports of account, profile, leaderboard and purse. It is safe for concurrent use.
type Platform struct {
	store     Store
	site      string
	noMail    bool
	emailWait time.Duration
	clock     clock.Clock
	hashes    hashing
	decoy     string
}

// Options configure the platform; the zero value is valid if no emails are sent.
type Options struct {
	// Site is the portal's URL, for links in emails.
	Site string
	// Cost is the cost of new password hashes; zero means OWASP's second argon2id setting.
	Cost Cost
	// NoMail is set if nothing sends emails.
	NoMail bool
	// EmailWait is how long an address that was added to the account of a linked player resets no password; see
	// account.Options.
	EmailWait time.Duration
	// Clock is the clock; nil means the system's.
	Clock clock.Clock
}

// New returns the platform on the store.
func New(store Store, o Options) (*Platform, error) {
	p := &Platform{store: store, site: o.Site, noMail: o.NoMail, emailWait: o.EmailWait, clock: o.Clock}
	if p.clock == nil {
		p.clock = clock.System{}
	}
	p.hashes.init(runtime.GOMAXPROCS(0), o.Cost)
	// Verified if the email is unknown, so that the response takes the same time.
	decoy, err := p.hashes.hash(context.Background(), rand.Text())
	p.decoy = decoy
	return p, err
}

// Register creates an account; see account.Platform.
func (p *Platform) Register(ctx context.Context, r account.Registration) (account.Identity, error) {
	hash, err := p.hashes.hash(ctx, r.Password)
	if err != nil {
		return account.Identity{}, err
	}
	id := account.Identity{PlayerID: newPlayerID(), DisplayName: r.DisplayName, Email: r.Email}
	err = p.store.CreateAccount(ctx, id, account.EmailKey(r.Email), account.NameKey(r.DisplayName), hash)
	return id, err
}

// Login checks email and password; see account.Platform.
func (p *Platform) Login(ctx context.Context, email, password string) (account.Identity, error) {
	id, hash, err := p.store.AccountByEmail(ctx, account.EmailKey(email))
	unknown := fault.Is(err, fault.NotFound)
	if err != nil && !unknown {
		return account.Identity{}, err
	}
	if hash == "" { // unknown, or an account without a password
		unknown, hash = true, p.decoy
	}
	ok, err := p.hashes.verify(ctx, password, hash)
	if err != nil {
		return account.Identity{}, err
	}
	if !ok || unknown { // logged in both cases, which take the same time
		return account.Identity{}, cmp.Or(p.store.LogRefusedPassword(ctx, id.PlayerID), error(account.ErrPassword))
	}
	return id, nil
}

// Player returns the identity of a player; see account.Platform.
func (p *Platform) Player(ctx context.Context, playerID string) (account.Identity, error) {
	return p.store.Player(ctx, playerID)
}

// Currencies returns the player's balances by currency code.
func (p *Platform) Currencies(ctx context.Context, playerID string) (map[string]int64, error) {
	return p.store.Currencies(ctx, playerID)
}

// Balance returns the player's balance of a currency; see purse.Platform.
func (p *Platform) Balance(ctx context.Context, playerID, code string) (int64, error) {
	m, err := p.store.Currencies(ctx, playerID)
	return m[code], err
}

// ChangeBalance adds to a balance or takes from it; see purse.Platform. The balance is never negative.
func (p *Platform) ChangeBalance(ctx context.Context, playerID, code string, amount int64) (int64, error) {
	return p.store.ChangeCurrency(ctx, playerID, code, amount)
}

// newPlayerID returns an id in PlayFab's form: 16 upper-case hex digits.
func newPlayerID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, as documented
	return strings.ToUpper(hex.EncodeToString(b[:]))
}
