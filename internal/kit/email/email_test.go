package email_test

import (
	"strings"
	"testing"

	"pantheon/internal/kit/email"
)

// Spec: ACCOUNT-23
func TestAddresses_OnlyThoseThatCanBeMailedAreNewOnes(t *testing.T) {
	t.Parallel()
	const (
		none, malformed = "Please enter your email.", "This does not look like an email address."
		letters         = "Few mail servers take letters like these before the @. Please use another email address."
		dots            = "Dots stand only between other characters of an email address. Please check it."
		long            = "An email address has at most 64 characters before the @."
	)
	for address, want := range map[string]string{
		"zeus@olympus.example": "", "first.last+tag@sub.olympus.example": "",
		"o'neill_7@olympus.example": "", strings.Repeat("z", 64) + "@olympus.example": "",
		"zeus@bücher.example": "", "zeus@пример.рф": "", "zeus@xn--e1afmkfd.xn--p1ai": "", "zeus@例え。テスト": "", "zeus@Ｏｌｙｍｐｕｓ.example": "",
		"": none, "zeus": malformed, "zeus@olympus": malformed, "zeus@olympus..example": malformed, "zeus@.example": malformed,
		"zeus@-olympus.example": malformed,
		"zeus@бад_.рф":          malformed, "zeus@xn--.example": malformed, "ze us@olympus.example": malformed,
		"zeus@olympus.example\nBcc: all@olympus.example": malformed,
		"zeus@" + strings.Repeat("ü", 250) + ".example":  malformed, "ze\xffus@olympus.example": malformed,
		"zeus@oly\u200bmpus.example": malformed,
		"εστία@olympus.example":      letters, "zoë@bücher.example": letters,
		".zeus@olympus.example": dots, "zeus.@olympus.example": dots, "ze..us@olympus.example": dots,
		strings.Repeat("z", 65) + "@olympus.example": long,
	} {
		if got := email.NewFault(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

// Spec: ACCOUNT-23
func TestAddresses_DomainsAreComparedAsMailServersKnowThem(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		" Zeus@Olympus.Example ": "zeus@olympus.example", "zeus@BÜCHER.example": "zeus@xn--bcher-kva.example",
		"zeus@bu\u0308cher.example":  "zeus@xn--bcher-kva.example",
		"zeus@XN--bcher-kva.example": "zeus@xn--bcher-kva.example", "zeus@пример.рф": "zeus@xn--e1afmkfd.xn--p1ai",
		"zeus@Ｏｌｙｍｐｕｓ。example": "zeus@olympus.example",
		"zeus":                 "zeus", "ÖDIN": "ödin", "ödin@": "ödin@", "": "", "@": "@", "ze\xffus": "ze\ufffdus",
	} {
		if got := email.Key(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}
