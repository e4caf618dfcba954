package testkit

import (
	"context"
	"crypto/rand"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/withdrawal"
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
		if err := a.service.ConfirmWaiting(ctx, approval.Caller(c), a.act(lines), approval.Confirmation{Code: code}); err != nil {
			return err
		}
	}
	return a.service.Require(ctx, approval.Caller(c), a.act(lines), rand.Text())
}

// WithdrawalApprovals has players approve withdrawals as in the portal.
type WithdrawalApprovals struct{ *approval.Service }

// RequestWithdrawal requests an approval; see withdrawal.Approvals.
func (a WithdrawalApprovals) RequestWithdrawal(
	ctx context.Context, c withdrawal.Caller, requestID string, lines []string, own *eth.Address,
) (withdrawal.Proof, error) {
	asked, err := a.Request(ctx, approval.Caller(c), a.act(requestID, lines, own))
	return withdrawal.Proof(asked.Way), err
}

// ApproveWithdrawal checks a proof; see withdrawal.Approvals.
func (a WithdrawalApprovals) ApproveWithdrawal(
	ctx context.Context, c withdrawal.Caller, requestID string, own *eth.Address, proof withdrawal.Confirmation,
) error {
	return a.Approve(ctx, approval.Caller(c), a.act(requestID, nil, own), approval.Confirmation(proof), requestID)
}

func (WithdrawalApprovals) act(requestID string, lines []string, own *eth.Address) approval.Act {
	return approval.Act{Kind: approval.Withdrawal, Digest: approval.Digest(requestID), Lines: lines, Wallet: own}
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
