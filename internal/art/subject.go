package art

// subject draws the subject of the card.
func (c *card) subject() {
	switch kind := c.item.Kind; kind {
	case "sword", "dagger", "axe", "spear", "bow", "hammer", "staff":
		stance := map[string]struct{ lean, scale float64 }{
			"sword": {30, 1.02}, "dagger": {-32, 1}, "axe": {-16, 0.92}, "spear": {24, 0.9},
			"bow": {-18, 0.9}, "hammer": {18, 0.88}, "staff": {12, 0.9},
		}[kind]
		c.place(300, 352, stance.scale, stance.lean+c.d.between(-4, 4))
		c.weapon(kind, c.item.Form)
		c.end()
	case "shield":
		c.upright(c.shield, 1.06)
	case "helm":
		c.upright(c.helm, 1.04)
	case "cuirass":
		c.upright(c.cuirass, 1.08)
	case "amulet":
		c.upright(c.amulet, 1)
	case "ring":
		c.upright(c.fingerRing, 1)
	case "potion":
		c.upright(c.potion, 0.94)
	case "relic":
		c.upright(c.relic, 0.98)
	case "piggy-bank":
		c.upright(c.piggyBank, 0.98)
	case "chest":
		c.upright(c.chest, 1.02)
	case "ark":
		c.upright(c.ark, 0.96)
	case "power-pack":
		c.upright(c.powerPack, 0.98)
	case kindGod:
		// Crowns and horns may extend beyond the frame, shoulders may not.
		c.clip(rect(0, 0, 600, 470).add(rect(300-bleed, 470, 2*bleed, 214)))
		c.upright(c.god, 0.98)
		c.dusk()
		c.end()
	case kindAvatar, kindSeasonAvatar:
		c.portrait()
	case kindImmortal:
		c.upright(c.immortal, 1.02)
	case kindPassCommunity, kindPassUltimate:
		c.upright(c.pass, 1)
	}
}

// upright draws a subject at the centre of the card.
func (c *card) upright(draw func(), scale float64) {
	c.place(300, 350, scale, 0)
	draw()
	c.end()
}
