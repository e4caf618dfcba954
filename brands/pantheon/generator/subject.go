package generator

// subject draws the subject of the card.
func (c *card) subject() {
	switch c.item.Kind {
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
