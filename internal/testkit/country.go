package testkit

import (
	"bytes"
	"cmp"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"go4.org/netipx"
)

// CountryRanges writes a list of address ranges in MaxMind's DB format, with the country of each network; "" is none.
func CountryRanges(t testing.TB, places map[string]string) (path string) {
	t.Helper()
	w, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "Test-Country", RecordSize: 24, IncludeReservedNetworks: true})
	if err != nil {
		t.Fatal(err)
	}
	// The wider ones first: a later network overrides part of an earlier one.
	networks := slices.SortedFunc(maps.Keys(places), func(a, b string) int {
		return cmp.Compare(netip.MustParsePrefix(a).Bits(), netip.MustParsePrefix(b).Bits())
	})
	for _, network := range networks {
		code := places[network]
		record := mmdbtype.Map{"continent": mmdbtype.Map{"code": mmdbtype.String("XX")}}
		if code != "" {
			record["country"] = mmdbtype.Map{"iso_code": mmdbtype.String(code)}
		}
		if err := w.Insert(netipx.PrefixIPNet(netip.MustParsePrefix(network)), record); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "country.mmdb")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
