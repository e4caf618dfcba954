package account

import (
	_ "embed"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	minPassword = 6
	maxPassword = 100
)

// simplePasswords are those that stand at the head of the yearly lists of breached passwords, and what a hand makes of a
// row of keys; words apart by blanks, in lower case.
//
//go:embed simple_passwords.txt
var simplePasswords string

// PasswordFault says what is wrong with a new password, or "".
func PasswordFault(password string) string {
	n := utf8.RuneCountInString(password)
	switch {
	case password == "":
		return "Please choose a password."
	case n < minPassword || n > maxPassword:
		return "A password has 6 to 100 characters."
	case isSimple(password):
		return "This password is on every guesser's list. Please choose another."
	}
	return ""
}

// isSimple reports whether a password is among the first that a guesser tries, in whatever case: one of the list, or one
// or two characters over and over.
func isSimple(password string) bool {
	folded := cases.Fold().String(norm.NFKC.String(password))
	return slices.Contains(strings.Fields(simplePasswords), folded) || distinct(folded) <= 2
}

func distinct(s string) int {
	seen := map[rune]bool{}
	for _, r := range s {
		seen[r] = true
	}
	return len(seen)
}

// isPassword reports whether a text can be somebody's password: what is longer is not worth hashing.
func isPassword(s string) bool { return s != "" && len(s) <= maxPassword*utf8.UTFMax }
