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

// platform is the configured game platform, and the store of rewards, which pays currencies there.
type platform struct {
	gamePlatform
	rewards reward.Store
	playfab *playfab.Platform // nil with the built-in platform
}

// newPlatform returns the configured game platform.
func newPlatform(ctx context.Context, b *base, mails mails, o Options) (platform, error) {
	if b.config.GamePlatform == config.PlatformPlayFab {
		title := newPlayFab(b.config, accounts.New(b.db), playfab.Options{Clock: b.clock, Log: b.log})
		b.onClose(func() error { title.Close(); return nil })
		balances := purse.NewService(store.Purse{DB: b.db}, title, b.clock,
			func(err error) { b.log.Error("PlayFab balance needs manual review", "error", err) })
		return platform{title, platformRewards{rewards.New(b.db), balances, b.log.Warn}, title}, nil
	}
	if o.Standings != nil {
		if err := accounts.New(b.db).SeedScores(ctx, o.Standings, b.clock.Now()); err != nil {
			return platform{}, err
		}
	}
	builtIn, err := local.New(accounts.New(b.db), local.Options{
		Site: b.config.PublicURL, NoMail: mails.none, EmailWait: b.config.Withdrawals.Delay, Clock: b.clock, Cost: o.PasswordCost,
	})
	if err != nil {
		return platform{}, err
	}
	return platform{builtIn, rewards.New(b.db), nil}, measureHashes(b, builtIn)
}

// measureHashes counts the passwords that are hashed, and those that are not because the queue is full: password
// guessing shows there first.
func measureHashes(b *base, p *local.Platform) error {
	for result, count := range map[string]func() int64{
		"made":    func() int64 { made, _ := p.Hashes(); return made },
		"refused": func() int64 { _, refused := p.Hashes(); return refused },
	} {
		if err := b.registry.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{
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
