package packs

import (
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// Kind is one of the three kinds of pack that are opened by burning them.
type Kind struct {
	TokenID string // in the chests contract
	Tables  string // the kind of its drop tables
	Level   string // as kod-pack/open has it
	Name    string // what players read
}

// Token ids of the kinds of pack in the chests contract.
const (
	General = "1"
	Avatar  = "2"
	God     = "3"
)

var kinds = []Kind{
	{General, "general", "General", "General pack"},
	{Avatar, "avatar", "Avatar", "Avatar pack"},
	{God, "god", "God", "God pack"},
}

// Kinds returns the kinds of pack that are opened by burning them, in the order of the shelf. The caller owns the result.
func Kinds() []Kind { return append([]Kind(nil), kinds...) }

// TablesOf returns the kind of drop table by which a pack of the chests contract is drawn; "" for another token.
func TablesOf(tokenID string) string {
	for _, k := range kinds {
		if k.TokenID == tokenID {
			return k.Tables
		}
	}
	return ""
}

// InShop reports whether packs of a kind of drop table are bought in the shop and opened when they are paid for. All others
// are opened by burning them.
func InShop(tables string) bool { return kindOf(tables) == Kind{} }

// kindOf returns the kind of pack that is drawn by a kind of drop table; the zero Kind if there is none.
func kindOf(tables string) Kind {
	for _, k := range kinds {
		if k.Tables == tables {
			return k
		}
	}
	return Kind{}
}

// Burned returns what a burn of packs earns: an opening for each copy.
func Burned(b projection.Burn) projection.Earned {
	for _, k := range kinds {
		if k.TokenID == b.TokenID {
			return projection.Earned{Origin: reward.FromPack, Opens: k.Tables, Detail: projection.PackOpened{TokenID: b.TokenID, PackLevel: k.Level}}
		}
	}
	return projection.Earned{}
}
