package account

import (
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

// NameKey is the form in which names are compared, so that nobody can pass for somebody else: compatibility-normalised
// and case-folded (Unicode, UAX #15 and chapter 3.13), then each letter of another script that looks like a Latin one
// taken for that (after UTS #39, section 4). "Zeus", "ＺＥＵＳ" and "Zеus" with a Cyrillic е are one name. Characters of
// ASCII stay apart, as everybody knows to tell O from 0; so do accents, which can be seen.
func NameKey(name string) string {
	folded := cases.Fold().String(norm.NFKC.String(strings.TrimSpace(name)))
	return strings.Map(func(r rune) rune {
		if latin, ok := lookAlikes[r]; ok {
			return latin
		}
		return r
	}, folded)
}

// lookAlikes are the lower-case letters, or ones whose capital looks alike, that are taken for Latin ones.
var lookAlikes = pairs(
	// Cyrillic
	"аa", "вb", "ԁd", "еe", "һh", "нh", "іi", "јj", "кk", "ӏl", "мm", "оo", "рp", "ԛq", "ѕs", "сc", "тt", "ѵv", "ԝw", "хx", "уy", "үy", "ԍg", "ьb",
	// Greek
	"αa", "βb", "ϲc", "εe", "ηn", "ιi", "κk", "μm", "νv", "οo", "ρp", "τt", "υu", "χx", "γy", "ζz", "ωw",
	// Armenian, Cherokee's small forms left out: they fold to capitals
	"աw", "զq", "հh", "ոn", "սu", "օo", "ցg", "քp",
	// Latin of other alphabets, without a mark that could be seen
	"ıi", "ȷj", "ɑa", "ɡg", "ɩi", "ʋv", "ƽs", "ᴀa", "ᴄc", "ᴇe", "ᴋk", "ᴍm", "ᴏo", "ᴛt", "ᴜu", "ᴠv", "ᴡw", "ᴢz", "ꜱs", "ʀr", "ʏy", "ɴn", "ʜh", "ɪi", "ʟl", "ʙb", "ɢg",
)

func pairs(list ...string) map[rune]rune {
	m := make(map[rune]rune, len(list))
	for _, p := range list {
		of := []rune(p)
		m[of[0]] = of[1]
	}
	return m
}
