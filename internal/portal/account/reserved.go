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
	edges  []reservedWord // no word of a name begins or ends with one
	words  []reservedWord // no name has one as a word
	whole  []reservedWord // no name is one
}

// reservedWord is a word as it is shown and as it is compared.
type reservedWord struct{ text, key string }

// ordinary are words that begin or end with a reserved one and mislead nobody.
var ordinary = []string{roughly("supporter"), roughly("supporters"), roughly("supportive"), roughly("unofficial")}

// NewReserved returns the reserved names: words of those who run a site, the names of the brand and its games, and the names of its
// collections. The latter are reserved as a whole only.
func NewReserved(brand, collections []string) Reserved {
	return Reserved{
		within: reservedWords(brand),
		edges:  reservedWords([]string{"official", "support", "admin", "moderator", "helpdesk", "customer service"}),
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
	// digitLike replaces letters by the digits they are confused with.
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
	for _, w := range r.edges {
		if words.haveAtEdge(w.key) {
			return w.fault()
		}
	}
	for _, w := range r.words {
		if all == w.key || slices.Contains(words.plain, w.key) || slices.Contains(words.written, w.key) {
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
	for _, w := range slices.Concat(r.within, r.edges, r.whole) {
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

// written and meant are a substitution table: each digit or sign in written stands for the letter at its position in meant.
const written, meant = "034@5$789", "oeaasstbg"

// nameWords are the words of a name, roughly: what separators and capitals part.
type nameWords struct {
	plain   []string // without the digits around each
	written []string // the words before substitution
	mixed   []string // those of written with a digit between letters
}

func wordsOf(name string) (words nameWords) {
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
	isNoLetter := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	for _, word := range strings.FieldsFunc(parted.String(), isSeparator) {
		plain := strings.TrimFunc(word, unicode.IsDigit)
		words.plain = append(words.plain, roughly(plain))
		words.written = append(words.written, roughly(word))
		if strings.ContainsFunc(plain, isNoLetter) {
			words.mixed = append(words.mixed, roughly(word))
		}
	}
	return words
}

// haveAtEdge reports whether a word begins or ends with the key, also one that is written apart: ordinary words may contain it, as
// "badminton" does. No ordinary word has digits within.
func (n nameWords) haveAtEdge(key string) bool {
	if slices.ContainsFunc(n.mixed, func(word string) bool { return strings.Contains(word, key) }) {
		return true
	}
	return edgeOf(n.plain, key) || edgeOf(n.written, key)
}

func edgeOf(words []string, key string) bool {
	joined, edges := "", map[int]bool{0: true}
	for _, word := range words {
		if !slices.Contains(ordinary, word) {
			joined += word
			edges[len(joined)] = true
		}
	}
	for at := 0; ; at++ {
		next := strings.Index(joined[at:], key)
		if next < 0 {
			return false
		}
		if at += next; edges[at] || edges[at+len(key)] {
			return true
		}
	}
}
