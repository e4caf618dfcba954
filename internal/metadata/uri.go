package metadata

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"net/url"
	"regexp"
	"strings"
)

// Location says where something is: in the URI itself, or at any of several addresses, the preferred first.
type Location struct {
	Data      []byte   // of a data URI; nil for addresses
	Addresses []string // https, or http of the hosts that the operator names
	// Immutable means that what is there never changes, as its address is made from its content.
	Immutable bool
	Host      string // what is asked, by which failures are counted; see HostOf
}

// Gateways are the addresses by which ipfs and ar URIs are read, the preferred first, such as https://ipfs.io and https://arweave.net.
type Gateways struct{ IPFS, Arweave []string }

var (
	contentID    = regexp.MustCompile(`^(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,110}|z[1-9A-HJ-NP-Za-km-z]{40,110}|k[a-z0-9]{50,80})(/|\?|$)`)
	gatewayPath  = regexp.MustCompile(`^https?://[^/]+/ipfs/(.+)$`)
	gatewayHost  = regexp.MustCompile(`^https?://([a-z0-9]{50,80})\.ipfs\.[^/]+(?:/(.*))?$`)
	arweaveID    = regexp.MustCompile(`^[A-Za-z0-9_-]{43}(/|\?|$)`)
	schemeOf     = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*):`)
	idTemplate   = regexp.MustCompile(`(?:0x)?\{id\}`)
	quotedBraces = strings.NewReplacer("%7Bid%7D", "{id}", "%7bid%7d", "{id}")
)

// WithID puts a token's id in the place of {id}: 64 lower-case hexadecimal digits without 0x (ERC-1155). id is decimal.
func WithID(uri, id string) string {
	uri = quotedBraces.Replace(uri)
	if !strings.Contains(uri, "{id}") {
		return uri
	}
	n, ok := new(big.Int).SetString(id, 10)
	if !ok {
		return uri
	}
	return idTemplate.ReplaceAllLiteralString(uri, fmt.Sprintf("%064x", n))
}

// Locate says where a URI is read: https, http (by https), ipfs, ar and data URIs, identifiers of contents without a scheme, and JSON
// or SVG in the place of a URI. The error says why there is no such place.
func (g Gateways) Locate(uri string) (Location, error) {
	uri = strings.TrimSpace(uri)
	switch {
	case uri == "":
		return Location{}, fault("there is no URI")
	case strings.HasPrefix(uri, "{") || strings.HasPrefix(uri, "<svg"):
		return Location{Data: []byte(uri), Immutable: true, Host: hostData}, nil
	case contentID.MatchString(uri):
		return g.ipfs(uri)
	}
	scheme := schemeOf.FindStringSubmatch(uri)
	if scheme == nil {
		return Location{}, fault("%q is no URI", shorten(uri))
	}
	rest := uri[len(scheme[0]):]
	switch strings.ToLower(scheme[1]) {
	case "data":
		data, err := dataOf(rest)
		return Location{Data: data, Immutable: true, Host: hostData}, err
	case "ipfs":
		return g.ipfs(strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(rest, "/"), "ipfs/"), "/"))
	case "ipns":
		l, err := g.at(hostIPFS, g.IPFS, "/ipns/", strings.TrimLeft(rest, "/"))
		l.Immutable = false
		return l, err
	case "ar", "arweave":
		rest = strings.TrimLeft(rest, "/")
		if !arweaveID.MatchString(rest) {
			return Location{}, fault("%q is no address of Arweave", shorten(uri))
		}
		return g.at(hostArweave, g.Arweave, "/", rest)
	case "https", "http":
		return g.web(uri)
	}
	return Location{}, fault("URIs of the scheme %q are not read", shorten(scheme[1]))
}

func (g Gateways) ipfs(path string) (Location, error) {
	if !contentID.MatchString(path) {
		return Location{}, fault("%q is no address of IPFS", shorten(path))
	}
	return g.at(hostIPFS, g.IPFS, "/ipfs/", path)
}

func (g Gateways) at(host string, gateways []string, prefix, path string) (Location, error) {
	l := Location{Immutable: true, Host: host}
	for _, gateway := range gateways {
		l.Addresses = append(l.Addresses, strings.TrimRight(gateway, "/")+prefix+escape(path))
	}
	if len(l.Addresses) == 0 {
		return l, fault("no gateway is configured for %s", strings.Trim(prefix, "/"))
	}
	return l, nil
}

// web is the location of an address on the web. Of what is on IPFS behind a gateway, other gateways have it too.
func (g Gateways) web(uri string) (Location, error) {
	u, err := url.Parse(strings.ReplaceAll(uri, " ", "%20"))
	if err != nil || u.Host == "" || len(u.Host) > maxHost {
		return Location{}, fault("%q is no address", shorten(uri))
	}
	u.Scheme, u.User, u.Fragment = strings.ToLower(u.Scheme), nil, ""
	// The host of the address itself, also of what is on IPFS: it is not to blame the gateways.
	l := Location{Addresses: []string{u.String()}, Host: strings.ToLower(u.Host)}
	path := ""
	if m := gatewayPath.FindStringSubmatch(l.Addresses[0]); m != nil {
		path = m[1]
	} else if m := gatewayHost.FindStringSubmatch(l.Addresses[0]); m != nil {
		path = m[1] + "/" + m[2]
	}
	if contentID.MatchString(path) {
		others, _ := g.ipfs(strings.TrimSuffix(path, "/"))
		l.Addresses, l.Immutable = append(l.Addresses, others.Addresses...), true
	}
	return l, nil
}

// maxHost is how long a host with its port can be (RFC 1035, section 2.3.4).
const maxHost = 253 + 6

// tidy returns a URI as a contract or document meant it: without what no URI has.
func tidy(uri string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(uri, "\ufffd"), "\x00", ""))
}

// escape escapes what may not stand in the path of an address, such as the spaces and # of files' names, and keeps what is escaped.
func escape(path string) string {
	path, query, hasQuery := strings.Cut(path, "?")
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	out := (&url.URL{Path: "/" + path}).EscapedPath()[1:]
	if hasQuery {
		out += "?" + strings.ReplaceAll(query, " ", "%20")
	}
	return out
}

// dataOf returns the content of a data URI (RFC 2397), without its scheme. Unescaped characters and missing padding are accepted.
func dataOf(rest string) ([]byte, error) {
	head, body, ok := strings.Cut(rest, ",")
	if !ok {
		return nil, fault("the data URI has no comma")
	}
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), ";base64") {
		if plain, err := url.PathUnescape(body); err == nil {
			body = plain
		}
		body = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/", "\n", "", " ", "").Replace(body), "=")
		data, err := base64.RawStdEncoding.DecodeString(body)
		if err != nil {
			return nil, fault("the data URI is no base64")
		}
		return data, nil
	}
	plain, err := url.PathUnescape(body)
	if err != nil {
		plain = body // with a % of its own
	}
	return []byte(plain), nil
}

func encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// shorten cuts a text for a message.
func shorten(text string) string { return cut(clean(text, 200), 80) }
