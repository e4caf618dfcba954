package art

import (
	"math"

	"pantheon/internal/kit/rarity"
)

// doorsScene is the front of the house of games: three doors in one wall, each a third of the picture wide. The first
// is ajar with light behind it; a line of light shows under the others.
func (c *card) doorsScene() {
	c.draw(rect(0, 0, 1800, 820), ink{fill: c.linear(0, 0, 0, 820, "#10191b", "#172224", "#0c1314")})
	// The wall: courses of stone, a frieze, and the ground in front.
	c.draw(masonry(0, 1800, 96, 150, 66, 9, 13), ink{stroke: "#070c0d", w: 4, op: 0.6})
	c.part(rect(-20, 0, 1840, 88), c.linear(0, 0, 0, 88, "#31403f", "#1d2829"))
	c.draw(meander(4, 26, 8, 45), ink{stroke: bronzeLine, w: 4})
	c.part(rect(-20, 690, 1840, 150), c.linear(0, 690, 0, 820, "#1f2a2a", "#080d0e"))

	king, merge, siege := glowOf(rarity.Mythic), glowOf(rarity.Uncommon), glowOf(rarity.Rare)
	for _, x := range []float64{0, 600, 1200, 1800} {
		c.pilaster(x)
	}
	c.doorway(300, king)
	c.insideOfTheHall(300)
	c.leaf(300, -1, 0.34, king)
	c.leaf(300, 1, 0.5, king)
	c.doorway(900, merge)
	c.leaf(900, -1, 1, merge)
	c.leaf(900, 1, 1, merge)
	c.doorway(1500, siege)
	c.leaf(1500, -1, 1, siege)
	c.leaf(1500, 1, 1, siege)
	// The light on the ground.
	c.draw(polygon(232, 690, 368, 690, 560, 820, 60, 820), ink{fill: c.linear(0, 690, 0, 820, faded("#ffd9a0", 0.8), faded(king.base, 0.12))})
	for _, d := range []struct {
		x float64
		g glow
	}{{900, merge}, {1500, siege}} {
		c.draw(rect(d.x-148, 683, 296, 6), ink{fill: d.g.bright})
		c.draw(polygon(d.x-148, 690, d.x+148, 690, d.x+190, 734, d.x-190, 734), ink{
			fill: c.linear(0, 690, 0, 734, faded(d.g.base, 0.45), faded(d.g.base, 0)),
		})
	}
	c.signs(king, merge, siege)
	// A visitor at the open door.
	figure := newPath(0, -64).C(10, -64, 14, -56, 13, -46).C(24, -40, 28, -10, 30, 40).L(0, 40).sym()
	c.draw(figure.mapped(placed(312, 742, 1.25, 0)), ink{fill: "#05090a", stroke: "#ffb27a", w: 3, under: true})
	c.draw(polygon(326, 790, 350, 790, 470, 830, 390, 830), ink{fill: groundBase, op: 0.45})
}

// pilaster separates two doors.
func (c *card) pilaster(x float64) {
	shaft := rect(x-38, 88, 76, 592)
	c.part(shaft, c.linear(x-38, 0, x+38, 0, "#3a4846", "#222d2d", "#131b1c"))
	flutes := new(path)
	for i := range 4 {
		fx := x - 24 + 16*float64(i)
		flutes.M(fx, 138).L(fx, 640)
	}
	c.draw(flutes, ink{stroke: "#0a1011", w: 5})
	c.part(rect(x-52, 88, 104, 22).add(rect(x-46, 110, 92, 16), rect(x-48, 650, 96, 20), rect(x-56, 670, 112, 24)),
		c.linear(x-50, 0, x+50, 0, "#46544f", "#1a2425"))
}

// doorway is the frame of one door: jambs, an arch, three steps.
func (c *card) doorway(x float64, g glow) {
	c.circle(x, 400, 330, ink{fill: c.radial(x, 400, 330, faded(g.base, 0.2), faded(g.base, 0))})
	frame := newPath(0, 196).C(110, 196, 186, 262, 186, 360).L(186, 690).L(0, 690).sym().mapped(shift(x, 0))
	c.part(frame, c.linear(x-186, 190, x+186, 690, "#8f8569", "#57564a", "#2a302d"))
	inner := newPath(0, 232).C(90, 232, 148, 286, 148, 364).L(148, 690).L(0, 690).sym().mapped(shift(x, 0))
	c.part(inner, groundBase)
	cuts := new(path)
	for i := range 9 {
		a := math.Pi + math.Pi*float64(i)/8
		cuts.M(x+150*math.Cos(a), 362+132*math.Sin(a)).L(x+186*math.Cos(a), 362+168*math.Sin(a))
	}
	for i := range 4 {
		y := 430 + 64*float64(i)
		cuts.M(x-186, y).L(x-150, y).M(x+150, y).L(x+186, y)
	}
	c.draw(cuts.coarse(), ink{stroke: groundBase, w: 4, op: 0.8})
	for i := range 3 {
		k := float64(i)
		c.part(rect(x-200-k*20, 690+k*15, 400+k*40, 17), c.linear(x-220, 0, x+220, 0, "#2b3533", "#6b675a", "#2b3533"))
	}
}

// leaf is one half of a door, open if k is below 1; side is -1 on the left and 1 on the right. It is hinged at its jamb.
func (c *card) leaf(x, side, k float64, g glow) {
	c.clip(newPath(0, 232).C(90, 232, 148, 286, 148, 364).L(148, 690).L(0, 690).sym().mapped(shift(x, 0)))
	defer c.end()
	m := metalOf("bronze")
	dark := metal{m.deep, mix(m.dark, groundBase, 0.4), mix(m.mid, groundBase, 0.42), mix(m.light, groundBase, 0.35), m.shine}
	// A leaf seen at an angle is narrower and its inner edge is displaced vertically: a shear about the jamb.
	at := func(u, y float64) point {
		w := 146 * k
		return point{x + side*(148-u*w), y + (1-k)*u*(y-480)*0.16}
	}
	quad := func(u0, y0, u1, y1 float64) *path {
		a, b, d, e := at(u0, y0), at(u1, y0), at(u1, y1), at(u0, y1)
		return polygon(a.x, a.y, b.x, b.y, d.x, d.y, e.x, e.y)
	}
	c.part(quad(0, 180, 1, 690), c.linear(x+side*148, 0, x+side*(148-146*k), 0, dark.dark, dark.mid, dark.light))
	for _, y := range []float64{252, 404, 556} {
		c.part(quad(0.14, y, 0.86, y+116), c.linear(x+side*148, 0, x+side*(148-146*k), 0, dark.deep, dark.dark, dark.mid))
		c.draw(quad(0.22, y+12, 0.78, y+104), ink{stroke: dark.light, w: 2, op: 0.7})
		mid := at(0.5, y+58)
		c.draw(starry(0, 0, 30, 12, 8, 0).mapped(matrix{math.Max(k, 0.4), 0, 0, 1, mid.x, mid.y}),
			ink{fill: mix(g.base, groundBase, 0.45), stroke: dark.deep, w: 3, under: true})
	}
	p, q, r, t := at(0.07, 250), at(0.07, 670), at(0.93, 250), at(0.93, 670)
	c.draw(polyline(p.x, p.y, q.x, q.y).add(polyline(r.x, r.y, t.x, t.y)), ink{stroke: dark.light, w: 7, dash: "0 46"}) // studs
	ring := at(0.9, 480)
	c.draw(new(path).ellipse(ring.x, ring.y, 15*k, 15), ink{stroke: groundBase, w: 8})
	c.draw(new(path).ellipse(ring.x, ring.y, 15*k, 15), ink{stroke: m.light, w: 4})
}

// insideOfTheHall is the view through the open door: light, steps and the back of a chair.
func (c *card) insideOfTheHall(x float64) {
	c.clip(newPath(0, 232).C(90, 232, 148, 286, 148, 364).L(148, 690).L(0, 690).sym().mapped(shift(x, 0)))
	defer c.end()
	c.draw(rect(x-150, 230, 300, 470), ink{fill: c.radial(x, 430, 330, "#fff1c2", "#ffb27a", "#c9512f", "#4f1a11")})
	c.burst(x, 400, 60, 300, 220, 12, 32, 0, ink{fill: "#fff1c2", op: 0.35})
	c.draw(newPath(0, 420).C(26, 420, 42, 436, 44, 462).L(46, 600).L(0, 600).sym().mapped(shift(x, 0)).add(
		rect(x-62, 560, 124, 24), rect(x-58, 584, 18, 46), rect(x+40, 584, 18, 46),
		rect(x-90, 630, 180, 16), rect(x-110, 648, 220, 18), rect(x-130, 668, 260, 24)), ink{fill: "#2a0d08"})
	c.draw(polygon(x-34, 390, x-40, 350, x-20, 370, x, 336, x+20, 370, x+40, 350, x+34, 390), ink{fill: "#fff1c2", stroke: "#7a2a14", w: 4})
}

// signs hang above the doors, each a medallion with the mark of its game.
func (c *card) signs(king, merge, siege glow) {
	for i, g := range []glow{king, merge, siege} {
		x, y := 300+600*float64(i), 186.0
		c.circle(x, y, 60, ink{
			fill: c.radial(x-16, y-18, 90, mix(g.soft, groundBase, 0.1), mix(g.soft, groundBase, 0.6)), stroke: groundBase, w: 10,
		})
		c.circle(x, y, 58, ink{stroke: c.linear(x-50, y-50, x+50, y+50, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 8})
		c.circle(x, y, 48, ink{stroke: c.m.mid, w: 2})
		c.place(x, y, 1, 0)
		switch i {
		case 0:
			c.part(polygon(-30, 22, -36, -18, -17, 0, 0, -30, 17, 0, 36, -18, 30, 22), c.linear(-30, -30, 30, 22, "#fff1c2", "#ecbe50", "#b47f1d"))
			c.draw(polyline(-30, 13, 30, 13), ink{stroke: "#63400b", w: 3})
		case 1:
			loop := newPath(0, 0).C(12, -26, 40, -26, 40, 0).C(40, 26, 12, 26, 0, 0).C(-12, -26, -40, -26, -40, 0).C(-40, 26, -12, 26, 0, 0).Z()
			c.draw(loop, ink{stroke: groundBase, w: 16})
			c.draw(loop, ink{stroke: c.linear(-40, -20, 40, 20, c.m.shine, c.m.light, c.m.mid), w: 9})
			c.draw(regular(0, 0, 15, 8, 0), ink{fill: g.bright, stroke: groundBase, w: 5, under: true})
		default:
			c.part(polygon(-28, 30, -28, -28, -14, -28, -14, -18, -6, -18, -6, -28, 6, -28, 6, -18, 14, -18, 14, -28, 28, -28, 28, 30),
				c.linear(-28, -28, 28, 30, "#fbf8ee", "#d6d1c4", "#9a968c"))
			c.draw(newPath(0, -6).C(9, -6, 12, 2, 12, 10).L(12, 30).L(0, 30).sym(), ink{fill: g.soft, stroke: groundBase, w: 3})
		}
		c.end()
	}
}
