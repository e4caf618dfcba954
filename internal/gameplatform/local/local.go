// Package local is the built-in game platform: accounts and currencies in the portal's own database.
package local

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/sync/semaphore"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
)

// The cost of a password hash: OWASP's second argon2id setting.
const (
	hashTime    = 2
	hashMemory  = 19 * 1024 // KiB
	hashThreads = 1
	hashBytes   = 32
	saltBytes   = 16
)

// Store keeps the accounts.
type Store interface {
	// CreateAccount returns fault.Conflict with reason "email" or "name" when one is taken.
	CreateAccount(ctx context.Context, id account.Identity, emailKey, nameKey, passwordHash string) error
	// AccountByEmail returns fault.NotFound for an unknown address.
	AccountByEmail(ctx context.Context, emailKey string) (id account.Identity, passwordHash string, err error)
	// Player returns fault.NotFound for an unknown id.
	Player(ctx context.Context, playerID string) (account.Identity, error)
	// Currencies returns the player's balances by currency code.
	Currencies(ctx context.Context, playerID string) (map[string]int64, error)
	// ChangeCurrency adds a positive amount or takes a negative one, and returns what is left. It returns
	// purse.ErrInsufficient when the player has less than is to be taken.
	ChangeCurrency(ctx context.Context, playerID, code string, amount int64) (balance int64, err error)
}

// Platform implements the ports of account, profile and purse. It is safe for concurrent use.
type Platform struct {
	store Store
	// hashing bounds the concurrent hashes, each of which takes 19 MiB and a core for some 20 ms.
	hashing *semaphore.Weighted
	decoy   string
}

// New returns the platform over the store.
func New(store Store) (*Platform, error) {
	p := &Platform{store: store, hashing: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))}
	// Verified against when the e-mail is unknown, so that the answer takes the same time.
	decoy, err := p.hash(context.Background(), rand.Text())
	p.decoy = decoy
	return p, err
}

// Register makes an account; see account.Platform.
func (p *Platform) Register(ctx context.Context, r account.Registration) (account.Identity, error) {
	hash, err := p.hash(ctx, r.Password)
	if err != nil {
		return account.Identity{}, err
	}
	id := account.Identity{PlayerID: newPlayerID(), DisplayName: r.DisplayName, Email: r.Email}
	err = p.store.CreateAccount(ctx, id, account.EmailKey(r.Email), account.NameKey(r.DisplayName), hash)
	return id, err
}

// Login checks e-mail and password; see account.Platform.
func (p *Platform) Login(ctx context.Context, email, password string) (account.Identity, error) {
	id, hash, err := p.store.AccountByEmail(ctx, account.EmailKey(email))
	unknown := fault.Is(err, fault.NotFound)
	if err != nil && !unknown {
		return account.Identity{}, err
	}
	if unknown {
		hash = p.decoy
	}
	ok, err := p.verify(ctx, password, hash)
	if err != nil {
		return account.Identity{}, err
	}
	if !ok || unknown {
		return account.Identity{}, account.ErrPassword
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

// Balance returns what the player has of a currency; see purse.Platform.
func (p *Platform) Balance(ctx context.Context, playerID, code string) (int64, error) {
	m, err := p.store.Currencies(ctx, playerID)
	return m[code], err
}

// ChangeBalance adds to a balance or takes from it; see purse.Platform. It never leaves less than nothing.
func (p *Platform) ChangeBalance(ctx context.Context, playerID, code string, amount int64) (int64, error) {
	return p.store.ChangeCurrency(ctx, playerID, code, amount)
}

// newPlayerID makes an id of the form PlayFab gives: 16 upper-case hex digits.
func newPlayerID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, by its contract
	return strings.ToUpper(hex.EncodeToString(b[:]))
}

// hash returns the password's hash in the PHC string format.
func (p *Platform) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails, by its contract
	sum, err := p.argon(ctx, password, salt, hashTime, hashMemory, hashThreads)
	if err != nil {
		return "", err
	}
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads, b64(salt), b64(sum)), nil
}

func (p *Platform) verify(ctx context.Context, password, hash string) (bool, error) {
	var version int
	var memory, time uint32
	var threads uint8
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errors.New("local: unknown password hash format")
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &time, &threads); err != nil || version != argon2.Version {
		return false, errors.New("local: unknown password hash parameters")
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, errors.New("local: malformed password salt")
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false, errors.New("local: malformed password hash")
	}
	got, err := p.argon(ctx, password, salt, time, memory, threads)
	return subtle.ConstantTimeCompare(got, want) == 1, err
}

func (p *Platform) argon(ctx context.Context, password string, salt []byte, time, memory uint32, threads uint8) ([]byte, error) {
	if err := p.hashing.Acquire(ctx, 1); err != nil {
		return nil, fault.New(fault.Unavailable, "We are busy. Please try again in a moment.").Because(err)
	}
	defer p.hashing.Release(1)
	return argon2.IDKey([]byte(password), salt, time, memory, threads, hashBytes), nil
}
