package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"pantheon/internal/config"
	"pantheon/internal/gameplatform/playfab"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/draw"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/leaderboard"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/packs"
	"pantheon/internal/portal/purse"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	gasstore "pantheon/internal/store/gas"
	"pantheon/internal/store/operators"
	"pantheon/internal/store/rewards"
)

// Lookup runs a task that reads the configured database, while a portal may be running. It needs no other setting, and changes nothing:
// it makes no file and refuses a schema that is older than this program's.
func Lookup(ctx context.Context, c config.Config, do func(*operator.Service) error) error {
	return withOperator(ctx, c, store.ReadOnly, do)
}

// Act runs a task that changes something in the configured database, while a portal may be running. Like Lookup it neither makes nor
// migrates the database.
func Act(ctx context.Context, c config.Config, do func(*operator.Service) error) error {
	return withOperator(ctx, c, store.ReadWrite, do)
}

func withOperator(ctx context.Context, c config.Config, access store.Access, do func(*operator.Service) error) error {
	c.Complete()
	return withStore(ctx, c, access, func(db *store.DB) error { return do(newOperator(c, db, clock.System{})) })
}

// withStore opens the configured database for one task.
func withStore(ctx context.Context, c config.Config, access store.Access, do func(*store.DB) error) (err error) {
	if err := c.Unreadable("DATABASE_URL"); err != nil {
		return err
	}
	db, err := store.Open(ctx, store.Options{
		URL: c.DatabaseURL.Reveal(), Path: filepath.Join(c.DataDir, databaseFile), Access: access, Clock: clock.System{},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}

// newOperator returns what operators do on a database.
func newOperator(c config.Config, db *store.DB, at clock.Clock) *operator.Service {
	ports := operatorPorts{operators.New(db), rewards.New(db), c}
	return operator.NewService(operator.Options{
		Store: ports.Store, Clock: at, Gas: ports, Scores: ports, Tables: ports, ShopName: c.Shop.Name,
		SignInLink:   func(playerID, page string, at time.Time) (string, error) { return contextLink(c, playerID, page, at) },
		FrozenText:   func(reason string) string { return account.FrozenFault(reason).Message },
		UnclearGrant: purse.ErrUnclear.Message,
	})
}

// operatorPorts are the operator's ports that need more than the database.
type operatorPorts struct {
	operators.Store
	kept   rewards.Store
	config config.Config
}

// ReportScore reports a score to the configured game platform; see operator.Scores.
func (o operatorPorts) ReportScore(ctx context.Context, playerID, board string, score int64, e operator.Entry) error {
	platform := scores{set: func() error { return o.PutScore(ctx, playerID, board, score, e) }}
	if o.config.GamePlatform == config.PlatformPlayFab {
		title := newPlayFab(o.config, accounts.New(o.DB), playfab.Options{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
		defer title.Close()
		platform.set = func() error {
			if err := o.LogOperator(ctx, e); err != nil {
				return err
			}
			return title.SetScore(ctx, playerID, board, score)
		}
	}
	return leaderboard.NewService(platform, boardsOf(o.config.Brand)...).Report(ctx, board, playerID, score)
}

// scores is a game platform to which one score is reported.
type scores struct {
	leaderboard.Platform // nil: nothing is read
	set                  func() error
}

// SetScore reports the score; see leaderboard.Platform.
func (s scores) SetScore(context.Context, string, string, int64) error { return s.set() }

// KeptTables returns the known drop tables; see operator.Tables.
func (o operatorPorts) KeptTables(ctx context.Context) ([]draw.Table, error) {
	return o.kept.KeptTables(ctx)
}

// Announce keeps drop tables; see operator.Tables.
func (o operatorPorts) Announce(ctx context.Context, tables *draw.Tables, e operator.Entry) error {
	return packs.Tables(ctx, loggedTables{o.Store, e}, tables)
}

// loggedTables keep drop tables with an entry in the operators' log.
type loggedTables struct {
	operators.Store
	entry operator.Entry
}

// KeepTables keeps drop tables; see packs.TableStore.
func (l loggedTables) KeepTables(ctx context.Context, tables []draw.Table, follows func(kept []draw.Table) error) error {
	return l.Store.KeepTables(ctx, tables, follows, l.entry)
}

// GasBudgets returns the budgets of the configured chains, and what was spent on others that the database follows; see
// operator.GasBudgets.
func (o operatorPorts) GasBudgets(ctx context.Context, at time.Time) ([]operator.GasBudget, error) {
	chains, err := o.Chains(ctx)
	if err != nil {
		return nil, err
	}
	var out []operator.GasBudget
	for _, chain := range []struct {
		name   string
		config config.Chain
	}{{operator.GameChain, o.config.GameChain}, {operator.MainChain, o.config.MainChain}} {
		id := chain.config.ChainID()
		chains = slices.DeleteFunc(chains, func(other onchain.ChainID) bool { return other == id })
		total, _, _, err := chain.config.Gas()
		if err != nil {
			return nil, fmt.Errorf("the gas budget of the %s chain is no amount", chain.name)
		}
		budget := gas.Budget{Total: gas.Allowance{Operations: orUnbounded(o.config.Relay.OpsTotal), Wei: total}}
		b, s, err := o.gasSpent(ctx, id, at)
		if err != nil {
			return nil, err
		}
		left, operations := gasLeft(budget, s)
		b.Chain, b.Limits = chain.name, &operator.GasLimits{Budget: total, Left: left, OperationsLeft: operations}
		out = append(out, b)
	}
	for _, id := range chains {
		b, _, err := o.gasSpent(ctx, id, at)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

func (o operatorPorts) gasSpent(ctx context.Context, id onchain.ChainID, at time.Time) (operator.GasBudget, gas.Spending, error) {
	s, err := gasstore.New(o.DB).Spending(ctx, id, at)
	return operator.GasBudget{
		ChainID: id, Day: s.Day, Raised: s.Raised.Wei, Spent: s.Spent.Wei, Newcomers: s.Newcomers.Wei, Operations: s.Spent.Operations,
	}, s, err
}

// SignerKey is a key that was made for the players' wallets.
type SignerKey struct {
	Path        string   `json:"path"`
	Fingerprint string   `json:"fingerprint"`
	Logged      bool     `json:"logged"` // whether the operators' log has an entry
	Warnings    []string `json:"warnings"`
}

// InitKey creates the key that seals the players' wallets, sealed by a key management service unless uri is "". It never replaces one. The
// operators' log has an entry of it, unless the portal is so new that there is no database yet, or none with tables.
func InitKey(ctx context.Context, c config.Config, uri string, by operator.By) (k SignerKey, err error) {
	c.Complete()
	entry, err := by.Entry(clock.System{}.Now(), "key init", c.SignerKeyFile, "")
	if err != nil {
		return k, err
	}
	create := func() (err error) {
		k.Path, k.Fingerprint, err = MakeSignerKey(ctx, c, uri)
		k.Warnings = KeyWarnings(c)
		return err
	}
	err = withStore(ctx, c, store.ReadWrite, func(db *store.DB) error {
		if err := operators.New(db).CheckRights(ctx, entry); err != nil {
			return err
		}
		if err := create(); err != nil {
			return err
		}
		entry.As = "" // its right was checked: what is done must be logged
		entry.Detail, k.Logged = "fingerprint "+k.Fingerprint, true
		if err := (operators.New(db)).LogOperator(ctx, entry); err != nil {
			return fmt.Errorf("made the key %s, but could not log it: %w", k.Path, err)
		}
		return nil
	})
	if isNew(err) {
		err = create()
	}
	return k, err
}

// isNew reports whether a database could not be opened because the portal was never started on it.
func isNew(err error) bool {
	schema, ok := errors.AsType[*store.SchemaError](err)
	return errors.Is(err, fs.ErrNotExist) || ok && schema.Version == 0
}

// Migrate brings the database's schema up to date, unless dry. It returns the version that the schema had, 0 for none, and the one that
// this program needs.
func Migrate(ctx context.Context, c config.Config, dry bool) (from, to int64, err error) {
	to = store.SchemaVersion()
	err = withStore(ctx, c, store.ReadOnly, func(db *store.DB) (err error) {
		from, err = db.Schema(ctx)
		return err
	})
	older, ok := errors.AsType[*store.SchemaError](err)
	switch {
	case ok:
		from = older.Version
	case errors.Is(err, fs.ErrNotExist):
	default:
		return from, to, err
	}
	if dry {
		return from, to, nil
	}
	return from, to, withStore(ctx, c, store.Migrate, func(*store.DB) error { return nil })
}
