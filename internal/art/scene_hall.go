package art

// hallScene is the hall of the twelve gods: Selmene in her light, ten in the dark, and Morvaion on his round with the
// lamp.
func (c *card) hallScene() {
	const cx, floor = 1000.0, 792.0
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 0, 900, "#0c1618", "#111e20", "#0a1214")})
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(cx, 380, 820, faded(c.g.base, 0.30), faded(c.g.base, 0.08), faded(c.g.base, 0))})
	courses := new(path)
	for i := range 9 {
		y := 84 + 84*float64(i)
		courses.M(0, y).L(1600, y)
		for j := range 9 {
			x := 190*float64(j) + 95*float64(i%2) + c.d.between(-14, 14)
			courses.M(x, y).L(x, y+84)
		}
	}
	c.draw(courses.coarse(), ink{stroke: "#050a0b", w: 3, op: 0.7})

	c.recesses(cx)
	c.moonlit(cx, floor)
	c.part(rect(-20, -20, 1640, 60), c.linear(0, 0, 0, 40, "#2b4043", "#16262a"))
	c.keys(4, 8, 4.6, 7, ink{stroke: bronzeLine, w: 2.6, op: 0.7})

	// The floor reflects some of the light.
	c.part(rect(-20, floor, 1640, 140), c.linear(0, floor, 0, 900, "#1b2c2f", "#070d0f"))
	c.draw(rect(cx-520, floor, 1040, 108), ink{
		fill: c.radial(cx, floor-60, 520, faded(c.g.base, 0.6), faded(c.g.base, 0.22), faded(c.g.base, 0)),
	})
	joints := polyline(0, floor+40, 1600, floor+40)
	for i := range 15 {
		x := cx + (float64(i)-7)*150
		joints.M(cx+(x-cx)*0.86, floor+6).L(cx+(x-cx)*1.3, 900)
	}
	c.draw(joints.coarse(), ink{stroke: "#050a0b", w: 3, op: 0.8})
	c.lampbearer(330, floor+66, 1.5)
}

// keys is a meander of ten times n keys, built from copies.
func (c *card) keys(x, y, unit float64, n int, k ink) {
	id := c.newID()
	c.raw(`<defs><g id="`, id, `">`)
	c.draw(meander(0, 0, unit, 10), k)
	c.raw(`</g></defs>`)
	for i := range n {
		c.use(id, shift(x+50*unit*float64(i), y))
	}
}

// recesses are the niches of the gods in the dark, in two rows.
func (c *card) recesses(cx float64) {
	stone := metal{"#05090b", "#0b1518", "#15262a", "#2a4246", "#6f8f92"}
	body, recess := c.newID(), c.newID()
	c.raw("<defs>")
	c.group("id", recess)
	arch := newPath(0, -196).C(54, -196, 92, -158, 92, -104).L(92, 140).L(0, 140).sym()
	c.part(arch, c.linear(0, -196, 0, 140, "#03070a", "#081113", "#0e1c1f"))
	c.draw(arch, ink{stroke: "#2c4449", w: 5})
	c.part(rect(-112, 138, 224, 20), c.linear(0, 138, 0, 158, "#30494d", "#15262a"))
	c.draw(polyline(-60, 176, 60, 176), ink{stroke: bronzeLine, w: 2.4, op: 0.7, dash: "9 5"})
	c.end()
	// The head and shoulders of each, lit a little from the right.
	c.group("id", body)
	half := newPath(0, 150).L(54, 150).C(60, 196, 100, 206, 140, 220).C(200, 240, 226, 290, 234, 380).L(0, 380)
	c.part(half.sym(), c.linear(-200, 150, 220, 380, stone.dark, stone.mid, stone.light))
	head := visage{width: 100, jaw: 64}.outline().sym()
	c.part(head, c.linear(-100, 0, 110, 40, stone.dark, stone.mid, stone.light))
	c.draw(newPath(14, -24).C(40, -46, 78, -44, 100, -20).both().add(newPath(12, -24).C(8, 30, 12, 56, 24, 70).C(18, 84, 8, 84, 0, 82),
		newPath(28, 10).C(44, 26, 70, 26, 86, 8).both(), curve(-34, 120, 0, 114, 34, 120)), ink{stroke: stone.deep, w: 7})
	c.draw(newPath(70, -104).C(96, -70, 100, -40, 100, -4).C(100, 70, 78, 120, 46, 150).M(60, 176).C(90, 206, 120, 210, 140, 220).
		C(200, 240, 226, 290, 234, 380),
		ink{stroke: c.g.base, w: 7, op: 0.75})
	c.end()
	c.raw("</defs>")

	crowns := []string{"veil", "horns", "flames", "waves", "antlers", "wings", "anvil", "sun", "crest", "snakes"}
	for i, x := range []float64{-384, -598, -812, 384, 590} {
		for row := range 2 {
			c.place(cx+x, 266+344*float64(row), 0.94, 0)
			c.use(recess, shift(0, 0))
			c.clip(rect(-170, -250, 340, 388))
			if x > 0 { // the light comes from the left there
				c.mirror()
			}
			c.place(0, 22, 0.43, 0)
			c.darkCrown(crowns[2*i+row], stone, func() { c.use(body, shift(0, 0)) })
			c.end()
			if x > 0 {
				c.end()
			}
			c.end()
			c.end()
		}
	}
}

// darkCrown draws the attribute that identifies a god in the dark, around the head.
func (c *card) darkCrown(name string, m metal, head func()) {
	paint := c.linear(-200, -250, 240, 0, m.dark, m.mid, m.light)
	rim := ink{stroke: c.g.base, w: 6, op: 0.6}
	shape := func(p *path) { c.part(p, paint) }
	switch name {
	case "veil":
		shape(newPath(0, -286).C(150, -286, 228, -180, 232, -60).L(206, -60).C(200, -170, 130, -252, 0, -256).sym())
		shape(newPath(0, -160).C(100, -160, 140, -90, 136, 0).L(156, 320).L(0, 320).sym())
		head()
		c.draw(newPath(-104, -2).C(-40, 14, 40, 14, 104, -2), ink{stroke: m.deep, w: 26})
		c.draw(newPath(0, -140).C(70, -140, 118, -90, 116, 0).L(120, 190), rim)
	case "horns":
		shape(ribbon(70, 54, 3, 60, -90, 150, -110, 214, -160, 220, -230, 176, -290).both())
		head()
		c.draw(curve(150, -84, 226, -140, 240, -220), rim)
	case "flames":
		for i := range 7 {
			k := float64(i) - 3
			shape(ribbon(64, 40, 1, k*30, -90+4*k*k, k*40+12, -170+7*k*k, k*44-10, -220+9*k*k, k*56, -300+11*k*k).coarse())
		}
		head()
	case "waves":
		shape(newPath(0, -150).C(120, -150, 158, -60, 150, 40).C(146, 120, 190, 190, 190, 300).L(0, 300).sym())
		shape(ribbon(16, 13, 6, 0, -130, 0, -246).add(ribbon(15, 12, 6, 44, -126, 66, -224).both(),
			ribbon(14, 10, 5, 84, -104, 130, -186).both()).coarse())
		head()
		c.draw(newPath(110, -110).C(146, -60, 150, 0, 150, 40).C(146, 120, 190, 190, 190, 300), rim)
	case "antlers":
		shape(ribbon(34, 26, 7, 60, -90, 110, -140, 180, -160, 216, -220, 214, -290).add(
			ribbon(20, 14, 5, 120, -142, 128, -200, 110, -250, 126, -296), ribbon(16, 12, 4, 196, -190, 240, -196, 266, -236)).coarse().both())
		head()
		shape(newPath(0, 96).C(40, 84, 74, 96, 100, 50).C(108, 150, 70, 240, 0, 280).sym())
	case "wings":
		for i := range 4 {
			k := float64(i)
			shape(ribbon(30, 46, 4, 70, 60-k*50, 140, 30-k*70, 210-k*8, -20-k*78, 262-k*26, -60-k*62).coarse().both())
		}
		shape(ribbon(40, 70, 4, -90, -110, -20, -190, 90, -210, 190, -250).coarse())
		head()
	case "anvil":
		head()
		shape(newPath(0, -232).L(150, -232).C(146, -196, 112, -178, 84, -176).C(72, -164, 72, -150, 86, -130).L(118, -122).
			L(112, -60).L(0, -60).sym())
		shape(newPath(0, 96).C(40, 84, 74, 96, 100, 50).C(112, 150, 86, 260, 0, 300).sym())
		c.draw(newPath(150, -232).C(146, -196, 112, -178, 84, -176).C(72, -164, 72, -150, 86, -130), rim)
	case "sun":
		c.burst(0, -30, 170, 300, 240, 34, 28, 0.1, ink{fill: m.light})
		shape(new(path).circle(0, -30, 186))
		c.draw(new(path).circle(0, -30, 160), ink{stroke: m.deep, w: 5})
		shape(newPath(0, -140).C(90, -140, 132, -80, 130, 0).C(134, 120, 150, 200, 170, 300).L(0, 300).sym())
		head()
	case "crest":
		shape(newPath(0, -296).C(140, -296, 236, -216, 252, -50).L(150, -10).L(0, -60).sym())
		head()
		shape(newPath(0, -160).C(90, -160, 122, -100, 116, -10).L(104, 160).L(52, 190).L(40, 60).L(96, 20).
			C(70, -10, 30, -6, 14, 30).L(0, 110).sym())
		c.draw(newPath(30, -280).C(140, -270, 226, -200, 240, -60), rim)
	case "snakes":
		for i, end := range [][]float64{
			{60, -60, 150, -40, 190, 40, 250, 60}, {60, -90, 160, -110, 220, -60, 270, -90}, {50, -120, 130, -170, 200, -160, 236, -220},
			{20, -130, 60, -210, 120, -230, 90, -290},
		} {
			w := 26 - float64(i)
			shape(ribbon(w, w, 18, end...).coarse().both())
		}
		head()
		c.draw(newPath(0, -112).C(22, -92, 22, -62, 0, -44).C(-22, -62, -22, -92, 0, -112).Z(), ink{fill: m.shine})
	}
}

// moonlit is the lit niche with Selmene in it.
func (c *card) moonlit(cx, floor float64) {
	c.place(cx, 0, 1, 0)
	arch := newPath(0, 58).C(150, 58, 262, 170, 262, 320).L(262, floor).L(0, floor).sym()
	c.part(arch, "#1f3337")
	inner := newPath(0, 98).C(132, 98, 224, 192, 224, 324).L(224, floor).L(0, floor).sym()
	wedges := new(path)
	for i := range 13 {
		p := new(path).arc(0, 320, 232, -3.14159*float64(i)/12, -3.14159*float64(i)/12, true)
		q := new(path).arc(0, 320, 256, -3.14159*float64(i)/12, -3.14159*float64(i)/12, true)
		wedges.M(p.segs[0].p[0].x, p.segs[0].p[0].y).L(q.segs[0].p[0].x, q.segs[0].p[0].y)
	}
	c.draw(wedges.coarse(), ink{stroke: "#0a1416", w: 4})
	c.part(inner, c.radial(0, 320, 470, mix(c.g.base, groundBase, 0.35), mix(c.g.base, groundBase, 0.72), "#0a1518", "#070e10"))
	c.clip(inner)
	c.burst(0, 300, 150, 420, 340, 5, 72, 0, ink{fill: c.g.base, op: 0.35})
	c.draw(new(path).circle(0, 330, 196).circle(0, 330, 270), ink{stroke: bronzeLine, w: 2.4, op: 0.8})
	c.circle(0, 330, 183, ink{stroke: bronzeLine, w: 16, op: 0.6, dash: "2 12", butt: true})
	c.end()
	c.draw(inner, ink{stroke: mix(c.g.base, bone, 0.4), w: 3, op: 0.8})
	c.clip(rect(-500, -40, 1000, floor+40))
	c.place(0, 452, 1.04, 0)
	keep := c.m
	c.m = metalOf("silver")
	c.selmene()
	c.m = keep
	c.end()
	c.draw(rect(-262, 640, 524, 160), ink{fill: c.linear(0, 640, 0, floor, faded("#0a1416", 0), faded("#0a1416", 0.9))})
	c.end()
	c.end()
}

// lampbearer is a small hooded figure in profile with a lamp in the hand. The feet are at (x, y).
func (c *card) lampbearer(x, y, scale float64) {
	c.place(x, y, scale, 0)
	defer c.end()
	c.circle(42, -44, 130, ink{fill: c.radial(42, -44, 130, faded("#f5b942", 0.55), faded("#f5b942", 0.14), faded("#f5b942", 0))})
	robe := newPath(-40, 2).C(-34, -30, -30, -64, -20, -86).C(-18, -104, -4, -122, 10, -124).C(12, -114, 20, -108, 20, -98).
		C(20, -92, 18, -88, 16, -84).C(26, -78, 36, -72, 46, -72).L(44, -60).C(34, -56, 28, -54, 22, -50).C(26, -32, 28, -14, 34, 2).Z()
	c.part(robe, c.linear(-40, 0, 34, 0, "#03060a", "#0d1013", "#33250f"))
	c.draw(newPath(-26, -2).C(-22, -36, -16, -60, -8, -80).M(-8, 0).C(-6, -30, -4, -50, 2, -70).M(12, 0).C(12, -20, 12, -36, 12, -52).
		M(-12, -104).C(-4, -100, 2, -94, 4, -84), ink{stroke: "#000", w: 3})
	c.draw(newPath(10, -124).C(12, -114, 20, -108, 20, -98).C(20, -92, 18, -88, 16, -84).C(26, -78, 36, -72, 46, -72).M(22, -50).
		C(26, -32, 28, -14, 34, 2), ink{stroke: "#f5b942", w: 2.6})
	c.draw(newPath(12, -108).C(17, -106, 18, -100, 16, -94).C(12, -94, 8, -98, 12, -108).Z(), ink{fill: "#ffe9bd", op: 0.8})
	c.draw(polyline(45, -70, 45, -60), ink{stroke: "#f5b942", w: 2})
	c.part(polygon(39, -58, 51, -58, 55, -34, 35, -34), c.radial(45, -44, 16, "#ffffff", "#ffe9bd", "#f5b942"))
	c.draw(polygon(45, -68, 55, -57, 35, -57).add(rect(33, -35, 24, 5)), ink{fill: metalOf("bronze").mid})
}
