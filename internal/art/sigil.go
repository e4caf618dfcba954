package art

import "math"

// sigil draws a god's symbol for doors and seals: a few lines, 60 units to each side of the origin.
func (c *card) sigil(god string, k ink) {
	p := new(path)
	switch god {
	case "helikara": // the sun, half risen from the sea
		p.arc(0, 14, 26, math.Pi, 2*math.Pi, true)
		for i := range 7 {
			s, co := math.Sincos(math.Pi + math.Pi*float64(i)/6)
			p.M(36*co, 14+36*s).L(56*co, 14+56*s)
		}
		p.add(curve(-58, 26, -38, 18, -19, 26, 0, 18, 19, 26, 38, 18, 58, 26), curve(-40, 44, -20, 36, 0, 44, 20, 36, 40, 44))
	case "keraunax": // anvil and spark
		p.add(polygon(-54, -6, 36, -6, 36, 2, 14, 16, 14, 32, 34, 46, -30, 46, -12, 32, -12, 16, -40, 10),
			polyline(8, -58, -8, -36, 8, -34, -6, -14))
	case "thalvyra": // the bell under the water
		p.add(newPath(0, -30).C(30, -28, 26, 10, 40, 26).L(0, 26).sym(), new(path).circle(0, 36, 7),
			curve(-58, -44, -39, -52, -19, -44, 0, -52, 19, -44, 39, -52, 58, -44), curve(-30, 54, -10, 48, 10, 54, 30, 48))
	case "dendrokos": // a tree and its root
		p.add(polyline(0, -54, 0, 54), polyline(0, -8, 30, -38).both(), polyline(0, -28, 18, -50).both(), polyline(0, 14, 30, 44).both(),
			polyline(0, 30, 16, 52).both(), polyline(-46, 4, 46, 4))
	case "nyssaria": // the loom
		p.add(rect(-44, -50, 88, 100))
		for i := range 4 {
			x := -26.4 + 17.6*float64(i)
			p.M(x, -50).L(x, 50)
		}
		p.add(curve(-44, 12, -26, 4, -9, 20, 9, 4, 26, 20, 44, 12))
	case "pyrrhamon": // the flame
		p.add(newPath(0, -58).C(12, -30, 42, -16, 36, 20).C(34, 44, 16, 54, 0, 54).sym(),
			newPath(0, -4).C(6, 10, 18, 16, 16, 32).C(14, 44, 8, 50, 0, 50).sym())
	case "selmene": // crescent and full moon
		p.add(new(path).arc(0, 2, 52, -0.5, math.Pi+0.5, true).arc(0, -16, 46, math.Pi+0.16, -0.16, false).Z(), new(path).circle(0, -26, 22))
	case "tavrekhon": // the maze
		for i := range 4 {
			r := 12 + 14*float64(i)
			turn := float64(i) * 2.1
			p.arc(0, 0, r, turn, turn+5.5, true)
		}
	case "ophelyx": // the serpent with the open eye
		p.add(curve(-40, 54, -6, 44, -46, 20, 2, 4, 44, -12, 12, -32), newPath(-8, -40).C(10, -62, 40, -60, 54, -40).C(40, -20, 10, -20, -8, -40).
			Z(), new(path).circle(22, -40, 7))
	case "chalkanor": // the helm
		p.add(newPath(0, -36).C(34, -36, 44, -12, 42, 14).L(34, 54).L(14, 44).L(12, 12).C(24, 4, 30, -4, 26, -8).L(0, -4).sym(),
			new(path).arc(0, -14, 46, math.Pi+0.2, 2*math.Pi-0.2, true))
	case "zephyrine": // four winds
		p.add(curve(-56, -30, 20, -30, 40, -44, 26, -58, 12, -48), curve(-40, -6, 40, -6, 56, 8, 42, 24, 28, 12),
			curve(-56, 18, -8, 18, 8, 32, -4, 48, -18, 38), polyline(20, 46, 48, 46))
	case "morvaion": // the lamp
		p.add(polygon(-20, -20, 20, -20, 28, 36, -28, 36), polygon(0, -48, 30, -20, -30, -20), polyline(-34, 46, 34, 46),
			new(path).arc(0, -54, 8, 0.6, math.Pi*2+0.2, true), spark(0, 10, 16))
	}
	c.draw(p, k)
}

// seal is the wax over the lock of a god's vault, 240 units wide.
func (c *card) seal(god string) {
	c.place(120, 120, 1, 0)
	defer c.end()
	const n = 14
	rim := make([]point, n)
	for i := range rim {
		s, co := math.Sincos(2 * math.Pi * float64(i) / n)
		r := c.d.between(100, 113)
		rim[i] = point{r * co, r * s}
	}
	wax := newPath((rim[n-1].x+rim[0].x)/2, (rim[n-1].y+rim[0].y)/2)
	for i, q := range rim {
		to := rim[(i+1)%n]
		wax.Q(q.x, q.y, (q.x+to.x)/2, (q.y+to.y)/2)
	}
	c.draw(wax.Z(), ink{fill: c.radial(-34, -44, 190, "#b5523c", "#8a2f20", "#571a11", "#350f0a"), stroke: groundBase, w: 5, under: true})
	c.draw(new(path).arc(0, 0, 96, 2.6, 4.9, true), ink{stroke: "#d98a6e", w: 3, op: 0.8})
	c.draw(new(path).circle(0, 0, 80), ink{fill: c.radial(30, 40, 130, "#7d2a1c", "#571a11"), stroke: "#350f0a", w: 4})
	c.draw(new(path).arc(0, 0, 81, -0.4, 1.9, true), ink{stroke: "#c06a50", w: 2.6, op: 0.8})
	c.place(1.6, 2.4, 0.92, 0)
	c.sigil(god, ink{stroke: "#2b0b07", w: 8})
	c.end()
	c.place(0, 0, 0.92, 0)
	c.sigil(god, ink{stroke: "#e2a58c", w: 4.4})
	c.end()
}
