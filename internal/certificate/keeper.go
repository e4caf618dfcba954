// Package certificate keeps the TLS certificates of the site: it orders them from a certificate authority by ACME (RFC 8555), renews
// them before they end, and stores them in a folder. A handshake never causes an order, so that nobody else decides how often the
// authority is asked. A certificate is served until there is another one, whatever the authority answers.
package certificate

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/crypto/acme"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/periodic"
)

// Options configures a Keeper.
type Options struct {
	Domains   []string              // host names, in lower case and ASCII; one certificate each
	Email     string                // the account's contact; "" for none
	Directory string                // URL of the authority's directory
	Folder    string                // where everything is stored; made if it is missing
	Log       *slog.Logger          //
	Clock     clock.Clock           //
	Metrics   prometheus.Registerer //
}

// Keeper has the certificates. It orders and renews them while Run runs, and is safe for concurrent use.
type Keeper struct {
	options Options
	store   store
	hosts   []*host

	mu       sync.Mutex
	answers  map[string]string           // to http-01 challenges, by path
	provings map[string]*tls.Certificate // for tls-alpn-01 challenges, by domain
}

// host is a domain and its certificate.
type host struct {
	domain  string
	current atomic.Pointer[tls.Certificate] // nil for none
	failure atomic.Pointer[error]           // of the last order; nil if it succeeded, or there was none

	// Of Run alone.
	due         time.Time // before that nothing is ordered
	failures    int       // orders in a row that failed
	unreachable int       // attempts in a row in which the authority did not answer
}

const (
	// firstWait is how long after an order that failed the next one is made. The wait is four times as long after each further one,
	// up to longestWait. Authorities count the checks that fail: Let's Encrypt allows five of a host in an hour.
	firstWait   = time.Minute
	longestWait = time.Hour
	// An authority that does not answer gets no order; it is tried again after firstTry, then twice as long, up to longestTry.
	firstTry   = 5 * time.Second
	longestTry = time.Minute
	// longestLimit is the longest wait that an authority can ask for.
	longestLimit = 24 * time.Hour
	// shortestLife is how long a certificate is kept at least, or a third of its life if that is shorter.
	shortestLife = 24 * time.Hour
	// renewAhead is how long before its end a certificate is renewed, or a third of its life if that is shorter.
	renewAhead = 30 * 24 * time.Hour
)

// New opens the folder and reads the certificates in it. A certificate that cannot be used is logged and ordered again; a folder that
// cannot be written is an error.
func New(o Options) (*Keeper, error) {
	s, err := openStore(o.Folder, o.Directory)
	if err != nil {
		return nil, err
	}
	k := &Keeper{options: o, store: s, answers: map[string]string{}, provings: map[string]*tls.Certificate{}}
	for _, domain := range o.Domains {
		h := &host{domain: domain}
		switch certificate, err := s.certificate(domain); {
		case err == nil:
			h.current.Store(certificate)
		case !errors.Is(err, errNone):
			o.Log.Warn("the stored certificate cannot be used; another one is ordered", "domain", domain, "error", err)
		}
		// A program that is restarted again and again must not order each time.
		if last := s.lastOrder(domain); !last.After(o.Clock.Now()) {
			h.due = last.Add(firstWait)
		}
		k.hosts = append(k.hosts, h)
		left := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "pantheon", Subsystem: "certificate", Name: "expiry_seconds", ConstLabels: prometheus.Labels{"domain": domain},
			Help: "How long the certificate of the domain is still valid: 0 for none, negative for one that has ended.",
		}, func() float64 { return k.left(h).Seconds() })
		if err := o.Metrics.Register(left); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// left returns how long the certificate of a host is still valid; 0 for none.
func (k *Keeper) left(h *host) time.Duration {
	c := h.current.Load()
	if c == nil {
		return 0
	}
	return c.Leaf.NotAfter.Sub(k.options.Clock.Now())
}

// TLS returns the configuration of a listener that serves the certificates, by HTTP/2 and 1.1, and answers tls-alpn-01 challenges
// (RFC 8737). Hosts that have none are refused.
func (k *Keeper) TLS() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"h2", "http/1.1", acme.ALPNProto},
		GetCertificate: k.choose,
	}
}

// choose returns the certificate for a handshake. Without one, the handshake fails with unrecognized_name (RFC 6066, section 3).
func (k *Keeper) choose(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := strings.ToLower(hello.ServerName)
	if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) {
		k.mu.Lock()
		defer k.mu.Unlock()
		return k.provings[name], nil
	}
	for _, h := range k.hosts {
		if h.domain == name {
			return h.current.Load(), nil
		}
	}
	return nil, nil
}

// challengePath is where authorities ask for the answer to an http-01 challenge (RFC 8555, section 8.3).
const challengePath = "/.well-known/acme-challenge/"

// Challenges answers http-01 challenges, and passes all other requests on.
func (k *Keeper) Challenges(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, challengePath) {
			next.ServeHTTP(w, r)
			return
		}
		k.mu.Lock()
		answer, ok := k.answers[r.URL.Path]
		k.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write([]byte(answer)) // a client that is gone asks again
	})
}

// Check reports a domain that has no valid certificate, or whose last order failed.
func (k *Keeper) Check(context.Context) error {
	for _, h := range k.hosts {
		var cause error
		if failure := h.failure.Load(); failure != nil {
			cause = *failure
		}
		left := k.left(h)
		switch {
		case h.current.Load() == nil:
			return fault.New(fault.Unavailable, "there is none for %s", h.domain).Because(cause)
		case left <= 0:
			return fault.New(fault.Unavailable, "that of %s has ended", h.domain).Because(cause)
		case cause != nil:
			return fault.New(fault.Unavailable, "that of %s is not renewed, and ends in %s", h.domain, roughly(left)).Because(cause)
		}
	}
	return nil
}

// roughly is a length of time in words.
func roughly(d time.Duration) string {
	if d < 48*time.Hour {
		return d.Round(time.Minute).String()
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}

// Run orders and renews certificates until ctx ends.
func (k *Keeper) Run(ctx context.Context) error {
	return periodic.RunAtOnce(ctx, time.Second, k.step, func(error) {})
}

// step orders what is due, one certificate after the other.
func (k *Keeper) step(ctx context.Context) error {
	for _, h := range k.hosts {
		if now := k.options.Clock.Now(); now.Before(h.due) || now.Before(renewal(h.current.Load())) || ctx.Err() != nil {
			continue
		}
		certificate, err := k.obtain(ctx, h)
		if ctx.Err() != nil {
			return nil // the order was interrupted
		}
		if certificate != nil { // also one that could not be stored
			h.current.Store(certificate)
		}
		if err != nil {
			k.fail(h, err)
			continue
		}
		h.failure.Store(nil)
		h.failures, h.unreachable = 0, 0
		// One that is due for renewal at once, by a clock that is wrong, must not be ordered again and again.
		h.due = k.options.Clock.Now().Add(min(shortestLife, certificate.Leaf.NotAfter.Sub(certificate.Leaf.NotBefore)/3))
		k.options.Log.Info("certificate issued", "domain", h.domain, "until", certificate.Leaf.NotAfter.UTC().Format(time.RFC3339))
	}
	return nil
}

// renewal is when a certificate is renewed; the zero time for none.
func renewal(c *tls.Certificate) time.Time {
	if c == nil {
		return time.Time{}
	}
	return c.Leaf.NotAfter.Add(-min(renewAhead, c.Leaf.NotAfter.Sub(c.Leaf.NotBefore)/3))
}

// fail notes a failure, and when to try again.
func (k *Keeper) fail(h *host, err error) {
	h.failure.Store(&err)
	level := slog.LevelWarn
	if k.left(h) <= 0 {
		level = slog.LevelError
	}
	isNews, wait := true, time.Duration(0)
	if _, ok := errors.AsType[unreachableError](err); ok {
		wait = min(firstTry<<min(h.unreachable, 10), longestTry)
		isNews = h.unreachable == 0
		h.unreachable++
	} else {
		wait = min(firstWait<<min(2*h.failures, 10), longestWait)
		h.failures, h.unreachable = h.failures+1, 0
		if refusal, ok := errors.AsType[*acme.Error](err); ok {
			if limit, ok := acme.RateLimit(refusal); ok {
				wait = min(max(wait, limit), longestLimit)
			}
		}
	}
	h.due = k.options.Clock.Now().Add(wait)
	if isNews {
		k.options.Log.Log(context.Background(), level, "no certificate from the authority, trying again", "domain", h.domain, "error", err,
			"in", wait, "valid for", max(k.left(h), 0).Round(time.Second))
	}
}
