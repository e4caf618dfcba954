package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
)

// networkOf returns the address range that is usually assigned to one household or company: 24 bits of an IPv4
// address, 56 of an IPv6 one.
func networkOf(address string) string { return prefixOf(address, 24, 56) }

// networkTag returns an opaque tag of the request's network, the same for all its addresses; "" if unknown.
func (a *API) networkTag(ctx context.Context) string {
	address := originOf(ctx)
	if address == "" {
		return ""
	}
	mac := hmac.New(sha256.New, a.NetworkKey)
	mac.Write([]byte(networkOf(address)))
	return hex.EncodeToString(mac.Sum(nil)[:12])
}

// householdOf returns the address range of one household: an IPv4 address, 56 bits of an IPv6 one.
func householdOf(address string) string { return prefixOf(address, 32, 56) }

// lineOf returns the address range of one line: an IPv4 address, 64 bits of an IPv6 one.
func lineOf(address string) string { return prefixOf(address, 32, 64) }

func prefixOf(address string, bits4, bits6 int) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	bits := bits6
	if ip.Is4() {
		bits = bits4
	}
	p, err := ip.Prefix(bits)
	if err != nil {
		return address
	}
	return p.String()
}
