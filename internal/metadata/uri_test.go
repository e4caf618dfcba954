package metadata_test

import (
	"slices"
	"strings"
	"testing"

	"pantheon/internal/metadata"
)

var gateways = metadata.Gateways{IPFS: []string{"https://one.example", "https://two.example/"}, Arweave: []string{"https://ar.example"}}

const (
	v0 = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG"
	v1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
	ar = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE"
)

func TestURI_LeadsToAddresses(t *testing.T) {
	t.Parallel()
	ipfs := func(path string) []string {
		return []string{"https://one.example/ipfs/" + path, "https://two.example/ipfs/" + path}
	}
	for uri, want := range map[string][]string{
		"https://art.example/1.json":        {"https://art.example/1.json"},
		"  https://art.example/1.json\n":    {"https://art.example/1.json"},
		"HTTPS://art.example/a b.json#part": {"https://art.example/a%20b.json"},
		"http://art.example/1":              {"http://art.example/1"}, // the fetcher asks by https
		"https://user:pass@art.example/1":   {"https://art.example/1"},
		"ipfs://" + v0 + "/17.json":         ipfs(v0 + "/17.json"),
		"ipfs://ipfs/" + v0 + "/17.json":    ipfs(v0 + "/17.json"),
		"ipfs:/" + v1:                       ipfs(v1),
		"IPFS://" + v1 + "/a b#1.png":       ipfs(v1 + "/a%20b%231.png"),
		"ipfs://" + v1 + "/a%20b.png":       ipfs(v1 + "/a%20b.png"),
		v0 + "/3":                           ipfs(v0 + "/3"),
		v1:                                  ipfs(v1),
		"https://ipfs.io/ipfs/" + v0 + "/1": append([]string{"https://ipfs.io/ipfs/" + v0 + "/1"}, ipfs(v0+"/1")...),
		"https://" + v1 + ".ipfs.nftstorage.link/1": append(
			[]string{"https://" + v1 + ".ipfs.nftstorage.link/1"}, ipfs(v1+"/1")...),
		"ipns://names.example/1":   {"https://one.example/ipns/names.example/1", "https://two.example/ipns/names.example/1"},
		"ar://" + ar + "/1.json":   {"https://ar.example/" + ar + "/1.json"},
		"arweave://" + ar:          {"https://ar.example/" + ar},
		"https://art.example?id=1": {"https://art.example?id=1"},
	} {
		l, err := gateways.Locate(uri)
		if err != nil || !slices.Equal(l.Addresses, want) {
			t.Errorf("%q leads to %q, %v, want %q", uri, l.Addresses, err, want)
		}
	}
}

func TestURI_DataIsReadFromIt(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"data:application/json;base64,eyJuYW1lIjoiQSJ9":               `{"name":"A"}`,
		"data:application/json;charset=utf-8;base64,eyJuYW1lIjoiQSJ9": `{"name":"A"}`,
		"data:application/json;base64,eyJuYW1lIjoiQUIifQ":             `{"name":"AB"}`, // without padding
		"data:application/json;base64,eyJuYW1lIjoiQUIifQ%3D%3D":       `{"name":"AB"}`,
		"data:application/json,%7B%22name%22%3A%22A%22%7D":            `{"name":"A"}`,
		`data:application/json;utf8,{"name":"100% A"}`:                `{"name":"100% A"}`,
		`data:image/svg+xml;utf8,<svg fill="#fff"/>`:                  `<svg fill="#fff"/>`,
		`{"name":"On chain"}`:                                         `{"name":"On chain"}`,
		`<svg/>`:                                                      `<svg/>`,
	} {
		l, err := gateways.Locate(uri)
		if err != nil || string(l.Data) != want || !l.Immutable {
			t.Errorf("%q has %q, %v, want %q", uri, l.Data, err, want)
		}
	}
}

func TestURI_OthersAreRefused(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"":                               "there is no URI",
		"file:///etc/passwd":             "URIs of the scheme \"file\" are not read",
		"javascript:alert(1)":            "URIs of the scheme \"javascript\" are not read",
		"ftp://art.example/1":            "URIs of the scheme \"ftp\" are not read",
		"gopher://art.example/1":         "URIs of the scheme \"gopher\" are not read",
		"art.example/1":                  "\"art.example/1\" is no URI",
		"https:///nowhere":               "\"https:///nowhere\" is no address",
		"ipfs://not-a-content/1":         "\"not-a-content/1\" is no address of IPFS",
		"ar://short":                     "\"ar://short\" is no address of Arweave",
		"data:application/json;base64":   "the data URI has no comma",
		"data:application/json;base64,*": "the data URI is no base64",
		"ipfs://../../admin":             "\"../../admin\" is no address of IPFS",
	} {
		if _, err := gateways.Locate(uri); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", uri, err, want)
		}
	}
	if _, err := (metadata.Gateways{}).Locate("ipfs://" + v1); err == nil || err.Error() != "no gateway is configured for ipfs" {
		t.Errorf("without a gateway: %v", err)
	}
}

// Failures are counted by who is asked: a stranger's host is none of the gateways, however it is named.
func TestURI_HostsAreThoseThatAreAsked(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"https://Art.example:8443/1": "art.example:8443", "ipfs://" + v1: "ipfs", "ipns://names.example": "ipfs", "ar://" + ar: "arweave",
		"data:,{}": "data", "{}": "data", "https://evil.example/ipfs/" + v1: "evil.example",
		"https://a.ipfs.evil.example/1":        "a.ipfs.evil.example",
		"https://" + v1 + ".ipfs.evil.example": v1 + ".ipfs.evil.example",
	} {
		if l, err := gateways.Locate(uri); err != nil || l.Host != want {
			t.Errorf("%s is asked of %q, %v, want %q", uri, l.Host, err, want)
		}
	}
	if _, err := gateways.Locate("https://" + strings.Repeat("a.", 200) + "example/1"); err == nil {
		t.Error("a host of 400 characters is asked")
	}
}

// ERC-1155: 64 lower-case hexadecimal digits without 0x.
func TestURI_TheIDOfATokenReplacesItsTemplate(t *testing.T) {
	t.Parallel()
	const id = "000000000000000000000000000000000000000000000000000000000004cce0"
	for uri, want := range map[string]string{
		"https://art.example/{id}.json":     "https://art.example/" + id + ".json",
		"https://art.example/%7Bid%7D.json": "https://art.example/" + id + ".json",
		"https://art.example/0x{id}":        "https://art.example/" + id,
		"https://art.example/{id}/{id}":     "https://art.example/" + id + "/" + id,
		"https://art.example/1":             "https://art.example/1",
	} {
		if got := metadata.WithID(uri, "314592"); got != want {
			t.Errorf("%q becomes %q, want %q", uri, got, want)
		}
	}
}
