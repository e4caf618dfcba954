package app

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pantheon/internal/config"
	"pantheon/internal/gameplatform/local"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/profile"
	"pantheon/internal/portal/purse"
	"pantheon/internal/portal/reward"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/rewards"
)

// gamePlatform is everything the capabilities need from a game platform.
type gamePlatform interface {
	account.Platform
	account.Linking
	profile.Platform
	leaderboard.Platform
}

// openPlatform returns the configured game platform, and the store that pays rewards.
func (a *App) openPlatform(noMail bool) (gamePlatform, reward.Store, error) {
	if a.config.GamePlatform != config.PlatformPlayFab {
		platform, err := local.New(accounts.New(a.db), local.Options{
			Site: a.config.PublicURL, NoMail: noMail, EmailWait: a.config.Withdrawals.Delay, Clock: a.clock, Cost: a.passwordCost,
		})
		if err == nil {
			err = a.measureHashes(platform)
		}
		return platform, rewards.New(a.db), err
	}
	a.playfab = newPlayFab(a.config, accounts.New(a.db), playfab.Options{Clock: a.clock, Log: a.log})
	balances := purse.NewService(store.Purse{DB: a.db}, a.playfab, a.clock,
		func(err error) { a.log.Error("PlayFab balance needs manual review", "error", err) })
	return a.playfab, platformRewards{rewards.New(a.db), balances, a.log.Warn}, nil
}

// measureHashes counts the passwords that are hashed, and those that are not because the queue is full: password
// guessing shows there first.
func (a *App) measureHashes(p *local.Platform) error {
	for result, count := range map[string]func() int64{
		"made":    func() int64 { made, _ := p.Hashes(); return made },
		"refused": func() int64 { _, refused := p.Hashes(); return refused },
	} {
		if err := a.registry.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: "pantheon", Subsystem: "password", Name: "hashes_total",
			Help:        "Passwords that were hashed, and those that were not because too many were waiting.",
			ConstLabels: prometheus.Labels{"result": result},
		}, func() float64 { return float64(count()) })); err != nil {
			return err
		}
	}
	return nil
}

func newPlayFab(c config.Config, known playfab.Known, o playfab.Options) *playfab.Platform {
	o.TitleID, o.SecretKey, o.URL = c.PlayFab.TitleID, c.PlayFab.SecretKey.Reveal(), c.PlayFab.URL
	o.RecoveryTemplate, o.LoginsPerMinute, o.Known = c.PlayFab.RecoveryTemplate, c.PlayFab.LoginsPerMinute, known
	return playfab.New(o)
}

// names provides the profile with the game platform's player data.
type names struct{ platform account.Platform }

func (n names) Name(ctx context.Context, playerID string) (displayName, email string, confirmed bool, err error) {
	id, err := n.platform.Player(ctx, playerID)
	return id.DisplayName, id.Email, id.EmailConfirmed || n.platform.KeepsEmails(), err
}

// platformRewards pays currencies on a game platform outside the database: first there, by the reward's source, then
// it is recorded here. If the process dies in between, paying again changes nothing.
type platformRewards struct {
	rewards.Store
	purse *purse.Service
	warn  func(message string, args ...any)
}

// PayCurrency credits a currency; see reward.Store.
func (p platformRewards) PayCurrency(ctx context.Context, g reward.Grant, c reward.Currency, at time.Time) error {
	var err error = purse.ErrFull // for what no balance can hold: otherwise it would look like a platform that is away
	if c.Amount <= purse.MaxBalance {
		err = p.purse.Credit(ctx, g.ID(), g.PlayerID, c.Code, c.Amount)
	}
	switch f := fault.As(err); {
	case err == nil:
		_, err := p.MoveGrant(ctx, g, reward.Done, "", at)
		return err
	case f == nil: // such as a wrong key: mints continue without it
		return fault.New(fault.Unavailable, "The reward cannot be credited.").Because(err)
	case f.Code == fault.Conflict, f.Code == fault.NotFound: // permanent
		p.warn("a reward cannot be credited", "source", g.ID(), "error", err)
		_, err := p.MoveGrant(ctx, g, reward.Failed, f.Message, at)
		return err
	case f.Reason == purse.ReasonUncertain, f.Reason == purse.ReasonBusy:
		if errors.Unwrap(f) != nil { // the response was lost just now; later attempts only wait for it
			p.warn("not known whether a reward was credited, looking again in a minute", "source", g.ID(), "error", err)
		}
		return fault.New(fault.Conflict, "This reward is still being credited.").Because(err)
	}
	return err
}
