package art

import "math"

// gapScene is for unknown addresses: a star chart with twelve houses, one of them empty.
func (c *card) gapScene() {
	const x, y, r = 1070.0, 420.0, 520.0
	const empty = 10 // the house of the sky
	c.night(1600, 900, 760, 80)
	c.circle(x, y, r*1.12, ink{fill: c.radial(x, y, r*1.12, "#2c2a22", "#15211f", faded("#0d1719", 0.8), faded("#0a1214", 0))})
	line := ink{stroke: bronzeLine, w: 1.8, op: 0.7}
	at := func(angle, k float64) point {
		s, co := math.Sincos(angle)
		return point{math.Round(x + k*r*co), math.Round(y + k*r*s)}
	}
	middle := func(house int) float64 { return -math.Pi/2 + float64(house)*math.Pi/6 }
	p := new(path)
	for _, k := range []float64{0.86, 0.42, 0.39, 0.3} {
		p.circle(x, y, r*k)
	}
	p.circle(x+r*0.06, y-r*0.04, r*0.22)
	for i := range 3 {
		p.add(new(path).ellipse(0, 0, r*0.39, r*0.15).mapped(placed(x, y, 1, 0.4+float64(i)*math.Pi/3)))
	}
	c.draw(p, line)
	c.ring(12, x, y, math.Pi/12, func() { c.draw(polyline(r*0.42, 0, r*0.86, 0), line) })
	c.burst(x, y, 34, 88, 64, 8, 24, 0, ink{fill: metalOf("bronze").light})
	c.part(new(path).circle(x, y, 38), c.radial(x-12, y-14, 54, c.m.shine, c.m.light, c.m.mid))
	for i, sign := range signs() {
		if i == empty {
			continue
		}
		q := at(middle(i), 0.645)
		c.sign(sign, matrix{0.96, 0, 0, 0.96, q.x, q.y})
	}
	// The empty house, with the place reserved for its content.
	a0, a1 := middle(empty)-math.Pi/12, middle(empty)+math.Pi/12
	house := new(path).arc(x, y, r*0.855, a0, a1, true).arc(x, y, r*0.425, a1, a0, false).Z()
	q := at(middle(empty), 0.645)
	c.draw(house, ink{fill: c.radial(q.x, q.y, 190, faded("#f5b942", 0.34), faded("#f5b942", 0.08))})
	c.draw(house, ink{stroke: metalOf("bronze").light, w: 3})
	c.circle(q.x, q.y, 46, ink{stroke: bone, w: 3, dash: "1 9"})
	ticks := new(path)
	for i := range 4 {
		s, co := math.Sincos(float64(i) * math.Pi / 2)
		ticks.M(q.x+60*co, q.y+60*s).L(q.x+84*co, q.y+84*s)
	}
	c.draw(ticks, ink{stroke: bone, w: 3})
	threads := new(path)
	for _, from := range []point{at(middle(empty-1), 0.56), at(middle(empty+1), 0.56)} {
		dx, dy := q.x-from.x, q.y-from.y
		n := math.Hypot(dx, dy)
		threads.M(from.x, from.y).L(math.Round(q.x-54*dx/n), math.Round(q.y-54*dy/n))
	}
	c.draw(threads, ink{stroke: bone, w: 2.4, op: 0.6, dash: "1 8"})
	// The rim.
	c.circle(x, y, r*0.93, ink{stroke: bronzeLine, w: r * 0.05, op: 0.6, dash: "2 14.12", butt: true})
	c.circle(x, y, r*0.97, ink{stroke: groundBase, w: 10})
	c.circle(x, y, r*0.97, ink{stroke: c.linear(x-r, y-r, x+r, y+r, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 5})
	c.ring(12, x, y, math.Pi/12, func() { c.draw(spark(r*0.86, 0, 12), ink{fill: bone}) })
	// The visitors.
	c.ridge("#142120", "#05090a", "#2c3c39", 900, 0, 900, 150, 812, 300, 856, 450, 800, 570, 846, 700, 776, 840, 842, 990, 806, 1150, 860,
		1320, 810, 1460, 864, 1600, 812)
	c.lampbearer(700, 786, 1.15)
}
