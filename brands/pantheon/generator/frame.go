package generator

import (
	"math"
	"strings"
)

// The frame shows the rarity by its shape as well as by colour: single line, double line,
// cut corners, stepped corners with keys, scalloped corners with keys above and below, and
// keys all around.

const (
	frameOuter = 20.0 // distance of the outer line from the card's edge, units
	frameGap   = 11.0 // between outer and inner line
)

// rank is the item's rarity rank, 0 to 5.
func (c *card) rank() int { return max(c.item.Rarity.Rank(), 0) }

// frame draws the border. The subject may overlap it.
func (c *card) frame() {
	rank := c.rank()
	colour := bronzeLine
	if rank >= 4 {
		colour = mix(bronzeLine, c.g.base, 0.55)
	}
	c.draw(border(frameOuter, rank), ink{stroke: colour, w: 2.6})
	if rank >= 1 {
		c.draw(border(frameOuter+frameGap+float64(max(rank-3, 0))*5, rank), ink{stroke: colour, w: 1.4, op: 0.85})
	}
	if rank >= 3 {
		keys := new(path)
		unit, n := 1.8, 50
		if rank >= 4 {
			unit, n = 2.3, 41
		}
		width := 5 * unit * float64(n)
		y := frameOuter + 3.2
		row := meander(300-width/2, y, unit, n)
		keys.add(row.mapped(matrix{1, 0, 0, -1, 0, 800}))
		if rank >= 4 {
			keys.add(row)
		}
		if rank >= 5 {
			side := meander(400-58*2.5*unit, y, unit, 58)
			keys.add(side.mapped(matrix{0, 1, 1, 0, 0, 0}), side.mapped(matrix{0, 1, -1, 0, 600, 0}))
		}
		c.draw(keys, ink{stroke: colour, w: 1.5})
	}
	studs, size := new(path), 5.5
	at := []float64{0, 40, 34, 33, 36, 36}[rank]
	if rank >= 4 {
		size = 10
	}
	if rank > 0 {
		for _, q := range []point{{at, at}, {600 - at, at}, {at, 800 - at}, {600 - at, 800 - at}} {
			studs.add(sign(c.item.Rarity, q.x, q.y, size))
		}
	}
	c.draw(studs, ink{fill: c.g.base})
}

// border is the frame's line at an inset, with corners shaped by rank.
func border(inset float64, rank int) *path {
	l, r, b := inset, 600-inset, 800-inset
	corner := func(p *path, x, y, dx, dy float64) {
		// From the vertical side to the horizontal one, or the other way
		// round; (dx, dy) points into the card.
		vertical := (dx > 0) == (dy < 0)
		switch {
		case rank < 2:
			p.L(x, y)
		case rank == 2:
			if vertical {
				p.L(x+22*dx, y).L(x, y+22*dy)
			} else {
				p.L(x, y+22*dy).L(x+22*dx, y)
			}
		case rank == 3:
			if vertical {
				p.lines(x+34*dx, y, x+34*dx, y+17*dy, x+17*dx, y+17*dy, x+17*dx, y+34*dy, x, y+34*dy)
			} else {
				p.lines(x, y+34*dy, x+17*dx, y+34*dy, x+17*dx, y+17*dy, x+34*dx, y+17*dy, x+34*dx, y)
			}
		default:
			if vertical {
				p.L(x+38*dx, y).C(x+38*dx, y+21*dy, x+21*dx, y+38*dy, x, y+38*dy)
			} else {
				p.L(x, y+38*dy).C(x+21*dx, y+38*dy, x+38*dx, y+21*dy, x+38*dx, y)
			}
		}
	}
	p := newPath(300, inset)
	corner(p, r, inset, -1, 1)
	corner(p, r, b, -1, -1)
	corner(p, l, b, 1, -1)
	corner(p, l, inset, 1, 1)
	return p.Z()
}

// keystone is the rarity's sign at the top of the frame.
func (c *card) keystone() {
	rank := c.rank()
	c.draw(new(path).circle(300, 34, 34), ink{fill: groundBase, stroke: bronzeLine, w: 2})
	c.draw(sign(c.item.Rarity, 300, 34, []float64{19, 21, 22, 22, 22, 21}[rank]), ink{fill: c.g.soft, stroke: c.g.base, w: 3.4})
	if rank >= 2 {
		c.draw(sign(c.item.Rarity, 300, 34, []float64{0, 0, 8, 9, 9, 0}[rank]), ink{fill: c.g.bright})
	}
	if rank >= 4 {
		c.draw(laurel(300, 34, 44, 0.75, -0.4, 5, 17).add(laurel(300, 34, 44, math.Pi-0.75, math.Pi+0.4, 5, 17)), ink{fill: c.g.base, op: 0.9})
	}
}

// plate engraves the name and the rarity at the bottom of the card. A name of the form
// "Name, title" takes two lines.
func (c *card) plate() {
	name, subtitle, titled := strings.Cut(c.item.Name, ", ")
	if titled {
		line, height := inscription(name, 300, 708, 25, 470, 2.4)
		c.draw(line, ink{stroke: bone, w: 1.2 + height*0.07})
		line, _ = inscription(subtitle, 300, 732, 12.5, 460, 1.6)
		c.draw(line, ink{stroke: bone, w: 1.8, op: 0.85})
	} else {
		line, height := inscription(name, 300, 722, 22, 478, 1.3)
		c.draw(line, ink{stroke: bone, w: 1.2 + height*0.07})
	}
	label, _ := inscription(labelOf(c.item.Rarity), 300, 757, 12.5, 300, 3)
	x0, _, x1, _ := label.bounds()
	c.draw(label, ink{stroke: c.g.base, w: 2})
	c.draw(sign(c.item.Rarity, x0-20, 751, 6).add(sign(c.item.Rarity, x1+20, 751, 6)), ink{fill: c.g.base})
	c.draw(polyline(x0-36, 751, 150, 751).add(polyline(x1+36, 751, 450, 751)), ink{stroke: bronzeLine, w: 1.4, op: 0.8})
}
