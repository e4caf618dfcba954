package generator

import (
	"math"
	"strconv"
	"strings"
)

// canvas writes one SVG document. Ids have a prefix that is unique to the document, because
// several documents are inlined on one page.
type canvas struct {
	buf    []byte
	prefix string
	ids    int
	// known maps a definition's markup to its reference, so that equal ones are written once.
	known map[string]string
}

func newCanvas(prefix string) *canvas {
	return &canvas{buf: make([]byte, 0, 24<<10), prefix: prefix, known: map[string]string{}}
}

// ink holds the paint attributes of a path. Zero values are omitted from the markup.
type ink struct {
	fill   string  // paint; none when empty
	stroke string  // paint; none when empty
	w      float64 // stroke width, units
	op     float64 // opacity; 0 means 1
	dash   string  // stroke-dasharray
	butt   bool    // flat line ends instead of round ones
	under  bool    // stroke below fill, so that only its outer half shows
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
	if k.under {
		c.attr("paint-order", "stroke")
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

// group opens a <g>; attributes are name, value pairs. The caller closes it with end.
func (c *canvas) group(attrs ...string) {
	c.raw("<g")
	for i := 0; i+1 < len(attrs); i += 2 {
		c.attr(attrs[i], attrs[i+1])
	}
	c.raw(">")
}

func (c *canvas) end() { c.raw("</g>") }

// place opens a group whose origin is at (x, y), scaled and rotated by degrees.
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

// use repeats the element with the id under a transformation.
func (c *canvas) use(id string, m matrix) {
	c.raw(`<use href="#`, id, `" transform="matrix(`)
	for i, v := range []float64{m.a, m.b, m.c, m.d, m.e, m.f} {
		if i > 0 {
			c.raw(" ")
		}
		digits := 3
		if i > 3 {
			digits = 1
		}
		c.buf = trimmed(c.buf, v, digits)
	}
	c.raw(`)"/>`)
}

// ring repeats a motif n times around a point, the first one rotated by turn (radians). The
// motif is drawn around the origin. Copies are made of copies, one step for each prime
// factor of n, so a long ring costs little more than its motif.
func (c *canvas) ring(n int, cx, cy, turn float64, motif func()) {
	step := 360 / float64(n)
	id := c.newID()
	c.raw(`<defs><g id="`, id, `">`)
	motif()
	c.raw(`</g></defs>`)
	var factors []int
	for f := 2; n > 1; {
		if n%f == 0 {
			factors = append(factors, f)
			n /= f
		} else {
			f++
		}
	}
	for i, f := range factors {
		next := c.newID()
		if i == len(factors)-1 {
			c.place(cx, cy, 1, turn*180/math.Pi)
		} else {
			c.raw(`<defs><g id="`, next, `">`)
		}
		for k := range f {
			c.raw(`<use href="#`, id, `"`)
			if k > 0 {
				c.raw(` transform="rotate(`)
				c.buf = append(trimmed(c.buf, float64(k)*step, 3), `)"`...)
			}
			c.raw("/>")
		}
		c.end()
		if i < len(factors)-1 {
			c.raw(`</defs>`)
		}
		id, step = next, step*float64(f)
	}
}

// stamp repeats a path at several places.
func (c *canvas) stamp(p *path, k ink, at ...point) {
	id := c.newID()
	c.raw(`<defs><path id="`, id, `" d="`)
	c.buf = append(p.appendTo(c.buf), `"/></defs><g`...)
	c.paint(k)
	c.raw(">")
	for _, q := range at {
		c.raw(`<use href="#`, id, `" x="`)
		c.buf = trimmed(c.buf, q.x, 0)
		c.raw(`" y="`)
		c.buf = append(trimmed(c.buf, q.y, 0), `"/>`...)
	}
	c.end()
}

// mirror opens a group that is flipped left to right.
func (c *canvas) mirror() { c.group("transform", "scale(-1 1)") }

func (c *canvas) newID() string {
	c.ids++
	return c.prefix + strconv.FormatInt(int64(c.ids), 36)
}

// define writes a definition once and returns its id. The markup has the placeholder ID
// in place of its id.
func (c *canvas) define(markup string) string {
	if id, ok := c.known[markup]; ok {
		return id
	}
	id := c.newID()
	c.known[markup] = id
	c.raw(strings.Replace(markup, "ID", id, 1))
	return id
}

// clip starts a group that is clipped to the path. The caller closes it.
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

// trimmed appends v with up to digits decimals, without trailing zeros and without the zero
// before the point.
func trimmed(b []byte, v float64, digits int) []byte {
	scale := math.Pow10(digits)
	text := strconv.FormatFloat(math.Round(v*scale+tieBreak)/scale, 'f', -1, 64)
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
