package withdrawal

import (
	"context"
	"errors"
	"slices"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

// Tx is the capability's view of a transaction. A request that it returns is locked until the transaction ends.
type Tx interface {
	// CountOpen returns how many of the player's requests are not over.
	CountOpen(ctx context.Context, playerID string, now time.Time) (int, error)
	// Insert stores a new request.
	Insert(ctx context.Context, r Request) error
	// Request returns ErrNotFound for an unknown request.
	Request(ctx context.Context, requestID string) (Request, error)
	// RequestOfPart returns ErrNotFound for an unknown part.
	RequestOfPart(ctx context.Context, partID string) (Request, error)
	// RequestOfOperation returns ErrNotFound if no part is bound to the operation.
	RequestOfOperation(ctx context.Context, op eth.Hash) (Request, error)
	// Unfinished returns the ids of the player's unconfirmed and confirmed requests.
	Unfinished(ctx context.Context, playerID string) ([]string, error)
	// SettledAfter returns the ids of the requests with parts that a block of the chain above the given one has settled.
	SettledAfter(ctx context.Context, chain onchain.ChainID, block uint64) ([]string, error)
	// Save stores a request without its parts.
	Save(ctx context.Context, r Request) error
	// SavePart stores a part.
	SavePart(ctx context.Context, p Part) error
	// Used returns the total of the player's parts that were bound since a time and have not failed, leaving out one part.
	Used(ctx context.Context, playerID, exceptPart string, since time.Time) (Used, error)
	// IsNonceUsed reports whether another operation than the part's has used its nonce on the chain.
	IsNonceUsed(ctx context.Context, sender eth.Address, p Part) (bool, error)
	// PostIf queues an email, if there is one.
	PostIf(ctx context.Context, m *email.Message) error
	// Announce tells the player's browsers, after the commit, that a request has changed.
	Announce(ctx context.Context, r Request) error
}

// confirm confirms a request whose parts can be sent from a time on.
func (r *Request) confirm(now, ready time.Time, cancelHash string) error {
	if r.State != Unconfirmed || !now.Before(r.ExpiresAt) {
		return ErrOver
	}
	r.State, r.ReadyAt, r.ExpiresAt, r.CancelHash, r.Told = Confirmed, ready, ready.Add(SendTTL), cancelHash, !ready.After(now)
	return nil
}

// isOpen reports whether a request can still be confirmed or sent, whatever the time.
func (r *Request) isOpen() bool { return r.State == Unconfirmed || r.State == Confirmed }

// end ends a request in a state.
func (r *Request) end(s State, reason string) {
	r.State, r.Reason, r.CancelHash, r.Told = s, reason, "", true
}

// cancel cancels a request of which a part can still be kept from being sent.
func (r *Request) cancel(now time.Time, reason string) error {
	switch {
	case !r.isOpen(), !now.Before(r.ExpiresAt):
		return ErrOver
	case !r.has(Open):
		return ErrSending
	}
	r.end(Cancelled, reason)
	return nil
}

// expire ends a request whose time has passed, unless a part is being sent; it reports whether it did.
func (r *Request) expire(now time.Time) bool {
	if !r.isOpen() || now.Before(r.ExpiresAt) || r.has(Sending) {
		return false
	}
	r.end(Expired, "")
	return true
}

// has reports whether a part is in one of the states.
func (r *Request) has(states ...PartState) bool {
	return slices.ContainsFunc(r.Parts, func(p Part) bool { return slices.Contains(states, p.State) })
}

// part returns a part by its id; nil for none.
func (r *Request) part(id string) *Part {
	i := slices.IndexFunc(r.Parts, func(p Part) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return &r.Parts[i]
}

// partOf returns the part that is bound to an operation; nil for none.
func (r *Request) partOf(op eth.Hash) *Part {
	i := slices.IndexFunc(r.Parts, func(p Part) bool { return p.Operation != nil && *p.Operation == op })
	if i < 0 {
		return nil
	}
	return &r.Parts[i]
}

// unsettle takes back the outcome of a part.
func (p *Part) unsettle() { p.State, p.TxHash, p.Error, p.SettledBlock = Sending, nil, "", 0 }

// ownRequest returns one of the player's requests.
func ownRequest(ctx context.Context, tx Tx, playerID, requestID string) (Request, error) {
	r, err := tx.Request(ctx, requestID)
	if err == nil && r.PlayerID != playerID {
		err = ErrNotFound
	}
	return r, err
}

// save stores a request and tells the player's browsers.
func save(ctx context.Context, tx Tx, r Request) error {
	if err := tx.Save(ctx, r); err != nil {
		return err
	}
	return tx.Announce(ctx, r)
}

// bind binds a part to an operation. A part that is bound already is bound to another one only if at most one of the two can be
// included: both have the same nonce, or a third operation has used the first one's.
func (s *Service) bind(ctx context.Context, tx Tx, p Player, partID string, op eth.Hash, sender eth.Address, nonce eth.Quantity) error {
	r, err := tx.RequestOfPart(ctx, partID)
	if err != nil {
		return err
	}
	part, now := r.part(partID), s.o.Clock.Now()
	used, err := tx.Used(ctx, r.PlayerID, partID, now.Add(-LimitWindow))
	if err != nil {
		return err
	}
	if err := s.allowed(p, r, *part, used); err != nil {
		return err
	}
	if part.Operation != nil && part.Nonce != nonce.String() {
		usedNonce, err := tx.IsNonceUsed(ctx, sender, *part)
		if err != nil {
			return err
		}
		if !usedNonce {
			return ErrSending
		}
	}
	part.Operation, part.Nonce, part.BoundAt = &op, nonce.String(), now
	return tx.SavePart(ctx, *part)
}

// CancelAll cancels all requests of a player that are not over, also those of which a part is being sent: that one goes on.
func CancelAll(ctx context.Context, tx Tx, playerID, reason string) error {
	ids, err := tx.Unfinished(ctx, playerID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		r, err := tx.Request(ctx, id)
		if err != nil {
			return err
		}
		if !r.isOpen() {
			continue
		}
		r.end(Cancelled, reason)
		if err := save(ctx, tx, r); err != nil {
			return err
		}
	}
	return nil
}

// Accept marks the part that is bound to an operation as being sent, in the transaction that accepts the operation: a request
// cannot be both cancelled and sent. It returns ErrReplaced if no part of the player's is bound to the operation, ErrOver and
// ErrSending.
func Accept(ctx context.Context, tx Tx, op eth.Hash, playerID string, at time.Time) error {
	r, err := tx.RequestOfOperation(ctx, op)
	if fault.Is(err, fault.NotFound) {
		return ErrReplaced
	}
	if err != nil {
		return err
	}
	part := r.partOf(op)
	switch {
	case r.PlayerID != playerID, part == nil:
		return ErrReplaced
	case r.State != Confirmed, !r.ExpiresAt.After(at):
		return ErrOver
	case part.State != Open:
		return ErrSending
	}
	part.State = Sending
	if err := tx.SavePart(ctx, *part); err != nil {
		return err
	}
	return tx.Announce(ctx, r)
}

// Drop makes the part of an operation that was dropped good for another one. The part stays bound: the dropped operation may still
// be included, by somebody else or after a reorganisation. An operation of no part is not an error.
func Drop(ctx context.Context, tx Tx, op eth.Hash) error {
	r, err := tx.RequestOfOperation(ctx, op)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	part := r.partOf(op)
	if part == nil || part.State != Sending {
		return nil
	}
	part.State = Open
	if err := tx.SavePart(ctx, *part); err != nil {
		return err
	}
	return tx.Announce(ctx, r)
}

// Outcome is what became of an operation on the chain.
type Outcome struct {
	Tx      eth.Hash
	Block   uint64
	Success bool
}

// Settle ends the part of an operation with its outcome, and a confirmed request with its last part. An operation of no part is not
// an error.
func Settle(ctx context.Context, tx Tx, op eth.Hash, o Outcome) error {
	r, err := tx.RequestOfOperation(ctx, op)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	part := r.partOf(op)
	if part == nil {
		return nil
	}
	part.State, part.Error, part.TxHash, part.SettledBlock = Sent, "", &o.Tx, o.Block
	if !o.Success {
		part.State, part.Error = Failed, RefusedText
	}
	if err := tx.SavePart(ctx, *part); err != nil {
		return err
	}
	if r.State != Confirmed || r.has(Open, Sending) {
		return tx.Announce(ctx, r)
	}
	r.end(Done, r.Reason)
	return save(ctx, tx, r)
}

// Unsettle takes back the outcomes that blocks of a chain above the ancestor have brought.
func Unsettle(ctx context.Context, tx Tx, chain onchain.ChainID, ancestor uint64) error {
	ids, err := tx.SettledAfter(ctx, chain, ancestor)
	if err != nil {
		return err
	}
	for _, id := range ids {
		r, err := tx.Request(ctx, id)
		if err != nil {
			return err
		}
		for i := range r.Parts {
			if p := &r.Parts[i]; p.Chain == chain && p.SettledBlock > ancestor {
				p.unsettle()
				err = errors.Join(err, tx.SavePart(ctx, *p))
			}
		}
		if r.State == Done {
			r.State = Confirmed
		}
		if err := errors.Join(err, tx.Save(ctx, r)); err != nil {
			return err
		}
	}
	return nil
}
