package storetest

import (
	"time"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/section"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store/index"
)

// Relics is a collection whose burns earn fate.
var Relics = eth.Address{0: 0xbe, 19: 1}

// BuiltInTables returns the drop tables that come with the portal.
func BuiltInTables() *draw.Tables {
	tables, err := draw.ParseTables(section.Files{brandtest.Pantheon().Rules}, func(draw.Grant) error { return nil })
	if err != nil {
		panic(err)
	}
	return tables
}

// Burning returns an index in which burns of relics earn fate and burns of chests are opened, by a beacon with rounds of
// 3 s from the first block on. No burn before the given block earns anything.
func (x *Indexed) Burning(rewardsFrom ...uint64) {
	from := append(rewardsFrom, 0)[0]
	x.Index = index.New(x.DB, index.Options{
		Describer: PlainArt{}, Rounds: draw.Schedule{Genesis: x.Clock.Now().Truncate(time.Second), Period: 3 * time.Second},
		Chains: map[onchain.ChainID]index.ChainRules{Chain: {RewardsFrom: from,
			Rules: projection.Rules{Burns: map[eth.Address]func(projection.Burn) projection.Earned{
				Chests: packs.Burned(BuiltInTables),
				Relics: func(b projection.Burn) projection.Earned {
					n, _ := b.Amount.Int64()
					return projection.Earned{Origin: "relic", Grants: []reward.Content{reward.Currency{Code: "fa", Amount: 10 * n}.Content()}}
				},
			}}}},
	})
}

// Settle settles all burns up to a block. Each log has the index in its transaction that it has in its block.
func (x *Indexed) Settle(upTo uint64) (settled int) {
	x.T.Helper()
	for {
		burns, err := x.Index.UnsettledBurns(x.T.Context(), Chain, upTo, 10)
		x.OK(err)
		if len(burns) == 0 {
			return settled
		}
		for _, b := range burns {
			_, err := x.Index.SettleBurn(x.T.Context(), Chain, b, uint64(b.LogIndex))
			x.OK(err)
			settled++
		}
	}
}
