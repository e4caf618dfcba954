package art

import (
	"math"

	"pantheon/internal/kit/rarity"
)

// steleScene is the stone for the names of the best players: ruled, and still blank.
func (c *card) steleScene() {
	const cx, top, foot = 560.0, 250.0, 1130.0
	c.night(1000, 1300, 900, 70)
	c.draw(rect(0, 0, 1000, 1300), ink{fill: c.radial(cx, 330, 760, faded(c.g.base, 0.34), faded(c.g.base, 0.1), faded(c.g.base, 0))})
	c.place(cx, 330, 1, 0)
	c.burst(0, 0, 190, 620, 470, 26, 48, 0, ink{fill: c.g.base, op: 0.16})
	c.draw(new(path).circle(0, 0, 420).circle(0, 0, 396), ink{stroke: bronzeLine, w: 2, op: 0.6})
	c.circle(0, 0, 408, ink{stroke: bronzeLine, w: 22, op: 0.45, dash: "2 15.8", butt: true})
	c.end()
	c.ridge("#142224", "#0a1213", "#27393a", 1300, 0, 960, 140, 850, 260, 940, 420, 800, 560, 900, 720, 790, 860, 900, 1000, 820)

	// The slab, seen slightly from the left, so that its edge is visible.
	stone := metalOf("marble")
	edge := polygon(cx+250, top+52, cx+288, top+76, cx+330, foot, cx+288, foot)
	c.part(edge, c.linear(cx+268, 0, cx+330, 0, stone.dark, stone.deep))
	c.place(cx, 0, 1, 0)
	half := newPath(0, top-110).L(190, top-6).L(272, top+6).L(272, top+52).L(254, top+52).L(292, foot).L(0, foot)
	slab := half.sym()
	c.part(slab, c.linear(-290, top, 260, foot, stone.shine, stone.light, stone.mid, stone.dark))
	c.hatch(new(path).add(half).Z(), hatching{angle: 184, gap: 11, w: 5, reach: 0.34, colour: stone.dark, op: 0.7})
	c.draw(newPath(-272, top+6).L(-190, top-6).L(0, top-110), ink{stroke: "#fff", w: 5})
	pediment := newPath(0, top-72).L(206, top+28).L(0, top+28).sym()
	c.draw(pediment, ink{fill: c.linear(0, top-70, 0, top+28, stone.dark, stone.deep)})
	c.draw(laurel(0, top-18, 40, math.Pi/2+0.2, math.Pi*1.42, 6, 30).both(), ink{fill: c.g.base})
	c.draw(spark(0, top-12, 24), ink{fill: c.g.bright})
	c.draw(polyline(-258, top+52, 258, top+52), ink{stroke: stone.deep, w: 7})
	c.draw(meander(-250, top+66, 5, 20), ink{stroke: stone.dark, w: 3.4})
	// Ten ruled lines, numbered by strokes and empty.
	rules, marks := new(path), new(path)
	for i := range 10 {
		y := top + 170 + 58*float64(i)
		w := 206 + 0.036*(y-top)
		rules.M(-w+74, y).L(w, y)
		line, _ := inscription([]string{"I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "VIIII", "X"}[i], -w+28, y, 25, 62, 1)
		marks.add(line)
	}
	c.draw(rules, ink{stroke: stone.deep, w: 3, op: 0.8})
	c.draw(rules.mapped(shift(0, 3)), ink{stroke: "#fff", w: 1.6, op: 0.7})
	c.draw(marks, ink{stroke: stone.deep, w: 4})
	c.part(polygon(-340, foot, 340, foot, 356, foot+34, -356, foot+34), c.linear(-340, 0, 356, 0, stone.light, stone.mid, stone.dark))
	c.part(polygon(-372, foot+34, 372, foot+34, 390, foot+76, -390, foot+76), c.linear(-372, 0, 390, 0, stone.mid, stone.dark, stone.deep))
	c.end()
	c.draw(rect(0, foot+76, 1000, 100), ink{fill: c.linear(0, foot+76, 0, 1300, "#0d1617", groundBase)})

	// The mason's tools.
	c.prop("hammer", "block", "iron", rarity.Mythic, 206, 1084, 0.46)
	chisel := func(x, lean float64) {
		c.place(x, foot+74, 0.86, lean)
		c.part(polygon(-9, -150, 9, -150, 11, -40, 0, -6, -11, -40), c.linear(-10, 0, 10, 0, "#dfe9ea", "#93a9b0", "#27353d"))
		c.part(rect(-15, -206, 30, 60), c.linear(-15, 0, 15, 0, "#ad8150", "#3f2a18"))
		c.part(rect(-18, -216, 36, 14), metalOf("bronze").mid)
		c.end()
	}
	chisel(294, 14)
	chisel(336, 22)
	c.prop("relic", "crown", "gold", rarity.Mythic, cx, 104, 0.34)
}
