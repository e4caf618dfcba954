package testkit

import (
	"context"
	"crypto/rand"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/store"
)

// Accounts returns a service of accounts whose deletions are approved as in the portal.
func Accounts(db *store.DB, o account.Options) *account.Service {
	a := &deletionApprovals{}
	o.Approvals = a
	s := account.NewService(o)
	a.service = approval.NewService(approval.Options{Store: db, Accounts: identities{s}, Clock: o.Clock, Key: []byte("approvals"), Site: o.Site})
	return s
}

type deletionApprovals struct{ service *approval.Service }

func (a *deletionApprovals) act(lines []string) approval.Act {
	return approval.Act{Kind: approval.Deletion, Digest: approval.Digest(lines...), Lines: lines}
}

func (a *deletionApprovals) RequestDeletion(ctx context.Context, c account.Caller, lines []string) error {
	_, err := a.service.Request(ctx, approval.Caller(c), a.act(lines))
	return err
}

func (a *deletionApprovals) ApproveDeletion(ctx context.Context, c account.Caller, lines []string, code string) error {
	if code != "" {
		if err := a.service.ConfirmWaiting(ctx, approval.Caller(c), approval.Deletion, approval.Confirmation{Code: code}); err != nil {
			return err
		}
	}
	return a.service.Require(ctx, approval.Caller(c), a.act(lines), rand.Text())
}

// identities proves who players are, by the service of accounts alone.
type identities struct{ accounts *account.Service }

func (i identities) Address(ctx context.Context, playerID string) (string, error) {
	return i.accounts.ProvingMailbox(ctx, playerID)
}

func (i identities) HasPassword(ctx context.Context, playerID string) (bool, error) {
	return i.accounts.HasPassword(ctx, playerID)
}

func (i identities) CheckPassword(ctx context.Context, playerID, password string) error {
	return i.accounts.CheckPassword(ctx, account.Caller{PlayerID: playerID}, password)
}

func (i identities) SignedInAt(ctx context.Context, sessionID string) (time.Time, error) {
	return i.accounts.SignedInAt(ctx, sessionID)
}

func (identities) ProvenWallet(context.Context, string, string, []byte) (eth.Address, error) {
	return eth.Address{}, fault.New(fault.Conflict, "There is no message to sign.")
}
