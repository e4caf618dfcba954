package art

import "math"

// agoraScene is the assembly before the great door: many in the dark, and one who holds up a pass.
func (c *card) agoraScene() {
	const dx, base = 1060.0, 560.0
	gold := "#f5b942"
	c.night(1600, 900, 560, 80)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(dx, 360, 760, faded(gold, 0.34), faded(gold, 0.09), faded(gold, 0))})
	c.planisphere(dx, 250, 400)
	c.ridge("#15272a", "#0d1a1c", "#27403f", 700, 0, 600, 120, 500, 240, 560, 380, 450, 520, 540, 660, 470, 760, 540)
	c.ridge("#15272a", "#0d1a1c", "#27403f", 700, 1330, 560, 1420, 480, 1510, 540, 1600, 470)
	c.greatDoor(dx, base)
	c.draw(rect(0, base+20, 1600, 340), ink{fill: c.linear(0, base+20, 0, 900, "#14201f", "#05090a")})
	c.draw(rect(dx-620, base+20, 1240, 320), ink{fill: c.radial(dx, base, 560, faded(gold, 0.5), faded(gold, 0.1), faded(gold, 0))})
	c.crowd(dx, gold)
}

func (c *card) greatDoor(x, base float64) {
	stone, bronze := metal{"#0b1415", "#1b2b2d", "#30484a", "#5b7774", "#a9bdb4"}, metalOf("bronze")
	c.place(x, base, 1, 0)
	defer c.end()
	// The front of a building: steps, pillars, gable.
	for i := range 3 {
		k := float64(i)
		c.part(rect(-330+22*k, -22-22*k+22, 660-44*k, 24), c.linear(-330, 0, 330, 0, stone.mid, stone.light, stone.mid, stone.dark))
	}
	c.part(newPath(0, -520).L(330, -396).L(330, -352).L(0, -352).sym(), c.linear(-300, -500, 300, -352, stone.light, stone.mid, stone.dark))
	c.draw(newPath(0, -488).L(236, -400).L(0, -400).sym(), ink{fill: "#0d1819"})
	c.infinity(0, -428, 34)
	c.draw(meander(-300, -384, 4.4, 27), ink{stroke: bronzeLine, w: 2.6})
	wall := rect(-280, -352, 560, 330)
	c.part(wall, "#0f1b1c")
	for _, p := range []float64{-284, -206, 206, 284} {
		c.part(newPath(p-24, -340).L(p+24, -340).L(p+28, -22).L(p-28, -22).Z(), c.linear(p-26, 0, p+26, 0, stone.light, stone.mid, stone.dark))
		c.draw(polyline(p-10, -330, p-12, -30).add(polyline(p+6, -330, p+8, -30)), ink{stroke: stone.deep, w: 3})
		c.part(rect(p-32, -354, 64, 18).add(rect(p-34, -34, 68, 14)), stone.mid)
	}
	open := rect(-140, -330, 280, 308)
	c.part(open, c.radial(0, -160, 230, "#ffffff", "#fff1c2", "#f5b942", "#7a4310"))
	c.clip(open)
	c.burst(0, -150, 20, 220, 150, 10, 24, 0.1, ink{fill: "#ffffff", op: 0.6})
	c.end()
	// The leaves of the door open towards the viewer.
	c.twice(func() {
		leaf := polygon(140, -332, 58, -314, 58, 8, 140, -22)
		c.part(leaf, c.linear(58, 0, 140, 0, bronze.light, bronze.mid, bronze.dark))
		c.etch(polygon(70, -296, 128, -306, 128, -190, 70, -184).add(polygon(70, -164, 128, -168, 128, -46, 70, -30)), 4)
		c.draw(starry(99, -244, 30, 12, 8, 0).add(starry(99, -104, 30, 12, 8, 0)), ink{fill: bronze.deep})
		c.draw(polyline(58, -314, 58, 8), ink{stroke: "#fff1c2", w: 3})
	})
	c.place(-396, 14, 0.86, 0)
	c.sentry(0, 0, 1)
	c.end()
	c.place(396, 14, 0.86, 0)
	c.mirror()
	c.sentry(0, 0, 1)
	c.end()
	c.end()
}

// crowd sits in curved rows with its back to the viewer.
func (c *card) crowd(x float64, light string) {
	var backs []string
	body := newPath(0, -44).C(10, -42, 14, -36, 15, -30).C(34, -26, 46, -14, 48, 30).L(0, 30).sym()
	heads := []*path{
		new(path).ellipse(0, -62, 21, 26),
		new(path).ellipse(0, -62, 20, 25).add(new(path).circle(0, -92, 11)),
		newPath(0, -96).C(24, -90, 32, -64, 34, -34).L(0, -26).sym(),
		new(path).ellipse(0, -60, 20, 24).add(newPath(0, -86).C(30, -84, 42, -76, 46, -70).C(30, -64, 14, -64, 0, -64).sym()),
		newPath(0, -100).C(20, -98, 24, -84, 20, -70).L(22, -44).L(0, -40).sym(),
	}
	c.raw("<defs>")
	for _, head := range heads {
		id := c.newID()
		backs = append(backs, id)
		c.group("id", id)
		c.draw(new(path).add(body, head), ink{stroke: "#020405", w: 9})
		c.draw(new(path).add(body, head), ink{fill: c.linear(0, -100, 0, 30, "#1c2a29", "#0a1213", "#04080a")})
		c.draw(newPath(-46, 4).C(-44, -14, -34, -26, -15, -30).M(15, -30).C(34, -26, 44, -14, 46, 4), ink{stroke: light, w: 2.4, op: 0.7})
		c.draw(head, ink{stroke: light, w: 2, op: 0.55})
		c.end()
	}
	c.raw("</defs>")
	rows := []struct{ y, k, sag float64 }{{628, 0.62, 14}, {686, 0.82, 24}, {762, 1.1, 36}, {866, 1.5, 52}}
	for r, row := range rows {
		bench := new(path)
		step := 104 * row.k
		first := math.Mod(x, step) - step
		if r%2 == 1 {
			first -= step / 2
		}
		at := func(px float64) float64 { t := (px - x) / 800; return row.y - row.sag*t*t }
		bench.M(-20, at(-20)+26*row.k).Q(x, at(x)*2-at(-20)+26*row.k-row.sag*0.2, 1620, at(1620)+26*row.k).L(1620, 920).L(-20, 920).Z()
		for i := 0; ; i++ {
			px := first + step*float64(i)
			if px > 1660 {
				break
			}
			if r == 2 && math.Abs(px-(x-172)) < step*0.5 {
				c.holder(px, at(px), row.k)
				continue
			}
			if c.d.chance(0.09) || r == 3 && math.Abs(px-(x-160)) < step*0.6 {
				continue // a free seat
			}
			j := px + c.d.between(-9, 9)*row.k
			c.use(backs[c.d.intn(len(backs))], matrix{row.k, 0, 0, row.k, j, at(px)})
		}
		c.draw(bench, ink{
			fill: c.linear(0, row.y+10, 0, row.y+90, mix("#1d2a29", groundBase, 0.2*float64(r)), groundBase), stroke: "#020405", w: 5,
		})
	}
}

// holder sits among the others and holds up a community pass.
func (c *card) holder(x, y, k float64) {
	c.place(x, y, k, 0)
	defer c.end()
	c.circle(62, -150, 190, ink{fill: c.radial(62, -150, 190, faded(c.g.base, 0.6), faded(c.g.base, 0.14), faded(c.g.base, 0))})
	clay := metalOf("terracotta")
	c.part(ribbon(20, 18, 14, 34, -18, 58, -56, 62, -100), c.linear(30, -20, 64, -100, clay.dark, clay.light))
	c.part(newPath(0, -44).C(10, -42, 14, -36, 15, -30).C(34, -26, 46, -14, 48, 30).L(0, 30).sym(),
		c.linear(-40, 0, 48, -30, "#123a34", "#1f6b5a", c.g.base))
	c.draw(newPath(-20, -26).C(-16, 0, -16, 14, -18, 30).M(0, -36).L(0, 30).M(20, -26).C(16, 0, 16, 14, 18, 30), ink{stroke: "#062019", w: 3})
	c.part(new(path).ellipse(0, -62, 21, 26), c.linear(-20, -62, 22, -70, "#0a0d10", "#29333f", "#56667a"))
	c.part(new(path).circle(-4, -90, 11), "#29333f")
	bronze := metalOf("bronze")
	tablet := polygon(36, -206, 88, -206, 90, -118, 34, -118)
	c.part(tablet, c.linear(34, -206, 90, -118, bronze.shine, bronze.light, bronze.mid))
	c.draw(rect(43, -196, 38, 46), ink{fill: bronze.deep})
	for i := range 6 {
		s, co := math.Sincos(float64(i) * math.Pi / 3)
		c.circle(62+14*co, -173+14*s, 4, ink{fill: bronze.light})
	}
	c.draw(spark(62, -173, 10), ink{fill: c.g.bright})
	c.draw(newPath(62, -133).C(66, -140, 76, -140, 76, -133).C(76, -126, 66, -126, 62, -133).C(58, -140, 48, -140, 48, -133).
		C(48, -126, 58, -126, 62, -133), ink{stroke: c.g.base, w: 4})
	c.part(new(path).circle(62, -112, 10), clay.light)
	c.draw(newPath(20, -70).C(22, -60, 20, -46, 14, -40).M(15, -30).C(34, -26, 44, -14, 46, 4), ink{stroke: c.g.bright, w: 2.6})
}
