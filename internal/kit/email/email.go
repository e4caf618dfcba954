// Package email validates and compares email addresses that people type.
package email

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

const (
	maxLength = 254 // RFC 5321, section 4.5.3.1.3, less the angle brackets
	maxLocal  = 64  // RFC 5321, section 4.5.3.1.1
)

// pattern requires a local part, @, and a domain whose top level has at least 2 letters or is internationalized.
var pattern = regexp.MustCompile(
	`^[^\s@<>()\[\],;:\\"]+@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+([A-Za-z]{2,}|(?i:xn--[a-z0-9-]*[a-z0-9]))$`)

// Clean returns an address without surrounding space and with its domain as mail servers know it: internationalized names (RFC 5890)
// as A-labels.
func Clean(address string) string {
	address = strings.TrimSpace(address)
	at := strings.LastIndexByte(address, '@')
	if at < 0 || isASCII(address[at+1:]) || !utf8.ValidString(address) {
		return address
	}
	domain, err := idna.Lookup.ToASCII(address[at+1:])
	if err != nil {
		return address
	}
	return address[:at+1] + domain
}

// Fault describes what is wrong with an address, for the person who typed it; "" if it is valid.
func Fault(address string) string {
	clean := Clean(address)
	switch {
	case address == "":
		return "Please enter your email."
	case len(clean) > maxLength || !isGraphic(address) || !pattern.MatchString(clean):
		return "This does not look like an email address."
	}
	return ""
}

// NewFault is like Fault, for addresses to which email is to be sent: the local part must be one that all mail servers take (RFC
// 5321, section 4.1.2), since few take others (SMTPUTF8).
func NewFault(address string) string {
	if m := Fault(address); m != "" {
		return m
	}
	local := address[:strings.LastIndexByte(address, '@')]
	switch {
	case !isASCII(local):
		return "Few mail servers take letters like these before the @. Please use another email address."
	case len(local) > maxLocal:
		return "An email address has at most 64 characters before the @."
	case strings.HasPrefix(local, ".") || strings.HasSuffix(local, ".") || strings.Contains(local, ".."):
		return "Dots stand only between other characters of an email address. Please check it."
	}
	return ""
}

// Key returns the form in which addresses are compared: spellings with the same key are the same address.
func Key(address string) string { return strings.ToLower(Clean(address)) }

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

func isGraphic(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) || r == utf8.RuneError })
}
