package art

import "math"

// shipyardScene is the Shipwright's yard at night: a half-dismantled ark, seen along its keel, and the Shipwright in it
// with the lamp.
func (c *card) shipyardScene() {
	c.night(1600, 900, 560, 70)
	const cx, shore = 1050.0, 600.0
	c.planisphere(cx, 300, 330)
	// The anchorage with the waiting arks.
	c.draw(rect(0, 520, 1600, 120), ink{fill: c.linear(0, 520, 0, 640, "#1c3a39", "#0c1819")})
	c.draw(new(path).arc(470, 150, 40, -1.1, 2.2, true).arc(452, 140, 38, 1.9, -0.8, false).Z(), ink{fill: bone, op: 0.9})
	glints := new(path)
	for range 34 {
		y := c.d.between(526, 606)
		x := 470 + c.d.between(-1, 1)*(30+(y-520)*1.6)
		glints.M(x, y).L(x+c.d.between(10, 40), y)
	}
	c.draw(glints.coarse(), ink{stroke: bone, w: 2.4, op: 0.35})
	ark := newPath(-62, -16).C(-56, 10, -46, 14, -30, 14).L(34, 14).C(54, 12, 62, -6, 60, -26).C(52, -8, 40, -4, 20, -4).L(-30, -4).
		C(-46, -4, -54, -8, -62, -16).Z().
		add(rect(-2, -84, 4, 82), newPath(-40, -78).L(40, -78).C(44, -56, 44, -40, 38, -22).L(-38, -22).C(-34, -40, -34, -56, -40, -78).Z())
	for _, q := range []struct{ x, y, k float64 }{{96, 556, 0.8}, {452, 548, 0.62}, {622, 544, 0.44}, {1500, 552, 0.7}} {
		c.draw(ark.mapped(placed(q.x, q.y, q.k, 0)), ink{fill: "#0b1415", stroke: "#35514e", w: 2})
	}
	c.ridge("#15282a", "#0e1a1c", "#0a1314", 640, 1240, 540, 1330, 486, 1410, 530, 1520, 470, 1600, 520)
	// The slipway.
	c.part(polygon(0, 640, 700, shore, 1400, shore, 1600, 640, 1600, 900, 0, 900), c.linear(0, shore, 0, 900, "#33261a", "#0d0b09"))
	planks := new(path)
	for i := range 17 {
		x := cx + (float64(i)-8)*46
		planks.M(x, shore).L(cx+(x-cx)*3.6, 900)
	}
	for i := range 4 {
		y := shore + 14 + 26*float64(i)*(1+0.7*float64(i))
		planks.M(0, y+20).L(1600, y+20)
	}
	c.draw(planks.coarse(), ink{stroke: "#0a0806", w: 4})
	// The sheerlegs that carry the lamp.
	legs := polyline(cx-300, 640, cx+26, -40).add(polyline(cx+300, 640, cx-26, -40))
	c.draw(legs, ink{stroke: groundBase, w: 26})
	c.draw(legs, ink{stroke: "#4a3520", w: 16})
	c.circle(cx, 560, 520, ink{fill: c.radial(cx, 560, 520, faded(c.g.base, 0.5), faded(c.g.base, 0.14), faded(c.g.base, 0))})
	c.hull(cx)
	c.timber()
}

// rib is half of one frame of a hull, from the rail to the keel, in a view along the keel.
func rib(cx, s float64) (right *path, at func(t float64) point) {
	p := [4]point{{400, -400}, {470, -40}, {300, 262}, {0, 272}}
	to := func(q point, side float64) point { return point{cx + side*q.x*s, 548 + q.y*s} }
	at = func(t float64) point {
		side := 1.0
		if t < 0 {
			side, t = -1, -t
		}
		u := 1 - t
		return to(point{u*u*u*p[0].x + 3*u*u*t*p[1].x + 3*u*t*t*p[2].x, u*u*u*p[0].y + 3*u*u*t*p[1].y + 3*u*t*t*p[2].y + t*t*t*p[3].y}, side)
	}
	a, b, d, e := to(p[0], 1), to(p[1], 1), to(p[2], 1), to(p[3], 1)
	return newPath(a.x, a.y).C(b.x, b.y, d.x, d.y, e.x, e.y), at
}

func (c *card) hull(cx float64) {
	wood := metalOf("wood")
	// The shores that support the hull.
	shores := new(path)
	for _, side := range []float64{-1, 1} {
		for i, t := range []float64{0.34, 0.5} {
			_, at := rib(cx, 1.06/(1+0.2*float64(i)))
			q := at(side * t)
			shores.M(q.x, q.y).L(q.x+side*(150-40*float64(i)), 790-70*float64(i))
		}
	}
	c.draw(shores, ink{stroke: groundBase, w: 28})
	c.draw(shores, ink{stroke: "#3d2b1a", w: 17})
	for i := range 3 {
		c.part(rect(cx-74+14*float64(i), 836-22*float64(i), 148-28*float64(i), 24), []string{"#20160d", "#2b1e12", "#362617"}[i])
	}
	var scales []float64
	for i := range 9 {
		scales = append(scales, 1.06/(1+0.2*float64(i)))
	}
	// Battens connect the frames; only the bottom is still planked.
	for _, side := range []float64{-1, 1} {
		plank := new(path)
		for j, t := range []float64{0.62, 1} {
			for i := range scales {
				k := i
				if j == 1 {
					k = len(scales) - 1 - i
				}
				_, at := rib(cx, scales[k])
				q := at(side * t)
				if j == 0 && i == 0 {
					plank.M(q.x, q.y)
				} else {
					plank.L(q.x, q.y)
				}
			}
		}
		c.draw(plank.Z(), ink{fill: c.linear(cx, 0, cx+side*420, 0, c.g.base, wood.mid, wood.dark)})
	}
	lines := new(path)
	for _, side := range []float64{-1, 1} {
		for _, t := range []float64{0.03, 0.24, 0.43, 0.62, 0.7, 0.78, 0.86, 0.93} {
			for i, s := range scales {
				_, at := rib(cx, s)
				q := at(side * t)
				if i == 0 {
					lines.M(q.x, q.y)
				} else {
					lines.L(q.x, q.y)
				}
			}
		}
	}
	c.draw(lines, ink{stroke: groundBase, w: 10})
	c.draw(lines, ink{stroke: wood.mid, w: 4})
	for i := len(scales) - 1; i >= 0; i-- {
		s := scales[i]
		half, _ := rib(cx, s)
		left := half.mapped(matrix{-1, 0, 0, 1, 2 * cx, 0})
		both := new(path).add(half, left)
		far := float64(i) / 8
		c.draw(both, ink{stroke: groundBase, w: 50 * s})
		// The nearer a frame, the darker it is.
		c.draw(both, ink{stroke: mix("#2a1c10", mix(wood.light, c.g.base, 0.4), math.Pow(far, 0.7)), w: 36 * s})
		c.draw(both, ink{stroke: mix("#0e0905", wood.dark, far), w: 20 * s, dash: "3 13", butt: true, op: 0.7})
		inner := half.mapped(placed(cx-0.965*cx, 548-0.965*548, 0.965, 0))
		c.draw(new(path).add(inner, inner.mapped(matrix{-1, 0, 0, 1, 2 * cx, 0})), ink{stroke: c.g.bright, w: 5 * s})
		if i == 3 {
			c.draw(polyline(cx, 0, cx, 330), ink{stroke: bronzeLine, w: 3})
			c.lamp(cx, 372, 1.1)
			c.shipwright(cx-4, 756, 1)
		}
	}
}

// lamp stands or hangs with its light at (x, y), 84 units high at scale 1.
func (c *card) lamp(x, y, k float64) {
	bronze := metalOf("bronze")
	c.circle(x, y, 250*k, ink{fill: c.radial(x, y, 250*k, faded("#fff3d0", 0.75), faded(c.g.base, 0.3), faded(c.g.base, 0))})
	c.part(polygon(x-20*k, y-28*k, x+20*k, y-28*k, x+28*k, y+26*k, x-28*k, y+26*k), c.radial(x, y, 36*k, "#ffffff", c.g.bright, c.g.base))
	c.part(polygon(x, y-56*k, x+32*k, y-28*k, x-32*k, y-28*k).add(rect(x-32*k, y+24*k, 64*k, 12*k)), bronze.mid)
}

// shipwright stands with her saw, lit from above. Her feet are at (x, y).
func (c *card) shipwright(x, y, k float64) {
	c.place(x, y, k, 0)
	defer c.end()
	dark := c.linear(0, -240, 0, 0, "#6b4a22", "#2a1c10", "#0d0907")
	skirt := newPath(0, -128).L(34, -126).C(40, -80, 52, -36, 58, 0).L(0, 2).sym()
	c.part(skirt, dark)
	c.draw(newPath(10, -116).L(16, -4).M(26, -116).L(40, -6).M(-10, -116).L(-18, -4).M(-26, -116).L(-42, -6), ink{stroke: "#0a0705", w: 3})
	apron := newPath(0, -176).L(20, -176).L(24, -120).L(32, -34).L(0, -30).sym()
	c.part(apron, c.linear(0, -180, 0, -30, metalOf("terracotta").light, metalOf("terracotta").dark))
	torso := newPath(0, -206).C(26, -204, 42, -196, 46, -180).L(36, -122).L(24, -122).L(20, -176).L(0, -176).sym()
	c.part(torso, dark)
	// One hand on the hip, the other on the saw.
	c.part(ribbon(24, 20, 16, -40, -188, -70, -156, -58, -122, -34, -118), c.linear(-70, -190, -34, -110, "#8a6130", "#3c2814"))
	c.part(ribbon(24, 20, 16, 40, -188, 66, -150, 78, -112), c.linear(40, -190, 80, -110, "#8a6130", "#3c2814"))
	c.part(new(path).circle(80, -104, 11), metalOf("bronze").light)
	saw := newPath(72, -116).L(92, -116).L(92, -92).L(84, -86).L(116, 14).L(92, 16).L(74, -86).Z()
	c.part(saw, c.linear(70, -110, 120, 10, "#f4fafb", "#bfced5", "#526770"))
	teeth := new(path)
	for i := range 11 {
		t := float64(i) / 11
		teeth.M(76+17*t, -78+92*t).L(70+17*t, -72+92*t)
	}
	c.draw(teeth, ink{stroke: "#bfced5", w: 2.4})
	c.part(rect(68, -120, 28, 12), metalOf("wood").light)
	bronze := metalOf("bronze")
	c.part(rect(-10, -222, 20, 22), bronze.mid)
	face := newPath(0, -274).C(22, -274, 27, -256, 26, -244).C(24, -226, 12, -214, 0, -214).sym()
	c.part(face, c.linear(0, -276, 0, -212, bronze.shine, bronze.light, bronze.mid))
	hair := newPath(0, -286).C(30, -286, 36, -262, 32, -236).C(28, -246, 26, -258, 14, -264).L(0, -266).sym()
	c.part(hair, c.linear(0, -288, 0, -236, "#7d5a30", "#20150c"))
	c.part(new(path).circle(0, -294, 15), c.linear(0, -310, 0, -280, "#9a7040", "#2b1c10"))
	c.draw(newPath(6, -248).L(16, -248).both().add(newPath(-7, -226).L(7, -226), newPath(0, -246).L(3, -234).L(-2, -234)),
		ink{stroke: bronze.deep, w: 2.6})
	c.draw(newPath(14, -286).C(28, -282, 34, -266, 33, -246).M(26, -203).C(40, -198, 46, -190, 47, -180).both(), ink{stroke: c.g.bright, w: 3})
}

// timber is the dismantled part of the ship, in front on the left: planks, a mast, and the prow.
func (c *card) timber() {
	wood := metalOf("wood")
	for i := range 4 {
		k := float64(i)
		c.part(polygon(70+20*k, 838-28*k, 560-26*k, 838-28*k, 566-26*k, 864-28*k, 64+20*k, 864-28*k),
			c.linear(64, 0, 566, 0, wood.deep, wood.dark, wood.mid))
		c.draw(new(path).circle(544-26*k, 851-28*k, 7), ink{stroke: wood.deep, w: 2.4})
	}
	bow := newPath(150, 752).C(110, 706, 88, 650, 96, 596).C(100, 566, 84, 548, 70, 556).C(58, 566, 70, 584, 80, 578).
		C(40, 586, 34, 536, 70, 526).C(120, 520, 140, 560, 150, 600).C(190, 640, 280, 660, 372, 656).L(352, 690).L(366, 712).L(346, 752).Z()
	c.part(bow, c.linear(60, 530, 360, 740, wood.light, wood.mid, wood.dark))
	c.hatch(bow, hatching{angle: 240, gap: 9, w: 4.6, reach: 0.5, colour: wood.deep, op: 0.85})
	c.draw(newPath(120, 652).C(190, 690, 280, 700, 362, 694).M(136, 706).C(200, 730, 280, 736, 356, 730), ink{stroke: wood.deep, w: 4})
	eye := newPath(150, 688).C(166, 654, 212, 656, 230, 690).C(208, 714, 170, 714, 150, 688).Z()
	c.part(eye, bone)
	c.draw(new(path).circle(196, 686, 17), ink{fill: groundBase})
	c.circle(190, 680, 5, ink{fill: "#fff"})
	c.draw(newPath(142, 672).C(164, 640, 214, 640, 240, 680), ink{stroke: c.g.base, w: 6})
}
