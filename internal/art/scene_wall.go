package art

import (
	"math"

	"pantheon/internal/kit/rarity"
)

// wallScene is the long wall at night: it runs from the far left to the tower on the right, where one immortal tends
// the lamp. Eyes watch from the horde in front of it.
func (c *card) wallScene() {
	c.night(1920, 900, 600, 80)
	c.draw(rect(0, 0, 1920, 900), ink{fill: c.radial(1396, 330, 820, faded("#f5b942", 0.3), faded("#8a6a2e", 0.09), faded("#f5b942", 0))})
	c.planisphere(1396, 286, 392)
	c.curtain()
	c.watchtower(1396, 384)
	c.horde()
}

// curtain is the wall itself: courses that converge on the far left, with joints and battlements that shrink towards
// it.
func (c *card) curtain() {
	const vx, vy = -320.0, 668.0 // vanishing point of the courses
	at := func(x, f float64) point {
		k := (x - vx) / (1250 - vx)
		return point{x, vy - 176*k + f*(176+206)*k}
	}
	face := newPath(-20, at(-20, 0).y).L(1260, at(1260, 0).y).L(1260, at(1260, 1).y).L(-20, at(-20, 1).y).Z()
	c.part(face, c.linear(0, 0, 1260, 0, "#101b1f", "#1b2a2e", "#3b4643", "#8a7a58"))
	courses, joints := new(path), new(path)
	var columns []float64
	for x := 1262.0; x > -20; x -= (x - vx) * 0.036 {
		columns = append(columns, x)
	}
	const rows = 7
	for i := 1; i < rows; i++ {
		f := float64(i) / rows
		courses.M(-20, at(-20, f).y).L(1260, at(1260, f).y)
		for j, x := range columns {
			if (i+j)%2 == 0 && x > 240 {
				p, q := at(x, f), at(x, f+1.0/rows)
				joints.M(p.x, p.y).L(q.x, q.y)
			}
		}
	}
	c.clip(face)
	c.draw(courses, ink{stroke: groundBase, w: 3, op: 0.75})
	c.draw(joints.coarse(), ink{stroke: groundBase, w: 3, op: 0.6})
	c.end()
	// Every second joint has a merlon.
	merlons := new(path)
	for j := 0; j+1 < len(columns); j += 2 {
		x0, x1 := columns[j+1], columns[j]-(columns[j]-columns[j+1])*0.12
		p, q := at(x0, -0.13), at(x1, -0.13)
		merlons.M(p.x, at(x0, 0.02).y).L(p.x, p.y).L(q.x, q.y).L(q.x, at(x1, 0.02).y).Z()
	}
	c.part(merlons.coarse(), c.linear(0, 0, 1260, 0, "#152327", "#223236", "#4a524b", "#a08c62"))
	top := newPath(-20, at(-20, 0).y).L(1260, at(1260, 0).y)
	c.draw(top, ink{stroke: "#d8c49a", w: 2, op: 0.45})
	// The other towers, all dark.
	for _, x := range []float64{58, 258, 610} {
		k := (x - vx) / (1250 - vx)
		w, top, foot := 74*k, at(x, -0.3).y, at(x, 1.02).y
		stone := c.linear(x-w, 0, x+w, 0, "#0e191c", "#1d2c2f", mix("#1d2c2f", "#8a7a58", k*0.7))
		c.part(rect(x-w, top, 2*w, foot-top), stone)
		crown := new(path)
		for i := range 4 {
			crown.add(rect(x-w*1.12+float64(i)*w*0.62, top-30*k, w*0.4, 34*k))
		}
		c.part(crown.add(rect(x-w*1.12, top, w*2.26, 22*k)), stone)
		c.draw(rect(x-4*k, top+90*k, 8*k, 46*k), ink{fill: groundBase})
	}
	// The nearer part of the wall, beyond the tower.
	near := polygon(1530, 470, 1940, 424, 1940, 940, 1530, 880)
	c.part(near, c.linear(1530, 0, 1920, 0, "#8a7a58", "#34413f", "#131f22"))
	lines := new(path)
	for i := 1; i < 8; i++ {
		f := float64(i) / 8
		lines.M(1530, 470+410*f).L(1940, 424+516*f)
		for j := range 3 {
			k := (float64(j) + 0.5*float64(i%2)) / 3
			lines.M(1530+410*k, 470+410*f-46*k+106*k*f).L(1530+410*k, 470+410*(f+0.125)-46*k+106*k*(f+0.125))
		}
	}
	c.clip(near)
	c.draw(lines.coarse(), ink{stroke: groundBase, w: 4, op: 0.7})
	c.end()
	for i := range 3 {
		x := 1560 + 140*float64(i)
		c.part(polygon(x, 470-46*(x-1530)/410-56, x+84, 470-46*(x-1446)/410-56, x+84, 470-46*(x-1446)/410+6, x, 470-46*(x-1530)/410+6),
			c.linear(1530, 0, 1920, 0, "#a08c62", "#44504c", "#16242a"))
	}
}

// watchtower stands around x with its platform at y, and the immortal on it.
func (c *card) watchtower(x, y float64) {
	const half = 150
	glow := c.radial(x, y-90, 420, "#f7d488", "#a9834a", "#4b4535", "#232c2b")
	c.circle(x, y-96, 330, ink{fill: c.radial(x, y-96, 330, faded("#ffe3a3", 0.5), faded("#f5b942", 0.18), faded("#f5b942", 0))})
	// The immortal with the lamp.
	keepItem, keepM, keepG := c.item, c.m, c.g
	c.item = Item{Kind: kindImmortal, Collection: "immortals", TokenID: "156", Rarity: rarity.Rare}
	c.m, c.g = metalOf("bronze"), glowOf(rarity.Legendary)
	c.place(x-300*0.46, y-604*0.46, 0.46, 0)
	c.subject()
	c.end()
	c.item, c.m, c.g = keepItem, keepM, keepG

	shaft := newPath(x-half+16, y+40).L(x+half-16, y+40).L(x+half, 900).L(x-half, 900).Z()
	c.part(shaft, glow)
	c.clip(shaft)
	c.draw(masonry(x-half, x+half, y+104, 84, 52, 10, 5), ink{stroke: groundBase, w: 4, op: 0.6})
	c.end()
	c.hatch(shaft, hatching{angle: 0, gap: 11, w: 5, reach: 0.42, colour: "#0d1416", op: 0.85})
	c.hatch(shaft, hatching{angle: 180, gap: 11, w: 5, reach: 0.3, colour: "#0d1416", op: 0.7})
	// Brackets, parapet and merlons.
	brackets := new(path)
	for i := range 7 {
		bx := x - half + 4 + float64(i)*(2*half-40)/6
		brackets.add(newPath(bx, y+44).L(bx+32, y+44).L(bx+24, y+84).L(bx+8, y+84).Z())
	}
	c.part(brackets, "#6b5a3c")
	c.part(rect(x-half-22, y, 2*half+44, 50), glow)
	merlons := new(path)
	for i := range 5 {
		mx := x - half - 22 + float64(i)*(2*half+44-56)/4
		if i == 2 {
			continue // under the lamp
		}
		merlons.add(rect(mx, y-58, 56, 64))
	}
	c.part(merlons, glow)
	c.draw(polyline(x-half-22, y, x+half+22, y), ink{stroke: "#fff1c2", w: 3, op: 0.7})
	for _, dx := range []float64{-70, 70} {
		c.part(newPath(x+dx, y+190).L(x+dx+9, y+210).L(x+dx+9, y+280).L(x+dx-9, y+280).L(x+dx-9, y+210).Z(), groundBase)
	}
	c.part(new(path).circle(x, y+146, 46), c.radial(x-14, y+130, 70, "#f6dcab", "#935f31", "#4f3019"))
	c.rim(x, y+146, 46, 13, 4)
	c.draw(starry(x, y+146, 28, 11, 8, 0), ink{fill: "#57b4f0", stroke: groundBase, w: 4, under: true})
}

// horde is the crowd before the wall: helms, horns and spears in silhouette, with some pairs of eyes.
func (c *card) horde() {
	c.draw(rect(0, 690, 1920, 210), ink{fill: c.linear(0, 690, 0, 880, faded(groundBase, 0), faded(groundBase, 0.9), groundBase)})
	for row := range 2 {
		spears, heads, eyes := new(path), new(path), new(path)
		y := 792 + 62*float64(row)
		step := 74 + 30*float64(row)
		for i := range int(1980/step) + 1 {
			x := float64(i)*step - 30 + c.d.between(-16, 16) + 30*float64(row)
			top := y + c.d.between(-18, 18) + 14*math.Sin(x/240)
			r := 17 + 7*float64(row)
			switch c.d.intn(4) {
			case 0: // horns
				heads.M(x-r, top).C(x-r*1.9, top-r*0.2, x-r*1.9, top-r*1.4, x-r*1.5, top-r*2).C(x-r*1.4, top-r*1.2, x-r, top-r, x-r*0.3, top-r)
				heads.L(x+r*0.3, top-r).C(x+r, top-r, x+r*1.4, top-r*1.2, x+r*1.5, top-r*2).C(x+r*1.9, top-r*1.4, x+r*1.9, top-r*0.2, x+r, top)
			case 1: // a crest
				heads.M(x-r, top).C(x-r*1.2, top-r*2.3, x+r*1.2, top-r*2.3, x+r, top)
			default:
				heads.M(x-r, top).C(x-r, top-r*1.5, x+r, top-r*1.5, x+r, top)
			}
			heads.L(x+r*1.9, top+r*1.9).L(x+r*2, 910).L(x-r*2, 910).L(x-r*1.9, top+r*1.9).Z()
			if c.d.chance(0.6) {
				lean, length := c.d.between(-14, 14), c.d.between(96, 170)
				sx := x + r*1.7
				spears.M(sx-2, top+30).L(sx+lean-2, top-length).L(sx+lean-7, top-length-4).L(sx+lean, top-length-30).L(sx+lean+7, top-length-4).
					L(sx+lean+2, top-length).L(sx+2, top+30).Z()
			}
			if c.d.chance(0.34) {
				eyes.M(x-r*0.5, top).L(x-r*0.24, top).M(x+r*0.24, top).L(x+r*0.5, top)
			}
		}
		c.draw(spears.coarse(), ink{fill: "#04080a", stroke: "#26404a", w: 1.6})
		c.draw(heads.coarse(), ink{fill: "#04080a", stroke: "#26404a", w: 2.2})
		c.draw(eyes.coarse(), ink{stroke: c.g.base, w: 10, op: 0.3})
		c.draw(eyes, ink{stroke: c.g.bright, w: 4})
	}
}
