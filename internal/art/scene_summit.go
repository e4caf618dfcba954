package art

import "pantheon/internal/kit/rarity"

// summitScene is the empty top of the mountain: a cairn, a lamp, and the summit book.
func (c *card) summitScene() {
	const x = 1090.0
	c.night(1600, 900, 560, 110)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.linear(0, 200, 0, 640, faded(c.g.base, 0), faded(c.g.base, 0.1), faded(c.g.base, 0.42))})
	c.planisphere(x, 210, 420)
	c.ridge("#22323c", "#16232a", "#56606c", 720, 0, 560, 70, 500, 130, 560, 240, 470, 330, 580, 420, 540, 480, 600, 620, 520, 700, 600)
	c.ridge("#22323c", "#16232a", "#56606c", 720, 1290, 600, 1380, 500, 1450, 560, 1540, 470, 1600, 540)
	// The clouds below.
	for i := range 5 {
		k := float64(i)
		top := 552 + 62*k
		size := 64 + 30*k
		bank := newPath(-40, 920)
		bank.L(-40, top)
		for px := -40.0; px < 1660; {
			w := size * c.d.between(0.8, 1.7)
			h := size * c.d.between(0.34, 0.62)
			bank.C(px+w*0.06, top-h*1.3, px+w*0.94, top-h*1.3, px+w, top+c.d.between(-6, 6))
			px += w
		}
		bank.L(1700, 920).Z()
		c.draw(bank.coarse(), ink{
			fill:   c.linear(0, top-40, 0, top+120, mix(mix("#33424c", c.g.base, 0.24), "#0e171a", 0.19*k), mix("#182429", "#080e10", 0.2*k)),
			stroke: mix(c.g.base, "#101a1c", 0.3+0.15*k), w: 2.6,
		})
	}
	// The last rocks.
	stone := metal{"#05090b", "#111c1f", "#22363a", "#466064", "#8fa9a6"}
	c.ridge("#2a4044", "#0a1214", "#5d7a78", 920, 560, 920, 640, 800, 710, 810, 770, 700, 820, 706, 900, 620, 1250, 612, 1310, 700, 1400, 720,
		1480, 820, 1600, 900)
	ledge := polygon(806, 652, 836, 614, 1264, 612, 1296, 652, 1230, 692, 880, 690)
	c.part(ledge, c.linear(806, 600, 1296, 690, stone.light, stone.mid, stone.dark))
	c.hatch(ledge, hatching{angle: 200, gap: 10, w: 5, reach: 0.5, colour: stone.deep, op: 0.8})
	// The staff, with a streamer that shows the wind.
	c.draw(polyline(x-96, 610, x-84, 176), ink{stroke: groundBase, w: 18})
	c.draw(polyline(x-96, 610, x-84, 176), ink{stroke: metalOf("wood").mid, w: 10})
	streamer := ribbon(44, 36, 4, x-84, 206, x-20, 180, x+50, 222, x+130, 190, x+230, 226)
	c.part(streamer, c.linear(x-84, 0, x+230, 0, bone, c.g.bright, c.g.base, c.g.soft))
	c.draw(curve(x-70, 214, x-14, 190, x+52, 230, x+126, 200), ink{stroke: groundBase, w: 2.6, op: 0.6})
	c.part(new(path).circle(x-83, 170, 11), metalOf("gold").light)
	for i, rock := range []*path{
		polygon(x-250, 640, x-238, 590, x-196, 572, x-158, 588, x-150, 640),
		polygon(x-36, 640, x-44, 596, x-10, 578, x+30, 594, x+40, 640),
		polygon(x-160, 644, x-168, 588, x-120, 566, x-56, 574, x-28, 606, x-36, 644),
		polygon(x-212, 580, x-196, 528, x-150, 514, x-112, 530, x-112, 572, x-160, 592),
		polygon(x-118, 574, x-122, 532, x-76, 516, x-30, 530, x-18, 570, x-60, 582),
		polygon(x-166, 524, x-158, 478, x-112, 462, x-62, 474, x-48, 520, x-100, 534),
		polygon(x-134, 472, x-124, 436, x-88, 426, x-62, 442, x-64, 474, x-100, 482),
	} {
		tone := 0.2 + 0.1*float64(i%3)
		x0, y0, x1, y1 := rock.bounds()
		c.part(rock, c.linear(x1, (y0+y1)/2, x0, (y0+y1)/2, mix("#d9a86a", stone.light, tone), stone.mid, stone.dark, stone.deep))
		c.hatch(rock, hatching{angle: 8, gap: 9, w: 4.6, reach: 0.46, colour: stone.deep, op: 0.8})
		c.draw(polyline(x0+(x1-x0)*0.3, y0+(y1-y0)*0.3, x0+(x1-x0)*0.62, y0+(y1-y0)*0.42, x0+(x1-x0)*0.7, y0+(y1-y0)*0.8).coarse(),
			ink{stroke: stone.deep, w: 3, op: 0.7})
	}
	g := c.g
	c.g = glowOf(rarity.Legendary)
	c.lamp(x+122, 566, 1.05)
	c.g = g
	c.book(x+44, 648, 1)
	// A dry inkpot and pen.
	c.part(newPath(x+176, 650).C(x+168, 630, x+176, 622, x+184, 620).L(x+184, 612).L(x+200, 612).L(x+200, 620).
		C(x+208, 622, x+216, 630, x+208, 650).Z(), c.linear(x+168, 0, x+216, 0, "#bfced5", "#374651", "#131b22"))
	c.draw(curve(x+192, 616, x+210, 580, x+244, 556), ink{stroke: groundBase, w: 9})
	c.draw(curve(x+192, 616, x+210, 580, x+244, 556), ink{stroke: bone, w: 4})
	c.draw(newPath(x+206, 588).C(x+214, 560, x+240, 540, x+262, 540).C(x+258, 566, x+236, 584, x+206, 588).Z(),
		ink{fill: bone, stroke: groundBase, w: 4, under: true})
}
