package art

import (
	"errors"
	"fmt"
	"math"

	"pantheon/internal/kit/rarity"
)

// scene is a drawing that is not a token's.
type scene struct {
	name, view, title string
	rarity            rarity.Rarity // determines the glow
	draw              func(*card)
}

// scenes lists all scenes, in no order.
func scenes() []scene {
	all := []scene{
		{"pantheon", "0 0 1600 900", "The gods of the Pantheon on their mountain, under a star chart", rarity.Mythic, (*card).pantheonScene},
		{"market", "0 0 1600 900", "A market hall above the harbour at night", rarity.Legendary, (*card).marketScene},
		{"king-of-destiny", "0 0 640 640", "King of Destiny", rarity.Mythic, (*card).kingEmblem},
		{"infinimerge", "0 0 640 640", "InfiniMerge", rarity.Uncommon, (*card).mergeEmblem},
		{"immortal-siege", "0 0 640 640", "Immortal Siege", rarity.Rare, (*card).siegeEmblem},
		{"usdc", "0 0 128 128", "USDC", rarity.Rare, (*card).dollarCoin},
		{"god", "0 0 128 128", "GOD", rarity.Legendary, (*card).godCoin},
		{"wall", "0 0 1920 900", "A long wall at night, and on its tower one watchman with a lamp", rarity.Rare, (*card).wallScene},
		{"throne", "0 0 1600 900", "An empty throne under a crown, and those who wait for it", rarity.Mythic, (*card).throneScene},
		{"bell", "0 0 900 1200", "A great bell in its tower before dawn, and somebody at the rope", rarity.Legendary, (*card).bellScene},
		{
			"merge", "0 0 1600 860", "Two equal stones in two equal circles, and where these overlap the one stone they become", rarity.Uncommon,
			(*card).mergeScene,
		},
		{
			"stair", "0 0 900 1700", "The stairs of Mount Olympus over nine terraces to the lit house at the top", rarity.Legendary,
			(*card).stairScene,
		},
		{
			"road", "0 0 2000 640", "The road from the harbour past mills and wall to the mountain, and one traveller with a lamp",
			rarity.Legendary, (*card).roadScene,
		},
		{
			"doors", "0 0 1800 820", "Three doors in one wall; the first stands ajar and there is light behind it", rarity.Mythic,
			(*card).doorsScene,
		},
		{
			"office", "90 0 900 900", "The harbour office at night: a lit window with a clerk, and people in line", rarity.Legendary,
			(*card).officeScene,
		},
		{"land", "0 0 1000 1000", "The lands around the Inner Sea", rarity.Legendary, (*card).landScene},
		{"sky", "0 0 1000 1000", "The twelve signs around the house where the gods meet", rarity.Legendary, (*card).skyScene},
		{"hall", "0 0 1600 900", "The hall of the twelve, with Selmene in her light", rarity.Rare, (*card).hallScene},
		{
			"shipyard", "0 0 1600 900", "The Shipwright in her yard at night, inside an ark that is half taken apart", rarity.Legendary,
			(*card).shipyardScene,
		},
		{"vaults", "0 0 1600 900", "A row of sealed vaults, light behind the door of the dawn", rarity.Legendary, (*card).vaultsScene},
		{
			"shelves", "0 0 1600 900", "A shop before it opens: shelves with tags and little else, and a cat asleep under the lamp",
			rarity.Legendary, (*card).shelvesScene,
		},
		{
			"stele", "0 0 1000 1300", "A tall stone with ten ruled lines and no names, the mason's tools before it", rarity.Mythic,
			(*card).steleScene,
		},
		{
			"summit", "0 0 1600 900", "The top of a mountain above the clouds: a cairn, a lamp, and a book that nobody has signed", rarity.Epic,
			(*card).summitScene,
		},
		{"wheel", "0 0 1200 1200", "A star chart with twelve houses, one for each collection", rarity.Mythic, (*card).wheelScene},
		{"agora", "0 0 1600 900", "A crowd before a great lit door, one of them holding a pass up", rarity.Uncommon, (*card).agoraScene},
		{
			"gap", "0 0 1600 900", "A star chart with twelve houses, one of them empty, and somebody with a lamp who has come to look",
			rarity.Legendary, (*card).gapScene,
		},
		{"desk", "0 0 1600 900", "A great open ledger under a lamp, nine ribbons hanging from it", rarity.Legendary, (*card).deskScene},
		{
			"evening", "0 0 1600 900", "A window over the harbour: a letter, a cup that steams, and a golden sword", rarity.Legendary,
			(*card).eveningScene,
		},
		{"oath", "0 0 1600 900", "Scales that stand level: a sealed scroll in one pan, an open one in the other", rarity.Epic, (*card).oathScene},
		{"maze", "0 0 1600 900", "A labyrinth from above, with three ways in and a light in the middle", rarity.Legendary, (*card).mazeScene},
		{"reckoning", "0 0 1600 900", "Eight stones become four, two and one", rarity.Uncommon, (*card).reckoningScene},
		{"plots", "0 0 1600 900", "Three lit houses on a hillside, and a fourth that is only pegged out", rarity.Legendary, (*card).plotsScene},
		{"keeper", "0 0 1600 900", "Chalkanor in the gate, with two passes before him", rarity.Legendary, (*card).keeperScene},
		{"castings", "0 0 1600 900", "One god in five metals, the newest in gold and still hot", rarity.Mythic, (*card).castingsScene},
		{"ashore", "0 0 1600 900", "People come down the plank of an ark, and a pig watches", rarity.Legendary, (*card).ashoreScene},
		{
			"lent", "0 0 1600 900", "Selmene rises over the sea with her borrowed light, and an hourglass stands by", rarity.Rare,
			(*card).lentScene,
		},
		{"shut", "0 0 1600 900", "A barred door of bronze, and somebody with a lamp before it", rarity.Legendary, (*card).shutScene},
		{"lapse", "0 0 1600 900", "An hourglass with its sand nearly through, beside a lamp that burns", rarity.Legendary, (*card).lapseScene},
		{
			"repairs", "0 0 1600 900", "A hall of the market with a ladder in it, a column half built, and goods under a cloth",
			rarity.Legendary, (*card).repairsScene,
		},
		{"logo", "0 0 64 64", "Pantheon", rarity.Mythic, (*card).logo},
	}
	for _, s := range sitters() {
		all = append(all, scene{"team-" + s.name, "0 0 640 710", "Portrait of a fictional " + s.name, s.rarity, s.sit})
	}
	for _, god := range itemForms()[kindGod] {
		all = append(all, scene{"seal-" + god, "0 0 240 240", "Seal of " + title(god), rarity.Mythic, func(c *card) { c.seal(god) }})
	}
	return all
}

// SceneNames lists the names that Scene accepts: scenes for pages, the games' emblems (640×640), the coins (128×128)
// and the mark "logo" (64×64).
func SceneNames() (names []string) {
	for _, s := range scenes() {
		names = append(names, s.name)
	}
	return names
}

// ErrUnknownScene means that no scene has the name.
var ErrUnknownScene = errors.New("unknown scene")

// Scene draws one of SceneNames under the same rules as SVG. The error wraps ErrUnknownScene.
func (c *Catalogue) Scene(name string) ([]byte, error) {
	for _, s := range scenes() {
		if s.name == name {
			k := newCard("scene", name, Item{Rarity: s.rarity, Material: "bronze"})
			k.open(s.view, s.title)
			s.draw(k)
			return k.close(), nil
		}
	}
	return nil, fmt.Errorf("%w %.64q", ErrUnknownScene, name)
}

// prop draws an item into a scene, centred at (x, y).
func (c *card) prop(kind, form, material string, r rarity.Rarity, x, y, scale float64) {
	item, m, g := c.item, c.m, c.g
	c.item = Item{Kind: kind, Form: form, Material: material, Rarity: r}
	c.m, c.g = metalOf(material), glowOf(r)
	c.place(x-300*scale, y-350*scale, scale, 0)
	c.subject()
	c.end()
	c.item, c.m, c.g = item, m, g
}

// night fills a scene with sky and stars down to the horizon.
func (c *card) night(width, height, horizon float64, stars int) {
	c.draw(rect(0, 0, width, height), ink{fill: c.linear(0, 0, 0, height, "#0a1214", "#10201f", "#0a1112", groundBase)})
	dust, bright := new(path), new(path)
	for i := range stars {
		x, y := math.Round(c.d.between(0, width)), math.Round(c.d.between(0, horizon))
		if i%9 == 0 {
			bright.add(spark(x, y, math.Round(c.d.between(4, 11))))
		} else {
			dust.M(x, y).L(x, y)
		}
	}
	c.draw(dust, ink{stroke: bone, w: 2, op: 0.5})
	c.draw(bright, ink{fill: bone, op: 0.9})
}

// planisphere is the great star chart of the scenes.
func (c *card) planisphere(x, y, r float64) {
	line := ink{stroke: bronzeLine, w: 1.8, op: 0.7}
	p := new(path)
	for _, k := range []float64{1, 0.94, 0.7, 0.46} {
		p.circle(x, y, r*k)
	}
	p.circle(x+r*0.16, y-r*0.1, r*0.56)
	for i := range 3 {
		p.add(new(path).ellipse(0, 0, r*0.94, r*0.34).mapped(placed(x, y, 1, 0.4+float64(i)*math.Pi/3)))
	}
	c.draw(p, line)
	c.circle(x, y, r*0.97, ink{stroke: bronzeLine, w: r * 0.06, op: 0.6, dash: "2 13.4", butt: true})
	c.ring(12, x, y, 0.1, func() { c.draw(polyline(r*0.46, 0, r*0.94, 0), line) })
	c.ring(12, x, y, 0.1+math.Pi/12, func() {
		c.draw(spark(r*0.82, 0, r*0.028), ink{fill: bone})
	})
	for range 4 {
		a := c.d.between(0, 2*math.Pi)
		walk, stars := new(path), new(path)
		for i := range 5 {
			a += c.d.between(0.08, 0.2)
			k := c.d.between(0.5, 0.92) * r
			q := point{math.Round(x + k*math.Cos(a)), math.Round(y + k*math.Sin(a))}
			if i == 0 {
				walk.M(q.x, q.y)
			} else {
				walk.L(q.x, q.y)
			}
			stars.add(spark(q.x, q.y, choose(c.d, 7.0, 9.0, 14.0)))
		}
		c.draw(walk, ink{stroke: bone, w: 1.8, op: 0.6, dash: "1 7"})
		c.draw(stars, ink{fill: bone})
	}
}

// ridge is a mountain range from left to right: every second point is a peak. Lines are drawn
// on the shaded side.
func (c *card) ridge(top, flank, line string, bottom float64, xy ...float64) {
	edge := newPath(xy[0], xy[1])
	cuts := new(path)
	for i := 2; i < len(xy); i += 2 {
		x0, y0, x1, y1 := xy[i-2], xy[i-1], xy[i], xy[i+1]
		const n = 4
		for j := 1; j <= n; j++ {
			t := float64(j) / n
			x, y := x0+(x1-x0)*t, y0+(y1-y0)*t
			if j < n {
				x, y = x+c.d.between(-9, 9), y+c.d.between(-12, 9)
			}
			edge.L(math.Round(x), math.Round(y))
			down := y1 > y0
			reach := c.d.between(40, 90)
			if down {
				reach = c.d.between(100, 230)
			}
			for k := range 2 {
				sx := math.Round(x + float64(k)*(x1-x0)/n/2)
				sy := math.Round(y + float64(k)*(y1-y0)/n/2 + 5)
				cuts.M(sx-2, sy).L(sx+math.Round(reach*c.d.between(0.1, 0.34)), sy+math.Round(reach*c.d.between(0.7, 1.1))).L(sx+2, sy)
			}
		}
	}
	body := new(path).add(edge).L(xy[len(xy)-2], bottom).L(xy[0], bottom).Z()
	c.draw(body, ink{fill: c.linear(0, body.minY(), 0, bottom, top, flank), stroke: groundBase, w: 7, under: true})
	c.clip(body)
	c.draw(cuts, ink{fill: line})
	c.end()
	c.draw(edge, ink{stroke: mix(line, bone, 0.35), w: 2.4})
}

func (p *path) minY() float64 {
	_, y0, _, _ := p.bounds()
	return y0
}

// colossus is a distant god: a rock-cut bust with one of the crowns. Near
// ones have glowing eyes.
func (c *card) colossus(crown string, x, y, scale float64, m metal, near bool) {
	keep := c.m
	c.m = m
	defer func() { c.m = keep }()
	c.place(x, y, scale, 0)
	defer c.end()
	stone := c.linear(-200, -250, 180, 300, m.light, m.mid, m.dark)
	fire := c.linear(0, -290, 0, -40, mix(c.g.base, groundBase, 0.2), c.g.soft)
	switch crown {
	case "anvil":
		c.lumen(polyline(-70, -210, -116, -246, -100, -266, -180, -320).add(polyline(70, -210, 124, -240, 108, -268, 186, -312)), 5)
		c.part(newPath(0, -222).L(150, -222).C(146, -186, 112, -168, 82, -166).C(70, -154, 70, -140, 84, -120).L(124, -112).L(118, -40).
			L(0, -40).sym(), stone)
	case "horns":
		c.part(ribbon(70, 54, 3, 60, -90, 150, -110, 214, -160, 220, -230, 176, -290).both(), stone)
	case "antlers":
		c.part(ribbon(34, 26, 7, 60, -90, 110, -140, 180, -160, 216, -220, 214, -300).add(
			ribbon(20, 14, 5, 120, -142, 128, -200, 110, -250, 126, -306), ribbon(16, 12, 4, 196, -190, 240, -196, 266, -236)).
			coarse().both(), stone)
	case "crest":
		c.part(newPath(0, -296).C(130, -296, 232, -216, 250, -50).L(140, -10).L(0, -60).sym(), fire)
		bristles := new(path)
		for i := range 13 {
			a := math.Pi*1.06 + float64(i)*math.Pi*0.88/12
			bristles.M(150*math.Cos(a), -40+150*math.Sin(a)).L(242*math.Cos(a), -44+240*math.Sin(a))
		}
		c.draw(bristles.coarse(), ink{stroke: groundBase, w: 5, op: 0.7})
	case "flames":
		for i := range 7 {
			k := float64(i) - 3
			c.part(ribbon(64, 40, 1, k*30, -90+8*k*k/2, k*40+12, -170+7*k*k, k*44-10, -220+9*k*k, k*56, -300+11*k*k).coarse(), fire)
		}
	case "waves":
		c.part(ribbon(15, 12, 6, 0, -130, 0, -236).add(ribbon(14, 11, 5, 40, -126, 60, -214).both(),
			ribbon(13, 10, 5, 78, -108, 120, -184).both()).coarse(), stone)
	case "hood":
		c.part(newPath(0, -270).C(110, -262, 170, -160, 168, -20).C(170, 70, 190, 140, 250, 420).L(280, 620).L(0, 620).sym(),
			c.linear(-200, -250, 180, 300, m.mid, m.dark, m.deep))
	}
	body := newPath(0, 150).L(52, 150).C(56, 200, 90, 216, 130, 224).C(200, 242, 240, 280, 254, 420).L(270, 620).L(0, 620).sym()
	if crown != "hood" {
		if crown == "waves" || crown == "moon" {
			c.part(newPath(0, -150).C(120, -150, 148, -60, 140, 40).C(136, 120, 160, 190, 150, 260).L(0, 260).sym(), stone)
		}
		c.part(body, stone)
	}
	head := visage{width: 104, jaw: 68}.outline().sym()
	c.part(head, stone)
	c.hatch(newPath(30, -132).C(88, -132, 104, -84, 104, -4).C(104, 70, 82, 120, 49, 150).C(31, 174, 18, 180, 0, 180).Z(),
		hatching{angle: 186, gap: 9, w: 5, reach: 0.9, colour: m.deep, op: 0.9})
	c.hatch(body, hatching{angle: 186, gap: 11, w: 6, reach: 0.6, colour: m.deep, op: 0.9})
	if crown == "anvil" || crown == "antlers" {
		beard := newPath(0, 96).C(40, 84, 74, 96, 102, 50).C(112, 150, 70, 250, 0, 292).sym()
		c.part(beard, stone)
		locks := new(path)
		for i := range 4 {
			k := float64(i)
			locks.add(newPath(12+24*k, 112-8*k).C(16+20*k, 170, 8+14*k, 220, 4+10*k, 262-26*k))
		}
		c.etch(locks.both(), 4)
	}
	if crown != "hood" && crown != "flames" {
		hair := newPath(0, -152).C(80, -152, 122, -96, 116, -6).L(98, 14).C(98, -50, 64, -92, 0, -96).sym()
		c.part(hair, stone)
		if crown == "moon" {
			c.circle(0, -226, 140, ink{fill: c.radial(0, -226, 140, faded(bone, 0.4), faded(bone, 0))})
			c.part(moonCrown(), stone)
			c.circle(0, -228, 56, ink{fill: c.radial(-16, -244, 80, "#ffffff", bone, "#b9ab8e")})
		}
		c.etch(newPath(16, -148).L(14, -98).M(50, -142).L(42, -88).M(82, -120).L(68, -72).M(106, -84).L(86, -48).both(), 4)
	}
	c.etch(newPath(14, -22).C(40, -48, 80, -46, 102, -20).both().
		add(newPath(14, -24).C(10, 30, 14, 56, 26, 70).C(20, 84, 8, 84, 0, 82), curve(-36, 120, 0, 114, 36, 120)), 6)
	c.draw(newPath(-102, 20).C(-100, 70, -78, 120, -46, 150), ink{stroke: m.shine, w: 4, op: 0.7})
	switch {
	case crown == "hood":
		c.draw(spark(52, 8, 20).both(), ink{fill: c.g.bright})
	case near:
		c.lumen(newPath(30, 14).C(46, 4, 68, 4, 84, 14).both(), 5)
	default:
		c.etch(newPath(28, 10).C(44, 26, 70, 26, 86, 8).both(), 6)
	}
}

// pantheonScene is the mountain of the gods, right of the centre: the dawn at the peak, the
// gods in two rows below, the temple at its foot.
func (c *card) pantheonScene() {
	c.night(1600, 900, 620, 90)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(1046, 330, 720, faded(c.g.base, 0.36), faded(c.g.base, 0.1), faded(c.g.base, 0))})
	c.planisphere(1046, 372, 430)
	far := metal{"#070e10", "#101e21", "#1b2f32", "#33504f", "#7d988f"}
	near := metal{"#100b07", "#2c1f14", "#5b4229", "#a07848", "#e3bd86"}
	c.ridge("#142426", "#0a1213", "#284040", 900, 0, 760, 130, 660, 250, 720, 420, 590, 520, 660, 640, 530, 700, 590, 860, 480, 1010, 570,
		1180, 460, 1330, 570, 1440, 500, 1540, 590, 1600, 540)
	c.colossus("waves", 648, 452, 0.48, far, false)
	c.colossus("horns", 1462, 452, 0.5, far, false)
	c.colossus("anvil", 806, 400, 0.56, far, false)
	c.colossus("moon", 1306, 404, 0.56, far, false)
	c.place(1046, 306, 0.78, 0)
	c.m = metalOf("gold")
	c.helikara()
	c.end()
	c.ridge("#182625", "#090f10", "#35463f", 900, 360, 900, 440, 780, 516, 692, 590, 752, 700, 690, 790, 730, 850, 640, 930, 588, 990, 596,
		1046, 520, 1110, 598, 1180, 584, 1250, 650, 1330, 740, 1440, 690, 1540, 790, 1600, 740)
	c.colossus("antlers", 618, 668, 0.5, near, true)
	c.colossus("flames", 1480, 672, 0.5, near, true)
	c.colossus("hood", 830, 664, 0.5, near, true)
	c.colossus("crest", 1264, 668, 0.5, near, true)
	c.ridge("#111a1a", "#05090a", "#243231", 900, 0, 870, 180, 820, 380, 860, 560, 800, 700, 846, 860, 790, 1046, 830, 1230, 790,
		1400, 850, 1600, 790)
	c.temple(1046, 826, 0.8)
	c.pilgrims()
}

// temple is the small lit temple at the foot of the mountain.
func (c *card) temple(x, y, scale float64) {
	c.place(x, y, scale, 0)
	defer c.end()
	c.circle(0, -40, 210, ink{fill: c.radial(0, -40, 210, faded("#f5b942", 0.5), faded("#f5b942", 0))})
	c.part(rect(-104, -86, 208, 96), c.radial(0, -30, 110, "#fff1c2", "#f5b942", "#7a4310"))
	stone := metalOf("ivory")
	for i := range 6 {
		column := rect(-108+40*float64(i), -92, 17, 106)
		c.part(column, c.linear(0, -92, 0, 14, stone.light, stone.mid))
	}
	c.part(polygon(0, -162, 134, -104, -134, -104), stone.light)
	c.draw(polygon(0, -146, 92, -110, -92, -110), ink{fill: stone.deep})
	c.part(rect(-128, -106, 256, 16), stone.mid)
	for i := range 4 {
		k := float64(i)
		c.part(rect(-126-16*k, 12+12*k, 252+32*k, 13), mix(stone.mid, groundBase, 0.2*k))
	}
	c.draw(spark(0, -124, 17), ink{fill: "#f5b942"})
}

// pilgrims climb towards the temple with their torches.
func (c *card) pilgrims() {
	road := curve(120, 900, 330, 876, 560, 888, 760, 866, 900, 872, 990, 862)
	c.draw(road, ink{stroke: "#2a2017", w: 12})
	c.draw(road, ink{stroke: bronzeLine, w: 2, dash: "3 12"})
	var people []point
	for i := range 13 {
		t := float64(i) / 12
		x := 150 + 800*t
		people = append(people, point{x, 886 - 26*t + 7*math.Sin(x/70)})
	}
	c.stamp(newPath(-6, 0).C(-9, -20, -6, -32, 0, -33).C(6, -32, 9, -20, 6, 0).Z().circle(0, -39, 6).M(8, -6).L(11, -46).L(13, -6).Z(),
		ink{fill: "#020304", stroke: "#3a2c1e", w: 1.6}, people...)
	c.stamp(new(path).circle(11, -52, 13), ink{fill: c.g.base, op: 0.3}, people...)
	c.stamp(newPath(11, -64).C(14, -58, 17, -54, 15, -48).C(13, -44, 9, -44, 8, -48).C(6, -54, 10, -58, 11, -64).Z(),
		ink{fill: "#ffd9a0"}, people...)
}

// marketScene is a colonnade open to the harbour, its counter full of goods.
func (c *card) marketScene() {
	c.night(1600, 900, 520, 80)
	c.draw(rect(0, 0, 1600, 900), ink{fill: c.radial(640, 330, 700, faded(c.g.base, 0.3), faded(c.g.base, 0.08), faded(c.g.base, 0))})
	c.planisphere(640, 290, 300)
	// The sea and the ships at anchor.
	c.draw(rect(0, 520, 1600, 380), ink{fill: c.linear(0, 520, 0, 760, "#17302f", "#0b1516")})
	glints := new(path)
	for range 44 {
		y := c.d.between(528, 690)
		x := c.d.between(0, 1600)
		glints.M(math.Round(x), math.Round(y)).L(math.Round(x+c.d.between(12, 70)), math.Round(y))
	}
	c.draw(glints, ink{stroke: mix(c.g.base, bone, 0.3), w: 2, op: 0.3})
	c.ridge("#15282a", "#0e1a1c", "#081011", 540, 820, 540, 960, 470, 1060, 510, 1190, 420, 1330, 500, 1460, 440, 1600, 520)
	c.prop("ark", "sun", "gold", rarity.Legendary, 660, 440, 0.58)
	// Columns and beam of the hall.
	stone := metalOf("marble")
	dim := metal{"#0d1112", "#20292a", "#3d4a49", "#74827d", "#b9c2b6"}
	for i, x := range []float64{90, 1190, 1520} {
		w := []float64{64, 46, 60}[i]
		column := newPath(x-w, 60).C(x-w*1.08, 300, x-w*1.12, 500, x-w*1.14, 760).L(x+w*1.14, 760).C(x+w*1.12, 500, x+w*1.08, 300, x+w, 60).Z()
		c.part(column, c.linear(x-w, 0, x+w, 0, stone.mid, dim.light, dim.mid, dim.dark, dim.deep))
		flutes := new(path)
		for j := range 5 {
			k := -0.66 + 0.33*float64(j)
			flutes.M(x+w*k, 70).L(x+w*k*1.13, 756)
		}
		c.draw(flutes, ink{stroke: dim.deep, w: 4})
		c.part(polygon(x-w*1.5, 24, x+w*1.5, 24, x+w*1.08, 70, x-w*1.08, 70), dim.mid)
	}
	c.part(rect(-20, -20, 1640, 52), c.linear(0, 0, 0, 34, dim.mid, dim.dark))
	c.draw(meander(6, 2, 5, 64), ink{stroke: bronzeLine, w: 3})
	awning := newPath(1150, 96).L(1640, 96).L(1640, 214)
	for i := range 7 {
		x := 1640 - 72*float64(i)
		awning.C(x-8, 246, x-64, 246, x-72, 214)
	}
	awning.Z()
	c.part(awning, c.linear(0, 96, 0, 240, "#c9512f", "#7c2a17"))
	stripes := new(path)
	for i := range 4 {
		x := 1568 - 144*float64(i)
		stripes.add(polygon(x, 96, x+72, 96, x+72, 216, x, 216))
	}
	c.draw(stripes, ink{fill: bone, op: 0.75})
	for _, x := range []float64{330, 950} {
		c.draw(polyline(x, 32, x, 128), ink{stroke: bronzeLine, w: 3})
		c.circle(x, 158, 130, ink{fill: c.radial(x, 158, 130, faded(c.g.base, 0.6), faded(c.g.base, 0))})
		c.part(polygon(x-20, 132, x+20, 132, x+28, 184, x-28, 184), c.radial(x, 158, 36, "#ffffff", c.g.bright, c.g.base))
		c.part(polygon(x, 104, x+32, 132, x-32, 132).add(rect(x-32, 182, 64, 12)), metalOf("bronze").mid)
	}
	// The counter and the goods on it.
	wood := metalOf("wood")
	c.part(rect(-20, 706, 1640, 46), c.linear(0, 706, 0, 752, wood.shine, wood.mid))
	c.draw(rect(-20, 752, 1640, 170), ink{fill: c.linear(0, 752, 0, 900, wood.dark, groundBase)})
	boards := new(path)
	for i := range 18 {
		boards.M(float64(i)*94+20, 756).L(float64(i)*94+14, 900)
	}
	c.draw(boards, ink{stroke: wood.deep, w: 4})
	c.prop("shield", "eye", "verdigris", rarity.Rare, 1350, 574, 0.62)
	c.prop("potion", "amphora", "terracotta", rarity.Uncommon, 250, 540, 0.7)
	c.prop("helm", "crest", "bronze", rarity.Mythic, 436, 608, 0.48)
	c.prop("piggy-bank", "clay", "terracotta", rarity.Legendary, 868, 624, 0.46)
	c.prop("chest", "general", "bronze", rarity.Legendary, 1100, 580, 0.6)
	c.draw(meander(10, 790, 7, 45), ink{stroke: bronzeLine, w: 3.4, op: 0.8})
}
