package art

import "math"

// wheelScene is a star chart with twelve houses, one for each collection. The gods' house is lit.
func (c *card) wheelScene() {
	c.place(600, 600, 1, 0)
	defer c.end()
	bronze := metalOf("bronze")
	c.circle(0, 0, 590, ink{fill: c.radial(0, 0, 590, "#16211f", "#0f1a1a", "#0b1314")})
	c.draw(new(path).circle(0, 0, 588).circle(0, 0, 548), ink{stroke: bronze.mid, w: 3})
	c.circle(0, 0, 568, ink{stroke: bronze.mid, w: 26, op: 0.6, dash: "2 17.8", butt: true})
	c.circle(0, 0, 576, ink{stroke: bronze.light, w: 10, dash: "2.4 296.9", butt: true})
	c.draw(new(path).circle(0, 0, 330).circle(0, 0, 312), ink{stroke: bronze.mid, w: 2.4})
	c.ring(48, 0, 0, 0, func() {
		c.draw(polyline(-13, -316, -13, -327, 5, -327, 5, -319, -5, -319), ink{stroke: bronze.mid, w: 2.2})
	})
	c.ring(12, 0, 0, math.Pi/12, func() {
		c.draw(polyline(330, 0, 548, 0), ink{stroke: bronze.mid, w: 2.4, op: 0.8})
		c.draw(spark(548, 0, 15), ink{fill: bone})
	})
	// The sky inside the ring.
	p := new(path).circle(0, 0, 236).circle(34, -22, 176).circle(0, 0, 120)
	for i := range 3 {
		p.add(new(path).ellipse(0, 0, 312, 116).mapped(placed(0, 0, 1, 0.4+float64(i)*math.Pi/3)))
	}
	c.draw(p, ink{stroke: bronze.mid, w: 1.8, op: 0.75})
	for range 5 {
		a := c.d.between(0, 2*math.Pi)
		walk, stars := new(path), new(path)
		for i := range 5 {
			a += c.d.between(0.14, 0.34)
			r := c.d.between(110, 300)
			x, y := math.Round(r*math.Cos(a)), math.Round(r*math.Sin(a))
			if i == 0 {
				walk.M(x, y)
			} else {
				walk.L(x, y)
			}
			stars.add(spark(x, y, choose(c.d, 7.0, 9.0, 15.0)))
		}
		c.draw(walk, ink{stroke: bone, w: 1.8, op: 0.6, dash: "1 7"})
		c.draw(stars, ink{fill: bone})
	}
	c.burst(0, 0, 40, 104, 76, 9, 24, 0, ink{fill: bronze.light})
	c.part(new(path).circle(0, 0, 46), c.radial(-14, -16, 64, bronze.shine, bronze.light, bronze.mid))
	c.draw(new(path).circle(0, 0, 34), ink{stroke: bronze.deep, w: 2.6})
	c.draw(spark(0, 0, 28), ink{fill: bronze.deep})

	const r = 440.0
	// The gods' house, in its own glow.
	house := new(path).arc(0, 0, 545, -math.Pi/2-math.Pi/12, -math.Pi/2+math.Pi/12, true).
		arc(0, 0, 333, -math.Pi/2+math.Pi/12, -math.Pi/2-math.Pi/12, false).Z()
	for i, name := range []string{
		"gods", "season", "immortals", "arks", "power", "chests", "pigs", "keepsakes", "ultimate", "community", "avatars", "items",
	} {
		c.raw(`<g transform="rotate(`)
		c.buf = append(trimmed(c.buf, 30*float64(i)-60, 0), `)">`...)
		if name == "gods" {
			c.circle(0, -r, 150, ink{fill: c.radial(0, -r, 150, faded(c.g.base, 0.4), faded(c.g.base, 0))})
			c.draw(house, ink{fill: c.radial(0, -r, 150, mix(c.g.base, groundBase, 0.3), mix(c.g.base, groundBase, 0.75))})
		}
		c.place(0, -r, 1.16, 0)
		c.miniature(name)
		c.end()
		c.end()
	}
}

// miniature is a collection's symbol on the wheel, 75 units to each side of the origin.
func (c *card) miniature(name string) {
	bronze, gold, silver, wood, clay, ivory, marble := metalOf("bronze"), metalOf("gold"), metalOf("silver"), metalOf("wood"),
		metalOf("terracotta"), metalOf("ivory"), metalOf("marble")
	solid := func(p *path, m metal) {
		c.draw(p, ink{fill: c.linear(-50, -60, 50, 60, m.shine, m.light, m.mid, m.dark), stroke: groundBase, w: 6, under: true})
	}
	etch := func(p *path, m metal) { c.draw(p, ink{stroke: m.deep, w: 2.6}) }
	pig := func(m metal) {
		solid(rect(-34, 30, 16, 28).add(rect(22, 30, 16, 28)), metal{m.deep, m.deep, m.dark, m.dark, m.mid})
		solid(newPath(-30, 8).C(-30, -30, 0, -44, 20, -44).C(52, -44, 70, -18, 66, 8).C(64, 34, 40, 42, 18, 42).
			C(-14, 42, -30, 32, -30, 8).Z(), m)
		solid(rect(-12, 32, 17, 28).add(rect(40, 30, 17, 28)), m)
		solid(newPath(-68, 0).C(-68, -22, -54, -34, -38, -34).C(-18, -34, -12, -18, -12, 0).C(-12, 20, -26, 30, -42, 30).
			C(-58, 30, -68, 18, -68, 0).Z(), m)
		solid(newPath(-40, -28).C(-44, -46, -34, -58, -22, -60).C(-12, -46, -14, -34, -24, -22).Z(), m)
		solid(new(path).ellipse(-66, 6, 12, 15), m)
		c.draw(new(path).circle(-46, -6, 5).circle(-70, 2, 2.6).circle(-69, 11, 2.6), ink{fill: groundBase})
	}
	switch name {
	case "items":
		sword := func(angle float64) {
			at := placed(0, 0, 1, angle)
			solid(polygon(-8, 30, -8, -54, 0, -74, 8, -54, 8, 30).mapped(at), silver)
			c.draw(polyline(0, -66, 0, 28).mapped(at), ink{stroke: silver.deep, w: 2.4})
			solid(polygon(-26, 26, 26, 26, 26, 36, -26, 36).mapped(at), gold)
			solid(polygon(-5, 38, 5, 38, 5, 62, -5, 62).mapped(at), wood)
			solid(new(path).circle(0, 68, 8).mapped(at), gold)
		}
		sword(0.75)
		sword(-0.75)
	case "avatars":
		solid(newPath(-34, 74).C(-30, 56, -10, 50, 4, 50).L(8, 30).L(34, 34).C(36, 50, 56, 58, 62, 74).Z(), ivory)
		solid(newPath(-26, -46).C(-34, -30, -34, -20, -40, -8).L(-50, 8).L(-40, 12).L(-44, 20).L(-38, 26).C(-42, 40, -30, 46, -12, 42).L(-6, 58).
			L(34, 60).C(30, 40, 44, 20, 44, -10).Z(), clay)
		solid(newPath(-32, -40).C(-28, -70, 20, -78, 44, -50).C(64, -26, 56, 20, 36, 44).C(26, 30, 16, 20, 14, 4).C(8, -12, -2, -22, -32, -40).
			Z(), metalOf("obsidian"))
		c.draw(newPath(-30, -12).C(-24, -20, -14, -20, -8, -12), ink{stroke: groundBase, w: 4})
		c.draw(new(path).circle(18, 22, 7), ink{stroke: gold.light, w: 3})
	case "season":
		c.draw(laurel(0, 0, 50, 1.4, -1.15, 6, 30).add(laurel(0, 0, 50, math.Pi-1.4, math.Pi+1.15, 6, 30)),
			ink{fill: c.linear(-50, -60, 50, 60, gold.shine, gold.light, gold.mid), stroke: groundBase, w: 5, under: true})
		c.draw(spark(0, 4, 24), ink{fill: gold.shine})
	case "pigs":
		pig(clay)
		c.draw(new(path).circle(22, -62, 14), ink{
			fill: c.radial(18, -66, 18, gold.shine, gold.light, gold.mid), stroke: groundBase, w: 5, under: true,
		})
		etch(new(path).arc(30, -4, 12, 0.6, 5.4, true).arc(32, -4, 5, 5, 8, false), clay)
	case "keepsakes":
		pig(marble)
		c.draw(polyline(26, -42, 34, -18, 20, -2, 34, 20, 26, 40).add(polyline(20, -2, -6, -10), polyline(34, -18, 58, -20)),
			ink{stroke: gold.mid, w: 4})
	case "gods":
		c.burst(0, 0, 46, 84, 66, 14, 24, 0, ink{fill: c.g.bright})
		solid(new(path).circle(0, 0, 50), gold)
		etch(new(path).circle(0, 0, 42), gold)
		solid(newPath(-38, 0).C(-18, -24, 18, -24, 38, 0).C(18, 24, -18, 24, -38, 0).Z(), metal{bone, bone, bone, bone, "#ffffff"})
		c.draw(new(path).circle(0, 0, 13), ink{fill: c.g.base, stroke: groundBase, w: 4})
	case "chests":
		solid(newPath(-54, -10).C(-54, -62, 54, -62, 54, -10).Z(), wood)
		solid(rect(-54, -6, 108, 62), wood)
		solid(polygon(-40, -36, -26, -44, -26, 56, -40, 56).add(polygon(26, -44, 40, -36, 40, 56, 26, 56)), bronze)
		solid(rect(-58, -14, 116, 12), bronze)
		solid(newPath(0, -20).L(14, -20).L(14, 10).L(0, 20).sym(), gold)
	case "immortals":
		for _, side := range []float64{-1, 1} {
			for i := range 3 {
				k := float64(i)
				solid(ribbon(10, 17, 2, side*26, -6+12*k, side*50, -24+14*k, side*(80-8*k), -54+26*k), ivory)
			}
		}
		solid(newPath(0, -76).C(26, -72, 38, -50, 38, -28).L(26, -30).L(0, -40).sym(),
			metal{"#2a0f0a", "#4f160f", "#7c2a17", "#c9512f", "#e0653d"})
		solid(newPath(0, -54).C(28, -54, 38, -30, 36, -4).L(28, 50).L(11, 38).L(9, 4).C(18, 0, 24, -6, 24, -12).C(14, -14, 6, -8, 5, 0).
			L(0, 18).sym(), bronze)
	case "community":
		c.draw(new(path).circle(0, 0, 54), ink{stroke: bronze.mid, w: 3})
		for i := range 8 {
			s, co := math.Sincos(2 * math.Pi * float64(i) / 8)
			solid(new(path).circle(54*co, 54*s, 13), bronze)
		}
		c.draw(newPath(0, -34).C(8, -16, 26, -6, 22, 14).C(20, 26, 10, 32, 0, 32).sym(),
			ink{fill: "#63cfa2", stroke: groundBase, w: 5, under: true})
		c.draw(spark(0, 8, 15), ink{fill: "#fff"})
	case "ultimate":
		solid(newPath(0, -72).C(36, -72, 50, -46, 50, -22).L(50, 62).L(0, 62).sym(), gold)
		c.draw(newPath(-2, -60).C(26, -60, 38, -40, 38, -18).L(38, 62).L(-2, 62).Z(), ink{
			fill: c.radial(10, 10, 70, "#ffffff", "#fff1c2", gold.light),
		})
		solid(newPath(-2, -60).L(-34, -40).C(-38, -30, -38, -24, -38, -18).L(-38, 72).L(-2, 62).Z(), gold)
		etch(rect(-30, -20, 20, 30).add(rect(-30, 20, 20, 34)), gold)
	case "arks":
		solid(rect(-4, -72, 8, 80), wood)
		solid(newPath(-40, -62).C(-16, -58, 16, -58, 40, -62).C(48, -40, 46, -20, 38, -4).C(16, 4, -16, 4, -38, -4).
			C(-32, -24, -34, -42, -40, -62).Z(), ivory)
		c.draw(curve(-24, -30, -12, -38, 0, -30, 12, -38, 24, -30), ink{stroke: "#63cfa2", w: 5})
		solid(newPath(-70, -16).C(-64, 16, -54, 22, -38, 24).L(32, 24).C(54, 18, 66, -4, 58, -28).C(52, -38, 42, -34, 44, -26).
			C(72, -30, 84, 6, 68, 34).C(60, 50, 40, 56, 24, 56).L(-34, 56).C(-56, 52, -72, 20, -70, -16).Z(), wood)
		c.draw(newPath(-56, 30).C(-50, 20, -36, 20, -30, 30).C(-38, 38, -48, 38, -56, 30).Z(), ink{fill: bone})
		c.draw(new(path).circle(-42, 29, 4.5), ink{fill: groundBase})
	default: // power packs
		solid(newPath(0, -34).L(24, -34).C(24, -26, 22, -22, 18, -18).C(46, -8, 56, 16, 50, 36).C(44, 60, 26, 66, 18, 66).L(0, 66).sym(), clay)
		c.draw(newPath(-28, -34).C(-30, -62, 30, -62, 28, -34).C(22, -20, 14, -26, 8, -32).C(2, -20, -6, -20, -10, -30).
			C(-16, -20, -24, -22, -28, -34).Z(), ink{fill: "#63cfa2", stroke: groundBase, w: 5, under: true})
		c.draw(polygon(12, -8, -18, 24, 2, 24, -8, 52, 22, 14, 4, 14), ink{fill: "#b4f0d6", stroke: groundBase, w: 4, under: true})
	}
}
