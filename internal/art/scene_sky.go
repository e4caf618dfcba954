package art

import "math"

// skyScene is the celestial half of the atlas: the twelve signs around the house of the gods. The rim has 120 marks,
// one for each casting. Like landScene it is round, 1000 units across, and the page that shows it adds the names.
func (c *card) skyScene() {
	const mid, r = 500.0, 470.0
	c.circle(mid, mid, 498, ink{fill: c.radial(mid, mid, 498, "#1c2a2c", "#10201f", "#0a1214")})
	disc := new(path).circle(mid, mid, r)
	c.draw(disc, ink{fill: c.radial(mid, mid, r, "#2c2a22", "#15211f", "#0d1719", "#0a1214")})
	c.clip(disc)
	dust := new(path)
	for range 120 {
		a, k := c.d.between(0, 2*math.Pi), math.Sqrt(c.d.float())*r
		x, y := math.Round(mid+k*math.Cos(a)), math.Round(mid+k*math.Sin(a))
		dust.M(x, y).L(x, y)
	}
	c.draw(dust, ink{stroke: bone, w: 2.2, op: 0.5})
	c.end()
	line := ink{stroke: bronzeLine, w: 1.8, op: 0.7}
	rings := new(path).circle(mid, mid, 400).circle(mid, mid, 186).circle(mid, mid, 174)
	rings.circle(mid+58, mid-34, 250)
	c.draw(rings, line)
	c.ring(12, mid, mid, math.Pi/12, func() { c.draw(polyline(186, 0, 400, 0), line) })
	for i, sign := range signs() {
		s, co := math.Sincos(-math.Pi/2 + float64(i)*math.Pi/6)
		c.sign(sign, matrix{0.88, 0, 0, 0.88, math.Round(mid + 312*co), math.Round(mid + 312*s - 16)})
	}
	// The house in the middle.
	c.circle(mid, mid, 172, ink{fill: c.radial(mid, mid, 172, faded("#f5b942", 0.5), faded("#8a5a2a", 0.2), faded("#8a5a2a", 0))})
	c.burst(mid, mid, 96, 168, 140, 7, 48, 0, ink{fill: "#f5b942", op: 0.5})
	c.temple(mid, mid+50, 0.62)
	// The rim: 120 castings, ten to a god.
	c.circle(mid, mid, r, ink{stroke: groundBase, w: 10})
	c.circle(mid, mid, r, ink{stroke: c.linear(60, 60, 940, 940, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 5})
	c.ring(120, mid, mid, math.Pi/12, func() { c.draw(polyline(r-8, 0, r-26, 0), ink{stroke: bronzeLine, w: 2, butt: true}) })
	c.ring(12, mid, mid, math.Pi/12, func() { c.draw(polyline(r-4, 0, r-64, 0), ink{stroke: c.m.light, w: 3, butt: true}) })
	c.circle(mid, mid, r-36, line)
	c.circle(mid, mid, r+24, ink{stroke: bronzeLine, w: 2})
}

// sign draws a constellation: its lines, with a star at each end.
func (c *card) sign(sign *path, m matrix) {
	c.draw(sign.mapped(m), ink{stroke: bone, w: 2.4, op: 0.75, dash: "1 6"})
	stars := new(path)
	for j, seg := range sign.segs {
		if n := seg.count(); n > 0 {
			q := m.at(seg.p[n-1])
			stars.add(spark(math.Round(q.x), math.Round(q.y), []float64{13, 9, 10, 8}[j%4]))
		}
	}
	c.draw(stars, ink{fill: bone})
}

// signs are the constellations of the twelve gods, in the order of the catalogue, each within 60 units of its middle.
func signs() []*path {
	return []*path{
		newPath(-48, 26).L(-34, -8).L(0, -24).L(34, -8).L(48, 26).L(-48, 26).M(0, -24).L(0, -56).M(-34, -8).L(-54, -34).M(34, -8).L(54, -34),
		// dawn: a sun half up
		// thunder: a bolt
		newPath(14, -56).L(-18, -6).L(12, -2).L(-14, 52),
		newPath(0, -48).L(-22, -30).L(-28, 16).L(-46, 38).L(46, 38).L(28, 16).L(22, -30).L(0, -48), // sea: a bell
		newPath(0, 54).L(0, 2).L(-22, -20).L(-46, -46).M(-22, -20).L(-14, -50).M(0, 2).L(24, -18).L(46, -46).M(24, -18).L(14, -50),
		// wilds: antlers
		newPath(0, -56).L(0, -26).L(30, 6).L(0, 40).L(-30, 6).L(0, -26).M(0, 40).L(0, 56).M(-30, 6).L(30, 6), // fate: a spindle
		newPath(4, -56).L(30, -8).L(24, 34).L(0, 50).L(-24, 34).L(-30, 0).L(-12, -18).L(4, -56),              // fire: a flame
		newPath(20, -52).L(-22, -36).L(-40, 2).L(-22, 38).L(20, 54).L(-4, 22).L(-6, -18).L(20, -52),          // moon: a crescent
		newPath(0, 4).L(18, 4).L(18, -18).L(-20, -18).L(-20, 30).L(44, 30).L(44, -46).L(-48, -46).L(-48, 54), // labyrinth: a way in
		newPath(36, -50).L(2, -46).L(-26, -24).L(8, -2).L(30, 20).L(4, 44).L(-36, 48),                        // prophecy: a serpent
		newPath(0, -56).L(42, -38).L(36, 16).L(0, 54).L(-36, 16).L(-42, -38).L(0, -56).M(0, -22).L(0, 20),    // war: a shield
		newPath(0, -56).L(0, 0).L(56, 0).M(0, 0).L(0, 56).M(-56, 0).L(0, 0),                                  // sky: four winds
		newPath(-52, 6).L(-28, 40).L(28, 40).L(52, 6).L(-52, 6).M(16, 6).L(16, -30).L(30, -48),               // underworld: a boat and its lamp
	}
}
