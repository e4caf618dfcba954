package account

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
)

const (
	minName     = 3
	maxName     = 20
	minPassword = 6
	maxPassword = 100
)

// Registration is what a new player tells.
type Registration struct {
	Email       string
	DisplayName string // 3 to 20 characters
	Password    string // 6 to 100 characters
}

// clean returns the registration with surrounding blanks gone and the name in NFC, or an Invalid fault that lists every broken rule.
func (r Registration) clean() (Registration, error) {
	r.Email = strings.TrimSpace(r.Email)
	r.DisplayName = norm.NFC.String(strings.TrimSpace(r.DisplayName))
	var faults []fault.Field
	if m := EmailFault(r.Email); m != "" {
		faults = append(faults, fault.Field{Location: "body.email", Message: m})
	}
	if m := NameFault(r.DisplayName); m != "" {
		faults = append(faults, fault.Field{Location: "body.displayName", Message: m})
	}
	if m := PasswordFault(r.Password); m != "" {
		faults = append(faults, fault.Field{Location: "body.password", Message: m})
	}
	if len(faults) > 0 {
		return r, fault.InvalidFields("Please check what you entered.", faults...)
	}
	return r, nil
}

// EmailFault says what is wrong with an e-mail address, or "".
func EmailFault(address string) string { return email.Fault(address) }

// NameFault says what is wrong with a display name, or "".
func NameFault(name string) string {
	n := utf8.RuneCountInString(name)
	switch {
	case name == "":
		return "Please choose a name."
	case n < minName || n > maxName:
		return "A name has 3 to 20 characters."
	case !isGraphic(name):
		return "This name has characters that cannot be shown."
	}
	return ""
}

// isGraphic reports whether every character can be shown. It keeps out broken UTF-8 and control characters, some of
// which PostgreSQL cannot store.
func isGraphic(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) })
}

// PasswordFault says what is wrong with a password, or "".
func PasswordFault(password string) string {
	n := utf8.RuneCountInString(password)
	switch {
	case password == "":
		return "Please choose a password."
	case n < minPassword || n > maxPassword:
		return "A password has 6 to 100 characters."
	}
	return ""
}

// EmailKey is the form in which addresses are compared: two spellings of one key are one account.
func EmailKey(address string) string { return email.Key(address) }

// NameKey is the form in which names are compared: compatibility-normalised and case-folded (Unicode, UAX #15 and
// chapter 3.13), so that "Zeus" and "ＺＥＵＳ" are one name.
func NameKey(name string) string {
	return cases.Fold().String(norm.NFKC.String(strings.TrimSpace(name)))
}
