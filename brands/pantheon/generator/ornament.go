package generator

import (
	"math"

	"pantheon/internal/kit/rarity"
)

// hatching is a set of parallel engraved lines that are thick at one side of a region and taper
// off towards the other.
type hatching struct {
	angle  float64 // direction in which the lines taper, degrees; 0 points right
	gap    float64 // distance between lines, units
	w      float64 // width at the thick end, units
	reach  float64 // length as a fraction of the region's extent, 0–1
	colour string
	op     float64
}

// The bank is one block of hatching, 100 units long with lines 10 units apart, that every
// shaded region of a piece scales to its own size: a separate block for each would double
// the size of the document.
const (
	bankLength = 100.0
	bankGap    = 10.0
	bankLines  = 36
)

// bank returns the id of the block with lines of the given width, in tenths of the gap.
func (c *card) bank(w int) string {
	if id := c.banks[w]; id != "" {
		return id
	}
	d := newDice("hatching", "", "")
	lines := new(path)
	half := float64(w) / 20 * bankGap
	for i := range bankLines {
		v := (float64(i) + 0.5) * bankGap
		lines.M(0, v-half).L(math.Round(bankLength*d.between(0.84, 1.08)), v).L(0, v+half)
	}
	id := c.newID()
	c.raw(`<defs><path id="`, id, `" d="`)
	c.buf = append(lines.appendTo(c.buf), `"/></defs>`...)
	c.banks[w] = id
	return id
}

// hatch shades a region.
func (c *card) hatch(region *path, h hatching) {
	s, co := math.Sincos(h.angle * math.Pi / 180)
	x0, y0, x1, y1 := region.bounds()
	umin, umax, vmin, vmax := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, q := range [4]point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} {
		u, v := q.x*co+q.y*s, -q.x*s+q.y*co
		umin, umax, vmin, vmax = min(umin, u), max(umax, u), min(vmin, v), max(vmax, v)
	}
	id := c.bank(int(math.Round(h.w / h.gap * 10)))
	sx, sy := (umax-umin)*h.reach/bankLength, h.gap/bankGap
	c.clip(region)
	c.group("fill", h.colour)
	if h.op != 0 {
		c.buf = c.buf[:len(c.buf)-1]
		c.num("opacity", h.op)
		c.raw(">")
	}
	for v := vmin; v < vmax; v += bankLines * h.gap {
		c.use(id, matrix{sx * co, sx * s, -sy * s, sy * co, umin*co - v*s, umin*s + v*co})
	}
	c.end()
	c.end()
}

// burst draws n tapered rays around a point, every other one shorter. n is even.
func (c *card) burst(cx, cy, r0, r1, r2, w float64, n int, turn float64, k ink) {
	c.ring(n/2, cx, cy, turn, func() {
		c.draw(rays(0, 0, r0, r1, r2, w, n, 0).first(2), k)
	})
}

// rays is a burst of n tapered lines from radius r0; every other one is shorter.
func rays(cx, cy, r0, r1, r2, w float64, n int, turn float64) *path {
	p := new(path)
	for i := range n {
		a := turn + 2*math.Pi*float64(i)/float64(n)
		s, c := math.Sincos(a)
		end := r1
		if i%2 == 1 {
			end = r2
		}
		ox, oy := -s*w/2, c*w/2
		p.M(cx+r0*c+ox, cy+r0*s+oy).L(cx+end*c, cy+end*s).L(cx+r0*c-ox, cy+r0*s-oy).Z()
	}
	return p
}

// spark is a four-pointed star with concave sides.
func spark(x, y, r float64) *path {
	k := r * 0.12
	return newPath(x, y-r).Q(x+k, y-k, x+r, y).Q(x+k, y+k, x, y+r).Q(x-k, y+k, x-r, y).Q(x-k, y-k, x, y-r).Z()
}

// meander is a run of n Greek keys from (x, y) to the right; unit is a fifth of one key's
// pitch.
func meander(x, y, unit float64, n int) *path {
	p := new(path)
	for i := range n {
		ox := x + float64(i)*5*unit
		p.M(ox, y+4*unit).lines(ox, y, ox+4*unit, y, ox+4*unit, y+2.9*unit, ox+2*unit, y+2.9*unit, ox+2*unit, y+1.6*unit)
		p.M(ox, y+4*unit).L(ox+5*unit, y+4*unit)
	}
	return p
}

// sign is the shape of a rarity around a point.
func sign(r rarity.Rarity, x, y, size float64) *path {
	switch r.Rank() {
	case 1:
		return regular(x, y+size*0.12, size*1.08, 3, -math.Pi/2)
	case 2:
		return regular(x, y, size*1.05, 4, -math.Pi/2)
	case 3:
		return regular(x, y, size, 5, -math.Pi/2)
	case 4:
		return starry(x, y, size*1.15, size*0.62, 8, -math.Pi/2)
	case 5:
		return new(path).circle(x, y, size*0.55).add(rays(x, y, size*0.72, size*1.35, size*1.05, size*0.3, 16, -math.Pi/2))
	default:
		return new(path).circle(x, y, size*0.8)
	}
}

// ground draws the dark tinted background, the glow behind the subject and the stars.
func (c *card) ground() {
	c.draw(rect(0, 0, 600, 800), ink{fill: c.linear(0, 0, 0, 800, c.tint, groundBase, groundBase)})
	c.draw(rect(0, 0, 600, 800), ink{fill: c.radial(300, 345, 400,
		faded(c.g.base, 0.30), faded(c.g.base, 0.09), faded(c.g.base, 0))})
	dust := new(path)
	for range 40 {
		x, y := math.Round(c.d.between(40, 560)), math.Round(c.d.between(70, 660))
		dust.M(x, y).L(x, y)
	}
	c.draw(dust, ink{stroke: bone, w: 1.6, op: 0.4})
}

// chart draws the astronomical ornament behind the subject.
func (c *card) chart() {
	line := ink{stroke: bronzeLine, w: 1.5, op: 0.55}
	const cx, cy = 300, 345
	turn := c.d.between(0, math.Pi)
	switch c.d.intn(6) {
	case 0: // graduated circles
		c.circle(cx, cy, 236, line)
		c.circle(cx, cy, 250, ink{stroke: bronzeLine, w: 12, op: 0.5, dash: "1.5 14.2", butt: true})
		c.circle(cx, cy, 264, line)
		c.circle(cx, cy, 170, ink{stroke: bronzeLine, w: 1.5, op: 0.5, dash: "2 7"})
	case 1: // orbits
		p := new(path)
		for i := range 3 {
			p.add(new(path).ellipse(0, 0, 262, 120).mapped(placed(cx, cy, 1, turn+float64(i)*math.Pi/3)))
		}
		c.draw(p, line)
		c.circle(cx, cy, 264, ink{stroke: bronzeLine, w: 8, op: 0.5, dash: "1.5 9", butt: true})
	case 2: // star polygon
		p := new(path).circle(cx, cy, 262)
		n := c.d.intn(3) + 7
		for i := range n {
			a, b := turn+2*math.Pi*float64(i)/float64(n), turn+2*math.Pi*float64(i+3)/float64(n)
			p.M(cx+262*math.Cos(a), cy+262*math.Sin(a)).L(cx+262*math.Cos(b), cy+262*math.Sin(b))
		}
		c.draw(p, line)
	case 3: // sunburst
		c.burst(cx, cy, 176, 330, 276, 3.4, 72, turn, ink{fill: bronzeLine, op: 0.6})
		c.circle(cx, cy, 164, line)
	case 4: // celestial globe
		p := new(path).circle(cx, cy, 258)
		for _, rx := range []float64{90, 180} {
			p.add(new(path).ellipse(0, 0, rx, 258).mapped(placed(cx, cy, 1, turn-math.Pi/2)))
		}
		for _, k := range []float64{-0.55, 0, 0.55} {
			w := 258 * math.Sqrt(1-k*k)
			p.add(polyline(-w, 258*k, w, 258*k).mapped(placed(cx, cy, 1, turn-math.Pi/2)))
		}
		c.draw(p, line)
	default: // broken rings
		p := new(path)
		for i := range 5 {
			a := turn + c.d.between(0, 2*math.Pi)
			p.arc(cx, cy, 150+float64(i)*28, a, a+c.d.between(3.4, 5.4), true)
		}
		c.draw(p, line)
	}
	c.constellation()
}

// constellation connects a few stars in the margin around the subject.
func (c *card) constellation() {
	n := 5 + c.d.intn(3)
	start := c.d.between(0, 2*math.Pi)
	lines, stars := new(path), new(path)
	for i := range n {
		a := start + float64(i)*c.d.between(0.30, 0.46)
		r := c.d.between(225, 290)
		x, y := 300+r*0.9*math.Cos(a), 350+r*math.Sin(a)
		if i == 0 {
			lines.M(x, y)
		} else {
			lines.L(x, y)
		}
		stars.add(spark(x, y, choose(c.d, 6.0, 8.0, 8.0, 13.0)))
	}
	c.draw(lines, ink{stroke: bone, w: 1.3, op: 0.55, dash: "1 5"})
	c.draw(stars, ink{fill: bone})
}

// bolt is a zigzag of lightning between two points, thin at the far end.
func (c *card) bolt(x0, y0, x1, y1 float64, joints int, sway float64) *path {
	p := newPath(x0, y0)
	length := math.Hypot(x1-x0, y1-y0)
	nx, ny := -(y1-y0)/length, (x1-x0)/length
	for i := 1; i <= joints; i++ {
		t := float64(i) / float64(joints+1)
		k := sway * c.d.between(0.5, 1)
		if i%2 == 0 {
			k = -k
		}
		p.L(x0+(x1-x0)*t+nx*k, y0+(y1-y0)*t+ny*k)
	}
	return p.L(x1, y1)
}

// laurel is a half wreath: leaves in pairs along an arc.
func laurel(cx, cy, r, from, to float64, n int, size float64) *path {
	p := new(path)
	for i := range n {
		a := from + (to-from)*(float64(i)+0.5)/float64(n)
		dir := 1.0
		if to < from {
			dir = -1
		}
		for _, side := range []float64{-1, 1} {
			leaf := newPath(0, 0).C(size*0.3, -size*0.36, size*0.8, -size*0.3, size, 0).C(size*0.8, size*0.24, size*0.3, size*0.24, 0, 0).Z()
			s, co := math.Sincos(a)
			p.add(leaf.mapped(placed(cx+r*co, cy+r*s, 1, a+dir*(math.Pi/2+side*0.62))))
		}
	}
	return p
}
