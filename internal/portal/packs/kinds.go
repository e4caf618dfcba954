package packs

import (
	"fmt"
	"slices"

	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// Kind is one of the three kinds of pack that are opened by burning them. Each of its editions has a token id of its own in the
// chests contract and a drop table of its own.
type Kind struct {
	Tables string // the kind of its drop tables
	Level  string // as kod-pack/open has it
	Name   string // what players read
}

// The kinds of drop tables of the packs that are opened by burning them.
const (
	General = "general"
	Avatar  = "avatar"
	God     = "god"
)

var kinds = []Kind{
	{General, "General", "General pack"},
	{Avatar, "Avatar", "Avatar pack"},
	{God, "God", "God pack"},
}

// Kinds returns the kinds of pack that are opened by burning them, in the order of the shelf. The caller owns the result.
func Kinds() []Kind { return slices.Clone(kinds) }

// CheckKinds returns an error unless there is a table for each of the kinds that are opened by burning them, and the tables with a
// token are theirs alone.
func CheckKinds(t *draw.Tables) error {
	for _, k := range kinds {
		if len(t.Editions(k.Tables)) == 0 {
			return fmt.Errorf("tables: there is none of the kind %s", k.Tables)
		}
	}
	for _, table := range t.All() {
		if InShop(table.Kind) != (table.Token == "") {
			return fmt.Errorf("tables: %s %d: packs of the kinds general, avatar and god have a token, and no others", table.Kind, table.Edition)
		}
	}
	return nil
}

// InShop reports whether packs of a kind of drop table are bought in the shop and opened when they are paid for. All others
// are opened by burning them.
func InShop(tables string) bool { return kindOf(tables) == Kind{} }

// kindOf returns the kind of pack that is drawn by a kind of drop table; the zero Kind if there is none.
func kindOf(tables string) Kind {
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Tables == tables }); i >= 0 {
		return kinds[i]
	}
	return Kind{}
}

// Burned returns what a burn of packs earns: an opening for each copy, by the table of its token. An opening of a token without
// a known table waits for one.
func Burned(tables func() *draw.Tables) func(projection.Burn) projection.Earned {
	return func(b projection.Burn) projection.Earned {
		table, _ := tables().OfToken(b.TokenID)
		return projection.Earned{
			Origin: reward.FromPack, Opens: &projection.Pack{Kind: table.Kind, Edition: table.Edition},
			Detail: projection.PackOpened{TokenID: b.TokenID, PackLevel: kindOf(table.Kind).Level},
		}
	}
}
