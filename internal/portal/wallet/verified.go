package wallet

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/wallet/siwe"
)

// ChallengeTTL is how long a player has to sign.
const ChallengeTTL = 10 * time.Minute

// statement is what a player agrees to by signing.
const statement = "Show that this wallet is mine. Signing is free and moves nothing."

// Faults of wallet verification. Each message tells the player what to do, and each reason says which rule was
// broken.
var (
	ErrOtherSite = wrong("body.message", "domain", "This message is for another site. Please start again here.")
	ErrNonce     = wrong("body.message", "nonce", "This message was used before, or is not the newest one for you. Please start again.")
	ErrChanged   = wrong("body.message", "message", "This message is not what you were asked to sign. Please start again.")
	ErrExpired   = wrong("body.message", "expired", "This took too long, and the message has expired. Please start again.")
	ErrSignature = wrong("body.signature", "signature", "This signature is not that wallet's. Please sign with the wallet you chose.")
	ErrPair      = fault.New(fault.Conflict, "This is a wallet of the portal's own, so there is nothing to connect.").WithReason("pair")
	ErrTaken     = fault.New(fault.Conflict, "This wallet is connected to another account. Please disconnect it there first.").
			WithReason("taken")
	ErrConnected = fault.New(fault.Conflict, "Another wallet is connected already. Please disconnect it first.").WithReason("connected")
)

// Verified is an external wallet that a player has verified. Its holdings are shown as the player's; the portal
// cannot move them.
type Verified struct {
	PlayerID string
	Address  eth.Address
	Chain    onchain.ChainID // the chain on which it was verified
	At       time.Time
}

// Challenge is what a player is asked to sign.
type Challenge struct {
	Address   eth.Address
	Chain     onchain.ChainID
	Nonce     string
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// wrong returns a fault about one field of the proof.
func wrong(location, reason, message string) *fault.Fault {
	return fault.InvalidFields(message, fault.Field{Location: location, Message: message}).WithReason(reason)
}

// VerifiedStore stores challenges and verified wallets.
type VerifiedStore interface {
	// SaveChallenge stores the player's challenge, replacing the previous one.
	SaveChallenge(ctx context.Context, playerID string, c Challenge) error
	// Challenge returns the player's current challenge. It returns fault.NotFound if there is none.
	Challenge(ctx context.Context, playerID string) (Challenge, error)
	// KeepVerified deletes the challenge, stores the wallet and queues the email, if any, in one transaction. A wallet
	// that the player has already verified does not change, and nothing is emailed. It returns ErrNonce if the challenge
	// no longer exists, ErrPair for one of the portal's own wallets, ErrTaken for another player's and ErrConnected if
	// the player has another one.
	KeepVerified(ctx context.Context, w Verified, nonce string, message *email.Message) error
	// UseChallenge deletes the challenge. It returns ErrNonce if it no longer exists.
	UseChallenge(ctx context.Context, playerID, nonce string) error
	// VerifiedWallet returns fault.NotFound if the player has none.
	VerifiedWallet(ctx context.Context, playerID string) (Verified, error)
	// ForgetVerified deletes the player's verified wallet and queues the email, if any. Having none is not an error, and
	// nothing is emailed.
	ForgetVerified(ctx context.Context, playerID string, message *email.Message) error
}

// Caller is the player and session behind a request.
type Caller struct {
	PlayerID  string
	SessionID string
}

// Owners has players approve a change of their verified wallet: a session alone, which may be stolen, does not suffice.
type Owners interface {
	// ApproveConnection returns nil if the player has approved connecting the wallet. The challenge's nonce uses the
	// approval up. Otherwise it requests the approval and returns the fault that names it, or says why it cannot.
	ApproveConnection(ctx context.Context, c Caller, w eth.Address, nonce string) error
	// ApproveDisconnection is the same for disconnecting the wallet.
	ApproveDisconnection(ctx context.Context, c Caller, w Verified) error
	// Address returns the player's email address; "" for none, or if no email is sent.
	Address(ctx context.Context, playerID string) (string, error)
}

// Signatures verifies the signatures of accounts of any kind.
type Signatures interface {
	// Valid reports whether the account signed the hash on the chain, checking in the order of ERC-6492: the wrapped
	// signature of an undeployed contract, the contract itself (ERC-1271), or else the account's own key. It returns
	// fault.Unavailable if the chain is unreachable.
	Valid(ctx context.Context, chain onchain.ChainID, account eth.Address, hash eth.Hash, signature []byte) (bool, error)
}

// Proofs lets players prove which wallet is theirs, by signing a message (EIP-4361). It is safe for concurrent use.
type Proofs struct {
	store      VerifiedStore
	owners     Owners
	signatures Signatures
	clock      clock.Clock
	site, host string
	chains     []onchain.ChainID
}

// NewProofs returns Proofs for the site with the given URL (scheme and host), on the portal's chains.
func NewProofs(s VerifiedStore, owners Owners, signatures Signatures, c clock.Clock, site string,
	chains []onchain.ChainID) (*Proofs, error) {
	u, err := url.Parse(site)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("wallet: %q is not the address of a site", site)
	}
	return &Proofs{
		store: s, owners: owners, signatures: signatures, clock: c, site: u.Scheme + "://" + u.Host, host: u.Host,
		chains: slices.Clone(chains),
	}, nil
}

// Challenge returns the message that the player must sign to prove ownership of the address, and replaces the
// previous one. It returns fault.Invalid, with the fields, for an invalid address or an unsupported chain.
func (p *Proofs) Challenge(ctx context.Context, playerID, address string, chain onchain.ChainID) (string, error) {
	var faults []fault.Field
	a, err := eth.ParseAddress(address)
	if err != nil {
		faults = append(faults, fault.Field{Location: "body.address", Message: err.Error()})
	}
	if !slices.Contains(p.chains, chain) {
		faults = append(faults, fault.Field{Location: "body.chainId", Message: "We do not work with this chain."})
	}
	if len(faults) > 0 {
		return "", fault.InvalidFields(faults[0].Message, faults...)
	}
	now := p.clock.Now().UTC().Truncate(time.Second)
	c := Challenge{Address: a, Chain: chain, Nonce: rand.Text(), IssuedAt: now, ExpiresAt: now.Add(ChallengeTTL)}
	if err := p.store.SaveChallenge(ctx, playerID, c); err != nil {
		return "", err
	}
	return p.message(c).String(), nil
}

// message returns the message to sign.
func (p *Proofs) message(c Challenge) siwe.Message {
	return siwe.Message{
		Domain: p.host, Address: c.Address, Statement: statement, URI: p.site, Chain: c.Chain, Nonce: c.Nonce, IssuedAt: c.IssuedAt,
		ExpiresAt: c.ExpiresAt,
	}
}

// Verify checks the signed message and, once the player has approved it, stores the wallet as the player's and notifies
// the player by email. It returns the errors of Prove for the message, those of Owners.ApproveConnection and of
// VerifiedStore.KeepVerified; after the former the same message can be submitted again. A wallet that the player has
// verified already needs no approval.
func (p *Proofs) Verify(ctx context.Context, c Caller, message string, signature []byte) (Verified, error) {
	m, err := p.check(ctx, c.PlayerID, message, signature)
	if err != nil {
		return Verified{}, err
	}
	w := Verified{PlayerID: c.PlayerID, Address: m.Address, Chain: m.Chain, At: p.clock.Now()}
	switch present, err := p.store.VerifiedWallet(ctx, c.PlayerID); {
	case err != nil && !fault.Is(err, fault.NotFound):
		return Verified{}, err
	case err == nil && present.Address != m.Address:
		return Verified{}, ErrConnected
	case err != nil:
		if err := p.owners.ApproveConnection(ctx, c, m.Address, m.Nonce); err != nil {
			return Verified{}, err
		}
	}
	notice, err := p.notice(ctx, c.PlayerID, connectedEmail(p.site, m.Address))
	if err != nil {
		return Verified{}, err
	}
	return w, p.store.KeepVerified(ctx, w, m.Nonce, notice)
}

// Prove checks, field by field, a message that the player's verified wallet has signed, and uses its challenge up. It
// returns siwe.ErrForm, ErrOtherSite, ErrNonce, ErrChanged or ErrExpired, ErrSignature also for another wallet, and
// fault.Unavailable if the chain is unreachable; after the last the same message can be submitted again.
func (p *Proofs) Prove(ctx context.Context, playerID, message string, signature []byte) (eth.Address, error) {
	m, err := p.check(ctx, playerID, message, signature)
	if err != nil {
		return eth.Address{}, err
	}
	w, err := p.store.VerifiedWallet(ctx, playerID)
	if fault.Is(err, fault.NotFound) || err == nil && w.Address != m.Address {
		return eth.Address{}, ErrSignature
	}
	if err != nil {
		return eth.Address{}, err
	}
	return w.Address, p.store.UseChallenge(ctx, playerID, m.Nonce)
}

// check checks a signed message against the player's challenge, and the signature on the message's chain.
func (p *Proofs) check(ctx context.Context, playerID, message string, signature []byte) (siwe.Message, error) {
	m, err := siwe.Parse(message)
	if err != nil {
		return m, err
	}
	if !strings.EqualFold(m.Domain, p.host) || m.URI != p.site {
		return m, ErrOtherSite
	}
	c, err := p.store.Challenge(ctx, playerID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return m, err
	}
	switch {
	case err != nil, m.Nonce != c.Nonce:
		return m, ErrNonce
	case message != p.message(c).String(): // compares every field, since a message has only one text form
		return m, ErrChanged
	case !p.clock.Now().Before(c.ExpiresAt):
		return m, ErrExpired
	}
	ok, err := p.signatures.Valid(ctx, m.Chain, m.Address, eth.MessageHash([]byte(message)), signature)
	if err == nil && !ok {
		err = ErrSignature
	}
	return m, err
}

// Wallet returns the player's verified wallet, or nil.
func (p *Proofs) Wallet(ctx context.Context, playerID string) (*eth.Address, error) {
	w, err := p.store.VerifiedWallet(ctx, playerID)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &w.Address, nil
}

// Disconnect deletes the player's verified wallet, once the player has approved it, and notifies the player by email.
// Having none is not an error. It returns the errors of Owners.ApproveDisconnection.
func (p *Proofs) Disconnect(ctx context.Context, c Caller) error {
	w, err := p.store.VerifiedWallet(ctx, c.PlayerID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := p.owners.ApproveDisconnection(ctx, c, w); err != nil {
		return err
	}
	notice, err := p.notice(ctx, c.PlayerID, disconnectedEmail(p.site, w.Address))
	if err != nil {
		return err
	}
	return p.store.ForgetVerified(ctx, c.PlayerID, notice)
}

// notice addresses an email to the player; nil without an address.
func (p *Proofs) notice(ctx context.Context, playerID string, m email.Message) (*email.Message, error) {
	address, err := p.owners.Address(ctx, playerID)
	if address == "" || err != nil {
		return nil, err
	}
	m.To, m.PlayerID = address, playerID
	return &m, nil
}
