package testkit

import (
	"context"
	"crypto/rand"
	"strconv"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
)

// ApprovalKey is the key of the approvals of Accounts.
const ApprovalKey = "approvals"

// Accounts returns a service of accounts whose deletions and other addresses are approved as in the portal.
func Accounts(db *store.DB, o account.Options) *account.Service {
	a := &accountApprovals{}
	o.Approvals = a
	s := account.NewService(o)
	a.Service = AccountApprovals(db, s, o)
	return s
}

// AccountApprovals returns the approvals of a service of accounts with the options.
func AccountApprovals(db *store.DB, s *account.Service, o account.Options) *approval.Service {
	return approval.NewService(approval.Options{Store: accounts.New(db), Accounts: identities{s}, Clock: o.Clock,
		Keys: keyset.Keys{[]byte(ApprovalKey)}, Site: o.Site})
}

type accountApprovals struct{ *approval.Service }

func (a *accountApprovals) act(lines []string) approval.Act {
	return approval.Act{Kind: approval.Deletion, Digest: approval.Digest(lines...), Lines: lines}
}

func (a *accountApprovals) RequestDeletion(ctx context.Context, c account.Caller, lines []string) error {
	_, err := a.Request(ctx, approval.Caller(c), a.act(lines))
	return err
}

func (a *accountApprovals) ApproveDeletion(ctx context.Context, c account.Caller, lines []string, code string) error {
	if code != "" {
		if err := a.ConfirmWaiting(ctx, approval.Caller(c), a.act(lines), approval.Confirmation{Code: code}); err != nil {
			return err
		}
	}
	return a.Require(ctx, approval.Caller(c), a.act(lines), rand.Text())
}

// ApproveEmail requires an approval; see account.Approvals.
func (a *accountApprovals) ApproveEmail(ctx context.Context, c account.Caller, from account.Identity, to string) error {
	return a.Require(ctx, approval.Caller(c), approval.Act{
		Kind:   approval.ChangeEmail,
		Digest: approval.Digest(account.EmailKey(from.Email), strconv.FormatBool(from.EmailConfirmed), to),
		Lines:  []string{to},
	}, "code")
}

// WithdrawalApprovals has players approve withdrawals as in the portal.
type WithdrawalApprovals struct{ *approval.Service }

// RequestWithdrawal requests an approval; see withdrawal.Approvals.
func (a WithdrawalApprovals) RequestWithdrawal(
	ctx context.Context, c withdrawal.Caller, requestID string, lines []string, own *eth.Address, noPasskey bool,
) (withdrawal.Proof, error) {
	act := a.act(requestID, lines, own)
	act.NoPasskey = noPasskey
	asked, err := a.Request(ctx, approval.Caller(c), act)
	return withdrawal.Proof(asked.Way), err
}

// ApproveWithdrawal checks a proof; see withdrawal.Approvals.
func (a WithdrawalApprovals) ApproveWithdrawal(
	ctx context.Context, c withdrawal.Caller, requestID string, own *eth.Address, proof withdrawal.Confirmation,
) (withdrawal.Proof, error) {
	way, err := a.Approve(ctx, approval.Caller(c), a.act(requestID, nil, own), approval.Confirmation(proof), requestID)
	return withdrawal.Proof(way), err
}

func (WithdrawalApprovals) act(requestID string, lines []string, own *eth.Address) approval.Act {
	return approval.Act{Kind: approval.Withdrawal, Digest: approval.Digest(requestID), Lines: lines, Wallet: own}
}

// identities proves who players are, by the service of accounts alone.
type identities struct{ accounts *account.Service }

func (i identities) Address(ctx context.Context, playerID string) (string, error) {
	return i.accounts.ProvingMailbox(ctx, playerID)
}

func (i identities) ConfirmedAddress(ctx context.Context, playerID string) (string, error) {
	if address, err := i.Address(ctx, playerID); address == "" || err != nil {
		return "", err
	}
	return i.accounts.ConfirmedMailbox(ctx, playerID)
}

func (i identities) HasPassword(ctx context.Context, playerID string) (bool, error) {
	return i.accounts.HasPassword(ctx, playerID)
}

func (i identities) CheckPassword(ctx context.Context, playerID, password string) error {
	return i.accounts.CheckPassword(ctx, account.Caller{PlayerID: playerID}, password)
}

func (i identities) SignedInAt(ctx context.Context, c approval.Caller) (time.Time, error) {
	return i.accounts.SignedInAt(ctx, account.Caller(c))
}

func (identities) ProvenWallet(context.Context, string, string, []byte) (eth.Address, error) {
	return eth.Address{}, fault.New(fault.Conflict, "There is no message to sign.")
}
