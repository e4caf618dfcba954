package generator

// Armour is drawn upright around the origin, about 480 units wide at most.

// rim shades a disc towards the lower right with concentric engraved arcs.
func (c *card) rim(x, y, r, depth, gap float64) {
	arcs := new(path)
	for i, k := 0, r-gap; k > r-depth; i, k = i+1, k-gap {
		t := (r - k) / depth
		half := 1.35 * (1 - t*0.55) * c.d.between(0.85, 1.1)
		arcs.arc(x, y, k, 0.72-half, 0.72+half, true)
	}
	c.draw(arcs, ink{stroke: c.m.deep, w: gap * 0.42, op: 0.85})
}

// visor is the front of a helm with cheek pieces and nose guard that several forms share.
func (c *card) visor() *path {
	half := newPath(0, -170).C(92, -170, 148, -104, 148, -10).C(148, 70, 138, 140, 110, 214).C(80, 232, 48, 226, 30, 200).L(0, 200)
	shell := half.sym()
	c.part(shell, c.linear(-150, -170, 130, 180, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(new(path).add(half).Z(), hatching{angle: 196, gap: 8, w: 4.6, reach: 0.62, colour: c.m.deep, op: 0.8})
	opening := newPath(0, 34).L(16, 34).C(40, 6, 84, 2, 112, 26).C(108, 62, 66, 76, 34, 70).L(28, 204).L(0, 204).sym()
	c.draw(opening, ink{fill: groundBase})
	c.draw(opening, ink{stroke: c.m.dark, w: 10})
	c.draw(opening, ink{stroke: c.m.light, w: 3.4})
	nose := newPath(0, -30).C(14, -10, 20, 20, 17, 60).L(10, 104).L(0, 116).sym()
	c.solid(nose, -18, -20, 18, 110)
	c.lit(newPath(0, -30).C(-14, -10, -20, 20, -17, 60).L(-10, 104), 2)
	c.lumen(newPath(46, 44).C(60, 34, 78, 32, 92, 38).both(), 3)
	brow := newPath(8, -20).C(50, -40, 100, -36, 134, -2).C(100, -22, 50, -22, 10, 4).Z().both()
	c.draw(brow, ink{fill: c.m.shine})
	c.etch(newPath(8, -32).C(50, -54, 104, -50, 140, -14).both(), 2.6)
	c.lit(newPath(0, -170).C(-92, -170, -148, -104, -148, -10).C(-148, 70, -138, 140, -110, 214), 3)
	return shell
}
