package account

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trustelem/zxcvbn"
	"golang.org/x/text/unicode/norm"
)

const (
	minPassword = 8 // of new ones
	maxPassword = 100
	// minStrength is the minimum strength of a new password by zxcvbn, 0 to 4: a million guesses, for which the limits of attempts
	// leave no time.
	minStrength = 2
	// scored is how many characters of a password are scored. The cost of scoring is quadratic.
	scored = 40
)

// leaked are passwords at the top of recent lists of breaches that the library's lists do not have.
var leaked = []string{"dubsmash", "login123", "x4ivygab", "yuantuo2012", "zag12wsx"}

// PasswordFault returns what is wrong with a new password, or "". own are texts that others know of the player, such as name and
// email; they add nothing to a password's strength.
func PasswordFault(password string, own ...string) string {
	n := utf8.RuneCountInString(password)
	switch {
	case password == "":
		return "Please choose a password."
	case n < minPassword || n > maxPassword:
		return "A new password has 8 to 100 characters."
	case strength(password, own) < minStrength:
		return "This password is easy to guess. Try three unrelated words, and leave out your name and email."
	}
	return ""
}

// strength returns the strength of a password by zxcvbn, 0 to 4.
func strength(password string, own []string) int {
	known := slices.Clone(leaked)
	for _, text := range own {
		words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for _, part := range slices.Concat([]string{text}, strings.Split(text, "@"), words) {
			known = append(known, spelled(strings.ToLower(part)))
		}
	}
	return zxcvbn.PasswordStrength(spelled(password), known).Score
}

// spelled returns the scored characters of a text in ASCII, as the library counts bytes. Other characters become control characters,
// alike ones the same and neighbours neighbours, so that repetitions and sequences are still seen.
func spelled(text string) string {
	characters := []rune(norm.NFKC.String(text))
	characters = characters[:min(len(characters), scored)]
	for i, r := range characters {
		if r > unicode.MaxASCII {
			characters[i] = 1 + unicode.ToLower(r)%31
		}
	}
	return string(characters)
}

// isPassword reports whether a text can be a password; longer texts are not worth hashing.
func isPassword(s string) bool { return s != "" && len(s) <= maxPassword*utf8.UTFMax }
