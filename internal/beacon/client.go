package beacon

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Round is a published round of a beacon, checked.
type Round struct {
	Number     uint64
	Signature  []byte
	Randomness [32]byte // the SHA-256 of Signature
}

var (
	// ErrNotYet is returned for a round that no mirror has yet.
	ErrNotYet = errors.New("beacon: the round is not published yet")
)

const (
	// requestTimeout bounds one request to one mirror.
	requestTimeout = 5 * time.Second
	// maxAnswer is the largest answer that is read, in bytes; drand's have about 400.
	maxAnswer = 4096
)

// Client reads rounds of one beacon over HTTP, from mirrors of which none is trusted. It is safe for concurrent use.
type Client struct {
	mirrors []string
	key     *PublicKey
	http    *http.Client
}

// NewClient returns a client. Each mirror is the address of the beacon's chain, such as
// https://api.drand.sh/52db9ba7…; at least one is needed.
func NewClient(mirrors []string, key *PublicKey) *Client {
	trimmed := make([]string, len(mirrors))
	for i, m := range mirrors {
		trimmed[i] = strings.TrimRight(m, "/")
	}
	return &Client{mirrors: trimmed, key: key, http: &http.Client{
		Timeout: requestTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a mirror answers itself
		},
	}}
}

// Round returns a round from the first mirror that has it, with the beacon's signature. The error says what was wrong with
// each mirror, and is ErrNotYet alone when all say that the round is not published. Before its time a round should not be
// asked for: a mirror that is wrong about the chain answers in the same way.
func (c *Client) Round(ctx context.Context, number uint64) (Round, error) {
	var faults []error
	for _, mirror := range c.mirrors {
		r, err := c.round(ctx, mirror, number)
		if err == nil {
			return r, nil
		}
		if ctx.Err() != nil {
			return Round{}, ctx.Err()
		}
		if !errors.Is(err, ErrNotYet) {
			faults = append(faults, fmt.Errorf("%s: %w", mirror, err))
		}
	}
	if len(faults) == 0 {
		return Round{}, ErrNotYet
	}
	return Round{}, errors.Join(faults...)
}

// Latest returns the newest round that a mirror has, with the beacon's signature. All mirrors are asked at once, and those that
// fail are passed over. If none answers, the error says what was wrong with each.
func (c *Client) Latest(ctx context.Context) (Round, error) {
	rounds, err := c.all(ctx, c.latest)
	return newest(rounds), err
}

// all calls ask for all mirrors at once and returns the rounds that it returned, at least one. It fails if all calls fail, and if
// ctx ends.
func (c *Client) all(ctx context.Context, ask func(ctx context.Context, mirror string) (Round, error)) ([]Round, error) {
	rounds, faults := make([]Round, len(c.mirrors)), make([]error, len(c.mirrors))
	var wg sync.WaitGroup
	for i, mirror := range c.mirrors {
		wg.Go(func() {
			if rounds[i], faults[i] = ask(ctx, mirror); faults[i] != nil {
				faults[i] = fmt.Errorf("%s: %w", mirror, faults[i])
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil { // those that would still have answered are missing
		return nil, ctx.Err()
	}
	rounds = slices.DeleteFunc(rounds, func(r Round) bool { return r.Number == 0 })
	if len(rounds) == 0 {
		return nil, fmt.Errorf("beacon: no mirror answers: %w", errors.Join(faults...))
	}
	return rounds, nil
}

// newest returns the newest of some rounds; the zero Round of none.
func newest(rounds []Round) (last Round) {
	for _, r := range rounds {
		if r.Number > last.Number {
			last = r
		}
	}
	return last
}

// round asks a mirror for a round, at least 1.
func (c *Client) round(ctx context.Context, mirror string, number uint64) (Round, error) {
	r, err := c.ask(ctx, mirror, strconv.FormatUint(number, 10))
	if err == nil && r.Number != number {
		return Round{}, errors.New("the answer is of another round")
	}
	return r, err
}

// latest asks a mirror for the newest round it has.
func (c *Client) latest(ctx context.Context, mirror string) (Round, error) {
	return c.ask(ctx, mirror, "latest")
}

// ask asks a mirror for a round by its name, and checks the signature of the round that it returns.
func (c *Client) ask(ctx context.Context, mirror, name string) (Round, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, mirror+"/public/"+name, nil)
	if err != nil {
		return Round{}, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return Round{}, err
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusTooEarly:
		return Round{}, ErrNotYet
	default:
		return Round{}, fmt.Errorf("status %d", response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return Round{}, err
	}
	if len(body) > maxAnswer {
		return Round{}, errors.New("the answer is too large")
	}
	var answer struct {
		Round     uint64 `json:"round"`
		Signature string `json:"signature"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return Round{}, errors.New("the answer is malformed")
	}
	signature, err := hex.DecodeString(answer.Signature)
	if err != nil || answer.Round == 0 {
		return Round{}, errors.New("the answer is malformed")
	}
	randomness, err := c.key.Randomness(answer.Round, signature) // computed, because the mirror's own value is not trusted
	if err != nil {
		return Round{}, err
	}
	return Round{Number: answer.Round, Signature: signature, Randomness: randomness}, nil
}
