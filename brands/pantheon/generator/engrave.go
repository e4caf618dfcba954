package generator

// Building blocks of all subjects. Solids are separated from the ground by a dark contour, lit
// from the upper left and shaded by hatching.

const contour = 9 // width of the dark line around solids, units

// solid fills a part with its material, light at (x1, y1) and dark at (x2, y2).
func (c *card) solid(p *path, x1, y1, x2, y2 float64) {
	c.draw(p, ink{fill: c.linear(x1, y1, x2, y2, c.m.light, c.m.mid, c.m.dark), stroke: groundBase, w: contour, under: true})
}

// part fills a part with one paint inside the same contour.
func (c *card) part(p *path, paint string) {
	c.draw(p, ink{fill: paint, stroke: groundBase, w: contour, under: true})
}

// across is a gradient over the path's width, for round things such as shafts.
func (c *card) across(p *path, m metal) string {
	x0, _, x1, _ := p.bounds()
	return c.linear(x0, 0, x1, 0, m.mid, m.light, m.mid, m.dark, m.deep)
}

// etch draws fine dark lines on metal; lit draws fine bright ones.
func (c *card) etch(p *path, w float64) { c.draw(p, ink{stroke: c.m.deep, w: w}) }

func (c *card) lit(p *path, w float64) { c.draw(p, ink{stroke: c.m.shine, w: w}) }

// lumen draws a glowing line.
func (c *card) lumen(p *path, w float64) {
	c.draw(p, ink{stroke: c.g.base, w: w * 5, op: 0.14})
	c.draw(p, ink{stroke: c.g.base, w: w * 2.4, op: 0.35})
	c.draw(p, ink{stroke: c.g.base, w: w})
	c.draw(p, ink{stroke: c.g.bright, w: w * 0.4})
}

// gem is a cut stone: a table and facets.
func (c *card) gem(x, y, r float64, sides int) {
	outer := regular(x, y, r, sides, -1.5708)
	c.circle(x, y, r*2.2, ink{fill: c.radial(x, y, r*2.2, faded(c.g.base, 0.6), faded(c.g.base, 0))})
	c.draw(outer, ink{fill: c.g.base, stroke: groundBase, w: 5, under: true})
	facets := new(path)
	for i := range sides {
		q, t := outer.segs[i].p[0], regular(x, y, r*0.5, sides, -1.5708).segs[i].p[0]
		facets.M(q.x, q.y).L(t.x, t.y)
	}
	c.draw(regular(x, y, r*0.5, sides, -1.5708), ink{fill: c.g.bright})
	c.draw(facets, ink{stroke: c.g.soft, w: 2})
	c.draw(outer, ink{stroke: c.g.bright, w: 2})
}
