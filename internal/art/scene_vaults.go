package art

import "math"

// vaultsScene is the row of the God Vaults: sealed round doors, with light behind one of them.
func (c *card) vaultsScene() {
	const lit, y, r, floor = 1050.0, 404.0, 224.0, 742.0
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 0, 0, 900, "#0b1416", "#121d1f", "#080f11")})
	joints := new(path)
	for i := range 7 {
		yy := 62 + 114*float64(i)
		joints.M(0, yy).L(1600, yy)
		for j := range 6 {
			x := 300*float64(j) + 150*float64(i%2) + c.d.between(-20, 20)
			joints.M(x, yy).L(x, yy+114)
		}
	}
	c.draw(joints.coarse(), ink{stroke: "#050a0b", w: 4, op: 0.8})
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(lit, y, 700, faded(c.g.base, 0.4), faded(c.g.base, 0.1), faded(c.g.base, 0))})
	c.keys(4, 20, 4.6, 7, ink{stroke: bronzeLine, w: 2.6, op: 0.55})

	door := c.newID()
	bronze := metal{"#0b0806", "#23180f", "#3d2b1b", "#6b4c2e", "#a67c4e"}
	c.raw("<defs>")
	c.group("id", door)
	c.part(new(path).circle(0, 0, r+40), c.linear(-200, -240, 200, 240, "#33494a", "#1c2c2e", "#0d1618"))
	c.ring(24, 0, 0, 0, func() { c.draw(polyline(r+12, 0, r+40, 0), ink{stroke: "#0a1214", w: 4}) })
	c.part(new(path).circle(0, 0, r), c.radial(60, -60, r*1.5, bronze.light, bronze.mid, bronze.dark, bronze.deep))
	c.draw(new(path).circle(0, 0, r-26).circle(0, 0, r-74), ink{stroke: bronze.deep, w: 6})
	c.draw(new(path).circle(0, 0, r-23).circle(0, 0, r-71), ink{stroke: bronze.light, w: 1.8, op: 0.8})
	c.ring(44, 0, 0, 0, func() {
		const k = 50 - r
		c.draw(polyline(-10, k+9, -10, k-9, 8, k-9, 8, k+4, -2, k+4, -2, k-2), ink{stroke: bronze.light, w: 2.4, op: 0.7})
	})
	c.ring(12, 0, 0, math.Pi/12, func() {
		c.circle(r-12, 0, 8, ink{fill: bronze.light, stroke: bronze.deep, w: 4})
	})
	c.burst(0, 0, 92, 144, 124, 12, 36, 0, ink{fill: bronze.deep, op: 0.7})
	c.part(new(path).circle(0, 0, 92), c.radial(-20, -26, 130, bronze.light, bronze.mid, bronze.dark))
	c.end()
	c.raw("</defs>")
	line := ink{stroke: bronze.shine, w: 5}
	for i, x := range []float64{-30, 510, 1590} {
		c.place(x, y, 1, 0)
		c.use(door, shift(0, 0))
		c.sigil([]string{"selmene", "morvaion", "thalvyra"}[i], line)
		c.wax(0, 142)
		c.end()
	}
	c.place(lit, y, 1, 0)
	c.burst(0, 0, r+20, r+190, r+120, 30, 36, 0.05, ink{fill: c.g.base, op: 0.22})
	c.use(door, shift(0, 0))
	// Some light comes through the seam, more through the lock.
	c.draw(new(path).circle(0, 0, r+5), ink{stroke: c.g.base, w: 30, op: 0.25})
	c.draw(new(path).circle(0, 0, r+5), ink{stroke: c.g.base, w: 14, op: 0.7})
	c.draw(new(path).circle(0, 0, r+5), ink{stroke: "#fff6dc", w: 6})
	c.circle(0, 0, 190, ink{fill: c.radial(0, 0, 190, faded(c.g.base, 0.75), faded(c.g.base, 0.2), faded(c.g.base, 0))})
	c.sigil("helikara", ink{stroke: c.g.base, w: 14, op: 0.5})
	c.sigil("helikara", ink{stroke: "#fff6dc", w: 6})
	c.wax(0, 142)
	c.end()

	c.part(rect(-20, floor, 1640, 180), c.linear(0, floor, 0, 900, "#1e2c2d", "#070d0f"))
	c.draw(rect(lit-560, floor, 1120, 158), ink{
		fill: c.radial(lit, floor-30, 560, faded(c.g.base, 0.6), faded(c.g.base, 0.16), faded(c.g.base, 0)),
	})
	flags := polyline(0, floor+48, 1600, floor+48)
	for i := range 13 {
		x := (float64(i) - 6) * 190
		flags.M(lit+x*0.84, floor+6).L(lit+x*1.5, 900)
	}
	c.draw(flags.coarse(), ink{stroke: "#050a0b", w: 4, op: 0.85})
	c.sentry(782, floor+58, 1.5)
}

// wax is a ribbon under an unbroken seal.
func (c *card) wax(x, y float64) {
	ribbon := polygon(x-14, y, x+4, y, x+10, y+74, x-2, y+64, x-14, y+76).add(polygon(x, y, x+18, y, x+34, y+62, x+20, y+58, x+10, y+68))
	c.draw(ribbon, ink{fill: "#5b1f16", stroke: groundBase, w: 5, under: true})
	c.part(new(path).circle(x, y, 30), c.radial(x-8, y-10, 40, "#d4593a", "#9c3524", "#4f160f"))
	c.draw(spark(x, y, 19), ink{fill: "#4f160f"})
}

// sentry stands with shield and spear, lit from the right. The feet are at (x, y).
func (c *card) sentry(x, y, k float64) {
	c.place(x, y, k, 0)
	defer c.end()
	lit := c.g.bright
	c.draw(polyline(44, 4, 44, -196), ink{stroke: groundBase, w: 8})
	c.draw(polyline(44, 4, 44, -196), ink{stroke: bronzeLine, w: 3.4})
	c.part(newPath(44, -236).C(52, -218, 53, -208, 44, -192).C(35, -208, 36, -218, 44, -236).Z(), c.linear(34, 0, 54, 0, "#5f6d70", "#f2e7c8"))
	c.part(polygon(-20, 4, -16, -50, -2, -50, -2, 4).add(polygon(4, 4, 4, -50, 18, -50, 20, 4)), c.linear(-20, 0, 20, 0, "#0b0806", "#6b4c2e"))
	cloak := newPath(-4, -150).C(-26, -146, -36, -132, -38, -112).C(-40, -76, -42, -50, -44, -20).L(24, -26).C(24, -60, 24, -90, 22, -116).
		C(20, -136, 12, -148, -4, -150).Z()
	c.part(cloak, c.linear(-44, 0, 26, 0, "#04070a", "#101214", "#4a3114"))
	c.draw(newPath(-28, -24).C(-26, -64, -22, -100, -16, -134).M(-10, -26).C(-8, -64, -6, -100, -2, -136).M(8, -28).C(8, -64, 8, -94, 8, -124),
		ink{stroke: "#000", w: 3})
	// The helm, seen from the side: crest, bowl, cheek and the dark between.
	c.place(0, -28, 0.82, 0)
	c.part(newPath(-34, -158).C(-50, -204, -30, -240, 4, -238).C(20, -236, 32, -226, 36, -212).L(20, -206).C(6, -218, -14, -214, -20, -196).
		C(-24, -182, -24, -168, -34, -158).Z(), c.linear(-44, 0, 36, 0, "#2a0f0a", "#7c2a17", "#d4593a"))
	c.draw(newPath(-26, -222).L(-14, -206).M(-38, -198).L(-22, -192).M(-6, -234).L(-2, -214).M(16, -232).L(12, -212),
		ink{stroke: groundBase, w: 3, op: 0.7})
	c.part(newPath(0, -210).C(20, -210, 28, -196, 26, -182).L(16, -180).L(24, -168).L(14, -148).L(2, -152).L(-18, -144).
		C(-30, -164, -26, -208, 0, -210).Z(), c.linear(-26, 0, 26, 0, "#1b120a", "#7d5a30", "#f0c27e"))
	c.draw(newPath(26, -186).L(8, -184).L(6, -172).L(16, -168).L(10, -152), ink{stroke: groundBase, w: 5})
	c.draw(newPath(26, -184).C(28, -196, 20, -210, 0, -210), ink{stroke: lit, w: 3})
	c.end()
	c.part(newPath(18, -128).L(46, -112).L(42, -98).L(14, -104).Z(), "#8a6130")
	c.draw(newPath(20, -132).C(24, -110, 24, -60, 24, -26), ink{stroke: lit, w: 2.6})
	c.part(new(path).circle(41, -104, 9), "#a5733a")
	shield := new(path).ellipse(-30, -56, 34, 46)
	c.part(shield, c.linear(-64, -90, 6, -20, "#0d1618", "#33494a", "#6f8f92"))
	c.draw(new(path).ellipse(-30, -56, 26, 37), ink{stroke: "#0a1214", w: 3})
	c.draw(new(path).arc(-30, -56, 12, 0, 5.2, true), ink{stroke: "#0a1214", w: 4})
}
