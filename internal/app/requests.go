package app

import (
	"fmt"
	"net/netip"
	"strings"

	"pantheon/internal/api"
	"pantheon/internal/portal/country"
	"pantheon/internal/store"
)

// requestOptions returns what the API knows about all requests.
func requestOptions(b *base) (o api.RequestOptions, err error) {
	c := b.config
	o = api.RequestOptions{
		Log: b.log, Panicked: b.panics.WithLabelValues("http").Inc, Clock: b.clock, PublicURL: c.PublicURL, SiteOf: c.SiteOf,
		Trusted: trusted(c.TrustProxy), ForwardedHeader: c.ForwardedIn, NetworkKey: b.keys("networks").First(), CountryHeader: c.CountryHeader,
		Attempts: store.Attempts{DB: b.db},
		Limits: api.Limits{
			LoginsPerMinute: c.Limits.Logins, AttemptsPerQuarter: c.Limits.Attempts, EmailsPerHour: c.Limits.Emails,
			CartPerMinute: c.Limits.Cart, SigningPerMinute: c.Limits.Signatures, ChainReadsPerMinute: c.Limits.ChainReads,
			ReadsPerMinute: c.Limits.Reads, SearchesPerMinute: c.Limits.Searches, ArtPerMinute: c.Limits.Art,
			ContactsPerMinute: c.Limits.Contacts, ReportsPerMinute: c.Limits.Reports,
			ReportBytesPerMinute: c.Limits.ReportMiB << 20, AllReportBytesPerMinute: c.Limits.ReportsMiB << 20,
		},
	}
	if o.Country, err = country.New(country.Options{
		Forbidden: c.Forbidden, Ranges: c.CountryRanges, Served: append(b.pages.Legal, b.pages.DeleteAccount),
	}); err != nil {
		return o, fmt.Errorf("COUNTRY_FILE: %w", err)
	}
	if o.Country != nil {
		b.onClose(o.Country.Close)
	}
	return o, nil
}

// trusted returns the ranges, those of IPv4-mapped addresses as IPv4: addresses are compared so.
func trusted(ranges []string) (out []netip.Prefix) {
	for _, r := range ranges {
		if p, err := netip.ParsePrefix(strings.TrimSpace(r)); err == nil { // validated with the configuration
			if p.Addr().Is4In6() && p.Bits() >= 96 {
				p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
			}
			out = append(out, p)
		}
	}
	return out
}
