package reward

import (
	"context"
	"time"

	"pantheon/internal/kit/fault"
)

// Find selects rewards for an operator.
type Find struct {
	PlayerID string // "" for all
	State    string // a State, "open" for those neither done, failed nor cancelled, "" for all
	Unowned  bool   // those of wallets that no player has registered only
	Limit    int
}

// Entry is one command of an operator, for the log.
type Entry struct {
	At      time.Time
	Who     string // the account of the operating system
	Command string
	Subject string
	Reason  string
}

// OperatorStore is what operators need of the store.
type OperatorStore interface {
	// FindRewards returns rewards, newest first.
	FindRewards(ctx context.Context, f Find) ([]Record, error)
	// RewardRecord returns a reward, or a NotFound fault.
	RewardRecord(ctx context.Context, source string) (Record, error)
	// RedoReward makes the failed grants of a reward pending again, logs that, and returns how many they are.
	RedoReward(ctx context.Context, source string, e Entry) (grants int, err error)
	// AssignReward gives a reward without a player to one and logs that. It reports whether it had none.
	AssignReward(ctx context.Context, source, playerID string, e Entry) (bool, error)
}

// Redo gives the failed grants of a reward again, under the same source. It returns a NotFound fault for an unknown
// reward, and a Conflict fault if none of its grants has failed.
func Redo(ctx context.Context, s OperatorStore, source string, e Entry) (grants int, err error) {
	r, err := s.RewardRecord(ctx, source)
	if err != nil {
		return 0, err
	}
	if r.State == Failed && len(r.Given) == 0 {
		return 0, fault.New(fault.Conflict, "This reward was never drawn (%s): it has nothing to give.", r.Error)
	}
	grants, err = s.RedoReward(ctx, source, e)
	if err == nil && grants == 0 {
		err = fault.New(fault.Conflict, "Nothing of this reward has failed; it is %s.", r.State)
	}
	return grants, err
}

// Assign gives a reward that waits for its wallet's player to a player. It returns a NotFound fault for an unknown reward,
// and a Conflict fault for one that has a player.
func Assign(ctx context.Context, s OperatorStore, source, playerID string, e Entry) error {
	r, err := s.RewardRecord(ctx, source)
	if err != nil {
		return err
	}
	done, err := s.AssignReward(ctx, source, playerID, e)
	if err == nil && !done {
		return fault.New(fault.Conflict, "This reward is player %s's.", r.PlayerID)
	}
	return err
}
