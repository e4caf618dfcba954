package art

import (
	"math"

	"pantheon/internal/kit/rarity"
)

// roadScene is the whole road: from the lamp at the harbour over hills and past the wall to the mountain.
// One traveller is on it.
func (c *card) roadScene() {
	c.night(2000, 640, 430, 110)
	c.draw(rect(0, 0, 2000, 640), ink{fill: c.radial(1640, 150, 560, faded("#f5b942", 0.26), faded("#8a5a2a", 0.08), faded("#8a5a2a", 0))})
	c.planisphere(1640, 176, 236)
	c.ridge("#14272a", "#0c1618", "#254041", 640, 0, 430, 130, 372, 250, 410, 380, 330, 520, 400, 640, 340, 790, 402, 930, 350, 1060, 396,
		1200, 340, 1330, 390, 1430, 330, 1520, 240, 1640, 62, 1760, 250, 1850, 350, 2000, 300)
	// The stair up the mountain, a line of light.
	stair := polyline(1610, 470, 1690, 412, 1600, 356, 1680, 300, 1614, 250, 1666, 204, 1630, 160, 1642, 124)
	c.draw(stair, ink{stroke: groundBase, w: 11})
	c.draw(stair, ink{stroke: "#c9a877", w: 5, dash: "3 4", butt: true})
	c.circle(1641, 84, 84, ink{fill: c.radial(1641, 84, 84, faded("#ffe3a3", 0.8), faded("#f5b942", 0.25), faded("#f5b942", 0))})
	c.temple(1641, 96, 0.24)
	// The harbour: water, a mole with its lamp, an ark at rest.
	c.prop("ark", "cedar", "wood", rarity.Legendary, 142, 398, 0.36)
	c.draw(polygon(0, 440, 306, 440, 380, 640, 0, 640), ink{fill: c.linear(0, 440, 0, 640, "#1d3b3a", "#0d1a1c")})
	glints := new(path)
	for range 26 {
		y := c.d.between(450, 620)
		x := c.d.between(0, 200)
		glints.M(x, y).L(x+c.d.between(14, 60), y)
	}
	c.draw(glints.coarse(), ink{stroke: "#e8c88e", w: 2, op: 0.4})
	c.ridge("#22312f", "#0b1314", "#47564d", 640, 300, 640, 400, 520, 520, 470, 680, 500, 830, 452, 980, 508, 1130, 464, 1290, 506, 1440, 452,
		1580, 480, 1720, 440, 1860, 470, 2000, 430)
	c.wallOnTheWay()
	c.ridge("#182423", "#060b0c", "#31403a", 640, 240, 640, 380, 582, 560, 560, 760, 600, 960, 548, 1180, 590, 1400, 552, 1620, 594,
		1830, 552, 2000, 576)
	c.part(newPath(214, 640).L(238, 470).L(322, 470).L(346, 640).Z(), c.linear(238, 0, 330, 0, "#6b6455", "#3c3f3a", "#1f2727"))
	c.beacon(280, 470)
	road := curve(330, 628, 430, 590, 540, 574, 640, 590, 760, 612, 880, 586, 960, 562, 1070, 580, 1200, 600, 1320, 580, 1410, 566, 1500, 556,
		1560, 520, 1608, 474)
	c.draw(road, ink{stroke: "#0a0f10", w: 22})
	c.draw(road, ink{stroke: "#6b5a44", w: 14})
	c.draw(road, ink{stroke: "#d9b98a", w: 2.4, dash: "3 11"})
	// Milestones, the last ones close together.
	stones := []point{{438, 582}, {588, 570}, {748, 602}, {900, 570}, {1044, 568}, {1196, 592}, {1340, 566}, {1462, 552}, {1572, 500}}
	c.stamp(newPath(-9, 8).L(-9, -22).C(-9, -36, 9, -36, 9, -22).L(9, 8).Z(),
		ink{fill: "#9a927c", stroke: groundBase, w: 4, under: true}, stones...)
	// The traveller, with a lamp on a stick.
	c.circle(668, 556, 96, ink{fill: c.radial(668, 556, 96, faded("#ffe3a3", 0.7), faded("#f5b942", 0.25), faded("#f5b942", 0))})
	c.draw(newPath(630, 602).C(624, 566, 630, 546, 640, 542).C(652, 546, 656, 566, 652, 602).Z().circle(641, 532, 9).M(648, 560).L(672, 530).
		L(676, 532).L(652, 566).Z(), ink{fill: "#030506", stroke: "#e8b486", w: 2.4})
	c.part(polygon(668, 536, 680, 536, 683, 556, 665, 556), c.radial(674, 548, 14, "#ffffff", "#ffe3a3", "#f5b942"))
}

// wallOnTheWay is the long wall at the road's gate, small and distant.
func (c *card) wallOnTheWay() {
	stone := c.linear(0, 400, 0, 520, "#59605a", "#2b3634", "#141c1d")
	wall := newPath(1000, 530).L(1000, 446)
	for i := range 16 {
		x := 1000 + 24*float64(i)
		wall.lines(x, 436, x+13, 436, x+13, 446, x+24, 446)
	}
	wall.L(1384, 530).Z()
	c.part(wall, stone)
	courses := new(path)
	for i := range 4 {
		y := 462 + 17*float64(i)
		courses.M(1000, y).L(1384, y)
	}
	c.draw(courses, ink{stroke: groundBase, w: 2.4, op: 0.7, dash: "22 3"})
	for _, x := range []float64{1000, 1192, 1384} {
		c.part(rect(x-24, 404, 48, 128).add(rect(x-30, 396, 14, 14), rect(x-7, 396, 14, 14), rect(x+16, 396, 14, 14)), stone)
		c.draw(rect(x-3, 430, 6, 26), ink{fill: groundBase})
	}
	// Windmills and a kiln on the nearer hills.
	for i, x := range []float64{742, 812} {
		y := 478 - 12*float64(i)
		c.part(polygon(x-14, y, x+14, y, x+10, y-46, x-10, y-46), "#4a5049")
		c.part(polygon(x-13, y-44, x+13, y-44, x, y-62), "#6b5a44")
		sails := new(path)
		for j := range 4 {
			a := 0.4 + float64(i)*0.5 + float64(j)*math.Pi/2
			s, co := math.Sincos(a)
			sails.M(x, y-48).L(x+38*co, y-48+38*s).L(x+38*co-9*s, y-48+38*s+9*co).L(x+8*co-9*s, y-48+8*s+9*co).Z()
		}
		c.draw(sails.coarse(), ink{fill: "#8f8467", stroke: groundBase, w: 2})
	}
	c.part(newPath(548, 486).C(548, 452, 560, 440, 574, 440).C(588, 440, 600, 452, 600, 486).Z(), "#5b3a2a")
	c.draw(newPath(568, 486).L(568, 472).C(568, 464, 580, 464, 580, 472).L(580, 486).Z(), ink{fill: "#ff9a5a"})
	c.draw(curve(574, 438, 566, 420, 580, 404, 570, 384), ink{stroke: "#8f8f86", w: 3, op: 0.5})
}

// beacon is the lamp at the end of the mole, on its base at (x, y).
func (c *card) beacon(x, y float64) {
	c.circle(x, y-96, 190, ink{fill: c.radial(x, y-96, 190, faded("#ffe3a3", 0.7), faded("#f5b942", 0.24), faded("#f5b942", 0))})
	c.part(polygon(x-22, y+2, x+22, y+2, x+14, y-74, x-14, y-74), c.linear(x-22, 0, x+22, 0, "#9a8a6a", "#5b5546", "#2c302c"))
	c.part(rect(x-24, y-82, 48, 10), "#6b5a44")
	c.part(rect(x-14, y-114, 28, 34), c.radial(x, y-96, 30, "#ffffff", "#ffe3a3", "#f5b942"))
	c.part(polygon(x-22, y-112, x+22, y-112, x, y-138), "#935f31")
}
