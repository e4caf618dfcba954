package account

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	minName = 3
	maxName = 20
	// maxMarks is how many combining marks may follow each other in a name, after composition.
	maxMarks = 2
)

// cleanName takes the blanks around a name away, makes those inside single ones, and composes it (NFC).
func cleanName(name string) string {
	if !utf8.ValidString(name) {
		return name
	}
	return norm.NFC.String(strings.Join(strings.FieldsFunc(name, isBlank), " "))
}

// isBlank tells separators of words; line ends are none, so that NameFault names them.
func isBlank(r rune) bool { return unicode.Is(unicode.Zs, r) }

// NameFault says what is wrong with a display name, or "".
func NameFault(name string) string {
	n := utf8.RuneCountInString(name)
	switch {
	case name == "":
		return "Please choose a name."
	case n < minName || n > maxName:
		return "A name has 3 to 20 characters."
	case !isGraphic(name) || strings.ContainsFunc(name, isInvisible) || hasPile(name):
		return "This name has characters that cannot be shown."
	case !isOneWriting(name) && !isWrittenIn(seenAsLatin(name), unicode.Latin):
		return "Please write your name in one widely used alphabet."
	case !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "A name needs a letter or a digit."
	}
	return ""
}

// isGraphic reports whether every character can be shown. It keeps out broken UTF-8 and control characters, some of
// which PostgreSQL cannot store.
func isGraphic(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) })
}

// isInvisible tells characters that count as graphic and show nothing (Default_Ignorable_Code_Point of Unicode, and the
// empty Braille pattern), by which names could differ and look the same, and what is put in the place of broken text.
func isInvisible(r rune) bool {
	switch {
	case r == utf8.RuneError, r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x2800, r == 0x3164, r == 0xFFA0,
		r >= 0x180B && r <= 0x180F, r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF:
		return true
	}
	return false
}

// hasPile reports whether marks are piled up on a letter, over the lines above and below it.
func hasPile(s string) bool {
	marks := 0
	for _, r := range s {
		if !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Me, r) {
			marks = 0
			continue
		}
		if marks++; marks > maxMarks {
			return true
		}
	}
	return false
}

// writings are the scripts that a name may be written in: those in wide use (UAX #31, table 5), and, as in UTS #39,
// section 5.1, those that one language is written in together. Of any others too many letters look like those of a name
// that somebody has.
var writings = [][]*unicode.RangeTable{
	{unicode.Latin}, {unicode.Arabic}, {unicode.Armenian}, {unicode.Bengali}, {unicode.Cyrillic}, {unicode.Devanagari}, {unicode.Ethiopic},
	{unicode.Georgian}, {unicode.Greek}, {unicode.Gujarati}, {unicode.Gurmukhi}, {unicode.Hebrew}, {unicode.Kannada}, {unicode.Khmer},
	{unicode.Lao}, {unicode.Malayalam}, {unicode.Myanmar}, {unicode.Oriya}, {unicode.Sinhala}, {unicode.Tamil}, {unicode.Telugu},
	{unicode.Thaana}, {unicode.Thai}, {unicode.Tibetan},
	{unicode.Han, unicode.Hiragana, unicode.Katakana}, {unicode.Han, unicode.Hangul}, {unicode.Han, unicode.Bopomofo},
}

func isOneWriting(name string) bool {
	return slices.ContainsFunc(writings, func(scripts []*unicode.RangeTable) bool { return isWrittenIn(name, scripts...) })
}

// isWrittenIn reports whether all characters are of the scripts, or belong to none.
func isWrittenIn(s string, scripts ...*unicode.RangeTable) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.In(r, unicode.Common, unicode.Inherited) && !unicode.In(r, scripts...)
	})
}

// NameKey is the form in which names are compared, so that nobody can pass for somebody else: compatibility-normalised
// and case-folded (Unicode, UAX #15 and chapter 3.13), and each character that looks like a Latin letter taken for that
// (after UTS #39, section 4). "Zeus", "ＺＥＵＳ" and "Zеus" with a Cyrillic е are one name. Characters of ASCII stay apart,
// as everybody knows to tell O from 0; so do accents, which can be seen.
func NameKey(name string) string {
	name = strings.TrimSpace(name)
	if seen := seenAsLatin(name); isWrittenIn(seen, unicode.Latin) {
		return cases.Fold().String(seen)
	}
	// Any other name is one in all its cases, though its capitals may look like other letters than its small ones do: of
	// Ηη the first is like H, the second like n.
	return seenAsLatin(cases.Fold().String(norm.NFKC.String(name)))
}

// seenAsLatin normalises a text and puts Latin letters in the place of what looks like them. It looks at the text as it
// was first: its normal form has a sigma in the place of ϲ.
func seenAsLatin(s string) string {
	see := func(s string) string {
		return strings.Map(func(r rune) rune {
			if latin, ok := lookAlikes[r]; ok {
				return latin
			}
			return r
		}, s)
	}
	return see(norm.NFKC.String(see(s)))
}

// lookAlikes are the characters that are taken for Latin letters, of the writings that a name may have. A pair stands for
// the capital too, unless that has a pair of its own.
var lookAlikes = pairs(
	// Cyrillic
	"аa", "вb", "ԁd", "еe", "ҽe", "һh", "нh", "іi", "јj", "кk", "ӏl", "Ӏi", "мm", "оo", "рp", "ԛq", "ѕs", "ꙅs", "сc", "тt", "ѵv", "ѡw", "ԝw", "хx", "уy",
	"үy", "ԍg", "ьb", "ёë", "ѐè", "ӗĕ", "їï", "ӑă", "ӓä", "ӧö", "ӯȳ", "ӱÿ", "ӕæ", "әə",
	// Greek
	"αa", "βb", "ϲc", "εe", "ϝf", "ηn", "Ηh", "ιi", "ϳj", "κk", "μm", "ϻm", "νv", "Νn", "οo", "ρp", "τt", "υu", "Υy", "χx", "γy", "ζz", "ωw",
	// Armenian
	"աw", "զq", "հh", "յj", "լl", "ոn", "ռn", "սu", "տs", "օo", "ցg", "քp",
	// Latin of other alphabets, without a mark that could be seen
	"ıi", "ȷj", "ɑa", "ɡg", "ɩi", "ǀl", "ʋv", "ƽs", "ᴀa", "ᴄc", "ᴅd", "ᴇe", "ꜰf", "ᴊj", "ᴋk", "ᴍm", "ᴏo", "ᴘp", "ꞯq", "ᴛt", "ᴜu", "ᴠv", "ᴡw", "ᴢz",
	"ꜱs", "ʀr", "ʏy", "ɴn", "ʜh", "ɪi", "ʟl", "ʙb", "ɢg",
	// Signs and digits that go with every script
	"⍺a", "℮e", "⍳i", "∣l", "⏽l", "١l", "٥o", "⍴p", "∪u", "⋃u", "∨v", "⋁v", "×x",
)

func pairs(list ...string) map[rune]rune {
	m := make(map[rune]rune, 2*len(list))
	for _, p := range list {
		of := []rune(p)
		m[of[0]] = of[1]
	}
	for r, latin := range maps.Clone(m) {
		if capital := unicode.ToUpper(r); m[capital] == 0 {
			m[capital] = latin
		}
	}
	return m
}
