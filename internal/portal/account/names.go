package account

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	minName = 3
	maxName = 20
	// maxMarks is the maximum number of consecutive combining marks in a name, after composition.
	maxMarks = 2
)

// cleanName trims a name, collapses whitespace to single spaces, and composes it (NFC).
func cleanName(name string) string {
	if !utf8.ValidString(name) {
		return name
	}
	return norm.NFC.String(strings.Join(strings.FieldsFunc(name, isBlank), " "))
}

// isBlank reports whether r is a space separator. Line breaks are not, so that NameFault rejects them.
func isBlank(r rune) bool { return unicode.Is(unicode.Zs, r) }

// NameFault returns what is wrong with a display name, or "".
func NameFault(name string) string {
	n, visible := utf8.RuneCountInString(name), withoutJoiners(name)
	switch {
	case name == "":
		return "Please choose a name."
	case n < minName || n > maxName:
		return "A name has 3 to 20 characters."
	case !isGraphic(visible) || strings.ContainsFunc(visible, isInvisible) || hasPile(visible):
		return "This name has characters that cannot be shown."
	case !isOneWriting(visible) && !isWrittenIn(seenAsLatin(name), unicode.Latin):
		return "Please write your name in one widely used alphabet."
	case !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "A name needs a letter or a digit."
	}
	return ""
}

// isGraphic reports whether every character is printable. It rejects invalid UTF-8 and control characters, some of
// which PostgreSQL cannot store.
func isGraphic(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) })
}

// isInvisible reports whether r counts as graphic but displays nothing (Unicode's Default_Ignorable_Code_Point, and
// the empty Braille pattern), so that different names could look the same, or is the replacement character.
func isInvisible(r rune) bool {
	switch {
	case r == utf8.RuneError, r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x2800, r == 0x3164, r == 0xFFA0,
		r >= 0x180B && r <= 0x180F, r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF:
		return true
	}
	return false
}

const (
	nonJoiner, joiner = '\u200c', '\u200d'
	asText, asEmoji   = '\ufe0e', '\ufe0f' // variation selectors
	keycap            = '\u20e3'
)

// joiners accepts text whose joiners are where scripts need them (RFC 5892, appendix A).
var joiners = idna.New(idna.CheckJoiners(true))

// withoutJoiners returns a name without the joiners and variation selectors that change how it looks: those of emoji sequences (UTS
// #51) and joiners where scripts need them. Others stay; they would make two names of one.
func withoutJoiners(name string) string {
	if !strings.ContainsFunc(name, isJoining) || !utf8.ValidString(name) {
		return name
	}
	var out []rune
	in := []rune(name)
	at := func(i int) rune {
		if i < 0 || i >= len(in) {
			return utf8.RuneError
		}
		return in[i]
	}
	for i, r := range in {
		before, after := at(i-1), at(i+1)
		switch r {
		case asText, asEmoji:
			if isEmoji(before) || after == keycap && strings.ContainsRune("0123456789#*", before) {
				continue
			}
		case joiner:
			if (isEmoji(before) || isSkinTone(before) || before == asEmoji && isEmoji(at(i-2))) && isEmoji(after) {
				continue
			}
		}
		out = append(out, r)
	}
	rest := string(out)
	if _, err := joiners.ToASCII(rest); err != nil {
		return rest
	}
	return strings.Map(func(r rune) rune {
		if r == joiner || r == nonJoiner {
			return -1
		}
		return r
	}, rest)
}

func isJoining(r rune) bool { return r == joiner || r == nonJoiner || r == asText || r == asEmoji }

// isEmoji reports whether r can be part of an emoji sequence.
func isEmoji(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sm) && r != utf8.RuneError || strings.ContainsRune("‼⁉〰ℹ", r)
}

// isSkinTone reports whether r is an emoji modifier.
func isSkinTone(r rune) bool { return 0x1F3FB <= r && r <= 0x1F3FF }

// hasPile reports whether a letter carries so many marks that they overlap the lines above and below.
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

// writings are the script combinations allowed in a name: the scripts in wide use (UAX #31, table 5) and, as in UTS
// #39, section 5.1, the ones that a language mixes. In any other script, too many letters look like those of an
// existing name.
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

// isWrittenIn reports whether all characters belong to the scripts or to no script.
func isWrittenIn(s string, scripts ...*unicode.RangeTable) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.In(r, unicode.Common, unicode.Inherited) && !unicode.In(r, scripts...)
	})
}

// NameKey returns the form in which names are compared, to prevent impersonation: compatibility-normalised and
// case-folded (Unicode, UAX #15 and chapter 3.13), with each character that looks like a Latin letter replaced by it
// (after UTS #39, section 4). "Zeus", "ＺＥＵＳ" and "Zеus" with a Cyrillic е are one name. ASCII characters stay
// distinct, since everybody knows O from 0; so do accents, which are visible. Joiners do not count: not all fonts show them.
func NameKey(name string) string {
	name = strings.Map(func(r rune) rune {
		if isJoining(r) {
			return -1
		}
		return r
	}, strings.TrimSpace(name))
	if seen := seenAsLatin(name); isWrittenIn(seen, unicode.Latin) {
		return cases.Fold().String(seen)
	}
	// Other names compare equal in all cases, although capitals may look like other letters than their small forms:
	// of Ηη the first looks like H, the second like n.
	return seenAsLatin(cases.Fold().String(norm.NFKC.String(name)))
}

// seenAsLatin normalises a text and replaces characters that look like Latin letters by them. It replaces before it
// normalises too, because the normal form turns ϲ into a sigma.
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

// lookAlikes maps characters of the allowed scripts to the Latin letters they look like. A pair covers the capital
// too, unless the capital has a pair of its own.
var lookAlikes = pairs(
	// Cyrillic
	"аa", "вb", "ԁd", "еe", "ҽe", "һh", "нh", "іi", "јj", "кk", "ӏl", "Ӏi", "мm", "оo", "рp", "ԛq", "ѕs", "ꙅs", "сc", "тt", "ѵv",
	"ѡw", "ԝw", "хx", "уy",
	"үy", "ԍg", "ьb", "ёë", "ѐè", "ӗĕ", "їï", "ӑă", "ӓä", "ӧö", "ӯȳ", "ӱÿ", "ӕæ", "әə",
	// Greek
	"αa", "βb", "ϲc", "εe", "ϝf", "ηn", "Ηh", "ιi", "ϳj", "κk", "μm", "ϻm", "νv", "Νn", "οo", "ρp", "τt", "υu", "Υy", "χx", "γy", "ζz", "ωw",
	// Armenian
	"աw", "զq", "հh", "յj", "լl", "ոn", "ռn", "սu", "տs", "օo", "ցg", "քp",
	// Latin of other alphabets, without a visible mark
	"ıi", "ȷj", "ɑa", "ɡg", "ɩi", "ǀl", "ʋv", "ƽs", "ᴀa", "ᴄc", "ᴅd", "ᴇe", "ꜰf", "ᴊj", "ᴋk", "ᴍm", "ᴏo", "ᴘp", "ꞯq", "ᴛt",
	"ᴜu", "ᴠv", "ᴡw", "ᴢz",
	"ꜱs", "ʀr", "ʏy", "ɴn", "ʜh", "ɪi", "ʟl", "ʙb", "ɢg",
	// Signs and digits common to all scripts
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
