package operator

import (
	"context"
	"encoding/json"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/reward"
)

// Reward is what a player is owed for one thing.
type Reward struct {
	Source    string          `json:"source"`
	Origin    reward.Origin   `json:"origin"`
	State     reward.State    `json:"state"`
	PlayerID  string          `json:"playerId,omitzero"`
	Wallet    eth.Address     `json:"wallet,omitzero"` // the wallet that earned it
	Error     string          `json:"error,omitzero"`
	EarnedAt  time.Time       `json:"earnedAt"`
	CreatedAt time.Time       `json:"createdAt"`
	UpdatedAt time.Time       `json:"updatedAt"`
	Detail    json.RawMessage `json:"detail,omitempty"`
	Grants    []Grant         `json:"grants"`
}

// Grant is a part of a reward.
type Grant struct {
	Kind     string          `json:"kind"`
	Detail   json.RawMessage `json:"detail,omitempty"`
	State    reward.State    `json:"state"`
	Error    string          `json:"error,omitzero"`
	Attempts int             `json:"attempts"` // consecutive failures of its current step
}

// Find selects rewards.
type Find struct {
	PlayerID string // "" for all
	State    string // a State, "open" for those neither done, failed nor cancelled, "" for all
	Unowned  bool   // those of wallets that no player has registered only
	Limit    int
}

// Rewards stores rewards.
type Rewards interface {
	// FindRewards returns rewards, newest first; failed ones of all players by when they failed, and unowned ones by wallet.
	FindRewards(ctx context.Context, f Find) ([]reward.Record, error)
	// RewardRecord returns a reward, or a NotFound fault.
	RewardRecord(ctx context.Context, source string) (reward.Record, error)
	// RedoReward makes the failed grants of a reward pending again, and returns how many they are.
	RedoReward(ctx context.Context, source string, e Entry) (grants int, err error)
	// AssignReward gives a reward without a player to one. It reports whether it had none.
	AssignReward(ctx context.Context, source, playerID string, e Entry) (bool, error)
}

// Rewards returns rewards, newest first; the player, if any, is given as for Service.Find.
func (s *Service) Rewards(ctx context.Context, player string, f Find) ([]Reward, error) {
	if err := checkLimit(f.Limit); err != nil {
		return nil, err
	}
	if player != "" {
		p, err := s.Find(ctx, player)
		if err != nil {
			return nil, err
		}
		f.PlayerID = p.ID
	}
	records, err := s.o.Store.FindRewards(ctx, f)
	return rewardsOf(records), err
}

// Reward returns one reward. It returns fault.NotFound for an unknown one.
func (s *Service) Reward(ctx context.Context, source string) (Reward, error) {
	r, err := s.o.Store.RewardRecord(ctx, source)
	return rewardOf(r), err
}

// RedoReward gives the failed grants of a reward again, under the same source, and returns how many they are. It returns fault.NotFound
// for an unknown reward, and fault.Conflict if none of its grants has failed, or if the player may have one already, because the game
// platform's answer was lost, unless evenIfGiven is set.
func (s *Service) RedoReward(ctx context.Context, source string, evenIfGiven bool, by By) (grants int, err error) {
	e, err := s.entry(by, "reward redo", source, "")
	if err != nil {
		return 0, err
	}
	if evenIfGiven {
		e.Detail = "even if given"
	}
	r, err := s.o.Store.RewardRecord(ctx, source)
	if err != nil {
		return 0, err
	}
	if r.State == reward.Failed && len(r.Given) == 0 {
		return 0, fault.New(fault.Conflict, "This reward was never drawn (%s): it has nothing to give.", r.Error)
	}
	for i, g := range r.Given {
		if g.State == reward.Failed && g.Error == s.o.UnclearGrant && !evenIfGiven {
			return 0, fault.New(fault.Conflict, "It is not known whether the player has grant %d (%s): "+
				"look up the balance on the game platform and, if it was not given, give it again although the player may have it (--even-if-given).",
				i, g.Detail)
		}
	}
	grants, err = s.o.Store.RedoReward(ctx, source, e)
	if err == nil && grants == 0 {
		err = fault.New(fault.Conflict, "Nothing of this reward has failed; it is %s.", r.State)
	}
	return grants, err
}

// AssignReward gives a reward that waits for its wallet's player to a player, given as for Find. Faults are those of Find,
// fault.NotFound for an unknown reward, and fault.Conflict for one that has a player or is of an order of the shop.
func (s *Service) AssignReward(ctx context.Context, source, player string, by By) (Player, error) {
	p, e, err := s.actOn(ctx, player, by, "reward assign", "")
	if err != nil {
		return Player{}, err
	}
	r, err := s.o.Store.RewardRecord(ctx, source)
	if err != nil {
		return Player{}, err
	}
	if r.Origin == reward.FromWebstore {
		return Player{}, fault.New(fault.Conflict, "This reward is of an order of the webstore: assign the whole order by shop assign.")
	}
	e.Subject, e.Detail = source, "to "+p.ID
	done, err := s.o.Store.AssignReward(ctx, source, p.ID, e)
	if err == nil && !done {
		err = fault.New(fault.Conflict, "This reward is player %s's.", r.PlayerID)
	}
	return p, err
}

func rewardsOf(records []reward.Record) []Reward {
	out := make([]Reward, len(records))
	for i, r := range records {
		out[i] = rewardOf(r)
	}
	return out
}

func rewardOf(r reward.Record) Reward {
	out := Reward{
		Source: r.Source, Origin: r.Origin, State: r.State, PlayerID: r.PlayerID, Wallet: r.Wallet, Error: r.Error,
		EarnedAt: r.EarnedAt, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Detail: jsonOf(r.Detail), Grants: make([]Grant, len(r.Given)),
	}
	for i, g := range r.Given {
		out.Grants[i] = Grant{Kind: string(g.Kind), Detail: jsonOf(g.Detail), State: g.State, Error: g.Error, Attempts: g.Attempts}
	}
	return out
}

// jsonOf returns a stored text as the JSON that it is, or as a JSON string.
func jsonOf(text string) json.RawMessage {
	if text == "" || json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	b, _ := json.Marshal(text) // a string always can be
	return b
}
