package market

import (
	"slices"
	"strings"
	"unicode"
)

// maxWord is the maximum length of a word, in bytes. PostgreSQL refuses to index words of more than 2,046.
const maxWord = 64

// SearchWords returns the words of a text as searches compare them: sequences of letters and digits in lower case, at
// most 64 bytes of each, without repetitions.
func SearchWords(text string) (words []string) {
	separator := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), separator) {
		if len(w) > maxWord {
			w = strings.ToValidUTF8(w[:maxWord], "")
		}
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}
