package art

import "math"

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

// studs are rivets on a circle.
func (c *card) studs(x, y, r, size float64, n int) {
	c.ring(n, x, y, math.Pi/float64(n), func() {
		c.circle(r, 0, size*0.85, ink{fill: c.m.shine, stroke: c.m.deep, w: size * 0.5})
	})
}

func (c *card) disc(r float64) {
	c.part(new(path).circle(0, 0, r), c.radial(-r*0.35, -r*0.4, r*1.45, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.rim(0, 0, r, r*0.2, 7)
	c.draw(new(path).arc(0, 0, r-3, 2.7, 4.9, true), ink{stroke: c.m.shine, w: 3.4})
	c.draw(new(path).circle(0, 0, r*0.8), ink{stroke: c.m.deep, w: 4})
	c.draw(new(path).circle(0, 0, r*0.78), ink{stroke: c.m.light, w: 1.6})
}

func (c *card) shield() {
	switch c.item.Form {
	case "pelta":
		body := newPath(0, -96).C(50, -96, 104, -130, 140, -210).C(230, -130, 250, 20, 190, 120).C(150, 190, 70, 226, 0, 226).sym()
		c.solid(body, -180, -160, 150, 220)
		c.clip(body)
		weave := new(path)
		for i := range 15 {
			r := 70 + float64(i)*26
			weave.arc(0, -190, r, 0.1, math.Pi-0.1, true)
		}
		c.etch(weave, 2.6)
		ribs := new(path)
		for i := range 15 {
			a := 0.12 + float64(i)*(math.Pi-0.24)/14
			ribs.M(70*math.Cos(a), -190+70*math.Sin(a)).L(440*math.Cos(a), -190+440*math.Sin(a))
		}
		c.draw(ribs, ink{stroke: c.m.deep, w: 2.2, op: 0.6})
		c.end()
		c.hatch(body, hatching{angle: 215, gap: 9, w: 4.4, reach: 0.42, colour: c.m.deep, op: 0.7})
		edge := newPath(0, -96).C(50, -96, 104, -130, 140, -210).C(230, -130, 250, 20, 190, 120).C(150, 190, 70, 226, 0, 226).sym()
		c.draw(edge, ink{stroke: metalOf("bronze").dark, w: 18})
		c.draw(edge, ink{stroke: metalOf("bronze").light, w: 11})
		c.draw(edge, ink{stroke: metalOf("bronze").deep, w: 11, dash: "3 26", butt: true})
		for _, x := range []float64{-1, 1} {
			eye := newPath(36*x, 52).C(60*x, 10, 118*x, 0, 156*x, 22).C(136*x, 74, 80*x, 96, 36*x, 52).Z()
			c.part(eye, bone)
			c.circle(98*x, 44, 26, ink{fill: groundBase})
			c.lumen(new(path).circle(98*x, 44, 15), 4)
		}
		c.draw(newPath(0, 60).L(14, 120).L(0, 132).sym(), ink{fill: c.m.deep})
		return
	case "eye":
		c.disc(222)
		c.studs(0, 0, 198, 6, 26)
		c.burst(0, 0, 118, 168, 150, 12, 40, 0, ink{fill: c.m.dark})
		eye := newPath(-158, 0).C(-90, -106, 90, -106, 158, 0).C(90, 106, -90, 106, -158, 0).Z()
		c.part(eye, bone)
		c.hatch(eye, hatching{angle: 90, gap: 8, w: 3.6, reach: 0.34, colour: c.m.dark, op: 0.8})
		c.part(new(path).circle(0, 0, 72), c.radial(-12, -14, 84, c.g.bright, c.g.base, c.g.soft))
		c.burst(0, 0, 34, 70, 58, 5, 28, 0.1, ink{fill: groundBase, op: 0.55})
		c.circle(0, 0, 31, ink{fill: groundBase})
		c.circle(-13, -15, 9, ink{fill: "#fff"})
		c.draw(newPath(-158, 0).C(-90, -106, 90, -106, 158, 0), ink{stroke: c.m.deep, w: 12})
		c.draw(newPath(-128, -78).C(-70, -136, 70, -136, 128, -78), ink{stroke: c.m.deep, w: 9})
	case "labyrinth":
		c.disc(222)
		c.studs(0, 0, 198, 5, 32)
		c.draw(new(path).circle(0, 0, 166), ink{fill: c.m.deep})
		walls := new(path)
		for i := range 5 {
			r := 46 + float64(i)*28
			gap := float64(i)*2.3 + 0.6
			walls.arc(0, 0, r, gap+16/r, gap+2*math.Pi-16/r, true)
			if i < 4 {
				s, co := math.Sincos(gap - 0.8) // a dead end, off the path
				walls.M(r*co, r*s).L((r+28)*co, (r+28)*s)
			}
		}
		c.draw(walls, ink{stroke: c.m.mid, w: 9})
		c.draw(walls, ink{stroke: c.m.shine, w: 3})
		way := new(path)
		for i := range 5 {
			to := float64(i)*2.3 + 0.6
			way.arc(0, 0, 32+float64(i)*28, to-2.3, to, i == 0)
		}
		s, co := math.Sincos(4*2.3 + 0.6)
		c.lumen(way.M(144*co, 144*s).L(182*co, 182*s), 3)
		c.gem(0, 0, 20, 4)
	case "sun":
		c.burst(0, 0, 190, 286, 250, 26, 24, 0.13, ink{fill: c.m.light})
		c.burst(0, 0, 190, 268, 232, 8, 24, 0.13, ink{fill: c.m.dark})
		c.disc(206)
		c.studs(0, 0, 184, 5, 36)
		c.draw(starry(0, 0, 158, 94, 16, 0.1), ink{fill: c.g.soft})
		c.draw(starry(0, 0, 158, 94, 16, 0.1), ink{stroke: c.g.base, w: 3})
		c.ring(16, 0, 0, 0.08, func() {
			c.draw(ribbon(16, 12, 1, 84, 0, 112, 8, 132, -4, 152, 4), ink{fill: c.g.base})
		})
		face := new(path).circle(0, 0, 92)
		c.part(face, c.radial(-30, -34, 140, c.m.shine, c.m.light, c.m.mid))
		c.rim(0, 0, 92, 30, 6)
		c.etch(new(path).add(
			newPath(16, -18).C(28, -30, 50, -30, 60, -18),
			newPath(18, -4).C(28, -16, 48, -16, 58, -2).C(46, 6, 28, 6, 18, -4),
		).both().add(newPath(-4, -10).C(-4, 10, -14, 20, -12, 26).C(-6, 32, 8, 32, 12, 26),
			curve(-26, 46, -10, 42, 0, 45, 10, 42, 26, 46), curve(-18, 54, 0, 60, 18, 54)), 3.4)
		c.lumen(new(path).circle(37, -4, 5).both(), 2.4)
	default: // rings
		c.disc(222)
		c.studs(0, 0, 198, 6, 24)
		rings := new(path)
		for _, r := range []float64{150, 143, 104, 97} {
			rings.circle(0, 0, r)
		}
		c.etch(rings, 2.6)
		c.ring(20, 0, 0, 0, func() { c.etch(polyline(110, -9, 124, 0, 110, 9), 4) })
		dents := new(path)
		for range 5 {
			a, r := c.d.between(0, 6.28), c.d.between(60, 170)
			x, y := r*math.Cos(a), r*math.Sin(a)
			dents.M(x, y).L(x+c.d.between(-34, 34), y+c.d.between(10, 30))
		}
		c.draw(dents, ink{stroke: c.m.shine, w: 2.4, op: 0.8})
		c.part(new(path).circle(0, 0, 60), c.radial(-22, -24, 84, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.rim(0, 0, 60, 26, 6)
		c.lumen(new(path).circle(0, 0, 26), 3)
	}
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

func (c *card) helm() {
	switch c.item.Form {
	case "horned":
		c.twice(func() {
			horn := ribbon(70, 54, 2, 96, -90, 168, -110, 224, -160, 236, -228, 208, -292)
			c.part(horn, c.linear(100, -90, 220, -290, metalOf("ivory").dark, metalOf("ivory").mid, bone))
			c.clip(horn)
			rings := new(path)
			for i := range 8 {
				x := 118 + 15*float64(i)
				rings.M(x-14, -160-float64(i)*8).L(x+26, -50-float64(i)*18)
			}
			c.draw(rings, ink{stroke: metalOf("ivory").deep, w: 3.4})
			c.end()
		})
		c.visor()
		band := newPath(0, -74).C(60, -74, 118, -62, 146, -40).L(147, -12).C(110, -36, 60, -48, 0, -48).sym()
		c.part(band, metalOf("bronze").mid)
		c.etch(newPath(0, -61).C(60, -61, 112, -50, 140, -30).both(), 2)
		c.gem(0, -62, 17, 4)
	case "crest":
		crest := newPath(-176, 150).C(-246, 60, -244, -120, -150, -216).C(-60, -300, 96, -304, 170, -226).L(128, -176).
			C(70, -220, -40, -214, -104, -146).C(-160, -80, -160, 40, -128, 120).Z()
		c.part(crest, c.linear(-200, -200, 120, 100, c.g.base, c.g.base, c.g.soft))
		c.clip(crest)
		bristles := new(path)
		for i := range 44 {
			a := 2.5 + float64(i)*0.088
			bristles.M(10+120*math.Cos(a), 10+120*math.Sin(a)).L(-6+330*math.Cos(a), -20+330*math.Sin(a))
		}
		c.draw(bristles, ink{stroke: groundBase, w: 3, op: 0.75})
		c.end()
		holder := newPath(-128, 124).C(-164, 40, -162, -84, -104, -150).C(-40, -216, 70, -224, 130, -178).L(116, -160).
			C(64, -200, -32, -192, -90, -134).C(-142, -72, -144, 40, -112, 112).Z()
		c.solid(holder, -150, -160, 100, 100)
		dome := newPath(146, -16).C(150, -120, 86, -178, 4, -176).C(-86, -172, -142, -96, -138, 6).C(-134, 66, -128, 110, -148, 170).L(-92, 186).
			C(-66, 158, -52, 150, -40, 146).C(-16, 150, 4, 196, 24, 236).C(56, 240, 92, 210, 104, 178).C(96, 140, 84, 112, 60, 80).
			C(60, 54, 84, 34, 118, 34).L(130, 96).L(148, 92).Z()
		c.part(dome, c.linear(-110, -170, 110, 220, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.hatch(dome, hatching{angle: 12, gap: 8, w: 4.6, reach: 0.46, colour: c.m.deep, op: 0.8})
		c.lit(newPath(146, -16).C(150, -120, 86, -178, 4, -176).C(-86, -172, -142, -96, -138, 6), 3)
		c.etch(newPath(140, -34).C(90, -66, 20, -60, -24, -14).C(-60, 30, -84, 70, -138, 84), 3)
		c.draw(newPath(142, -24).C(92, -54, 26, -48, -16, -4), ink{stroke: c.m.shine, w: 2})
		scroll := new(path).arc(-34, 42, 34, 0.4, 5.2, true).arc(-30, 42, 16, 4.6, 0.6, false)
		c.etch(scroll, 3.4)
		c.lumen(newPath(68, 62).C(82, 46, 100, 42, 116, 44), 3)
	case "winged":
		c.burst(0, -190, 40, 150, 104, 9, 16, 0, ink{fill: c.g.base, op: 0.6})
		c.twice(func() {
			for i := 4; i >= 0; i-- {
				f := float64(i)
				feather := ribbon(30, 46, 4, 110, -30+f*12, 178+f*4, -70+f*8, 214+f*6, -150+f*32, 214+f*5, -246+f*54)
				c.part(feather, c.linear(120, 0, 220, -240, c.m.dark, c.m.mid, c.m.light, c.m.shine))
				c.etch(curve(128, -34+f*12, 184+f*4, -74+f*8, 214+f*6, -176+f*36), 2)
			}
		})
		c.visor()
		for _, x := range []float64{-1, 1} {
			c.part(new(path).circle(128*x, -26, 28), c.radial(128*x-8, -34, 34, c.m.shine, c.m.light, c.m.dark))
			c.etch(new(path).circle(128*x, -26, 12), 3)
		}
		c.draw(starry(0, -108, 56, 18, 4, -math.Pi/2), ink{fill: c.g.base, stroke: groundBase, w: 6, under: true})
		c.draw(starry(0, -108, 32, 10, 4, -math.Pi/2), ink{fill: c.g.bright})
	default: // cap
		half := newPath(0, -206).C(60, -206, 116, -150, 136, -60).C(150, 0, 152, 70, 150, 130).L(0, 130)
		cone := half.sym()
		c.part(cone, c.linear(-130, -160, 120, 120, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.hatch(new(path).add(half).Z(), hatching{angle: 190, gap: 9, w: 4.6, reach: 0.7, colour: c.m.deep, op: 0.8})
		bands := new(path)
		bands.add(newPath(-9, -206).C(-14, -90, -14, 20, -10, 130).add(newPath(9, -206).C(14, -90, 14, 20, 10, 130)))
		bands.add(newPath(-146, 10).C(-80, 40, 80, 40, 146, 10).add(newPath(-149, 34).C(-80, 64, 80, 64, 149, 34)))
		c.etch(bands, 3)
		rivets := new(path)
		for i := range 4 {
			rivets.circle(0, -160+56*float64(i), 4)
		}
		c.draw(rivets, ink{fill: c.m.shine})
		dent := newPath(-84, -60).C(-70, -78, -50, -76, -40, -58).add(polyline(52, -110, 70, -90))
		c.draw(dent, ink{stroke: c.m.shine, w: 3})
		brim := newPath(0, 120).C(70, 120, 130, 112, 160, 96).C(190, 110, 196, 142, 170, 160).C(110, 186, 50, 190, 0, 190).sym()
		c.solid(brim, -160, 100, 140, 190)
		c.hatch(brim, hatching{angle: 180, gap: 8, w: 4, reach: 0.4, colour: c.m.deep, op: 0.8})
		c.etch(newPath(-176, 138).C(-110, 160, 110, 160, 176, 138), 2.4)
		c.lit(newPath(-160, 96).C(-130, 112, -70, 120, 0, 120), 2.6)
		for _, x := range []float64{-1, 1} {
			cheek := newPath(136*x, 172).C(140*x, 220, 116*x, 262, 84*x, 274).C(72*x, 250, 74*x, 210, 86*x, 178).Z()
			c.part(cheek, metalOf("wood").mid)
			c.draw(new(path).circle(100*x, 240, 6), ink{fill: c.m.light})
		}
		c.part(new(path).circle(0, -212, 20), c.radial(-5, -218, 24, c.m.shine, c.m.light, c.m.dark))
		initials, _ := inscription("T K", 74, -6, 24, 100, 2)
		c.etch(initials, 3)
		c.lumen(new(path).circle(0, 152, 9), 2.6)
	}
}

func (c *card) cuirass() {
	fringe := func(from, to float64, n int, paint func(i int) string) {
		for i := range n {
			w := 2 * from / float64(n)
			x := -from + w*float64(i)
			spread := (x + w/2) / from * (to - from)
			strip := polygon(x+1, 150, x+w-1, 150, x+w-1+spread, 250, x+w/2+spread, 262, x+1+spread, 250)
			c.part(strip, paint(i))
		}
	}
	half := newPath(0, -150).C(24, -150, 44, -168, 54, -206).C(90, -222, 134, -214, 160, -196).C(150, -150, 124, -120, 128, -80).
		C(134, -30, 112, 40, 108, 90).C(110, 130, 124, 150, 132, 176).C(90, 200, 40, 206, 0, 206)
	body := half.sym()
	collar := func() {
		c.draw(newPath(0, -150).C(24, -150, 44, -168, 54, -206).both(), ink{stroke: c.m.deep, w: 10})
		c.draw(newPath(0, -150).C(24, -150, 44, -168, 54, -206).both(), ink{stroke: c.m.shine, w: 4})
	}
	switch c.item.Form {
	case "muscle":
		leather := metalOf("wood")
		fringe(126, 150, 9, func(i int) string { return []string{leather.mid, leather.dark}[i%2] })
		c.part(body, c.linear(-140, -200, 120, 180, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.hatch(new(path).add(half).Z(), hatching{angle: 188, gap: 8, w: 4.6, reach: 0.56, colour: c.m.deep, op: 0.75})
		muscles := new(path).add(
			newPath(4, -34).C(40, -14, 96, -24, 118, -74),
			newPath(14, -18).C(40, 4, 80, 0, 100, -16),
			newPath(8, 32).C(26, 42, 48, 40, 62, 26),
			newPath(8, 82).C(26, 92, 44, 90, 56, 78),
			newPath(8, 126).C(30, 146, 70, 150, 104, 112),
			newPath(70, 4).C(76, 50, 70, 90, 60, 120),
		).both().add(polyline(0, -130, 0, 128))
		c.etch(muscles, 4)
		c.draw(muscles.mapped(shift(3, 4)), ink{stroke: c.m.shine, w: 1.8, op: 0.9})
		c.etch(new(path).circle(58, -50, 5).both(), 3)
		c.etch(new(path).circle(0, 104, 3), 3)
		belt := newPath(0, 176).C(44, 176, 94, 170, 130, 152).L(136, 178).C(94, 202, 44, 208, 0, 208).sym()
		c.solid(belt, -120, 150, 120, 210)
		c.etch(meander(-66, 184, 3.4, 8), 1.8)
		collar()
		c.burst(0, -92, 12, 46, 34, 6, 16, 0, ink{fill: c.g.base})
		c.lumen(new(path).circle(0, -92, 13), 2.6)
		c.lit(newPath(-160, -196).C(-150, -150, -124, -120, -128, -80).C(-134, -30, -112, 40, -108, 90), 3)
	case "scale":
		fringe(126, 152, 9, func(i int) string { return []string{c.m.dark, c.m.mid}[i%2] })
		c.part(body, c.linear(-130, -180, 120, 190, c.m.light, c.m.mid, c.m.dark))
		c.clip(body)
		edge, shade := new(path), new(path)
		for row := range 17 {
			y := -226 + 27*float64(row)
			for col := range 9 {
				x := -170 + 40*float64(col) + 20*float64(row%2)
				edge.M(x, y).C(x, y+24, x+8, y+36, x+20, y+42).C(x+32, y+36, x+40, y+24, x+40, y)
				shade.M(x+21, y+40).L(x+21, y+14)
			}
		}
		c.etch(edge, 5)
		c.draw(edge.mapped(shift(0, -3)), ink{stroke: c.m.shine, w: 1.5, op: 0.9})
		c.draw(shade, ink{stroke: c.m.deep, w: 2, op: 0.6})
		c.end()
		c.hatch(new(path).add(half).Z(), hatching{angle: 188, gap: 8, w: 4.6, reach: 0.5, colour: c.m.deep, op: 0.75})
		collar()
		for _, x := range []float64{-1, 1} {
			pad := newPath(54*x, -206).C(90*x, -236, 150*x, -228, 176*x, -180).C(170*x, -160, 150*x, -150, 140*x, -150).
				C(130*x, -180, 100*x, -196, 60*x, -190).Z()
			c.solid(pad, -100, -230, 170, -150)
			c.lit(newPath(54*x, -206).C(90*x, -236, 150*x, -228, 176*x, -180), 2.4)
		}
		river := new(path)
		for i := range 3 {
			y := -70 + 34*float64(i)
			river.add(curve(-66, y, -44, y-18, -22, y, 0, y+18, 22, y, 44, y-18, 66, y))
		}
		c.draw(river, ink{stroke: groundBase, w: 17})
		c.lumen(river, 3.6)
		c.draw(spark(0, -118, 26), ink{fill: c.g.bright, stroke: groundBase, w: 6, under: true})
	default: // linen
		fringe(130, 152, 11, func(i int) string { return []string{c.m.light, c.m.mid}[i%2] })
		c.part(body, c.linear(-140, -200, 120, 180, c.m.shine, c.m.light, c.m.mid))
		c.hatch(new(path).add(half).Z(), hatching{angle: 188, gap: 10, w: 4, reach: 0.5, colour: c.m.dark, op: 0.8})
		red := metalOf("terracotta")
		for _, x := range []float64{-1, 1} {
			yoke := newPath(54*x, -210).L(130*x, -214).L(112*x, -96).L(60*x, -78).Z()
			c.part(yoke, c.linear(0, -210, 120*x, -80, red.light, red.mid))
			c.draw(starry(90*x, -130, 18, 8, 8, 0), ink{fill: bone})
			c.etch(polyline(66*x, -196, 120*x, -200), 2)
		}
		stitch := new(path)
		for i := range 4 {
			y := -40 + 46*float64(i)
			stitch.M(-112, y).L(112, y)
		}
		c.draw(stitch, ink{stroke: c.m.dark, w: 2.4, dash: "9 9"})
		band := newPath(0, 50).C(50, 50, 90, 46, 112, 40).L(110, 86).C(90, 92, 50, 96, 0, 96).sym()
		c.part(band, red.mid)
		c.draw(meander(-96, 60, 5.2, 7), ink{stroke: bone, w: 2.4})
		collar()
		c.lumen(newPath(-60, -78).L(0, -40).L(60, -78), 3)
		c.part(new(path).circle(0, -40, 12), c.g.base)
	}
}
