package art

// frame draws the border: richer with each rarity, with the rarity's sign as keystone.
func (c *card) frame() {
	rank := c.item.Rarity.Rank()
	line := ink{stroke: bronzeLine, w: 2.4}
	c.draw(c.border(22, 12*float64(min(rank, 3))), line)
	if rank >= 1 {
		c.draw(c.border(32, 12*float64(min(rank, 3))), ink{stroke: bronzeLine, w: 1.2, op: 0.8})
	}
	sign := c.item.Rarity.sign(300, 28, 22)
	c.draw(new(path).circle(300, 28, 36), ink{fill: groundBase})
	c.draw(sign, ink{fill: c.g.soft, stroke: c.g.base, w: 3.4})
}

func (c *card) border(inset, cut float64) *path {
	l, t, r, b := inset, inset, 600-inset, 800-inset
	return polygon(l+cut, t, r-cut, t, r, t+cut, r, b-cut, r-cut, b, l+cut, b, l, b-cut, l, t+cut)
}

// plate cuts the name and the rarity into the foot of the card.
func (c *card) plate() {
	name, _ := inscription(c.item.Name, 300, 726, 21, 470, 1.2)
	c.draw(name, ink{stroke: bone, w: 2.6})
	label, _ := inscription(c.item.Rarity.Label(), 300, 758, 12.5, 300, 2.5)
	c.draw(label, ink{stroke: c.g.base, w: 2})
}
