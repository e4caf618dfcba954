package operators

import (
	"context"
	"strings"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/operator"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/store/column"
	"pantheon/internal/store/gen"
)

const noPasskey = "There is no such passkey."

// errLast is why the only passkey cannot be removed.
var errLast = fault.New(fault.Conflict, "This is your only passkey. Add another one first.").WithReason("last-passkey")

// invitedPrefix is what the session of somebody who joins by an invitation begins with: its hash follows.
const invitedPrefix = "invitation:"

// Passkeys stores the passkeys of operators, whose ids are the player ids of passkey.Store. Emails are not sent.
type Passkeys struct{ Store }

var _ passkey.Store = Passkeys{}

func passkeyOf(r gen.OperatorPasskey) passkey.Passkey {
	return passkey.Passkey{
		ID: r.ID, PlayerID: r.OperatorID, Name: r.Name, CreatedAt: r.CreatedAt.Time, UsedAt: r.UsedAt.Time, Synced: bool(r.Synced),
		Credential: []byte(r.Credential), Signatures: uint32(r.Signatures),
	}
}

// Passkeys returns an operator's passkeys; see passkey.Store.
func (p Passkeys) Passkeys(ctx context.Context, operatorID string) (out []passkey.Passkey, err error) {
	err = p.Read(ctx, func(q *gen.Queries) error {
		rows, err := q.OperatorPasskeys(ctx, operatorID)
		out = make([]passkey.Passkey, len(rows))
		for i, r := range rows {
			out[i] = passkeyOf(r)
		}
		return err
	})
	return out, err
}

// Passkey returns a passkey; see passkey.Store.
func (p Passkeys) Passkey(ctx context.Context, id string) (out passkey.Passkey, err error) {
	err = p.Read(ctx, func(q *gen.Queries) error {
		r, err := q.OperatorPasskey(ctx, id)
		out = passkeyOf(r)
		return store.NotFound(err, noPasskey)
	})
	return out, err
}

// AddPasskey adds a passkey in an open session, or by an invitation, which it uses up; see passkey.Store.
func (p Passkeys) AddPasskey(ctx context.Context, c passkey.Caller, _ string, k passkey.Passkey, _ *email.Message) error {
	return p.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		session, may := c.SessionID, int64(0)
		hash, invited := strings.CutPrefix(c.SessionID, invitedPrefix)
		o, err := lockOperator(ctx, tx, c.PlayerID)
		if err != nil {
			return err
		}
		if invited {
			session = ""
			may, err = tx.UseOperatorInvitation(ctx, gen.UseOperatorInvitationParams{
				OperatorID: c.PlayerID, Hash: hash, Now: column.At(k.CreatedAt),
			})
		} else {
			may, err = tx.HasOperatorSession(ctx, gen.HasOperatorSessionParams{ID: c.SessionID, OperatorID: c.PlayerID})
		}
		if err == nil && may == 0 {
			err = passkey.ErrOver
		}
		if err != nil {
			return err
		}
		has, err := tx.CountOperatorPasskeys(ctx, c.PlayerID)
		if err == nil && has >= passkey.Most {
			err = passkey.ErrTooMany
		}
		if err != nil {
			return err
		}
		n, err := tx.InsertOperatorPasskey(ctx, gen.InsertOperatorPasskeyParams{
			ID: k.ID, OperatorID: c.PlayerID, Name: k.Name, Credential: string(k.Credential), Signatures: int64(k.Signatures),
			Synced: column.Flag(k.Synced), CreatedAt: column.At(k.CreatedAt),
		})
		if err == nil && n == 0 {
			err = passkey.ErrKnown
		}
		if err != nil {
			return err
		}
		command := "operator passkey add"
		if invited {
			command = "operator join"
		}
		return logOf(ctx, tx, command, o.Name, session, k.CreatedAt, accounts.PasskeyText(k))
	})
}

// RenamePasskey refuses: operators' passkeys keep their names.
func (p Passkeys) RenamePasskey(context.Context, string, string, string) error {
	return fault.New(fault.NotFound, noPasskey)
}

// RemovePasskey removes a passkey, unless it is the operator's only one, and ends all sessions: the device may be stolen. See
// passkey.Store.
func (p Passkeys) RemovePasskey(ctx context.Context, operatorID, id string, at time.Time, _ *email.Message) error {
	return p.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		o, err := lockOperator(ctx, tx, operatorID)
		if err != nil {
			return err
		}
		r, err := tx.OperatorPasskey(ctx, id)
		if err != nil {
			return store.NotFound(err, noPasskey)
		}
		n, err := tx.DeleteOperatorPasskey(ctx, gen.DeleteOperatorPasskeyParams{ID: id, OperatorID: operatorID})
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, noPasskey)
		}
		if err != nil {
			return err
		}
		left, err := tx.CountOperatorPasskeys(ctx, operatorID)
		if err == nil && left == 0 {
			err = errLast
		}
		if err == nil {
			err = tx.DeleteOperatorSessions(ctx, operatorID)
		}
		if err != nil {
			return err
		}
		return logOf(ctx, tx, "operator passkey remove", o.Name, "", at, accounts.PasskeyText(passkeyOf(r)))
	})
}

// AnswerChallenge stores an answer; see passkey.Store. What it was for is logged by the session.
func (p Passkeys) AnswerChallenge(ctx context.Context, a passkey.Answer) error {
	return p.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.InsertPasskeyAnswer(ctx, gen.InsertPasskeyAnswerParams{Hash: a.Challenge, ExpiresAt: column.At(a.ExpiresAt)})
		if err == nil && n == 0 {
			err = passkey.ErrRefused
		}
		if err != nil {
			return err
		}
		n, err = tx.UseOperatorPasskey(ctx, gen.UseOperatorPasskeyParams{
			Credential: string(a.Credential), Signatures: int64(a.Signatures), Synced: column.Flag(a.Synced), UsedAt: column.At(a.UsedAt),
			ID: a.ID, OperatorID: a.PlayerID, Was: int64(a.Was),
		})
		if err == nil && n == 0 {
			err = passkey.ErrRefused
		}
		return err
	})
}

// RefusePasskey logs a refusal; see passkey.Store.
func (p Passkeys) RefusePasskey(ctx context.Context, k passkey.Passkey, reason string) error {
	return p.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		o, err := operatorByID(ctx, tx, k.PlayerID)
		if err != nil {
			return err
		}
		return tx.LogSecurityAtMost(ctx, securitylog.Entry{
			Event: "operator passkey refused", Kind: securitylog.Operator, Actor: o.Name, Subject: operator.Subject(o.Name), Refusal: reason,
			Detail: accounts.PasskeyText(k),
		}, 5, true)
	})
}

// DropAnswered deletes nothing: the players' passkeys do, whose answers are in the same table.
func (p Passkeys) DropAnswered(context.Context, time.Time) error { return nil }

// Verifier verifies the passkeys that Passkeys stores; see operator.Passkeys.
type Verifier struct{ *passkey.Service }

var _ operator.Passkeys = Verifier{}

func invited(operatorID, hash string) passkey.Caller {
	return passkey.Caller{PlayerID: operatorID, SessionID: invitedPrefix + hash}
}

// BeginJoin begins to add the passkey of an invitation; see operator.Passkeys.
func (v Verifier) BeginJoin(ctx context.Context, operatorID, hash string) ([]byte, error) {
	return v.BeginAdd(ctx, invited(operatorID, hash), passkey.Commitment(""))
}

// FinishJoin adds the passkey of an invitation; see operator.Passkeys.
func (v Verifier) FinishJoin(ctx context.Context, operatorID, hash, name string, response []byte) (string, error) {
	k, err := v.FinishAdd(ctx, invited(operatorID, hash), "", name, response)
	return k.ID, err
}

// SignIn returns whose passkey has answered; see operator.Passkeys.
func (v Verifier) SignIn(ctx context.Context, response []byte) (operatorID, passkeyID string, at time.Time, err error) {
	k, at, err := v.Service.SignIn(ctx, response)
	return k.PlayerID, k.ID, at, forOperators(err)
}

// BeginConfirm begins to confirm a session; see operator.Passkeys.
func (v Verifier) BeginConfirm(ctx context.Context, operatorID, sessionID string) ([]byte, error) {
	return v.BeginApproval(ctx, passkey.Caller{PlayerID: operatorID, SessionID: sessionID})
}

// Confirm confirms a session; see operator.Passkeys.
func (v Verifier) Confirm(ctx context.Context, operatorID, sessionID string, response []byte) error {
	return forOperators(v.Approve(ctx, passkey.Caller{PlayerID: operatorID, SessionID: sessionID}, response))
}

// forOperators returns an error with what an operator can do: there is no other way to sign in.
func forOperators(err error) error {
	f := fault.As(err)
	switch {
	case f == nil:
		return err
	case f.Reason == passkey.ErrUnknown.Reason:
		return fault.New(fault.Forbidden, "We do not know this passkey. If yours was removed, ask an owner for a new link.").
			WithReason(f.Reason).Because(err)
	case f.Reason == passkey.ErrCopied.Reason:
		return fault.New(fault.Forbidden, "This passkey seems to have been copied, so it was not accepted. Tell an owner.").
			WithReason(f.Reason).Because(err)
	}
	return err
}

// Owners are the operators who have passkeys; see passkey.Owners. Adding one is approved by the invitation, or by the confirmation of the
// session, and no email is sent.
type Owners struct{ Store }

var _ passkey.Owners = Owners{}

// NameOf returns the operator's name.
func (o Owners) NameOf(ctx context.Context, operatorID string) (name string, err error) {
	err = o.Read(ctx, func(q *gen.Queries) error {
		r, err := q.OperatorByID(ctx, operatorID)
		name = r.Name
		return store.NotFound(err, noOperator)
	})
	return name, err
}

// Address returns no address.
func (Owners) Address(context.Context, string) (string, error) { return "", nil }

// ApprovePasskey approves.
func (Owners) ApprovePasskey(context.Context, passkey.Caller, string) error { return nil }

// ApproveRemoval approves.
func (Owners) ApproveRemoval(context.Context, passkey.Caller, passkey.Passkey) error { return nil }
