package operators

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

const (
	noOperator   = "There is no such operator."
	noInvitation = "There is no such invitation."
	noSession    = "There is no such session."
)

var _ operator.TeamStore = Store{}

func operatorOf(r gen.Operator) operator.Operator {
	return operator.Operator{ID: r.ID, Name: r.Name, Role: operator.Role(r.Role), CreatedAt: r.CreatedAt.Time.UTC()}
}

// checkRights returns fault.Forbidden if the operator that an act names has no right to it, or was removed meanwhile. Where there are
// operators, a command must name one of them, or none.
func checkRights(ctx context.Context, q *gen.Queries, e operator.Entry) error {
	if e.As == "" {
		return nil
	}
	o, err := q.OperatorByName(ctx, account.NameKey(e.As))
	switch {
	case errors.Is(err, sql.ErrNoRows), err == nil && !operator.SameName(o.Name, e.As): // one that only looks the same
		n, err := q.HasOperators(ctx)
		if err == nil && n > 0 {
			err = fault.New(fault.Forbidden, "There is no operator %q. See pantheon operator list.", e.As)
		}
		return err
	case err != nil:
		return err
	case !o.RemovedAt.IsZero():
		return fault.New(fault.Forbidden, "%s is no operator any more.", o.Name)
	}
	return operator.Role(o.Role).Check(e.Command)
}

// CheckRights returns fault.Forbidden if an act's operator has no right to it, before work that takes long. The act checks again.
func (o Store) CheckRights(ctx context.Context, e operator.Entry) error {
	err := o.Read(ctx, func(q *gen.Queries) error { return checkRights(ctx, q, e) })
	if fault.Is(err, fault.Forbidden) {
		return errors.Join(o.logRefusal(ctx, e, err.Error()), err)
	}
	return err
}

// Operators returns the operators; see operator.TeamStore.
func (o Store) Operators(ctx context.Context, now time.Time) ([]operator.Operator, error) {
	out := []operator.Operator{}
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.Operators(ctx, gen.OperatorsParams{
			Opened: column.At(now.Add(-operator.SessionTTL)), Seen: column.At(now.Add(-operator.IdleTTL)),
		})
		for _, r := range rows {
			op := operatorOf(r.Operator)
			op.Passkeys, op.SeenAt = int(r.Passkeys), timeOf(r.SeenAt)
			if until := timeOf(r.InvitedUntil); until.After(now) {
				op.InvitedUntil = until
			}
			out = append(out, op)
		}
		return err
	})
	return out, err
}

// timeOf returns a time of milliseconds since 1970; zero for 0.
func timeOf(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

// AddOperator adds an operator; see operator.TeamStore.
func (o Store) AddOperator(ctx context.Context, op operator.Operator, hash string, expires time.Time, e operator.Entry) error {
	return o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.InsertOperator(ctx, gen.InsertOperatorParams{
			ID: op.ID, Name: op.Name, NameKey: account.NameKey(op.Name), Role: string(op.Role), CreatedAt: column.At(op.CreatedAt),
		})
		if err == nil && n == 0 {
			err = fault.New(fault.Conflict, "Somebody has or had the name %s, or one that looks like it. Choose another: the log has the name.",
				op.Name).WithReason("name")
		}
		if err != nil {
			return err
		}
		return invite(ctx, tx, op.ID, hash, expires)
	})
}

func invite(ctx context.Context, tx *store.Tx, id, hash string, expires time.Time) error {
	return tx.PutOperatorInvitation(ctx, gen.PutOperatorInvitationParams{OperatorID: id, Hash: hash, ExpiresAt: column.At(expires)})
}

// Invite replaces an invitation; see operator.TeamStore.
func (o Store) Invite(ctx context.Context, id, hash string, expires time.Time, e operator.Entry) (out operator.Operator, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		if out, err = lockOperator(ctx, tx, id); err != nil {
			return err
		}
		out.InvitedUntil = expires
		if err := shutOut(ctx, tx, id); err != nil {
			return err
		}
		return invite(ctx, tx, id, hash, expires)
	})
	return out, err
}

func operatorByID(ctx context.Context, tx *store.Tx, id string) (operator.Operator, error) {
	r, err := tx.OperatorByID(ctx, id)
	return operatorOf(r), store.NotFound(err, noOperator)
}

// lockOperator returns an operator, whom no other transaction changes until this one ends, nor what the operator has. Transactions that
// change either begin with it. It returns fault.NotFound for one who was removed.
func lockOperator(ctx context.Context, tx *store.Tx, id string) (operator.Operator, error) {
	n, err := tx.LockOperator(ctx, id)
	if err == nil && n == 0 {
		err = fault.New(fault.NotFound, noOperator)
	}
	if err != nil {
		return operator.Operator{}, err
	}
	return operatorByID(ctx, tx, id)
}

// shutOut removes all by which an operator has access.
func shutOut(ctx context.Context, tx *store.Tx, id string) error {
	return errors.Join(tx.DeleteOperatorPasskeys(ctx, id), tx.DeleteOperatorSessions(ctx, id), tx.DeleteOperatorInvitation(ctx, id))
}

// SetRole changes a role; see operator.TeamStore.
func (o Store) SetRole(ctx context.Context, id string, r operator.Role, e operator.Entry) (out operator.Operator, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.SetOperatorRole(ctx, gen.SetOperatorRoleParams{Role: string(r), ID: id})
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, noOperator)
		}
		if err != nil {
			return err
		}
		out, err = operatorByID(ctx, tx, id)
		return err
	})
	return out, err
}

// RemoveOperator removes an operator; see operator.TeamStore.
func (o Store) RemoveOperator(ctx context.Context, id string, e operator.Entry) (out operator.Operator, err error) {
	err = o.act(ctx, e, func(ctx context.Context, tx *store.Tx) error {
		if out, err = lockOperator(ctx, tx, id); err != nil {
			return err
		}
		n, err := tx.Queries.RemoveOperator(ctx, gen.RemoveOperatorParams{At: column.At(e.At), ID: id})
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, noOperator)
		}
		if err != nil {
			return err
		}
		return shutOut(ctx, tx, id)
	})
	return out, err
}

// Invited returns the operator of an invitation; see operator.TeamStore.
func (o Store) Invited(ctx context.Context, hash string, now time.Time) (out operator.Operator, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		id, err := q.OperatorInvitation(ctx, gen.OperatorInvitationParams{Hash: hash, Now: column.At(now)})
		if err != nil {
			return store.NotFound(err, noInvitation)
		}
		r, err := q.OperatorByID(ctx, id)
		out = operatorOf(r)
		return store.NotFound(err, noInvitation)
	})
	return out, err
}

// logOf writes what an operator did with access of the operator's own into the security log.
func logOf(ctx context.Context, tx *store.Tx, command, name, session string, at time.Time, detail string) error {
	return tx.LogSecurity(ctx, securitylog.Entry{
		At: at, Event: securitylog.Event(command), Kind: securitylog.Operator, Actor: name, Subject: operator.Subject(name), Session: session,
		Detail: detail,
	})
}

// OpenSession opens a session; see operator.TeamStore.
func (o Store) OpenSession(ctx context.Context, s operator.Session, hash, passkeyID string) error {
	return o.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		op, err := lockOperator(ctx, tx, s.Operator.ID)
		if err != nil {
			return err
		}
		n, err := tx.InsertOperatorSession(ctx, gen.InsertOperatorSessionParams{
			ID: s.ID, Hash: hash, At: column.Millis(s.OpenedAt), PasskeyID: passkeyID, OperatorID: s.Operator.ID,
		})
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, noOperator)
		}
		if err != nil {
			return err
		}
		return logOf(ctx, tx, "operator sign-in", op.Name, s.ID, s.OpenedAt, "")
	})
}

// SessionBy returns a session; see operator.TeamStore.
func (o Store) SessionBy(ctx context.Context, hash string) (s operator.Session, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		r, err := q.OperatorSession(ctx, hash)
		s = operator.Session{
			ID: r.OperatorSession.ID, Operator: operatorOf(r.Operator), OpenedAt: r.OperatorSession.OpenedAt.Time.UTC(),
			SeenAt: r.OperatorSession.SeenAt.Time.UTC(), ConfirmedAt: r.OperatorSession.ConfirmedAt.Time.UTC(),
		}
		return store.NotFound(err, noSession)
	})
	return s, err
}

// SetSeen stores when a session was used; see operator.TeamStore.
func (o Store) SetSeen(ctx context.Context, sessionID string, at time.Time) error {
	return o.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.SetOperatorSeen(ctx, gen.SetOperatorSeenParams{At: column.At(at), ID: sessionID})
	})
}

// SetConfirmed stores a confirmation; see operator.TeamStore.
func (o Store) SetConfirmed(ctx context.Context, s operator.Session, at time.Time) error {
	return o.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.SetOperatorConfirmed(ctx, gen.SetOperatorConfirmedParams{ConfirmedAt: column.At(at), ID: s.ID})
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, noSession)
		}
		if err != nil {
			return err
		}
		return logOf(ctx, tx, "operator confirm", s.Operator.Name, s.ID, at, "")
	})
}

// LogRefusal logs a refusal; see operator.TeamStore.
func (o Store) LogRefusal(ctx context.Context, s operator.Session, command, why string) error {
	return o.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.LogSecurityAtMost(ctx, securitylog.Entry{
			Event: securitylog.Event(command), Kind: securitylog.Operator, Actor: s.Operator.Name, Subject: operator.Subject(s.Operator.Name),
			Session: s.ID, Refusal: why,
		}, 5, true)
	})
}

// EndSession ends a session; see operator.TeamStore.
func (o Store) EndSession(ctx context.Context, s operator.Session) error {
	return o.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DeleteOperatorSession(ctx, s.ID)
		if err != nil || n == 0 {
			return err
		}
		return logOf(ctx, tx, "operator sign-out", s.Operator.Name, s.ID, tx.Clock().Now(), "")
	})
}

// DropSessions deletes what is over; see operator.TeamStore.
func (o Store) DropSessions(ctx context.Context, opened, seen, now time.Time) error {
	var over int64
	if err := o.Read(ctx, func(q *gen.Queries) (err error) {
		n, err := q.OverOperatorSessions(ctx, gen.OverOperatorSessionsParams{
			Opened: column.At(opened), Seen: column.At(seen), Now: column.At(now),
		})
		over = n
		return err
	}); err != nil || over == 0 { // avoid a write when there is nothing to do
		return err
	}
	return o.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(tx.DropOperatorSessions(ctx, gen.DropOperatorSessionsParams{Opened: column.At(opened), Seen: column.At(seen)}),
			tx.DropOperatorInvitations(ctx, column.At(now)))
	})
}

// LogView writes that an operator looked something up, unless the same one did in the last ten minutes; see operator.Log.
func (o Store) LogView(ctx context.Context, e operator.Entry) error {
	var seen bool
	err := o.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.SecurityEntriesOfSubject(ctx, gen.SecurityEntriesOfSubjectParams{
			Subject: e.Subject, OfEvent: e.Command, BeforeAt: math.MaxInt64, Since: column.At(e.At.Add(-viewInterval)), PageSize: 50,
		})
		for _, r := range rows {
			seen = seen || r.Actor == e.Who && r.ActorKind == string(securitylog.Operator)
		}
		return err
	})
	if err != nil || seen {
		return err
	}
	return o.act(ctx, e, func(context.Context, *store.Tx) error { return nil })
}

// viewInterval is for how long a view is not logged again.
const viewInterval = 10 * time.Minute
