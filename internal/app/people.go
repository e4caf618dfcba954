package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"time"

	"pantheon/internal/chain/rpc"
	"pantheon/internal/chain/signatures"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/approval"
	"pantheon/internal/portal/passkey"
	"pantheon/internal/portal/wallet"
	"pantheon/internal/portal/withdrawal"
	"pantheon/internal/store/accounts"
)

// people knows who players are. Approvals need the accounts and the accounts need approvals: newPeople sets the fields as it builds
// the services, and nothing is asked before all are set.
type people struct {
	approvals *approval.Service
	accounts  *account.Service
	proofs    *wallet.Proofs
	logins    *account.ExternalLogins
	passkeys  *passkey.Service
}

// newPeople builds accounts, approvals, the logins by a game's link and by X, and the proofs of players' own wallets.
func newPeople(b *base, platform platform, chains chains, live live, mails mails, rules withdrawal.Rules) (*people, error) {
	p := &people{}
	p.approvals = approval.NewService(approval.Options{
		Store: accounts.New(b.db), Accounts: p, Passkeys: p, Clock: b.clock, Keys: b.keys("approvals"), Site: b.config.PublicURL,
		MailsPerHour: b.config.Limits.Emails,
	})
	p.accounts = account.NewService(account.Options{
		Platform: platform, Sessions: accounts.New(b.db), Deletions: accounts.New(b.db), Emails: accounts.New(b.db),
		Notices: accounts.New(b.db), Connections: live, Clock: b.clock,
		Keys: b.keys("tokens"), Site: b.config.PublicURL, SupportPage: b.pages.Support, DeletionPage: b.pages.DeleteAccount,
		Approvals: p, Valuables: valuables(rules),
		IndexReady: chains.indexed, Reserved: reservedNames(append(slices.Clone(b.config.ReservedNames), mails.brand.Name), b.config.Brand),
		EmailWait:     b.config.Withdrawals.Delay,
		ThawBySupport: b.config.ThawBySupport(), NoMail: mails.none,
		Report: func(err error) { b.log.Warn("closing connections of ended sessions", "error", err) },
	})
	b.lead("accounts", p.accounts.Run)
	var err error
	if p.logins, err = newExternalLogins(b, platform, p.accounts); err != nil {
		return nil, err
	}
	if p.passkeys, err = passkey.NewService(passkey.Options{
		Store: accounts.New(b.db), Owners: passkeyOwners{p}, Clock: b.clock, Keys: b.keys("passkeys"), Domain: b.config.PasskeyDomain,
		Site: b.config.PublicURL, Brand: mails.brand.Name, Wait: b.config.Withdrawals.Delay,
	}); err != nil {
		return nil, err
	}
	b.lead("passkeys", p.passkeys.Run)
	clients, ids := map[onchain.ChainID]*rpc.Client{}, []onchain.ChainID{}
	for id, c := range chains.of {
		clients[id], ids = c.rpc, append(ids, id)
	}
	p.proofs, err = wallet.NewProofs(accounts.New(b.db), p, signatures.New(clients), b.clock, b.config.PublicURL, ids)
	return p, err
}

func (p *people) Address(ctx context.Context, playerID string) (string, error) {
	return p.accounts.ProvingMailbox(ctx, playerID)
}

func (p *people) ConfirmedAddress(ctx context.Context, playerID string) (string, error) {
	if address, err := p.Address(ctx, playerID); address == "" || err != nil {
		return "", err
	}
	return p.accounts.ConfirmedMailbox(ctx, playerID)
}

func (p *people) HasPassword(ctx context.Context, playerID string) (bool, error) {
	return p.accounts.HasPassword(ctx, playerID)
}

func (p *people) CheckPassword(ctx context.Context, playerID, password string) error {
	return p.accounts.CheckPassword(ctx, account.Caller{PlayerID: playerID}, password)
}

func (p *people) SignedInAt(ctx context.Context, c approval.Caller) (time.Time, error) {
	return p.accounts.SignedInAt(ctx, account.Caller(c))
}

func (p *people) HasPasskey(ctx context.Context, playerID string) (bool, error) {
	return p.passkeys.Any(ctx, playerID)
}

func (p *people) CheckPasskey(ctx context.Context, c approval.Caller, response []byte) error {
	return p.passkeys.Approve(ctx, passkey.Caller(c), response)
}

func (p *people) ProvenWallet(ctx context.Context, playerID, message string, signature []byte) (eth.Address, error) {
	return p.proofs.Prove(ctx, playerID, message, signature)
}

func (p *people) ApproveConnection(ctx context.Context, c wallet.Caller, w eth.Address, nonce string) error {
	return p.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.ConnectWallet, Digest: approval.Digest(w.String()), Lines: []string{w.Checksum()},
	}, nonce)
}

func (p *people) ApproveDisconnection(ctx context.Context, c wallet.Caller, w wallet.Verified) error {
	connected := w.At.UTC().Format(time.RFC3339Nano) // the same wallet may be connected again
	return p.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.DisconnectWallet, Digest: approval.Digest(w.Address.String(), connected), Lines: []string{w.Address.Checksum()},
	}, "disconnect")
}

// passkeyOwners are the accounts of those who have passkeys.
type passkeyOwners struct{ people *people }

func (o passkeyOwners) NameOf(ctx context.Context, playerID string) (string, error) {
	id, err := o.people.accounts.Player(ctx, account.Caller{PlayerID: playerID})
	return cmp.Or(id.DisplayName, id.PlayerID), err
}

func (o passkeyOwners) Address(ctx context.Context, playerID string) (string, error) {
	return o.people.accounts.ConfirmedMailbox(ctx, playerID)
}

func (o passkeyOwners) ApprovePasskey(ctx context.Context, c passkey.Caller, commitment string) error {
	return o.people.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.AddPasskey, Digest: approval.DigestOfPasskey(commitment), Lines: []string{"A new passkey"},
	}, approval.UseOfPasskey)
}

func (o passkeyOwners) ApproveRemoval(ctx context.Context, c passkey.Caller, k passkey.Passkey) error {
	return o.people.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.RemovePasskey, Digest: approval.Digest(k.ID), Lines: []string{k.String()},
	}, k.ID)
}

// Confirmed reports whether a player has confirmed an email address; see account.Service.Confirmed.
func (p *people) Confirmed(ctx context.Context, playerID string) (bool, error) {
	return p.accounts.Confirmed(ctx, playerID)
}

// MayTrade is that of the accounts.
func (p *people) MayTrade(ctx context.Context, playerID string) error {
	return p.accounts.MayTrade(ctx, playerID)
}

func (p *people) RequestDeletion(ctx context.Context, c account.Caller, lines []string) error {
	_, err := p.approvals.Request(ctx, approval.Caller(c), deletion(lines))
	return err
}

func (p *people) ApproveDeletion(ctx context.Context, c account.Caller, lines []string, code string) error {
	if code != "" {
		if err := p.approvals.ConfirmWaiting(ctx, approval.Caller(c), deletion(lines), approval.Confirmation{Code: code}); err != nil {
			return err
		}
	}
	return p.approvals.Require(ctx, approval.Caller(c), deletion(lines), rand.Text())
}

func deletion(lines []string) approval.Act {
	return approval.Act{Kind: approval.Deletion, Digest: approval.Digest(lines...), Lines: lines}
}

func (p *people) ApproveEmail(ctx context.Context, c account.Caller, from account.Identity, to string) error {
	confirmed := strconv.FormatBool(from.EmailConfirmed) // which decides how it is approved
	return p.approvals.Require(ctx, approval.Caller(c), approval.Act{
		Kind: approval.ChangeEmail, Digest: approval.Digest(account.EmailKey(from.Email), confirmed, to), Lines: []string{to},
	}, "code")
}

func (p *people) RequestWithdrawal(
	ctx context.Context, c withdrawal.Caller, requestID string, lines []string, own *eth.Address, noPasskey bool,
) (withdrawal.Proof, error) {
	act := sending(requestID, lines, own)
	act.NoPasskey = noPasskey
	a, err := p.approvals.Request(ctx, approval.Caller(c), act)
	return withdrawal.Proof(a.Way), err
}

func (p *people) ApproveWithdrawal(
	ctx context.Context, c withdrawal.Caller, requestID string, own *eth.Address, proof withdrawal.Confirmation,
) (withdrawal.Proof, error) {
	way, err := p.approvals.Approve(ctx, approval.Caller(c), sending(requestID, nil, own), approval.Confirmation(proof), requestID)
	return withdrawal.Proof(way), err
}

// sending is the act of a withdrawal. Its id identifies what is sent: a request does not change.
func sending(requestID string, lines []string, own *eth.Address) approval.Act {
	return approval.Act{Kind: approval.Withdrawal, Digest: approval.Digest(requestID), Lines: lines, Wallet: own}
}

var (
	_ withdrawal.Approvals = (*people)(nil)
	_ withdrawal.Mailboxes = (*people)(nil)
	_ approval.Accounts    = (*people)(nil)
	_ wallet.Owners        = (*people)(nil)
	_ account.Approvals    = (*people)(nil)
)

// valuables says what the tokens that can leave players' wallets are.
func valuables(rules withdrawal.Rules) account.Valuables {
	return func(t account.Token) (*account.Currency, bool) {
		i := slices.IndexFunc(rules.Tokens, func(r withdrawal.Token) bool { return r.Chain == t.Chain && r.Contract == t.Contract })
		if i < 0 {
			return nil, false
		}
		if r := rules.Tokens[i]; r.Standard == onchain.ERC20 {
			return &account.Currency{Symbol: r.Symbol, Decimals: r.Decimals}, true
		}
		return nil, true
	}
}

// indexed returns an error while an index may not know what players have.
func (c chains) indexed(context.Context) error {
	for _, c := range c.of {
		if s := c.indexer.State(); s.Error != "" || s.Started && s.Lag > maxIndexLag || s.Added > 0 {
			return fmt.Errorf("the index of the %s is %d blocks behind, with %d added contracts: %s", c.name, s.Lag, s.Added, s.Error)
		}
	}
	return nil
}
