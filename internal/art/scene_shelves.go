package art

// shelvesScene is the shop on the evening before it opens: shelves being filled, and the shop's cat.
func (c *card) shelvesScene() {
	wood := metalOf("wood")
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 0, 900, "#0e1615", "#121b19", "#080d0d")})
	const lampX, lampY = 1000.0, 214.0
	boards := new(path)
	for i := range 22 {
		x := 76*float64(i) + 20
		boards.M(x, 0).L(x, 760)
	}
	c.draw(boards, ink{stroke: "#060b0b", w: 4, op: 0.8})
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(lampX, lampY+60, 760, faded(c.g.base, 0.5), faded(c.g.base, 0.12), faded(c.g.base, 0))})
	c.part(rect(-20, -20, 1640, 64), c.linear(0, 0, 0, 44, wood.mid, wood.dark))
	c.keys(4, 10, 4.6, 7, ink{stroke: bronzeLine, w: 2.6, op: 0.7})

	// The case: boards, uprights, and the dark behind.
	shelves := []float64{236, 416, 596}
	for _, y := range shelves {
		c.draw(rect(-20, y+22, 1640, 34), ink{fill: c.linear(0, y+22, 0, y+56, faded("#000000", 0.7), faded("#000000", 0))})
		c.part(rect(-20, y, 1640, 22), c.linear(0, y, 0, y+22, wood.light, wood.mid, wood.dark))
	}
	for _, x := range []float64{60, 470, 880, 1290} {
		c.part(rect(x-13, 44, 26, 700), c.linear(x-13, 0, x+13, 0, wood.mid, wood.dark, wood.deep))
	}
	// A tag hangs at each empty place.
	var tags []point
	for _, q := range []point{
		{170, 236}, {270, 236}, {370, 236}, {590, 236}, {700, 236}, {1540, 236}, {350, 416}, {1560, 416}, {1010, 596}, {1130, 596},
		{600, 596},
	} {
		tags = append(tags, point{q.x, q.y + 11})
	}
	c.stamp(newPath(0, 0).L(0, 14), ink{stroke: bone, w: 2, op: 0.6}, tags...)
	c.stamp(newPath(0, 12).L(15, 22).L(15, 52).L(-15, 52).L(-15, 22).Z().M(-8, 34).L(8, 34).M(-8, 43).L(8, 43),
		ink{fill: "#d9c79d", stroke: "#1a150e", w: 2.4}, tags...)

	c.goods()
	// The lamp and the item it lights.
	c.draw(polyline(lampX, 44, lampX, lampY-60), ink{stroke: bronzeLine, w: 3})
	c.lamp(lampX, lampY-8, 0.96)
	c.cat(1046, 412)
	c.ladder(1400, 900)

	// The counter: scales, and a ledger with a page turned.
	c.part(rect(-20, 744, 1640, 40), c.linear(0, 744, 0, 784, wood.shine, wood.light, wood.mid))
	c.draw(rect(-20, 784, 1640, 130), ink{fill: c.linear(0, 784, 0, 900, wood.dark, groundBase)})
	c.keys(4, 820, 7, 5, ink{stroke: bronzeLine, w: 3.2, op: 0.6})
	c.scales(690, 742)
	c.book(1120, 742, 1)
}

// book is an open ruled book, the fold at x, resting at y.
func (c *card) book(x, y, k float64) {
	c.place(x, y, k, 0)
	defer c.end()
	ivory := metalOf("ivory")
	c.part(newPath(-110, 0).L(-96, -26).C(-60, -42, -24, -38, 0, -24).C(24, -38, 60, -42, 96, -26).L(110, 0).Z(),
		c.linear(-110, 0, 110, 0, ivory.shine, ivory.light, ivory.mid))
	c.draw(polyline(0, -24, 0, -2).add(polyline(-78, -18, -20, -20), polyline(-82, -10, -16, -11), polyline(20, -20, 76, -18)),
		ink{stroke: ivory.dark, w: 2.6})
}

// goods are the goods already on the shelves.
func (c *card) goods() {
	clay, linen, bronze, wood := metalOf("terracotta"), metalOf("ivory"), metalOf("bronze"), metalOf("wood")
	jar := func(x, y, k float64, m metal) {
		p := newPath(0, -112).L(22, -112).L(20, -96).C(48, -84, 54, -54, 48, -34).C(42, -12, 30, -2, 26, 0).L(0, 0).sym().
			mapped(placed(x, y, k, 0))
		c.part(p, c.linear(x-50*k, 0, x+50*k, 0, m.light, m.mid, m.dark))
		c.clip(p)
		c.draw(meander(-52, -70, 4, 6).mapped(placed(x, y, k, 0)), ink{stroke: m.deep, w: 3})
		c.end()
	}
	crate := func(x, y, w, h float64) {
		c.part(rect(x, y-h, w, h), c.linear(x, y-h, x+w, y, wood.light, wood.mid, wood.dark))
		c.draw(polyline(x, y-h*0.66, x+w, y-h*0.66).add(polyline(x, y-h*0.33, x+w, y-h*0.33), polyline(x+16, y-h, x+16, y),
			polyline(x+w-16, y-h, x+w-16, y)), ink{stroke: wood.deep, w: 3.4})
	}
	jar(806, 236, 1.05, clay)
	jar(1226, 236, 0.9, metalOf("verdigris"))
	jar(1140, 236, 1.16, clay)
	// Sealed packets, folded cloth, rolled charts.
	for i := range 3 {
		k := float64(i)
		c.part(rect(690+6*k, 391-26*k, 150-12*k, 25), []string{"#7c2a17", "#2d6a62", "#c9a24a"}[i])
		c.draw(polyline(700+6*k, 403-26*k, 826-6*k, 403-26*k), ink{stroke: groundBase, w: 2, op: 0.6})
	}
	for _, q := range []point{{1322, 400}, {1356, 400}, {1339, 372}} {
		c.part(new(path).circle(q.x, q.y-2, 17), c.radial(q.x-5, q.y-8, 22, linen.shine, linen.light, linen.mid))
		c.draw(new(path).arc(q.x, q.y-2, 9, 0, 5, true), ink{stroke: linen.dark, w: 2.6})
	}
	crate(512, 596, 200, 104)
	crate(110, 596, 150, 84)
	crate(170, 512, 120, 70)
	straw := new(path)
	for i := range 16 {
		x := 522 + 12*float64(i)
		straw.M(x, 496).L(x+c.d.between(-16, 16), 496-c.d.between(8, 26))
	}
	c.draw(straw.coarse(), ink{stroke: "#d9b860", w: 3})
	jar(600, 492, 0.62, clay)
	jar(660, 492, 0.5, clay)
	chest := rect(1180, 540, 96, 56)
	c.part(newPath(1180, 540).C(1180, 496, 1276, 496, 1276, 540).Z(), c.linear(1180, 500, 1276, 540, bronze.light, bronze.mid))
	c.part(chest, c.linear(1180, 540, 1276, 596, wood.light, wood.dark))
	c.draw(polyline(1200, 504, 1200, 596).add(polyline(1256, 504, 1256, 596)), ink{stroke: bronze.mid, w: 8})
	c.part(rect(1220, 532, 16, 22), bronze.shine)
}

// cat sleeps on the shelf, its back lit. The shelf is at y.
func (c *card) cat(x, y float64) {
	c.place(x, y, 1.12, 0)
	defer c.end()
	tail := ribbon(20, 20, 12, 70, -14, 112, 0, 118, 40, 100, 66, 84, 58)
	body := newPath(-96, 2).C(-104, -34, -70, -78, -6, -82).C(62, -84, 96, -46, 92, 2).Z()
	c.part(tail, c.linear(70, 0, 110, 60, "#3a3f46", "#14181c"))
	c.part(body, c.linear(-20, -84, 10, 4, "#6d757d", "#343a41", "#15191d"))
	c.hatch(body, hatching{angle: 262, gap: 9, w: 4.4, reach: 0.5, colour: "#0a0d10", op: 0.8})
	head := newPath(-104, -18).C(-106, -36, -104, -58, -108, -74).L(-84, -58).C(-74, -62, -64, -62, -54, -58).L(-32, -74).
		C(-34, -58, -34, -38, -36, -20).C(-40, 0, -60, 8, -72, 8).C(-88, 8, -102, 0, -104, -18).Z()
	c.part(head, c.linear(-100, -74, -40, 8, "#7d868e", "#3f464d", "#1a1f24"))
	c.draw(newPath(-96, -24).C(-90, -16, -84, -16, -78, -22).M(-62, -22).C(-56, -16, -50, -16, -44, -24).M(-74, -8).L(-66, -8).L(-70, -4).Z().
		M(-70, -4).L(-70, 1), ink{stroke: "#05070a", w: 3})
	c.draw(newPath(-100, -2).L(-122, 2).M(-100, -6).L(-122, -10).M(-42, -2).L(-20, 2).M(-42, -6).L(-20, -10),
		ink{stroke: bone, w: 1.6, op: 0.7})
	c.draw(newPath(-70, -74).C(-44, -84, 60, -92, 86, -34).M(-107, -72).L(-86, -57).C(-74, -61, -64, -61, -54, -57).L(-33, -72),
		ink{stroke: c.g.bright, w: 3.4})
	c.draw(newPath(-30, 2).C(-30, -12, -6, -14, 2, 2), ink{stroke: "#05070a", w: 3})
}

// ladder leans against the shelves.
func (c *card) ladder(x, y float64) {
	wood := metalOf("wood")
	rails := polyline(x-70, y, x+20, 60).add(polyline(x+70, y, x+130, 60))
	rungs := new(path)
	for i := range 9 {
		t := (float64(i) + 0.6) / 9
		rungs.M(x-70+90*t, y+(60-y)*t).L(x+70+60*t, y+(60-y)*t)
	}
	c.draw(rungs, ink{stroke: groundBase, w: 18})
	c.draw(rungs, ink{stroke: wood.mid, w: 9})
	c.draw(rails, ink{stroke: groundBase, w: 26})
	c.draw(rails, ink{stroke: wood.dark, w: 17})
	c.draw(rails.mapped(shift(-4, 0)), ink{stroke: wood.light, w: 3})
}

// scales stand on the counter with both pans empty and level.
func (c *card) scales(x, y float64) {
	bronze := metalOf("bronze")
	c.place(x, y, 1, 0)
	defer c.end()
	c.part(newPath(0, -20).L(36, -12).L(54, 0).L(0, 0).sym(), c.linear(-50, 0, 50, 0, bronze.light, bronze.mid, bronze.dark))
	c.part(rect(-6, -186, 12, 168), c.linear(-6, 0, 6, 0, bronze.shine, bronze.mid, bronze.dark))
	c.part(newPath(0, -196).C(40, -182, 90, -176, 116, -180).L(116, -170).C(80, -164, 40, -168, 0, -178).sym(),
		c.linear(-110, 0, 110, 0, bronze.shine, bronze.light, bronze.mid))
	c.part(new(path).circle(0, -192, 12), bronze.shine)
	for _, side := range []float64{-1, 1} {
		c.draw(polyline(112*side, -174, 84*side, -74).add(polyline(112*side, -174, 140*side, -74)), ink{stroke: bronze.light, w: 2.4})
		c.part(newPath(72*side, -76).L(152*side, -76).C(146*side, -48, 78*side, -48, 72*side, -76).Z(),
			c.linear(-150, -76, 150, -48, bronze.shine, bronze.light, bronze.mid, bronze.dark))
	}
}
