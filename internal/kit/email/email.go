// Package email validates and compares email addresses that people type.
package email

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxLength = 254 // RFC 5321, section 4.5.3.1.3, less the angle brackets

// pattern requires a local part, @, and a domain whose top level has at least 2 letters.
var pattern = regexp.MustCompile(`^[^\s@<>()\[\],;:\\"]+@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$`)

// Fault describes what is wrong with an address, for the person who typed it; "" if it is valid.
func Fault(address string) string {
	switch {
	case address == "":
		return "Please enter your email."
	case len(address) > maxLength || !isGraphic(address) || !pattern.MatchString(address):
		return "This does not look like an email address."
	}
	return ""
}

// Key returns the form in which addresses are compared: spellings with the same key are the same address.
func Key(address string) string { return strings.ToLower(strings.TrimSpace(address)) }

func isGraphic(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) || r == utf8.RuneError })
}
