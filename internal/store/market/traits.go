package market

import (
	"strings"

	"pantheon/internal/store/gen"
)

// TraitsText returns the text of a listing's traits column.
func TraitsText(traits []gen.TokenTraitsRow) string {
	var text strings.Builder
	for _, t := range traits {
		text.WriteString(TraitMark + t.Trait + ValueMark + t.Value)
	}
	if len(traits) > 0 {
		text.WriteString(TraitMark)
	}
	return text.String()
}

// TraitsOf parses what traitsText returns.
func TraitsOf(text string) (traits [][2]string) {
	for t := range strings.SplitSeq(text, TraitMark) {
		if name, value, ok := strings.Cut(t, ValueMark); ok {
			traits = append(traits, [2]string{name, value})
		}
	}
	return traits
}

// Delimiters of the names and values in a listing's traits column. They are removed from descriptions.
const (
	TraitMark = "‖"
	ValueMark = "¦"
)
