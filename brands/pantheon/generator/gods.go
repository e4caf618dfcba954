package generator

import "math"

// The gods are frontal busts around the origin: the head about 210 wide from y = -130 to
// 180, the crown up to -290, the shoulders fading into the ground below.

// twice draws a part and its mirror image.
func (c *card) twice(draw func()) {
	id := c.newID()
	c.group("id", id)
	draw()
	c.end()
	c.use(id, matrix{-1, 0, 0, 1, 0, 0})
}

// strands is a lock of hair: a ribbon with engraved lines along it.
func (c *card) strands(w0, w1, w2 float64, paint string, line string, xy ...float64) {
	c.part(ribbon(w0, w1, w2, xy...).coarse(), paint)
	inner := new(path)
	for _, k := range []float64{-0.16, 0.18} {
		shifted := make([]float64, len(xy))
		for i := 0; i < len(xy); i += 2 {
			j, l := max(i-2, 0), min(i+2, len(xy)-2)
			dx, dy := xy[l]-xy[j], xy[l+1]-xy[j+1]
			length := math.Hypot(dx, dy)
			shifted[i], shifted[i+1] = xy[i]-dy/length*w1*k, xy[i+1]+dx/length*w1*k
		}
		inner.add(curve(shifted[:len(shifted)-2]...))
	}
	c.draw(inner.coarse(), ink{stroke: line, w: 2.4, op: 0.85})
}

// bust draws the neck and the shoulders under a garment in the given metal.
func (c *card) bust(cloth metal, collar int) {
	half := newPath(0, 168).C(40, 176, 60, 200, 110, 214).C(180, 232, 228, 262, 240, 380).L(0, 380)
	body := half.sym()
	c.part(body, c.linear(-200, 180, 160, 360, cloth.light, cloth.mid, cloth.dark))
	c.hatch(new(path).add(half).Z(), hatching{angle: 184, gap: 9, w: 4.8, reach: 0.7, colour: cloth.deep, op: 0.8})
	folds := new(path)
	for i := range 6 {
		k := float64(i)
		folds.add(newPath(-120-18*k, 226+8*k).C(-90-10*k, 280, -60-12*k, 320, -70-20*k, 380))
	}
	c.draw(folds, ink{stroke: cloth.deep, w: 3, op: 0.8})
	neck := newPath(0, 100).L(54, 96).C(52, 150, 58, 190, 84, 212).C(50, 236, 20, 240, 0, 240).sym()
	c.part(neck, c.linear(-60, 100, 60, 220, c.m.light, c.m.mid, c.m.dark))
	c.draw(newPath(-52, 140).C(-20, 178, 40, 176, 54, 132).L(54, 96).L(-54, 96).Z(), ink{fill: c.m.deep, op: 0.6})
	switch collar {
	case 0: // torc
		torc := newPath(-92, 206).C(-60, 262, 60, 262, 92, 206)
		c.draw(torc, ink{stroke: groundBase, w: 30})
		c.draw(torc, ink{stroke: c.m.mid, w: 20})
		c.draw(torc, ink{stroke: c.m.shine, w: 20, dash: "3 7", butt: true, op: 0.55})
		c.gem(0, 250, 15, 4)
	case 1: // pectoral
		plate := newPath(0, 216).C(44, 214, 80, 206, 104, 196).L(150, 240).C(110, 290, 60, 316, 0, 324).sym()
		c.part(plate, c.linear(-140, 200, 120, 320, c.m.shine, c.m.light, c.m.mid))
		c.etch(newPath(0, 236).C(50, 232, 86, 224, 110, 214).both().
			add(newPath(0, 258).C(56, 254, 98, 244, 122, 230).both(), newPath(0, 300).C(56, 290, 100, 268, 136, 238).both()), 2.6)
		beads := new(path)
		for i := range 7 {
			x := -90 + 30*float64(i)
			beads.circle(x, 277-0.0022*x*x, 7)
		}
		c.draw(beads, ink{fill: c.g.base, stroke: c.m.deep, w: 3})
	default: // scarf edges meeting
		edge := newPath(84, 200).C(60, 260, 30, 320, 0, 372).both()
		c.draw(edge, ink{stroke: groundBase, w: 26})
		c.draw(edge, ink{stroke: c.m.light, w: 17})
		c.draw(edge, ink{stroke: c.m.deep, w: 9, dash: "2 11", butt: true})
	}
}

// visage holds the parameters of a face.
type visage struct {
	width float64 // half the width at the cheekbones, units
	jaw   float64 // half the width at the jaw, units
	eyes  string  // open, closed, glow, hollow or none
	stern bool
	lips  string // paint; none when empty
}

// outline is the half outline of a head.
func (v visage) outline() *path {
	return newPath(0, -132).C(v.width*0.74, -132, v.width, -84, v.width, -4).C(v.width, 70, v.jaw+14, 120, v.jaw*0.72, 150).
		C(v.jaw*0.46, 174, 18, 180, 0, 180)
}

func (c *card) face(v visage) {
	half := v.outline()
	head := half.sym()
	c.part(head, c.linear(-110, -110, 96, 170, c.m.shine, c.m.light, c.m.mid))
	c.hatch(new(path).add(half).Z(), hatching{angle: 188, gap: 7.5, w: 4.8, reach: 0.66, colour: c.m.dark, op: 0.95})
	c.hatch(head, hatching{angle: 262, gap: 9, w: 4, reach: 0.2, colour: c.m.dark, op: 0.75})
	lid := newPath(22, 16).C(38, -6, 72, -8, 90, 10)
	almond := newPath(22, 16).C(38, -8, 72, -10, 90, 10).C(74, 30, 40, 34, 22, 16).Z().both()
	switch v.eyes {
	case "closed":
		c.etch(newPath(22, 14).C(38, 34, 72, 34, 90, 12).both(), 5)
		lashes := new(path)
		for i := range 5 {
			x := 36 + 12*float64(i)
			lashes.M(x, 27).L(x+3, 37)
		}
		c.etch(lashes.both(), 2.6)
		c.etch(newPath(26, 2).C(42, -10, 70, -10, 86, 0).both(), 2.4)
	case "glow":
		c.draw(almond, ink{fill: groundBase})
		c.lumen(newPath(30, 14).C(46, 2, 68, 0, 82, 11).both(), 5)
	case "hollow":
		c.draw(almond, ink{fill: groundBase})
		c.draw(lid.both(), ink{stroke: c.m.deep, w: 5})
	case "open":
		c.draw(almond, ink{fill: bone})
		c.draw(new(path).circle(56, 11, 14).both(), ink{fill: c.g.soft, stroke: groundBase, w: 3})
		c.draw(new(path).circle(56, 11, 6).both(), ink{fill: groundBase})
		c.draw(lid.both(), ink{stroke: groundBase, w: 6})
		c.etch(newPath(24, 0).C(42, -20, 72, -20, 92, -4).both(), 2.6)
	}
	brow := newPath(16, -20).C(40, -46, 80, -44, 100, -18)
	if v.stern {
		brow = newPath(10, -4).C(34, -30, 76, -44, 104, -32)
	}
	if v.eyes != "none" {
		c.etch(brow.both(), 6.5)
	}
	nose := newPath(13, -26).C(11, 30, 14, 56, 24, 70).C(24, 84, 10, 86, 0, 82)
	c.draw(newPath(2, -20).L(12, -20).C(10, 30, 12, 56, 22, 72).L(2, 78).Z(), ink{fill: c.m.mid, op: 0.85})
	c.etch(nose, 3.6)
	c.etch(newPath(-24, 70).C(-24, 82, -10, 86, 0, 82), 3.6)
	c.draw(polyline(-4, -24, -4, 64), ink{stroke: c.m.shine, w: 4})
	if v.lips != "" {
		mouth := newPath(-42, 118).C(-22, 106, -10, 104, 0, 110).C(10, 104, 22, 106, 42, 118).C(24, 138, -24, 138, -42, 118).Z()
		c.draw(mouth, ink{fill: v.lips})
		c.etch(curve(-42, 118, -16, 116, 0, 120, 16, 116, 42, 118), 3)
		c.etch(newPath(-14, 144).C(-6, 148, 6, 148, 14, 144), 2.6)
	}
	c.etch(newPath(v.width-10, 40).C(v.width-20, 70, v.jaw, 92, v.jaw-14, 112), 2.6)
}

// mark draws the casting's sign on the brow, which differs between castings.
func (c *card) mark(y float64) {
	switch c.d.intn(5) {
	case 0:
		c.gem(0, y, 14, 4)
	case 1:
		c.gem(0, y, 14, 6)
	case 2:
		c.draw(spark(0, y, 24), ink{fill: c.g.base, stroke: groundBase, w: 4, under: true})
	case 3:
		c.lumen(new(path).circle(0, y, 10), 2.6)
		c.circle(0, y, 3.5, ink{fill: c.g.bright})
	default:
		c.lumen(new(path).arc(0, y-4, 14, 0.3, math.Pi-0.3, true).add(new(path).circle(0, y-8, 2)), 2.6)
	}
}

func (c *card) god() {
	draw := map[string]func(){
		"helikara": c.helikara, "keraunax": c.keraunax, "thalvyra": c.thalvyra, "dendrokos": c.dendrokos,
		"nyssaria": c.nyssaria, "pyrrhamon": c.pyrrhamon, "selmene": c.selmene, "tavrekhon": c.tavrekhon,
		"ophelyx": c.ophelyx, "chalkanor": c.chalkanor, "zephyrine": c.zephyrine, "morvaion": c.morvaion,
	}[c.item.Form]
	if draw != nil {
		draw()
	}
}

// dusk fades the lower part of a figure into the ground.
func (c *card) dusk() {
	c.draw(rect(300-bleed, 530, 2*bleed, 160), ink{fill: c.linear(0, 530, 0, 674, faded(groundBase, 0), faded(groundBase, 1))})
}

func (c *card) helikara() {
	turn := c.d.between(0, 0.2)
	c.burst(0, -30, 190, 320, 262, 34, 28, turn, ink{fill: c.g.base, op: 0.9})
	c.burst(0, -30, 190, 300, 240, 9, 28, turn, ink{fill: groundBase})
	sun := new(path).circle(0, -30, 206)
	c.part(sun, c.radial(-50, -100, 320, c.g.bright, c.g.base, c.g.soft))
	c.draw(new(path).circle(0, -30, 190).circle(0, -30, 168), ink{stroke: groundBase, w: 2.6})
	c.circle(0, -30, 179, ink{stroke: groundBase, w: 9, dash: "2 9", butt: true})
	hair := c.linear(0, -150, 0, 300, c.m.mid, c.m.dark)
	c.twice(func() {
		for i := 3; i >= 0; i-- {
			k := float64(i)
			c.strands(30, 50, 14, hair, c.m.light, 30+k*10, -130+k*8, 100+k*18, -86+k*10, 124+k*14, 20, 104+k*22, 120, 132+k*24, 214, 106+k*30, 300)
		}
	})
	c.bust(metalOf("terracotta"), 1)
	c.face(visage{width: 104, jaw: 66, eyes: "closed", lips: metalOf("terracotta").mid})
	c.twice(func() { c.strands(10, 40, 8, hair, c.m.light, 0, -140, 52, -124, 92, -80, 108, -20, 100, 40) })
	diadem := newPath(0, -118).C(46, -116, 84, -92, 104, -56).L(108, -84).C(90, -120, 50, -146, 0, -148).sym()
	c.solid(diadem, -100, -150, 100, -60)
	for i := range 7 {
		a := -math.Pi/2 + (float64(i)-3)*0.29
		s, co := math.Sincos(a)
		h := 78 - 9*math.Abs(float64(i)-3)
		tip := newPath(0, 0).L(11, 0).L(0, -h).L(-11, 0).Z().mapped(placed(112*co, -36+112*s, 1, a+math.Pi/2))
		c.solid(tip, -80, -250, 80, -130)
	}
	c.mark(-124)
}

func (c *card) keraunax() {
	for i, q := range [][4]float64{
		{-60, -190, -210, -300}, {60, -190, 210, -300}, {-100, -140, -270, -130}, {100, -140, 270, -130}, {0, -210, 0, -310},
	} {
		c.lumen(c.bolt(q[0], q[1], q[2], q[3], 3+i%2, 24), 5)
	}
	c.bust(metalOf("iron"), 0)
	c.face(visage{width: 110, jaw: 84, eyes: "glow", stern: true})
	storm := c.linear(0, 60, 0, 320, c.m.light, c.m.mid, c.m.dark)
	c.twice(func() {
		for i := range 4 {
			k := float64(i)
			c.strands(18, 44, 4, storm, c.m.deep, 104-k*22, 40+k*18, 120-k*26, 120+k*14, 100-k*28, 196+k*20, 118-k*26, 262+k*22)
		}
	})
	c.strands(30, 52, 4, storm, c.m.deep, 0, 132, 6, 190, -6, 250, 4, 352)
	moustache := newPath(0, 96).C(24, 84, 60, 96, 92, 132).C(64, 132, 30, 132, 0, 112).sym()
	c.part(moustache, c.m.light)
	c.etch(newPath(10, 102).C(30, 98, 54, 106, 76, 124).both(), 2.4)
	// The anvil worn as a crown.
	anvil := newPath(0, -214).L(150, -214).C(146, -178, 112, -160, 82, -158).C(70, -146, 70, -132, 84, -112).L(124, -104).
		L(118, -60).L(0, -70).sym()
	c.part(anvil, c.linear(-140, -210, 110, -60, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(newPath(0, -214).L(150, -214).C(146, -178, 112, -160, 82, -158).C(70, -146, 70, -132, 84, -112).L(124, -104).
		L(118, -60).L(0, -70).Z(),
		hatching{angle: 184, gap: 8, w: 4.6, reach: 0.7, colour: c.m.deep, op: 0.8})
	c.lit(polyline(-150, -214, 150, -214), 4)
	c.etch(polyline(-118, -78, 0, -88, 118, -78).add(polyline(-121, -92, 0, -100, 121, -92)), 2.4)
	c.mark(-146)
}

func (c *card) thalvyra() {
	for i := range 3 {
		r := 196 + 34*float64(i)
		c.draw(new(path).circle(0, -40, r), ink{stroke: c.g.base, w: 3, op: 0.6 - 0.15*float64(i), dash: "1 " + []string{"9", "13", "18"}[i]})
	}
	hair := c.linear(0, -180, 0, 300, c.m.light, c.m.mid, c.m.dark)
	c.twice(func() {
		for i := 4; i >= 0; i-- {
			k := float64(i)
			c.strands(24, 44, 10, hair, c.m.deep, 20+k*8, -140, 110+k*12, -130+k*22, 150+k*16, -30+k*30, 120+k*20, 60+k*26, 168+k*16, 140+k*20,
				150+k*20, 210+k*16, 196+k*12, 224+k*16)
		}
	})
	c.bust(metalOf("verdigris"), 2)
	c.face(visage{width: 98, jaw: 58, eyes: "open", lips: c.m.mid})
	gills := new(path)
	for i := range 3 {
		gills.add(newPath(72-6*float64(i), 84+14*float64(i)).C(80, 80+14*float64(i), 88, 76+14*float64(i), 94, 66+14*float64(i)))
	}
	c.etch(gills.both(), 3)
	// Coral crown over a row of shells.
	c.twice(func() {
		for i := range 3 {
			k := float64(i)
			x := 22 + 34*k
			y := -136 + 14*k
			tip := -276 + 34*k
			c.part(ribbon(15, 11, 5, x, y, x+14+8*k, y-50, x+10+16*k, tip+20, x+22+20*k, tip), c.g.base)
			c.part(ribbon(9, 8, 4, x+12+7*k, y-40, x+34+8*k, y-66, x+44+10*k, y-100), c.g.base)
			c.draw(new(path).circle(x+22+20*k, tip, 7).circle(x+44+10*k, y-100, 6), ink{fill: c.g.bright})
		}
	})
	c.part(ribbon(17, 12, 6, 0, -140, -4, -200, 4, -250, 0, -292), c.g.base)
	c.draw(new(path).circle(0, -292, 8), ink{fill: c.g.bright})
	for _, i := range []float64{-2, 2, -1, 1, 0} {
		x := i * 42
		y := -118 + 7*i*i
		shell := newPath(0, 26).C(22, 20, 34, -2, 26, -20).C(14, -32, 8, -28, 0, -34).sym().mapped(placed(x, y, 1, i*0.22))
		c.part(shell, c.linear(x-20, y-30, x+20, y+26, c.m.shine, c.m.light, c.m.mid))
		c.etch(new(path).add(polyline(0, 24, 0, -30), polyline(2, 24, 14, -26), polyline(3, 24, 24, -14)).both().
			mapped(placed(x, y, 1, i*0.22)), 2)
	}
	bell := newPath(0, 226).C(20, 226, 28, 244, 30, 276).L(44, 300).L(0, 300).sym()
	c.part(bell, c.linear(-40, 230, 40, 300, metalOf("bronze").shine, metalOf("bronze").light, metalOf("bronze").dark))
	c.draw(new(path).circle(0, 306, 9), ink{fill: metalOf("bronze").light})
	c.etch(polyline(-32, 280, 32, 280), 2.6)
}

func (c *card) dendrokos() {
	leaf := func(x, y, size, angle float64) {
		p := newPath(0, 0).C(size*0.5, -size*0.3, size*0.5, -size*0.8, 0, -size).C(-size*0.5, -size*0.8, -size*0.5, -size*0.3, 0, 0).Z().
			mapped(placed(x, y, 1, angle))
		c.part(p, c.linear(x, y-size, x, y+size, c.g.base, c.g.soft))
		c.draw(newPath(0, 0).L(0, -size*0.8).mapped(placed(x, y, 1, angle)), ink{stroke: groundBase, w: 2})
	}
	bark := c.linear(0, -300, 0, -60, c.m.shine, c.m.light, c.m.mid)
	c.twice(func() {
		c.part(ribbon(34, 26, 7, 60, -90, 110, -140, 180, -160, 216, -220, 214, -296), bark)
		c.part(ribbon(20, 14, 5, 120, -142, 128, -200, 110, -250, 126, -302), bark)
		c.part(ribbon(16, 12, 4, 196, -190, 240, -196, 262, -230), bark)
		c.part(ribbon(14, 10, 4, 150, -154, 196, -130, 242, -136), bark)
		leaf(126, -300, 42, 0.1)
		leaf(214, -292, 46, 0.3)
		leaf(262, -228, 40, 0.9)
		leaf(244, -136, 40, 1.4)
		leaf(112, -246, 34, -0.8)
		leaf(218, -232, 32, 1.1)
	})
	c.bust(metalOf("wood"), 2)
	c.face(visage{width: 108, jaw: 74, eyes: "glow", stern: true})
	lines := new(path)
	for i := range 5 {
		x := -70 + 34*float64(i)
		lines.add(curve(x, -118, x+c.d.between(-8, 8), -90, x*0.9, -58))
	}
	c.etch(lines.add(newPath(-88, 50).C(-84, 76, -70, 96, -54, 104), newPath(-96, 30).C(-94, 60, -86, 80, -78, 88)), 3)
	c.twice(func() {
		for i := range 4 {
			k := float64(i)
			c.part(ribbon(30-3*k, 20, 3, 92-24*k, 70+22*k, 108-22*k, 150+16*k, 80-20*k, 210+20*k, 112-20*k, 270+14*k),
				c.linear(0, 70, 0, 290, c.m.light, c.m.mid, c.m.dark))
		}
	})
	c.part(ribbon(26, 26, 3, 0, 140, -8, 200, 10, 260, -4, 330), c.linear(0, 140, 0, 330, c.m.light, c.m.mid, c.m.dark))
	c.part(newPath(0, 98).C(30, 90, 60, 104, 78, 140).C(50, 136, 24, 134, 0, 118).sym(), c.m.mid)
	for _, i := range []float64{-2, 2, -1, 1, 0} {
		leaf(i*38, -104+9*i*i, 60-5*math.Abs(i), i*0.42)
	}
	c.mark(-112)
}

func (c *card) nyssaria() {
	threads := new(path)
	for i := range 41 {
		a := math.Pi + math.Pi*float64(i)/40
		threads.M(150*math.Cos(a), -60+120*math.Sin(a)).L(266*math.Cos(a), -40+252*math.Sin(a))
	}
	c.draw(threads, ink{stroke: c.g.base, w: 2, op: 0.85})
	loom := new(path).arc(0, -40, 262, math.Pi, 2*math.Pi, true)
	c.draw(loom, ink{stroke: groundBase, w: 26})
	c.draw(loom, ink{stroke: c.linear(-260, 0, 260, 0, c.m.shine, c.m.light, c.m.mid), w: 17})
	c.draw(loom, ink{stroke: c.m.deep, w: 9, dash: "2 12", butt: true})
	c.bust(metalOf("ivory"), 1)
	c.face(visage{width: 96, jaw: 56, eyes: "none", lips: metalOf("terracotta").mid})
	veil := newPath(0, -176).C(98, -178, 150, -110, 156, -10).C(160, 110, 176, 220, 214, 340).L(150, 352).
		C(120, 250, 104, 130, 104, 40).L(0, 40)
	left := veil.sym()
	c.part(left, c.linear(-150, -150, 150, 300, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(newPath(30, -172).C(110, -160, 150, -100, 156, -10).C(160, 110, 176, 220, 214, 340).L(150, 352).
		C(120, 250, 104, 130, 104, 40).L(60, 44).Z(),
		hatching{angle: 184, gap: 8, w: 4.6, reach: 0.75, colour: c.m.dark, op: 0.9})
	folds := new(path)
	for i := range 3 {
		k := float64(i)
		folds.add(newPath(84+14*k, -130+18*k).C(98+14*k, -80, 92+18*k, -20, 88+16*k, 30),
			newPath(116+14*k, 40).C(122+12*k, 140, 138+14*k, 240, 162+16*k, 340))
	}
	c.etch(folds.both(), 2.6)
	hem := newPath(-104, 40).C(-50, 52, 50, 52, 104, 40)
	c.draw(hem, ink{stroke: groundBase, w: 20})
	c.draw(hem, ink{stroke: c.g.base, w: 11})
	c.draw(hem, ink{stroke: groundBase, w: 5, dash: "2 10", butt: true})
	// The eye woven on the veil.
	eye := newPath(-70, -34).C(-34, -74, 34, -74, 70, -34).C(34, 2, -34, 2, -70, -34).Z()
	c.draw(eye, ink{stroke: c.m.deep, w: 4})
	c.lumen(new(path).circle(0, -35, 21), 3)
	c.circle(0, -35, 8, ink{fill: c.g.bright})
	c.etch(rays(0, -35, 46, 76, 62, 2, 18, 0), 2.2)
	band := newPath(0, -132).C(60, -132, 110, -104, 134, -56).L(144, -78).C(118, -132, 66, -160, 0, -162).sym()
	c.solid(band, -130, -160, 120, -60)
	c.mark(-148)
}

func (c *card) pyrrhamon() {
	flames := []string{c.g.soft, c.g.base, c.g.bright}
	for layer := range 3 {
		k := float64(layer)
		for i := range 9 {
			a := -math.Pi/2 + (float64(i)-4)*0.36
			s, co := math.Sincos(a)
			h := (170 - 46*k) * (1 - 0.09*math.Abs(float64(i)-4)) * c.d.between(0.85, 1.1)
			sway := c.d.between(-18, 18)
			x, y := 92*co, -30+96*s
			flame := ribbon(54-12*k, 34-8*k, 1, x, y, x+co*h*0.4+sway, y+s*h*0.4-10, x+co*h*0.75-sway, y+s*h*0.75-24, x+co*h, y+s*h-50+8*k)
			if layer == 0 {
				c.part(flame, flames[layer])
			} else {
				c.draw(flame, ink{fill: flames[layer]})
			}
		}
	}
	c.bust(metalOf("obsidian"), 0)
	c.face(visage{width: 110, jaw: 86, eyes: "glow", stern: true})
	mouth := newPath(-50, 118).L(50, 118).L(40, 138).L(-40, 138).Z()
	c.draw(mouth, ink{fill: groundBase})
	c.draw(polyline(-26, 118, -26, 138).add(polyline(0, 118, 0, 138), polyline(26, 118, 26, 138)), ink{stroke: c.g.base, w: 4})
	cracks := c.bolt(-20, -126, -64, -30, 3, 12).add(c.bolt(30, -124, 62, -40, 3, 12), c.bolt(-60, 30, -84, 110, 3, 10),
		c.bolt(64, 34, 44, 104, 3, 10), c.bolt(0, 86, -20, 112, 2, 6), c.bolt(40, -80, 100, -60, 2, 10), c.bolt(-8, 142, 12, 178, 2, 6),
		c.bolt(-40, 210, -130, 330, 4, 14), c.bolt(60, 220, 150, 320, 4, 14))
	c.lumen(cracks, 3.4)
	jaw := newPath(0, 150).L(58, 136).L(92, 92).L(108, 104).L(84, 168).L(0, 204).sym()
	c.solid(jaw, -90, 100, 90, 200)
	c.lumen(new(path).circle(70, 144, 5).both(), 2.4)
}

func (c *card) selmene() {
	// The crescent holds the full moon; the phases are on both sides, waxing and waning.
	c.circle(0, -200, 230, ink{fill: c.radial(0, -200, 230, faded(c.g.base, 0.6), faded(c.g.base, 0))})
	for i := range 8 {
		x, y := -232.0, -190+70*float64(i)
		if i > 3 {
			x, y = 232, -190+70*float64(7-i)
		}
		c.part(new(path).circle(x, y, 19), c.m.deep)
		k := (float64(i) - 3.5) / 4.2 // −1 waxing … 0 full … 1 waning
		lit := new(path).arc(x, y, 19, math.Pi/2, 1.5*math.Pi, true)
		if k > 0 {
			lit = new(path).arc(x, y, 19, -math.Pi/2, math.Pi/2, true)
		}
		b := 19 * 1.33 * (1 - 2*math.Abs(k))
		if k > 0 {
			lit.C(x-b, y+19, x-b, y-19, x, y-19)
		} else {
			lit.C(x+b, y-19, x+b, y+19, x, y+19)
		}
		c.draw(lit.Z(), ink{fill: c.g.bright})
		c.draw(new(path).circle(x, y, 19), ink{stroke: c.g.base, w: 2})
	}
	hair := c.linear(0, -150, 0, 300, c.m.dark, c.m.deep)
	c.twice(func() {
		for i := 2; i >= 0; i-- {
			k := float64(i)
			c.strands(40, 56, 30, hair, c.m.mid, 10+k*8, -128, 96+k*16, -100, 124+k*16, 0, 122+k*18, 120, 116+k*22, 300)
		}
	})
	c.bust(metalOf("obsidian"), 1)
	c.face(visage{width: 98, jaw: 58, eyes: "closed", lips: c.m.mid})
	// The dark half of the face.
	night := newPath(0, -132).C(72, -132, 98, -84, 98, -4).C(98, 70, 72, 120, 42, 150).C(27, 174, 18, 180, 0, 180).
		C(24, 90, 30, 0, 0, -132).Z()
	c.draw(night, ink{fill: groundBase, op: 0.72})
	stars := new(path)
	for range 9 {
		y := c.d.between(-90, 130)
		x := c.d.between(34, 82-0.0016*y*y)
		stars.add(spark(x, y, c.d.between(3, 7)))
	}
	c.draw(stars, ink{fill: c.g.bright})
	band := newPath(0, -104).C(44, -102, 80, -84, 100, -48).L(104, -72).C(84, -106, 46, -128, 0, -130).sym()
	c.solid(band, -100, -130, 100, -50)
	crescent := moonCrown()
	c.part(crescent, c.linear(-110, -270, 110, -90, "#ffffff", c.m.shine, c.m.light, c.m.mid))
	c.hatch(crescent, hatching{angle: 205, gap: 8, w: 4.4, reach: 0.36, colour: c.m.dark, op: 0.85})
	c.part(new(path).circle(0, -226, 56), c.radial(-16, -242, 80, "#ffffff", c.g.bright, c.g.base))
	c.draw(new(path).circle(-14, -240, 12).circle(20, -216, 8).circle(-8, -206, 5).circle(22, -250, 5), ink{stroke: c.g.soft, w: 3})
	c.mark(-116)
}

// moonCrown is a crescent lying on the head, points up.
func moonCrown() *path {
	return new(path).arc(0, -204, 122, -0.5, math.Pi+0.5, true).arc(0, -246, 108, math.Pi+0.16, -0.16, false).Z()
}

func (c *card) tavrekhon() {
	maze := new(path)
	for i := range 5 {
		r := 158 + 27*float64(i)
		gap := c.d.between(-2.8, -0.3)
		maze.arc(0, -30, r, gap+0.16, gap+2*math.Pi-0.16, true)
		if i < 4 {
			s, co := math.Sincos(gap + c.d.between(0.5, 1.4))
			maze.M(r*co, -30+r*s).L((r+27)*co, -30+(r+27)*s)
		}
	}
	c.draw(maze, ink{stroke: groundBase, w: 15})
	c.draw(maze, ink{stroke: c.g.base, w: 6, op: 0.85})
	c.bust(metalOf("wood"), 0)
	c.twice(func() {
		horn := ribbon(76, 60, 3, 60, -96, 150, -116, 216, -166, 222, -236, 176, -296)
		c.part(horn, c.linear(60, -90, 210, -290, metalOf("ivory").dark, metalOf("ivory").light, bone))
		rings := new(path)
		for i := range 6 {
			x := 88 + 17*float64(i)
			rings.add(newPath(x-8, -146-float64(i)*9).C(x+10, -120-float64(i)*8, x+18, -100-float64(i)*8, x+14, -70-float64(i)*12))
		}
		c.clip(horn)
		c.draw(rings, ink{stroke: metalOf("ivory").deep, w: 3})
		c.end()
		ear := newPath(88, -46).C(130, -70, 180, -60, 206, -26).C(170, 4, 120, 8, 92, -6).Z()
		c.solid(ear, 90, -60, 200, 0)
		c.etch(newPath(104, -26).C(134, -42, 164, -40, 188, -26), 3)
	})
	half := newPath(0, -150).C(60, -154, 108, -116, 112, -50).C(112, 10, 84, 60, 74, 110).C(86, 140, 84, 184, 52, 208).
		C(34, 218, 14, 220, 0, 220)
	head := half.sym()
	c.part(head, c.linear(-110, -130, 90, 210, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(new(path).add(half).Z(), hatching{angle: 188, gap: 8, w: 4.8, reach: 0.66, colour: c.m.deep, op: 0.8})
	c.etch(newPath(24, -90).C(34, -30, 40, 40, 36, 104).both(), 3.4)
	c.draw(newPath(46, -24).C(62, -46, 88, -42, 100, -28).C(88, -8, 62, -2, 46, -24).Z().both(), ink{fill: groundBase})
	c.lumen(newPath(54, -24).C(68, -36, 82, -34, 92, -28).both(), 4)
	c.etch(newPath(40, -40).C(62, -66, 92, -62, 110, -44).both(), 7)
	muzzle := newPath(0, 112).C(44, 108, 74, 126, 76, 156).C(76, 190, 44, 214, 0, 214).sym()
	c.part(muzzle, c.radial(-24, 130, 100, c.m.light, c.m.mid, c.m.dark))
	c.draw(newPath(22, 150).C(34, 132, 56, 138, 56, 154).C(50, 168, 30, 168, 22, 150).Z().both(), ink{fill: groundBase})
	c.etch(newPath(-40, 192).C(-16, 200, 16, 200, 40, 192), 3.4)
	nosering := new(path).arc(0, 178, 30, 0.3, math.Pi-0.3, true)
	c.draw(nosering, ink{stroke: groundBase, w: 17})
	c.draw(nosering, ink{stroke: c.g.base, w: 9})
	curls := new(path)
	for _, i := range []float64{-2, 2, -1, 1, 0} {
		x, y := i*34, -130+5*i*i
		c.part(new(path).circle(x, y, 27), c.radial(x-6, y-6, 34, c.m.light, c.m.mid, c.m.dark))
		curls.arc(x, y, 15, 0, 4.4, true).arc(x, y, 6, 4.2, 7, true)
	}
	c.etch(curls, 3)
	c.mark(-60)
}

func (c *card) ophelyx() {
	snake := func(xy ...float64) {
		n := len(xy)
		c.part(ribbon(26, 25, 15, xy...).coarse(), c.linear(0, -260, 0, 120, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.draw(curve(xy...), ink{stroke: c.m.deep, w: 12, dash: "3 8", butt: true, op: 0.7})
		x, y := xy[n-2], xy[n-1]
		angle := math.Atan2(y-xy[n-3], x-xy[n-4]) + math.Pi/2
		head := newPath(0, -30).C(14, -24, 22, -6, 18, 12).L(8, 20).L(0, 20).sym().mapped(placed(x, y, 1, angle))
		c.part(head, c.m.light)
		c.lumen(new(path).circle(10, -4, 3).both().mapped(placed(x, y, 1, angle)), 2)
		c.draw(newPath(0, -30).L(0, -42).L(-5, -52).M(0, -42).L(5, -52).mapped(placed(x, y, 1, angle)), ink{stroke: c.g.base, w: 3})
	}
	c.twice(func() {
		w := c.d.between(-8, 8)
		snake(60, -60, 140, -40, 190, 20+w, 166, 90, 210, 140, 248, 110)
		snake(60, -90, 150, -110+w, 210, -70, 236, -10, 258, -40)
		snake(50, -110, 120, -170, 190, -160+w, 210, -210, 184, -262)
		snake(24, -120, 60, -200, 120, -220+w, 104, -280, 64, -284)
	})
	c.bust(metalOf("verdigris"), 1)
	c.face(visage{width: 98, jaw: 56, eyes: "closed", lips: metalOf("terracotta").mid})
	c.twice(func() {
		c.part(ribbon(14, 30, 16, 0, -140, 46, -126, 84, -90, 100, -40, 112, 20, 96, 80), c.linear(0, -140, 60, 80, c.m.light, c.m.mid, c.m.dark))
		c.draw(curve(10, -138, 46, -126, 84, -90, 100, -40, 112, 20), ink{stroke: c.m.deep, w: 12, dash: "3 8", butt: true, op: 0.7})
	})
	scales := new(path)
	for i := range 4 {
		y := 44 + 14*float64(i)
		scales.add(polyline(70, y, 77, y+8, 84, y))
	}
	c.etch(scales.both(), 2.6)
	// The third eye is open.
	third := newPath(0, -112).C(24, -92, 24, -62, 0, -40).C(-24, -62, -24, -92, 0, -112).Z()
	c.part(third, bone)
	c.draw(new(path).circle(0, -76, 17), ink{fill: c.g.base, stroke: groundBase, w: 3})
	c.draw(newPath(0, -92).L(4, -76).L(0, -60).L(-4, -76).Z(), ink{fill: groundBase})
	c.burst(0, -76, 36, 60, 50, 4, 14, 0.2, ink{fill: c.g.base, op: 0.8})
}

func (c *card) chalkanor() {
	// A spear behind either shoulder.
	c.twice(func() {
		c.group("transform", "rotate(14)")
		pole := rect(196, -190, 13, 600)
		c.part(pole, c.across(pole, metalOf("wood")))
		c.doubleEdge(newPath(0, -300).C(14, -276, 30, -250, 28, -222).L(10, -180).L(0, -180))
		c.end()
	})
	crest := newPath(0, -300).C(130, -300, 232, -220, 256, -60).L(196, -40).C(180, -130, 110, -196, 0, -200).sym()
	c.part(crest, c.linear(0, -300, 0, -40, c.g.base, c.g.base, c.g.soft))
	c.clip(crest)
	bristles := new(path)
	for i := range 49 {
		a := math.Pi + math.Pi*float64(i)/48
		bristles.M(120*math.Cos(a), -20+140*math.Sin(a)).L(320*math.Cos(a), -20+320*math.Sin(a))
	}
	c.draw(bristles, ink{stroke: groundBase, w: 3, op: 0.75})
	c.end()
	ridge := newPath(0, -206).C(110, -202, 184, -134, 202, -36).L(180, -30).C(164, -116, 98, -176, 0, -178).sym()
	c.solid(ridge, -180, -200, 160, -40)
	c.etch(newPath(0, -192).C(104, -188, 174, -124, 191, -36).both(), 2.6)
	c.bust(metalOf("bronze"), 2)
	c.twice(func() {
		pad := newPath(118, 206).C(160, 196, 226, 216, 250, 280).L(240, 330).C(190, 290, 150, 262, 112, 250).Z()
		c.solid(pad, 110, 200, 250, 320)
		c.etch(newPath(126, 222).C(170, 220, 216, 244, 238, 300), 3)
	})
	c.visor()
	c.mark(-104)
}

func (c *card) zephyrine() {
	c.twice(func() {
		for _, wing := range []struct{ x, y, angle, scale float64 }{{84, 40, 0.62, 0.86}, {84, -60, -0.28, 1.05}} {
			for i := 5; i >= 0; i-- {
				k := float64(i)
				feather := ribbon(26, 42, 4, 0, 10+k*8, 60, -8+k*16, 120-k*4, -40+k*26, 196-k*10, -96+k*46).
					mapped(placed(wing.x, wing.y, wing.scale, wing.angle)).coarse()
				c.part(feather, c.linear(90, 0, 260, -60, c.m.mid, c.m.light, c.m.shine))
				c.etch(curve(10, 10+k*8, 60, -8+k*16, 120-k*4, -40+k*26, 170-k*8, -80+k*42).
					mapped(placed(wing.x, wing.y, wing.scale, wing.angle)).coarse(), 2)
			}
			covert := newPath(-10, -20).C(30, -40, 70, -40, 92, -20).C(84, 20, 40, 60, -10, 60).Z().
				mapped(placed(wing.x, wing.y, wing.scale, wing.angle))
			c.part(covert, c.linear(wing.x, wing.y-20, wing.x+80, wing.y+40, c.m.light, c.m.mid))
			c.etch(new(path).arc(20, 0, 14, 0, math.Pi, true).arc(52, -6, 14, 0, math.Pi, true).arc(32, 24, 14, 0, math.Pi, true).
				mapped(placed(wing.x, wing.y, wing.scale, wing.angle)), 2.4)
		}
	})
	c.bust(metalOf("marble"), 2)
	c.face(visage{width: 98, jaw: 58, eyes: "open", lips: metalOf("terracotta").light})
	hair := c.linear(-100, -260, 140, -40, c.g.bright, c.g.base, c.g.soft)
	for i := 4; i >= 0; i-- {
		k := float64(i)
		c.strands(30, 54-4*k, 2, hair, groundBase, -100+k*6, 40-k*34, -112+k*22, -70-k*18, -50+k*18, -150-k*16, 50+k*14, -166-k*20, 130+k*12,
			-206-k*18+c.d.between(-8, 8), 190-k*6, -190-k*26)
	}
	c.twice(func() { c.strands(8, 34, 10, hair, groundBase, 14, -134, 66, -118, 98, -66, 104, 0, 92, 70) })
	gust := new(path)
	for i := range 3 {
		y := -252 + 34*float64(i)
		gust.add(curve(-240+26*float64(i), y, -170, y-14, -120, y, -92, y-24, -112, y-40, -128, y-24))
	}
	c.lumen(gust, 2.6)
	c.mark(-84)
}

func (c *card) morvaion() {
	half := newPath(0, -286).C(110, -276, 178, -170, 176, -30).C(176, 60, 190, 130, 262, 240).L(300, 400).L(0, 400)
	hood := half.sym()
	night := metalOf("obsidian")
	c.part(hood, c.linear(-180, -240, 160, 320, night.light, night.mid, night.dark, night.deep))
	c.hatch(new(path).add(half).Z(), hatching{angle: 184, gap: 9, w: 5, reach: 0.7, colour: night.deep, op: 0.8})
	folds := new(path)
	for i := range 5 {
		k := float64(i)
		folds.add(newPath(-14-20*k, -268+12*k).C(-90-16*k, -210+10*k, -126-10*k, -100, -124-8*k, 20).
			C(-126-8*k, 120, -150-10*k, 220, -190-16*k, 380))
	}
	c.draw(folds, ink{stroke: night.deep, w: 3.4, op: 0.9})
	c.draw(newPath(0, -206).C(80, -202, 124, -120, 122, -20).C(120, 90, 70, 190, 0, 236).sym(), ink{fill: "#020405"})
	trim := newPath(0, -222).C(90, -216, 138, -126, 136, -20).C(134, 90, 84, 190, 0, 240).both()
	c.draw(trim, ink{stroke: groundBase, w: 22})
	c.draw(trim, ink{stroke: c.g.base, w: 5})
	c.draw(trim, ink{stroke: c.g.base, w: 15, dash: "2 15", butt: true, op: 0.8})
	skull := newPath(0, -128).C(72, -128, 96, -80, 94, -16).C(92, 20, 84, 34, 82, 54).C(80, 76, 62, 84, 56, 104).L(48, 172).
		C(30, 186, 14, 188, 0, 188).sym()
	c.part(skull, c.linear(-90, -110, 80, 170, c.m.shine, c.m.light, c.m.mid))
	c.hatch(newPath(0, -128).C(72, -128, 96, -80, 94, -16).C(92, 20, 84, 34, 82, 54).C(80, 76, 62, 84, 56, 104).L(48, 172).
		C(30, 186, 14, 188, 0, 188).Z(),
		hatching{angle: 188, gap: 7.5, w: 4.8, reach: 0.7, colour: c.m.dark, op: 0.95})
	socket := newPath(18, 10).C(20, -24, 64, -36, 80, -10).C(88, 22, 66, 42, 44, 40).C(28, 38, 18, 28, 18, 10).Z()
	c.draw(socket.both(), ink{fill: groundBase})
	c.circle(48, 6, 30, ink{fill: c.radial(48, 6, 30, faded(c.g.base, 0.9), faded(c.g.base, 0))})
	c.circle(-48, 6, 30, ink{fill: c.radial(-48, 6, 30, faded(c.g.base, 0.9), faded(c.g.base, 0))})
	c.draw(spark(48, 6, 15).both(), ink{fill: c.g.bright})
	c.draw(newPath(0, 42).L(16, 80).L(4, 84).L(0, 76).sym(), ink{fill: groundBase})
	teeth := polyline(-46, 118, 46, 118).add(polyline(-44, 150, 44, 150))
	for i := range 7 {
		x := -36 + 12*float64(i)
		teeth.M(x, 108).L(x, 162)
	}
	c.etch(teeth, 3.4)
	c.etch(new(path).add(newPath(20, -96).C(40, -80, 44, -60, 38, -46), newPath(70, 66).L(54, 76)).both(), 2.8)
	// The coin for the ferryman, on the brow.
	c.part(new(path).circle(0, -78, 30), c.radial(-8, -88, 40, c.g.bright, c.g.base, c.g.soft))
	c.draw(new(path).circle(0, -78, 22), ink{stroke: groundBase, w: 2.4})
	c.draw(choose(c.d, spark(0, -78, 19), regular(0, -78, 13, 4, 0), starry(0, -78, 18, 8, 6, 0), regular(0, -78, 14, 3, -math.Pi/2)),
		ink{fill: groundBase})
	// The lit lamp.
	c.circle(196, 176, 96, ink{fill: c.radial(196, 176, 96, faded(c.g.base, 0.7), faded(c.g.base, 0))})
	lamp := polygon(172, 146, 220, 146, 228, 210, 164, 210)
	c.part(lamp, c.radial(196, 180, 50, "#ffffff", c.g.bright, c.g.base))
	bronze := metalOf("bronze")
	c.draw(polyline(196, 148, 196, 210).add(lamp), ink{stroke: bronze.dark, w: 6})
	c.part(polygon(196, 112, 232, 146, 160, 146), bronze.mid)
	c.part(rect(158, 208, 76, 16), bronze.mid)
	loop := new(path).circle(196, 100, 14)
	c.draw(loop, ink{stroke: groundBase, w: 13})
	c.draw(loop, ink{stroke: bronze.light, w: 6})
}
