package art

import "math"

// landScene is the map of the world: the Inner Sea, the lands around it, the mountain in the
// north and the long wall in the east. It is round, 1000 units across; the page that shows it adds the names.
func (c *card) landScene() {
	const mid, r = 500.0, 470.0
	c.circle(mid, mid, 498, ink{fill: c.radial(mid, mid, 498, faded("#1d3b3a", 1), faded("#10201f", 1), faded("#0a1214", 1))})
	disc := new(path).circle(mid, mid, r)
	c.draw(disc, ink{fill: c.radial(470, 560, 520, "#17413f", "#123233", "#0d2225")})
	c.clip(disc)
	land := newPath(-20, 700).C(60, 730, 150, 700, 230, 730).C(290, 752, 330, 716, 380, 726).C(430, 736, 442, 690, 404, 668).
		C(370, 650, 330, 640, 342, 590).C(350, 558, 398, 560, 420, 524).C(440, 490, 430, 458, 462, 430).C(486, 408, 510, 430, 522, 402).
		C(536, 376, 578, 392, 590, 430).C(600, 470, 640, 490, 650, 540).C(658, 580, 690, 590, 670, 626).C(656, 652, 668, 690, 704, 676).
		C(740, 660, 770, 690, 748, 726).C(730, 760, 770, 790, 800, 800).C(850, 816, 880, 860, 1020, 850).L(1020, -20).L(-20, -20).Z()
	islands := blob(562, 706, 62, 44, 0.4).add(blob(452, 822, 74, 40, 2), blob(640, 866, 88, 52, 1.2), blob(520, 770, 14, 9, 0),
		blob(590, 640, 16, 11, 1), blob(250, 834, 30, 18, 3))
	shores := new(path).add(land, islands)
	// Water lines, as in engraved maps: the shoreline repeated, fainter each time.
	for i, w := range []float64{92, 70, 50, 32, 16} {
		c.draw(shores, ink{stroke: mix("#2d6f68", "#1b4f4c", float64(i%2)), w: w, op: 0.22 + 0.1*float64(i)})
	}
	c.part(shores, c.linear(100, 60, 900, 900, "#8a7b58", "#6a644c", "#43493d", "#1d2828"))
	c.clip(land)
	// East of the wall is unexplored.
	c.draw(polygon(764, -20, 800, 250, 838, 470, 856, 700, 900, 900, 1020, 900, 1020, -20),
		ink{fill: c.linear(780, 0, 900, 0, faded("#070c0e", 0.35), faded("#070c0e", 0.96))})
	c.end()
	c.draw(shores, ink{stroke: "#e9d6a6", w: 2.4})
	c.reliefs()
	c.longWall()
	c.seaMarks()
	c.end()
	c.landRim(mid, r)
}

// blob is an uneven island around a point.
func blob(x, y, rx, ry, turn float64) *path {
	p := new(path)
	var xy []float64
	for i := range 9 {
		s, co := math.Sincos(float64(i) * 2 * math.Pi / 9)
		k := 0.82 + 0.2*math.Sin(turn+float64(i*i)*1.7)
		xy = append(xy, math.Round(x+rx*k*co), math.Round(y+ry*k*s))
	}
	p.add(curve(append(xy, xy[0], xy[1])...))
	return p.Z()
}

// reliefs are the mountains, woods, fields, the river and the road.
func (c *card) reliefs() {
	river := curve(506, 232, 484, 280, 512, 320, 492, 360, 520, 404)
	c.draw(river, ink{stroke: "#1b4f4c", w: 9})
	c.draw(river, ink{stroke: "#6fc7b0", w: 2.4})
	road := curve(336, 588, 318, 540, 286, 506, 300, 452, 330, 410, 380, 372, 410, 330, 440, 280, 476, 236, 500, 196)
	c.draw(road, ink{stroke: "#2a2017", w: 7, op: 0.7})
	c.draw(road, ink{stroke: "#f6dcab", w: 3, dash: "2 8"})
	road2 := curve(410, 330, 500, 320, 600, 340, 690, 420, 790, 440)
	c.draw(road2, ink{stroke: "#2a2017", w: 6, op: 0.6})
	c.draw(road2, ink{stroke: "#f6dcab", w: 2.4, dash: "2 8"})
	peak := newPath(-34, 20).L(-12, -26).L(0, -44).L(14, -20).L(38, 20)
	shade := newPath(2, -40).L(12, -8).L(4, 14).M(12, -18).L(22, 2).L(16, 16).M(22, -2).L(32, 18)
	at := []point{
		{590, 210}, {650, 190}, {740, 210}, {640, 250}, {400, 180}, {350, 200}, {300, 180}, {250, 230}, {560, 160}, {430, 130}, {160, 330},
		{130, 270}, {700, 340}, {190, 250},
	}
	c.stamp(peak, ink{fill: "#4b4d40", stroke: "#d8c79a", w: 2.4}, at...)
	c.stamp(shade, ink{stroke: "#1a2120", w: 3}, at...)
	// Mount Oran smokes; the mountain of the gods has their house on it.
	oran := newPath(640, 306).L(672, 240).L(706, 240).L(744, 306)
	c.draw(oran, ink{fill: "#54473a", stroke: "#f0c890", w: 2.8})
	c.draw(newPath(700, 244).L(714, 270).L(706, 300).M(712, 262).L(728, 290), ink{stroke: "#1a1512", w: 3})
	c.draw(new(path).ellipse(689, 240, 17, 5), ink{fill: "#ff9a5a"})
	c.draw(curve(689, 234, 676, 212, 700, 194, 684, 170, 700, 150), ink{stroke: "#cfc6b0", w: 4, op: 0.5})
	olympus := newPath(410, 246).L(446, 176).L(470, 150).L(500, 84).L(524, 140).L(552, 170).L(596, 246)
	c.circle(500, 92, 110, ink{fill: c.radial(500, 92, 110, faded("#ffe3a3", 0.6), faded("#f5b942", 0))})
	c.draw(olympus, ink{fill: c.linear(410, 84, 590, 246, "#a39874", "#5d5c4c", "#2c3330"), stroke: "#f6dcab", w: 3})
	folds := newPath(506, 96).L(520, 150).L(512, 190).M(520, 140).L(540, 180).L(534, 220).M(540, 170).L(562, 210).L(560, 238).M(512, 170).
		L(526, 210).L(520, 240)
	c.draw(folds, ink{stroke: "#14201f", w: 3.6})
	c.temple(500, 88, 0.2)
	// Olives in the west, fields in the middle.
	c.stamp(new(path).circle(0, -7, 8).M(0, 0).L(0, 9), ink{fill: "#3f5a3c", stroke: "#1a2620", w: 2},
		point{228, 330}, point{252, 318}, point{212, 352}, point{240, 380}, point{216, 386}, point{196, 312}, point{600, 330}, point{624, 318},
		point{612, 300}, point{120, 560}, point{142, 580}, point{166, 560}, point{136, 610}, point{700, 520}, point{724, 508}, point{716, 540})
	fields := new(path)
	for i := range 4 {
		y := 640 + 14*float64(i)
		fields.M(170+float64(i)*6, y).L(270+float64(i)*4, y-8)
	}
	for i := range 4 {
		y := 450 + 12*float64(i)
		fields.M(556+float64(i)*8, y-30).L(628+float64(i)*6, y-36)
	}
	c.draw(fields, ink{stroke: "#d8c79a", w: 2, op: 0.5, dash: "6 4"})
	// Mills.
	for _, x := range []float64{168, 196} {
		c.draw(polygon(x-7, 462, x+7, 462, x+4, 442, x-4, 442), ink{fill: "#d8c79a", stroke: groundBase, w: 2})
		c.draw(newPath(x-15, 430).L(x+15, 452).M(x+15, 430).L(x-15, 452), ink{stroke: "#f6dcab", w: 3})
	}
}

// longWall runs from north to south in the east, with towers at intervals and one lamp.
func (c *card) longWall() {
	wall := curve(768, -10, 778, 120, 800, 250, 822, 350, 838, 470, 848, 600, 862, 720, 880, 830)
	c.draw(wall, ink{stroke: groundBase, w: 20})
	c.draw(wall, ink{stroke: "#b9a678", w: 13, butt: true})
	c.draw(wall, ink{stroke: "#3c3a2e", w: 13, dash: "3 9", butt: true})
	towers := []point{{779, 124}, {801, 252}, {823, 352}, {838, 466}, {849, 602}, {863, 722}}
	c.circle(838, 452, 60, ink{fill: c.radial(838, 452, 60, faded("#ffe3a3", 0.9), faded("#f5b942", 0))})
	c.stamp(rect(-13, -20, 26, 40).add(rect(-17, -28, 9, 10), rect(-4, -28, 9, 10), rect(8, -28, 9, 10)),
		ink{fill: "#cbb888", stroke: groundBase, w: 4, under: true}, towers...)
	c.draw(spark(838, 440, 17), ink{fill: "#fff1c2"})
	c.stamp(newPath(-9, 0).L(-4, 0).M(4, 0).L(9, 0), ink{stroke: "#57b4f0", w: 4, op: 0.8}, point{892, 200}, point{924, 300}, point{900, 380},
		point{936, 430}, point{905, 520}, point{930, 600}, point{906, 660})
}

// seaMarks are the features of the sea: the drowned bell, and a compass rose.
func (c *card) seaMarks() {
	for i := range 3 {
		c.circle(520, 600, 20+16*float64(i), ink{stroke: "#6fc7b0", w: 2, op: 0.6 - 0.16*float64(i), dash: "7 6"})
	}
	c.draw(newPath(0, -15).C(8, -15, 9, -4, 13, 5).L(0, 5).sym().mapped(shift(520, 600)).circle(520, 609, 3),
		ink{fill: "#6fc7b0", stroke: groundBase, w: 3, under: true})
	rose := starry(350, 858, 52, 9, 4, -math.Pi/2)
	c.draw(starry(350, 858, 30, 9, 4, -math.Pi/4), ink{fill: "#a9794a"})
	c.draw(rose, ink{fill: "#e9d6a6", stroke: groundBase, w: 3, under: true})
	c.circle(350, 858, 60, ink{stroke: "#e9d6a6", w: 1.6, op: 0.6})
	waves := new(path)
	for _, q := range []point{{480, 520}, {560, 520}, {470, 700}, {600, 760}, {520, 900}, {700, 800}, {420, 780}, {560, 580}} {
		waves.add(curve(q.x-22, q.y, q.x-11, q.y-6, q.x, q.y, q.x+11, q.y-6, q.x+22, q.y))
	}
	c.draw(waves.coarse(), ink{stroke: "#6fc7b0", w: 2, op: 0.5})
}

// landRim is the frame: a scale of tides, alternately high and low.
func (c *card) landRim(mid, r float64) {
	c.circle(mid, mid, r, ink{stroke: groundBase, w: 10})
	c.circle(mid, mid, r, ink{stroke: c.linear(60, 60, 940, 940, c.m.shine, c.m.light, c.m.mid, c.m.dark), w: 5})
	c.circle(mid, mid, r+12, ink{stroke: bronzeLine, w: 16, dash: "2 12.93", butt: true})
	c.circle(mid, mid, r+24, ink{stroke: bronzeLine, w: 2})
}
