package art

type figure struct{ calling, material string }

func figureOf(item *Item) figure {
	d := newDice(item.Collection, item.TokenID, "figure")
	return figure{calling: choose(d, "Spearbearer", "Archer"), material: choose(d, "bronze", "marble", "gold")}
}

func (f figure) traits() []Attribute { return []Attribute{{TraitType: "Calling", Value: f.calling}} }
