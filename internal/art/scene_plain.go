package art

import "pantheon/internal/kit/rarity"

// The pictures of pages about something unavailable. The subject is on the right.

// shutScene is a barred bronze door with a visitor in front.
func (c *card) shutScene() {
	const x, floor = 1090.0, 770.0
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 0, 900, "#0a1214", "#121d1f", "#070b0c")})
	c.draw(masonry(0, 1600, 20, 250, 125, 7, 7), ink{stroke: "#050a0b", w: 4, op: 0.8})
	c.circle(x-210, 560, 560, ink{fill: c.radial(x-210, 560, 560, faded("#f5b942", 0.34), faded("#8a5a2a", 0.1), faded("#8a5a2a", 0))})
	frame := rect(x-310, 60, 620, floor-60)
	c.part(rect(x-370, 10, 740, 60), c.linear(0, 10, 0, 70, "#4a5a58", "#22302f"))
	c.part(frame, c.linear(x-310, 0, x+310, 0, "#3d4a49", "#22302f", "#131c1d"))
	bronze := metal{"#0b0806", "#23180f", "#4a3520", "#80603a", "#c79a63"}
	for _, side := range []float64{-1, 1} {
		left := x - 262
		if side > 0 {
			left = x + 4
		}
		c.part(rect(left, 108, 258, floor-108), c.linear(x-300, 100, x+300, floor, bronze.light, bronze.mid, bronze.dark))
		for row := range 3 {
			panel := rect(left+26, 136+208*float64(row), 206, 180)
			c.draw(panel, ink{fill: c.linear(left, 120, left+260, floor, bronze.mid, bronze.dark), stroke: bronze.deep, w: 6})
			c.draw(panel, ink{stroke: bronze.light, w: 2, op: 0.7})
			for i := range 4 {
				c.circle(left+40+59*float64(i), 122+208*float64(row), 6, ink{fill: bronze.light, stroke: bronze.deep, w: 3})
			}
		}
		ring := new(path).circle(x+side*130, 486, 44)
		c.draw(ring, ink{stroke: groundBase, w: 22})
		c.draw(ring, ink{stroke: c.linear(x-180, 440, x+180, 530, bronze.shine, bronze.light, bronze.mid), w: 11})
		c.part(new(path).circle(x+side*130, 446, 20), bronze.light)
	}
	// The bar, and the seal on it.
	c.part(rect(x-340, 316, 680, 52), c.linear(0, 316, 0, 368, "#e3c491", "#ad8150", "#4a3520"))
	for _, at := range []float64{x - 300, x + 262} {
		c.part(rect(at, 300, 38, 84), c.linear(0, 300, 0, 384, "#93a9b0", "#526770", "#27353d"))
	}
	c.place(x-66, 276, 0.55, 0)
	c.seal("chalkanor")
	c.end()
	for i := range 3 {
		k := float64(i)
		c.part(rect(x-380-60*k, floor+26*k, 760+120*k, 28), mix("#4a5a58", groundBase, 0.25*k+0.1))
	}
	c.draw(rect(0, floor+78, 1600, 100), ink{fill: "#070b0c"})
	c.lampbearer(x-250, floor+70, 1.9)
}

// lapseScene is an hourglass that has nearly run out, beside a burning lamp.
func (c *card) lapseScene() {
	const x = 1120.0
	c.night(1600, 900, 660, 110)
	c.planisphere(x-60, 350, 420)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(1370, 560, 660, faded("#f5b942", 0.42), faded("#8a5a2a", 0.12), faded("#8a5a2a", 0))})
	wood := metalOf("wood")
	c.part(rect(-20, 742, 1640, 44), c.linear(0, 742, 0, 786, wood.shine, wood.light, wood.mid))
	c.draw(rect(-20, 786, 1640, 130), ink{fill: c.linear(0, 786, 0, 900, wood.dark, groundBase)})
	c.keys(4, 822, 7, 5, ink{stroke: bronzeLine, w: 3.2, op: 0.6})
	c.prop("relic", "hourglass", "bronze", rarity.Rare, x-70, 452, 1.06)
	c.lamp(1400, 706, 1.25)
	c.cup(792, 742)
}

// repairsScene is a hall of the market with a ladder and the goods under a cloth.
func (c *card) repairsScene() {
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 0, 900, "#0b1416", "#121d1f", "#080d0d")})
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(1130, 330, 700, faded(c.g.base, 0.5), faded(c.g.base, 0.13), faded(c.g.base, 0))})
	stone, dim := metalOf("marble"), metal{"#0d1112", "#20292a", "#3d4a49", "#74827d", "#b9c2b6"}
	c.part(rect(-20, -20, 1640, 74), c.linear(0, 0, 0, 54, dim.mid, dim.dark))
	c.keys(4, 14, 5, 7, ink{stroke: bronzeLine, w: 3})
	for i, x := range []float64{660, 1000, 1500} {
		w := 52.0
		top := 54.0
		if i == 1 {
			top = 330 // the one under repair
		}
		column := polygon(x-w, top, x-w*0.3, top+16*float64(i%2), x+w*0.2, top-14*float64(i%2), x+w, top, x+w*1.14, 770, x-w*1.14, 770)
		c.part(column, c.linear(x-w, 0, x+w, 0, stone.mid, dim.light, dim.mid, dim.dark, dim.deep))
		flutes := new(path)
		for j := range 5 {
			k := -0.66 + 0.33*float64(j)
			flutes.M(x+w*k, top+24).L(x+w*k*1.13, 766)
		}
		c.draw(flutes, ink{stroke: dim.deep, w: 4})
		c.part(rect(x-w*1.4, 762, w*2.8, 26), dim.mid)
	}
	c.ladder(1180, 800)
	c.draw(polyline(1000, 54, 1000, 150), ink{stroke: bronzeLine, w: 3})
	c.lamp(1000, 206, 1.1)
	// Drums of the column, and the goods under the cloth.
	for i := range 2 {
		x := 760 + 64*float64(i)
		c.part(new(path).ellipse(x+30, 742, 62, 46), c.linear(x-30, 700, x+90, 790, stone.light, dim.light, dim.dark))
		c.draw(new(path).ellipse(x+22, 742, 34, 26), ink{stroke: dim.dark, w: 4})
	}
	cloth := newPath(1236, 800).C(1250, 700, 1280, 640, 1320, 620).C(1360, 560, 1420, 610, 1440, 640).C(1490, 660, 1500, 720, 1520, 800).
		C(1480, 788, 1450, 812, 1410, 796).C(1370, 812, 1330, 786, 1236, 800).Z()
	c.part(cloth, c.linear(1236, 600, 1520, 800, "#d6d1c4", "#9a968c", "#56544f"))
	c.draw(newPath(1320, 622).C(1300, 690, 1290, 740, 1296, 790).M(1372, 596).C(1366, 680, 1380, 730, 1370, 790).M(1440, 642).
		C(1440, 700, 1470, 740, 1466, 792), ink{stroke: "#56544f", w: 4})
	c.draw(rect(-20, 788, 1640, 130), ink{fill: c.linear(0, 788, 0, 900, "#22302f", "#070b0c")})
	c.prop("hammer", "block", "iron", rarity.Rare, 890, 800, 0.34)
}
