package brand

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"

	"pantheon/internal/collections"
	"pantheon/internal/kit/section"
)

// Games are a brand's games and what the game platform keeps for them. A brand may have none of them.
type Games struct {
	Games  []Game // in display order
	Boards []Board
	Purses []Purse // in display order
}

// Game is one of the games that the portal belongs to.
type Game struct {
	ID      string             `yaml:"id"` // as in its page's address
	Name    string             `yaml:"name"`
	Open    bool               `yaml:"open"`    // whether it can be played; otherwise it opens later
	PlayURL string             `yaml:"playUrl"` // where it is played; "" for nowhere that is known
	Board   string             `yaml:"board"`   // the id of its leaderboard; "" for none
	Kinds   []collections.Kind `yaml:"kinds"`   // the kinds of holdings that it uses
}

// Board is a leaderboard.
type Board struct {
	ID   string `yaml:"id" json:"id"` // the name of its statistic on the game platform
	Name string `yaml:"name" json:"name"`
}

// Purse is a group of the game platform's currencies that players see together.
type Purse struct {
	ID         string     `yaml:"id" json:"id"`
	Name       string     `yaml:"name" json:"name"`
	Currencies []Currency `yaml:"currencies" json:"currencies"` // at least one
}

// Currency is a currency of the game platform.
type Currency struct {
	Code  string `yaml:"code" json:"code"`
	Name  string `yaml:"name" json:"name"`             // for more than one
	One   string `yaml:"one" json:"one,omitempty"`     // for one; "" for the same
	Short string `yaml:"short" json:"short,omitempty"` // in tables; "" for the same
}

// The sections of games.yaml.
const (
	sectionGames  = "games"
	sectionBoards = "boards"
	sectionPurses = "purses"
)

var (
	idPattern   = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	codePattern = regexp.MustCompile(`^[A-Za-z0-9]{1,16}$`)
)

// parseGames reads games, leaderboards and currencies from YAML. The error lists every fault by line and field.
func parseGames(file string, text []byte, registry *collections.Registry) (g Games, err error) {
	if err := section.Names(file, text, sectionGames, sectionBoards, sectionPurses); err != nil {
		return g, err
	}
	// A section that is missing is empty.
	files := section.Files{{Name: file, Text: text}, {Name: file, Text: []byte("games: []\nboards: []\npurses: []\n")}}
	boards, boardFaults := section.Read[Board](sectionBoards, files)
	games, gameFaults := section.Read[Game](sectionGames, files)
	purses, purseFaults := section.Read[Purse](sectionPurses, files)
	if err := section.Join(boardFaults, gameFaults, purseFaults); err != nil {
		return g, err
	}
	g = Games{games.Entries, boards.Entries, purses.Entries}
	var faults []error
	ids := map[string]bool{}
	for i, b := range g.Boards {
		faults = append(faults, named(boards.Place(i), "board", b.ID, b.Name, ids))
	}
	ids = map[string]bool{}
	for i, game := range g.Games {
		bad := func(field, why string) {
			faults = append(faults, fmt.Errorf("%s: game %s: %s: %s", games.Place(i, field), game.ID, field, why))
		}
		faults = append(faults, named(games.Place(i), "game", game.ID, game.Name, ids))
		if game.Board != "" && !slices.ContainsFunc(g.Boards, func(b Board) bool { return b.ID == game.Board }) {
			bad("board", fmt.Sprintf("%q is none of the boards", game.Board))
		}
		for _, kind := range game.Kinds {
			if !slices.ContainsFunc(registry.Kinds(), func(k collections.KindEntry) bool { return k.Kind == kind }) {
				bad("kinds", fmt.Sprintf("%q is none of the kinds of collections.yaml", kind))
			}
		}
		if u, err := url.Parse(game.PlayURL); game.PlayURL != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
			bad("playUrl", "must be an address with https://")
		}
	}
	ids = map[string]bool{}
	codes := map[string]bool{}
	for i, p := range g.Purses {
		faults = append(faults, named(purses.Place(i), "purse", p.ID, p.Name, ids))
		if len(p.Currencies) == 0 {
			faults = append(faults, fmt.Errorf("%s: purse %s: currencies: is missing", purses.Place(i), p.ID))
		}
		for j, c := range p.Currencies {
			bad := func(field, why string) {
				place := purses.Place(i, "currencies", j, field)
				faults = append(faults, fmt.Errorf("%s: purse %s: currencies[%d].%s: %s", place, p.ID, j, field, why))
			}
			switch {
			case !codePattern.MatchString(c.Code):
				bad("code", fmt.Sprintf("%q is malformed", c.Code))
			case codes[c.Code]:
				bad("code", fmt.Sprintf("%q is there twice", c.Code))
			}
			codes[c.Code] = true
			if c.Name == "" {
				bad("name", "is missing")
			}
		}
	}
	return g, errors.Join(faults...)
}

// named says what is wrong with an entry's id or name.
func named(place, what, id, name string, ids map[string]bool) error {
	was := ids[id]
	ids[id] = true
	switch {
	case !idPattern.MatchString(id):
		return fmt.Errorf("%s: %s %s: id: %q is malformed", place, what, id, id)
	case was:
		return fmt.Errorf("%s: %s %s: id: is there twice", place, what, id)
	case name == "":
		return fmt.Errorf("%s: %s %s: name: is missing", place, what, id)
	}
	return nil
}

// HasCurrency reports whether the game platform has a currency of a code.
func (g Games) HasCurrency(code string) bool {
	return slices.ContainsFunc(g.Purses, func(p Purse) bool {
		return slices.ContainsFunc(p.Currencies, func(c Currency) bool { return c.Code == code })
	})
}

// Codes returns the codes of a purse's currencies; none for an unknown purse.
func (g Games) Codes(purse string) (codes []string) {
	for _, p := range g.Purses {
		if p.ID == purse {
			for _, c := range p.Currencies {
				codes = append(codes, c.Code)
			}
		}
	}
	return codes
}
