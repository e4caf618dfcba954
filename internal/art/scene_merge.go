package art

import "math"

// mergeScene shows the rule of InfiniMerge as a geometric figure: two equal circles with equal stones, and in the
// overlap the one stone that both become.
func (c *card) mergeScene() {
	const x, y, r, apart = 800.0, 430.0, 372.0, 234.0
	c.night(1600, 860, 860, 100)
	c.draw(rect(0, 0, 1600, 860), ink{fill: c.radial(x, y, 760, faded(c.g.base, 0.3), faded(c.g.base, 0.08), faded(c.g.base, 0))})
	for _, side := range []float64{-1, 1} {
		c.halfOfTwo(x+side*apart, y, r)
	}
	// The overlap.
	half := math.Acos(apart / r)
	almond := new(path).arc(x-apart, y, r, -half, half, true).arc(x+apart, y, r, math.Pi-half, math.Pi+half, false).Z()
	c.draw(almond, ink{fill: c.radial(x, y, 320, faded(c.g.bright, 0.62), faded(c.g.base, 0.42), faded(c.g.soft, 0.5))})
	c.clip(almond)
	c.burst(x, y, 96, 400, 300, 10, 48, 0, ink{fill: c.g.bright, op: 0.5})
	c.end()
	c.draw(almond, ink{stroke: groundBase, w: 12})
	c.draw(almond, ink{stroke: c.linear(x-140, y-290, x+140, y+290, c.m.shine, c.m.light, c.m.mid), w: 6})
	c.stone(x, y, 104, 8, true)
	for _, side := range []float64{-1, 1} {
		c.stone(x+side*(apart+150), y, 56, 6, false)
		c.thread(x, y, side, apart)
	}
	// Above and below: the components and the possible results.
	c.draw(spark(x, y-210, 40).add(spark(x, y+210, 40), spark(x-44, y-168, 13), spark(x+44, y-168, 13), spark(x-44, y+168, 13),
		spark(x+44, y+168, 13)), ink{fill: c.g.bright})
}

// halfOfTwo is one of the two circles, engraved like the plate of an astrolabe.
func (c *card) halfOfTwo(x, y, r float64) {
	line := ink{stroke: bronzeLine, w: 1.8, op: 0.75}
	c.circle(x, y, r, ink{fill: c.radial(x, y, r, faded("#16302c", 0.9), faded("#0d1a1b", 0.55))})
	p := new(path).circle(x, y, r*0.93).circle(x, y, r*0.68).circle(x, y, r*0.3)
	for i := range 5 {
		k := 0.16 * float64(i+1)
		p.add(new(path).ellipse(x, y, r*0.93*math.Sqrt(1-k*k*0.6), r*0.93*k))
	}
	c.draw(p, line)
	c.circle(x, y, r*0.965, ink{stroke: bronzeLine, w: r * 0.06, op: 0.7, dash: "2 11.6", butt: true})
	c.ring(24, x, y, 0, func() { c.draw(polyline(r*0.68, 0, r*0.93, 0), line) })
	c.circle(x, y, r, ink{stroke: groundBase, w: 12})
	c.circle(x, y, r, ink{stroke: c.linear(x-r, y-r, x+r, y+r, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 6})
}

// stone is a cut stone in a setting; a lit one glows.
func (c *card) stone(x, y, r float64, sides int, lit bool) {
	c.place(x, y, 1, 0)
	defer c.end()
	c.circle(0, 0, r*1.7, ink{fill: c.radial(0, 0, r*1.7, faded(groundBase, 0.9), faded(groundBase, 0.6), faded(groundBase, 0))})
	c.part(regular(0, 0, r*1.32, sides, -math.Pi/2), c.linear(-r, -r, r, r, c.m.light, c.m.mid, c.m.dark))
	c.draw(regular(0, 0, r*1.22, sides, -math.Pi/2), ink{stroke: c.m.deep, w: 3})
	if lit {
		c.gem(0, 0, r, sides)
		c.draw(spark(0, 0, r*0.92), ink{fill: "#ffffff", op: 0.75})
		return
	}
	outer, inner := regular(0, 0, r, sides, -math.Pi/2), regular(0, 0, r*0.5, sides, -math.Pi/2)
	c.part(outer, c.linear(-r, -r, r, r, mix(c.g.base, groundBase, 0.2), c.g.soft, mix(c.g.soft, groundBase, 0.5)))
	facets := new(path)
	for i := range sides {
		a, b := outer.segs[i].p[0], inner.segs[i].p[0]
		facets.M(a.x, a.y).L(b.x, b.y)
	}
	c.draw(facets.add(inner), ink{stroke: c.g.base, w: 2.4, op: 0.8})
}

// thread is the path of one stone to the middle: three arcs with a point of light on each.
func (c *card) thread(x, y, side, apart float64) {
	from, to := x+side*(apart+66), x+side*122
	lines, grains := new(path), new(path)
	for i := range 3 {
		bend := 92 * float64(i-1)
		lines.M(from, y+bend*0.3).C(from-side*40, y+bend, to+side*40, y+bend, to, y+bend*0.3)
		grains.add(spark(x+side*(168+10*float64(i)), y+bend*0.78, 13))
	}
	c.draw(lines, ink{stroke: groundBase, w: 8})
	c.draw(lines, ink{stroke: c.g.base, w: 2.6, dash: "1 8"})
	c.draw(grains, ink{fill: c.g.bright})
}
