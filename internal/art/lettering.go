package art

import "strings"

// The inscription alphabet: capitals cut in straight strokes on a grid eight units high, so
// that a card reads the same with any fonts or none. A glyph lists strokes, parted by "|";
// a stroke lists points as two digits, x then y.
func glyphs() map[rune]string {
	return map[rune]string{
		'A': "083068|1555", 'B': "08003041433404|3455573808", 'C': "5140200206284857",
		'D': "00083856523000", 'E': "40000848|0434", 'F': "400008|0434",
		'G': "51402002062848565434", 'H': "0008|5058|0454", 'I': "0008", 'J': "3036281806",
		'K': "0008|500458", 'L': "000848", 'M': "0800356068", 'N': "08005850",
		'O': "200206284866624020", 'P': "08004051534404", 'Q': "200206284866624020|4568",
		'R': "08004051534404|2458", 'S': "514010010314445557481807", 'T': "0060|3038",
		'U': "000628385650", 'V': "003860", 'W': "0028426880", 'X': "0058|5008",
		'Y': "003460|3438", 'Z': "00500858",
		'0': "200206283856523020", '1': "022028", '2': "02203052530858", '3': "01104051534424|445557481807",
		'4': "48400656", '5': "5000043455573808", '6': "50200206283856544304", '7': "005018",
		'8': "14030210405253441405071848575544", '9': "08385652302002032554",
		'\'': "0002", '-': "0535", ',': "1809", '.': "0808", '(': "20022628", ')': "00222608",
		'#': "1018|4048|0353|0555",
	}
}

const letterGap, wordGap = 2.6, 4.0

// inscription returns the strokes of a line in capitals, centred on x with its baseline at
// y and its capitals of the given height, no wider than maxWidth: a longer line is cut
// smaller. It also returns the height used. Characters that the alphabet lacks are left out.
func inscription(text string, x, y, height, maxWidth, tracking float64) (*path, float64) {
	alphabet := glyphs()
	var width float64
	p := new(path)
	for _, ch := range strings.ToUpper(text) {
		if ch == ' ' {
			width += wordGap
			continue
		}
		glyph := alphabet[ch]
		if glyph == "" {
			continue
		}
		reach := 0.0
		for _, stroke := range strings.Split(glyph, "|") {
			for i := 0; i+1 < len(stroke); i += 2 {
				gx, gy := float64(stroke[i]-'0'), float64(stroke[i+1]-'0')
				reach = max(reach, gx)
				if i == 0 {
					p.M(width+gx, gy)
				} else {
					p.L(width+gx, gy)
				}
			}
		}
		width += reach + letterGap + tracking
	}
	width -= letterGap + tracking
	scale := min(height/8, maxWidth/width)
	return p.mapped(matrix{scale, 0, 0, scale, x - width*scale/2, y - 8*scale}), 8 * scale
}
