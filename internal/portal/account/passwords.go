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

// simplePasswords are the most frequent passwords in the yearly lists of breached passwords, and keyboard patterns;
// separated by whitespace, in lower case.
//
//go:embed simple_passwords.txt
var simplePasswords string

// PasswordFault returns what is wrong with a new password, or "".
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

// isSimple reports whether a password is one of the first that an attacker tries, in any case: one of the list, or a
// repetition of one or two characters.
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

// isPassword reports whether a text can be a password; longer texts are not worth hashing.
func isPassword(s string) bool { return s != "" && len(s) <= maxPassword*utf8.UTFMax }
