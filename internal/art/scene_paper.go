package art

import (
	"math"

	"pantheon/internal/kit/rarity"
)

// The header images of the whitepaper's pages. The subject is right of the centre: text is on the left.

// deskScene is the whitepaper itself: a great ledger under the lamp, with a ribbon for each of its nine chapters.
func (c *card) deskScene() {
	const x = 1080.0
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 0, 900, "#0b1416", "#111c1c", "#080d0d")})
	c.planisphere(x, 330, 420)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(x, 360, 760, faded(c.g.base, 0.5), faded(c.g.base, 0.14), faded(c.g.base, 0))})
	wood := metalOf("wood")
	c.part(rect(-20, 690, 1640, 44), c.linear(0, 690, 0, 734, wood.shine, wood.light, wood.mid))
	c.draw(rect(-20, 734, 1640, 170), ink{fill: c.linear(0, 734, 0, 900, wood.dark, groundBase)})
	c.keys(4, 780, 7, 5, ink{stroke: bronzeLine, w: 3.4, op: 0.7})
	c.ledger(x, 690)
	c.draw(polyline(x, 0, x, 128), ink{stroke: bronzeLine, w: 3})
	c.lamp(x, 178, 1.2)
	// The inkwell and its pen.
	c.part(ribbon(3, 20, 2, 1522, 640, 1548, 540, 1590, 446), c.linear(1520, 0, 1590, 0, "#8d8470", bone))
	c.part(newPath(1478, 690).C(1470, 640, 1490, 630, 1500, 626).L(1544, 626).C(1556, 632, 1574, 640, 1566, 690).Z(),
		c.linear(1470, 0, 1570, 0, "#56667a", "#29333f", "#131922"))
}

// ledger is an open book as wide as a table, its spine at x, resting at y. Ribbons hang from it.
func (c *card) ledger(x, y float64) {
	c.place(x, y, 1, 0)
	defer c.end()
	ivory, leather := metalOf("ivory"), metalOf("terracotta")
	ribbons := []string{"#7c2a17", "#2d6a62", "#c9a24a", "#29333f", "#a54d30", "#13433f", "#b47f1d", "#526770", "#935f31"}
	for i, colour := range ribbons {
		at := -300 + 75*float64(i)
		c.part(newPath(at-13, -20).L(at+13, -20).L(at+15, 92).L(at, 74).L(at-15, 92).Z(), colour)
	}
	c.part(newPath(0, 4).L(-420, 4).L(-404, -34).L(404, -34).L(420, 4).Z(), c.linear(-400, 0, 400, 0, leather.mid, leather.dark, leather.deep))
	page := newPath(0, -10).C(110, -66, 270, -70, 396, -26).L(372, -214).C(260, -262, 116, -252, 0, -190).Z()
	for _, p := range []*path{page.flipped(), page} {
		for k := 2.0; k >= 0; k-- {
			c.part(p.mapped(shift(0, -7*(2-k))), c.linear(-380, -240, 380, 0, ivory.shine, ivory.light, ivory.mid))
		}
	}
	lines := new(path)
	for i := range 7 {
		k := float64(i)
		lines.add(newPath(34+2*k, -196+23*k).C(130, -246+22*k, 260, -252+24*k, 350+3*k, -216+24*k))
	}
	c.draw(lines.both(), ink{stroke: ivory.dark, w: 2.6, op: 0.8})
	c.draw(polyline(0, -204, 0, -12), ink{stroke: ivory.deep, w: 5})
	// One word is gilded.
	c.place(-206, -154, 1.1, -4)
	c.sigil("ophelyx", ink{stroke: "#935f31", w: 5})
	c.end()
}

// eveningScene draws a window over the harbour: an envelope on the sill, a cup of tea and a sword.
func (c *card) eveningScene() {
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 0, 900, "#0d1617", "#131e1e", "#080d0d")})
	c.draw(masonry(0, 1600, 40, 210, 96, 8, 8), ink{stroke: "#060b0c", w: 4, op: 0.7})
	const x0, x1, y1 = 760.0, 1360.0, 660.0
	opening := newPath(x0, y1).L(x0, 320).C(x0, -10, x1, -10, x1, 320).L(x1, y1).Z()
	c.draw(opening, ink{stroke: "#22302f", w: 70})
	c.draw(opening, ink{stroke: "#3d4a49", w: 6})
	c.clip(opening)
	c.night(1600, 700, 480, 110)
	c.draw(rect(x0, 0, x1-x0, 520), ink{fill: c.linear(0, 0, 0, 520, "#122a33", "#245058", "#7d6a45")})
	c.circle(1180, 190, 190, ink{fill: c.radial(1180, 190, 190, faded(bone, 0.6), faded(bone, 0))})
	c.draw(new(path).arc(1180, 190, 54, -1.1, 2.2, true).arc(1158, 178, 52, 1.9, -0.8, false).Z(), ink{fill: bone})
	c.draw(spark(860, 210, 13).add(spark(940, 120, 9), spark(1000, 250, 7), spark(830, 310, 8), spark(1010, 90, 6)), ink{fill: bone})
	c.ridge("#1c3436", "#132426", "#4a6a64", 520, 700, 500, 820, 420, 940, 470, 1090, 380, 1230, 460, 1400, 400)
	c.draw(rect(x0, 500, x1-x0, 200), ink{fill: c.linear(0, 500, 0, 680, "#3a6a68", "#12282b")})
	glints := new(path)
	for range 26 {
		y := c.d.between(508, 640)
		x := 1060 + c.d.between(-1, 1)*(20+(y-500)*1.3)
		glints.M(x, y).L(x+c.d.between(10, 46), y)
	}
	c.draw(glints.coarse(), ink{stroke: "#ffd98a", w: 2.6, op: 0.5})
	c.prop("ark", "cedar", "wood", rarity.Legendary, 930, 500, 0.3)
	c.end()
	c.beacon(1270, 500)
	c.draw(polyline(1060, 60, 1060, y1).add(polyline(x0, 330, x1, 330)), ink{stroke: "#0b1213", w: 20})
	c.draw(polyline(1056, 70, 1056, y1).add(polyline(x0, 326, x1, 326)), ink{stroke: "#4a5a58", w: 3})
	wood := metalOf("wood")
	c.part(rect(640, y1, 840, 44), c.linear(0, y1, 0, y1+44, wood.shine, wood.light, wood.mid))
	c.draw(rect(660, y1+44, 800, 200), ink{fill: c.linear(0, y1+44, 0, 900, faded("#000000", 0.7), faded("#000000", 0))})
	c.prop("sword", "crowned", "gold", rarity.Legendary, 1306, 520, 0.86)
	c.cup(850, y1)
	c.letter(1010, y1)
	c.circle(690, 560, 320, ink{fill: c.radial(690, 560, 320, faded("#f5b942", 0.34), faded("#f5b942", 0))})
	c.lamp(704, y1-30, 0.9)
}

// cup is a steaming cup of tea, resting at y.
func (c *card) cup(x, y float64) {
	c.place(x, y, 1.3, 0)
	defer c.end()
	clay := metalOf("terracotta")
	handle := new(path).arc(44, -38, 22, -1.5, 1.5, true)
	c.draw(handle, ink{stroke: groundBase, w: 22})
	c.draw(handle, ink{stroke: clay.mid, w: 11})
	body := newPath(-50, -72).L(50, -72).C(48, -30, 34, -6, 22, 0).L(-22, 0).C(-34, -6, -48, -30, -50, -72).Z()
	c.part(body, c.linear(-50, 0, 50, 0, clay.shine, clay.light, clay.mid, clay.dark))
	c.clip(body)
	c.draw(meander(-52, -58, 4, 6), ink{stroke: clay.deep, w: 3})
	c.end()
	c.part(new(path).ellipse(0, -72, 50, 10), "#3f2012")
	steam := new(path)
	for i := range 3 {
		at := -24 + 24*float64(i)
		steam.add(curve(at, -88, at+14, -112, at-12, -140, at+10, -168, at-4, -196))
	}
	c.draw(steam, ink{stroke: bone, w: 3.4, op: 0.55})
}

// letter draws a sealed envelope that lies on a surface at y.
func (c *card) letter(x, y float64) {
	ivory := metalOf("ivory")
	c.place(x, y, 1, 0)
	defer c.end()
	c.part(polygon(-84, -6, 60, -6, 96, -40, -42, -40), c.linear(-80, -40, 90, 0, ivory.shine, ivory.light, ivory.mid))
	c.draw(polyline(-42, -40, 14, -18, 96, -40), ink{stroke: ivory.dark, w: 3})
	c.part(new(path).ellipse(12, -20, 15, 9), "#a8341c")
}

// oathScene is a pair of scales in balance: the sealed commitment in one pan, the revealed one in the other.
func (c *card) oathScene() {
	const x, y = 1070.0, 790.0
	c.night(1600, 900, 800, 90)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(x, 300, 740, faded(c.g.base, 0.34), faded(c.g.base, 0.1), faded(c.g.base, 0))})
	c.planisphere(x, 318, 400)
	c.ridge("#15282a", "#0b1415", "#2c413f", 900, 0, 860, 160, 770, 330, 820, 520, 730, 700, 800, 900, 770, 1070, 790, 1260, 760,
		1420, 800, 1600, 740)
	c.place(x, y, 3.1, 0)
	c.scales(0, 0)
	c.end()
	ivory := metalOf("ivory")
	// The sealed scroll.
	c.place(x-348, y-236, 1, -3)
	c.part(rect(-86, -62, 172, 58), c.linear(0, -62, 0, -4, ivory.shine, ivory.light, ivory.dark))
	for _, side := range []float64{-86, 86} {
		c.part(new(path).ellipse(side, -33, 13, 31), ivory.mid)
		c.draw(new(path).ellipse(side, -33, 6, 16), ink{stroke: ivory.dark, w: 3})
	}
	c.draw(polyline(0, -62, 0, -4), ink{stroke: "#7c2a17", w: 16})
	c.place(-38, -72, 0.32, 0)
	c.seal("ophelyx")
	c.end()
	c.end()
	// The unrolled one.
	c.place(x+348, y-236, 1, 0)
	sheet := newPath(-74, -8).C(-86, -60, -60, -120, -76, -190).L(74, -204).C(92, -130, 60, -70, 78, -8).Z()
	c.part(sheet, c.linear(-80, -190, 80, 0, ivory.shine, ivory.light, ivory.mid))
	lines := new(path)
	for i := range 7 {
		at := -172 + 23*float64(i)
		lines.M(-54, at).L(choose(c.d, 24.0, 40.0, 52.0), at-4)
	}
	c.draw(lines, ink{stroke: ivory.dark, w: 4})
	c.part(new(path).ellipse(0, -8, 82, 13), ivory.mid)
	c.part(new(path).ellipse(0, -198, 80, 13), ivory.light)
	c.end()
	c.lampbearer(700, 812, 1.1)
}

// mazeScene is a labyrinth from above: three entrances, one centre with a light.
func (c *card) mazeScene() {
	const x, y = 1060.0, 440.0
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 1600, 900, "#0a1214", "#12201f", "#0a1112")})
	for i := range 3 {
		c.circle(x, y, 620+90*float64(i), ink{stroke: bronzeLine, w: 2, op: 0.4})
	}
	c.circle(x, y, 560, ink{stroke: bronzeLine, w: 26, op: 0.5, dash: "2 15.6", butt: true})
	c.circle(x, y, 540, ink{fill: c.radial(x, y, 540, faded("#f5b942", 0.5), faded("#8a5a2a", 0.2), faded("#15211f", 0.9))})
	stone := metalOf("marble")
	// Each wall has a gap, where paths end or turn.
	gaps := [][]float64{{0.5, 2.6, 4.7}, {1.5, 4.1}, {0.1, 3.3}, {2.2, 5.4}, {1.1, 3.9}, {0.2}}
	walls, spokes := new(path), new(path)
	radius := func(i int) float64 { return 508 - 74*float64(i) }
	for i, at := range gaps {
		r := radius(i)
		half := 34 / r
		for j, gap := range at {
			next := at[(j+1)%len(at)]
			if next <= gap {
				next += 2 * math.Pi
			}
			walls.arc(x, y, r, gap+half, next-half, true)
		}
		if i > 0 {
			for _, a := range []float64{at[0] + 0.5, at[0] + 3.5} {
				s, co := math.Sincos(a)
				spokes.M(x+r*co, y+r*s).L(x+radius(i-1)*co, y+radius(i-1)*s)
			}
		}
	}
	for _, p := range []*path{spokes, walls} {
		c.draw(p.mapped(shift(6, 9)), ink{stroke: groundBase, w: 34, butt: true})
		c.draw(p, ink{stroke: stone.dark, w: 26, butt: true})
		c.draw(p.mapped(shift(-2, -3)), ink{stroke: c.linear(x-500, y-500, x+500, y+500, stone.light, stone.mid, stone.dark), w: 14, butt: true})
	}
	c.circle(x, y, 150, ink{fill: c.radial(x, y, 150, "#fff1c2", faded("#f5b942", 0.8), faded("#f5b942", 0))})
	c.draw(spark(x, y, 74), ink{fill: "#ffffff"})
	// Three people at the three entrances.
	for i, gap := range gaps[0] {
		s, co := math.Sincos(gap)
		at := func(r, turn float64) point {
			s, co := math.Sincos(gap + turn)
			return point{math.Round(x + r*co), math.Round(y + r*s)}
		}
		a, b, d := at(760, 0), at(508, 0), at(471, 0.5-0.3*float64(i))
		c.draw(newPath(a.x, a.y).L(b.x, b.y).Q(x+471*co, y+471*s, d.x, d.y), ink{stroke: bone, w: 4, dash: "1 13"})
		c.draw(spark(d.x, d.y, 30), ink{fill: []string{"#57b4f0", "#63cfa2", "#f07fb2"}[i]})
	}
}

// reckoningScene is the sum of a merge: eight stones, four, two, one.
func (c *card) reckoningScene() {
	c.night(1600, 900, 900, 90)
	const x = 1080.0
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(x, 200, 720, faded(c.g.base, 0.36), faded(c.g.base, 0.09), faded(c.g.base, 0))})
	c.circle(x, 190, 460, ink{stroke: bronzeLine, w: 2, op: 0.5})
	c.circle(x, 190, 484, ink{stroke: bronzeLine, w: 22, op: 0.45, dash: "2 12.5", butt: true})
	rows := []struct{ y, r float64 }{{790, 30}, {610, 44}, {420, 64}, {190, 116}}
	at := func(row, i int) float64 {
		n := math.Pow(2, float64(3-row))
		return x + (float64(i)-(n-1)/2)*(920/n)
	}
	threads := new(path)
	for row := range 3 {
		for i := range 8 >> row {
			x0, y0, x1, y1 := at(row, i), rows[row].y-rows[row].r, at(row+1, i/2), rows[row+1].y+rows[row+1].r
			threads.M(x0, y0).C(x0, (y0+y1)/2, x1, (y0+y1)/2, x1, y1)
		}
	}
	c.draw(threads, ink{stroke: groundBase, w: 11})
	c.draw(threads, ink{stroke: c.g.base, w: 3, dash: "1 8"})
	for row, k := range rows {
		for i := range 8 >> row {
			c.stone(at(row, i), k.y, k.r, 5+row, row == 3)
		}
		c.draw(polyline(x-500, k.y, x-472, k.y), ink{stroke: bronzeLine, w: 3})
	}
	c.draw(polyline(x-500, 120, x-500, 850), ink{stroke: bronzeLine, w: 2, op: 0.8})
}

// plotsScene is a hillside with three inhabited houses and a fourth that is only marked out.
func (c *card) plotsScene() {
	c.night(1600, 900, 640, 100)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(980, 420, 760, faded("#f5b942", 0.22), faded("#8a5a2a", 0.07), faded("#8a5a2a", 0))})
	c.planisphere(1120, 250, 300)
	c.ridge("#142426", "#0a1213", "#2c4444", 900, 0, 780, 160, 690, 300, 730, 460, 540, 600, 600, 760, 430, 900, 520, 1080, 400, 1240, 500,
		1400, 410, 1600, 520)
	c.ridge("#1a2a28", "#0a1112", "#3a4c45", 900, 0, 860, 200, 800, 380, 800, 600, 650, 780, 650, 960, 590, 1200, 604, 1380, 660, 1600, 680)
	for _, h := range []struct{ x, y, k float64 }{{720, 646, 0.96}, {962, 590, 1.2}, {1206, 606, 0.98}} {
		c.temple(h.x, h.y, h.k)
	}
	c.ridge("#121b1b", "#05090a", "#263534", 900, 0, 900, 240, 850, 520, 880, 780, 800, 1010, 822, 1240, 776, 1430, 800, 1600, 760)
	// The marked-out plot: the ground plan of a house, and the house as planned.
	plan := polyline(1200, 792, 1200, 640, 1520, 640, 1520, 792).add(polyline(1170, 640, 1360, 540, 1550, 640, 1170, 640),
		polyline(1264, 790, 1264, 646), polyline(1328, 790, 1328, 646), polyline(1392, 790, 1392, 646), polyline(1456, 790, 1456, 646))
	c.draw(plan, ink{stroke: bone, w: 3.4, op: 0.85, dash: "2 11"})
	var pegs []point
	for i := range 6 {
		pegs = append(pegs, point{1200 + 64*float64(i), 800})
	}
	c.draw(polyline(1200, 776, 1520, 776), ink{stroke: "#f5b942", w: 2.4})
	c.stamp(polygon(-5, -34, 5, -34, 3, 12, -3, 12), ink{fill: "#ad8150", stroke: groundBase, w: 3}, pegs...)
	c.lampbearer(1130, 838, 1.3)
}

// keeperScene is Chalkanor at the gate, with the two items that he recognises.
func (c *card) keeperScene() {
	const x = 1080.0
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 0, 900, "#0b1416", "#121d1f", "#070b0c")})
	c.draw(masonry(0, 1600, 30, 260, 126, 7, 7), ink{stroke: "#050a0b", w: 4, op: 0.8})
	gate := newPath(x-330, 900).L(x-330, 360).C(x-330, -60, x+330, -60, x+330, 360).L(x+330, 900).Z()
	c.draw(gate, ink{stroke: "#22302f", w: 80})
	c.draw(gate, ink{stroke: "#465653", w: 5})
	c.draw(gate, ink{fill: c.radial(x, 330, 640, c.g.bright, mix(c.g.base, "#8a5a2a", 0.3), "#5b3c1c", "#1c150d")})
	c.clip(gate)
	c.burst(x, 330, 120, 760, 600, 26, 40, 0, ink{fill: c.g.bright, op: 0.2})
	c.colossus("crest", x, 420, 1.06, metal{"#090705", "#1f160e", "#46331f", "#8a683f", "#d9ad74"}, true)
	c.end()
	c.prop(kindPassCommunity, "", "bronze", rarity.Uncommon, x-352, 640, 0.6)
	c.prop(kindPassUltimate, "", "gold", rarity.Legendary, x+352, 640, 0.6)
	wood := metalOf("marble")
	c.part(rect(-20, 826, 1640, 24), c.linear(0, 826, 0, 850, wood.mid, wood.dark))
	c.draw(rect(-20, 850, 1640, 60), ink{fill: "#070b0c"})
	c.keys(4, 860, 4.6, 7, ink{stroke: bronzeLine, w: 2.6, op: 0.6})
}

// castingsScene is one god in five metals, the newest still hot.
func (c *card) castingsScene() {
	c.night(1600, 900, 700, 60)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(1230, 520, 760, faded(c.g.base, 0.46), faded(c.g.base, 0.12), faded(c.g.base, 0))})
	c.planisphere(1180, 300, 420)
	for i, name := range []string{"obsidian", "verdigris", "iron", "bronze"} {
		k := float64(i)
		m := metalOf(name)
		dim := 0.62 - 0.13*k
		c.colossus("anvil", 560+148*k, 470+22*k, 0.5+0.11*k, metal{
			m.deep, mix(m.dark, groundBase, dim), mix(m.mid, groundBase, dim), mix(m.light, groundBase, dim), mix(m.shine, groundBase, dim),
		}, false)
	}
	c.colossus("anvil", 1240, 520, 1.14, metalOf("gold"), true)
	// The bench, and the rising sparks.
	bench := metalOf("iron")
	c.part(rect(-20, 812, 1640, 30), c.linear(0, 812, 0, 842, bench.mid, bench.dark))
	c.draw(rect(-20, 842, 1640, 70), ink{fill: "#070b0c"})
	sparks := new(path)
	for range 30 {
		sparks.add(spark(math.Round(1240+c.d.between(-330, 330)), math.Round(c.d.between(60, 800)), math.Round(c.d.between(4, 12))))
	}
	c.draw(sparks, ink{fill: "#ffd9a0"})
}

// ashoreScene is an ark at the quay with its gangplank out and its passengers disembarking; a pig watches them.
func (c *card) ashoreScene() {
	c.night(1600, 900, 520, 80)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(1060, 330, 700, faded(c.g.base, 0.36), faded(c.g.base, 0.09), faded(c.g.base, 0))})
	c.planisphere(1060, 280, 340)
	c.draw(rect(0, 540, 1600, 260), ink{fill: c.linear(0, 540, 0, 760, "#1c3a39", "#0b1516")})
	c.ridge("#15282a", "#0e1a1c", "#24393a", 560, 0, 560, 160, 500, 320, 540, 480, 490, 640, 540)
	glints := new(path)
	for range 40 {
		x, y := c.d.between(0, 1600), c.d.between(552, 740)
		glints.M(x, y).L(x+c.d.between(12, 60), y)
	}
	c.draw(glints.coarse(), ink{stroke: mix(c.g.base, bone, 0.3), w: 2.4, op: 0.3})
	c.prop("ark", "ram", "bronze", rarity.Legendary, 1080, 410, 1.16)
	stone := metalOf("marble")
	c.part(polygon(-20, 760, 1640, 724, 1640, 920, -20, 920), c.linear(0, 730, 0, 900, stone.mid, "#22302f", "#0a0f10"))
	joints := new(path)
	for i := range 12 {
		x := 150 * float64(i)
		joints.M(x, 770-0.02*x).L(x-30, 900)
	}
	c.draw(joints, ink{stroke: "#0a0f10", w: 4})
	plank := polygon(930, 620, 960, 616, 700, 800, 640, 800)
	c.part(plank, c.linear(640, 800, 960, 616, "#e3c491", "#ad8150", "#724e2d"))
	var people []point
	for i := range 6 {
		t := float64(i) / 5
		people = append(people, point{900 - 230*t, 640 + 156*t})
	}
	c.stamp(newPath(-13, 0).C(-19, -42, -13, -66, 0, -68).C(13, -66, 19, -42, 13, 0).Z().circle(0, -80, 12),
		ink{fill: "#05080a", stroke: "#e0a468", w: 2.6}, people...)
	c.prop("piggy-bank", "laurel", "gold", rarity.Legendary, 1360, 770, 0.44)
	c.beacon(1170, 770)
}

// lentScene is Selmene rising over the sea with the light lent to her, and an hourglass with the time left.
func (c *card) lentScene() {
	const x = 1060.0
	c.night(1600, 900, 640, 130)
	c.circle(x, 300, 620, ink{fill: c.radial(x, 300, 620, faded(bone, 0.4), faded("#57b4f0", 0.12), faded("#57b4f0", 0))})
	c.planisphere(x, 330, 430)
	c.colossus("moon", x, 440, 1.0, metal{"#131b22", "#2c3a44", "#5f737f", "#a7bac3", "#f4fafb"}, true)
	c.draw(rect(0, 690, 1600, 220), ink{fill: c.linear(0, 690, 0, 900, "#1f3d44", "#0a1416")})
	glints := new(path)
	for range 90 {
		y := c.d.between(698, 890)
		at := x + c.d.between(-1, 1)*(60+(y-690)*1.5)
		glints.M(at, y).L(at+c.d.between(14, 80), y)
	}
	c.draw(glints.coarse(), ink{stroke: bone, w: 3, op: 0.55})
	c.ridge("#142426", "#0a1213", "#2c4444", 720, 0, 700, 130, 620, 300, 690, 430, 640, 560, 704)
	c.part(polygon(1330, 900, 1350, 760, 1520, 760, 1540, 900), c.linear(1330, 0, 1540, 0, "#74827d", "#3d4a49", "#0d1112"))
	c.part(rect(1330, 738, 210, 26), "#74827d")
	c.prop("relic", "hourglass", "silver", rarity.Rare, 1435, 606, 0.46)
}
