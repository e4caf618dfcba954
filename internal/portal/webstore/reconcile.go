package webstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/periodic"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/reward"
)

// Hint says that an order may have changed in the shop.
type Hint struct {
	OrderID  int64
	Seq      int64 // raised by each hint of the order
	Attempts int   // consecutive failures
}

// Purchase is the detail of a reward that the webstore earned.
type Purchase struct {
	OrderID   int64  `json:"orderId"`
	Variation int64  `json:"variationId"`
	Name      string `json:"name"`
}

// SettleStore stores the orders.
type SettleStore interface {
	// Hint records that orders may have changed. Those whose change is known already are left out; a zero At is never known.
	Hint(ctx context.Context, changes []Change, at time.Time) error
	// DueHints returns hints that are due, the longest due first.
	DueHints(ctx context.Context, now time.Time, limit int) ([]Hint, error)
	// PostponeHint saves the hint's Attempts and the reason, and makes it due at until.
	PostponeHint(ctx context.Context, h Hint, reason string, until time.Time) error
	// SettleOrder calls fn in a transaction that locks the order and drops the hint, unless a newer one has come. changed is
	// the shop's time of the order's change, which is known from then on; zero for one that is not.
	SettleOrder(ctx context.Context, h Hint, changed time.Time, fn func(context.Context, Tx) error) error
	// UnknownLines returns the variations of paid lines whose contents are not known, by order.
	UnknownLines(ctx context.Context) (variations map[int64][]int64, err error)
	// PolledUntil returns when the change was made that was found last; zero before the first poll.
	PolledUntil(ctx context.Context) (time.Time, error)
	// SetPolledUntil records it.
	SetPolledUntil(ctx context.Context, until time.Time) error
}

// OfferStore stores what the shop asks.
type OfferStore interface {
	// Offers returns what the shop asks by variation, and when the oldest of it was fetched; the time is zero before the first.
	Offers(ctx context.Context) (offers map[int64]Offer, oldest time.Time, err error)
	// PutOffers replaces the offers.
	PutOffers(ctx context.Context, offers []Offer) error
}

// Tx is a transaction on one order.
type Tx interface {
	// Order returns the recorded order; ok is false for an order that was never seen as paid.
	Order(ctx context.Context) (o Order, ok bool, err error)
	// PutOrder records the order with its lines.
	PutOrder(ctx context.Context, o Order) error
	// PlayerOf returns the player of a hand-off, "" if it is unknown, and whether that player has deleted the account.
	PlayerOf(ctx context.Context, handOff string) (playerID string, gone bool, err error)
	// MayHaveChance reports whether a player has a hand-off for something that is drawn.
	MayHaveChance(ctx context.Context, playerID string) (bool, error)
	// Bought returns how many units of each variation a player has paid for and kept, leaving out the order.
	Bought(ctx context.Context, playerID string) (map[int64]int64, error)
	// CardUse returns what a player, "" for none, and all players paid for since a time.
	CardUse(ctx context.Context, playerID string, since time.Time) (CardUse, error)
	// AddReward records a reward and reports whether its source is new. It is withheld while its player has a debt.
	AddReward(ctx context.Context, r reward.Reward) (added bool, err error)
	// HandOff returns a hand-off; ok is false for an unknown one.
	HandOff(ctx context.Context, id string) (h HandOff, ok bool, err error)
	// AddOpening records the opening of a reward without grants, with the record of its payment in the public log, once. It returns a
	// Conflict fault for a time before that of the last record.
	AddOpening(ctx context.Context, p draw.Purchase, of draw.Table, at time.Time) error
	// TakeBack cancels what has not been sent of a reward, and records the rest as a debt of its player. price is what was paid for
	// the reward, in millionths of the shop's currency; its grants have equal shares of it. It does nothing for a reward that does
	// not exist.
	TakeBack(ctx context.Context, source string, price int64) error
	// Hold pauses the unsent grants of a reward, or resumes them if held is false.
	Hold(ctx context.Context, source string, held bool) error
	// Told announces that the player's products have changed.
	Told(ctx context.Context, playerID string) error
}

// Goods knows the brand's tokens.
type Goods interface {
	// Collection returns the contract of a collection by its slug.
	Collection(slug string) (contract eth.Address, chain onchain.ChainID, standard onchain.Standard, ok bool)
	// Transferable reports whether the tokens of a collection can change hands.
	Transferable(slug string) bool
	// USDC returns the contract of the currency.
	USDC() (contract eth.Address, chain onchain.ChainID)
}

// ReconcilerOptions configure a Reconciler; all are required.
type ReconcilerOptions struct {
	Store      SettleStore
	Offers     OfferStore
	Shop       Shop
	Name       string // of the shop in the inputs of draws; see draw.Purchase
	Currency   string // in which the shop sells, ISO 4217
	Catalogue  func() *Catalogue
	References References
	Goods      Goods
	Tables     func() *draw.Tables // the current ones
	Edition    Edition
	Card       CardLimits
	Clock      clock.Clock
	Log        *slog.Logger
	Settled    func() // called after rewards were recorded
}

// Reconciler gives players what they paid for in the shop, and takes back what was refunded. A webhook or a poll only says that an
// order may have changed: the order is fetched from the shop and decides. Only one process runs it at a time.
type Reconciler struct {
	ReconcilerOptions
	loop  periodic.Loop
	pause time.Time // until when the shop refuses calls
}

// NewReconciler returns a Reconciler.
func NewReconciler(o ReconcilerOptions) *Reconciler {
	return &Reconciler{ReconcilerOptions: o, loop: periodic.NewLoop()}
}

// Wake makes Run look for hints now. It never blocks.
func (s *Reconciler) Wake() { s.loop.Wake() }

const hintBatch = 50

// Run reconciles orders until ctx ends. Errors are reported and retried.
func (s *Reconciler) Run(ctx context.Context, report func(error)) error {
	return s.loop.Run(ctx, func(ctx context.Context) (time.Duration, error) { return hintInterval, s.Step(ctx) }, report)
}

// Step reconciles the orders that are due. A failure postpones its order; while the shop refuses calls, all wait.
func (s *Reconciler) Step(ctx context.Context) error {
	var faults []error
	for {
		if s.Clock.Now().Before(s.pause) {
			return errors.Join(faults...)
		}
		hints, err := s.Store.DueHints(ctx, s.Clock.Now(), hintBatch)
		if err != nil || len(hints) == 0 {
			return errors.Join(append(faults, err)...)
		}
		for _, h := range hints {
			err := s.reconcile(ctx, h)
			if err == nil {
				continue
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			wait := min(lastRetry, firstRetry<<min(h.Attempts, 16))
			if f := fault.As(err); f != nil && f.Code == fault.TooMany {
				s.pause = s.Clock.Now().Add(max(f.RetryAfter, firstRetry))
				wait = max(f.RetryAfter, firstRetry)
			}
			h.Attempts++
			faults = append(faults, fmt.Errorf("webstore: order %d: %w", h.OrderID, err))
			if err := s.Store.PostponeHint(ctx, h, err.Error(), s.Clock.Now().Add(wait)); err != nil {
				return errors.Join(append(faults, err)...)
			}
			if s.Clock.Now().Before(s.pause) {
				break
			}
		}
	}
}

func (s *Reconciler) reconcile(ctx context.Context, h Hint) error {
	now, err := s.Shop.Order(ctx, h.OrderID)
	deleted := fault.Is(err, fault.NotFound)
	if err != nil && !deleted {
		return err
	}
	changed := now.ModifiedAt
	if s.Clock.Now().Sub(changed) < reconciledAfter {
		changed = time.Time{}
	}
	editions := map[string]int{}
	for {
		err = s.reconcileBy(ctx, h, now, changed, deleted, editions)
		var m *missingEdition
		if !errors.As(err, &m) {
			return err
		}
		if editions[m.kind], err = s.Edition(ctx, m.kind); err != nil {
			return err
		}
	}
}

// reconcileBy reconciles an order in one transaction. It returns a *missingEdition error if it needs an edition that is not among the given
// ones, which are those of packs that are sold now, by kind.
func (s *Reconciler) reconcileBy(ctx context.Context, h Hint, now ShopOrder, changed time.Time, deleted bool,
	editions map[string]int) error {
	earned := false
	err := s.Store.SettleOrder(ctx, h, changed, func(ctx context.Context, tx Tx) error {
		earned = false
		o, known, err := tx.Order(ctx)
		if err != nil {
			return err
		}
		switch {
		case deleted && !known, !known && !now.Status.Paid():
			return nil
		case deleted:
			o.note("The shop deleted the order after the payment.")
			o.Status = deletedStatus
			if err := s.hold(ctx, tx, o); err != nil {
				return err
			}
			return tx.PutOrder(ctx, o)
		}
		earned, err = s.apply(ctx, packTx{tx, editions}, o, known, now)
		return err
	})
	if earned && err == nil {
		s.Settled()
	}
	return err
}

// apply brings the recorded order up to the shop's.
func (s *Reconciler) apply(ctx context.Context, tx packTx, o Order, known bool, now ShopOrder) (earned bool, err error) {
	catalogue, noted := s.Catalogue(), len(o.Notes)
	if !known {
		o = Order{ID: now.ID, Number: now.Number, PaidAt: s.Clock.Now()}
		if err := s.findPlayer(ctx, tx, &o, now); err != nil {
			return false, err
		}
		o.record(now, s.Currency, catalogue)
		if o.PlayerID != "" && o.hasChance(catalogue) {
			may, err := tx.MayHaveChance(ctx, o.PlayerID)
			if err != nil {
				return false, err
			}
			if !may { // a player can add packs to the shop's cart with the reference of another product
				o.Problem = fmt.Sprintf("The order has packs, for which player %s's age and country were never checked.", o.PlayerID)
				o.PlayerID = ""
			}
		}
		if ours := len(now.References) > 0 || s.sells(o, catalogue); !ours {
			return false, nil // an order of the shop's other goods
		}
	} else {
		o.reread(now)
		o.edited(now)
	}
	was := o.Status
	o.Status = now.Status
	if was.Paid() && (o.Status == OnHold || o.Status == Failed) {
		o.DisputedAt = s.Clock.Now()
	}
	if o.Status.Paid() {
		if earned, err = s.recognise(ctx, tx, &o, now, catalogue); err != nil {
			return false, err
		}
	}
	changed := false
	for i := range o.Lines {
		l := &o.Lines[i]
		back := o.back(*l, now)
		if until := l.Quantity - back; o.Status.Paid() && l.Contents != nil && l.Waits == "" && l.Given < until {
			if err := s.earn(ctx, tx, o, l, until); err != nil {
				return false, err
			}
			earned = true
		}
		if l.Contents != nil {
			for unit := (l.Quantity - back) * l.Contents.Units(); unit < (l.Quantity-l.Back)*l.Contents.Units(); unit++ {
				if err := tx.TakeBack(ctx, o.purchase(s.Name, *l, unit).String(), l.price()); err != nil {
					return false, err
				}
			}
		}
		changed = changed || back != l.Back
		l.Back = back
	}
	if known && was.Paid() != now.Status.Paid() {
		if err := s.hold(ctx, tx, o); err != nil {
			return false, err
		}
	}
	if !known && o.Waits() {
		s.Log.Warn("order of the webstore needs an operator", "order", o.ID, "problem", o.Problem, "lines", o.Lines)
	}
	if len(o.Notes) > noted {
		s.Log.Warn("order of the webstore has new notes", "order", o.ID, "notes", o.Notes[noted:])
	}
	if err := tx.PutOrder(ctx, o); err != nil {
		return false, err
	}
	if o.PlayerID != "" && (earned || changed) {
		err = tx.Told(ctx, o.PlayerID)
	}
	return earned, err
}

// recognise takes the contents of lines from the catalogue, and decides how much of them is given and when. The units that are
// given although others of their line wait are recorded at once; it reports whether there are any.
func (s *Reconciler) recognise(ctx context.Context, tx packTx, o *Order, now ShopOrder, c *Catalogue) (earned bool, err error) {
	var bought map[int64]int64
	var use CardUse
	var offers map[int64]Offer
	for i := range o.Lines {
		l := &o.Lines[i]
		_, v, ok := c.Variation(l.Variation)
		kept := l.Quantity - o.back(*l, now)
		switch {
		case l.Contents != nil || kept == 0:
			if bought != nil {
				bought[l.Variation] += kept
			}
			continue
		case !ok:
			o.note("Line %d (%s) is of variation %d, which the catalogue does not have. It is given once it does.", l.ID, l.Name, l.Variation)
			continue
		}
		if bought == nil {
			if bought, err = tx.Bought(ctx, o.PlayerID); err != nil {
				return false, err
			}
			if use, err = tx.CardUse(ctx, o.PlayerID, s.Clock.Now().Add(-CardWindow)); err != nil {
				return false, err
			}
			if offers, _, err = s.Offers.Offers(ctx); err != nil {
				return false, err
			}
			for _, earlier := range o.Lines[:i] {
				bought[earlier.Variation] += earlier.Quantity - o.back(earlier, now)
			}
		}
		l.Contents = &v.Contents
		if err := s.fix(ctx, tx, *o, l); err != nil {
			return false, err
		}
		risky := v.risky(s.Goods)
		o.price(l, now, offered(Item{Variation: v}, offers).Price, risky)
		if risky {
			l.GiveAt = o.PaidAt.Add(s.Card.delay(l.Value, use, s.Clock.Now()))
			if err := s.Card.mayBuy(l.Value, use); err != nil && o.PlayerID != "" && l.Waits == "" {
				l.Waits = "more than can be bought in 24 hours"
			}
		}
		before := bought[l.Variation]
		bought[l.Variation] += kept
		if o.PlayerID != "" && v.Limit > 0 && before+kept > v.Limit && l.Waits == "" {
			if free := v.Limit - before; free > 0 {
				if err := s.earn(ctx, tx, *o, l, free); err != nil {
					return false, err
				}
				earned = true
				if risky {
					use.add(l.Value*free/l.Quantity, o.PaidAt, l.GiveAt)
				}
			}
			l.Waits = fmt.Sprintf("the player has paid for %d in all, and the limit is %d", before+kept, v.Limit)
		}
		if risky && l.Waits == "" {
			use.add(l.Value, o.PaidAt, l.GiveAt)
		}
	}
	return earned, nil
}

// hold pauses the unsent grants of an order while the order is not paid: its payment may be disputed.
func (s *Reconciler) hold(ctx context.Context, tx Tx, o Order) error {
	for _, source := range o.Sources(s.Name) {
		if err := tx.Hold(ctx, source, !o.Status.Paid()); err != nil {
			return err
		}
	}
	return nil
}

// sells reports whether the catalogue has a line's variation.
func (s *Reconciler) sells(o Order, c *Catalogue) bool {
	for _, l := range o.Lines {
		if _, _, ok := c.Variation(l.Variation); ok {
			return true
		}
	}
	return false
}

func (s *Reconciler) findPlayer(ctx context.Context, tx Tx, o *Order, now ShopOrder) error {
	owners := make([]owner, len(now.References))
	for i, r := range now.References {
		handOff, ok := s.References.HandOff(r)
		if !ok {
			continue
		}
		o.HandOffs = append(o.HandOffs, handOff)
		var err error
		if owners[i].id, owners[i].gone, err = tx.PlayerOf(ctx, handOff); err != nil {
			return err
		}
	}
	o.refer(owners)
	return nil
}

// earn records the rewards of a line's units up to the given number.
func (s *Reconciler) earn(ctx context.Context, tx packTx, o Order, l *Line, until int64) error {
	detail, err := json.Marshal(Purchase{OrderID: o.ID, Variation: l.Variation, Name: l.Name})
	if err != nil {
		return err
	}
	grants, err := s.grants(*l.Contents, l.GiveAt)
	if err != nil {
		return err
	}
	record := func(draw.Purchase) error { return nil }
	if l.Contents.Opens != "" {
		if record, err = s.recorder(ctx, tx, o, l); err != nil {
			return err
		}
	}
	for unit := l.Given * l.Contents.Units(); unit < until*l.Contents.Units(); unit++ {
		source := o.purchase(s.Name, *l, unit)
		r := reward.Reward{Source: source.String(), Origin: reward.FromWebstore, PlayerID: o.PlayerID, Detail: string(detail), Grants: grants}
		if _, err := tx.AddReward(ctx, r); err != nil {
			return err
		}
		if err := record(source); err != nil {
			return err
		}
	}
	l.Given = until
	return nil
}

// grants returns the grants of one unit that are not drawn. What can change hands is not given before giveAt.
func (s *Reconciler) grants(c Contents, giveAt time.Time) (out []reward.Content, err error) {
	for _, g := range c.Gives {
		if g.Currency != "" {
			out = append(out, reward.Currency{Code: g.Currency, Amount: g.Amount}.Content())
			continue
		}
		contract, chain, standard, ok := s.Goods.Collection(g.Collection)
		if !ok {
			return nil, fmt.Errorf("webstore: there is no collection %q", g.Collection)
		}
		mint := reward.Mint{
			Chain: chain, Contract: contract, Standard: standard, TokenID: g.Token, Amount: money.FromInt(g.Amount),
		}.Content()
		if s.Goods.Transferable(g.Collection) {
			mint.NotBefore = giveAt
		}
		out = append(out, mint)
	}
	if c.Sends != nil {
		x, err := c.Sends.transfer(s.Goods)
		if err != nil {
			return nil, err
		}
		out = append(out, x.Content(giveAt))
	}
	return out, nil
}

// risky reports whether contents can change hands, at least in part. What is drawn may.
func (c Contents) risky(goods Goods) bool {
	return c.Sends != nil || c.Opens != "" || slices.ContainsFunc(c.Gives,
		func(g draw.Grant) bool { return g.Currency == "" && goods.Transferable(g.Collection) })
}

// transfer returns what the treasury sends.
func (s Send) transfer(goods Goods) (x reward.Transfer, err error) {
	if s.USDC != "" {
		x.Standard, x.TokenID = onchain.ERC20, "0"
		x.Contract, x.Chain = goods.USDC()
		x.Amount, err = money.ParseDecimal(s.USDC, money.USDCDecimals)
		return x, err
	}
	var ok bool
	if x.Contract, x.Chain, x.Standard, ok = goods.Collection(s.Collection); !ok {
		return x, fmt.Errorf("webstore: there is no collection %q", s.Collection)
	}
	x.TokenID, x.Amount = s.Token, money.FromInt(s.Amount)
	return x, nil
}

// Units returns how much USDC is sent, in base units; ok is false for packs.
func (s Send) Units() (n int64, ok bool) {
	amount, err := money.ParseDecimal(s.USDC, money.USDCDecimals)
	if err != nil {
		return 0, false
	}
	return amount.Int64()
}

// Poll looks for orders that were changed since the last poll, whatever webhooks said, and for those with lines that the catalogue
// knows only now.
func (s *Reconciler) Poll(ctx context.Context) error {
	if err := s.retryUnknown(ctx); err != nil {
		return err
	}
	until, err := s.Store.PolledUntil(ctx)
	if err != nil {
		return err
	}
	if until.IsZero() { // orders from before the portal's time are not its own
		return s.Store.SetPolledUntil(ctx, s.Clock.Now())
	}
	since := until.Add(-pollOverlap)
	for page := 1; ; {
		changes, more, err := s.Shop.Changes(ctx, since, page)
		if err != nil {
			return err
		}
		if err := s.Store.Hint(ctx, changes, s.Clock.Now()); err != nil {
			return err
		}
		if len(changes) > 0 {
			s.Wake()
			last := since
			for _, c := range changes { // some may have no time
				last = later(last, c.At)
			}
			// Not beyond the portal's own time: once a clock that is ahead is set right, changes would be missed.
			if known := earlier(last, s.Clock.Now()); known.After(until) {
				until = known
				if err := s.Store.SetPolledUntil(ctx, until); err != nil {
					return err
				}
			}
			// Not by pages alone: orders that change meanwhile move to the end, and others would slip past.
			if last.After(since) {
				since, page = last, 0
			}
		}
		if !more {
			return nil
		}
		page++
	}
}

// retryUnknown records hints for orders whose unknown variations are now in the catalogue.
func (s *Reconciler) retryUnknown(ctx context.Context) error {
	unknown, err := s.Store.UnknownLines(ctx)
	if err != nil {
		return err
	}
	catalogue := s.Catalogue()
	var changes []Change
	for order, variations := range unknown {
		if slices.ContainsFunc(variations, func(id int64) bool { _, _, ok := catalogue.Variation(id); return ok }) {
			changes = append(changes, Change{OrderID: order})
		}
	}
	if len(changes) == 0 {
		return nil
	}
	err = s.Store.Hint(ctx, changes, s.Clock.Now())
	s.Wake()
	return err
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// Hint records that an order may have changed, and wakes Run.
func (s *Reconciler) Hint(ctx context.Context, order int64) error {
	err := s.Store.Hint(ctx, []Change{{OrderID: order}}, s.Clock.Now())
	s.Wake()
	return err
}

// Price fetches what the shop asks. The last offer of what cannot be fetched or read stays; the error names it.
func (s *Reconciler) Price(ctx context.Context) error {
	last, _, err := s.Offers.Offers(ctx)
	if err != nil {
		return err
	}
	var offers []Offer
	var faults []error
	fetched := false
	for _, p := range s.Catalogue().Products() {
		found, err := s.Shop.Offers(ctx, p.ID)
		if f := fault.As(err); ctx.Err() != nil || f != nil && (f.Code == fault.TooMany || f.Reason == ReasonNoAnswer) {
			return errors.Join(append(faults, err)...)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("webstore: prices of product %d: %w", p.ID, err))
		}
		fetched = fetched || err == nil
		for _, v := range p.Variations {
			i := slices.IndexFunc(found, func(o Offer) bool { return o.Variation == v.ID })
			o, known := last[v.ID]
			if i >= 0 {
				amount, ok := amountOf(found[i].Price)
				switch {
				case ok && amount > 0:
					o, known = Offer{Variation: v.ID, Price: inWords(amount), InStock: found[i].InStock, At: s.Clock.Now()}, true
				case !found[i].InStock: // nothing is sold without a price
					known = false
				default:
					faults = append(faults, fmt.Errorf("webstore: the shop's price of variation %d is %q", v.ID, found[i].Price))
				}
			} else if err == nil {
				known = false
			}
			if known {
				offers = append(offers, o)
			}
		}
	}
	if fetched {
		faults = append(faults, s.Offers.PutOffers(ctx, offers))
	}
	return errors.Join(faults...)
}

// EnsureWebhooks makes the webhooks that the shop lacks, and enables those that it has disabled.
func (s *Reconciler) EnsureWebhooks(ctx context.Context) error {
	made, enabled, err := s.Shop.EnableHooks(ctx)
	if made > 0 {
		s.Log.Info("webhooks were made in the shop", "hooks", made)
	}
	if enabled > 0 {
		s.Log.Warn("the shop had disabled webhooks after failures; they are enabled again", "hooks", enabled)
	}
	return err
}
