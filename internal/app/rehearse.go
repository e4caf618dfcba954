package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"pantheon/internal/chain/signer"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/reward"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/rewards"
)

// Rehearsal is what came of restoring a backup aside.
type Rehearsal struct {
	Backup  string    `json:"backup"`  // its name; "" for a database that another tool restored
	TakenAt time.Time `json:"takenAt"` // when the portal was last alive in it
	Age     Seconds   `json:"ageSeconds"`
	Took    Seconds   `json:"tookSeconds"`
	Steps   []Step    `json:"steps"`
}

// Seconds is a duration that JSON has in seconds.
type Seconds time.Duration

// MarshalJSON writes the seconds.
func (s Seconds) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%.1f", time.Duration(s).Seconds()), nil
}

// Step is a step of a rehearsal.
type Step struct {
	Name     string   `json:"name"`
	Result   string   `json:"result"`
	Problems []string `json:"problems"` // at most a hundred
	Took     Seconds  `json:"tookSeconds"`
}

// OK reports whether no step has a problem.
func (r Rehearsal) OK() bool {
	return !slices.ContainsFunc(r.Steps, func(s Step) bool { return len(s.Problems) > 0 })
}

// RehearseOptions configure a rehearsal.
type RehearseOptions struct {
	Name     string // of the backup; "" for the newest
	Identity string // file of the private key of age; "" for a PostgreSQL database that another tool restored
	Folder   string // where to restore; "" for a temporary folder in DATA_DIR
	Log      *slog.Logger
	Done     func(Step) // called after each step; may be nil
}

// rehearsing is who changes the restored database.
var rehearsing = operator.By{Who: "pantheon rehearse", Reason: "rehearsal of a restore"}

// rehearsal is a rehearsal while it runs.
type rehearsal struct {
	RehearseOptions
	Rehearsal
	aside config.Config // of the restored database
}

// Rehearse restores a backup aside and does what a restore needs: it opens every wallet, restores those that are newer from their copies,
// deletes accounts again that were deleted, rebuilds the index, and compares it with the chains. The portal may serve meanwhile: nothing of
// it is changed, and nothing is signed or sent.
func Rehearse(ctx context.Context, c config.Config, o RehearseOptions) (_ Rehearsal, err error) {
	c.Complete()
	begin := time.Now()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &rehearsal{RehearseOptions: o, aside: c}
	if o.Folder == "" {
		if r.Folder, err = os.MkdirTemp(c.DataDir, "rehearsal-"); err != nil {
			return r.Rehearsal, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(r.Folder)) }()
	}
	r.aside.DataDir, r.aside.DatabaseURL, r.aside.Backup.RehearseURL = r.Folder, c.Backup.RehearseURL, ""
	err = r.run(ctx, c)
	r.Took = Seconds(time.Since(begin))
	return r.Rehearsal, err
}

func (r *rehearsal) run(ctx context.Context, c config.Config) error {
	if err := r.restore(ctx, c); err != nil {
		return err
	}
	steps := []struct {
		name string
		run  func(context.Context) (string, []string, error)
	}{
		{"database", r.checkDatabase},
		{"wallets", r.openWallets},
		{"copies of wallets", r.restoreCopies},
		{"game chain", func(ctx context.Context) (string, []string, error) { return r.reconcileChain(ctx, r.aside.GameChain) }},
		{"main chain", func(ctx context.Context) (string, []string, error) { return r.reconcileChain(ctx, r.aside.MainChain) }},
		{"rewards", r.checkRewards},
		{"wallets of the portal", r.checkSenders},
	}
	for _, s := range steps {
		begin := time.Now()
		result, problems, err := s.run(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			problems = append(problems, err.Error())
		}
		r.note(s.name, result, problems, begin)
	}
	return nil
}

// mostProblems is how many problems of a step are named.
const mostProblems = 100

func (r *rehearsal) note(name, result string, problems []string, begin time.Time) {
	if len(problems) > mostProblems {
		problems = append(problems[:mostProblems:mostProblems], fmt.Sprintf("and %d more", len(problems)-mostProblems))
	}
	s := Step{name, result, problems, Seconds(time.Since(begin))}
	r.Steps = append(r.Steps, s)
	if r.Done != nil {
		r.Done(s)
	}
}

// restore restores the backup, or takes the database that another tool restored, and brings its schema up to date.
func (r *rehearsal) restore(ctx context.Context, c config.Config) error {
	begin := time.Now()
	switch {
	case c.DatabaseURL != "" && c.Backup.RehearseURL == "":
		return fault.New(fault.Invalid, "REHEARSE_DATABASE_URL: must be the URL of a PostgreSQL database that was restored aside")
	case c.DatabaseURL == "" && c.Backup.RehearseURL != "":
		return fault.New(fault.Invalid, "REHEARSE_DATABASE_URL: must be empty for a SQLite database")
	case c.DatabaseURL == "":
		name, m, err := extract(ctx, c, r.Name, r.Identity, r.Folder)
		if err != nil {
			return err
		}
		r.Backup, r.TakenAt = name, m.TakenAt
	}
	if c.DatabaseURL != "" {
		if err := r.checkAside(ctx); err != nil {
			return err
		}
	}
	from, to, err := Migrate(ctx, r.aside, false)
	if err != nil {
		return err
	}
	result := fmt.Sprintf("schema %d", to)
	if from != to {
		result = fmt.Sprintf("schema %d, brought to %d", from, to)
	}
	if !r.TakenAt.IsZero() {
		r.Age = Seconds(clock.System{}.Now().Sub(r.TakenAt))
	}
	r.note("restore", result, nil, begin)
	return nil
}

// checkAside refuses a database that a portal uses, and notes when one last did. A lease that has not expired is watched until it has: in a
// copy nobody renews it.
func (r *rehearsal) checkAside(ctx context.Context) error {
	var first time.Time
	for {
		expires, err := store.LeaseOn(ctx, r.aside.DatabaseURL.Reveal(), leaseName)
		switch {
		case err != nil:
			return err
		case first.IsZero():
			first = expires
		case !expires.Equal(first):
			return fault.New(fault.Conflict, "REHEARSE_DATABASE_URL: a portal is using this database")
		}
		left := time.Until(expires)
		if left <= 0 {
			if !expires.IsZero() {
				r.TakenAt = expires.Add(-leaseTTL)
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(left+time.Millisecond, time.Second)):
		}
	}
}

func (r *rehearsal) checkDatabase(ctx context.Context) (result string, problems []string, err error) {
	err = withStore(ctx, r.aside, store.ReadWrite, func(db *store.DB) error {
		if problems, err = db.Integrity(ctx); err != nil {
			return err
		}
		result = "whole"
		return nil
	})
	return result, problems, err
}

// openWallets opens every sealed key and compares its address.
func (r *rehearsal) openWallets(ctx context.Context) (result string, problems []string, err error) {
	ring, err := openKeys(ctx, r.aside)
	if err != nil {
		return "", nil, err
	}
	err = withStore(ctx, r.aside, store.ReadOnly, func(db *store.DB) error {
		box, err := signer.NewBox(ring, store.SignerKeys{DB: db})
		if err != nil {
			return err
		}
		opened, after := 0, ""
		for {
			batch, err := (store.SignerKeys{DB: db}).SealedOtherwise(ctx, after, "no key", rehearseBatch)
			if err != nil || len(batch) == 0 {
				result = fmt.Sprintf("opened %d of %d", opened, opened+len(problems))
				return err
			}
			for _, w := range batch {
				after = w.Player
				if err := checkWallet(ctx, db, box, w); err != nil {
					problems = append(problems, fmt.Sprintf("the wallet of %s: %v", w.Player, err))
					continue
				}
				opened++
			}
		}
	})
	return result, problems, err
}

// rehearseBatch is how many rows are read at a time.
const rehearseBatch = 500

func checkWallet(ctx context.Context, db *store.DB, box *signer.Box, w wallet.Sealed) error {
	owner, err := box.OwnerOf(ctx, w)
	if err != nil {
		return err
	}
	known, err := accounts.New(db).Wallet(ctx, w.Player)
	if err == nil && known.Owner != owner {
		err = fmt.Errorf("its key is that of %s, and not of %s", owner.Checksum(), known.Owner.Checksum())
	}
	return err
}

func (r *rehearsal) restoreCopies(ctx context.Context) (result string, problems []string, err error) {
	if !r.aside.WalletCopies.Set() {
		return "there is no second place", nil, nil
	}
	restored, err := RestoreWallets(ctx, r.aside, false, rehearsing)
	return fmt.Sprintf("%d copies, restored %d wallets, deleted %d accounts again",
		restored.Copies, len(restored.Restored), len(restored.Deleted)), restored.Problems, err
}

// checkRewards makes sure that what rewards have given has a transaction that was mined.
func (r *rehearsal) checkRewards(ctx context.Context) (result string, problems []string, err error) {
	err = withStore(ctx, r.aside, store.ReadOnly, func(db *store.DB) error {
		checked, after := 0, reward.Grant{}
		for {
			batch, err := rewards.New(db).GivenTokens(ctx, after, rehearseBatch)
			if err != nil {
				return err
			}
			for _, g := range batch {
				after = g
				checked++
				if err := checkGiven(ctx, db, g); err != nil {
					problems = append(problems, fmt.Sprintf("%s is done: %v", g.ID(), err))
				}
			}
			if len(batch) < rehearseBatch {
				result = fmt.Sprintf("%d tokens given", checked)
				return nil
			}
		}
	})
	return result, problems, err
}
