package country_test

import (
	"bytes"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/country"
	"pantheon/internal/testkit"
)

var defaults = []string{"CU", "IR", "KP", "SY", "VE", "RU", "BY"}

func open(t *testing.T, o country.Options) *country.Service {
	t.Helper()
	s, err := country.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

var nowhere netip.Addr

// Spec: ACCESS-3
func TestCountry_ForbiddenCountriesAreBarredAndAllOthersServed(t *testing.T) {
	t.Parallel()
	s := open(t, country.Options{Forbidden: defaults})
	for told, allowed := range map[string]bool{
		"CU": false, "IR": false, "KP": false, "SY": false, "VE": false, "RU": false, "BY": false, "ru": false, " by ": false,
		"DE": true, "US": true, "GB": true, "UA": true,
		// Not countries: the location is unknown.
		"": true, "XX": true, "T1": true, "RUS": true, "RU,DE": true, "Я": true, "\x00": true,
	} {
		err := s.Allow(told, nowhere)
		if (err == nil) != allowed {
			t.Errorf("told %q: %v", told, err)
		}
		if err != nil && (!fault.Is(err, fault.Barred) || strings.Contains(err.Error(), strings.TrimSpace(told))) {
			t.Errorf("told %q: the refusal is %v", told, err)
		}
	}
	if err := open(t, country.Options{}).Allow("CU", nowhere); err != nil {
		t.Errorf("without forbidden countries: %v", err)
	}
}

func TestCountry_UnknownAddressIsRefusedWhereTheListWouldPlaceIt(t *testing.T) {
	t.Parallel()
	ranges := testkit.CountryRanges(t, map[string]string{"198.51.100.0/24": "RU"})
	s := open(t, country.Options{Forbidden: defaults, Ranges: ranges})
	for told, allowed := range map[string]bool{"": false, "XX": false, "RU": false, "DE": true} {
		if err := s.Allow(told, nowhere); (err == nil) != allowed || err != nil && !fault.Is(err, fault.Barred) {
			t.Errorf("told %q: %v", told, err)
		}
	}
	if code := s.Of("", nowhere); code != "ZZ" {
		t.Errorf("the country is %q", code)
	}
	if err := open(t, country.Options{Ranges: ranges}).Allow("", nowhere); err != nil {
		t.Errorf("without forbidden countries: %v", err)
	}
}

// Spec: ACCESS-6
func TestCountry_AddressIsPlacedByTheListOfRanges(t *testing.T) {
	t.Parallel()
	s := open(t, country.Options{Forbidden: defaults, Ranges: testkit.CountryRanges(t, map[string]string{
		"198.51.100.0/24": "RU", "198.51.100.128/25": "FI", "2001:db8:1::/48": "KP", "203.0.113.0/24": "",
	})})
	for _, c := range []struct {
		told, from string
		allowed    bool
	}{
		{"", "198.51.100.7", false},
		{"", "::ffff:198.51.100.7", false},
		{"XX", "198.51.100.7", false}, // the proxy does not know the country
		{"T1", "198.51.100.7", false},
		{"DE", "198.51.100.7", true}, // the proxy takes precedence
		{"RU", "198.51.100.200", false},
		{"", "198.51.100.200", true},
		{"", "2001:db8:1::5", false},
		{"", "2001:db8:1::5%eth0", false},
		{"", "2001:db8:2::5", true},
		{"", "203.0.113.9", true}, // in the list, but without a country
		{"", "127.0.0.1", true},
	} {
		if err := s.Allow(c.told, netip.MustParseAddr(c.from)); (err == nil) != c.allowed {
			t.Errorf("told %q, from %s: %v", c.told, c.from, err)
		}
	}
}

func TestCountry_ListThatCannotBeTrustedIsRefused(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile(testkit.CountryRanges(t, map[string]string{"198.51.100.0/24": "RU"}))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(testkit.CountryRanges(t, map[string]string{"198.51.100.0/24": ""}))
	if err != nil {
		t.Fatal(err)
	}
	torn := bytes.Clone(good)
	for i := range 60 {
		torn[i] ^= 0x5a
	}
	for what, content := range map[string][]byte{
		"empty": nil, "no list": []byte("198.51.100.0/24,RU"), "cut": good[:len(good)/2], "torn": torn, "of something else": other,
	} {
		path := filepath.Join(t.TempDir(), "country.mmdb")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := country.New(country.Options{Ranges: path}); err == nil {
			t.Errorf("%s: accepted", what)
			_ = s.Close()
		}
	}
	if _, err := country.New(country.Options{Ranges: filepath.Join(t.TempDir(), "none.mmdb")}); err == nil {
		t.Error("a list that is not there is accepted")
	}
}

func BenchmarkAllow(b *testing.B) {
	s, err := country.New(country.Options{Forbidden: defaults})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := s.Allow("DE", nowhere); err != nil {
			b.Fatal(err)
		}
	}
}
