// Package operators is the operators' store: what their commands read and change.
package operators

import (
	"context"
	"errors"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/securitylogs"
)

// Store is the operators' store; see operator.Store.
type Store struct{ *store.DB }

// New returns the store of a database.
func New(db *store.DB) Store { return Store{db} }

var _ operator.Store = Store{}

// errUnchanged is returned by the function of an act that has nothing to change.
var errUnchanged = errors.New("store: nothing to change")

// act runs fn in one transaction and adds the entry to the operators' log in it, unless fn returns an error. It returns nil for
// errUnchanged.
func (o Store) act(ctx context.Context, e operator.Entry, fn func(context.Context, *store.Tx) error) error {
	err := o.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := checkRights(ctx, tx.Queries, e); err != nil { // before the act could give the right
			return err
		}
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return AddEntry(ctx, tx, e)
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	if e.As != "" && fault.Is(err, fault.Forbidden) {
		return errors.Join(o.logRefusal(ctx, e, err.Error()), err)
	}
	return err
}

// logRefusal logs that an act was refused.
func (o Store) logRefusal(ctx context.Context, e operator.Entry, why string) error {
	return o.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.LogSecurityAtMost(ctx, securitylog.Entry{
			Event: securitylog.Event(e.Command), Kind: securitylog.Operator, Actor: e.Who, Subject: e.Subject, Detail: e.Detail, Reason: e.Reason,
			Refusal: why,
		}, 5, true)
	})
}

// AddEntry adds an entry to the security log. It returns fault.Forbidden if the operator that it names has no right to the act.
func AddEntry(ctx context.Context, tx *store.Tx, e operator.Entry) error {
	if e.As != "" {
		// A change of the role, or a removal, has ended before, or waits.
		if err := tx.LockOperatorNamed(ctx, account.NameKey(e.As)); err != nil {
			return err
		}
	}
	if err := checkRights(ctx, tx.Queries, e); err != nil {
		return err
	}
	return tx.LogSecurity(ctx, securitylog.Entry{
		At: e.At, Event: securitylog.Event(e.Command), Kind: securitylog.Operator, Actor: e.Who, Subject: e.Subject, Detail: e.Detail,
		Reason: e.Reason,
	})
}

// LogOperator adds an entry alone; see operator.Log.
func (o Store) LogOperator(ctx context.Context, e operator.Entry) error {
	return o.act(ctx, e, func(context.Context, *store.Tx) error { return nil })
}

// ReplaceSignerKey makes another key the one that seals wallets, by their fingerprints. It fails with fault.Conflict if old is not the
// present one.
func (o Store) ReplaceSignerKey(ctx context.Context, e operator.Entry, old, fingerprint string) error {
	return o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		return store.SignerKeys{DB: o.DB}.ReplaceKeyFingerprint(ctx, tx, old, fingerprint)
	})
}

// CopyWallets makes all wallets be copied to the second place again, and returns how many had been.
func (o Store) CopyWallets(ctx context.Context, e operator.Entry, at time.Time) (wallets int64, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		wallets, err = tx.CopyAllWallets(ctx, column.At(at))
		return err
	})
	return wallets, err
}

// OperatorLog returns the newest entries; see operator.Log.
func (o Store) OperatorLog(ctx context.Context, limit int) ([]operator.Entry, error) {
	out := []operator.Entry{}
	rows, err := securitylogs.New(o.DB).Entries(ctx, securitylog.Filter{Kind: securitylog.Operator, Acts: true, Limit: limit})
	for _, r := range rows {
		out = append(out, operator.Entry{
			At: r.At, Who: r.Actor, Command: string(r.Event), Subject: r.Subject, Detail: r.Detail, Reason: r.Reason,
		})
	}
	return out, err
}
