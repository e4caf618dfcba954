package art

type portrait struct{ tone string }

func portraitOf(item *Item) portrait {
	d := newDice(item.Collection, item.TokenID, "face")
	return portrait{tone: choose(d, "bronze", "terracotta", "ivory", "wood", "marble", "verdigris")}
}

func (p portrait) traits() []Attribute { return []Attribute{{TraitType: "Tone", Value: title(p.tone)}} }
