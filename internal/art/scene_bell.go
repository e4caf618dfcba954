package art

import (
	"math"

	"pantheon/internal/kit/rarity"
)

// bellScene is the belfry over the harbour before dawn: the bell hangs still, and a ringer already holds the rope.
func (c *card) bellScene() {
	c.night(900, 1200, 760, 70)
	// The view through the arch: a glow before sunrise, hills, the sea.
	c.draw(rect(0, 0, 900, 1200), ink{fill: c.radial(450, 800, 620, faded("#ffb27a", 0.62), faded("#b4552f", 0.26), faded("#b4552f", 0))})
	c.burst(450, 806, 130, 620, 470, 9, 48, 0.02, ink{fill: c.g.base, op: 0.16})
	c.circle(450, 812, 96, ink{fill: c.radial(450, 800, 120, "#ffe9c4", "#f5b942", "#e0703f")})
	c.ridge("#2a2c2a", "#151d1d", "#4c4438", 840, 0, 790, 130, 726, 220, 770, 330, 742, 400, 800, 520, 804, 600, 748, 690,
		776, 800, 716, 900, 770)
	c.prop("ark", "cedar", "wood", rarity.Legendary, 262, 782, 0.22)
	c.draw(rect(0, 812, 900, 340), ink{fill: c.linear(0, 812, 0, 1040, "#4a3a30", "#1a2425", "#0b1314")})
	glints := new(path)
	for i := range 46 {
		y := 822 + 5.2*float64(i)
		reach := 20 + float64(i)*4
		x := 450 + c.d.between(-reach, reach)
		glints.M(x-c.d.between(6, 40), y).L(x+c.d.between(6, 40), y)
	}
	c.draw(glints.coarse(), ink{stroke: "#ffcf9a", w: 2.4, op: 0.75})
	c.belfry()
	c.greatBell(450, 236)
	c.ringer(362, 1124)
}

// belfry is the stone around the arch, its beam and its floor.
func (c *card) belfry() {
	outer := rect(-20, -20, 940, 1260)
	arch := newPath(108, 1240).L(108, 470).C(108, 230, 260, 84, 450, 84).C(640, 84, 792, 230, 792, 470).L(792, 1240).Z()
	c.buf = append(c.buf, `<g fill-rule="evenodd">`...)
	stone := c.linear(0, 0, 900, 1100, "#39413f", "#1d2727", "#111a1b", "#26211d")
	c.part(new(path).add(outer, arch), stone)
	c.end()
	// Voussoirs around the arch, courses beside it.
	cuts := new(path)
	for i := range 15 {
		a := math.Pi + float64(i)*math.Pi/14
		cuts.M(450+352*math.Cos(a), 470+394*math.Sin(a)).L(450+436*math.Cos(a), 470+480*math.Sin(a))
	}
	cuts.M(14, 470).C(14, 190, 200, -14, 450, -14).C(700, -14, 886, 190, 886, 470)
	for i := range 11 {
		y := 540 + 62*float64(i)
		cuts.M(-10, y).L(108, y).M(792, y).L(910, y)
		k := 62 * float64(i%2)
		cuts.M(30+k*0.5, y).L(30+k*0.5, y+62).M(862-k*0.5, y).L(862-k*0.5, y+62)
	}
	c.draw(cuts.coarse(), ink{stroke: groundBase, w: 5, op: 0.85})
	c.draw(arch, ink{stroke: "#e8a06c", w: 3, op: 0.6})
	// The beam and the floor.
	c.part(rect(40, 150, 820, 54), c.linear(0, 150, 0, 204, "#7a5735", "#3a2616"))
	grain := new(path)
	for i := range 5 {
		y := 160 + 9*float64(i)
		grain.M(60, y).L(330, y+c.d.between(-2, 2)).M(560, y).L(840, y+c.d.between(-2, 2))
	}
	c.draw(grain.coarse(), ink{stroke: "#1c1009", w: 2.4, op: 0.8})
	c.part(polygon(-20, 1130, 920, 1130, 920, 1240, -20, 1240), c.linear(0, 1130, 0, 1200, "#3a3a35", "#12191a"))
	c.draw(polyline(-20, 1130, 920, 1130), ink{stroke: "#e8b486", w: 3, op: 0.5})
	c.draw(polyline(180, 1134, 120, 1230).add(polyline(360, 1134, 340, 1230), polyline(540, 1134, 560, 1230), polyline(720, 1134, 780, 1230)),
		ink{stroke: groundBase, w: 4})
}

// greatBell hangs from the beam, its crown at (x, y); the light comes from below.
func (c *card) greatBell(x, y float64) {
	c.place(x, y, 1, 0)
	defer c.end()
	m := metalOf("bronze")
	c.m = m
	// Rope over the wheel, straps, yoke.
	c.draw(new(path).circle(0, -56, 88), ink{stroke: groundBase, w: 24})
	c.draw(new(path).circle(0, -56, 88), ink{stroke: c.linear(-90, -140, 90, 40, m.light, m.mid, m.dark), w: 14})
	c.ring(8, 0, -56, 0.2, func() { c.part(polygon(-4, -20, 4, -20, 4, -84, -4, -84), m.mid) })
	c.part(new(path).circle(0, -56, 24), c.radial(-8, -64, 32, m.shine, m.light, m.dark))
	for _, side := range []float64{-46, 30} {
		c.part(rect(side, -92, 16, 142), c.linear(side, 0, side+16, 0, "#93a9b0", "#526770", "#27353d"))
	}
	clapper := newPath(-9, 380).L(9, 380).L(12, 466).C(34, 476, 34, 514, 0, 520).C(-34, 514, -34, 476, -12, 466).Z()
	c.part(clapper, c.linear(-30, 0, 30, 0, "#93a9b0", "#526770", "#1c272d"))
	half := newPath(0, 40).C(60, 40, 118, 60, 132, 130).C(146, 220, 150, 300, 214, 380).C(228, 398, 232, 418, 230, 436).L(0, 436)
	bell := half.sym()
	c.part(bell, c.linear(-230, 60, 230, 430, m.light, m.mid, m.dark, m.deep))
	c.hatch(new(path).add(half).Z(), hatching{angle: 184, gap: 9, w: 5, reach: 0.62, colour: m.deep, op: 0.85})
	c.clip(bell)
	c.draw(rect(-240, 404, 480, 40), ink{fill: c.linear(0, 404, 0, 440, faded("#ffb27a", 0), faded("#ffb27a", 0.8))})
	bands := newPath(-140, 150).C(-60, 168, 60, 168, 140, 150).add(newPath(-150, 196).C(-60, 216, 60, 216, 150, 196),
		newPath(-206, 372).C(-80, 398, 80, 398, 206, 372), newPath(-216, 392).C(-80, 418, 80, 418, 216, 392))
	c.etch(bands, 6)
	c.draw(meander(-132, 166, 6.2, 9), ink{stroke: m.deep, w: 4})
	c.end()
	c.burst(0, 290, 30, 78, 58, 9, 24, 0, ink{fill: m.deep})
	c.part(new(path).circle(0, 290, 30), c.radial(-8, 280, 40, m.shine, m.light, m.mid))
	c.draw(new(path).add(newPath(-12, 290).L(0, 272).L(12, 290).L(0, 308).Z()), ink{fill: m.deep})
	c.lit(newPath(-116, 120).C(-132, 210, -130, 290, -186, 366), 6)
	c.draw(newPath(-230, 436).L(230, 436), ink{stroke: "#ffd9a0", w: 5, op: 0.9})
	// The rope comes down on the left to the ringer.
	rope := curve(-88, -56, -96, 120, -132, 420, -140, 700, -138, 812)
	c.draw(rope, ink{stroke: groundBase, w: 14})
	c.draw(rope, ink{stroke: "#c9a877", w: 7})
	c.draw(rope, ink{stroke: "#5a3f22", w: 7, dash: "2 9", butt: true})
}

// ringer stands with both hands on the rope, against the light, feet at (x, y).
func (c *card) ringer(x, y float64) {
	c.place(x, y, 1, 0)
	defer c.end()
	parts := []*path{
		newPath(-40, 0).C(-50, -60, -46, -116, -30, -150).C(-14, -170, 18, -170, 30, -150).C(44, -116, 50, -60, 44, 0).L(16, 0).
			L(2, -30).L(-12, 0).Z(),
		ribbon(24, 17, 13, -18, -140, -42, -172, -48, -222),
		ribbon(24, 17, 13, 18, -138, -20, -140, -52, -178),
		new(path).circle(8, -186, 23),
		newPath(-18, -192).C(-20, -222, 36, -224, 33, -190).Z(), // a cap
	}
	for _, p := range parts {
		c.draw(p, ink{stroke: "#e39a63", w: 8})
	}
	for _, p := range parts {
		c.draw(p, ink{fill: "#080d0f"})
	}
	c.draw(newPath(-44, -86).C(-14, -76, 16, -76, 44, -86), ink{stroke: "#e39a63", w: 3, op: 0.7})
	// A lamp on the floor beside the ringer.
	c.circle(96, -26, 90, ink{fill: c.radial(96, -26, 90, faded("#f5b942", 0.6), faded("#f5b942", 0))})
	c.part(polygon(84, -42, 108, -42, 114, -6, 78, -6), c.radial(96, -22, 26, "#ffffff", "#ffe3a3", "#f5b942"))
	c.part(polygon(96, -62, 116, -42, 76, -42).add(rect(76, -7, 40, 9)), "#935f31")
}
