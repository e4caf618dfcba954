package config

import (
	"regexp"
	"slices"
	"strings"

	"pantheon/internal/kit/iso3166"
)

// Country says where the portal and its packs are offered, and how a browser's country is known.
type Country struct {
	// Comma-separated codes (ISO 3166-1 alpha-2) of countries that are not served; none for serving all.
	Forbidden []string `env:"FORBIDDEN_COUNTRIES" envDefault:"CU,IR,KP,SY,VE,RU,BY"`
	// Header in which the proxies of TRUSTED_PROXIES tell a browser's country, such as CF-IPCountry. They must overwrite what browsers
	// send.
	CountryHeader string `env:"COUNTRY_HEADER"`
	// File in MaxMind's DB format with country.iso_code by address, for browsers whose country no header tells; it is read at the start.
	// Browsers whose country is not in it are served, those whose address cannot be read are not.
	CountryRanges string `env:"COUNTRY_FILE"`
	// Comma-separated codes (ISO 3166-1 alpha-2) of countries in which no packs are sold; none for selling them everywhere. Players
	// there can still open their own.
	PacksForbidden []string `env:"PACK_COUNTRIES_FORBIDDEN"`
}

// complete brings the countries' codes into one form.
func (c *Country) complete() {
	for _, codes := range []*[]string{&c.Forbidden, &c.PacksForbidden} {
		for i, code := range *codes {
			(*codes)[i] = strings.ToUpper(strings.TrimSpace(code))
		}
		if slices.Equal(*codes, []string{"NONE"}) {
			*codes = nil
		}
	}
}

// check adds what is wrong. proxied tells whether TRUSTED_PROXIES names any.
func (c *Country) check(f *faults, proxied bool) {
	if c.CountryHeader != "" && !headerName.MatchString(c.CountryHeader) {
		f.add("COUNTRY_HEADER", "must be the name of a header")
	} else {
		f.check(c.CountryHeader == "" || proxied, "COUNTRY_HEADER", "must come from proxies that TRUSTED_PROXIES names")
	}
	for name, codes := range map[string][]string{"FORBIDDEN_COUNTRIES": c.Forbidden, "PACK_COUNTRIES_FORBIDDEN": c.PacksForbidden} {
		unknown := slices.ContainsFunc(codes, func(code string) bool { return !iso3166.Country(code) })
		f.check(!unknown, name, "must be codes of countries (ISO 3166-1 alpha-2) such as CU,IR, or none")
	}
}

// headerName is a token of RFC 9110.
var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
