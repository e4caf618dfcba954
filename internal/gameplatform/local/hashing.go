package local

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
)

// Cost is the cost of an argon2id password hash.
type Cost struct {
	Passes uint32
	Memory uint32 // KiB
}

// owaspCost is OWASP's second argon2id setting (Password Storage Cheat Sheet).
var owaspCost = Cost{Passes: 2, Memory: 19 * 1024}

// TestCost makes hashing nearly free, for tests of something else.
var TestCost = Cost{Passes: 1, Memory: 8}

const (
	hashThreads = 1
	hashBytes   = 32
	saltBytes   = 16
)

const (
	// waitingPerCore bounds the queue per core: at 20 ms each, these are served within a second or two.
	waitingPerCore = 64
	// networkPerCore bounds how many of one network wait.
	networkPerCore = 32
	// maxWait is how long a hash may wait in the queue, on a busy machine.
	maxWait = 5 * time.Second
	// retryAfter is returned to callers when the queue is full.
	retryAfter = 2 * time.Second
)

var errBusy = fault.Wait(retryAfter, "Many players are signing in just now. Please try again in a moment.")

// hashing hashes passwords, each of which takes 19 MiB and a core for some 20 ms: one per core at a time, with a
// bounded queue that is fair between networks. Callers beyond that are refused at once.
type hashing struct {
	cost  Cost
	queue *queue

	made, refused atomic.Int64
}

func (h *hashing) init(cores int, cost Cost) {
	h.cost = cost
	if cost == (Cost{}) {
		h.cost = owaspCost
	}
	h.queue = newQueue(cores, cores*waitingPerCore, cores*networkPerCore)
}

// Hashes returns how many passwords were hashed so far, and how many were refused because the queue was full.
func (p *Platform) Hashes() (made, refused int64) {
	return p.hashes.made.Load(), p.hashes.refused.Load()
}

// hash returns the password's hash in the PHC string format.
func (h *hashing) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails, as documented
	sum, err := h.argon(ctx, password, salt, h.cost.Passes, h.cost.Memory, hashThreads)
	if err != nil {
		return "", err
	}
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.cost.Memory, h.cost.Passes, hashThreads,
		b64(salt), b64(sum)), nil
}

func (h *hashing) verify(ctx context.Context, password, hash string) (bool, error) {
	var version int
	var memory, time uint32
	var threads uint8
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errors.New("local: unknown password hash format")
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &time, &threads); err != nil ||
		version != argon2.Version {
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
	got, err := h.argon(ctx, password, salt, time, memory, threads)
	return subtle.ConstantTimeCompare(got, want) == 1, err
}

func (h *hashing) argon(ctx context.Context, password string, salt []byte, cost, memory uint32, threads uint8) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	if err := h.queue.enter(ctx, account.NetworkOf(ctx)); err != nil {
		h.refused.Add(1)
		return nil, err
	}
	defer h.queue.leave()
	h.made.Add(1)
	return argon2.IDKey([]byte(password), salt, cost, memory, threads, hashBytes), nil
}
