package art

import (
	"math"
	"strings"
)

// bolt is a zigzag of lightning between two points, thin at the far end.
func (c *card) bolt(x0, y0, x1, y1 float64, joints int, sway float64) *path {
	p := newPath(x0, y0)
	length := math.Hypot(x1-x0, y1-y0)
	nx, ny := -(y1-y0)/length, (x1-x0)/length
	for i := 1; i <= joints; i++ {
		t := float64(i) / float64(joints+1)
		k := sway * c.d.between(0.5, 1)
		if i%2 == 0 {
			k = -k
		}
		p.L(x0+(x1-x0)*t+nx*k, y0+(y1-y0)*t+ny*k)
	}
	return p.L(x1, y1)
}

// laurel is a half wreath: leaves in pairs along an arc.
func laurel(cx, cy, r, from, to float64, n int, size float64) *path {
	p := new(path)
	for i := range n {
		a := from + (to-from)*(float64(i)+0.5)/float64(n)
		dir := 1.0
		if to < from {
			dir = -1
		}
		for _, side := range []float64{-1, 1} {
			leaf := newPath(0, 0).C(size*0.3, -size*0.36, size*0.8, -size*0.3, size, 0).C(size*0.8, size*0.24, size*0.3, size*0.24, 0, 0).Z()
			s, co := math.Sincos(a)
			p.add(leaf.mapped(placed(cx+r*co, cy+r*s, 1, a+dir*(math.Pi/2+side*0.62))))
		}
	}
	return p
}

func (c *card) piggyBank() {
	form := c.item.Form
	vip := strings.Contains(form, "laurel") || form == "starred"
	leg := func(x float64, far bool) {
		p := newPath(x-34, 96).L(x+34, 96).L(x+26, 216).L(x-26, 216).Z()
		if far {
			c.part(p, c.m.dark)
			return
		}
		c.part(p, c.across(p, c.m))
		c.etch(polyline(x-26, 194, x+26, 194).add(polyline(x, 196, x, 214)), 3)
	}
	leg(-86, true)
	leg(150, true)
	tail := curve(186, -20, 224, -34, 232, -66, 206, -76, 196, -52, 220, -38, 246, -58)
	c.draw(tail, ink{stroke: groundBase, w: 24})
	c.draw(tail, ink{stroke: c.m.mid, w: 13})
	c.draw(tail, ink{stroke: c.m.light, w: 5})

	body := newPath(-190, 20).C(-190, -90, -90, -146, 20, -146).C(130, -146, 206, -80, 206, 14).C(206, 110, 120, 166, 20, 166).
		C(-90, 166, -190, 120, -190, 20).Z()
	c.part(body, c.radial(-60, -70, 300, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.clip(body)
	c.pigCoat(form)
	c.end()
	belly := new(path)
	for i := range 8 {
		k := 1 - 0.05*float64(i)
		belly.add(newPath(206*k, 30).C(200*k, 120*k, 120*k, 166*k, 20, 166*k).C(-40*k, 166*k, -90*k, 150*k, -120*k, 124*k))
	}
	c.draw(belly, ink{stroke: c.m.deep, w: 2.8, op: 0.75})
	c.draw(newPath(-40, -130).C(30, -150, 120, -130, 160, -80), ink{stroke: c.m.shine, w: 5, op: 0.7})
	leg(-30, false)
	leg(94, false)

	// The slot and the coin of Fate above it.
	c.draw(polyline(10, -138, 84, -132), ink{stroke: groundBase, w: 13})
	c.lumen(polyline(14, -138, 80, -132), 2)
	if !strings.Contains(form, "mended") {
		c.circle(48, -212, 88, ink{fill: c.radial(48, -212, 88, faded(c.g.base, 0.55), faded(c.g.base, 0))})
		c.part(new(path).circle(48, -212, 42), c.radial(34, -226, 60, c.g.bright, c.g.base, c.g.soft))
		c.draw(new(path).circle(48, -212, 32), ink{stroke: groundBase, w: 2.6})
		c.draw(spark(48, -212, 25), ink{fill: groundBase})
	}

	head := newPath(-230, -6).C(-230, -70, -186, -112, -130, -112).C(-76, -112, -44, -66, -46, -10).C(-48, 50, -90, 88, -140, 88).
		C(-190, 88, -230, 56, -230, -6).Z()
	c.part(head, c.radial(-170, -60, 190, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(head, hatching{angle: 215, gap: 8, w: 4.4, reach: 0.36, colour: c.m.deep, op: 0.75})
	ear := newPath(-118, -92).C(-128, -136, -112, -170, -74, -186).C(-40, -156, -40, -100, -72, -66).C(-92, -64, -110, -74, -118, -92).Z()
	c.solid(ear, -120, -180, -50, -70)
	c.hatch(ear, hatching{angle: 190, gap: 7, w: 4, reach: 0.6, colour: c.m.deep, op: 0.8})
	c.etch(newPath(-74, -170).C(-78, -130, -88, -104, -98, -86), 3)
	snout := new(path).ellipse(-224, 14, 38, 50)
	c.part(snout, c.radial(-240, -10, 80, c.m.shine, c.m.light, c.m.mid))
	c.draw(new(path).ellipse(-236, 0, 7, 12).ellipse(-234, 34, 7, 12), ink{fill: c.m.deep})
	c.etch(newPath(-204, 74).C(-180, 86, -156, 78, -144, 62), 4.4)
	c.draw(new(path).ellipse(-158, -30, 13, 16), ink{fill: groundBase})
	c.circle(-162, -36, 4.6, ink{fill: "#fff"})
	c.etch(newPath(-182, -54).C(-170, -66, -150, -66, -138, -52), 3.4)
	if vip {
		crown := laurel(-140, -46, 86, 3.3, 4.62, 6, 38)
		c.draw(crown, ink{fill: c.linear(-230, -150, -50, -60, c.g.bright, c.g.base, c.g.soft), stroke: groundBase, w: 5, under: true})
	}
}

// pigCoat paints the flank by form.
func (c *card) pigCoat(form string) {
	switch {
	case form == "banded":
		for _, x := range []float64{-30, 120} {
			band := newPath(x, -160).C(x+34, -60, x+34, 80, x, 180).L(x+30, 180).C(x+64, 80, x+64, -60, x+30, -160).Z()
			c.draw(band, ink{fill: c.linear(x, 0, x+60, 0, c.m.light, c.m.mid, c.m.dark), stroke: c.m.deep, w: 5})
			rivets := new(path)
			for i := range 7 {
				y := -120 + 42*float64(i)
				rivets.circle(x+40-0.0011*(y-10)*(y-10), y, 5)
			}
			c.draw(rivets, ink{fill: c.m.shine, stroke: c.m.deep, w: 2})
		}
	case form == "starred":
		points := []float64{-20, -60, 40, -96, 90, -50, 150, -70, 176, 0, 110, 30, 60, 90, 0, 60, 90, -50, 110, 30}
		c.lumen(polyline(points...), 1.6)
		stars := new(path)
		for i := 0; i < 16; i += 2 {
			stars.add(spark(points[i], points[i+1], 12+3*float64(i%3)))
		}
		c.draw(stars, ink{fill: c.g.bright})
	case strings.HasPrefix(form, "mended"):
		gold := metalOf("gold")
		cracks := c.bolt(30, -150, 60, 10, 4, 18).add(c.bolt(60, 10, 20, 170, 4, 16), c.bolt(60, 10, 206, 50, 4, 16),
			c.bolt(48, -50, -80, 0, 4, 12), c.bolt(140, 30, 160, -110, 3, 12))
		seam, sheen := gold.light, gold.shine
		if c.item.Material == "gold" {
			seam, sheen = c.g.base, c.g.bright
		}
		c.draw(cracks, ink{stroke: gold.deep, w: 12})
		c.draw(cracks, ink{stroke: seam, w: 7})
		c.draw(cracks, ink{stroke: sheen, w: 2.4})
	default:
		for _, q := range []point{{40, -40}, {130, -10}, {60, 70}} {
			scroll := new(path).arc(q.x, q.y, 34, 0.6, 5.6, true).arc(q.x+4, q.y, 18, 5.0, 0.2, false).arc(q.x+2, q.y, 7, 0.2, 4, false)
			c.etch(scroll, 6)
		}
		c.etch(meander(-120, 128, 6, 12), 3.6)
		if form == "laurel" {
			c.draw(laurel(70, 0, 96, 2.2, -0.6, 9, 42).add(laurel(70, 0, 96, 2.6, 5.2, 8, 42)), ink{fill: c.m.dark, op: 0.9})
		}
	}
}

func (c *card) chest() {
	switch c.item.Form {
	case "avatar":
		c.casket()
	case "god":
		c.reliquary()
	default:
		c.coffer()
	}
}

// coffer is the wooden chest bound with metal, its lid ajar.
func (c *card) coffer() {
	wood := metalOf("wood")
	c.circle(0, -20, 300, ink{fill: c.radial(0, -20, 300, faded(c.g.base, 0.55), faded(c.g.base, 0))})
	c.burst(0, -10, 60, 320, 250, 22, 28, 0.11, ink{fill: c.g.base, op: 0.35})
	inside := polygon(-186, 20, 186, 20, 200, -40, -200, -40)
	c.part(inside, c.linear(0, -40, 0, 20, c.g.base, c.g.bright))
	lid := newPath(0, -250).C(100, -250, 190, -200, 208, -110).L(214, -44).L(0, -44).sym()
	c.part(lid, c.linear(-150, -240, 120, -40, wood.light, wood.mid, wood.dark))
	c.clip(lid)
	planks := new(path)
	for i := range 5 {
		k := 1 - 0.17*float64(i)
		planks.add(newPath(-214*k, -44).C(-200*k, -44-206*k, 200*k, -44-206*k, 214*k, -44))
	}
	c.draw(planks, ink{stroke: wood.deep, w: 3})
	for _, x := range []float64{-118, 118} {
		strap := newPath(x-26, -40).C(x-22, -160, x*0.8-22, -240, x*0.7-16, -260).L(x*0.7+16, -260).C(x*0.8+22, -240, x+22, -160, x+26, -40).Z()
		c.part(strap, c.linear(x-26, 0, x+26, 0, c.m.light, c.m.mid, c.m.dark))
	}
	c.end()
	c.hatch(lid, hatching{angle: 186, gap: 9, w: 4.4, reach: 0.36, colour: wood.deep, op: 0.8})
	rim := rect(-218, -66, 436, 26)
	c.part(rim, c.linear(-218, 0, 218, 0, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	box := polygon(-196, 20, 196, 20, 184, 232, -184, 232)
	c.part(box, c.linear(-180, 20, 160, 230, wood.light, wood.mid, wood.dark))
	grain := polyline(-194, 74, 194, 74).add(polyline(-190, 128, 190, 128), polyline(-188, 182, 188, 182))
	for range 12 {
		x, y := c.d.between(-170, 120), 30+54*float64(c.d.intn(4))+c.d.between(6, 40)
		grain.M(x, y).L(x+c.d.between(20, 60), y)
	}
	c.draw(grain, ink{stroke: wood.deep, w: 2.6})
	c.hatch(box, hatching{angle: 182, gap: 9, w: 4.4, reach: 0.32, colour: wood.deep, op: 0.8})
	for _, x := range []float64{-118, 118} {
		strap := polygon(x-26, 20, x+26, 20, x+24, 232, x-24, 232)
		c.part(strap, c.linear(x-26, 0, x+26, 0, c.m.light, c.m.mid, c.m.dark))
		studs := new(path)
		for i := range 4 {
			studs.circle(x, 54+52*float64(i), 7)
		}
		c.draw(studs, ink{fill: c.m.shine, stroke: c.m.deep, w: 3})
	}
	for _, y := range []float64{16, 210} {
		band := polygon(-200, y, 200, y, 198, y+28, -198, y+28)
		c.part(band, c.linear(-200, 0, 200, 0, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.etch(meander(-186, y+5, 4.4, 17), 2)
	}
	lock := newPath(0, -70).L(46, -70).L(52, 40).C(46, 86, 20, 104, 0, 110).sym()
	c.solid(lock, -50, -60, 50, 100)
	c.lit(polyline(-46, -70, 46, -70), 3)
	c.gem(0, -24, 18, 4)
	c.draw(new(path).circle(0, 36, 12).add(polygon(-6, 40, 6, 40, 12, 72, -12, 72)), ink{fill: c.m.deep})
}

// casket is the silver box whose front is a face.
func (c *card) casket() {
	body := polygon(-190, -60, 190, -60, 168, 232, -168, 232)
	c.part(body, c.linear(-190, -60, 160, 230, c.m.light, c.m.mid, c.m.dark))
	c.hatch(body, hatching{angle: 182, gap: 9, w: 4.6, reach: 0.34, colour: c.m.deep, op: 0.8})
	for _, x := range []float64{-1, 1} {
		column := polygon(150*x, -56, 186*x, -56, 166*x, 232, 134*x, 232)
		c.solid(column, -170, 0, 170, 40)
		c.etch(polyline(162*x, -40, 145*x, 220).add(polyline(174*x, -40, 156*x, 220)), 2.4)
	}
	lid := newPath(0, -262).L(30, -236).C(110, -226, 190, -190, 206, -124).L(210, -66).L(0, -66).sym()
	c.part(lid, c.linear(-180, -230, 150, -60, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(lid, hatching{angle: 188, gap: 8, w: 4.4, reach: 0.4, colour: c.m.deep, op: 0.8})
	c.etch(newPath(-204, -110).C(-130, -160, 130, -160, 204, -110).add(newPath(-180, -150).C(-110, -200, 110, -200, 180, -150)), 2.8)
	band := rect(-214, -92, 428, 34)
	c.part(band, c.linear(-214, 0, 214, 0, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.etch(meander(-200, -86, 5, 16), 2.2)
	c.circle(0, 70, 220, ink{fill: c.radial(0, 70, 220, faded(c.g.base, 0.5), faded(c.g.base, 0))})
	half := newPath(0, -112).C(70, -112, 112, -70, 112, 10).C(112, 100, 70, 190, 0, 216)
	face := half.sym()
	c.part(face, c.linear(-100, -100, 90, 200, c.m.shine, c.m.light, c.m.mid))
	c.hatch(new(path).add(half).Z(), hatching{angle: 188, gap: 8, w: 4.6, reach: 0.66, colour: c.m.dark, op: 0.9})
	c.draw(newPath(20, 18).C(38, -8, 76, -8, 94, 14).C(76, 32, 40, 36, 20, 18).Z().both(), ink{fill: groundBase})
	c.lumen(newPath(30, 16).C(48, 4, 70, 4, 84, 14).both(), 4)
	c.etch(newPath(14, -22).C(40, -48, 84, -44, 102, -16).both(), 6)
	c.etch(newPath(-8, 10).C(-10, 60, -26, 84, -24, 100).C(-8, 112, 8, 112, 24, 100).
		add(curve(-46, 146, -16, 138, 0, 144, 16, 138, 46, 146), curve(-26, 160, 0, 168, 26, 160)), 4)
	sun := newPath(0, -112).L(22, -72).L(0, -30).L(-22, -72).Z()
	c.part(sun, c.g.base)
	c.draw(polyline(0, -112, 0, -30).add(polyline(-22, -72, 22, -72)), ink{stroke: c.g.bright, w: 2.4})
	base := rect(-186, 214, 372, 30)
	c.solid(base, -186, 200, 186, 250)
}

// reliquary is the golden shrine of the god pack.
func (c *card) reliquary() {
	c.burst(0, 20, 130, 340, 268, 16, 40, 0, ink{fill: c.g.base, op: 0.45})
	base := polygon(-214, 206, 214, 206, 226, 250, -226, 250)
	step := polygon(-196, 172, 196, 172, 200, 206, -200, 206)
	c.solid(base, -200, 180, 200, 260)
	c.solid(step, -180, 150, 190, 220)
	wall := rect(-170, -96, 340, 268)
	c.part(wall, c.linear(0, -96, 0, 172, c.m.dark, c.m.deep))
	// The door and the glow behind it.
	door := newPath(0, -80).C(64, -80, 92, -36, 92, 20).L(92, 172).L(0, 172).sym()
	c.part(door, c.radial(0, 40, 170, "#ffffff", c.g.bright, c.g.base, c.g.soft))
	c.burst(0, 40, 34, 120, 88, 9, 24, 0, ink{fill: "#fff", op: 0.7})
	eye := newPath(-62, 40).C(-30, 2, 30, 2, 62, 40).C(30, 78, -30, 78, -62, 40).Z()
	c.part(eye, groundBase)
	c.draw(new(path).circle(0, 40, 22), ink{fill: c.g.base})
	c.draw(new(path).circle(0, 40, 9), ink{fill: "#fff"})
	c.draw(door, ink{stroke: c.m.light, w: 7})
	for _, x := range []float64{-164, -124, 124, 164} {
		column := newPath(x-15, -78).C(x-18, 20, x-19, 100, x-19, 156).L(x+19, 156).C(x+19, 100, x+18, 20, x+15, -78).Z()
		c.part(column, c.across(column, c.m))
		c.etch(polyline(x-6, -76, x-8, 154).add(polyline(x+5, -76, x+7, 154)), 2.4)
		capital := polygon(x-24, -96, x+24, -96, x+16, -74, x-16, -74)
		c.solid(capital, x-24, -96, x+24, -70)
		foot := rect(x-23, 154, 46, 18)
		c.solid(foot, x-23, 150, x+23, 175)
	}
	beam := rect(-206, -136, 412, 40)
	c.solid(beam, -200, -140, 200, -90)
	c.etch(meander(-190, -128, 6, 13), 2.6)
	roof := polygon(0, -262, 226, -136, -226, -136)
	c.part(roof, c.linear(-160, -240, 150, -130, c.m.shine, c.m.light, c.m.mid))
	c.draw(polygon(0, -232, 162, -146, -162, -146), ink{fill: c.m.deep})
	c.gem(0, -176, 24, 8)
	c.draw(laurel(0, -150, 66, 0, -1.1, 4, 26).both(), ink{fill: c.m.light})
	for _, q := range []point{{0, -266}, {220, -142}, {-220, -142}} {
		horn := newPath(0, -40).C(10, -20, 26, -14, 22, 6).L(0, 12).sym().mapped(shift(q.x, q.y))
		c.solid(horn, q.x-20, q.y-30, q.x+20, q.y+10)
	}
}

func (c *card) ark() {
	form := c.item.Form
	sun := form == "sun"
	if form == "storm" {
		c.lumen(c.bolt(-150, -300, -190, -60, 4, 22), 4)
		c.lumen(c.bolt(170, -290, 214, -100, 3, 20), 3)
	}
	// Mast, yard and sail.
	mast := rect(-8, -270, 16, 330)
	c.part(mast, c.across(mast, metalOf("wood")))
	ropes := polyline(0, -262, -196, 40).add(polyline(0, -262, 196, 30), polyline(-150, -214, -170, 50), polyline(150, -214, 170, 40))
	c.draw(ropes, ink{stroke: bronzeLine, w: 2.4})
	if sun {
		c.burst(0, -120, 124, 210, 170, 20, 28, 0.1, ink{fill: c.g.base, op: 0.8})
		disc := new(path).circle(0, -120, 118)
		c.part(disc, c.radial(-30, -160, 190, "#ffffff", c.g.bright, c.g.base, c.g.soft))
		c.draw(new(path).circle(0, -120, 98), ink{stroke: groundBase, w: 3, op: 0.7})
		c.draw(starry(0, -120, 86, 40, 12, 0), ink{stroke: groundBase, w: 3, op: 0.8})
		c.draw(new(path).circle(0, -120, 26), ink{fill: groundBase, op: 0.8})
	} else {
		sail := newPath(-160, -216).C(-60, -204, 60, -204, 160, -216).C(172, -150, 176, -80, 152, -10).C(60, 22, -60, 22, -152, -10).
			C(-136, -80, -140, -150, -160, -216).Z()
		if form == "storm" {
			sail = newPath(-160, -216).C(-60, -204, 60, -204, 160, -216).C(176, -150, 182, -90, 166, -20).L(120, -58).L(104, 6).L(56, -30).L(20, 16).
				L(-30, -36).L(-70, 8).L(-100, -40).L(-150, -6).C(-134, -80, -140, -150, -160, -216).Z()
		}
		linen := metalOf("ivory")
		c.part(sail, c.linear(-150, -200, 160, 0, linen.shine, linen.light, linen.mid))
		seams := new(path)
		for _, x := range []float64{-80, 0, 80} {
			seams.add(newPath(x, -208).C(x*1.12, -140, x*1.12, -80, x, 12))
		}
		c.clip(sail)
		c.draw(seams, ink{stroke: linen.dark, w: 2.2, dash: "8 6"})
		switch form {
		case "storm":
			c.draw(polygon(24, -190, -48, -96, -8, -96, -30, -24, 52, -122, 10, -122), ink{fill: c.g.base, stroke: groundBase, w: 5})
		case "ram":
			c.draw(new(path).circle(0, -104, 66), ink{stroke: c.g.base, w: 12})
			c.draw(regular(0, -104, 44, 4, 0), ink{fill: c.g.base, stroke: groundBase, w: 4})
		default:
			waves := new(path)
			for i := range 3 {
				y := -136 + 34*float64(i)
				waves.add(curve(-96, y, -64, y-20, -32, y, 0, y-20, 32, y, 64, y-20, 96, y))
			}
			c.draw(waves, ink{stroke: c.g.base, w: 11})
		}
		c.end()
		c.hatch(sail, hatching{angle: 184, gap: 9, w: 4, reach: 0.36, colour: linen.dark, op: 0.85})
		yard := polygon(-176, -226, 176, -226, 176, -210, -176, -210)
		c.part(yard, metalOf("wood").mid)
	}
	pennant := curve(0, -262, 30, -276, 56, -262, 88, -274)
	c.draw(pennant, ink{stroke: groundBase, w: 18})
	c.draw(pennant, ink{stroke: c.g.base, w: 11})

	// Hull: prow to the left, stern curling over to the right.
	hull := newPath(-214, -40).C(-206, 40, -186, 66, -150, 74).C(-60, 84, 80, 84, 160, 64).C(206, 46, 222, -20, 196, -92).
		C(188, -120, 160, -122, 158, -98).C(160, -86, 172, -86, 176, -92).C(196, -60, 238, -20, 232, 60).C(222, 130, 170, 176, 90, 180).
		L(-120, 180).C(-170, 176, -206, 160, -232, 128).L(-196, 104).C(-224, 60, -232, 0, -214, -40).Z()
	if form == "ram" || form == "storm" {
		ram := newPath(-196, 110).L(-286, 120).L(-262, 134).L(-290, 146).L(-262, 154).L(-282, 166).L(-140, 176).Z()
		bronze := metalOf("bronze")
		c.part(ram, c.linear(-280, 110, -150, 180, bronze.shine, bronze.light, bronze.dark))
	}
	c.solid(hull, -180, -60, 120, 190)
	c.hatch(hull, hatching{angle: 270, gap: 9, w: 4.6, reach: 0.3, colour: c.m.deep, op: 0.85})
	strakes := newPath(-196, 100).C(-120, 120, 120, 120, 226, 70).add(newPath(-206, 124).C(-120, 148, 120, 148, 212, 108))
	c.etch(strakes, 3)
	c.draw(newPath(-186, 66).C(-60, 90, 80, 92, 160, 66), ink{stroke: c.m.shine, w: 3})
	eye := newPath(-198, 84).C(-186, 62, -158, 60, -142, 82).C(-158, 100, -184, 102, -198, 84).Z()
	c.part(eye, bone)
	c.draw(new(path).circle(-170, 81, 10), ink{fill: groundBase})
	if form == "ram" || sun {
		for i := range 6 {
			x := -96 + 46*float64(i)
			y := 78 - 0.0006*(x-10)*(x-10)
			c.part(new(path).circle(x, y, 21), c.radial(x-6, y-6, 27, c.m.shine, c.m.light, c.m.dark))
			c.draw(new(path).circle(x, y, 8), ink{fill: c.g.base, stroke: c.m.deep, w: 3})
		}
	}
	oars := new(path)
	for i := range 8 {
		x := -116 + 34*float64(i)
		oars.M(x, 140).L(x-30, 232)
	}
	c.draw(oars, ink{stroke: groundBase, w: 13})
	c.draw(oars, ink{stroke: metalOf("wood").light, w: 6})
	// The sea, or the stars for the ark that sails the sky.
	if sun {
		c.draw(spark(-190, 230, 20).add(spark(-90, 262, 11), spark(20, 246, 15), spark(140, 258, 10), spark(212, 224, 18)), ink{fill: c.g.bright})
		wake := curve(-240, 214, -120, 236, 0, 222, 120, 240, 240, 210)
		c.draw(wake, ink{stroke: c.g.base, w: 2.4, dash: "2 9"})
		return
	}
	width := bleed / 0.96 // the scale of an ark on its card
	c.clip(rect(-width, 150, 2*width, 170))
	defer c.end()
	for i := range 3 {
		y := 200 + 26*float64(i)
		start := -420 + 30*float64(i)
		crest := newPath(start, 340)
		crest.L(start, y)
		for j := range 9 {
			x := start + 90*float64(j)
			crest.C(x+20, y-2, x+40, y-20, x+56, y-22).C(x+74, y-22, x+78, y-6, x+66, y-4).C(x+74, y+8, x+84, y+4, x+90, y)
		}
		crest.L(start+810, 340).Z()
		k := 0.3 * float64(i)
		c.draw(crest, ink{fill: mix(mix(c.g.soft, groundBase, 0.45), groundBase, k), stroke: mix(c.g.base, groundBase, k), w: 2.8})
	}
	c.draw(rect(-width, 240, 2*width, 90), ink{fill: c.linear(0, 240, 0, 318, faded(groundBase, 0), groundBase)})
}

func (c *card) powerPack() {
	switch c.item.Form {
	case "surge":
		for _, x := range []float64{-112, 0, 112} {
			clay := metalOf("terracotta")
			jar := newPath(x-30, -124).C(x-34, -96, x-58, -74, x-58, -10).C(x-58, 90, x-34, 160, x-24, 214).L(x+24, 214).
				C(x+34, 160, x+58, 90, x+58, -10).C(x+58, -74, x+34, -96, x+30, -124).Z()
			c.part(jar, c.linear(x-58, 0, x+58, 0, clay.light, clay.mid, clay.dark, clay.deep))
			c.clip(jar)
			c.draw(rect(x-60, -62, 120, 9).add(rect(x-60, 112, 120, 9)), ink{fill: clay.deep})
			c.draw(meander(x-62, -42, 4, 7), ink{stroke: clay.deep, w: 3})
			c.end()
			c.hatch(jar, hatching{angle: 182, gap: 9, w: 4.4, reach: 0.4, colour: clay.deep, op: 0.7})
			cap := newPath(x-38, -122).C(x-24, -112, x+24, -112, x+38, -122).L(x+26, -152).L(x-26, -152).Z()
			c.part(cap, c.linear(x-40, 0, x+40, 0, c.m.shine, c.m.light, c.m.dark))
			rod := rect(x-8, -196, 16, 46)
			c.part(rod, c.across(rod, c.m))
			c.circle(x, -206, 60, ink{fill: c.radial(x, -206, 60, faded(c.g.base, 0.6), faded(c.g.base, 0))})
			c.part(new(path).circle(x, -206, 19), c.radial(x-5, -211, 22, "#ffffff", c.g.bright, c.g.base))
		}
		c.lumen(c.bolt(-96, -212, -16, -212, 4, 26).add(c.bolt(16, -212, 96, -212, 4, 26), c.bolt(-112, -226, 0, -300, 4, 18),
			c.bolt(0, -226, 112, -304, 4, 18)), 3)
		// The rack that holds the jars.
		for _, y := range []float64{20, 160} {
			bar := rect(-192, y, 384, 24)
			c.part(bar, c.linear(0, y, 0, y+24, c.m.shine, c.m.light, c.m.mid, c.m.dark))
			c.etch(meander(-180, y+4, 4, 18), 2)
		}
		for _, x := range []float64{-184, 184} {
			post := polygon(x-11, -10, x+11, -10, x+15, 236, x-15, 236)
			c.part(post, c.across(post, c.m))
			c.part(new(path).circle(x, -20, 16), c.radial(x-5, -25, 20, c.m.shine, c.m.light, c.m.dark))
		}
		seal := new(path).circle(0, 32, 40)
		c.part(seal, c.radial(-10, 20, 54, c.g.bright, c.g.base, c.g.soft))
		c.draw(polygon(8, 4, -22, 38, -2, 38, -10, 64, 22, 26, 2, 26), ink{fill: groundBase})
	case "tempest":
		c.circle(0, -30, 250, ink{fill: c.radial(0, -30, 250, faded(c.g.base, 0.6), faded(c.g.base, 0))})
		for _, x := range []float64{-1, 0, 1} {
			leg := ribbon(26, 18, 26, 96*x, 120, 130*x, 170, 112*x, 220, 150*x, 262)
			if x == 0 {
				leg = ribbon(26, 18, 26, 0, 140, 0, 200, 0, 252)
			}
			c.solid(leg, -120, 120, 120, 260)
		}
		orb := new(path).circle(0, -30, 178)
		c.part(orb, c.radial(-40, -80, 260, "#31424a", "#18242a", "#0a1114"))
		c.clip(orb)
		for i := range 3 {
			y := 20 + 44*float64(i)
			cloud := newPath(-200, y+190).L(-200, y)
			for j := range 6 {
				x := -200 + 70*float64(j)
				cloud.C(x+4, y-42, x+60, y-46, x+70, y)
			}
			cloud.L(220, y+190).Z()
			c.draw(cloud, ink{fill: mix("#3a4d55", groundBase, 0.28*float64(i)), stroke: c.m.mid, w: 2.4})
		}
		c.end()
		c.lumen(c.bolt(-20, -196, -60, 60, 5, 30).add(c.bolt(-36, -60, 70, 66, 4, 24), c.bolt(60, -180, 96, -20, 3, 22),
			c.bolt(-104, -140, -136, -10, 3, 16)), 3.6)
		c.draw(newPath(-140, -90).C(-124, -140, -90, -172, -44, -184), ink{stroke: "#fff", w: 6, op: 0.6})
		cage := new(path).ellipse(0, -30, 70, 178).ellipse(0, -30, 178, 56)
		c.draw(cage, ink{stroke: groundBase, w: 20})
		c.draw(cage, ink{stroke: c.linear(-170, -200, 170, 140, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 11})
		c.draw(orb, ink{stroke: groundBase, w: 24})
		c.draw(orb, ink{stroke: c.linear(-170, -200, 170, 140, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 15})
		for _, q := range []point{{-70, -30}, {70, -30}, {0, 26}, {0, -86}} {
			c.part(new(path).circle(q.x, q.y, 13), c.m.light)
		}
		crown := newPath(0, -284).C(10, -250, 34, -236, 30, -208).L(0, -198).sym()
		c.solid(crown, -30, -280, 30, -200)
		base := polygon(-172, 250, 172, 250, 184, 274, -184, 274)
		c.solid(base, -170, 240, 170, 280)
	default: // spark
		half := newPath(0, -150).L(70, -150).C(78, -130, 78, -116, 66, -104).C(120, -80, 168, -30, 168, 50).
			C(168, 140, 110, 214, 60, 226).L(0, 226)
		jar := half.sym()
		c.part(jar, c.radial(-60, 0, 290, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.hatch(new(path).add(half).Z(), hatching{angle: 186, gap: 9, w: 4.8, reach: 0.55, colour: c.m.deep, op: 0.75})
		c.clip(jar)
		c.draw(rect(-180, -62, 360, 12).add(rect(-180, 150, 360, 12)), ink{fill: c.m.deep})
		c.etch(meander(-170, -40, 5.4, 13), 3)
		c.end()
		flash := polygon(26, -4, -58, 76, -10, 76, -34, 138, 60, 46, 10, 46)
		c.circle(0, 66, 130, ink{fill: c.radial(0, 66, 130, faded(c.g.base, 0.6), faded(c.g.base, 0))})
		c.part(flash, c.linear(0, -4, 0, 138, c.g.bright, c.g.base))
		c.draw(flash, ink{stroke: c.g.bright, w: 2.6})
		c.draw(newPath(-140, 10).C(-154, 60, -142, 120, -112, 164), ink{stroke: c.m.shine, w: 5, op: 0.8})
		wax := newPath(-80, -160).C(-84, -214, 84, -214, 80, -160).C(86, -140, 74, -104, 60, -112).C(46, -130, 36, -128, 26, -110).
			C(14, -84, -2, -90, -10, -120).C(-22, -136, -36, -130, -44, -108).C(-58, -84, -82, -120, -80, -160).Z()
		c.part(wax, c.linear(-80, -200, 70, -100, c.g.bright, c.g.base, c.g.soft))
		c.draw(new(path).ellipse(0, -178, 44, 15), ink{stroke: groundBase, w: 3})
		wick := polyline(0, -206, 0, -236)
		c.draw(wick, ink{stroke: c.m.shine, w: 5})
		c.burst(0, -252, 12, 74, 46, 9, 12, 0.2, ink{fill: c.g.base})
		c.draw(spark(0, -252, 36), ink{fill: "#fff"})
	}
}
