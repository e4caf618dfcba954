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
	ErrTaken     = fault.New(fault.Conflict, "This wallet is connected to another account. Please disconnect it there first.").WithReason("taken")
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
	// KeepVerified deletes the challenge and stores the wallet, in one transaction. A wallet that the player has
	// already verified does not change. It returns ErrNonce if the challenge no longer exists, ErrPair for one of the
	// portal's own wallets, ErrTaken for another player's and ErrConnected if the player has another one.
	KeepVerified(ctx context.Context, w Verified, nonce string) error
	// VerifiedWallet returns fault.NotFound if the player has none.
	VerifiedWallet(ctx context.Context, playerID string) (Verified, error)
	// ForgetVerified deletes the player's verified wallet. Having none is not an error.
	ForgetVerified(ctx context.Context, playerID string) error
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
	signatures Signatures
	clock      clock.Clock
	site, host string
	chains     []onchain.ChainID
}

// NewProofs returns Proofs for the site with the given URL (scheme and host), on the portal's chains.
func NewProofs(s VerifiedStore, signatures Signatures, c clock.Clock, site string, chains []onchain.ChainID) (*Proofs, error) {
	u, err := url.Parse(site)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("wallet: %q is not the address of a site", site)
	}
	return &Proofs{store: s, signatures: signatures, clock: c, site: u.Scheme + "://" + u.Host, host: u.Host, chains: slices.Clone(chains)}, nil
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
		Domain: p.host, Address: c.Address, Statement: statement, URI: p.site, Chain: c.Chain, Nonce: c.Nonce, IssuedAt: c.IssuedAt, ExpiresAt: c.ExpiresAt,
	}
}

// Verify checks the signed message, field by field, against the challenge, and the signature on the message's chain;
// then it stores the wallet as the player's. It returns siwe.ErrForm, ErrOtherSite, ErrNonce, ErrChanged, ErrExpired
// or ErrSignature, the errors of VerifiedStore.KeepVerified, and fault.Unavailable if the chain is unreachable; after
// the last the same message can be submitted again.
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
	case message != p.message(c).String(): // compares every field, since a message has only one text form
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

// Disconnect deletes the player's verified wallet. Having none is not an error.
func (p *Proofs) Disconnect(ctx context.Context, playerID string) error {
	return p.store.ForgetVerified(ctx, playerID)
}
