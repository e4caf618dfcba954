package generator

import "math"

// Weapons are drawn upright around the origin, about 600 units tall, and rotated as a whole.

// weapon draws a weapon by kind and form.
func (c *card) weapon(kind, form string) {
	switch kind {
	case "sword":
		c.sword(form)
	case "axe":
		c.axe()
	case "spear":
		c.spear(form)
	case "bow":
		c.bow()
	case "hammer":
		c.hammer(form)
	case "staff":
		c.staff()
	}
}

// doubleEdge is a symmetric blade from its right half outline: the left plane is lit, the
// right one hatched.
func (c *card) doubleEdge(half *path) {
	full := half.sym()
	right := new(path).add(half).Z()
	_, y0, x1, y1 := half.bounds()
	c.part(full, c.linear(-x1, y0, x1*0.2, y1, c.m.shine, c.m.light, c.m.light))
	c.draw(right, ink{fill: c.linear(0, 0, x1, 0, c.m.dark, c.m.mid)})
	c.hatch(right, hatching{angle: 180, gap: 7, w: 4.2, reach: 0.95, colour: c.m.deep, op: 0.85})
	c.hatch(right.flipped(), hatching{angle: 180, gap: 14, w: 3, reach: 0.55, colour: c.m.mid, op: 0.9})
	c.etch(polyline(0, y0+8, 0, y1), 2.4)
	c.lit(full, 2.2)
}

// hilt draws grip and pommel below y; the caller draws the guard.
func (c *card) hilt(y, length float64) {
	wood := metalOf("wood")
	grip := newPath(0, y).L(15, y).C(19, y+length*0.4, 19, y+length*0.6, 13, y+length).L(0, y+length).sym()
	c.part(grip, c.across(grip, wood))
	wrap := new(path)
	for t := y + 8; t < y+length; t += 13 {
		wrap.M(-19, t).L(19, t-10)
	}
	c.clip(grip)
	c.draw(wrap, ink{stroke: wood.deep, w: 3.4})
	c.end()
	pommel := new(path).circle(0, y+length+20, 25)
	c.solid(pommel, -20, y+length, 20, y+length+45)
	c.lit(new(path).arc(0, y+length+20, 25, 2.6, 4.8, true), 2.4)
}

func (c *card) sword(form string) {
	switch form {
	case "fullered":
		c.doubleEdge(newPath(0, -312).L(34, -258).L(29, 100).L(0, 100))
		groove := newPath(0, -230).C(9, -200, 9, 40, 8, 84).L(0, 84).sym()
		c.draw(groove, ink{fill: c.m.deep})
		c.lumen(polyline(0, -206, 0, 78), 3.4)
		guard := newPath(0, 92).C(60, 92, 96, 84, 128, 58).C(134, 82, 122, 112, 92, 122).C(60, 130, 30, 128, 0, 128).sym()
		c.solid(guard, -100, 60, 80, 150)
		c.etch(meander(-62, 100, 4.4, 6), 2)
		c.lit(newPath(-128, 58).C(-96, 84, -60, 92, 0, 92), 2.4)
		c.hilt(128, 104)
		c.gem(0, 252, 13, 4)
	case "crowned":
		c.doubleEdge(newPath(0, -310).L(44, -246).C(40, -120, 34, 0, 42, 96).L(0, 96))
		runes := new(path)
		for y := -210.0; y < 70; y += 46 {
			runes.add(regular(0, y, 13, 4, 0))
		}
		c.lumen(runes, 2.6)
		wing := newPath(0, 84).C(40, 84, 64, 70, 84, 34).C(92, 60, 92, 66, 90, 72).C(110, 62, 126, 44, 138, 14).C(156, 70, 132, 128, 74, 134).
			C(40, 136, 20, 132, 0, 132).sym()
		c.solid(wing, -130, 10, 100, 150)
		c.etch(new(path).add(newPath(24, 116).C(70, 118, 104, 98, 124, 54), newPath(30, 102).C(56, 102, 76, 88, 90, 72)).both(), 2.4)
		c.lit(newPath(-138, 14).C(-126, 44, -110, 62, -90, 72), 2.4)
		c.hilt(132, 92)
		crown := newPath(0, 236).L(34, 232).L(40, 276).L(22, 262).L(0, 286).sym()
		c.solid(crown, -30, 230, 30, 290)
		c.gem(0, 108, 17, 6)
	default: // leaf
		c.doubleEdge(newPath(0, -306).C(20, -262, 56, -214, 56, -150).C(56, -96, 28, -50, 27, 6).C(26, 40, 32, 70, 34, 100).L(0, 100))
		guard := newPath(0, 92).L(78, 92).C(92, 98, 92, 122, 78, 128).L(0, 128).sym()
		c.solid(guard, -80, 90, 70, 140)
		c.etch(polyline(-66, 104, 66, 104).add(polyline(-66, 116, 66, 116)), 2)
		c.hilt(128, 96)
		c.lumen(new(path).circle(0, 244, 9), 2.6)
	}
}

// shaft is a wooden pole with bindings at the given heights.
func (c *card) shaft(top, bottom, width float64, bindings ...float64) {
	wood := metalOf("wood")
	pole := rect(-width/2, top, width, bottom-top)
	c.part(pole, c.across(pole, wood))
	grain := new(path)
	for range 7 {
		x, y := c.d.between(-width*0.3, width*0.4), c.d.between(top, bottom-90)
		grain.M(x, y).L(x, y+c.d.between(30, 90))
	}
	c.draw(grain, ink{stroke: wood.deep, w: 1.6, op: 0.8})
	for _, y := range bindings {
		band := rect(-width/2-4, y, width+8, 22)
		c.part(band, c.across(band, c.m))
		c.etch(polyline(-width/2-4, y+7, width/2+4, y+7).add(polyline(-width/2-4, y+15, width/2+4, y+15)), 1.8)
	}
}

func (c *card) axe() {
	c.shaft(-290, 320, 24, -60, 236, 280)
	half := newPath(0, -204).L(18, -204).C(60, -212, 118, -246, 150, -316).C(214, -226, 214, -62, 150, 28).
		C(118, -42, 60, -76, 18, -84).L(0, -84)
	blades := half.sym()
	c.part(blades, c.linear(-180, -250, 150, 0, c.m.light, c.m.mid, c.m.dark))
	c.hatch(new(path).add(half).Z(), hatching{angle: 20, gap: 9, w: 4.6, reach: 0.7, colour: c.m.deep, op: 0.8})
	edge := newPath(150, -316).C(214, -226, 214, -62, 150, 28).C(190, -60, 190, -226, 150, -316).Z()
	c.draw(edge.both(), ink{fill: c.m.shine})
	c.etch(newPath(134, -262).C(168, -190, 168, -96, 134, -26).both(), 2.2)
	// One moon waxes, the other wanes.
	c.lumen(new(path).arc(-92, -144, 34, 1.0, 5.3, true).arc(-78, -144, 24, 5.1, 1.2, false).Z(), 2.8)
	c.lumen(new(path).circle(92, -144, 32), 2.8)
	socket := newPath(0, -226).L(24, -216).L(24, -72).L(0, -62).sym()
	c.solid(socket, -24, -220, 24, -70)
	finial := newPath(0, -330).C(12, -300, 30, -280, 20, -250).L(0, -236).sym()
	c.solid(finial, -20, -320, 20, -240)
}

// tassel hangs from the socket of a spear.
func (c *card) tassel(y float64) {
	for i, dx := range []float64{-58, -30, 34, 62} {
		drop := 90 + c.d.between(0, 40)
		lock := ribbon(8, 15, 2, 0, y, dx*0.7, y+26, dx, y+drop*0.6, dx*0.8+8, y+drop)
		c.part(lock, [2]string{c.g.base, mix(c.g.base, c.g.soft, 0.55)}[i%2])
	}
}

func (c *card) spear(form string) {
	switch form {
	case "trident":
		c.shaft(-80, 334, 22, 20, 250, 290)
		prong := newPath(0, -60).C(70, -54, 118, -96, 118, -160).L(118, -232).L(98, -222).L(128, -312).L(160, -222).L(142, -230).L(142, -150).
			C(142, -70, 90, -16, 0, -16).sym()
		c.solid(prong, -150, -300, 120, 0)
		c.hatch(prong, hatching{angle: 180, gap: 9, w: 4.4, reach: 0.45, colour: c.m.deep, op: 0.85})
		middle := newPath(0, -344).L(38, -232).L(14, -246).L(16, 0).L(0, 10).sym()
		c.solid(middle, -30, -330, 30, 0)
		c.draw(newPath(0, -344).L(38, -232).L(14, -246).L(16, 0).L(0, 10).Z(), ink{fill: c.m.dark, op: 0.55})
		c.lit(polyline(-128, -312, -98, -222).add(polyline(128, -312, 98, -222), polyline(0, -344, -38, -232)), 2.4)
		c.lumen(curve(-96, -22, -60, -46, -24, -22, 12, -46, 48, -22, 84, -46), 3)
		c.gem(0, -34, 18, 4)
	case "comet":
		c.shaft(-90, 334, 20, 150, 290)
		tail := new(path)
		for i := range 9 {
			x := -96 + 24*float64(i)
			tail.add(ribbon(14, 10, 0.5, x*0.5, -110, x, -20, x*1.15, 60, x*0.5, 170+c.d.between(0, 90)))
		}
		c.draw(tail, ink{fill: c.linear(0, -90, 0, 240, faded(c.g.base, 0.95), faded(c.g.base, 0))})
		half := newPath(0, -352).C(14, -280, 52, -232, 122, -200).C(66, -184, 40, -160, 26, -112).L(16, -60).L(0, -50)
		head := half.sym()
		c.solid(head, -70, -330, 60, -80)
		right := new(path).add(half).Z()
		c.hatch(right, hatching{angle: 180, gap: 7, w: 4.2, reach: 0.9, colour: c.m.deep, op: 0.85})
		c.lit(newPath(0, -352).C(-14, -280, -52, -232, -122, -200), 2.6)
		c.gem(0, -196, 30, 8)
		c.draw(spark(0, -196, 72), ink{fill: c.g.bright, op: 0.85})
	default: // leaf
		c.shaft(-110, 334, 20, 226, 262)
		c.tassel(-104)
		c.doubleEdge(newPath(0, -346).C(30, -300, 68, -250, 64, -196).C(60, -150, 30, -130, 18, -104).L(0, -100))
		socket := newPath(0, -128).L(20, -122).L(14, -66).L(0, -62).sym()
		c.solid(socket, -20, -120, 20, -60)
		c.etch(polyline(-17, -104, 17, -104).add(polyline(-16, -90, 16, -90)), 2.2)
	}
}

func (c *card) bow() {
	arrow := func(y float64) {
		c.group("transform", "rotate(90)")
		shaft := rect(-5, -250, 10, 420)
		c.part(shaft, c.across(shaft, metalOf("wood")))
		c.doubleEdge(newPath(0, -318).L(24, -252).L(9, -258).L(0, -236).mapped(shift(0, y)))
		for i := range 3 {
			v := newPath(0, 110+float64(i)*22).lines(26, 134+float64(i)*22, 26, 154+float64(i)*22, 0, 130+float64(i)*22).sym()
			c.part(v, [3]string{c.g.base, bone, c.g.base}[i])
		}
		c.end()
	}
	limb := ribbon(6, 26, 34, -96, -318, -58, -330, -24, -300, -14, -236, 40, -150, 106, -80, 118, 0)
	full := new(path).add(limb, limb.mapped(matrix{1, 0, 0, -1, 0, 0}))
	strings := new(path)
	for _, x := range []float64{-92, -72, -52} {
		strings.M(x, -300+(x+92)*0.6).L(x-8, 300-(x+92)*0.6)
	}
	c.lumen(strings, 2.6)
	arrow(0)
	c.solid(full, -40, -300, 110, 280)
	c.hatch(full, hatching{angle: 180, gap: 9, w: 4.6, reach: 0.4, colour: c.m.deep, op: 0.8})
	for _, y := range []float64{-1, 1} {
		c.etch(new(path).circle(50, 136*y, 8).circle(12, 188*y, 6).circle(-14, 236*y, 5), 2.6)
	}
	gripp := rect(100, -42, 36, 84)
	c.part(gripp, c.across(gripp, metalOf("wood")))
	c.etch(polyline(100, -26, 136, -32).add(polyline(100, -8, 136, -14), polyline(100, 10, 136, 4), polyline(100, 28, 136, 22)), 3)
	c.gem(118, 0, 15, 4)
}

func (c *card) hammer(form string) {
	if form == "star" {
		c.shaft(-180, 328, 28, 40, 74, 270)
		c.burst(0, -176, 100, 214, 172, 12, 16, 0.2, ink{fill: c.g.base, op: 0.55})
		head := newPath(0, -262).L(70, -262).L(96, -236).L(150, -256).L(172, -236).L(172, -116).L(150, -96).L(96, -116).L(70, -90).L(0, -90).sym()
		c.solid(head, -160, -270, 140, -80)
		c.hatch(newPath(0, -262).L(70, -262).L(96, -236).L(150, -256).L(172, -236).L(172, -116).L(150, -96).L(96, -116).L(70, -90).L(0, -90).Z(),
			hatching{angle: 180, gap: 8, w: 4.6, reach: 0.6, colour: c.m.deep, op: 0.85})
		c.lit(polyline(-172, -236, -150, -256, -96, -236, -70, -262, 70, -262, 96, -236, 150, -256), 3)
		c.etch(new(path).add(polyline(132, -246, 132, -106), polyline(120, -240, 120, -112)).both(), 2.6)
		c.draw(new(path).circle(0, -176, 62), ink{fill: c.m.deep})
		c.lumen(new(path).circle(0, -176, 62), 2.6)
		c.draw(starry(0, -176, 56, 22, 8, 0), ink{fill: c.g.base})
		c.draw(starry(0, -176, 30, 12, 8, 0), ink{fill: c.g.bright})
		return
	}
	c.shaft(-220, 328, 30, 30, 264, 296)
	top := polygon(-150, -268, -118, -300, 158, -300, 126, -268)
	face := polygon(-150, -268, 126, -268, 126, -116, -150, -116)
	side := polygon(126, -268, 158, -300, 158, -146, 126, -116)
	c.part(new(path).add(top, face, side), c.m.dark)
	c.draw(top, ink{fill: c.m.shine})
	c.draw(face, ink{fill: c.linear(-150, -268, 126, -116, c.m.light, c.m.mid)})
	c.draw(side, ink{fill: c.m.dark})
	c.hatch(face, hatching{angle: 200, gap: 9, w: 4.6, reach: 0.42, colour: c.m.dark, op: 0.9})
	c.hatch(side, hatching{angle: 90, gap: 6, w: 3.4, reach: 1, colour: c.m.deep})
	c.etch(polyline(-60, -116, -72, -160, -44, -186, -58, -232).add(polyline(-72, -160, -100, -170)), 3)
	bronze := metalOf("bronze")
	for _, x := range []float64{-122, 74} {
		band := polygon(x, -268, x+32, -300, x+60, -300, x+28, -268, x+28, -116, x, -116)
		c.part(band, c.linear(x, -290, x+40, -120, bronze.light, bronze.mid, bronze.dark))
	}
	c.lumen(starry(-12, -192, 32, 13, 4, 0), 2.8)
}

func (c *card) staff() {
	c.shaft(-120, 334, 22, -70, 60, 290)
	var spiral []float64
	for i := range 30 {
		t := float64(i) / 29
		a := math.Pi + t*3.5*math.Pi
		r := 104 * (1 - t*0.84)
		spiral = append(spiral, 104+r*math.Cos(a)-4, -196+r*math.Sin(a))
	}
	spiral = append([]float64{0, -90, -3, -140}, spiral...)
	crook := ribbon(26, 27, 9, spiral...)
	c.solid(crook, -20, -300, 200, -120)
	c.draw(curve(spiral...), ink{stroke: c.m.deep, w: 10, dash: "2 9", butt: true, op: 0.8})
	c.lit(curve(spiral[:40]...).mapped(shift(-8, -8)), 2)
	c.gem(100, -196, 18, 6)
	for i, y := range []float64{-40, -8} {
		leaf := newPath(8, y).C(40, y-34, 84, y-30, 104, y-4+8*float64(i)).C(76, y+16, 36, y+16, 8, y).Z()
		c.part(leaf, c.linear(8, y, 104, y, c.g.soft, c.g.base))
		c.draw(newPath(12, y).L(88, y-5), ink{stroke: groundBase, w: 2})
	}
}
