package config

import (
	"cmp"
	"encoding/hex"
	"slices"
)

// Beacon is the public randomness beacon by which packs are drawn.
type Beacon struct {
	// Comma-separated addresses of mirrors of the beacon's chain, with the chain's hash; none is trusted. Public mirrors of drand's
	// quicknet when empty.
	URLs []string `env:"BEACON_URL"`
	// The beacon's public key, in hex; quicknet's when empty. Openings that wait when it changes are not drawn.
	PublicKey string `env:"BEACON_PUBLIC_KEY"`
	// When the beacon published its first round, in Unix seconds; quicknet's when 0.
	Genesis int64 `env:"BEACON_GENESIS"`
	// Seconds between its rounds; quicknet's 3 when 0.
	Period int64 `env:"BEACON_PERIOD"`
}

// drand's quicknet (https://docs.drand.love).
const (
	quicknetChain = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
	quicknetKey   = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc2" +
		"2b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
	quicknetGenesis = 1692803367
	quicknetPeriod  = 3
)

// complete sets the unset fields to those of quicknet.
func (b *Beacon) complete() {
	if len(b.URLs) == 0 {
		for _, host := range []string{"api.drand.sh", "api2.drand.sh", "api3.drand.sh", "drand.cloudflare.com"} {
			b.URLs = append(b.URLs, "https://"+host+"/"+quicknetChain)
		}
	}
	b.PublicKey = cmp.Or(b.PublicKey, quicknetKey)
	b.Genesis = cmp.Or(b.Genesis, quicknetGenesis)
	b.Period = cmp.Or(b.Period, quicknetPeriod)
}

func (b *Beacon) check(f *faults) {
	unsafe := slices.ContainsFunc(b.URLs, func(u string) bool { return !isURL(u, "http", "https") })
	f.check(!unsafe, "BEACON_URL", "must be http:// or https:// addresses")
	key, err := hex.DecodeString(b.PublicKey)
	f.check(err == nil && len(key) == 96, "BEACON_PUBLIC_KEY", "must be 192 hex digits: a compressed point of G2")
	f.check(b.Genesis >= 0 && b.Genesis <= 253402300799, "BEACON_GENESIS", "must be Unix seconds")
	f.check(b.Period >= 1 && b.Period <= 86_400, "BEACON_PERIOD", "must be 1 to 86400 seconds")
}
