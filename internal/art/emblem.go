package art

import (
	"math"

	"pantheon/internal/kit/rarity"
)

// medallion is the round field of the emblems, 640 units wide.
func (c *card) medallion() {
	c.place(320, 320, 1, 0)
	c.circle(0, 0, 304, ink{fill: c.radial(-60, -90, 420, mix(c.g.soft, groundBase, 0.15), mix(c.g.soft, groundBase, 0.65), groundBase)})
	c.circle(0, 0, 298, ink{stroke: c.linear(-200, -250, 200, 250, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 14})
	c.circle(0, 0, 306, ink{stroke: groundBase, w: 3})
	c.circle(0, 0, 248, ink{stroke: c.m.mid, w: 3})
	c.ring(48, 0, 0, 0, func() {
		c.draw(polyline(-16, -262, -16, -280, 6, -280, 6, -267, -6, -267, -6, -273), ink{stroke: c.m.light, w: 3})
	})
	c.burst(0, 0, 120, 240, 200, 5, 48, 0, ink{fill: c.g.base, op: 0.4})
}

// kingEmblem draws the crown over the wheel of destiny.
func (c *card) kingEmblem() {
	c.medallion()
	gold := metalOf("gold")
	const hub = 62
	wheel := new(path).circle(0, hub, 140).circle(0, hub, 98)
	c.draw(wheel, ink{stroke: groundBase, w: 26})
	c.ring(12, 0, hub, 0, func() {
		c.part(polygon(-6, -22, 6, -22, 8, -138, -8, -138), c.linear(-9, 0, 9, 0, c.m.light, c.m.mid, c.m.dark))
		c.circle(0, -160, 10, ink{fill: c.m.light, stroke: groundBase, w: 6})
	})
	c.draw(wheel, ink{stroke: c.linear(-160, -120, 160, 200, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 16})
	c.circle(0, hub, 140, ink{stroke: c.m.deep, w: 9, dash: "3 11.66", butt: true})
	c.part(new(path).circle(0, hub, 40), c.radial(-14, hub-14, 56, gold.shine, gold.light, gold.mid))
	c.gem(0, hub, 22, 8)
	c.prop("relic", "crown", "gold", rarity.Mythic, 0, -112, 0.6)
	c.end()
}

// mergeEmblem draws two vessels that become one, in an endless loop.
func (c *card) mergeEmblem() {
	c.medallion()
	c.place(0, -6, 2.35, 0)
	loop := newPath(0, 0).C(30, -62, 102, -62, 102, 0).C(102, 62, 30, 62, 0, 0).C(-30, -62, -102, -62, -102, 0).C(-102, 62, -30, 62, 0, 0).Z()
	c.draw(loop, ink{stroke: groundBase, w: 27})
	c.draw(loop, ink{stroke: c.linear(-100, -50, 100, 50, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 20})
	c.draw(loop, ink{stroke: c.m.deep, w: 14, dash: "1.4 5", butt: true, op: 0.8})
	c.draw(loop, ink{stroke: c.g.base, w: 4})
	c.end()
	c.gem(-132, -6, 46, 6)
	c.gem(132, -6, 46, 6)
	c.circle(0, -10, 150, ink{fill: c.radial(0, -10, 150, faded(c.g.base, 0.7), faded(c.g.base, 0))})
	c.gem(0, -8, 78, 8)
	c.draw(spark(0, -8, 128), ink{fill: c.g.bright, op: 0.5})
	c.draw(spark(0, -178, 34).add(spark(-78, -164, 17), spark(78, -164, 17), spark(0, 166, 34), spark(-78, 152, 17), spark(78, 152, 17)),
		ink{fill: c.g.bright})
	c.end()
}

// siegeEmblem draws a gate that withstands a siege.
func (c *card) siegeEmblem() {
	c.medallion()
	stone := metalOf("marble")
	wall := newPath(0, -150).L(26, -150).L(26, -176).L(58, -176).L(58, -150).L(84, -150).L(84, -204).L(112, -204).L(112, -184).L(134, -184).
		L(134, -204).L(162, -204).L(162, 190).L(0, 190).sym()
	c.part(wall, c.linear(-160, -200, 150, 190, stone.light, stone.mid, stone.dark))
	c.hatch(wall, hatching{angle: 184, gap: 10, w: 5, reach: 0.45, colour: stone.deep, op: 0.8})
	courses := new(path)
	for i := range 8 {
		y := -128 + 40*float64(i)
		courses.M(-160, y).L(160, y)
		for j := range 5 {
			x := -128 + 64*float64(j) + 32*float64(i%2)
			courses.M(x, y).L(x, y+40)
		}
	}
	c.clip(wall)
	c.draw(courses, ink{stroke: stone.deep, w: 3, op: 0.8})
	c.end()
	gate := newPath(0, -84).C(56, -84, 86, -44, 86, 4).L(86, 190).L(0, 190).sym()
	c.part(gate, c.radial(0, 60, 170, "#ffffff", c.g.bright, c.g.base, c.g.soft))
	bars := new(path)
	for i := range 5 {
		x := -60 + 30*float64(i)
		bars.M(x, -90).L(x, 150).L(x, 168)
	}
	for i := range 4 {
		y := -50 + 52*float64(i)
		bars.M(-90, y).L(90, y)
	}
	c.clip(gate)
	c.draw(bars, ink{stroke: groundBase, w: 15})
	c.draw(bars, ink{stroke: metalOf("iron").mid, w: 7})
	c.end()
	c.draw(gate, ink{stroke: stone.shine, w: 7})
	c.part(rect(-190, 186, 380, 24), stone.mid)
	for _, lean := range []float64{-46, 46} {
		c.place(0, 30, 0.74, lean)
		c.spear("leaf")
		c.end()
	}
	c.part(new(path).circle(0, 44, 62), c.radial(-20, 20, 90, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.rim(0, 44, 62, 18, 5)
	c.draw(starry(0, 44, 40, 16, 8, 0), ink{fill: c.g.base, stroke: groundBase, w: 4, under: true})
	c.end()
}

// coin is the round blank of the token icons, 128 units wide.
func (c *card) coin(m metal) {
	c.place(64, 64, 1, 0)
	c.circle(0, 0, 60, ink{fill: c.radial(-18, -22, 88, m.shine, m.light, m.mid, m.dark), stroke: m.deep, w: 3})
	c.circle(0, 0, 53, ink{stroke: m.deep, w: 5, dash: "2 3.55", butt: true, op: 0.75})
	c.circle(0, 0, 45, ink{fill: m.dark, stroke: m.shine, w: 1.6})
}

func (c *card) dollarCoin() {
	m := metalOf("silver")
	c.coin(m)
	c.circle(0, 0, 43, ink{fill: c.radial(-12, -14, 60, "#2f6ea0", "#173c5c", "#0c2032")})
	c.draw(newPath(17, -15).C(12, -24, -16, -26, -17, -12).C(-18, 2, 18, -2, 17, 13).C(16, 27, -13, 25, -18, 15), ink{stroke: m.shine, w: 7})
	c.draw(polyline(0, -34, 0, -24).add(polyline(0, 24, 0, 34)), ink{stroke: m.shine, w: 6})
	c.end()
}

func (c *card) godCoin() {
	m := metalOf("gold")
	c.coin(m)
	c.circle(0, 0, 43, ink{fill: c.radial(-12, -14, 60, "#6b3a12", "#3a1d08", "#1c0e04")})
	c.burst(0, 0, 24, 41, 34, 7, 24, 0, ink{fill: m.light})
	c.circle(0, 0, 21, ink{fill: c.radial(-6, -8, 30, m.shine, m.light, m.mid)})
	c.draw(newPath(-14, 1).C(-7, -9, 7, -9, 14, 1).C(7, 10, -7, 10, -14, 1).Z(), ink{fill: "#2a1506"})
	c.circle(0, 1, 5, ink{fill: "#ff6a43"})
	c.end()
}

// logo is the mark: a pediment, two columns and the star between them. It remains legible
// down to 16 pixels.
func (c *card) logo() {
	c.draw(newPath(14, 0).L(50, 0).C(60, 0, 64, 4, 64, 14).L(64, 50).C(64, 60, 60, 64, 50, 64).L(14, 64).C(4, 64, 0, 60, 0, 50).L(0, 14).
		C(0, 4, 4, 0, 14, 0).Z(),
		ink{fill: c.linear(0, 0, 0, 64, "#1a2d2c", groundBase)})
	m := metalOf("bronze")
	paint := c.linear(8, 6, 52, 58, m.shine, m.light, m.mid)
	c.draw(polygon(32, 7, 57, 22.5, 57, 26.5, 7, 26.5, 7, 22.5), ink{fill: paint})
	c.draw(rect(11, 30, 8, 19).add(rect(45, 30, 8, 19), rect(7, 52, 50, 5)), ink{fill: paint})
	c.draw(starry(32, 39.5, 11.5, 4.1, 4, -math.Pi/2), ink{fill: c.g.base})
	c.draw(starry(32, 18.6, 5, 2, 4, -math.Pi/2), ink{fill: groundBase})
}
