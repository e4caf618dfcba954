package generator

import (
	"fmt"

	"pantheon/internal/kit/rarity"
)

// metal is a five-step tonal ramp from deepest shadow to highlight. It is used for all
// materials of a subject.
type metal struct{ deep, dark, mid, light, shine string }

// metalOf returns the material by its name in the catalogue; the zero metal for an unknown name.
func metalOf(name string) metal {
	switch name {
	case "bronze":
		return metal{"#1f130b", "#4f3019", "#935f31", "#d09a58", "#f6dcab"}
	case "iron":
		return metal{"#0d1418", "#27353d", "#526770", "#93a9b0", "#dfe9ea"}
	case "silver":
		return metal{"#131b22", "#374651", "#7c909c", "#bfced5", "#f4fafb"}
	case "gold":
		return metal{"#231604", "#63400b", "#b47f1d", "#ecbe50", "#fff1c2"}
	case "verdigris":
		return metal{"#07191a", "#13433f", "#2d8377", "#6fc7b0", "#d2f5e4"}
	case "obsidian":
		return metal{"#050608", "#131922", "#29333f", "#56667a", "#b9c9da"}
	case "marble":
		return metal{"#1f1f1e", "#56544f", "#9a968c", "#d6d1c4", "#fbf8ee"}
	case "terracotta":
		return metal{"#210d07", "#5b271b", "#a54d30", "#dc875e", "#fad3b1"}
	case "wood":
		return metal{"#170f09", "#3f2a18", "#724e2d", "#ad8150", "#e3c491"}
	case "ivory":
		return metal{"#221b11", "#5e4f37", "#ab976f", "#e0d0a7", "#fdf6dd"}
	}
	return metal{}
}

// The colours shared by all drawings.
const (
	groundTop  = "#12201f" // tinted near-black, slightly green-blue
	groundBase = "#070c0e"
	bone       = "#efe6d2"
	bronzeLine = "#a9794a"
)

// glow is the luminous colour of a piece with a darker and a lighter step.
type glow struct{ soft, base, bright string }

func glowOf(r rarity.Rarity) glow {
	base := colourOf(r)
	return glow{soft: mix(base, groundBase, 0.62), base: base, bright: mix(base, "#ffffff", 0.55)}
}

// mix blends two #rrggbb colours; t = 0 is the first.
func mix(a, b string, t float64) string {
	out := []byte("#000000")
	for i := 1; i < 7; i += 2 {
		va, vb := float64(hexByte(a[i:])), float64(hexByte(b[i:]))
		v := int(va + (vb-va)*t + 0.5)
		out[i], out[i+1] = hexDigits[v>>4], hexDigits[v&15]
	}
	return string(out)
}

const hexDigits = "0123456789abcdef"

func hexByte(s string) int { return hexDigit(s[0])<<4 | hexDigit(s[1]) }

func hexDigit(ch byte) int {
	if ch >= 'a' {
		return int(ch-'a') + 10
	}
	return int(ch - '0')
}

// faded is a gradient stop of a colour with an opacity from 0 to 1.
func faded(colour string, opacity float64) string { return fmt.Sprintf("%s/%.2g", colour, opacity) }
