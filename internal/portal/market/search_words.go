package market

import (
	"slices"
	"strings"
	"unicode"
)

// maxWord is the maximum length of a word, in bytes. PostgreSQL's limit for a lexeme is 2,046.
const maxWord = 64

// maxSearchWords is the maximum number of words in a search; further ones are ignored.
const maxSearchWords = 10

// Words returns the words of the query's text.
func (q Query) Words() []string {
	words := SearchWords(q.Text)
	return words[:min(len(words), maxSearchWords)]
}

// SearchWords splits a text into the words of full-text search: runs of letters and digits, in lower case, truncated to
// maxWord, without duplicates.
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
