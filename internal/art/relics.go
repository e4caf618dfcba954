package art

import "math"

// Jewels, vessels and relics, upright around the origin.

// chain is a run of links along a line.
func (c *card) chain(p *path) {
	c.draw(p, ink{stroke: groundBase, w: 18})
	c.draw(p, ink{stroke: c.m.dark, w: 9})
	c.draw(p, ink{stroke: c.m.light, w: 9, dash: "11 5", butt: true})
	c.draw(p, ink{stroke: c.m.deep, w: 2.6, dash: "5 11", butt: true})
}

func (c *card) amulet() {
	c.chain(newPath(-150, -300).C(-130, -180, -70, -110, 0, -84).C(70, -110, 130, -180, 150, -300))
	switch c.item.Form {
	case "crescent":
		c.part(new(path).circle(0, -72, 20), c.m.mid)
		c.circle(0, -72, 9, ink{fill: groundBase})
		moon := new(path).arc(0, 90, 156, -0.9, math.Pi+0.9, true).arc(0, 46, 126, math.Pi+0.62, -0.62, false).Z()
		c.part(moon, c.linear(-150, 0, 140, 230, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.hatch(moon, hatching{angle: 214, gap: 8, w: 4.6, reach: 0.5, colour: c.m.deep, op: 0.8})
		c.lit(new(path).arc(0, 90, 154, 1.7, math.Pi+0.9, true), 3)
		link := newPath(0, -56).L(10, -40).L(7, 0).L(0, 10).sym()
		c.solid(link, -10, -50, 10, 0)
		drop := newPath(0, -6).C(24, 34, 54, 66, 54, 104).C(54, 140, 30, 160, 0, 160).sym()
		c.circle(0, 90, 120, ink{fill: c.radial(0, 90, 120, faded(c.g.base, 0.5), faded(c.g.base, 0))})
		c.part(drop, c.radial(-16, 80, 90, c.g.bright, c.g.base, c.g.soft))
		waves := new(path)
		for i := range 3 {
			y := 84 + 24*float64(i)
			waves.add(curve(-52, y+5, -26, y-9, 0, y+5, 26, y-9, 52, y+5))
		}
		c.clip(drop)
		c.draw(waves, ink{stroke: groundBase, w: 4, op: 0.8})
		c.end()
		c.draw(newPath(-18, 50).C(-34, 72, -38, 90, -36, 108), ink{stroke: "#fff", w: 4, op: 0.8})
		c.etch(new(path).circle(104, 168, 5).circle(66, 200, 5).circle(-104, 168, 5).circle(-66, 200, 5).circle(0, 218, 6), 3)
	case "star":
		c.burst(0, 84, 120, 232, 180, 10, 32, 0.1, ink{fill: c.g.base, op: 0.5})
		setting := starry(0, 84, 168, 116, 8, -math.Pi/2)
		c.part(setting, c.linear(-140, -40, 140, 220, metalOf("gold").shine, metalOf("gold").light, metalOf("gold").mid, metalOf("gold").dark))
		c.draw(starry(0, 84, 150, 104, 8, -math.Pi/2), ink{stroke: metalOf("gold").deep, w: 3})
		rock := polygon(-60, -4, 8, -24, 70, 6, 92, 76, 66, 150, 4, 184, -62, 164, -92, 96)
		c.part(rock, c.radial(-24, 40, 160, c.m.light, c.m.mid, c.m.dark))
		core := polygon(0, 40, 30, 22, 54, 44, 46, 86, 0, 136, -46, 86, -54, 44, -30, 22)
		cracks := new(path).add(
			polyline(54, 44, 70, 6), polyline(46, 86, 92, 76), polyline(0, 136, 4, 184),
			polyline(-46, 86, -92, 96), polyline(-54, 44, -60, -4), polyline(0, 40, 8, -24),
			polyline(24, 110, 66, 150), polyline(-24, 110, -62, 164))
		c.lumen(cracks, 3)
		c.draw(core, ink{fill: c.radial(0, 70, 70, "#ffffff", c.g.bright, c.g.base)})
		c.draw(polyline(-30, 22, -18, 74, 0, 136, 18, 74, 30, 22).
			add(polyline(-54, 44, -18, 74, 18, 74, 54, 44), polyline(-18, 74, 0, 40, 18, 74)), ink{stroke: c.g.soft, w: 2.6})
		c.part(new(path).circle(0, -78, 18), metalOf("gold").mid)
		c.circle(0, -78, 8, ink{fill: groundBase})
	default: // eye
		body := new(path).circle(0, 90, 162)
		c.part(new(path).circle(0, -80, 30), c.m.mid)
		c.circle(0, -82, 13, ink{fill: groundBase})
		c.part(body, c.radial(-50, 30, 230, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.rim(0, 90, 162, 50, 8)
		c.etch(new(path).circle(0, 90, 136), 3)
		c.ring(24, 0, 90, 0, func() { c.circle(149, 0, 4, ink{fill: c.m.deep}) })
		c.part(new(path).circle(0, 90, 108), bone)
		c.draw(new(path).circle(0, 90, 80), ink{fill: mix(metalOf("verdigris").mid, groundBase, 0.2)})
		c.draw(new(path).circle(0, 90, 52), ink{fill: metalOf("verdigris").light})
		c.draw(new(path).circle(0, 90, 30), ink{fill: groundBase})
		c.hatch(new(path).circle(0, 90, 108), hatching{angle: 225, gap: 9, w: 4, reach: 0.42, colour: c.m.deep, op: 0.6})
		c.circle(-16, 74, 11, ink{fill: "#fff"})
		c.draw(polyline(120, -10, 100, 24, 116, 44, 92, 70), ink{stroke: c.m.deep, w: 4})
	}
}

func (c *card) fingerRing() {
	if c.item.Form == "serpent" {
		var body []float64
		for i := range 34 {
			t := float64(i) / 33
			a := -2.0 + t*5.75
			body = append(body, 178*math.Cos(a), 30+178*math.Sin(a))
		}
		coil := ribbon(8, 62, 58, body...)
		c.part(coil, c.linear(-200, -150, 190, 220, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.clip(coil)
		scales := new(path)
		for i := range 62 {
			a := -2.0 + float64(i)*0.0935
			for j := range 3 {
				r := 162 + 17*float64(j)
				x, y := r*math.Cos(a+0.046*float64(j%2)), 30+r*math.Sin(a+0.046*float64(j%2))
				scales.add(polyline(-7, -7, 4, 0, -7, 7).mapped(placed(x, y, 1, a+math.Pi/2)))
			}
		}
		c.etch(scales, 2.2)
		c.end()
		shadow := new(path)
		for i := range 5 {
			shadow.arc(0, 30, 152+6*float64(i), 0.1, 2.2, true)
		}
		c.draw(shadow, ink{stroke: c.m.deep, w: 2.6, op: 0.8})
		lie := placed(-140, -84, 1.05, 0.66) // along the coil, towards the tail
		head := newPath(0, -92).C(22, -92, 36, -70, 38, -40).C(64, -22, 68, 24, 46, 56).C(38, 72, 20, 80, 0, 80).sym().mapped(lie)
		c.part(head, c.linear(-200, -160, -90, 0, c.m.shine, c.m.light, c.m.mid))
		c.etch(new(path).add(newPath(0, -60).C(16, -40, 20, 0, 14, 40), newPath(30, 8).C(44, 20, 44, 40, 32, 56), newPath(8, -82).L(12, -72)).
			both().mapped(lie), 3)
		c.draw(newPath(22, -40).C(36, -36, 44, -20, 38, -6).C(28, -12, 22, -24, 22, -40).Z().both().mapped(lie), ink{fill: groundBase})
		c.lumen(newPath(28, -30).L(36, -14).both().mapped(lie), 3.4)
		c.draw(spark(0, 30, 74), ink{fill: c.g.base, op: 0.9})
		c.draw(spark(0, 30, 34), ink{fill: c.g.bright})
		c.circle(0, 30, 110, ink{stroke: c.g.base, w: 1.6, op: 0.6, dash: "2 9"})
		return
	}
	band := new(path).ellipse(0, 110, 172, 176)
	hole := new(path).ellipse(0, 118, 126, 132)
	back := new(path).ellipse(0, 128, 140, 146)
	c.part(band, c.linear(-170, -60, 150, 260, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(band, hatching{angle: 205, gap: 9, w: 5, reach: 0.5, colour: c.m.deep, op: 0.8})
	c.draw(back, ink{fill: c.m.deep})
	c.draw(new(path).arc(0, 128, 134, 0.2, 2.9, true), ink{stroke: c.m.mid, w: 14})
	c.draw(hole, ink{fill: c.radial(0, 118, 140, mix(c.g.soft, groundBase, 0.35), groundBase)})
	c.draw(hole, ink{stroke: c.m.light, w: 2.4})
	c.lit(new(path).arc(0, 110, 172, 2.6, 4.0, true), 3)
	for _, x := range []float64{-1, 1} {
		leaf := newPath(150*x, 30).C(130*x, -10, 110*x, -60, 70*x, -84).L(60*x, -30).C(90*x, -10, 120*x, 10, 150*x, 30).Z()
		c.solid(leaf, -120, -80, 140, 20)
		c.etch(newPath(140*x, 20).C(116*x, -20, 96*x, -44, 68*x, -64), 2.4)
	}
	bezel := newPath(0, -214).C(76, -214, 124, -176, 124, -126).C(124, -76, 76, -34, 0, -34).sym()
	c.part(bezel, c.linear(-110, -200, 100, -50, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(bezel, hatching{angle: 200, gap: 8, w: 4.4, reach: 0.3, colour: c.m.deep, op: 0.8})
	face := new(path).ellipse(0, -124, 94, 66)
	c.draw(face, ink{fill: c.m.deep})
	c.draw(face, ink{stroke: c.m.shine, w: 2.4})
	flame := newPath(0, -178).C(12, -150, 40, -138, 36, -106).C(34, -84, 18, -74, 0, -74).sym()
	c.lumen(flame, 2.6)
	c.draw(newPath(4, -140).C(8, -122, 22, -116, 18, -98).C(14, -86, 6, -84, 0, -84).sym(), ink{fill: c.g.base})
	c.draw(new(path).ellipse(0, -124, 108, 79), ink{stroke: c.m.deep, w: 6, dash: "1 13"})
}

func (c *card) potion() {
	cork := func(y, w float64) {
		wood := metalOf("wood")
		plug := polygon(-w, y-40, w, y-40, w*0.84, y+14, -w*0.84, y+14)
		c.part(plug, c.across(plug, wood))
		c.draw(new(path).circle(-w*0.3, y-20, 2).circle(w*0.4, y-26, 2).circle(w*0.1, y-10, 2), ink{fill: wood.deep})
	}
	switch c.item.Form {
	case "amphora":
		c.twice(func() {
			handle := ribbon(24, 22, 26, 44, -206, 108, -232, 140, -176, 112, -88)
			c.solid(handle, 60, -230, 130, -100)
			c.etch(curve(52, -206, 106, -226, 132, -176, 108, -98), 2.2)
		})
		half := newPath(0, -272).L(56, -272).C(62, -262, 62, -252, 54, -246).C(40, -226, 40, -190, 44, -160).C(60, -128, 150, -100, 150, -10).
			C(150, 90, 76, 190, 44, 236).L(44, 246).L(70, 272).L(0, 272)
		body := half.sym()
		c.part(body, c.linear(-140, -150, 140, 150, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.clip(body)
		c.draw(rect(-160, -122, 320, 18).add(rect(-160, 76, 320, 16), rect(-160, 116, 320, 8), rect(-160, 236, 320, 50),
			rect(-70, -280, 140, 28)), ink{fill: c.m.deep})
		c.draw(meander(-150, -92, 6, 10), ink{stroke: c.m.deep, w: 3.6})
		c.burst(0, 330, 92, 200, 200, 22, 26, 0.05, ink{fill: c.m.deep})
		// Two runners, apart, in black-figure style.
		for _, x := range []float64{-78, 62} {
			c.place(x, 6, 1, 0)
			c.draw(new(path).circle(8, -46, 11).add(
				polygon(-10, -34, 12, -34, 8, 10, -12, 10),
				ribbon(10, 8, 5, 6, -28, 26, -14, 40, -26), ribbon(10, 8, 5, -6, -28, -26, -18, -36, 0),
				ribbon(16, 12, 5, 2, 8, 26, 24, 14, 48, 26, 60), ribbon(16, 12, 5, -8, 8, -22, 32, -46, 34, -54, 44)), ink{fill: c.m.deep})
			c.draw(polyline(14, -50, 22, -52).add(polyline(-6, -20, 8, -20)), ink{stroke: c.m.light, w: 2})
			c.end()
		}
		c.end()
		c.hatch(new(path).add(half).Z(), hatching{angle: 182, gap: 9, w: 4.6, reach: 0.55, colour: c.m.deep, op: 0.7})
		c.draw(newPath(-132, -40).C(-142, 10, -126, 80, -96, 128), ink{stroke: c.m.shine, w: 5, op: 0.8})
		c.circle(0, -290, 70, ink{fill: c.radial(0, -290, 70, faded(c.g.base, 0.6), faded(c.g.base, 0))})
		c.lumen(curve(-10, -282, -16, -304, 2, -322, -6, -342).add(curve(18, -280, 26, -298, 16, -312, 22, -326)), 2.6)
	case "vial":
		half := newPath(0, -210).L(44, -210).L(44, -150).L(96, -60).L(96, 140).L(0, 262)
		glass := half.sym()
		c.circle(0, 60, 210, ink{fill: c.radial(0, 60, 210, faded(c.g.base, 0.5), faded(c.g.base, 0))})
		c.part(glass, c.linear(-90, -150, 90, 200, c.m.mid, c.m.dark, c.m.deep))
		liquid := newPath(0, -30).L(80, -30).L(84, 132).L(0, 240).sym()
		c.draw(liquid, ink{fill: c.linear(0, -30, 0, 240, c.g.bright, c.g.base, c.g.base, c.g.soft)})
		c.hatch(newPath(0, -30).L(80, -30).L(84, 132).L(0, 240).Z(), hatching{angle: 180, gap: 9, w: 4.6, reach: 0.8, colour: c.g.soft, op: 0.8})
		facets := polyline(-96, -60, 0, -30, 96, -60).add(polyline(0, -30, 0, 262), polyline(-96, 140, 0, 170, 96, 140),
			polyline(-44, -150, 0, -140, 44, -150))
		c.draw(facets, ink{stroke: c.m.shine, w: 2.4, op: 0.85})
		c.draw(glass, ink{stroke: c.m.shine, w: 3.4})
		c.draw(polygon(-84, -44, -62, -36, -62, 120, -84, 126), ink{fill: "#fff", op: 0.5})
		for _, y := range []float64{-198, -166} {
			band := polygon(-52, y, 52, y, 52, y+18, -52, y+18)
			c.part(band, c.across(band, metalOf("gold")))
		}
		stopper := newPath(0, -310).L(30, -270).L(24, -212).L(0, -206).sym()
		c.part(stopper, c.linear(-30, -300, 30, -210, c.m.shine, c.m.light, c.m.mid))
		c.draw(polyline(0, -310, 0, -206).add(polyline(-30, -270, 0, -256, 30, -270)), ink{stroke: c.m.dark, w: 2.4})
		c.draw(spark(34, 60, 22).add(spark(-30, 130, 13), spark(18, 0, 10)), ink{fill: "#fff"})
	default: // flask
		half := newPath(0, -196).L(44, -196).L(40, -120).C(42, -80, 166, -40, 166, 84).C(166, 180, 96, 240, 0, 240)
		body := half.sym()
		c.part(body, c.radial(-60, 30, 270, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.rim(0, 80, 164, 60, 8)
		c.clip(body)
		zig := new(path)
		for i := range 17 {
			x := -170 + 20*float64(i)
			zig.add(polyline(x, 24, x+10, 6, x+20, 24))
		}
		c.etch(zig.add(polyline(-180, -2, 180, -2), polyline(-180, 32, 180, 32), polyline(-180, 146, 180, 146),
			polyline(-180, 154, 180, 154)), 3.6)
		c.end()
		drop := newPath(0, 48).C(14, 70, 34, 84, 34, 106).C(34, 126, 18, 136, 0, 136).sym()
		c.lumen(drop, 3)
		c.draw(newPath(-140, 40).C(-156, 90, -140, 150, -104, 190), ink{stroke: c.m.shine, w: 5, op: 0.8})
		cork(-200, 34)
		lip := rect(-54, -204, 108, 24)
		c.part(lip, c.across(lip, c.m))
		rope := curve(-44, -128, -20, -118, 20, -118, 44, -128)
		c.draw(rope, ink{stroke: groundBase, w: 15})
		c.draw(rope, ink{stroke: metalOf("ivory").mid, w: 9})
		c.draw(rope, ink{stroke: metalOf("ivory").deep, w: 9, dash: "2 6", butt: true})
		tag := polygon(30, -124, 74, -96, 96, -40, 58, -26, 30, -80)
		c.part(tag, metalOf("ivory").light)
		c.draw(polyline(52, -82, 72, -48).add(polyline(62, -88, 82, -54)), ink{stroke: metalOf("ivory").dark, w: 2.4})
	}
}

func (c *card) relic() {
	switch c.item.Form {
	case "mask":
		half := newPath(0, -236).C(90, -240, 160, -180, 164, -70).C(168, 40, 140, 140, 90, 196).C(60, 230, 30, 240, 0, 240)
		face := half.sym()
		c.part(face, c.linear(-150, -200, 130, 220, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.hatch(new(path).add(half).Z(), hatching{angle: 190, gap: 8, w: 4.8, reach: 0.62, colour: c.m.deep, op: 0.8})
		// The left half laughs, the right half weeps.
		c.draw(newPath(-116, -40).C(-96, -84, -50, -84, -30, -40).C(-56, -58, -92, -58, -116, -40).Z(), ink{fill: groundBase})
		c.draw(newPath(30, -52).C(52, -20, 96, -16, 118, -46).C(98, -62, 52, -68, 30, -52).Z(), ink{fill: groundBase})
		c.draw(newPath(-132, -90).C(-104, -136, -56, -136, -24, -96).add(newPath(24, -110).C(60, -116, 104, -110, 134, -76)),
			ink{stroke: c.m.deep, w: 9})
		nose := newPath(-6, -60).C(-14, 0, -34, 40, -28, 60).C(-10, 74, 12, 74, 30, 60).C(36, 40, 14, 0, 8, -60)
		c.etch(nose, 4)
		mouth := newPath(-100, 84).C(-80, 104, -40, 112, 0, 112).C(40, 112, 74, 126, 96, 160).C(60, 152, 40, 152, 0, 176).
			C(-50, 200, -100, 150, -100, 84).Z()
		c.draw(mouth, ink{fill: groundBase})
		c.draw(mouth, ink{stroke: c.m.deep, w: 4})
		c.draw(newPath(-84, 106).C(-60, 122, -30, 126, 0, 126).C(0, 140, -54, 138, -84, 106).Z(), ink{fill: c.m.light})
		c.etch(newPath(-122, 40).C(-136, 70, -134, 110, -118, 136).add(newPath(122, 60).C(132, 96, 126, 130, 112, 156)), 3.4)
		tear := newPath(74, -22).C(84, 10, 96, 30, 92, 52).C(88, 66, 64, 66, 60, 52).C(56, 34, 68, 8, 74, -22).Z()
		c.draw(tear, ink{fill: c.g.base})
		c.lumen(tear, 2)
		for i := range 11 {
			a := math.Pi + 0.22 + float64(i)*(math.Pi-0.44)/10
			x, y := 150*math.Cos(a), -74+168*math.Sin(a)
			curl := new(path).circle(x, y, 32)
			c.part(curl, c.radial(x-8, y-8, 40, c.m.light, c.m.mid, c.m.dark))
			c.etch(new(path).arc(x, y, 18, a, a+4.6, true).arc(x, y, 8, a+4.2, a+7, true), 3)
		}
		c.lumen(new(path).add(newPath(-92, -52).C(-80, -60, -64, -60, -54, -52)), 2.4)
	case "astrolabe":
		gear := new(path)
		n := 40
		for i := range n {
			a := 2 * math.Pi * float64(i) / float64(n)
			for j, r := range []float64{200, 222, 222, 200} {
				s, co := math.Sincos(a + float64(j)*2*math.Pi/float64(n)/4.6)
				if i == 0 && j == 0 {
					gear.M(r*co, r*s)
				} else {
					gear.L(r*co, r*s)
				}
			}
		}
		gear.Z()
		c.part(gear, c.radial(-80, -90, 330, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.rim(0, 0, 204, 40, 7)
		c.draw(new(path).circle(0, 0, 160), ink{fill: c.m.deep})
		c.circle(0, 0, 180, ink{stroke: c.m.deep, w: 16, dash: "2 13.7", butt: true})
		c.etch(new(path).circle(0, 0, 190).circle(0, 0, 168), 2.6)
		// Spokes, the eccentric zodiac ring and the inner wheel.
		spokes := new(path)
		for i := range 4 {
			spokes.add(rect(-12, -164, 24, 328).mapped(placed(0, 0, 1, 0.35+float64(i)*math.Pi/4)))
		}
		c.part(spokes, c.m.mid)
		c.draw(new(path).circle(18, -28, 104), ink{stroke: groundBase, w: 32})
		c.draw(new(path).circle(18, -28, 104), ink{stroke: c.linear(-90, -130, 120, 80, c.m.shine, c.m.light, c.m.mid), w: 24})
		c.draw(new(path).circle(18, -28, 104), ink{stroke: c.m.deep, w: 18, dash: "2 16", butt: true})
		small := new(path)
		for i := range 18 {
			small.add(rect(-6, -62, 12, 20).mapped(placed(-48, 44, 1, 2*math.Pi*float64(i)/18)))
		}
		c.part(small.circle(-48, 44, 48), c.linear(-100, 0, 0, 90, c.m.shine, c.m.light, c.m.mid))
		c.draw(new(path).circle(-48, 44, 30), ink{fill: c.m.deep})
		c.etch(new(path).circle(-48, 44, 40), 2.4)
		c.draw(starry(-48, 44, 26, 10, 6, 0.3), ink{fill: c.m.light})
		hand := newPath(0, -206).L(14, -150).L(8, 120).L(0, 150).sym().mapped(placed(0, 0, 1, 0.7))
		c.part(hand, c.g.base)
		c.draw(hand, ink{stroke: c.g.bright, w: 2})
		c.gem(0, 0, 24, 8)
		ringTop := new(path).circle(0, -252, 30)
		c.draw(ringTop, ink{stroke: groundBase, w: 24})
		c.draw(ringTop, ink{stroke: c.m.mid, w: 14})
		c.draw(ringTop, ink{stroke: c.m.light, w: 6})
	case "hourglass":
		glass := newPath(0, -200).L(120, -200).C(120, -90, 22, -60, 18, 0).C(22, 60, 120, 90, 120, 200).L(0, 200).sym()
		c.circle(0, 0, 240, ink{fill: c.radial(0, 0, 240, faded(c.g.base, 0.45), faded(c.g.base, 0))})
		c.part(glass, c.linear(-120, -200, 120, 200, "#1d2a2c", "#0c1416", "#16201f"))
		// The sand falls upward.
		c.draw(newPath(0, -190).L(108, -190).C(104, -130, 60, -92, 30, -64).C(16, -84, 8, -92, 0, -96).sym(),
			ink{fill: c.linear(0, -190, 0, -60, c.g.bright, c.g.base)})
		c.draw(newPath(0, 150).C(50, 156, 90, 172, 108, 190).L(0, 190).sym(), ink{fill: c.g.base})
		c.lumen(polyline(0, 146, 0, -92), 3)
		grains := new(path)
		for range 26 {
			x, y := c.d.between(-40, 40), c.d.between(-70, 130)
			if math.Abs(x) > 10+math.Abs(y)*0.35 {
				x *= 0.3
			}
			grains.M(x, y).L(x, y)
		}
		c.draw(grains, ink{stroke: c.g.bright, w: 4})
		c.draw(glass, ink{stroke: "#dfeeea", w: 3, op: 0.85})
		c.draw(newPath(-100, -180).C(-100, -110, -50, -80, -32, -44).add(newPath(-100, 180).C(-98, 130, -70, 100, -48, 76)),
			ink{stroke: "#fff", w: 5, op: 0.6})
		for _, x := range []float64{-150, 150} {
			post := newPath(x-10, -210).C(x-20, -100, x+8, -60, x-8, 0).C(x+8, 60, x-20, 100, x-10, 210).L(x+10, 210).C(x+20, 100, x-8, 60, x+8, 0).
				C(x-8, -60, x+20, -100, x+10, -210).Z()
			c.part(post, c.across(post, c.m))
			c.part(new(path).circle(x, 0, 17), c.radial(x-5, -5, 22, c.m.shine, c.m.light, c.m.dark))
		}
		for _, y := range []float64{-1, 1} {
			cap := newPath(0, 200*y).L(184, 200*y).L(196, 222*y).L(176, 250*y).L(110, 258*y).L(96, 282*y).L(0, 282*y).sym()
			c.solid(cap, -170, 200*y-30, 150, 200*y+60)
			c.hatch(cap, hatching{angle: 180, gap: 8, w: 4, reach: 0.36, colour: c.m.deep, op: 0.8})
			c.etch(meander(-150, 225*y-10, 4, 15), 2)
		}
		c.gem(0, -268, 13, 4)
	case "crown":
		c.burst(0, -40, 150, 300, 232, 11, 36, 0.05, ink{fill: c.g.base, op: 0.5})
		back := newPath(-170, 80).C(-120, 40, 120, 40, 170, 80).L(170, 130).L(-170, 130).Z()
		c.part(back, c.m.deep)
		half := newPath(0, -214).L(34, -110).L(66, -30).L(92, -70).L(112, -160).L(136, -60).L(160, -10).L(188, -96).L(196, 96).
			C(140, 140, 60, 154, 0, 154)
		crown := half.sym()
		c.part(crown, c.linear(-180, -160, 160, 150, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.hatch(new(path).add(half).Z(), hatching{angle: 186, gap: 8, w: 4.8, reach: 0.5, colour: c.m.deep, op: 0.8})
		c.lit(polyline(-188, -96, -160, -10, -136, -60, -112, -160, -92, -70, -66, -30, -34, -110, 0, -214), 3)
		band := newPath(0, 92).C(60, 92, 140, 78, 195, 38).L(197, 104).C(140, 146, 60, 160, 0, 160).sym()
		c.solid(band, -180, 40, 160, 170)
		c.etch(newPath(0, 104).C(60, 104, 138, 90, 192, 52).both().add(newPath(0, 148).C(60, 148, 138, 134, 194, 94).both()), 2.6)
		for i, q := range []point{{0, -214}, {112, -160}, {-112, -160}, {188, -96}, {-188, -96}} {
			c.part(new(path).circle(q.x, q.y, 15), c.radial(q.x-4, q.y-4, 18, c.m.shine, c.m.light, c.m.mid))
			if i == 0 {
				c.draw(spark(q.x, q.y, 46), ink{fill: c.g.bright})
			}
		}
		c.gem(0, 124, 24, 8)
		c.gem(86, 112, 14, 4)
		c.gem(-86, 112, 14, 4)
		c.gem(156, 84, 10, 4)
		c.gem(-156, 84, 10, 4)
		c.draw(newPath(0, -150).L(22, -72).L(0, 10).L(-22, -72).Z(), ink{fill: c.g.soft, stroke: c.g.base, w: 3})
		c.lumen(polyline(0, -120, 0, -16), 2)
	default: // lyre
		c.twice(func() {
			arm := ribbon(54, 32, 20, 70, 120, 142, 40, 136, -80, 96, -160, 118, -250, 158, -268)
			c.part(arm, c.linear(60, -240, 150, 120, c.m.shine, c.m.light, c.m.mid))
			c.hatch(arm, hatching{angle: 180, gap: 8, w: 4.4, reach: 0.34, colour: c.m.deep, op: 0.75})
			c.etch(curve(84, 100, 138, 30, 130, -80, 94, -158), 2.4)
		})
		bar := rect(-136, -214, 272, 26)
		c.part(bar, c.linear(0, -214, 0, -188, c.m.shine, c.m.light, c.m.dark))
		strings := new(path)
		for i := range 6 {
			x := -54 + 18*float64(i)
			strings.M(x*1.3, -200).L(x, 150)
		}
		c.lumen(strings, 1.8)
		broken := curve(70, -200, 74, -150, 62, -110, 84, -84)
		c.lumen(broken, 1.8)
		shell := newPath(0, 70).C(60, 70, 100, 84, 128, 76).C(150, 150, 96, 258, 0, 262).sym()
		c.part(shell, c.radial(-40, 130, 190, c.m.light, c.m.mid, c.m.dark))
		c.clip(shell)
		plates := new(path)
		for i := range 3 {
			x := -60 + 60*float64(i)
			plates.add(regular(x, 132, 34, 6, 0), regular(x-30, 190, 34, 6, 0), regular(x+30, 250, 34, 6, 0))
		}
		c.etch(plates, 3.4)
		c.end()
		c.hatch(shell, hatching{angle: 215, gap: 8, w: 4.6, reach: 0.45, colour: c.m.deep, op: 0.75})
		bridge := polygon(-70, 112, 70, 112, 60, 128, -60, 128)
		c.part(bridge, c.m.dark)
		knobs := new(path)
		for i := range 7 {
			knobs.circle(-70+23.4*float64(i), -201, 7)
		}
		c.draw(knobs, ink{fill: c.m.dark})
	}
}
