package art

// subject draws what the card is about.
func (c *card) subject() {
	c.draw(c.item.Rarity.sign(300, 345, 160), ink{fill: c.m.mid, stroke: c.m.light, w: 4})
}
