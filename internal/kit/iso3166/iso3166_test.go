package iso3166_test

import (
	"testing"

	"pantheon/internal/kit/iso3166"
)

func TestCountry_CountriesAreTheAssignedCodes(t *testing.T) {
	t.Parallel()
	n := 0
	for a := byte(0); a < 128; a++ {
		for b := byte(0); b < 128; b++ {
			if iso3166.Country(string([]byte{a, b})) {
				n++
			}
		}
	}
	if n != 250 { // 249 of ISO 3166-1 and XK
		t.Errorf("%d codes are countries", n)
	}
	for code, want := range map[string]bool{
		"CU": true, "IR": true, "KP": true, "SY": true, "VE": true, "RU": true, "BY": true, "GB": true, "XK": true, "ZW": true,
		"UK": false, "SU": false, "XX": false, "T1": false, "EU": false, "ZZ": false, "cu": false, "": false, "C": false, "CUB": false,
		"D A": false, "E ": false, " A": false,
	} {
		if iso3166.Country(code) != want {
			t.Errorf("%q is a country: %v", code, !want)
		}
	}
}
