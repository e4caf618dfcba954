package generator

import (
	"math"

	"pantheon/internal/catalogue"
)

// portrait holds the features of a generated face. Every field but right and smooth appears as a trait.
type portrait struct {
	tone, hairTone          string // materials
	hair, headgear, beard   string
	mark, jewel, dress, eye string
	nose                    string
	right                   bool // looks to the right
	smooth                  bool // without shade on the cheek, which looks like stubble on a large face
}

// portraitOf draws a face's features at random. Rarer faces have rarer headgear.
func portraitOf(item *token) portrait {
	d := newDice(item.Collection, item.TokenID, "face")
	headgear := [][]string{
		{"Bare", "Bare", "Bare", "Headband", "Headband", "Traveller's Hat", "Traveller's Hat", "Hood"},
		{"Bare", "Headband", "Headband", "Ivy Wreath", "Ivy Wreath", "Freedom Cap", "Hood"},
		{"Ivy Wreath", "Crested Helm", "Crested Helm", "Freedom Cap", "Diadem", "Headband"},
		{"Crested Helm", "Winged Hat", "Horned Circlet", "Diadem"},
		{"Sun Crown", "Winged Hat", "Golden Laurel"},
		{"Star Crown", "Sun Crown"},
	}[max(item.Rarity.Rank(), 0)]
	p := portrait{
		tone:     choose(d, "bronze", "terracotta", "ivory", "wood", "marble", "bronze", "terracotta", "verdigris"),
		hairTone: choose(d, "obsidian", "wood", "silver", "terracotta", "gold", "obsidian", "ivory"),
		hair:     choose(d, "Cropped", "Curls", "Long Waves", "Chignon", "Braid", "Topknot", "Shaved"),
		headgear: choose(d, headgear...),
		beard:    choose(d, "None", "None", "None", "Short", "Curled", "Pointed"),
		mark:     choose(d, "None", "None", "Cheek Lines", "Brow Star", "Eye Band", "Scar", "Temple Rays"),
		jewel:    choose(d, "None", "Hoop", "Drop", "Crescent"),
		dress:    choose(d, "Chiton", "Cloak", "Cuirass", "Beaded Collar"),
		eye:      choose(d, "Open", "Open", "Half-Closed", "Shining"),
		nose:     choose(d, "Straight", "Aquiline", "Snub"),
		right:    d.chance(0.5),
	}
	if item.Kind == kindSeasonAvatar {
		p.headgear = "Golden Laurel"
	}
	for p.hairTone == p.tone {
		p.hairTone = choose(d, "obsidian", "wood", "silver", "terracotta", "gold")
	}
	return p
}

func (p portrait) traits() []catalogue.Attribute {
	traits := []catalogue.Attribute{
		{TraitType: "Tone", Value: title(p.tone)},
		{TraitType: "Hair", Value: p.hair},
		{TraitType: "Hair Tone", Value: title(p.hairTone)},
		{TraitType: "Eyes", Value: p.eye},
		{TraitType: "Dress", Value: p.dress},
	}
	for _, t := range []catalogue.Attribute{{TraitType: "Headgear", Value: p.headgear}, {TraitType: "Beard", Value: p.beard},
		{TraitType: "Mark", Value: p.mark}, {TraitType: "Jewel", Value: p.jewel}} {
		if t.Value != "None" {
			traits = append(traits, t)
		}
	}
	return traits
}

// The face looks to the left, its head about 330 wide around the origin.

func (c *card) portrait() { c.likeness(portraitOf(&c.item)) }

func (c *card) likeness(p portrait) {
	c.tondo()
	// The bust ends at the field's edge; the head may rise above it.
	c.clip(rect(0, 0, 600, 345).add(new(path).circle(300, 345, tondoRadius)))
	c.place(300, 320, 0.83, 0)
	if p.right {
		c.mirror()
	}
	c.place(-22, 0, 1, 0)
	c.backHair(p)
	c.profile(p)
	c.dress(p)
	c.beard(p)
	c.hair(p)
	c.headgear(p)
	c.jewel(p)
	c.end()
	if p.right {
		c.end()
	}
	c.end()
	c.end()
}

const tondoRadius = 246.0 // units

// tondo is the round field of a painted cup, bordered by keys or, for a season, by laurel.
func (c *card) tondo() {
	const r = tondoRadius
	c.draw(new(path).circle(300, 345, r), ink{
		fill: c.radial(300, 300, r*1.2, mix(c.g.soft, groundBase, 0.2), mix(c.g.soft, groundBase, 0.72), groundBase),
	})
	c.burst(300, 345, 120, 222, 200, 3, 60, c.d.float(), ink{fill: c.g.base, op: 0.28})
	c.draw(new(path).circle(300, 345, r).circle(300, 345, r-26), ink{stroke: bronzeLine, w: 2.6})
	if c.item.Kind == kindSeasonAvatar {
		c.ring(40, 300, 345, 0, func() {
			c.draw(laurel(0, 0, r-13, -0.02, 0.02, 1, 27), ink{fill: c.g.base})
		})
		return
	}
	c.ring(44, 300, 345, 0, func() {
		const y = 13 - r
		c.draw(polyline(-15, y+8, -15, y-8, 5, y-8, 5, y+4, -6, y+4, -6, y-2), ink{stroke: c.g.base, w: 2.4})
	})
}

// after returns the matrix that translates by (x, y) before m is applied.
func (m matrix) after(x, y float64) matrix {
	q := m.at(point{x, y})
	m.e, m.f = q.x, q.y
	return m
}

func (c *card) profileOutline(p portrait) *path {
	head := newPath(-62, -150).C(-92, -120, -104, -84, -104, -48)
	switch p.nose {
	case "Aquiline":
		head.C(-106, -34, -112, -26, -122, -10).C(-142, 10, -158, 28, -154, 48).C(-154, 58, -146, 62, -134, 60)
	case "Snub":
		head.C(-108, -34, -104, -24, -110, -8).C(-122, 14, -138, 26, -148, 34).C(-156, 46, -146, 60, -132, 58)
	default:
		head.C(-108, -36, -110, -28, -116, -14).C(-128, 12, -142, 30, -152, 44).C(-156, 54, -148, 61, -136, 60)
	}
	return head.L(-116, 60).C(-116, 68, -122, 74, -127, 82).C(-130, 90, -120, 94, -108, 95).C(-118, 98, -124, 105, -120, 114).
		C(-114, 122, -106, 122, -108, 131).C(-118, 140, -122, 156, -112, 170).C(-100, 186, -76, 187, -54, 181).C(-34, 177, -22, 179, -18, 196).
		C(-16, 230, -30, 262, -56, 296).L(150, 296).C(120, 250, 108, 200, 112, 140).C(160, 80, 176, 0, 160, -70).
		C(140, -150, 60, -196, -10, -182).C(-34, -178, -52, -166, -62, -150).Z()
}

func (c *card) profile(p portrait) {
	head := c.profileOutline(p)
	c.part(head, c.linear(-140, -120, 150, 200, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	jaw := newPath(-54, 181).C(-10, 150, 30, 110, 40, 60).C(90, 90, 112, 140, 112, 140).C(108, 200, 120, 250, 150, 296).L(-56, 296).
		C(-30, 262, -16, 230, -18, 196).C(-22, 179, -34, 177, -54, 181).Z()
	c.hatch(jaw, hatching{angle: 205, gap: 7.5, w: 4.8, reach: 0.86, colour: c.m.deep, op: 0.75})
	cheek := newPath(-60, 60).C(-50, 110, -20, 130, 20, 100).C(0, 150, -40, 176, -90, 180).C(-70, 140, -66, 100, -60, 60).Z()
	if !p.smooth {
		c.hatch(cheek, hatching{angle: 262, gap: 8, w: 3.8, reach: 0.7, colour: c.m.dark, op: 0.8})
	}
	c.etch(newPath(-52, 181).C(-14, 168, 30, 120, 42, 70), 3)
	c.etch(newPath(-112, 95).C(-100, 95, -94, 92, -88, 86), 4)
	c.etch(newPath(-126, 56).C(-118, 44, -106, 46, -106, 58), 3.4)
	c.draw(newPath(-120, 60).C(-120, 70, -128, 78, -128, 84).C(-118, 84, -104, 88, -94, 90).C(-104, 98, -118, 104, -119, 112).
		C(-112, 112, -96, 104, -88, 88).C(-96, 78, -108, 72, -116, 74).Z(),
		ink{fill: metalOf("terracotta").mid, op: 0.75})
	// The eye is drawn frontally, as on Greek vases.
	switch p.eye {
	case "Half-Closed":
		c.etch(newPath(-98, -6).C(-84, 8, -62, 8, -46, -4), 5)
		c.etch(newPath(-96, -16).C(-82, -24, -62, -22, -46, -10), 3)
	case "Shining":
		c.draw(newPath(-100, -6).C(-86, -26, -62, -26, -42, -8).C(-60, 8, -84, 10, -100, -6).Z(), ink{fill: groundBase})
		c.lumen(newPath(-92, -7).C(-82, -18, -64, -18, -52, -9), 4.4)
	default:
		c.draw(newPath(-100, -6).C(-86, -26, -62, -26, -42, -8).C(-60, 8, -84, 10, -100, -6).Z(), ink{fill: bone})
		c.draw(new(path).circle(-78, -9, 11), ink{fill: groundBase})
		c.circle(-82, -13, 3.4, ink{fill: "#fff"})
		c.draw(newPath(-104, -4).C(-88, -28, -60, -28, -34, -6), ink{stroke: groundBase, w: 5.4})
	}
	c.etch(newPath(-104, -36).C(-86, -52, -58, -50, -34, -32), 6)
	c.lit(newPath(-104, -60).C(-104, -36, -116, -14, -146, 36), 3)
	switch p.mark {
	case "Cheek Lines":
		c.lumen(polyline(-84, 30, -36, 24).add(polyline(-82, 42, -34, 38), polyline(-78, 54, -34, 52)), 2.6)
	case "Brow Star":
		c.draw(spark(-78, -82, 22), ink{fill: c.g.base})
		c.draw(spark(-78, -82, 9), ink{fill: c.g.bright})
	case "Eye Band":
		c.draw(newPath(-104, -24).C(-60, -36, -20, -30, 10, -20).L(10, 8).C(-20, 14, -60, 14, -104, 8).Z(), ink{fill: c.g.base, op: 0.38})
	case "Scar":
		c.lumen(c.bolt(-60, -60, -52, 60, 3, 4), 2)
	case "Temple Rays":
		rays := new(path)
		for i := range 4 {
			a := -0.5 + 0.34*float64(i)
			rays.M(-28+12*math.Cos(a), -8+12*math.Sin(a)).L(-28+38*math.Cos(a), -8+38*math.Sin(a))
		}
		c.lumen(rays, 2.4)
	}
	ear := newPath(6, 4).C(16, -22, 50, -20, 48, 10).C(46, 34, 30, 40, 24, 58).C(14, 62, 6, 44, 6, 4).Z()
	c.part(ear, c.linear(0, -10, 50, 50, c.m.light, c.m.mid))
	c.etch(newPath(16, 6).C(24, -8, 40, -4, 38, 12).C(34, 26, 26, 28, 22, 40), 3)
}

func (c *card) dress(p portrait) {
	neckline := newPath(-36, 244).C(0, 276, 70, 278, 122, 226)
	body := new(path).add(neckline).C(186, 250, 232, 300, 250, 420).L(-210, 420).C(-190, 330, -120, 284, -36, 244).Z()
	cloth := metalOf(map[string]string{"Chiton": "ivory", "Cloak": "terracotta", "Cuirass": "bronze", "Beaded Collar": "marble"}[p.dress])
	if p.dress == "Cloak" {
		cloth = metal{groundBase, c.g.soft, mix(c.g.soft, c.g.base, 0.45), c.g.base, c.g.bright}
	}
	c.part(body, c.linear(-180, 250, 180, 390, cloth.shine, cloth.light, cloth.mid, cloth.dark))
	c.clip(body)
	lines := new(path)
	switch p.dress {
	case "Cuirass":
		for row := range 5 {
			for col := range 15 {
				x, y := -220+32*float64(col)+16*float64(row%2), 216+26*float64(row)
				lines.M(x, y).C(x, y+22, x+10, y+32, x+16, y+36).C(x+22, y+32, x+32, y+22, x+32, y)
			}
		}
	default:
		for i := range 9 {
			x := -150 + 40*float64(i)
			lines.add(newPath(x*0.4+40, 232).C(x*0.7+20, 290, x+10, 340, x*1.2, 420))
		}
	}
	c.draw(lines, ink{stroke: cloth.deep, w: 3, op: 0.85})
	c.end()
	if p.dress == "Beaded Collar" {
		for i := range 3 {
			k := float64(i)
			arc := newPath(-40-22*k, 246+14*k).C(0-6*k, 278+24*k, 74+8*k, 280+24*k, 126+20*k, 230+10*k)
			c.draw(arc, ink{stroke: groundBase, w: 21})
			c.draw(arc, ink{stroke: []string{c.g.base, metalOf("gold").light, bone}[i], w: 15, dash: "1 18"})
		}
	}
	if p.dress != "Beaded Collar" {
		c.draw(neckline, ink{stroke: groundBase, w: 17})
		c.draw(neckline, ink{stroke: metalOf("gold").light, w: 8})
	}
	if p.dress == "Chiton" || p.dress == "Cloak" {
		c.part(new(path).circle(-46, 268, 22), metalOf("gold").light)
		c.draw(starry(-46, 268, 17, 7, 8, 0), ink{fill: metalOf("gold").deep})
	}
}

func (c *card) beard(p portrait) {
	if p.beard == "None" {
		return
	}
	h := metalOf(p.hairTone)
	var mass *path
	switch p.beard {
	case "Pointed":
		mass = newPath(-4, 44).C(-24, 90, -60, 108, -88, 104).C(-104, 112, -118, 122, -112, 140).C(-128, 170, -146, 210, -168, 244).
			C(-110, 236, -50, 210, -10, 160).C(20, 120, 26, 80, 24, 60).Z()
	case "Curled":
		mass = newPath(-4, 44).C(-24, 90, -60, 104, -88, 102).C(-110, 112, -126, 130, -118, 152).C(-140, 190, -116, 244, -70, 248).
			C(-20, 246, 20, 180, 30, 120).C(34, 90, 28, 70, 24, 60).Z()
	default:
		mass = newPath(-4, 44).C(-24, 90, -60, 108, -88, 106).C(-106, 112, -116, 122, -114, 140).C(-126, 160, -116, 186, -92, 194).
			C(-50, 202, 0, 166, 22, 110).C(28, 90, 28, 70, 24, 60).Z()
	}
	c.part(mass, c.linear(-120, 60, 30, 220, h.light, h.mid, h.dark))
	c.clip(mass)
	lines := new(path)
	var curls []point
	if p.beard == "Curled" {
		for row := range 6 {
			for col := range 7 {
				curls = append(curls, point{-136 + 26*float64(col) + 13*float64(row%2), 76 + 30*float64(row)})
			}
		}
		c.stamp(new(path).arc(0, 0, 11, 0.4, 5.2, true).arc(0, 0, 4.5, 5, 8, false), ink{stroke: h.deep, w: 2.8}, curls...)
	} else {
		for i := range 12 {
			x := -112 + 13*float64(i)
			lines.add(newPath(x+30, 40).C(x+10, 110, x-4, 150, x-30, 260))
		}
	}
	c.draw(lines, ink{stroke: h.deep, w: 2.8})
	c.end()
	tash := newPath(-124, 66).C(-110, 62, -90, 70, -74, 96).C(-92, 96, -112, 92, -130, 84).Z()
	c.draw(tash, ink{fill: h.mid, stroke: h.deep, w: 2.4})
}

// covered reports whether the headgear hides the hair on top.
func (p portrait) covered() bool {
	switch p.headgear {
	case "Hood", "Freedom Cap", "Crested Helm", "Traveller's Hat", "Winged Hat":
		return true
	}
	return false
}

func (c *card) backHair(p portrait) {
	h := metalOf(p.hairTone)
	paint := c.linear(0, -100, 0, 320, h.light, h.mid, h.dark)
	switch p.hair {
	case "Long Waves":
		for i := range 4 {
			k := float64(i)
			c.strands(60, 50, 6, paint, h.deep, 120-k*8, -60+k*10, 184-k*14, 40, 150-k*12, 140, 196-k*22, 230, 170-k*30, 320)
		}
	case "Braid":
		var beads [][2]float64
		for i := range 11 {
			t := float64(i) / 10
			beads = append(beads, [2]float64{150 + 34*math.Sin(t*2.6), 60 + 250*t})
		}
		for i := len(beads) - 1; i >= 0; i-- {
			q := beads[i]
			c.part(new(path).ellipse(q[0], q[1], 27-float64(i)*1.1, 18), paint)
			c.draw(newPath(q[0]-20, q[1]-6).C(q[0]-6, q[1]+2, q[0]+6, q[1]+8, q[0]+10, q[1]+15), ink{stroke: h.deep, w: 3})
		}
		c.draw(polyline(beads[9][0]-22, beads[9][1], beads[9][0]+22, beads[9][1]), ink{stroke: c.g.base, w: 9})
	case "Chignon":
		if !p.covered() {
			c.part(new(path).ellipse(0, 0, 74, 60).mapped(placed(206, -24, 1, 0.5)), paint)
			coil := new(path)
			for i := range 5 {
				k := 1 - 0.2*float64(i)
				coil.add(newPath(-70*k, 8).C(-40*k, -66*k, 50*k, -66*k, 70*k, 0).C(60*k, 30*k, 30*k, 50*k, 0, 52*k))
			}
			c.draw(coil.mapped(placed(206, -24, 1, 0.5)), ink{stroke: h.deep, w: 3.2})
			c.draw(newPath(160, -80).C(142, -40, 142, -6, 162, 32), ink{stroke: groundBase, w: 20})
			c.draw(newPath(160, -80).C(142, -40, 142, -6, 162, 32), ink{stroke: c.g.base, w: 12})
		}
	case "Topknot":
		if !p.covered() {
			c.part(ribbon(40, 46, 4, 60, -180, 96, -236, 170, -250, 210, -190), paint)
			c.draw(curve(64, -190, 100, -232, 160, -240, 196, -200), ink{stroke: h.deep, w: 3})
			c.part(new(path).ellipse(58, -188, 30, 15), c.g.base)
		}
	}
}

func (c *card) hair(p portrait) {
	if p.hair == "Shaved" {
		stubble := new(path)
		for i := range 9 {
			a := -2.6 + float64(i)*0.3
			stubble.M(30+150*math.Cos(a), -30+136*math.Sin(a)).L(30+128*math.Cos(a), -30+116*math.Sin(a))
		}
		c.draw(stubble, ink{stroke: c.m.dark, w: 3, op: 0.7})
		return
	}
	h := metalOf(p.hairTone)
	mass := newPath(-84, -108).C(-80, -170, -20, -208, 50, -198).C(142, -184, 192, -100, 178, 0).C(174, 60, 152, 124, 122, 164).
		C(106, 152, 92, 140, 80, 120).C(60, 108, 48, 80, 50, 44).
		C(56, 10, 30, -30, 2, -14).L(-8, 48).L(-24, 40).C(-24, 0, -30, -40, -50, -60).C(-66, -74, -78, -88, -84, -108).Z()
	c.part(mass, c.radial(-30, -140, 320, h.shine, h.light, h.mid, h.dark))
	c.clip(mass)
	switch p.hair {
	case "Curls":
		for ring := range 5 {
			n := 5 + 5*ring
			r := 34 + 33*float64(ring)
			c.ring(n, 50, -40, float64(ring)*0.5, func() {
				c.draw(new(path).arc(r, 0, 15, 0, 4.9, true).arc(r, 0, 6, 4.7, 8, false), ink{stroke: h.deep, w: 3.2})
			})
		}
	case "Chignon", "Topknot":
		to := point{176, -44}
		if p.hair == "Topknot" {
			to = point{58, -184}
		}
		lines := new(path)
		for i := range 16 {
			t := float64(i) / 15
			x, y := -96+260*t*t, -120+20*math.Sin(t*3)+300*t*math.Sqrt(t)
			lines.M(x, y).Q((x+to.x)/2-10, (y+to.y)/2-40, to.x, to.y)
		}
		c.draw(lines, ink{stroke: h.deep, w: 3})
	default:
		lines := new(path)
		for i := range 19 {
			a := -3.3 + float64(i)*0.27
			r := 190.0
			lines.add(newPath(56, -92).Q(56+r*0.6*math.Cos(a-0.34), -92+r*0.6*math.Sin(a-0.34), 56+r*1.25*math.Cos(a), -92+r*1.25*math.Sin(a)))
		}
		c.draw(lines, ink{stroke: h.deep, w: 3})
	}
	c.end()
	if p.hair == "Curls" && !p.covered() {
		for i := range 7 {
			a := -2.75 + float64(i)*0.34
			x, y := 46+146*math.Cos(a), -46+140*math.Sin(a)
			c.part(new(path).circle(x, y, 24), c.radial(x-6, y-6, 30, h.light, h.mid, h.dark))
			c.draw(new(path).arc(x, y, 13, a, a+4.6, true).arc(x, y, 5, a+4.4, a+7, false), ink{stroke: h.deep, w: 3})
		}
	}
}

// circletPath runs around the head at the brow.
func circletPath() *path { return newPath(-92, -84).C(-40, -112, 60, -104, 166, -24) }

func (c *card) headgear(p portrait) {
	gold, bronze := metalOf("gold"), metalOf("bronze")
	band := func(colour string, w float64) {
		c.draw(circletPath(), ink{stroke: groundBase, w: w + 9})
		c.draw(circletPath(), ink{stroke: colour, w: w})
	}
	leaves := func(paint string, size float64) {
		wreath := new(path)
		for i := range 9 {
			t := float64(i) / 8
			u := 1 - t
			x := u*u*u*-92 + 3*u*u*t*-40 + 3*u*t*t*60 + t*t*t*166
			y := u*u*u*-84 + 3*u*u*t*-112 + 3*u*t*t*-104 + t*t*t*-24
			for _, side := range []float64{-1, 1} {
				leaf := newPath(0, 0).C(size*0.3, -size*0.32, size*0.8, -size*0.28, size, 0).C(size*0.8, size*0.2, size*0.3, size*0.2, 0, 0).Z()
				wreath.add(leaf.mapped(placed(x, y, 1, math.Pi-0.1+t*0.9+side*0.7)))
			}
		}
		c.draw(wreath, ink{fill: paint, stroke: groundBase, w: 5, under: true})
	}
	switch p.headgear {
	case "Headband":
		band(c.g.base, 14)
		c.part(ribbon(16, 12, 6, 164, -24, 206, -10, 214, 40, 244, 60), c.g.base)
		c.part(ribbon(14, 10, 5, 164, -22, 190, 20, 184, 70, 206, 104), c.g.soft)
	case "Ivy Wreath":
		leaves(c.linear(-100, -140, 160, 0, metalOf("verdigris").light, metalOf("verdigris").mid), 40)
	case "Golden Laurel":
		leaves(c.linear(-100, -150, 160, 0, gold.shine, gold.light, gold.mid), 46)
	case "Diadem":
		plate := newPath(-98, -72).C(-110, -110, -104, -150, -84, -170).C(-40, -150, 60, -140, 172, -40).L(164, -10).
			C(60, -92, -40, -100, -98, -72).Z()
		c.part(plate, c.linear(-100, -160, 160, 0, gold.shine, gold.light, gold.mid, gold.dark))
		c.draw(newPath(-92, -90).C(-40, -116, 60, -108, 160, -30), ink{stroke: gold.deep, w: 9, dash: "1 14"})
		c.gem(-84, -124, 17, 4)
	case "Sun Crown", "Star Crown":
		sun := p.headgear == "Sun Crown"
		for i := range 8 {
			t := float64(i) / 7
			u := 1 - t
			x := u*u*u*-92 + 3*u*u*t*-40 + 3*u*t*t*60 + t*t*t*166
			y := u*u*u*-84 + 3*u*u*t*-112 + 3*u*t*t*-104 + t*t*t*-24
			m := placed(x, y, 1, -0.5+t*1.3)
			if sun {
				spike := newPath(0, 10).L(14, 10).L(0, -112).L(-14, 10).Z().mapped(m)
				c.part(spike, c.linear(0, -220, 0, -80, gold.shine, gold.light, gold.mid))
			} else {
				q := m.at(point{0, -70})
				c.draw(polyline(0, 0, 0, -60).mapped(m), ink{stroke: gold.light, w: 5})
				c.draw(spark(q.x, q.y, 34-8*float64(i%2)), ink{fill: c.g.base, stroke: groundBase, w: 5, under: true})
				c.draw(spark(q.x, q.y, 14), ink{fill: c.g.bright})
			}
		}
		band(gold.light, 20)
		c.draw(circletPath(), ink{stroke: gold.deep, w: 10, dash: "2 12", butt: true})
	case "Horned Circlet":
		horn := ribbon(52, 44, 2, 40, -110, 60, -190, 20, -246, -60, -262)
		c.part(horn, c.linear(-40, -260, 60, -110, bone, metalOf("ivory").mid, metalOf("ivory").dark))
		c.clip(horn)
		rings := new(path)
		for i := range 9 {
			y := -128 - 15*float64(i)
			rings.M(-60, y-20).L(110, y+6)
		}
		c.draw(rings, ink{stroke: metalOf("ivory").deep, w: 3})
		c.end()
		band(bronze.light, 18)
		c.draw(circletPath(), ink{stroke: bronze.deep, w: 9, dash: "2 10", butt: true})
	case "Freedom Cap":
		cap := newPath(-100, -70).C(-106, -150, -60, -226, 20, -236).C(70, -262, 60, -290, 10, -292).C(-30, -296, -60, -280, -66, -262).
			C(-70, -300, -10, -330, 60, -312).C(160, -286, 204, -160, 184, -10).C(180, 30, 174, 60, 164, 84).C(130, 60, 90, 10, 60, -50).
			C(0, -80, -60, -84, -100, -70).Z()
		c.part(cap, c.linear(-80, -280, 180, 60, c.g.bright, c.g.base, c.g.soft))
		c.hatch(cap, hatching{angle: 200, gap: 9, w: 4.6, reach: 0.5, colour: groundBase, op: 0.6})
		c.draw(newPath(-98, -80).C(-40, -98, 20, -90, 66, -56).C(96, 0, 130, 46, 162, 70), ink{stroke: groundBase, w: 20})
		c.draw(newPath(-98, -80).C(-40, -98, 20, -90, 66, -56).C(96, 0, 130, 46, 162, 70), ink{stroke: gold.light, w: 11})
		c.draw(newPath(-98, -80).C(-40, -98, 20, -90, 66, -56).C(96, 0, 130, 46, 162, 70), ink{stroke: gold.deep, w: 5, dash: "2 10", butt: true})
	case "Hood":
		hood := newPath(-96, -96).C(-96, -180, -10, -244, 80, -226).C(190, -204, 236, -90, 222, 20).C(214, 110, 220, 200, 250, 320).L(90, 320).
			C(70, 240, 50, 180, 40, 110).C(60, 40, 40, -40, -10, -84).C(-40, -104, -70, -106, -96, -96).Z()
		c.part(hood, c.linear(-80, -220, 220, 280, c.g.base, mix(c.g.base, c.g.soft, 0.6), c.g.soft, groundBase))
		c.hatch(hood, hatching{angle: 196, gap: 9, w: 5, reach: 0.6, colour: groundBase, op: 0.65})
		c.draw(newPath(-40, -170).C(60, -190, 150, -110, 150, 20).C(150, 120, 160, 220, 184, 310).
			add(newPath(-66, -136).C(30, -150, 104, -80, 104, 20).C(100, 120, 116, 220, 136, 310)), ink{stroke: groundBase, w: 3, op: 0.8})
		c.draw(newPath(-96, -96).C(-70, -106, -40, -104, -10, -84).C(40, -40, 60, 40, 40, 110).C(50, 180, 70, 240, 90, 320),
			ink{stroke: gold.light, w: 6})
	case "Crested Helm":
		crest := newPath(-130, -120).C(-140, -240, -20, -310, 100, -290).C(210, -266, 262, -150, 250, 0).C(246, 40, 240, 80, 224, 110).L(190, 70).
			C(210, -40, 190, -150, 100, -200).C(20, -230, -60, -190, -90, -120).Z()
		c.part(crest, c.linear(-100, -280, 240, 80, c.g.bright, c.g.base, c.g.soft))
		c.clip(crest)
		bristles := new(path)
		for i := range 36 {
			a := -3.1 + float64(i)*0.105
			bristles.M(40+130*math.Cos(a), -60+130*math.Sin(a)).L(50+300*math.Cos(a), -50+300*math.Sin(a))
		}
		c.draw(bristles, ink{stroke: groundBase, w: 3, op: 0.75})
		c.end()
		bowl := newPath(-166, -96).C(-150, -140, -110, -170, -76, -186).C(0, -228, 110, -218, 166, -136).C(206, -70, 196, 20, 160, 100).
			C(140, 110, 110, 100, 96, 80).C(80, 40, 50, -20, 0, -50).C(-50, -70, -110, -70, -166, -96).Z()
		c.part(bowl, c.linear(-140, -200, 180, 60, bronze.shine, bronze.light, bronze.mid, bronze.dark))
		c.hatch(bowl, hatching{angle: 206, gap: 8, w: 4.6, reach: 0.5, colour: bronze.deep, op: 0.8})
		c.draw(newPath(-130, -118).C(-112, -132, -88, -134, -74, -120).C(-90, -108, -112, -106, -130, -118).Z(), ink{fill: groundBase})
		c.draw(newPath(-152, -96).C(-90, -84, -20, -70, 20, -26).C(50, 10, 76, 60, 104, 86), ink{stroke: bronze.deep, w: 3.4})
		c.draw(new(path).arc(60, -100, 40, 0.4, 5, true).arc(60, -100, 20, 4.6, 0.4, false), ink{stroke: bronze.deep, w: 4})
	case "Traveller's Hat", "Winged Hat":
		crown := newPath(-70, -110).C(-66, -190, 0, -232, 70, -220).C(140, -206, 170, -150, 164, -70).C(90, -110, 0, -124, -70, -110).Z()
		felt := metalOf("wood")
		if p.headgear == "Winged Hat" {
			felt = metalOf("silver")
		}
		c.part(crown, c.linear(-60, -210, 160, -60, felt.light, felt.mid, felt.dark))
		c.hatch(crown, hatching{angle: 205, gap: 8, w: 4.4, reach: 0.5, colour: felt.deep, op: 0.8})
		brim := newPath(-166, -76).C(-150, -120, -60, -142, 40, -122).C(140, -102, 210, -50, 226, 4).C(216, 16, 196, 14, 180, 2).
			C(110, -50, 20, -84, -60, -80).C(-110, -78, -150, -56, -166, -76).Z()
		c.part(brim, c.linear(-160, -130, 220, 0, felt.shine, felt.light, felt.mid, felt.dark))
		c.draw(newPath(-150, -84).C(-90, -112, -10, -112, 60, -94).C(130, -74, 180, -36, 206, -4), ink{stroke: felt.deep, w: 2.6})
		if p.headgear == "Winged Hat" {
			for i := 4; i >= 0; i-- {
				k := float64(i)
				feather := ribbon(24, 36, 3, 60, -130+k*6, 120+k*4, -180+k*8, 170+k*8, -236+k*24, 196+k*14, -300+k*46)
				c.part(feather, c.linear(60, -120, 200, -280, c.g.soft, c.g.base, c.g.bright))
			}
			c.part(new(path).circle(58, -124, 20), gold.light)
		} else {
			c.draw(newPath(-64, -126).C(0, -142, 90, -126, 162, -86), ink{stroke: groundBase, w: 19})
			c.draw(newPath(-64, -126).C(0, -142, 90, -126, 162, -86), ink{stroke: c.g.base, w: 11})
		}
	}
}

func (c *card) jewel(p portrait) {
	if p.headgear == "Hood" || p.headgear == "Crested Helm" {
		return
	}
	gold := metalOf("gold")
	switch p.jewel {
	case "Hoop":
		ring := new(path).circle(24, 82, 22)
		c.draw(ring, ink{stroke: groundBase, w: 14})
		c.draw(ring, ink{stroke: gold.light, w: 6})
	case "Drop":
		c.draw(polyline(24, 58, 24, 76), ink{stroke: gold.light, w: 5})
		c.gem(24, 90, 15, 4)
	case "Crescent":
		moon := new(path).arc(24, 80, 24, -0.5, math.Pi+0.5, true).arc(24, 70, 21, math.Pi+0.1, -0.1, false).Z()
		c.part(moon, gold.light)
	}
}
