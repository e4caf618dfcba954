package art

import (
	"math"

	"pantheon/internal/kit/rarity"
)

// throneScene is the hall of the throne: the seat is empty, the crown hangs in the light above, and
// the claimants stand in the dark.
func (c *card) throneScene() {
	const x = 1060.0
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 0, 900, "#0a1214", "#0e1a1a", groundBase)})
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(x, 250, 760, faded(c.g.base, 0.34), faded(c.g.base, 0.1), faded(c.g.base, 0))})
	c.planisphere(x, 300, 470)
	c.columns(x)
	c.dais(x)
	c.draw(polygon(x-70, 150, x+70, 150, x+330, 820, x-330, 820), ink{
		fill: c.linear(0, 150, 0, 800, faded("#ffd9a0", 0.26), faded("#ffd9a0", 0)),
	})
	c.seat(x, 740)
	c.circle(x, 112, 260, ink{fill: c.radial(x, 112, 260, faded(c.g.bright, 0.5), faded(c.g.base, 0.2), faded(c.g.base, 0))})
	c.prop("relic", "crown", "gold", rarity.Mythic, x, 118, 0.5)
	c.claimants()
}

// columns stand in two rows that recede towards the seat; only their inner edges are lit.
func (c *card) columns(x float64) {
	for _, k := range []float64{0.36, 0.55, 0.84} {
		for _, side := range []float64{-1, 1} {
			cx, w := x+side*(250+k*520), 62*k
			foot := 640 + 300*k
			shaft := newPath(cx-w, -20).C(cx-w*1.05, 300, cx-w*1.1, 520, cx-w*1.14, foot).L(cx+w*1.14, foot).
				C(cx+w*1.1, 520, cx+w*1.05, 300, cx+w, -20).Z()
			lit := mix("#7d5a3c", "#2a3432", k*0.8)
			c.part(shaft, c.linear(cx-side*w, 0, cx+side*w, 0, lit, "#1d2829", "#111b1d", "#0b1214"))
			flutes := new(path)
			for i := range 4 {
				f := -0.6 + 0.4*float64(i)
				flutes.M(cx+w*f, -10).L(cx+w*f*1.14, foot-6)
			}
			c.draw(flutes.coarse(), ink{stroke: "#060b0c", w: 4 * k})
			c.part(rect(cx-w*1.4, foot, w*2.8, 26*k).add(rect(cx-w*1.6, foot+26*k, w*3.2, 22*k)),
				c.linear(cx-side*w, 0, cx+side*w, 0, lit, "#162021", "#0c1415"))
		}
	}
}

// dais is the floor and the seven steps up to the seat.
func (c *card) dais(x float64) {
	c.draw(rect(0, 760, 1600, 140), ink{fill: c.linear(0, 740, 0, 900, "#131d1d", "#05090a")})
	joints := new(path)
	for i := range 15 {
		k := float64(i) - 7
		joints.M(x+k*74, 764).L(x+k*150, 900)
	}
	for _, y := range []float64{782, 812, 856} {
		joints.M(0, y).L(1600, y)
	}
	c.draw(joints.coarse(), ink{stroke: "#2b3a38", w: 2, op: 0.7})
	for i := range 7 {
		k := float64(6 - i)
		w, y := 176+k*44, 712+k*15
		c.part(rect(x-w, y, 2*w, 17), c.linear(x-w, 0, x+w, 0, "#131d1e", "#4a4236", "#a8825a", "#4a4236", "#131d1e"))
	}
	carpet := polygon(x-64, 712, x+64, 712, x+96, 820, x-96, 820)
	c.part(carpet, c.linear(0, 712, 0, 820, "#a8402a", "#5e1f14"))
	c.draw(polyline(x-52, 716, x-80, 820).add(polyline(x+52, 716, x+80, 820)), ink{stroke: "#f0a878", w: 3, op: 0.8})
	treads := new(path)
	for i := range 7 {
		y := 727 + 15*float64(i)
		treads.M(x-110, y).L(x+110, y)
	}
	c.clip(carpet)
	c.draw(treads, ink{stroke: groundBase, w: 3, op: 0.8})
	c.end()
}

// seat is the throne itself, its feet at y: a back with the wheel in it, arms that end in rams' heads, a forgotten
// cloak.
func (c *card) seat(x, y float64) {
	c.place(x, y, 1.02, 0)
	defer c.end()
	m := metalOf("bronze")
	c.m = m
	bronze := c.linear(-190, -480, 190, 0, m.light, m.mid, m.dark, m.deep)
	// Finials and back.
	c.twice(func() {
		c.part(ribbon(46, 32, 2, 104, -410, 168, -446, 206, -500, 200, -572), c.linear(110, -570, 190, -410, m.shine, m.light, m.dark))
		c.etch(newPath(140, -448).L(152, -418).M(166, -470).L(184, -444).M(186, -500).L(208, -482), 3)
	})
	back := newPath(0, -520).C(70, -516, 128, -470, 138, -390).L(152, -60).L(0, -60).sym()
	c.part(back, bronze)
	c.hatch(newPath(0, -520).C(70, -516, 128, -470, 138, -390).L(152, -60).L(0, -60).Z(),
		hatching{angle: 184, gap: 9, w: 5, reach: 0.5, colour: m.deep, op: 0.85})
	panel := newPath(0, -478).C(56, -474, 98, -436, 104, -376).L(112, -90).L(0, -90).sym()
	c.part(panel, c.radial(0, -300, 300, "#8e2f1d", "#4f1a11", "#1f0b08"))
	c.clip(panel)
	c.burst(0, -330, 84, 300, 230, 10, 36, 0, ink{fill: c.g.base, op: 0.28})
	c.end()
	c.draw(new(path).add(newPath(0, -464).C(50, -460, 86, -428, 92, -372).L(99, -100)).both(), ink{stroke: m.light, w: 3, op: 0.8})
	// The wheel of destiny.
	wheel := new(path).circle(0, -338, 66).circle(0, -338, 46)
	c.draw(wheel, ink{stroke: groundBase, w: 18})
	c.ring(12, 0, -338, 0, func() {
		c.part(polygon(-4, -14, 4, -14, 4, -66, -4, -66), m.light)
		c.circle(0, -78, 6, ink{fill: m.shine, stroke: groundBase, w: 4})
	})
	c.draw(wheel, ink{stroke: c.linear(-70, -400, 70, -270, m.shine, m.light, m.mid), w: 9})
	c.gem(0, -338, 20, 8)
	// Seat, apron and legs.
	c.twice(func() {
		leg := newPath(104, -96).L(170, -96).C(166, -60, 150, -40, 156, -14).L(170, 0).L(104, 0).L(112, -30).Z()
		c.part(leg, c.linear(100, 0, 176, 0, m.mid, m.dark, m.deep))
	})
	c.part(rect(-150, -112, 300, 60), bronze)
	c.draw(meander(-132, -98, 6.6, 8), ink{stroke: m.deep, w: 3.4})
	cushion := newPath(0, -150).C(80, -152, 128, -148, 136, -130).C(134, -112, 120, -108, 0, -106).sym()
	c.part(cushion, c.linear(0, -152, 0, -106, "#e2603c", "#8c2d1a"))
	// The worn dent in the seat.
	c.draw(newPath(-70, -142).C(-40, -124, 40, -124, 70, -142).add(newPath(-48, -140).C(-24, -130, 24, -130, 48, -140)),
		ink{stroke: "#5e1a0e", w: 4})
	c.twice(func() {
		arm := newPath(120, -226).C(150, -240, 190, -236, 204, -214).C(212, -196, 200, -180, 186, -182).L(184, -110).L(140, -110).
			L(138, -196).L(120, -200).Z()
		c.part(arm, c.linear(120, -240, 200, -110, m.shine, m.light, m.mid, m.dark))
		c.etch(new(path).arc(184, -208, 13, 0, 5, true).arc(184, -208, 5, 4, 7, true), 4)
	})
	// The cloak over one arm, and a sword within reach.
	cloak := newPath(-204, -232).C(-170, -250, -140, -236, -128, -214).C(-132, -150, -116, -90, -140, -10).C(-160, 10, -196, 16, -226, 4).
		C(-206, -70, -222, -150, -204, -232).Z()
	c.part(cloak, c.linear(-220, -240, -130, 0, "#3f8f87", "#1f5450", "#0f2c2c"))
	folds := newPath(-188, -226).C(-190, -150, -178, -70, -196, 0).add(newPath(-160, -230).C(-164, -150, -146, -80, -166, 2))
	c.draw(folds, ink{stroke: groundBase, w: 4, op: 0.8})
	c.place(222, -58, 0.36, -13)
	c.m = metalOf("iron")
	c.sword("leaf")
	c.end()
}

// claimants stand with their backs to the viewer, in two rows, unlit.
func (c *card) claimants() {
	shoulders := func() *path {
		return newPath(0, -24).L(20, -24).L(19, 8).C(46, 14, 60, 30, 62, 66).L(66, 130).L(0, 130)
	}
	figures := []*path{
		shoulders().sym().add(newPath(0, -78).C(22, -78, 34, -60, 33, -36).L(36, -6).L(0, 4).sym(),
			newPath(0, -122).C(58, -118, 62, -62, 46, -52).C(34, -78, 18, -84, 0, -84).sym()), // a crest from ear to ear
		shoulders().sym().add(newPath(0, -74).C(22, -74, 33, -56, 32, -34).L(34, -8).L(0, 2).sym(),
			ribbon(17, 13, 2, 26, -56, 54, -62, 66, -86, 58, -112).both()), // horns
		newPath(0, -92).C(34, -86, 44, -50, 44, -16).C(60, 14, 74, 60, 78, 130).L(0, 130).sym(), // a hood
		shoulders().sym().add(newPath(0, -80).C(24, -80, 36, -58, 34, -34).L(38, -4).L(0, 6).sym()),
	}
	spear := newPath(74, 130).L(74, -150).L(66, -156).L(77, -200).L(88, -156).L(80, -150).L(80, 130).Z()
	for row, y := range []float64{816, 886} {
		scale := 0.78 + 0.36*float64(row)
		at := make([][]point, len(figures)+1)
		for x := 250 - 110*float64(row); x < 1640; x += (104 + c.d.between(0, 34)) * scale * 1.25 {
			if row == 0 && math.Abs(x-1060) < 210 || row == 1 && math.Abs(x-1060) < 90 {
				continue
			}
			q := point{x, y + c.d.between(-12, 12)}
			i := c.d.intn(len(figures))
			at[i] = append(at[i], q)
			if c.d.chance(0.4) {
				at[len(figures)] = append(at[len(figures)], q)
			}
		}
		k := ink{fill: "#04080a", stroke: mix("#a86f49", groundBase, 0.45*float64(row)), w: 5, under: true}
		size := matrix{scale, 0, 0, scale, 0, 0}
		c.stamp(spear.mapped(size), k, at[len(figures)]...)
		for i, f := range figures {
			c.stamp(f.mapped(size).coarse(), k, at[i]...)
		}
	}
}
