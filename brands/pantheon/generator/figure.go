package generator

import (
	"math"

	"pantheon/internal/catalogue"
)

// figure holds the features of a generated immortal.
type figure struct {
	calling, material    string
	weapon, form         string // a weapon and its form
	helm, wings, offhand string
	mantle               bool
	left                 bool // the weapon is on the viewer's right
}

// figureOf draws an immortal's features at random. Wings depend on rarity.
func figureOf(item *token) figure {
	d := newDice(item.Collection, item.TokenID, "figure")
	rank := max(item.Rarity.Rank(), 0)
	arms := []struct{ calling, weapon, form string }{
		{"Spearbearer", "spear", "leaf"}, {"Tidewarden", "spear", "trident"}, {"Cometeer", "spear", "comet"},
		{"Swordmaster", "sword", "leaf"}, {"Swordmaster", "sword", "fullered"}, {"Oathblade", "sword", "crowned"},
		{"Axebearer", "axe", "labrys"}, {"Archer", "bow", "recurve"}, {"Mason", "hammer", "block"},
		{"Starsmith", "hammer", "star"}, {"Augur", "staff", "crook"},
	}[d.intn(11)]
	f := figure{
		calling: arms.calling, weapon: arms.weapon, form: arms.form,
		material: choose(d, "bronze", "marble", "verdigris", "iron", "terracotta", "silver", "ivory"),
		helm:     choose(d, "Crested Helm", "Open Helm", "Laurel", "Hood", "Horned Helm"),
		offhand:  choose(d, "Star Aspis", "Eye Aspis", "Wave Aspis", "Lamp", "Open Hand"),
		mantle:   d.chance(0.65),
		left:     d.chance(0.5),
		wings: choose(d, append([]string{"None", "None"},
			[]string{"None", "None", "Feathered", "Feathered", "Flame", "Flame"}[:rank+1]...)...),
	}
	switch {
	case rank >= 4:
		f.helm = choose(d, "Sun Halo", "Winged Helm")
		f.material = choose(d, "gold", "silver", "gold", "marble")
		f.wings = choose(d, "Feathered", "Flame")
	case rank == 3:
		f.wings = choose(d, "None", "Feathered", "Feathered")
	}
	return f
}

func (f figure) traits() []catalogue.Attribute {
	traits := []catalogue.Attribute{
		{TraitType: "Calling", Value: f.calling},
		{TraitType: "Material", Value: title(f.material)},
		{TraitType: "Weapon", Value: title(f.form + "-" + f.weapon)},
		{TraitType: "Head", Value: f.helm},
		{TraitType: "Offhand", Value: f.offhand},
	}
	if f.wings != "None" {
		traits = append(traits, catalogue.Attribute{TraitType: "Wings", Value: f.wings})
	}
	if f.mantle {
		traits = append(traits, catalogue.Attribute{TraitType: "Mantle", Value: "Worn"})
	}
	return traits
}

// immortal draws a standing figure, like a bronze statue, its feet at y = 280.
func (c *card) immortal() {
	f := figureOf(&c.item)
	if f.helm == "Sun Halo" {
		c.burst(0, -196, 84, 168, 128, 12, 28, 0.1, ink{fill: c.g.base})
		c.part(new(path).circle(0, -196, 84), c.radial(0, -196, 90, c.g.bright, c.g.base, c.g.soft))
		c.draw(new(path).circle(0, -196, 72), ink{stroke: groundBase, w: 2.4})
	}
	c.plinth()
	if f.left {
		c.mirror()
	}
	c.wings(f.wings)
	if f.mantle {
		cape := newPath(0, -140).C(60, -140, 96, -130, 104, -100).C(130, 0, 150, 140, 186, 262).C(130, 284, 60, 286, 0, 282).sym()
		c.part(cape, c.linear(0, -140, 0, 280, c.g.base, c.g.soft, mix(c.g.soft, groundBase, 0.5)))
		folds := new(path)
		for i := range 4 {
			k := float64(i)
			folds.add(newPath(60+12*k, -90).C(76+18*k, 40, 84+24*k, 160, 96+26*k, 274))
		}
		c.draw(folds.both(), ink{stroke: groundBase, w: 3, op: 0.75})
	}
	c.legs()
	c.place(0, 14, 0.9, 0)
	c.torso()
	c.helmed(f)
	c.armed(f)
	c.end()
	if f.left {
		c.end()
	}
}

func (c *card) plinth() {
	base := polygon(-150, 272, 150, 272, 164, 300, -164, 300)
	stone := metalOf("marble")
	c.part(base, c.linear(-160, 0, 160, 0, stone.mid, stone.dark, stone.deep))
	c.draw(meander(-120, 278, 3.6, 13), ink{stroke: c.g.base, w: 2})
}

func (c *card) wings(kind string) {
	if kind == "None" {
		return
	}
	c.twice(func() {
		for i := 6; i >= 0; i-- {
			k := float64(i)
			shape := ribbon(20, 42, 3, 40, -110+k*6, 120+k*4, -150+k*16, 190+k*6, -220+k*34, 226+k*8-k*k*2, -310+k*56).coarse()
			if kind == "Flame" {
				shape = ribbon(26, 34, 1, 40, -110+k*6, 110+k*6, -140+k*18+c.d.between(-8, 8), 170+k*4, -190+k*36, 176+k*14, -236+k*46,
					224+k*8-k*k*2, -310+k*58).coarse()
				c.part(shape, c.linear(40, -80, 230, -240, c.g.soft, c.g.base, c.g.bright))
				continue
			}
			c.part(shape, c.linear(50, -100, 230, -240, c.m.dark, c.m.mid, c.m.light, c.m.shine))
			c.etch(curve(60, -114+k*7, 120+k*4, -150+k*16, 188+k*6, -216+k*34), 2)
		}
	})
}

func (c *card) legs() {
	c.twice(func() {
		leg := newPath(10, 70).L(70, 70).C(72, 130, 62, 160, 60, 196).C(60, 226, 56, 244, 58, 262).L(84, 278).L(20, 278).L(24, 250).
			C(20, 220, 26, 200, 22, 170).Z()
		c.part(leg, c.linear(0, 70, 80, 260, c.m.light, c.m.mid, c.m.dark))
		c.hatch(leg, hatching{angle: 180, gap: 8, w: 4, reach: 0.5, colour: c.m.deep, op: 0.75})
		greave := newPath(24, 166).C(36, 154, 52, 154, 62, 168).L(58, 256).L(24, 256).Z()
		c.part(greave, c.across(greave, metalOf("bronze")))
		c.draw(new(path).circle(42, 176, 7), ink{fill: c.g.base, stroke: groundBase, w: 2})
	})
}

func (c *card) torso() {
	for i := range 7 {
		w := 22.0
		x := -77 + w*float64(i)
		t := (x + w/2) / 77
		strip := polygon(x*0.8+1, 20, (x+w)*0.8-1, 20, (x+w)*1.06-1+t*10, 112, (x+w/2)*1.06+t*10, 122, x*1.06+1+t*10, 112)
		c.part(strip, []string{c.g.soft, mix(c.g.soft, c.g.base, 0.5)}[i%2])
	}
	half := newPath(0, -138).C(30, -138, 40, -150, 50, -150).C(84, -146, 100, -126, 98, -104).C(84, -80, 74, -50, 62, 16).
		C(64, 28, 66, 34, 68, 40).L(0, 48)
	body := half.sym()
	c.part(body, c.linear(-90, -140, 70, 50, c.m.shine, c.m.light, c.m.mid, c.m.dark))
	c.hatch(new(path).add(half).Z(), hatching{angle: 184, gap: 7, w: 4, reach: 0.62, colour: c.m.deep, op: 0.8})
	c.etch(new(path).add(newPath(3, -72).C(26, -60, 60, -66, 76, -92), newPath(6, -30).C(20, -24, 32, -26, 42, -34),
		newPath(6, -2).C(18, 4, 30, 2, 38, -6)).both().add(polyline(0, -130, 0, 30)), 3)
	belt := newPath(0, 18).L(64, 12).L(70, 38).L(0, 50).sym()
	c.part(belt, metalOf("gold").mid)
	c.gem(0, 33, 11, 4)
	c.burst(0, -104, 6, 24, 18, 4, 12, 0, ink{fill: c.g.base})
}

func (c *card) helmed(f figure) {
	neck := rect(-19, -160, 38, 30)
	c.part(neck, c.m.dark)
	c.place(0, -22, 0.86, 0)
	defer c.end()
	head := newPath(0, -254).C(34, -254, 48, -230, 48, -200).C(48, -170, 28, -146, 0, -142).sym()
	bronze := metalOf("bronze")
	eyes := newPath(10, -198).L(32, -203)
	visor := func() {
		shell := newPath(0, -262).C(42, -262, 60, -232, 60, -196).C(60, -170, 54, -150, 44, -132).C(30, -130, 20, -136, 14, -146).L(0, -146).sym()
		c.part(shell, c.linear(-56, -250, 50, -140, bronze.shine, bronze.light, bronze.mid, bronze.dark))
		c.draw(newPath(0, -186).L(8, -186).C(18, -204, 36, -206, 48, -196).C(44, -182, 26, -178, 14, -180).L(11, -146).L(0, -146).sym(),
			ink{fill: groundBase})
		c.part(newPath(0, -212).L(8, -190).L(5, -164).L(0, -160).sym(), bronze.light)
		c.lumen(newPath(18, -192).L(36, -195).both(), 3)
	}
	face := func() {
		c.part(head, c.linear(-44, -240, 40, -150, c.m.shine, c.m.light, c.m.mid))
		c.hatch(newPath(0, -254).C(34, -254, 48, -230, 48, -200).C(48, -170, 28, -146, 0, -142).Z(),
			hatching{angle: 186, gap: 6, w: 3.4, reach: 0.66, colour: c.m.dark})
		c.lumen(eyes.both(), 3.4)
		c.etch(newPath(7, -212).C(18, -222, 32, -220, 40, -210).both().
			add(newPath(5, -204).L(8, -180).L(0, -176), polyline(-12, -162, 12, -162)), 3)
	}
	switch f.helm {
	case "Crested Helm":
		crest := newPath(0, -336).C(60, -330, 96, -290, 100, -226).L(70, -216).C(60, -250, 30, -264, 0, -264).sym()
		c.part(crest, c.linear(0, -330, 0, -220, c.g.bright, c.g.base, c.g.soft))
		bristles := new(path)
		for i := range 21 {
			a := math.Pi + math.Pi*float64(i)/20
			bristles.M(58*math.Cos(a), -222+50*math.Sin(a)).L(110*math.Cos(a), -222+112*math.Sin(a))
		}
		c.clip(crest)
		c.draw(bristles, ink{stroke: groundBase, w: 2.6, op: 0.75})
		c.end()
		visor()
	case "Horned Helm":
		horn := ribbon(26, 20, 1, 40, -236, 78, -252, 92, -290, 74, -330).both()
		c.part(horn, c.linear(0, -330, 0, -236, bone, metalOf("ivory").dark))
		visor()
	case "Winged Helm":
		c.twice(func() {
			for i := 2; i >= 0; i-- {
				k := float64(i)
				c.part(ribbon(12, 22, 2, 48, -214+k*8, 82+k*4, -240+k*12, 104+k*8, -310+k*34),
					c.linear(40, -200, 110, -310, c.m.mid, c.m.light, c.m.shine))
			}
		})
		visor()
		c.draw(spark(0, -246, 26), ink{fill: c.g.base, stroke: groundBase, w: 4, under: true})
	case "Open Helm":
		face()
		bowl := newPath(0, -290).C(12, -286, 20, -276, 24, -266).C(52, -252, 62, -226, 58, -196).L(44, -196).C(46, -220, 30, -232, 0, -234).sym()
		c.part(bowl, c.linear(-50, -270, 50, -200, bronze.shine, bronze.light, bronze.mid, bronze.dark))
		c.lit(newPath(-58, -200).C(-62, -226, -52, -252, -24, -266), 2)
	case "Hood":
		hood := newPath(0, -290).C(56, -284, 78, -240, 74, -190).C(74, -160, 90, -140, 110, -118).C(70, -110, 50, -124, 42, -150).
			C(50, -190, 46, -236, 0, -250).sym()
		face()
		c.part(hood, c.linear(-70, -280, 80, -120, c.g.base, c.g.soft))
		c.draw(newPath(18, -276).C(54, -256, 64, -210, 60, -160).both(), ink{stroke: groundBase, w: 2.6, op: 0.8})
	default: // laurel, sun halo
		face()
		curls := new(path)
		for i := range 9 {
			a := math.Pi - 0.1 + float64(i)*(math.Pi+0.2)/8
			x, y := 46*math.Cos(a), -214+44*math.Sin(a)
			c.part(new(path).circle(x, y, 14), c.m.mid)
			curls.arc(x, y, 7, 0, 5, true)
		}
		c.etch(curls, 2.4)
		c.draw(laurel(0, -208, 50, -0.1, -1.5, 5, 24).both(), ink{fill: c.g.base, stroke: groundBase, w: 4, under: true})
	}
}

// armed draws the arms, the weapon to the left and the other hand to the right.
func (c *card) armed(f figure) {
	limb := func(xy ...float64) {
		arm := ribbon(42, 34, 24, xy...)
		c.part(arm, c.linear(-160, -120, 140, 40, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.hatch(arm, hatching{angle: 270, gap: 7, w: 3.6, reach: 0.4, colour: c.m.deep, op: 0.7})
	}
	hold := map[string]struct{ x, y, scale, angle float64 }{
		"spear": {-160, -26, 0.94, 0}, "sword": {-162, -166, 0.62, -8}, "axe": {-172, -100, 0.6, 0},
		"bow": {-166, -44, 0.62, 0}, "hammer": {-176, -100, 0.62, 0}, "staff": {-160, -36, 0.9, 0},
	}[f.weapon]
	switch f.form {
	case "trident":
		hold.x, hold.y, hold.scale = -176, 14, 0.72
	case "crook":
		hold.x, hold.y, hold.scale = -166, 0, 0.78
	case "comet":
		hold.x, hold.y, hold.scale = -170, -4, 0.8
	}
	upper := f.weapon == "sword"
	if upper {
		limb(-84, -116, -124, -58, -152, -24, -150, -60)
	} else {
		limb(-84, -116, -116, -50, -134, -20, -150, -40)
	}
	c.place(hold.x, hold.y, hold.scale, hold.angle)
	if f.weapon == "bow" || f.weapon == "staff" { // turned away from the body
		c.mirror()
	}
	c.weapon(f.weapon, f.form)
	if f.weapon == "bow" || f.weapon == "staff" {
		c.end()
	}
	c.end()
	fist := new(path).circle(hold.x+4, -44, 19)
	c.part(fist, c.radial(hold.x, -50, 26, c.m.shine, c.m.light, c.m.mid))
	c.etch(polyline(hold.x-6, -52, hold.x+14, -52).add(polyline(hold.x-8, -43, hold.x+15, -43), polyline(hold.x-6, -34, hold.x+13, -34)), 2)

	switch f.offhand {
	case "Lamp":
		limb(84, -116, 112, -56, 132, -16, 150, -34)
		c.circle(150, 40, 80, ink{fill: c.radial(150, 40, 80, faded(c.g.base, 0.7), faded(c.g.base, 0))})
		c.draw(polyline(150, -30, 150, 4), ink{stroke: metalOf("bronze").light, w: 5})
		c.part(polygon(132, 14, 168, 14, 176, 66, 124, 66), c.radial(150, 42, 40, "#ffffff", c.g.bright, c.g.base))
		c.part(polygon(150, -8, 178, 16, 122, 16), metalOf("bronze").mid)
		c.part(rect(120, 64, 60, 12), metalOf("bronze").mid)
	case "Open Hand":
		limb(84, -116, 116, -66, 140, -20, 160, 16)
		c.part(new(path).circle(162, 22, 16), c.m.light)
		c.circle(164, -40, 60, ink{fill: c.radial(164, -40, 60, faded(c.g.base, 0.7), faded(c.g.base, 0))})
		c.draw(spark(164, -40, 40), ink{fill: c.g.base})
		c.draw(spark(164, -40, 18), ink{fill: c.g.bright})
	default:
		limb(84, -116, 116, -60, 126, -10, 120, 30)
		const x, y, r = 122.0, 40.0, 88.0
		c.part(new(path).circle(x, y, r), c.radial(x-30, y-34, 130, c.m.shine, c.m.light, c.m.mid, c.m.dark))
		c.rim(x, y, r, 26, 6)
		c.etch(new(path).circle(x, y, r-16), 3)
		switch f.offhand {
		case "Eye Aspis":
			c.part(newPath(x-52, y).C(x-26, y-34, x+26, y-34, x+52, y).C(x+26, y+34, x-26, y+34, x-52, y).Z(), bone)
			c.draw(new(path).circle(x, y, 21), ink{fill: c.g.base})
			c.draw(new(path).circle(x, y, 9), ink{fill: groundBase})
		case "Wave Aspis":
			waves := new(path)
			for i := range 3 {
				wy := y - 22 + 22*float64(i)
				waves.add(curve(x-48, wy+5, x-24, wy-9, x, wy+5, x+24, wy-9, x+48, wy+5))
			}
			c.draw(waves, ink{stroke: c.g.base, w: 8})
		default:
			c.draw(starry(x, y, 56, 22, 8, 0), ink{fill: c.g.base, stroke: groundBase, w: 4, under: true})
			c.draw(starry(x, y, 26, 10, 8, 0), ink{fill: c.g.bright})
		}
	}
}
