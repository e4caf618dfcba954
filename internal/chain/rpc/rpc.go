// Package rpc calls the JSON-RPC endpoints of a chain: one inside the process, or some behind http(s) or ws(s), of which the first that
// works is used. It limits the duration of every call, reports failures in one form, and never shows an endpoint's URL, which often
// contains a key.
//
// A Client is safe for concurrent use. New does not connect: an endpoint may be down when the program starts and come
// back later, and the next call re-establishes a lost connection. Close closes it.
package rpc

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/trace"
)

// Options configure the chain and its endpoint.
type Options struct {
	Name    string          // the chain's name in messages, such as "game"
	ChainID onchain.ChainID // the chain id that the endpoint must report

	// Client is the endpoint inside the process. It belongs to the caller: Close does not close it.
	Client *gethrpc.Client
	// URL is the endpoint otherwise: http, https, ws or wss, with its credentials.
	URL string
	// More are the URLs of further endpoints, the preferred ones first, of which one is used while that of URL does not work; see Watch.
	More []string

	// LeastTip is the least answer to eth_maxPriorityFeePerGas, in wei: some endpoints suggest less than their own pool takes.
	// nil means any.
	LeastTip *big.Int

	// Connections is the maximum number of connections to an http(s) endpoint; 0 means no limit, with few kept idle.
	Connections int

	Timeout    time.Duration // of one call; 0 means DefaultTimeout
	MaxHeadAge time.Duration // how old the newest block may be before Check returns ErrStale; 0 means any age
	Clock      clock.Clock   // nil means the system clock
}

// DefaultTimeout is the default of Options.Timeout.
const DefaultTimeout = 10 * time.Second

// The failures of a chain, for errors.Is. Any other error is the endpoint's own response to a call,
// such as a revert, or the end of the caller's context; errors.As finds go-ethereum's rpc.Error and rpc.DataError in it.
var (
	ErrUnreachable = errors.New("unreachable")
	ErrWrongChain  = errors.New("wrong chain")
	ErrStale       = errors.New("stale")
)

var errUnavailable = fault.New(fault.Unavailable, "The chain cannot be reached just now. Please try again in a moment.")

// Explain turns a failure of a chain into fault.Unavailable, with a text for players, and returns other errors
// unchanged.
func Explain(err error) error {
	if errors.Is(err, ErrUnreachable) {
		return errUnavailable.Because(err)
	}
	return err
}

// Client calls one chain.
type Client struct {
	options   Options
	endpoints []*endpoint // in the operator's order; at least one

	hasBaseFee atomic.Bool // whether a block with a base fee was seen (EIP-1559)
}

// New returns a client; it fails on a URL of another scheme, without showing the URL.
func New(options Options) (*Client, error) {
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	if options.Clock == nil {
		options.Clock = clock.System{}
	}
	c := &Client{options: options}
	if options.Client != nil {
		c.endpoints = []*endpoint{{options: &c.options, client: options.Client, secrets: strings.NewReplacer()}}
		return c, nil
	}
	urls := append([]string{options.URL}, options.More...)
	for i, text := range urls {
		e := &endpoint{options: &c.options, url: text, secrets: strings.NewReplacer()}
		if len(urls) > 1 {
			e.name = fmt.Sprintf("endpoint %d: ", i+1)
		}
		if err := e.init(); err != nil {
			return nil, err
		}
		c.endpoints = append(c.endpoints, e)
	}
	return c, nil
}

// endpoint is one endpoint of a chain.
type endpoint struct {
	options *Options
	name    string // before its errors; "" for the only one
	url     string
	secrets *strings.Replacer // hides all of the URL but scheme and host
	http    *http.Client      // nil for an endpoint inside the process

	pause atomic.Int64 // until when the endpoint takes no requests, by its Retry-After; Unix time in nanoseconds
	// Of one of several:
	problem  atomic.Pointer[error] // why it is used only if no other works; nil for none
	failed   atomic.Int64          // when it last did not answer a call; Unix time in nanoseconds
	verified atomic.Bool           // whether it has named the chain

	mu     sync.Mutex
	client *gethrpc.Client // nil until the first call
	closed bool
}

func (e *endpoint) init() error {
	u, err := url.Parse(e.url)
	if err != nil || u.Host == "" {
		return e.errorf("the endpoint's URL is malformed")
	}
	switch u.Scheme {
	case "http", "https", "ws", "wss":
	default:
		return e.errorf("the endpoint's URL must begin with http, https, ws or wss")
	}
	e.secrets = hide(u)
	base := http.DefaultTransport.(*http.Transport).Clone()
	if e.options.Connections > 0 {
		base.MaxConnsPerHost, base.MaxIdleConnsPerHost = e.options.Connections, e.options.Connections
	}
	e.http = &http.Client{Transport: transport{base}}
	return nil
}

// hide returns a replacer for the parts of a URL that may be credentials.
func hide(u *url.URL) *strings.Replacer {
	var pairs []string
	add := func(secret string) {
		if len(secret) > 3 { // shorter texts are not keys, and occur in ordinary words
			pairs = append(pairs, secret, "…")
		}
	}
	add(u.String())
	if password, ok := u.User.Password(); ok {
		add(password)
	}
	add(u.User.Username())
	for part := range strings.SplitSeq(u.Path, "/") {
		add(part)
	}
	for _, values := range u.Query() {
		for _, value := range values {
			add(value)
		}
	}
	return strings.NewReplacer(pairs...)
}

// ID returns the chain id from the options.
func (c *Client) ID() onchain.ChainID { return c.options.ChainID }

// CallContext calls a method and reads its result into result, a pointer or nil.
func (c *Client) CallContext(ctx context.Context, result any, method string, args ...any) error {
	ctx, span := trace.Start(ctx, method)
	defer span.End()
	err := c.first(ctx, func(ctx context.Context, e *endpoint) error { return e.call(ctx, result, method, args...) })
	if method == methodTip {
		err = c.correctTip(ctx, result, err)
	}
	return err
}

func (e *endpoint) call(ctx context.Context, result any, method string, args ...any) error {
	return e.do(ctx, method, func(ctx context.Context, client *gethrpc.Client) error {
		return client.CallContext(ctx, result, method, args...)
	})
}

// BatchCallContext sends several calls at once, in as many requests as the endpoint needs. It fails if they could not be
// sent; the result of each call is in its element, whose Error is the endpoint's own response.
func (c *Client) BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error {
	ctx, span := trace.Start(ctx, "batch")
	defer span.End()
	if err := c.first(ctx, func(ctx context.Context, e *endpoint) error { return e.batch(ctx, batch) }); err != nil {
		return err
	}
	for i := range batch {
		if e := &batch[i]; e.Method == methodTip {
			e.Error = c.correctTip(ctx, e.Result, e.Error)
		}
	}
	return nil
}

// batch sends all calls to the endpoint: their answers fit together.
func (e *endpoint) batch(ctx context.Context, batch []gethrpc.BatchElem) error {
	left := make([]*gethrpc.BatchElem, len(batch))
	for i := range batch {
		batch[i].Error = nil // of another endpoint
		left[i] = &batch[i]
	}
	size := len(left)
	for len(left) > 0 {
		n := min(size, len(left))
		err := e.do(ctx, "batch", func(ctx context.Context, client *gethrpc.Client) error {
			if size == 1 && len(batch) > 1 { // the endpoint takes no batches
				return callOne(ctx, client, left[0])
			}
			throttled, err := callAll(ctx, client, left[:n])
			if throttled != nil { // the others are answered
				left, n = slices.Concat(throttled, left[n:]), len(throttled)
			}
			return err
		})
		if _, refused := errors.AsType[refusedBatch](err); refused && n > 1 {
			size = n / 2
			continue
		}
		if err != nil {
			return err
		}
		left = left[n:]
	}
	return nil
}

// callOne makes a single call of a batch.
func callOne(ctx context.Context, client *gethrpc.Client, call *gethrpc.BatchElem) error {
	err := client.CallContext(ctx, call.Result, call.Method, call.Args...)
	var answer gethrpc.Error
	if errors.As(err, &answer) && asThrottled(err) == nil {
		call.Error, err = answer, nil
	}
	return err
}

// callAll makes the calls in one request. If some of them are throttled, it returns these, with the error of one.
func callAll(ctx context.Context, client *gethrpc.Client, calls []*gethrpc.BatchElem) (throttled []*gethrpc.BatchElem, err error) {
	batch := make([]gethrpc.BatchElem, len(calls))
	for i, call := range calls {
		batch[i] = *call
	}
	if err := client.BatchCallContext(ctx, batch); err != nil {
		return nil, err
	}
	for i, call := range calls {
		call.Error = batch[i].Error
		if t := asThrottled(call.Error); t != nil {
			throttled, err = append(throttled, call), t
		}
	}
	return throttled, err
}

// Health is the result of Check.
type Health struct {
	Head    uint64        // number of the newest block
	Age     time.Duration // since that block's time; 0 if it is ahead of the clock
	Latency time.Duration // of the request for the newest block
}

// Check asks the endpoint for its chain id and newest block. It returns ErrUnreachable, ErrWrongChain, or,
// with the rest of Health filled in, ErrStale.
func (c *Client) Check(ctx context.Context) (h Health, err error) {
	err = c.first(ctx, func(ctx context.Context, e *endpoint) (err error) {
		h, err = e.check(ctx)
		return err
	})
	return h, err
}

func (e *endpoint) check(ctx context.Context) (Health, error) {
	c := e.options
	var id hexutil.Uint64
	if err := e.call(ctx, &id, "eth_chainId"); err != nil {
		return Health{}, err
	}
	if onchain.ChainID(id) != c.ChainID {
		return Health{}, e.errorf("%w: the endpoint serves chain %d", ErrWrongChain, uint64(id))
	}
	var head *struct{ Number, Timestamp hexutil.Uint64 }
	asked := c.Clock.Now()
	if err := e.call(ctx, &head, "eth_getBlockByNumber", "latest", false); err != nil {
		return Health{}, err
	}
	if head == nil {
		return Health{}, e.errorf("%w: the endpoint knows no block", ErrUnreachable)
	}
	now := c.Clock.Now()
	h := Health{
		Head:    uint64(head.Number),
		Age:     max(0, now.Sub(time.Unix(int64(head.Timestamp), 0))),
		Latency: now.Sub(asked),
	}
	if c.MaxHeadAge > 0 && h.Age > c.MaxHeadAge {
		return h, e.errorf("%w: the newest block, %d, is %s old", ErrStale, h.Head, h.Age.Round(time.Second))
	}
	return h, nil
}

// Close closes the client; later calls fail.
func (c *Client) Close() {
	for _, e := range c.endpoints {
		e.close()
	}
}

func (e *endpoint) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.client != nil && e.options.Client == nil {
		e.client.Close()
	}
	if e.http != nil {
		e.http.CloseIdleConnections()
	}
}

// do makes a call, each attempt within the timeout, and explains its failure.
func (e *endpoint) do(ctx context.Context, method string, call func(context.Context, *gethrpc.Client) error) error {
	isLate := false
	err := e.patiently(ctx, func() error {
		bounded, cancel := context.WithTimeout(ctx, e.options.Timeout)
		defer cancel()
		client, err := e.connect(bounded)
		if err == nil {
			err = call(bounded, client)
		}
		isLate = bounded.Err() != nil
		return err
	})
	var answer gethrpc.Error
	var status gethrpc.HTTPError
	var transport *url.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return e.errorf("%s: %w", method, ctx.Err())
	case asThrottled(err) != nil:
		return e.errorf("%w: %w", ErrUnreachable, asThrottled(err))
	case errors.As(err, &answer):
		return e.errorf("%s: %w", method, answer)
	case errors.As(err, &status): // its body is the operator's or a proxy's, of any length
		return e.errorf("%w: HTTP %s", ErrUnreachable, status.Status)
	case isLate:
		return e.errorf("%w: no answer within %s", ErrUnreachable, e.options.Timeout)
	case errors.As(err, &transport): // it quotes the URL
		return e.errorf("%w: %w", ErrUnreachable, transport.Err)
	default:
		return e.errorf("%w: %w", ErrUnreachable, err)
	}
}

// connect returns the connection, established by the first call.
func (e *endpoint) connect(ctx context.Context) (*gethrpc.Client, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errors.New("the client is closed")
	}
	if e.client == nil {
		client, err := gethrpc.DialOptions(ctx, e.url, gethrpc.WithHTTPClient(e.http))
		if err != nil {
			return nil, err
		}
		e.client = client
	}
	return e.client, nil
}

// chainError is an error that names the chain and hides credentials.
type chainError struct {
	text  string
	cause error
}

func (e *chainError) Error() string { return e.text }
func (e *chainError) Unwrap() error { return e.cause }

// withoutSecrets hides the credentials of all endpoints in a text.
func (c *Client) withoutSecrets(text string) string {
	for _, e := range c.endpoints {
		text = e.secrets.Replace(text)
	}
	return text
}

// errorf returns an error that begins with the chain's name and id.
func (e *endpoint) errorf(format string, args ...any) error {
	cause := fmt.Errorf("chain %s (%d): %s"+format, append([]any{e.options.Name, uint64(e.options.ChainID), e.name}, args...)...)
	return &chainError{text: e.secrets.Replace(cause.Error()), cause: cause}
}
