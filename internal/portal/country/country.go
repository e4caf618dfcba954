// Package country decides from which countries the portal may be used. A connection's country is the one that a proxy
// reports, or else the one that a list of address ranges gives for its address; neither is stored. If the list has no
// country for the address, the connection is allowed; if the address itself is unknown, it is not.
//
// A Service is safe for concurrent use. Close closes the list's file.
package country

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/oschwald/maxminddb-golang/v2"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/iso3166"
)

// Options configure the forbidden countries and the source of address ranges.
type Options struct {
	Forbidden []string // ISO 3166-1 alpha-2 codes, in capitals
	// Ranges is a file in MaxMind's DB format that has country.iso_code, such as GeoLite2 Country or DB-IP Country
	// Lite; "" for none.
	Ranges string
	// Served are the brand's pages that are served in every country.
	Served []string
}

// Service implements the capability.
type Service struct {
	forbidden map[string]bool
	served    []string
	ranges    *maxminddb.Reader // nil for none
}

// New opens the list of address ranges, if there is one. It fails if the list is unreadable or corrupt.
func New(o Options) (*Service, error) {
	s := &Service{forbidden: make(map[string]bool, len(o.Forbidden)), served: o.Served}
	for _, code := range o.Forbidden {
		s.forbidden[code] = true
	}
	if o.Ranges == "" {
		return s, nil
	}
	ranges, err := maxminddb.Open(o.Ranges)
	if err != nil {
		return nil, fmt.Errorf("country: %w", err)
	}
	if err := check(ranges); err != nil {
		return nil, errors.Join(fmt.Errorf("country: %s: %w", o.Ranges, err), ranges.Close())
	}
	s.ranges = ranges
	return s, nil
}

// check reads the whole list: a corrupt one, or one without countries, would allow everybody.
func check(ranges *maxminddb.Reader) error {
	var code string
	for network := range ranges.Networks() {
		var here string
		if err := network.DecodePath(&here, "country", "iso_code"); err != nil {
			return err
		}
		code = max(code, here)
	}
	if !iso3166.Country(code) {
		return errors.New("it has no countries (country.iso_code)")
	}
	return nil
}

// Close closes the list of address ranges.
func (s *Service) Close() error {
	if s.ranges == nil {
		return nil
	}
	return s.ranges.Close()
}

// Allow returns a fault.Barred for a connection from a forbidden country, and, if there are any, for one that cannot be placed
// because its address is unknown. told is the country that a trusted proxy reports, "" if none; anything but a country code is
// ignored. from is the browser's address, the zero Addr if unknown.
func (s *Service) Allow(told string, from netip.Addr) error {
	switch code := s.Of(told, from); {
	case code == iso3166.Unknown && len(s.forbidden) > 0:
		return fault.New(fault.Barred, "We cannot see which country you are in, and the law does not let us offer this in all.")
	case s.forbidden[code]:
		return fault.New(fault.Barred, "The law does not let us offer this in the country you seem to be in.")
	}
	return nil
}

// Of returns the code of a connection's country: "" if nothing places it, iso3166.Unknown if only its unknown address could. See
// Allow for its arguments.
func (s *Service) Of(told string, from netip.Addr) string {
	if code := strings.ToUpper(strings.TrimSpace(told)); iso3166.Country(code) {
		return code
	}
	if s.ranges == nil {
		return ""
	}
	if !from.IsValid() {
		return iso3166.Unknown
	}
	var code string
	if err := s.ranges.Lookup(from.Unmap().WithZone("")).DecodePath(&code, "country", "iso_code"); err != nil {
		return "" // unreachable: the whole list was read when it was opened
	}
	return code
}
