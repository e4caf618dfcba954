//go:build crashpoints

package app

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"time"

	gethrpc "github.com/ethereum/go-ethereum/rpc"

	"pantheon/internal/chain/indexer"
	"pantheon/internal/kit/announce"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/outbox"
	"pantheon/internal/portal/checkout"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/webstore"
)

// crashAt kills the process, like kill -9, at the point named by CRASH_AT: the first time it is reached after the
// file CRASH_ARMED exists. The file is removed first, so that the restarted process survives.
func crashAt(point string) {
	armed := os.Getenv("CRASH_ARMED")
	if os.Getenv("CRASH_AT") != point || armed == "" {
		return
	}
	if os.Rename(armed, armed+".done") != nil {
		return // not armed, or another goroutine was first
	}
	if dir, err := os.Open(filepath.Dir(armed)); err == nil {
		_ = dir.Sync()
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // nothing may happen after the signal
}

// crashable adds the points to a part. T is the interface by which the part is used.
func crashable[T any](part T) T {
	switch p := any(&part).(type) {
	case *checkout.Store:
		*p = ordersThatCrash{*p}
	case *gasStore:
		*p = gasThatCrashes{*p}
	case *chainRPC:
		*p = rpcThatCrashes{*p}
	case *indexer.Store:
		*p = indexThatCrashes{*p}
	case *outbox.Publisher:
		*p = publisherThatCrashes{*p}
	case *outbox.Store:
		*p = outboxThatCrashes{*p}
	case *indexer.BurnStore:
		*p = burnsThatCrash{*p}
	case *packs.OpeningStore:
		*p = openingsThatCrash{*p}
	case *reward.Store:
		*p = rewardsThatCrash{*p}
	case *webstore.DebtStore:
		*p = debtsThatCrash{*p}
	case *webstore.SettleStore:
		*p = shopThatCrashes{*p}
	case *reward.Sender:
		*p = senderThatCrashes{*p}
	case *market.AlertStore:
		*p = alertsThatCrash{*p}
	default:
		panic("no crash points for this part")
	}
	return part
}

type burnsThatCrash struct{ indexer.BurnStore }

func (s burnsThatCrash) SettleBurn(ctx context.Context, chain onchain.ChainID, b onchain.Burn, logIndex uint64) (bool, error) {
	crashAt("burned, not settled")
	earned, err := s.BurnStore.SettleBurn(ctx, chain, b, logIndex)
	if earned {
		crashAt("settled, not told")
	}
	return earned, err
}

type openingsThatCrash struct{ packs.OpeningStore }

func (s openingsThatCrash) DrawOpening(ctx context.Context, o packs.Opening, t draw.Table, fn func(draw.Luck) (packs.Drawn, error)) error {
	crashAt("round read, not drawn")
	err := s.OpeningStore.DrawOpening(ctx, o, t, fn)
	crashAt("drawn, not given")
	return err
}

type rewardsThatCrash struct{ reward.Store }

func (s rewardsThatCrash) PayCurrency(ctx context.Context, g reward.Grant, c reward.Currency, at time.Time) error {
	crashAt("currency not paid")
	err := s.Store.PayCurrency(ctx, g, c, at)
	crashAt("currency paid")
	return err
}

func (s rewardsThatCrash) MoveGrant(ctx context.Context, g reward.Grant, to reward.State, reason string, at time.Time) (bool, error) {
	crashAt("grant not moved to " + string(to))
	moved, err := s.Store.MoveGrant(ctx, g, to, reason, at)
	crashAt("grant moved to " + string(to))
	return moved, err
}

func (s rewardsThatCrash) BeginTransfer(ctx context.Context, g reward.Grant, x reward.Transfer, t reward.Treasury,
	at time.Time) (bool, error) {
	crashAt("transfer not begun")
	moved, err := s.Store.BeginTransfer(ctx, g, x, t, at)
	crashAt("transfer begun")
	return moved, err
}

type shopThatCrashes struct{ webstore.SettleStore }

func (s shopThatCrashes) Hint(ctx context.Context, changes []webstore.Change, at time.Time) error {
	crashAt("webhook received, not kept")
	err := s.SettleStore.Hint(ctx, changes, at)
	crashAt("webhook kept, not answered")
	return err
}

func (s shopThatCrashes) SettleOrder(ctx context.Context, h webstore.Hint, changed time.Time, fn func(context.Context,
	webstore.Tx) error) error {
	crashAt("order fetched, not settled")
	err := s.SettleStore.SettleOrder(ctx, h, changed, fn)
	crashAt("order settled, not given")
	return err
}

type debtsThatCrash struct{ webstore.DebtStore }

func (s debtsThatCrash) MoveDebt(ctx context.Context, before, after webstore.Debt) (bool, error) {
	crashAt("debt not moved")
	moved, err := s.DebtStore.MoveDebt(ctx, before, after)
	crashAt("debt moved")
	return moved, err
}

type alertsThatCrash struct{ market.AlertStore }

func (s alertsThatCrash) RecordAlerts(ctx context.Context, alerts []market.Alert, now, again time.Time) error {
	crashAt("alert not recorded")
	err := s.AlertStore.RecordAlerts(ctx, alerts, now, again)
	crashAt("alert recorded, change not settled")
	return err
}

func (s alertsThatCrash) SettleChanges(ctx context.Context, changes []market.OfferChange) error {
	err := s.AlertStore.SettleChanges(ctx, changes)
	crashAt("change settled, alert not sent")
	return err
}

func (s alertsThatCrash) SendAlerts(ctx context.Context, search market.SavedSearch, wanted func(market.Candidate) bool,
	now, last time.Time) error {
	err := s.AlertStore.SendAlerts(ctx, search, wanted, now, last)
	crashAt("alert sent")
	return err
}

type senderThatCrashes struct{ reward.Sender }

func (m senderThatCrashes) Transfer(ctx context.Context, id string, x reward.Transfer) error {
	crashAt("transfer not queued")
	err := m.Sender.Transfer(ctx, id, x)
	crashAt("transfer queued")
	return err
}

func (m senderThatCrashes) Mint(ctx context.Context, id string, mint reward.Mint) error {
	crashAt("mint not queued")
	return m.Sender.Mint(ctx, id, mint)
}

type ordersThatCrash struct{ checkout.Store }

func (s ordersThatCrash) Checkout(ctx context.Context, playerID string, fn func(context.Context, checkout.Tx) error) error {
	err := s.Store.Checkout(ctx, playerID, fn)
	crashAt("order placed, not answered")
	return err
}

func (s ordersThatCrash) ChangeOrder(ctx context.Context, orderID string, keepUntil time.Time, fn func(*checkout.Order) error) error {
	crashAt("operation sent, order not told")
	return s.Store.ChangeOrder(ctx, orderID, keepUntil, fn)
}

type gasThatCrashes struct{ gasStore }

func (s gasThatCrashes) AddOperation(ctx context.Context, op gas.Operation) (gas.Operation, error) {
	kept, err := s.gasStore.AddOperation(ctx, op)
	crashAt("operation kept, not answered")
	return kept, err
}

func (s gasThatCrashes) Bundle(ctx context.Context, t gas.Transaction, ops []eth.Hash) error {
	err := s.gasStore.Bundle(ctx, t, ops)
	crashAt("bundle kept, not signed")
	return err
}

func (s gasThatCrashes) Hand(ctx context.Context, hash eth.Hash) error {
	err := s.gasStore.Hand(ctx, hash)
	crashAt("operation handed, not sent")
	return err
}

func (s gasThatCrashes) Taken(ctx context.Context, hash eth.Hash, at time.Time) error {
	crashAt("operation taken, not noted")
	return s.gasStore.Taken(ctx, hash, at)
}

func (s gasThatCrashes) Signed(ctx context.Context, id string, nonce uint64, a gas.Attempt, at time.Time) error {
	err := s.gasStore.Signed(ctx, id, nonce, a, at)
	crashAt("transaction kept, not broadcast")
	return err
}

func (s gasThatCrashes) Mined(ctx context.Context, id string, r gas.Receipt, at time.Time) error {
	crashAt("mined, not noted")
	return s.gasStore.Mined(ctx, id, r, at)
}

func (s gasThatCrashes) Settle(ctx context.Context, outcomes []gas.Outcome, at time.Time) error {
	crashAt("mined, operation not settled")
	return s.gasStore.Settle(ctx, outcomes, at)
}

type rpcThatCrashes struct{ chainRPC }

func (c rpcThatCrashes) CallContext(ctx context.Context, result any, method string, args ...any) error {
	err := c.chainRPC.CallContext(ctx, result, method, args...)
	if method == "eth_sendRawTransaction" {
		crashAt("broadcast, nothing noted")
	}
	return err
}

func (c rpcThatCrashes) BatchCallContext(ctx context.Context, batch []gethrpc.BatchElem) error {
	err := c.chainRPC.BatchCallContext(ctx, batch)
	for _, e := range batch {
		if e.Method == "eth_sendRawTransaction" {
			crashAt("broadcast, nothing noted")
		}
	}
	return err
}

type indexThatCrashes struct{ indexer.Store }

func (s indexThatCrashes) ApplyBatch(ctx context.Context, b onchain.Batch) error {
	sold := false
	for _, e := range b.Listings {
		sold = sold || e.Kind == onchain.ListingSold
	}
	if sold {
		crashAt("mined, not indexed")
	}
	err := s.Store.ApplyBatch(ctx, b)
	if sold {
		crashAt("indexed, not published")
	}
	return err
}

type publisherThatCrashes struct{ outbox.Publisher }

func (p publisherThatCrashes) Publish(ctx context.Context, messages ...outbox.Message) error {
	err := p.Publisher.Publish(ctx, messages...)
	crashAt("published, not removed")
	return err
}

type outboxThatCrashes struct{ outbox.Store }

func (s outboxThatCrashes) Announcements(ctx context.Context, limit int) ([]announce.Announcement, error) {
	rows, err := s.Store.Announcements(ctx, limit)
	if len(rows) > 0 {
		crashAt("announced, not published")
	}
	return rows, err
}
