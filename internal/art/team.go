package art

import "pantheon/internal/kit/rarity"

// sitter is a character of the games' world who represents a trade of the studio, drawn with the tool of that trade.
type sitter struct {
	name   string
	rarity rarity.Rarity // determines the glow
	portrait
	kind, form, material string // the tool
	x, y, scale          float64
}

func sitters() []sitter {
	return []sitter{
		{"accountant", rarity.Legendary, portrait{
			smooth: true, tone: "ivory", hairTone: "silver", hair: "Chignon", headgear: "Diadem", beard: "None", mark: "None", jewel: "Drop",
			dress: "Chiton", eye: "Half-Closed", nose: "Aquiline", right: true,
		},
			"piggy-bank", "mended", "marble", 512, 522, 0.4},
		{"engraver", rarity.Mythic, portrait{
			tone: "terracotta", hairTone: "obsidian", hair: "Curls", headgear: "Headband", beard: "Short", mark: "None", jewel: "Hoop",
			dress: "Cloak", eye: "Open", nose: "Straight",
		},
			"relic", "mask", "marble", 126, 516, 0.42},
		{"cartographer", rarity.Rare, portrait{
			smooth: true, tone: "bronze", hairTone: "terracotta", hair: "Braid", headgear: "Traveller's Hat", beard: "None", mark: "Cheek Lines",
			jewel: "None", dress: "Cloak", eye: "Open", nose: "Snub", right: true,
		},
			"relic", "astrolabe", "bronze", 520, 518, 0.4},
		{"watch", rarity.Uncommon, portrait{
			tone: "verdigris", hairTone: "ivory", hair: "Long Waves", headgear: "Hood", beard: "Pointed", mark: "None", jewel: "None",
			dress: "Chiton", eye: "Shining", nose: "Straight",
		},
			"shield", "eye", "verdigris", 126, 520, 0.4},
		{"notary", rarity.Epic, portrait{
			smooth: true, tone: "wood", hairTone: "obsidian", hair: "Topknot", headgear: "Bare", beard: "None", mark: "Brow Star",
			jewel: "Crescent", dress: "Beaded Collar", eye: "Open", nose: "Straight", right: true,
		},
			"ring", "signet", "gold", 524, 528, 0.4},
		{"tester", rarity.Legendary, portrait{
			tone: "bronze", hairTone: "silver", hair: "Cropped", headgear: "Freedom Cap", beard: "Curled", mark: "None", jewel: "None",
			dress: "Cuirass", eye: "Half-Closed", nose: "Aquiline",
		},
			"shield", "labyrinth", "silver", 124, 520, 0.4},
		{"chaos", rarity.Mythic, portrait{
			tone: "marble", hairTone: "terracotta", hair: "Long Waves", headgear: "Crested Helm", beard: "Pointed", mark: "Scar", jewel: "None",
			dress: "Cuirass", eye: "Open", nose: "Snub", right: true,
		},
			"axe", "bearded", "iron", 528, 506, 0.44},
		{"harbour", rarity.Rare, portrait{
			smooth: true, tone: "terracotta", hairTone: "gold", hair: "Chignon", headgear: "Ivy Wreath", beard: "None", mark: "None",
			jewel: "Hoop", dress: "Chiton", eye: "Open", nose: "Snub",
		},
			"potion", "amphora", "terracotta", 122, 512, 0.42},
		{"tides", rarity.Uncommon, portrait{
			smooth: true, tone: "ivory", hairTone: "wood", hair: "Long Waves", headgear: "Winged Hat", beard: "None", mark: "Temple Rays",
			jewel: "Drop", dress: "Beaded Collar", eye: "Shining", nose: "Straight", right: true,
		},
			"relic", "hourglass", "gold", 524, 512, 0.42},
		{"music", rarity.Epic, portrait{
			tone: "wood", hairTone: "gold", hair: "Curls", headgear: "Golden Laurel", beard: "Curled", mark: "None", jewel: "None",
			dress: "Cloak", eye: "Half-Closed", nose: "Aquiline",
		},
			"relic", "lyre", "ivory", 124, 508, 0.42},
	}
}

// sit draws the sitter in a round field 640 units wide, with the tool in front.
func (s sitter) sit(c *card) {
	c.m = metalOf(s.tone)
	c.place(0, 70, 1, 0) // room for hats
	defer c.end()
	c.place(-52, -108, 1.24, 0)
	c.likeness(s.portrait)
	c.end()
	c.prop(s.kind, s.form, s.material, s.rarity, s.x, s.y, s.scale)
}
