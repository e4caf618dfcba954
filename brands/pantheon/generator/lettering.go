package generator

import "strings"

// glyph returns a character of the inscription alphabet: capitals made of straight strokes on
// a grid eight units high, so that a card looks the same with any fonts or none. A glyph lists
// strokes, separated by "|"; a stroke lists points as two digits, x then y. An unknown
// character is empty.
func glyph(ch rune) string {
	switch ch {
	case 'A':
		return "083068|1555"
	case 'B':
		return "08003041433404|3455573808"
	case 'C':
		return "5140200206284857"
	case 'D':
		return "00083856523000"
	case 'E':
		return "40000848|0434"
	case 'F':
		return "400008|0434"
	case 'G':
		return "51402002062848565434"
	case 'H':
		return "0008|5058|0454"
	case 'I':
		return "0008"
	case 'J':
		return "3036281806"
	case 'K':
		return "0008|500458"
	case 'L':
		return "000848"
	case 'M':
		return "0800356068"
	case 'N':
		return "08005850"
	case 'O':
		return "200206284866624020"
	case 'P':
		return "08004051534404"
	case 'Q':
		return "200206284866624020|4568"
	case 'R':
		return "08004051534404|2458"
	case 'S':
		return "514010010314445557481807"
	case 'T':
		return "0060|3038"
	case 'U':
		return "000628385650"
	case 'V':
		return "003860"
	case 'W':
		return "0028426880"
	case 'X':
		return "0058|5008"
	case 'Y':
		return "003460|3438"
	case 'Z':
		return "00500858"
	case '0':
		return "200206283856523020"
	case '1':
		return "022028"
	case '2':
		return "02203052530858"
	case '3':
		return "01104051534424|445557481807"
	case '4':
		return "48400656"
	case '5':
		return "5000043455573808"
	case '6':
		return "50200206283856544304"
	case '7':
		return "005018"
	case '8':
		return "14030210405253441405071848575544"
	case '9':
		return "08385652302002032554"
	case '\'':
		return "0002"
	case '-':
		return "0535"
	case ',':
		return "1809"
	case '.':
		return "0808"
	case '(':
		return "20022628"
	case ')':
		return "00222608"
	case '#':
		return "1018|4048|0353|0555"
	}
	return ""
}

const letterGap, wordGap = 2.6, 4.0

// inscription returns the strokes of a line in capitals, centred on x with its baseline at
// y and its capitals of the given height, no wider than maxWidth: a longer line is made
// smaller. It also returns the height used. Unknown characters are omitted.
func inscription(text string, x, y, height, maxWidth, tracking float64) (*path, float64) {
	var width float64
	p := new(path)
	for _, ch := range strings.ToUpper(text) {
		if ch == ' ' {
			width += wordGap
			continue
		}
		strokes := glyph(ch)
		if strokes == "" {
			continue
		}
		reach := 0.0
		for _, stroke := range strings.Split(strokes, "|") {
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
