package art

import (
	"math"
	"strconv"
	"strings"
)

// canvas writes one SVG document. Ids carry a prefix that is unique to the document, since
// several documents are inlined on one page.
type canvas struct {
	buf    []byte
	prefix string
	ids    int
	// known maps a definition's markup to its reference, so equal ones are written once.
	known  map[string]string
	motion Motion
}

func newCanvas(prefix string) *canvas {
	return &canvas{buf: make([]byte, 0, 24<<10), prefix: prefix, known: map[string]string{}}
}

// ink says how a path is painted. Zero values are left out of the markup.
type ink struct {
	fill   string  // paint; none when empty
	stroke string  // paint; none when empty
	w      float64 // stroke width, units
	op     float64 // opacity; 0 means 1
	dash   string  // stroke-dasharray
	butt   bool    // flat line ends instead of round ones
}

func (c *canvas) raw(parts ...string) {
	for _, s := range parts {
		c.buf = append(c.buf, s...)
	}
}

func (c *canvas) attr(name, value string) { c.raw(" ", name, `="`, value, `"`) }

func (c *canvas) num(name string, v float64) {
	c.raw(" ", name, `="`)
	c.buf = append(trimmed(c.buf, v, 2), '"')
}

func (c *canvas) paint(k ink) {
	if k.fill != "" {
		c.attr("fill", k.fill)
	}
	if k.stroke != "" {
		c.attr("stroke", k.stroke)
		c.num("stroke-width", k.w)
	}
	if k.op != 0 {
		c.num("opacity", k.op)
	}
	if k.dash != "" {
		c.attr("stroke-dasharray", k.dash)
	}
	if k.butt {
		c.attr("stroke-linecap", "butt")
	}
}

// draw paints a path.
func (c *canvas) draw(p *path, k ink) {
	c.raw(`<path d="`)
	c.buf = append(p.appendTo(c.buf), '"')
	c.paint(k)
	c.raw("/>")
}

func (c *canvas) circle(x, y, r float64, k ink) {
	c.raw("<circle")
	if x != 0 {
		c.num("cx", x)
	}
	if y != 0 {
		c.num("cy", y)
	}
	c.num("r", r)
	c.paint(k)
	c.raw("/>")
}

// group opens a <g>; attributes come as name, value pairs. The caller ends it with end.
func (c *canvas) group(attrs ...string) {
	c.raw("<g")
	for i := 0; i+1 < len(attrs); i += 2 {
		c.attr(attrs[i], attrs[i+1])
	}
	c.raw(">")
}

func (c *canvas) end() { c.raw("</g>") }

// place opens a group whose origin is at (x, y), scaled and turned by degrees.
func (c *canvas) place(x, y, scale, degrees float64) {
	t := append([]byte(nil), "translate("...)
	t = append(trimmed(t, x, 1), ' ')
	t = append(trimmed(t, y, 1), ')')
	if degrees != 0 {
		t = append(trimmed(append(t, "rotate("...), degrees, 1), ')')
	}
	if scale != 1 {
		t = append(trimmed(append(t, "scale("...), scale, 3), ')')
	}
	c.group("transform", string(t))
}

// mirror opens a group that is flipped left to right.
func (c *canvas) mirror() { c.group("transform", "scale(-1 1)") }

func (c *canvas) newID() string {
	c.ids++
	return c.prefix + strconv.FormatInt(int64(c.ids), 36)
}

// define writes a definition once and returns its id. The markup has the placeholder ID
// where its id belongs.
func (c *canvas) define(markup string) string {
	if id, ok := c.known[markup]; ok {
		return id
	}
	id := c.newID()
	c.known[markup] = id
	c.raw(strings.Replace(markup, "ID", id, 1))
	return id
}

// clip starts a group that shows only what is inside the path. The caller ends it.
func (c *canvas) clip(p *path) {
	d := string(p.appendTo(nil))
	id := c.define(`<clipPath id="ID"><path d="` + d + `"/></clipPath>`)
	c.group("clip-path", "url(#"+id+")")
}

// linear is a gradient paint between two points; stops are evenly spaced colours.
func (c *canvas) linear(x1, y1, x2, y2 float64, stops ...string) string {
	b := []byte(`<linearGradient id="ID" gradientUnits="userSpaceOnUse" x1="`)
	for i, v := range []float64{x1, y1, x2, y2} {
		if i > 0 {
			b = append(b, `" `...)
			b = append(b, [4]string{"", "y1", "x2", "y2"}[i]...)
			b = append(b, `="`...)
		}
		b = trimmed(b, v, 1)
	}
	b = append(b, `">`...)
	return "url(#" + c.define(string(appendStops(b, stops))+"</linearGradient>") + ")"
}

// radial is a gradient paint around a point.
func (c *canvas) radial(x, y, r float64, stops ...string) string {
	b := []byte(`<radialGradient id="ID" gradientUnits="userSpaceOnUse" cx="`)
	b = append(trimmed(b, x, 1), `" cy="`...)
	b = append(trimmed(b, y, 1), `" r="`...)
	b = append(trimmed(b, r, 1), `">`...)
	return "url(#" + c.define(string(appendStops(b, stops))+"</radialGradient>") + ")"
}

// appendStops writes evenly spaced stops. A stop is "#rrggbb" or "#rrggbb/opacity".
func appendStops(b []byte, stops []string) []byte {
	for i, s := range stops {
		colour, opacity, translucent := strings.Cut(s, "/")
		b = append(b, "<stop"...)
		if i > 0 {
			b = append(b, ` offset="`...)
			b = append(trimmed(b, float64(i)/float64(len(stops)-1), 2), '"')
		}
		b = append(append(append(b, ` stop-color="`...), colour...), '"')
		if translucent {
			b = append(append(append(b, ` stop-opacity="`...), opacity...), '"')
		}
		b = append(b, "/>"...)
	}
	return b
}

// trimmed writes v with up to digits decimals, without trailing zeros and without the zero
// before the point.
func trimmed(b []byte, v float64, digits int) []byte {
	scale := math.Pow10(digits)
	text := strconv.FormatFloat(math.Round(v*scale)/scale, 'f', -1, 64)
	switch {
	case text == "-0":
		text = "0"
	case strings.HasPrefix(text, "0."):
		text = text[1:]
	case strings.HasPrefix(text, "-0."):
		text = "-" + text[2:]
	}
	return append(b, text...)
}
