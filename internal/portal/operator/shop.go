package operator

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/portal/reward"
)

// ShopOrder is a paid order of the webstore.
type ShopOrder struct {
	ID         int64       `json:"id"`
	Number     string      `json:"number"`
	Status     string      `json:"status"`
	PlayerID   string      `json:"playerId,omitzero"` // "" while nobody knows whose it is
	PaidAt     time.Time   `json:"paidAt"`
	DisputedAt time.Time   `json:"disputedAt,omitzero"`
	Problem    string      `json:"problem,omitzero"` // why it waits for an operator as a whole
	Notes      []string    `json:"notes"`
	Refers     []Reference `json:"refers"` // whom its references name
	Lines      []ShopLine  `json:"lines"`
	Rewards    []Reward    `json:"rewards,omitempty"` // of an order that is shown alone
}

// Reference is a player whom a reference of an order names.
type Reference struct {
	PlayerID string `json:"playerId,omitzero"` // "" for one that the portal does not know
	Deleted  bool   `json:"deleted"`           // whether the account was deleted
}

// ShopLine is a line of a ShopOrder.
type ShopLine struct {
	ID        int64  `json:"id"`
	Variation int64  `json:"variation"`
	Name      string `json:"name"`
	Quantity  int64  `json:"quantity"`
	Back      int64  `json:"takenBack"`
	Waiting   int64  `json:"waiting"`        // units that wait for an operator
	Waits     string `json:"waits,omitzero"` // why they do
	Unknown   bool   `json:"unknown"`        // whether the catalogue does not know what it gives
}

// Why says in one line why an order waits for an operator; "" if it does not.
func (o ShopOrder) Why() string {
	var why []string
	if o.Problem != "" {
		why = append(why, o.Problem)
	}
	for _, l := range o.Lines {
		if l.Waits != "" {
			why = append(why, fmt.Sprintf("Line %d (%s): %s.", l.ID, l.Name, l.Waits))
		}
	}
	return strings.Join(why, " ")
}

// ShopBacklog is what waits in the webstore.
type ShopBacklog struct {
	Reported int64       `json:"reported"`       // orders that are to be fetched
	Since    time.Time   `json:"since,omitzero"` // since when the oldest of them waits; zero for none
	Failed   []ShopHint  `json:"failed"`         // those that could not be settled
	Waiting  int64       `json:"waiting"`        // paid orders that wait for an operator
	Orders   []ShopOrder `json:"orders"`         // the oldest of them
	Debts    []Debt      `json:"debts"`          // what players owe after refunds
}

// ShopHint is an order that the shop reported and that could not be settled yet.
type ShopHint struct {
	OrderID  int64     `json:"orderId"`
	Since    time.Time `json:"since"`
	Attempts int64     `json:"attempts"`
	Error    string    `json:"error"`
}

// Debt is a grant that a player got and did not pay for in the end.
type Debt struct {
	PlayerID string          `json:"playerId"`
	State    string          `json:"state"`
	Amount   int64           `json:"amount"` // that is owed: of a currency, or copies of a token
	Kind     string          `json:"kind"`
	Detail   json.RawMessage `json:"detail,omitempty"`
	Source   string          `json:"source"` // of the reward
}

// Forgiven is what was forgiven.
type Forgiven struct {
	Player   Player `json:"player"`
	Debts    int64  `json:"debts"`
	Disputes int64  `json:"disputes"`
}

// Shop stores paid orders of the webstore.
type Shop interface {
	// ShopBacklog returns what waits, at most limit of each.
	ShopBacklog(ctx context.Context, limit int) (ShopBacklog, error)
	// ShopOrder returns a paid order, or fault.NotFound. shop is its name in the sources of rewards.
	ShopOrder(ctx context.Context, id int64, shop string) (ShopOrder, []reward.Record, error)
	// AssignShopOrder gives a paid order without a player to one, with its rewards. It returns fault.NotFound for an unknown order or
	// player, and fault.Conflict for an order that has a player.
	AssignShopOrder(ctx context.Context, id int64, playerID, shop string, e Entry) error
	// ReleaseShopOrder gives a player what waits for an operator of a paid order, as far as its quantity is known. It returns
	// fault.NotFound for an unknown order, and fault.Conflict for one without a player or of which nothing waits.
	ReleaseShopOrder(ctx context.Context, id int64, e Entry) error
	// ForgiveShopDebts forgives a player's open debts and the disputes of their payments, and returns how many they were.
	ForgiveShopDebts(ctx context.Context, playerID string, e Entry) (debts, disputes int64, err error)
}

// ShopBacklog returns what waits in the webstore, at most limit of each.
func (s *Service) ShopBacklog(ctx context.Context, limit int) (ShopBacklog, error) {
	if err := checkLimit(limit); err != nil {
		return ShopBacklog{}, err
	}
	return s.o.Store.ShopBacklog(ctx, limit)
}

// ShopOrder returns a paid order with its rewards. It returns fault.NotFound for an unknown one.
func (s *Service) ShopOrder(ctx context.Context, id int64) (ShopOrder, error) {
	o, records, err := s.o.Store.ShopOrder(ctx, id, s.o.ShopName)
	o.Rewards = rewardsOf(records)
	return o, err
}

// AssignShopOrder gives a paid order without a player to one, given as for Find, with its rewards. Faults are those of Find,
// fault.NotFound for an unknown order, and fault.Conflict for one that has a player.
func (s *Service) AssignShopOrder(ctx context.Context, id int64, player string, by By) (Player, error) {
	p, e, err := s.actOn(ctx, player, by, "shop assign", "")
	if err != nil {
		return Player{}, err
	}
	e.Subject, e.Detail = strconv.FormatInt(id, 10), "to "+p.ID
	return p, s.o.Store.AssignShopOrder(ctx, id, p.ID, s.o.ShopName, e)
}

// ReleaseShopOrder gives a player what waits for an operator of a paid order. It returns fault.NotFound for an unknown order, and
// fault.Conflict for one without a player or of which nothing waits.
func (s *Service) ReleaseShopOrder(ctx context.Context, id int64, by By) error {
	e, err := s.entry(by, "shop release", strconv.FormatInt(id, 10), "")
	if err != nil {
		return err
	}
	return s.o.Store.ReleaseShopOrder(ctx, id, e)
}

// ForgiveShopDebts forgives what a player, given as for Find, owes after refunds, and disputes of the player's payments.
func (s *Service) ForgiveShopDebts(ctx context.Context, player string, by By) (Forgiven, error) {
	p, e, err := s.actOn(ctx, player, by, "shop forgive", "")
	if err != nil {
		return Forgiven{}, err
	}
	debts, disputes, err := s.o.Store.ForgiveShopDebts(ctx, p.ID, e)
	return Forgiven{p, debts, disputes}, err
}
