package account

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Reserved are the names that players cannot choose, because others would take them for the operator.
type Reserved struct {
	within []reservedWord // no name contains one
	words  []reservedWord // no name has one as a word
	whole  []reservedWord // no name is one
}

// reservedWord is a word as it is shown and as it is compared.
type reservedWord struct{ text, key string }

// NewReserved returns the reserved names: words of those who run a site, the names of the brand and its games, and the names of its
// collections. The latter are reserved as a whole only.
func NewReserved(brand, collections []string) Reserved {
	return Reserved{
		within: reservedWords(slices.Concat([]string{"official", "support", "admin", "moderator", "helpdesk", "customer service"}, brand)),
		words:  reservedWords([]string{"mod", "mods", "staff", "system", "security", "root"}),
		whole:  reservedWords(collections),
	}
}

func reservedWords(texts []string) (words []reservedWord) {
	for _, text := range texts {
		if key := roughly(text); key != "" {
			words = append(words, reservedWord{text, key})
		}
	}
	return words
}

var (
	// idLike matches an id of the game platforms, 64 bits in hex, and what looks as long.
	idLike = regexp.MustCompile(`^[0-9a-f]{12,}$`)
	// addressLike matches the beginning of a wallet's address.
	addressLike = regexp.MustCompile(`^0x[0-9a-f]{3}`)
	// emailLike matches an email address.
	emailLike = regexp.MustCompile(`[^ ]@[^ ]`)
	// keyLike matches the prefixes by which operators name players; see Find.
	keyLike = regexp.MustCompile(`^(id|email|name) *:`)

	separators = strings.NewReplacer(" ", "", "-", "", "_", "", ".", "", "'", "", ":", "")
	// digitLike replaces letters by the digits they look like.
	digitLike = strings.NewReplacer("o", "0", "i", "1", "l", "1")
)

// taken returns what is wrong with a name that others could take for somebody or something else, or "".
func (r Reserved) taken(name string) string {
	seen := NameKey(name)
	joined := separators.Replace(seen)
	isID := idLike.MatchString(joined) || len(joined)-len(strings.Map(dropDigit, joined)) >= 2 && idLike.MatchString(digitLike.Replace(joined))
	if isID || addressLike.MatchString(joined) || emailLike.MatchString(seen) || keyLike.MatchString(seen) {
		return "This name looks like a player's id, an email or a wallet address. Please choose another."
	}
	all := roughly(name)
	words := wordsOf(name)
	for _, w := range r.within {
		if strings.Contains(all, w.key) {
			return w.fault()
		}
	}
	for _, w := range r.words {
		if all == w.key || slices.Contains(words, w.key) {
			return w.fault()
		}
	}
	for _, w := range r.whole {
		if singular(all) == singular(w.key) {
			return w.fault()
		}
	}
	return ""
}

// Fault returns what is wrong with a name that a player chooses, or "".
func (r Reserved) Fault(name string) string {
	if m := NameFault(name); m != "" {
		return m
	}
	return r.taken(name)
}

// known returns the texts that add nothing to a password: the reserved ones and those of its player.
func (r Reserved) known(own ...string) []string {
	for _, w := range slices.Concat(r.within, r.whole) {
		own = append(own, w.text)
	}
	return own
}

func (w reservedWord) fault() string {
	return fmt.Sprintf("Others could take this name for ours. Please choose one without %q.", w.text)
}

func dropDigit(r rune) rune {
	if '0' <= r && r <= '9' {
		return -1
	}
	return r
}

func singular(key string) string { return strings.TrimSuffix(strings.TrimPrefix(key, "the"), "s") }

// roughly returns a loose skeleton of a name: lower-case letters without marks and separators, digits and signs replaced by the
// letters they stand for, and i for its look-alikes. Different names may have the same skeleton, so it is no unique key.
func roughly(name string) string {
	plain := strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case strings.ContainsRune("l1|!", r):
			return 'i'
		case strings.ContainsRune(written, r):
			return rune(meant[strings.IndexRune(written, r)])
		case unicode.IsLetter(r):
			return r
		}
		return -1
	}, norm.NFD.String(seenAsLatin(name)))
	return strings.NewReplacer("rn", "m", "vv", "w").Replace(plain)
}

// The characters of written stand for the letters of meant at the same position.
const written, meant = "034@5$789", "oeaasstbg"

// wordsOf returns the words of a name, roughly: what separators and capitals part, with and without the digits around it.
func wordsOf(name string) (words []string) {
	var parted strings.Builder
	before := ' '
	for _, r := range seenAsLatin(name) {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			parted.WriteByte(' ')
		}
		parted.WriteRune(r)
		before = r
	}
	isSeparator := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(written+"|!", r)
	}
	for _, word := range strings.FieldsFunc(parted.String(), isSeparator) {
		words = append(words, roughly(word), roughly(strings.TrimFunc(word, unicode.IsDigit)))
	}
	return words
}
