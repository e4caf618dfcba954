package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"pantheon/internal/portal/account"
	"pantheon/internal/portal/securitylog"
)

// client is where a request comes from.
type client struct {
	// addr is the browser's address, without a zone and never an IPv4-mapped one; the zero Addr if it is unknown.
	addr netip.Addr
	// alias stands for an unknown address in limits: the proxy and what it wrote instead of an address.
	alias string
}

// maxAlias is how many bytes of what a proxy wrote are kept.
const maxAlias = 64

type originKey struct{}

// withOrigin stores the client and its browser in the request's context.
func (a *API) withOrigin(r *http.Request) *http.Request {
	id := a.browserID(r)
	ctx := context.WithValue(context.WithValue(r.Context(), originKey{}, a.clientOf(r)), browserKey{}, id)
	network := networkOf(originOf(ctx))
	ctx = securitylog.With(ctx, securitylog.Origin{Network: network})
	return r.WithContext(account.FromNetwork(account.FromBrowser(ctx, r.UserAgent(), id), network))
}

func originOf(ctx context.Context) client {
	c, _ := ctx.Value(originKey{}).(client)
	return c
}

// clientOf returns the client: the peer of the connection, or, behind trusted proxies, the last node of the forwarding header
// that is not one of them. Nodes further left are the client's own claims. If a trusted proxy wrote something that is not an
// address, the client is unknown: the nodes before it cannot be trusted.
func (a *API) clientOf(r *http.Request) client {
	peer, ok := parseNode(r.RemoteAddr)
	if !ok {
		return a.unknown("", "RemoteAddr", r.RemoteAddr)
	}
	if !a.trusts(peer) {
		return client{addr: peer}
	}
	header, list := a.forwarding(r.Header)
	for a.trusts(peer) && list != "" {
		var element string
		element, list = lastElement(list)
		node := element
		if header == forwardedHeader {
			node = forwardedFor(element)
		}
		next, ok := parseNode(node)
		if !ok {
			return a.unknown(peer.String(), header, element)
		}
		peer = next
	}
	return client{addr: peer}
}

// Forwarding headers: the one in common use, and that of RFC 7239.
const (
	forwardedForHeader = "X-Forwarded-For"
	forwardedHeader    = "Forwarded"
)

// forwarding returns the forwarding header that counts and its list, "" for none. Without a setting X-Forwarded-For counts
// if there is one: a proxy that writes one header passes on what browsers put into the other.
func (a *API) forwarding(h http.Header) (name, list string) {
	names := []string{forwardedForHeader, forwardedHeader}
	if a.ForwardedHeader != "" {
		names = []string{http.CanonicalHeaderKey(a.ForwardedHeader)}
	}
	for _, name := range names {
		if list := strings.Join(h.Values(name), ","); strings.TrimSpace(list) != "" {
			return name, list
		}
	}
	return "", ""
}

// lastElement splits a list of a header (RFC 9110, section 5.6.1) before its last element. It reads from the right: what a
// browser sent stands on the left, and an unpaired quote in it must not swallow what proxies appended.
func lastElement(list string) (element, rest string) {
	quoted := false
	for i := len(list) - 1; i >= 0; i-- {
		switch {
		case list[i] == '"' && !isEscaped(list, i):
			quoted = !quoted
		case list[i] == ',' && !quoted:
			return strings.TrimSpace(list[i+1:]), list[:i]
		}
	}
	return strings.TrimSpace(list), ""
}

// isEscaped reports whether an odd number of backslashes stands before s[i].
func isEscaped(s string, i int) bool {
	return (i-len(strings.TrimRight(s[:i], `\`)))%2 == 1
}

// forwardedFor returns the node of the parameter "for" of an element of Forwarded (RFC 7239, section 4); "" if it has none or
// several.
func forwardedFor(element string) (node string) {
	found := false
	for element != "" {
		var pair string
		pair, element = cutUnquoted(element, ';')
		name, value, _ := strings.Cut(pair, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "for") {
			continue
		}
		if found {
			return ""
		}
		node, found = value, true
	}
	return node
}

// cutUnquoted slices s around the first sep outside of quoted strings.
func cutUnquoted(s string, sep byte) (before, after string) {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"' && !isEscaped(s, i):
			quoted = !quoted
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// parseNode parses an address in the spellings of proxies: alone, with a port, with IPv6 in brackets, quoted, with a zone.
func parseNode(node string) (netip.Addr, bool) {
	node = strings.TrimSpace(unquote(strings.TrimSpace(node)))
	host, port := node, ""
	switch bracket := strings.LastIndexByte(node, ']'); {
	case strings.HasPrefix(node, "[") && bracket > 0:
		host, port = node[1:bracket], node[bracket+1:]
		if port != "" && !strings.HasPrefix(port, ":") {
			return netip.Addr{}, false
		}
	case strings.Count(node, ":") == 1:
		host, port, _ = strings.Cut(node, ":")
		port = ":" + port
	}
	if port != "" && strings.ContainsFunc(port[1:], isNoPort) {
		return netip.Addr{}, false
	}
	addr, err := netip.ParseAddr(host)
	if err != nil || addr.IsUnspecified() {
		return netip.Addr{}, false
	}
	addr = addr.WithZone("").Unmap()
	return addr, !addr.IsUnspecified()
}

// isNoPort reports whether r cannot be part of a port, which may be obfuscated (RFC 7239, section 6).
func isNoPort(r rune) bool {
	return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("._-", r)
}

// unquote returns the content of a quoted string (RFC 9110, section 5.6.4), or s.
func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	s = s[1 : len(s)-1]
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// unknown returns the client of a request whose address cannot be read. Limits tell such clients apart by what the proxy wrote,
// without a port, which changes with each connection.
func (a *API) unknown(proxy, header, text string) client {
	a.unreadable.report(a.Log, proxy, header, text)
	text = unquote(text)
	if i := strings.LastIndexByte(text, ':'); i >= 0 && strings.Trim(text[i+1:], "0123456789") == "" {
		text = text[:i]
	}
	return client{alias: "unknown " + proxy + " " + text[:min(len(text), maxAlias)]}
}

// trusts reports whether the address, as parseNode returns it, is a proxy of ours.
func (a *API) trusts(addr netip.Addr) bool {
	return slices.ContainsFunc(a.Trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// unreadable logs what cannot be read in a proxy's headers: once per proxy and header, at most 16 times. It is safe for
// concurrent use.
type unreadable struct {
	mu     sync.Mutex
	logged map[[2]string]bool
}

func (u *unreadable) report(log *slog.Logger, proxy, header, text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	key := [2]string{proxy, header}
	if u.logged[key] || len(u.logged) >= 16 {
		return
	}
	if u.logged == nil {
		u.logged = map[[2]string]bool{}
	}
	u.logged[key] = true
	log.Warn("the address or country that a proxy reports cannot be read; its clients count as unknown",
		"proxy", proxy, "header", header, "value", text[:min(len(text), maxAlias)])
}

// networkOf returns the address range that is usually assigned to one household or company: 24 bits of an IPv4
// address, 56 of an IPv6 one.
func networkOf(c client) string { return prefixOf(c, 24, 56) }

// networkTag returns an opaque tag of the request's network, the same for all its addresses; "" for a call that did not come
// by HTTP.
func (a *API) networkTag(ctx context.Context) string {
	c := originOf(ctx)
	if c == (client{}) {
		return ""
	}
	mac := hmac.New(sha256.New, a.NetworkKey)
	mac.Write([]byte(networkOf(c)))
	return hex.EncodeToString(mac.Sum(nil)[:12])
}

// householdOf returns the address range of one household: an IPv4 address, 56 bits of an IPv6 one.
func householdOf(c client) string { return prefixOf(c, 32, 56) }

// lineOf returns the address range of one line: an IPv4 address, 64 bits of an IPv6 one.
func lineOf(c client) string { return prefixOf(c, 32, 64) }

func prefixOf(c client, bits4, bits6 int) string {
	if !c.addr.IsValid() {
		return c.alias
	}
	bits := bits6
	if c.addr.Is4() {
		bits = bits4
	}
	return netip.PrefixFrom(c.addr, bits).Masked().String()
}
