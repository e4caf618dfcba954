package art

import "math"

// officeScene draws the harbour office at night: a clerk behind a window, pigeonholes full of envelopes, and a queue at
// the counter.
func (c *card) officeScene() {
	c.night(1100, 900, 500, 60)
	c.draw(rect(0, 0, 1100, 900), ink{fill: c.radial(620, 400, 560, faded("#f5b942", 0.3), faded("#8a5a2a", 0.08), faded("#8a5a2a", 0))})
	// Masts behind the house.
	masts := new(path)
	for _, m := range [][2]float64{{60, 250}, {132, 330}, {210, 190}, {1010, 220}, {1066, 310}} {
		masts.M(m[0], 640).L(m[0], m[1]).M(m[0]-46, m[1]+70).L(m[0]+46, m[1]+62).M(m[0], m[1]).L(m[0]-70, 640).M(m[0], m[1]).L(m[0]+70, 640)
	}
	c.draw(masts, ink{stroke: "#1c2c2d", w: 4})
	c.house()
	c.window()
	c.line()
}

// house is the front of the office with its roof and its board.
func (c *card) house() {
	front := rect(260, 210, 720, 590)
	c.part(front, c.linear(260, 210, 980, 800, "#55584f", "#2c3533", "#151d1e"))
	c.clip(front)
	c.draw(masonry(260, 980, 240, 96, 44, 13, 8), ink{stroke: groundBase, w: 3, op: 0.5})
	c.end()
	c.part(polygon(210, 214, 620, 66, 1030, 214, 1030, 240, 210, 240), c.linear(210, 66, 1030, 240, "#8a4a30", "#4a2418", "#27120c"))
	tiles := new(path)
	for i := range 5 {
		y := 104 + 28*float64(i)
		w := (y - 66) * 2.77
		tiles.M(620-w, y).L(620+w, y)
	}
	c.draw(tiles, ink{stroke: groundBase, w: 3, op: 0.7, dash: "22 4"})
	c.part(new(path).circle(620, 172, 36), c.radial(610, 160, 50, "#f6dcab", "#935f31", "#4f3019"))
	// An anchor on the gable.
	c.draw(polyline(620, 154, 620, 192).add(newPath(602, 178).C(604, 194, 636, 194, 638, 178), polyline(610, 162, 630, 162)),
		ink{stroke: groundBase, w: 6})
	c.part(rect(-20, 796, 1140, 120), c.linear(0, 796, 0, 900, "#2a3130", "#0a0f10"))
	boards := new(path)
	for i := range 12 {
		x := 40 + 96*float64(i)
		boards.M(x, 800).L(x+(x-550)*0.16, 900)
	}
	c.draw(boards, ink{stroke: groundBase, w: 3, op: 0.8})
}

// window is the lit counter.
func (c *card) window() {
	const x0, y0, x1, y1 = 404.0, 296.0, 836.0, 628.0
	frame := newPath(x0-30, y1+18).L(x0-30, y0+40).C(x0-30, y0-60, x1+30, y0-60, x1+30, y0+40).L(x1+30, y1+18).Z()
	c.part(frame, c.linear(x0, y0, x1, y1, "#b08a5a", "#6b4a2c", "#3a2616"))
	inside := newPath(x0, y1).L(x0, y0+40).C(x0, y0-34, x1, y0-34, x1, y0+40).L(x1, y1).Z()
	c.part(inside, c.radial(640, 380, 330, "#fff1c2", "#f5c86a", "#b06a2a", "#5a2f14"))
	c.clip(inside)
	// Pigeonholes with letters.
	holes, letters, seals := new(path), new(path), new(path)
	for row := range 5 {
		for col := range 8 {
			x, y := x0+8+54*float64(col), y0-8+52*float64(row)
			holes.add(rect(x, y, 46, 42))
			if c.d.chance(0.62) {
				lx, lean := x+c.d.between(4, 14), c.d.between(-4, 4)
				letters.add(polygon(lx, y+42, lx+lean, y+12, lx+24+lean, y+10, lx+26, y+42))
				seals.circle(lx+13+lean*0.5, y+24, 4)
			}
		}
	}
	c.draw(holes.coarse(), ink{fill: "#5a2f14", op: 0.66})
	c.draw(letters.coarse(), ink{fill: "#f1e4c4", stroke: "#5a2f14", w: 2})
	c.draw(seals.coarse(), ink{fill: "#c9512f"})
	c.end()
	// The clerk, writing; the lamp that hangs over the desk.
	c.draw(polyline(700, 270, 700, 350), ink{stroke: "#4f3019", w: 4})
	c.circle(700, 382, 120, ink{fill: c.radial(700, 382, 120, faded("#ffffff", 0.85), faded("#ffe3a3", 0.3), faded("#ffe3a3", 0))})
	c.part(polygon(682, 356, 718, 356, 726, 404, 674, 404), c.radial(700, 382, 34, "#ffffff", "#ffe3a3", "#f5b942"))
	c.part(polygon(700, 332, 728, 358, 672, 358).add(rect(672, 402, 56, 9)), "#935f31")
	robe := newPath(468, 640).C(470, 560, 488, 524, 524, 510).C(536, 498, 576, 498, 590, 510).C(630, 526, 646, 566, 652, 640).Z()
	c.part(robe, c.linear(470, 500, 650, 640, "#6fc7b0", "#2d8377", "#13433f"))
	c.etch(newPath(520, 530).C(516, 570, 520, 600, 514, 640).M(556, 516).L(558, 640).M(600, 530).C(606, 570, 604, 610, 610, 640), 4)
	c.part(newPath(536, 470).L(580, 470).L(582, 516).C(570, 528, 548, 528, 536, 516).Z(), "#c98a5a")
	head := newPath(514, 430).C(512, 386, 536, 370, 560, 370).C(590, 370, 606, 394, 604, 428).C(603, 462, 588, 492, 562, 494).
		C(536, 494, 516, 466, 514, 430).Z()
	c.part(head, c.linear(604, 370, 514, 490, "#f0bd8c", "#dc9a68", "#a5643c"))
	c.hatch(newPath(514, 430).C(512, 386, 536, 370, 548, 370).L(548, 494).C(530, 490, 516, 466, 514, 430).Z(),
		hatching{angle: 0, gap: 7, w: 4, reach: 0.8, colour: "#6b3a1c", op: 0.7})
	c.part(newPath(508, 428).C(500, 360, 548, 346, 566, 348).C(606, 350, 618, 388, 608, 420).C(596, 396, 570, 392, 540, 400).
		C(528, 404, 522, 414, 522, 436).Z(), "#d6d1c4")
	c.part(newPath(530, 462).C(544, 452, 582, 452, 594, 460).C(598, 500, 580, 530, 562, 532).C(542, 530, 528, 500, 530, 462).Z(), "#d6d1c4")
	c.draw(newPath(544, 436).C(550, 442, 558, 442, 564, 436).M(576, 436).C(582, 442, 588, 442, 594, 436).M(572, 432).L(574, 452).L(566, 454).
		M(552, 474).C(560, 480, 572, 480, 580, 474), ink{stroke: "#2a1508", w: 4})
	c.part(ribbon(34, 30, 20, 500, 580, 560, 624, 626, 614), c.linear(500, 560, 630, 630, "#6fc7b0", "#2d8377"))
	c.part(new(path).circle(634, 610, 13), "#dc9a68")
	quill := ribbon(3, 12, 1, 634, 616, 656, 566, 690, 520)
	c.part(quill, bone)
	// The sill, an open book, an inkwell, the bell for callers.
	c.part(rect(x0-56, y1, x1-x0+112, 34), c.linear(0, y1, 0, y1+34, "#d0a878", "#6b4a2c"))
	c.part(newPath(560, 628).C(590, 612, 626, 612, 642, 624).C(660, 612, 696, 612, 726, 628).L(726, 634).L(560, 634).Z(), "#f1e4c4")
	c.part(rect(760, 600, 34, 30).add(rect(768, 590, 18, 12)), "#29333f")
	c.part(newPath(430, 628).C(430, 600, 482, 600, 482, 628).Z().circle(456, 602, 5),
		c.linear(430, 600, 482, 628, "#fff1c2", "#ecbe50", "#b47f1d"))
	c.draw(polygon(x0-56, y1+34, x1+56, y1+34, x1+150, 900, x0-150, 900), ink{
		fill: c.linear(0, y1+34, 0, 900, faded("#f5b942", 0.26), faded("#f5b942", 0)),
	})
}

// line is the queue: backs, hats, parcels under one arm.
func (c *card) line() {
	rim := ink{fill: "#05090a", stroke: "#e0a468", w: 4, under: true}
	for _, f := range []struct{ x, y, scale float64 }{{392, 850, 1.02}, {250, 872, 1.14}, {86, 900, 1.3}} {
		body := newPath(0, -224).C(22, -224, 34, -208, 32, -186).C(30, -172, 26, -166, 22, -162).C(54, -152, 70, -124, 74, -84).
			L(82, 60).L(0, 60).sym()
		c.draw(body.mapped(placed(f.x, f.y, f.scale, 0)), rim)
		hat := newPath(-52, -200).C(-30, -214, -30, -246, 0, -248).C(30, -246, 30, -214, 52, -200).C(24, -192, -24, -192, -52, -200).Z()
		if math.Abs(f.x-250) < 1 {
			hat = newPath(-34, -186).C(-44, -240, 44, -240, 34, -186).C(40, -160, 30, -150, 22, -158).L(-22, -158).
				C(-30, -150, -40, -160, -34, -186).Z() // a headscarf
		}
		c.draw(hat.mapped(placed(f.x, f.y, f.scale, 0)), rim)
	}
	// A goose is in the queue too.
	c.draw(newPath(486, 884).C(476, 850, 500, 834, 530, 842).C(556, 848, 566, 838, 564, 812).C(560, 790, 576, 780, 588, 790).L(610, 800).
		L(590, 806).C(594, 850, 580, 880, 548, 890).L(540, 904).L(530, 892).Z(), rim)
}
