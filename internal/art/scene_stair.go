package art

import "math"

// stairScene is the mountain from foot to top: nine terraces, the stairs between them, clouds below the upper
// ones, and the one lit door at the top.
func (c *card) stairScene() {
	c.draw(rect(0, 0, 900, 1700), ink{fill: c.linear(0, 0, 0, 1700, "#0a1214", "#122423", "#0d1719", groundBase)})
	dust := new(path)
	for range 16 {
		q := point{math.Round(c.d.between(0, 900)), math.Round(c.d.between(0, 900))}
		dust.M(q.x, q.y).L(q.x, q.y)
	}
	c.draw(dust, ink{stroke: bone, w: 2.2, op: 0.5})
	c.draw(rect(0, 0, 900, 1700), ink{fill: c.radial(450, 250, 620, faded("#f5b942", 0.36), faded("#8a5a2a", 0.12), faded("#8a5a2a", 0))})
	c.planisphere(450, 300, 366)
	c.ridge("#14272a", "#0b1416", "#233c3d", 1700, 0, 1150, 110, 940, 220, 1060, 690, 1060, 790, 930, 900, 1120)
	c.ridge("#33433e", "#0c1516", "#5d6f64", 1700, -20, 1640, 40, 1440, 130, 1330, 200, 1110, 300, 820, 372, 620, 450, 330, 528, 610, 590, 760,
		690, 1040, 800, 1310, 880, 1440, 930, 1650)
	c.spurs()
	c.clouds(1010, 0.5, 8)
	c.clouds(1246, 0.75, 5)
	// The nine terraces from below: their positions and widths.
	terraces := []struct{ x, y, w float64 }{
		{260, 1560, 330}, {590, 1434, 280}, {310, 1310, 250}, {560, 1190, 214}, {350, 1078, 184},
		{528, 966, 156}, {384, 850, 132}, {506, 738, 112}, {450, 560, 128},
	}
	for i := len(terraces) - 1; i > 0; i-- {
		a, b := terraces[i-1], terraces[i]
		c.flight(a.x, a.y, b.x, b.y, 15+a.w*0.05, i%2 == 0)
	}
	for i, t := range terraces[:8] {
		c.terrace(t.x, t.y, t.w, i)
	}
	top := terraces[8]
	c.circle(top.x, top.y-60, 240, ink{
		fill: c.radial(top.x, top.y-60, 240, faded("#ffe3a3", 0.75), faded("#f5b942", 0.25), faded("#f5b942", 0)),
	})
	c.temple(top.x, top.y-8, 0.92)
	// A climber.
	c.circle(446, 1368, 74, ink{fill: c.radial(446, 1368, 74, faded("#f5b942", 0.55), faded("#f5b942", 0))})
	c.draw(newPath(430, 1394).C(426, 1372, 430, 1356, 438, 1354).C(446, 1356, 450, 1372, 446, 1394).Z().circle(438, 1346, 7),
		ink{fill: "#030506", stroke: "#e8b486", w: 2.4})
	c.draw(polyline(446, 1370, 456, 1348), ink{stroke: "#e8b486", w: 3})
	c.draw(spark(457, 1340, 12), ink{fill: "#ffe3a3"})
	c.clouds(1600, 1, 5)
}

// spurs are the folds of the mountain below its top, lit from the left.
func (c *card) spurs() {
	lines, cuts := new(path), new(path)
	for _, foot := range []float64{130, 340, 560, 770} {
		x, y := 450+(foot-450)*0.06, 400.0
		lines.M(x, y)
		for i := range 7 {
			t := float64(i+1) / 7
			x, y = 450+(foot-450)*t+c.d.between(-16, 16), 400+1180*t
			lines.L(x, y)
			for range 1 {
				sx, sy := x+c.d.between(-4, 10), y-c.d.between(0, 120)
				cuts.M(sx-2, sy).L(sx+c.d.between(16, 50), sy+c.d.between(70, 150)).L(sx+2, sy)
			}
		}
	}
	c.draw(cuts.coarse(), ink{fill: "#0b1314", op: 0.8})
	c.draw(lines.coarse(), ink{stroke: "#6d7c6e", w: 2, op: 0.55})
}

// flight is a stair between two terraces; half of it is in the shade.
func (c *card) flight(x0, y0, x1, y1, w float64, shaded bool) {
	body := polygon(x0-w, y0, x0+w, y0, x1+w*0.8, y1, x1-w*0.8, y1)
	paint := c.linear(0, y1, 0, y0, "#c9a877", "#6b5a44", "#3a362f")
	if shaded {
		paint = c.linear(0, y1, 0, y0, "#937850", "#4b4337", "#2a2925")
	}
	c.part(body, paint)
	steps := new(path)
	n := int((y0 - y1) / 10)
	for i := 1; i < n; i++ {
		t := float64(i) / float64(n)
		x, y := x0+(x1-x0)*t, y0+(y1-y0)*t
		steps.M(x-w*(1-0.2*t), y).L(x+w*(1-0.2*t), y)
	}
	c.draw(steps.coarse(), ink{stroke: groundBase, w: 2.6, op: 0.75, butt: true})
}

// terrace is a ledge with a few unlit houses.
func (c *card) terrace(x, y, w float64, seed int) {
	stone := c.linear(x-w/2, 0, x+w/2, 0, "#8a8670", "#55594f", "#2a3331")
	ledge := newPath(x-w/2, y).L(x+w/2, y)
	for i := range 9 {
		t := float64(i) / 8
		ledge.L(x+w/2-w*t, y+w*(0.12+0.2*math.Sin(math.Pi*t))*c.d.between(0.7, 1.15))
	}
	ledge.Z().coarse()
	c.draw(ledge, ink{fill: c.linear(0, y, 0, y+w*0.36, "#56584d", faded("#2a3432", 0.2))})
	c.hatch(ledge, hatching{angle: 90, gap: 8, w: 4, reach: 0.8, colour: groundBase, op: 0.8})
	c.part(rect(x-w/2-6, y-8, w+12, 14), stone)
	houses, windows := new(path), new(path)
	n := 2 + seed%2
	for i := range n {
		h := w * c.d.between(0.13, 0.22)
		hw := w * c.d.between(0.11, 0.16)
		side := float64(1)
		if seed%2 == 0 {
			side = -1
		}
		hx := x + side*(w*0.36-float64(i)*w*0.19)
		houses.add(rect(hx-hw/2, y-8-h, hw, h), polygon(hx-hw*0.62, y-8-h, hx+hw*0.62, y-8-h, hx, y-8-h-hw*0.36))
		windows.add(rect(hx-hw*0.1, y-8-h*0.5, hw*0.2, h*0.5))
	}
	c.part(houses, stone)
	c.draw(windows, ink{fill: groundBase})
}

// clouds is a bank of engraved scrolls across the picture at y.
func (c *card) clouds(y, thick float64, n int) {
	for row := range 2 {
		curls := new(path)
		base := y + 46*thick*float64(row)
		step := 1020 / float64(n)
		x := -60 - step*0.5*float64(1-row)
		edge := newPath(x, base)
		for range n + 2 {
			h := thick * c.d.between(34, 66)
			edge.C(x+step*0.1, base-h, x+step*0.9, base-h, x+step, base)
			r := h * 0.32
			cx := x + step*0.56
			curls.arc(cx, base-h*0.28, r, math.Pi*0.9, math.Pi*2.3, true).arc(cx-r*0.1, base-h*0.24, r*0.5, math.Pi*0.3, math.Pi*1.5, false)
			x += step
		}
		bank := new(path).add(edge).L(x, base+150*thick).L(-200, base+150*thick).Z()
		k := 0.25 * float64(row)
		c.draw(bank, ink{
			fill: c.linear(0, base-60*thick, 0, base+110*thick, mix("#2c4644", groundBase, k), mix("#12201f", groundBase, k), faded("#0a1213", 0)),
		})
		c.draw(edge, ink{stroke: mix("#6b8a82", groundBase, 0.3+k), w: 2.2})
		c.draw(curls.coarse(), ink{stroke: mix("#6b8a82", groundBase, 0.3+k), w: 2.2})
	}
}
