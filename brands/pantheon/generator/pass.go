package generator

import "math"

// pass is a votive tablet: bronze with the ring of the agora for the community, gold with
// an opening door for the ultimate one. The engraving differs between tokens.
func (c *card) pass() {
	ultimate := c.item.Kind == kindPassUltimate
	if ultimate {
		c.burst(0, -20, 150, 330, 268, 12, 48, 0, ink{fill: c.g.base, op: 0.4})
	}
	c.place(0, 0, 1, c.d.between(-5, 5))
	crest := choose(c.d,
		newPath(0, -286).C(40, -286, 70, -272, 96, -250),
		newPath(0, -296).L(120, -250),
		newPath(0, -290).L(44, -290).L(44, -270).L(84, -270).L(84, -250),
	)
	slab := crest.L(176, -250).L(184, -242).L(184, 252).L(172, 264).L(0, 264).sym()
	c.part(slab, c.linear(-180, -260, 160, 260, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(slab, hatching{angle: 205, gap: 8, w: 4.6, reach: 0.3, colour: c.m.deep, op: 0.75})
	c.lit(polyline(-184, 252, -184, -242, -176, -250), 3)
	c.draw(new(path).circle(0, -246, 15), ink{fill: groundBase})
	field := rect(-154, -214, 308, 366)
	c.draw(field, ink{fill: c.m.deep})
	c.clip(field)
	c.guilloche()
	c.end()
	c.draw(field, ink{stroke: c.m.dark, w: 8})
	c.draw(field, ink{stroke: c.m.shine, w: 2})
	if ultimate {
		c.door()
	} else {
		c.agora()
	}
	c.infinity(0, 188, 38)
	serial, _ := inscription(shortID(c.item.TokenID), 0, 248, 17, 280, 2)
	c.etch(serial, 3)
	c.end()
}

// shortID is a token id shortened to fit a tablet: long ids keep both ends.
func shortID(id string) string {
	if len(id) > 12 {
		return id[:5] + "..." + id[len(id)-5:]
	}
	return "#" + id
}

// guilloche is the fine rosette of banknotes: two waves with parameters from the seed.
func (c *card) guilloche() {
	lobes := 5 + c.d.intn(8)
	inner := 2 + c.d.intn(4)
	depth := c.d.between(0.12, 0.3)
	for layer := range 3 {
		p := new(path)
		const steps = 120
		for i := range steps + 1 {
			a := 2 * math.Pi * float64(i) / steps
			r := (200 - 44*float64(layer)) * (1 + depth*math.Sin(float64(lobes)*a+float64(layer)*1.1)*math.Cos(float64(inner)*a))
			x, y := r*math.Cos(a), -31+r*math.Sin(a)
			if i == 0 {
				p.M(x, y)
			} else {
				p.L(x, y)
			}
		}
		c.draw(p, ink{stroke: c.m.light, w: 1.6, op: 0.75})
	}
	c.burst(0, -31, 150, 260, 230, 3, 60, 0, ink{fill: c.m.dark})
}

// infinity is the double loop, as a band of light.
func (c *card) infinity(x, y, r float64) {
	p := newPath(x, y).C(x+r*0.5, y-r*0.9, x+r*1.7, y-r*0.9, x+r*1.7, y).C(x+r*1.7, y+r*0.9, x+r*0.5, y+r*0.9, x, y).
		C(x-r*0.5, y-r*0.9, x-r*1.7, y-r*0.9, x-r*1.7, y).C(x-r*1.7, y+r*0.9, x-r*0.5, y+r*0.9, x, y).Z()
	c.draw(p, ink{stroke: c.m.deep, w: 17})
	c.lumen(p, 5)
}

// agora is a ring of citizens around a flame.
func (c *card) agora() {
	n := 7 + c.d.intn(4)
	c.circle(0, -31, 150, ink{fill: c.radial(0, -31, 150, faded(c.g.base, 0.7), faded(c.g.base, 0))})
	c.draw(new(path).circle(0, -31, 128).circle(0, -31, 62), ink{stroke: c.m.light, w: 3})
	for i := range n {
		person := newPath(0, -16).C(20, -14, 27, 0, 26, 24).L(0, 24).sym().add(new(path).circle(0, -33, 15))
		c.part(person.mapped(placed(0, -31, 1, 2*math.Pi*float64(i)/float64(n)).after(0, -98)),
			c.linear(-120, -150, 120, 90, c.m.shine, c.m.light, c.m.mid))
	}
	centre := choose(c.d, // what the citizens have gathered around
		newPath(0, -56).C(10, -34, 34, -20, 30, 8).C(28, 28, 14, 36, 0, 36).sym().mapped(shift(0, -26)),
		starry(0, -31, 48, 19, 8, 0),
		newPath(0, -46).C(26, -46, 44, -24, 34, 0).C(30, 10, 16, 14, 8, 14).L(10, 44).L(0, 44).sym().mapped(shift(0, -30)),
		new(path).circle(0, -31, 36),
	)
	c.part(centre, c.linear(0, -84, 0, 10, c.g.bright, c.g.base))
	c.draw(spark(0, -31, 20), ink{fill: "#fff"})
}

// door is ajar, with light behind it.
func (c *card) door() {
	arch := choose(c.d,
		newPath(0, -186).C(70, -186, 108, -140, 108, -84),
		newPath(0, -196).C(30, -170, 108, -130, 108, -84),
		newPath(0, -168).L(70, -168).L(108, -130),
	).L(108, 138).L(0, 138).sym()
	c.part(arch, c.radial(0, -31, 200, "#ffffff", c.g.bright, c.g.base, c.g.soft))
	c.burst(0, -40, 40, 150, 110, 8, 24, c.d.float(), ink{fill: "#fff", op: 0.75})
	panels := choose(c.d,
		polyline(50, -128, 92, -112, 92, -40, 50, -50, 50, -128).
			add(polyline(50, -20, 92, -12, 92, 60, 50, 66, 50, -20), polyline(50, 92, 92, 84, 92, 120, 50, 132, 50, 92)),
		new(path).add(starry(71, -80, 24, 10, 8, 0), starry(71, 30, 24, 10, 8, 0), starry(71, 100, 20, 8, 8, 0)),
		new(path).circle(71, -80, 22).circle(71, -80, 12).circle(71, 30, 22).circle(71, 30, 12).circle(71, 98, 18).circle(71, 98, 9),
		new(path).add(regular(71, -80, 26, 4, 0), regular(71, -80, 13, 4, 0), regular(71, 30, 26, 4, 0), regular(71, 30, 13, 4, 0),
			regular(71, 102, 20, 4, 0)),
		curve(60, -136, 84, -110, 60, -84, 84, -58, 60, -32, 84, -6, 60, 20, 84, 46, 60, 72, 84, 98, 64, 122),
	)
	c.clip(new(path).add(arch, rect(-112, 100, 224, 70)))
	c.twice(func() {
		leaf := newPath(108, -84).C(108, -140, 80, -176, 44, -184).L(36, -150).L(36, 160).L(108, 138).Z()
		c.part(leaf, c.linear(30, 0, 110, 0, c.m.dark, c.m.mid, c.m.light))
		c.etch(panels, 3)
		c.draw(new(path).circle(46, 6, 7), ink{fill: c.m.shine, stroke: c.m.deep, w: 2})
	})
	c.end()
	c.draw(arch, ink{stroke: c.m.shine, w: 4})
	points := choose(c.d, 4, 6, 8, 12)
	c.draw(starry(0, -60, 40, 13, points, -math.Pi/2), ink{fill: "#fff"})
	n := 5 + c.d.intn(5)
	for i := range n {
		a := math.Pi + math.Pi*(float64(i)+0.5)/float64(n)
		x, y := 134*math.Cos(a), -78+126*math.Sin(a)
		c.draw(spark(x, y, 10+5*float64(i%2)), ink{fill: c.g.bright})
	}
}
