package art

// The kinds that can be drawn. Those of listed tokens have named forms; generated kinds
// vary by seed.
const (
	kindGod           = "god"
	kindAvatar        = "avatar"
	kindSeasonAvatar  = "season-avatar"
	kindImmortal      = "immortal"
	kindPassCommunity = "pass-community"
	kindPassUltimate  = "pass-ultimate"
)

// itemForms lists the drawn forms of each listed kind.
func itemForms() map[string][]string {
	return map[string][]string{
		"sword":      {"leaf", "kopis", "fullered", "crowned"},
		"dagger":     {"plain", "wave"},
		"axe":        {"bearded", "labrys", "horned"},
		"spear":      {"leaf", "trident", "comet"},
		"bow":        {"self", "recurve"},
		"hammer":     {"block", "star"},
		"staff":      {"crook", "winged"},
		"shield":     {"rings", "pelta", "eye", "labyrinth", "sun"},
		"helm":       {"cap", "horned", "crest", "winged"},
		"cuirass":    {"linen", "muscle", "scale"},
		"amulet":     {"eye", "crescent", "star"},
		"ring":       {"signet", "serpent"},
		"potion":     {"flask", "amphora", "vial"},
		"relic":      {"lyre", "mask", "astrolabe", "hourglass", "crown"},
		"piggy-bank": {"clay", "banded", "laurel", "starred", "mended", "mended-laurel"},
		"chest":      {"general", "avatar", "god"},
		"ark":        {"cedar", "ram", "storm", "sun"},
		"power-pack": {"spark", "surge", "tempest"},
		kindGod: {"helikara", "keraunax", "thalvyra", "dendrokos", "nyssaria", "pyrrhamon",
			"selmene", "tavrekhon", "ophelyx", "chalkanor", "zephyrine", "morvaion"},
	}
}

func isGeneratedKind(kind string) bool {
	switch kind {
	case kindAvatar, kindSeasonAvatar, kindImmortal, kindPassCommunity, kindPassUltimate:
		return true
	}
	return false
}
