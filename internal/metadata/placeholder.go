package metadata

import (
	"bytes"
	"html/template"
)

var placeholder = template.Must(template.New("").Parse(
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800" width="600" height="800">
<rect width="600" height="800" fill="#1d2430"/>
<rect x="40" y="40" width="520" height="720" rx="24" fill="none" stroke="#3b4658" stroke-width="4"/>
<g fill="#c9d2df" font-family="system-ui,sans-serif" text-anchor="middle">
<text x="300" y="410" font-size="84" font-weight="600">{{.Number}}</text>
<text x="300" y="490" font-size="34">{{.Collection}}</text>
</g>
</svg>
`))

// Placeholder returns the picture, an SVG, of a token whose own is not known: its number and its collection.
func Placeholder(collection, number string) []byte {
	var out bytes.Buffer
	if err := placeholder.Execute(&out, struct{ Collection, Number string }{collection, number}); err != nil {
		panic(err) // of two texts
	}
	return out.Bytes()
}
