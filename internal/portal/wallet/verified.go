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
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/wallet/siwe"
)

// ChallengeTTL is how long a player has to sign.
const ChallengeTTL = 10 * time.Minute

// statement is what a player agrees to by signing.
const statement = "Show what this wallet holds in my account. Signing is free and moves nothing."

// Faults of proving to hold a wallet; each says what to do, and its reason which rule was broken.
var (
	ErrOtherSite = wrong("body.message", "domain", "This message is for another site. Please start again here.")
	ErrNonce     = wrong("body.message", "nonce", "This message was used before, or is not the newest one for you. Please start again.")
	ErrChanged   = wrong("body.message", "message", "This message is not what you were asked to sign. Please start again.")
	ErrExpired   = wrong("body.message", "expired", "This took too long, and the message has expired. Please start again.")
	ErrSignature = wrong("body.signature", "signature", "This signature is not that wallet's. Please sign with the wallet you chose.")
	ErrPair      = fault.New(fault.Conflict, "This is a wallet of the portal's own, so there is nothing to connect.").WithReason("pair")
	ErrTaken     = fault.New(fault.Conflict, "This wallet is connected to another account. Please disconnect it there first.").WithReason("taken")
	ErrConnected = fault.New(fault.Conflict, "Another wallet is connected already. Please disconnect it first.").WithReason("connected")
)

// Verified is a wallet of a player's own. What it holds is shown as the player's; the portal cannot move it.
type Verified struct {
	PlayerID string
	Address  eth.Address
	Chain    onchain.ChainID // on which it was proven
	At       time.Time
}

// Challenge is what a player was asked to sign.
type Challenge struct {
	Address   eth.Address
	Chain     onchain.ChainID
	Nonce     string
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// wrong is a fault of one field of the proof.
func wrong(location, reason, message string) *fault.Fault {
	return fault.InvalidFields(message, fault.Field{Location: location, Message: message}).WithReason(reason)
}

// VerifiedStore keeps challenges and verified wallets.
type VerifiedStore interface {
	// SaveChallenge keeps the player's newest challenge in place of the one before.
	SaveChallenge(ctx context.Context, playerID string, c Challenge) error
	// Challenge returns the player's newest challenge; fault.NotFound when there is none.
	Challenge(ctx context.Context, playerID string) (Challenge, error)
	// KeepVerified uses the challenge up and keeps the wallet, both or neither. A wallet that is the player's already
	// stays as it is. It returns ErrNonce when the challenge is gone, ErrPair for a wallet of the portal's own, ErrTaken for
	// another player's and ErrConnected when the player has another one.
	KeepVerified(ctx context.Context, w Verified, nonce string) error
	// VerifiedWallet returns fault.NotFound when the player has none.
	VerifiedWallet(ctx context.Context, playerID string) (Verified, error)
	// ForgetVerified forgets the player's wallet. Having none is no error.
	ForgetVerified(ctx context.Context, playerID string) error
}

// Signatures checks the signatures of accounts of any kind.
type Signatures interface {
	// Valid reports whether the account vouches for the hash on the chain, in the order of ERC-6492: the wrapped signature
	// of a contract that is not deployed yet, the word of the contract (ERC-1271), else the account's own key. It returns
	// fault.Unavailable when the chain cannot be asked.
	Valid(ctx context.Context, chain onchain.ChainID, account eth.Address, hash eth.Hash, signature []byte) (bool, error)
}

// Proofs lets players prove which wallet is theirs, by signing a message (EIP-4361). It is safe for concurrent use.
type Proofs struct {
	store      VerifiedStore
	signatures Signatures
	clock      clock.Clock
	site, host string
	chains     []onchain.ChainID
}

// NewProofs returns the capability for the site at the address (scheme and host), on the chains the portal works with.
func NewProofs(s VerifiedStore, signatures Signatures, c clock.Clock, site string, chains []onchain.ChainID) (*Proofs, error) {
	u, err := url.Parse(site)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("wallet: %q is not the address of a site", site)
	}
	return &Proofs{store: s, signatures: signatures, clock: c, site: u.Scheme + "://" + u.Host, host: u.Host, chains: slices.Clone(chains)}, nil
}

// Challenge returns the message the player must sign to prove to hold the address, and ends the one before. It returns
// fault.Invalid, with the fields, for what is no address or no chain of ours.
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

// message is what the portal asks to sign.
func (p *Proofs) message(c Challenge) siwe.Message {
	return siwe.Message{
		Domain: p.host, Address: c.Address, Statement: statement, URI: p.site, Chain: c.Chain, Nonce: c.Nonce, IssuedAt: c.IssuedAt, ExpiresAt: c.ExpiresAt,
	}
}

// Verify checks the signed message, field by field, against what the player was asked to sign, and the signature on the
// message's chain; then it keeps the wallet as the player's. It returns siwe.ErrForm, ErrOtherSite, ErrNonce, ErrChanged,
// ErrExpired or ErrSignature, those of VerifiedStore.KeepVerified, and fault.Unavailable when the chain cannot be asked;
// after the last the same message can be used again.
func (p *Proofs) Verify(ctx context.Context, playerID, message string, signature []byte) (Verified, error) {
	m, err := siwe.Parse(message)
	if err != nil {
		return Verified{}, err
	}
	if !strings.EqualFold(m.Domain, p.host) || m.URI != p.site {
		return Verified{}, ErrOtherSite
	}
	c, err := p.store.Challenge(ctx, playerID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return Verified{}, err
	}
	switch {
	case err != nil, m.Nonce != c.Nonce:
		return Verified{}, ErrNonce
	case message != p.message(c).String(): // each field, for a message has one way to be written
		return Verified{}, ErrChanged
	case !p.clock.Now().Before(c.ExpiresAt):
		return Verified{}, ErrExpired
	}
	ok, err := p.signatures.Valid(ctx, m.Chain, m.Address, eth.MessageHash([]byte(message)), signature)
	if err != nil {
		return Verified{}, err
	}
	if !ok {
		return Verified{}, ErrSignature
	}
	w := Verified{PlayerID: playerID, Address: m.Address, Chain: m.Chain, At: p.clock.Now()}
	return w, p.store.KeepVerified(ctx, w, m.Nonce)
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

// Disconnect forgets the player's verified wallet. Having none is no error.
func (p *Proofs) Disconnect(ctx context.Context, playerID string) error {
	return p.store.ForgetVerified(ctx, playerID)
}
