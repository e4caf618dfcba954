package metadata

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Fetcher reads documents and pictures from the web. It is safe for concurrent use.
type Fetcher struct {
	http     *http.Client
	private  []string // origins that may be in private networks, and be read by http
	gateways []string // addresses below which the same holds for contents alone
	hedge    time.Duration
}

// FetcherOptions configure a Fetcher.
type FetcherOptions struct {
	// Private are origins that the operator names, such as http://gateway.internal:8080: only these may have addresses in private
	// networks, and only these are read by http.
	Private []string
	// Gateways may have such addresses too, for what is below their /ipfs/, /ipns/ and Arweave's identifiers: whoever names a URI must not
	// read other pages of theirs.
	Gateways Gateways
	Timeout  time.Duration // of one answer; 0 for 30 seconds
	// Hedge is how long an address may take before the next one of the same content is asked too; 0 for 3 seconds.
	Hedge time.Duration
}

// Answer is what an address answered.
type Answer struct {
	Body []byte
	ETag string
	// Unchanged means that the host still has what it had under the ETag that was asked with; there is no Body.
	Unchanged bool
}

// Fault is why something could not be read. Its text is for operators.
type Fault struct {
	Reason string
	// Final means that asking again does not help soon: there is no such thing, or it is no metadata.
	Final bool
	// RetryAfter is how long the host asks to be left alone; 0 if it does not say.
	RetryAfter time.Duration
	// Overloaded means that the host is away or refuses because it is asked too often: it is to be asked less.
	Overloaded bool
	Timeout    bool // the host did not answer in time
	// Head is how what is larger than asked for begins; nil for other faults.
	Head []byte
}

func (f *Fault) Error() string { return f.Reason }

// tooLarge returns the Fault of what has more than limit bytes.
func tooLarge(limit int64, body []byte) *Fault {
	return &Fault{Reason: fmt.Sprintf("it is larger than %d bytes", limit), Final: true, Head: body[:min(len(body), maxHead)]}
}

// maxHead is enough of a picture to know that it is one.
const maxHead = 256 << 10

// fault returns a Fault that asking again does not mend.
func fault(format string, args ...any) *Fault {
	return &Fault{Reason: fmt.Sprintf(format, args...), Final: true}
}

const (
	maxRedirects  = 5
	maxRetryAfter = time.Hour
	userAgent     = "Pantheon (token metadata)"
)

// NewFetcher returns a Fetcher.
func NewFetcher(o FetcherOptions) *Fetcher {
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Hedge == 0 {
		o.Hedge = 3 * time.Second
	}
	f := &Fetcher{hedge: o.Hedge}
	for _, origin := range o.Private {
		if u, err := url.Parse(origin); err == nil && u.Host != "" {
			f.private = append(f.private, u.Scheme+"://"+u.Host) // without the path that gateways may have
		}
	}
	guarded := net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error { return checkPublic(address) }}
	for _, gateway := range o.Gateways.IPFS {
		f.gateways = append(f.gateways, strings.TrimRight(gateway, "/")+"/ipfs/", strings.TrimRight(gateway, "/")+"/ipns/")
	}
	for _, gateway := range o.Gateways.Arweave {
		f.gateways = append(f.gateways, strings.TrimRight(gateway, "/")+"/")
	}
	open := net.Dialer{Timeout: 10 * time.Second}
	f.http = &http.Client{
		Timeout: o.Timeout,
		Transport: &http.Transport{
			// The address that is connected to is checked, so that DNS rebinding cannot lead elsewhere.
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if f.mayBePrivate(address) {
					return open.DialContext(ctx, network, address)
				}
				return guarded.DialContext(ctx, network, address)
			},
			Proxy: nil, ForceAttemptHTTP2: true, MaxIdleConns: 100, MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute,
			TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: o.Timeout, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return fault("the host redirects too often")
			}
			address, err := f.permitted(r.URL)
			r.URL = address
			return err
		},
	}
	return f
}

// Close closes idle connections.
func (f *Fetcher) Close() { f.http.CloseIdleConnections() }

// permitted returns the address by which a URL is read: by https, except of the hosts that the operator names.
func (f *Fetcher) permitted(u *url.URL) (*url.URL, error) {
	if slices.Contains(f.private, u.Scheme+"://"+u.Host) {
		return u, nil
	}
	if isOfGateway := slices.ContainsFunc(f.gateways, func(g string) bool { return hostPort(g) == hostPort(u.String()) }); isOfGateway {
		path := u.EscapedPath()
		if strings.Contains(path, "..") || strings.Contains(strings.ToLower(path), "%2e") ||
			!slices.ContainsFunc(f.gateways, func(g string) bool { return isBelow(u, g) }) {
			return nil, fault("%s is read as a gateway only", shorten(u.Host))
		}
		return u, nil
	}
	switch u.Scheme {
	case "https":
		return u, nil
	case "http":
		if port := u.Port(); port != "" && port != "80" {
			return nil, fault("%s is not read without TLS", shorten(u.Host))
		}
		secure := *u
		secure.Scheme, secure.Host = "https", u.Hostname()
		return &secure, nil
	}
	return nil, fault("addresses of the scheme %q are not read", shorten(u.Scheme))
}

// isBelow reports whether an address is one of a content below a gateway's.
func isBelow(u *url.URL, gateway string) bool {
	content, ok := strings.CutPrefix(u.Scheme+"://"+u.Host+u.EscapedPath(), gateway)
	return ok && (!strings.HasSuffix(gateway, "/ipfs/") || contentID.MatchString(content)) &&
		(strings.HasSuffix(gateway, "/ipfs/") || strings.HasSuffix(gateway, "/ipns/") || arweaveID.MatchString(content))
}

// mayBePrivate reports whether the operator names a host and port.
func (f *Fetcher) mayBePrivate(address string) bool {
	return slices.ContainsFunc(slices.Concat(f.private, f.gateways), func(named string) bool { return hostPort(named) == address })
}

// hostPort returns the host and port of an address, with the port that is meant where none is named.
func hostPort(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// tagForm is an ETag (RFC 9110, section 8.8.3) that is kept.
var tagForm = regexp.MustCompile(`^(W/)?"[\x21\x23-\x7e]{0,200}"$`)

// largeLimit is from which limit on answers are large.
const largeLimit = 4 << 20

// reserved are ranges that no public host has, besides those that package netip knows.
var reserved = func() (out []netip.Prefix) {
	for _, r := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"240.0.0.0/4", "255.255.255.255/32",
		"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
	} {
		out = append(out, netip.MustParsePrefix(r))
	}
	return out
}()

// checkPublic returns an error unless an address and port is a public one.
func checkPublic(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fault("%q is no address", shorten(address))
	}
	ip := at.Addr().Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() ||
		slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(ip) }) {
		return fault("%s is not a public address", ip)
	}
	return nil
}

// Fetch reads what is at a location, of at most limit bytes. Addresses that have the same content are asked in their order: the next one
// when one fails or takes long. etag is what is known of the content; "" to have it in any case. The error is a *Fault or the context's.
func (f *Fetcher) Fetch(ctx context.Context, l Location, limit int64, etag string) (Answer, error) {
	if l.Data != nil {
		if int64(len(l.Data)) > limit {
			return Answer{}, tooLarge(limit, l.Data)
		}
		return Answer{Body: l.Data}, nil
	}
	if len(l.Addresses) == 1 {
		return f.get(ctx, l.Addresses[0], limit, etag)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		answer Answer
		err    error
	}
	results := make(chan result, len(l.Addresses))
	next, running, hedge := 0, 0, f.hedge
	if limit > largeLimit {
		hedge *= 5 // of what is large, parts come from several at once
	}
	start := func() {
		address := l.Addresses[next]
		next, running = next+1, running+1
		go func() {
			a, err := f.get(ctx, address, limit, etag)
			results <- result{a, err}
		}()
	}
	start()
	var worst error
	for running > 0 {
		var late <-chan time.Time
		if next < len(l.Addresses) {
			late = time.After(hedge)
		}
		select {
		case r := <-results:
			running--
			if r.err == nil {
				return r.answer, nil
			}
			worst = milder(worst, r.err)
			if next < len(l.Addresses) {
				start()
			}
		case <-late:
			start()
		}
	}
	return Answer{}, worst
}

// milder returns the fault that leaves more hope: one of several gateways that lacks a content says little.
func milder(a, b error) error {
	var x, y *Fault
	if !errors.As(a, &x) || errors.As(b, &y) && x.Final && !y.Final {
		return b
	}
	return a
}

func (f *Fetcher) get(ctx context.Context, address string, limit int64, etag string) (Answer, error) {
	u, err := url.Parse(address)
	if err != nil {
		return Answer{}, fault("%q is no address", shorten(address))
	}
	if u, err = f.permitted(u); err != nil {
		return Answer{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return Answer{}, fault("%q is no address", shorten(address))
	}
	most := limit
	request.Header.Set("User-Agent", userAgent)
	request.Header.Set("Accept", "application/json, image/*;q=0.9, */*;q=0.5")
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	response, err := f.http.Do(request)
	if err != nil {
		return Answer{}, whyNot(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotModified && etag != "" {
		return Answer{Unchanged: true, ETag: etag}, nil
	}
	if response.StatusCode != http.StatusOK {
		return Answer{}, statusFault(response)
	}
	if response.ContentLength > limit {
		limit = min(limit, maxHead) // to know what it is
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return Answer{}, whyNot(ctx, err)
	}
	if int64(len(body)) > limit {
		return Answer{}, tooLarge(most, body)
	}
	tag := response.Header.Get("ETag")
	if !tagForm.MatchString(tag) {
		tag = ""
	}
	return Answer{Body: body, ETag: tag}, nil
}

// whyNot returns the fault of a request that had no answer.
func whyNot(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
		return &Fault{Reason: "there is no host " + shorten(dns.Name), Overloaded: true}
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return &Fault{Reason: "the host takes too long", Overloaded: true, Timeout: true}
	}
	return &Fault{Reason: "the host cannot be reached", Overloaded: true}
}

// statusFault returns the fault of an answer that is none.
func statusFault(r *http.Response) *Fault {
	f := &Fault{Reason: "the host answers " + strconv.Itoa(r.StatusCode)}
	switch r.StatusCode {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		f.Overloaded = true
	case http.StatusRequestTimeout, http.StatusTooEarly:
	default:
		f.Final = r.StatusCode < http.StatusInternalServerError
	}
	after := strings.TrimSpace(r.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(after, 10, 32); err == nil {
		f.RetryAfter = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(after); err == nil {
		f.RetryAfter = time.Until(at)
	}
	f.RetryAfter = min(max(0, f.RetryAfter), maxRetryAfter)
	return f
}
