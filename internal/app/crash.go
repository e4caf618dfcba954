//go:build !crashpoints

package app

import (
	"pantheon/internal/chain/indexer"
	"pantheon/internal/outbox"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
)

// The crash tests build the program with the tag crashpoints, which adds points between these parts where the process
// kills itself. Without the tag there are none.

func crashOrders(s checkout.Store) checkout.Store           { return s }
func crashGas(s gasStore) gasStore                          { return s }
func crashRPC(c chainRPC) chainRPC                          { return c }
func crashIndex(s indexer.Store) indexer.Store              { return s }
func crashPublisher(p outbox.Publisher) outbox.Publisher    { return p }
func crashOutbox(s outbox.Store) outbox.Store               { return s }
func crashBurns(s indexer.BurnStore) indexer.BurnStore      { return s }
func crashOpenings(s packs.OpeningStore) packs.OpeningStore { return s }
func crashRewards(s reward.Store) reward.Store              { return s }
func crashDebts(s webstore.DebtStore) webstore.DebtStore    { return s }
func crashShop(s webstore.SettleStore) webstore.SettleStore { return s }
func crashSender(m reward.Sender) reward.Sender             { return m }
func crashAlerts(s market.AlertStore) market.AlertStore     { return s }
