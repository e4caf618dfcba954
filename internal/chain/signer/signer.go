// Package signer holds the players' owner keys and signs with them, after it has decoded the request and checked it
// against the policy. It never signs a digest, an ordinary transaction or an EIP-7702 authorisation.
//
// A Signer is safe for concurrent use. It starts no goroutines and needs no closing; its only state is the number of
// requests of each player in the current minute.
package signer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"pantheon/internal/chain/contracts"
	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/gas"
	"pantheon/internal/portal/wallet"
)

var _ wallet.Signer = (*Signer)(nil)

// Keys provides the players' sealed owner keys, as created by NewKey.
type Keys interface {
	// SealedKey returns a player's owner address and sealed key, and the fingerprint of the key that it is sealed with, or a NotFound
	// fault.
	SealedKey(ctx context.Context, player string) (owner eth.Address, sealed, by string, err error)
}

// Sealing says which key seals new owner keys.
type Sealing interface {
	// KeyFingerprint returns the fingerprint of a key of the ring.
	KeyFingerprint(ctx context.Context) (string, error)
}

// Sponsorships reports which operations the portal pays for.
type Sponsorships interface {
	// Sponsored returns nil while the caller holds an unused sponsorship of the operation; else a Conflict fault.
	Sponsored(ctx context.Context, c gas.Caller, op eth.Hash, now time.Time) error
}

// Bindings binds what an operation sends out of the wallet to that operation, so that it cannot be sent twice.
type Bindings interface {
	// Bind is called last before the operation is signed. It returns the fault with which it is refused, if any.
	Bind(ctx context.Context, player string, chain onchain.ChainID, op *eth.UserOperation, hash eth.Hash, calls []gas.Call) error
}

// Record records what was signed. A signature is returned only once it is recorded.
type Record interface {
	// OperationSigned records an operation by its calls; without calls it is a cancellation, by the portal itself.
	OperationSigned(ctx context.Context, player string, chain onchain.ChainID, hash eth.Hash, calls []gas.Call) error
	// MessageSigned records a sign-in message by the wallet that it signs in with.
	MessageSigned(ctx context.Context, player string, chain onchain.ChainID, wallet eth.Address) error
}

// Options configure a Signer.
type Options struct {
	Ring      Ring
	Sealing   Sealing // says which key of the ring seals; nil means the first
	Keys      Keys
	Guard     gas.Guard
	Sponsored Sponsorships
	Bindings  Bindings
	Record    Record
	Policies  []*gas.Policy // one a chain; all have the same factory and implementation
	Site      string        // the site's own address, such as https://example.org, for sign-in messages
	PerMinute int           // signatures per player and minute; 0 means 60
	Clock     clock.Clock
	Log       *slog.Logger // logs every refusal
}

// Signer signs for players.
type Signer struct {
	seal      *sealer
	sealing   Sealing
	keys      Keys
	guard     gas.Guard
	sponsored Sponsorships
	bindings  Bindings
	record    Record
	policies  map[onchain.ChainID]*gas.Policy
	factory   eth.Address
	code      eth.Address
	site      *url.URL
	perMinute int
	clock     clock.Clock
	log       *slog.Logger

	mu     sync.Mutex
	minute time.Time
	asked  map[string]int // in that minute, by player
}

// New returns a signer, or an error that names an invalid option.
func New(o Options) (*Signer, error) {
	seal, err := newSealer(o.Ring)
	if err != nil {
		return nil, err
	}
	site, err := url.Parse(o.Site)
	if err != nil || site.Host == "" || (site.Scheme != "http" && site.Scheme != "https") {
		return nil, errors.New("signer: the site's address must be an http:// or https:// one")
	}
	if o.Sponsored == nil || o.Bindings == nil || o.Record == nil {
		return nil, errors.New("signer: the sponsorships, the bindings or the record are missing")
	}
	if len(o.Policies) == 0 {
		return nil, errors.New("signer: there is no chain to sign for")
	}
	s := &Signer{
		seal: seal, sealing: o.Sealing, keys: o.Keys, guard: o.Guard, sponsored: o.Sponsored, bindings: o.Bindings, record: o.Record,
		policies: map[onchain.ChainID]*gas.Policy{},
		site:     site, clock: o.Clock, log: o.Log, factory: o.Policies[0].Factory, code: o.Policies[0].Implementation, perMinute: o.PerMinute,
		asked: map[string]int{},
	}
	for _, p := range o.Policies {
		if p.Factory != s.factory || p.Implementation != s.code {
			return nil, fmt.Errorf("signer: chain %d has another account factory than chain %d: a player's account would differ", p.Chain,
				o.Policies[0].Chain)
		}
		s.policies[p.Chain] = p
	}
	if s.perMinute == 0 {
		s.perMinute = 60
	}
	return s, nil
}

// NewKey creates an owner key for a player and returns it sealed, with the wallet it controls. Nothing is stored: the
// caller must store the key.
func (s *Signer) NewKey(ctx context.Context, player string) (wallet.Key, error) {
	key, err := secp256k1.GeneratePrivateKey()
	if err != nil {
		return wallet.Key{}, fmt.Errorf("signer: making a key: %w", err)
	}
	defer key.Zero()
	secret := key.Serialize()
	defer clear(secret)
	by := s.seal.ring[0].Fingerprint()
	if s.sealing != nil {
		if by, err = s.sealing.KeyFingerprint(ctx); err != nil {
			return wallet.Key{}, err
		}
	}
	sealed, err := s.seal.seal(ctx, by, player, secret)
	if err != nil {
		return wallet.Key{}, err
	}
	account := s.account(addressOf(key))
	return wallet.Key{Owner: account.Owner, Smart: account.Smart, Sealed: sealed, SealedBy: by}, nil
}

// account returns the wallet that an owner controls.
func (s *Signer) account(owner eth.Address) gas.Account {
	return gas.Account{Owner: owner, Smart: contracts.AccountAddress(s.factory, s.code, owner, 0)}
}

// SignUserOperation signs an operation of the player's own account for the chain's EntryPoint. It signs only what the
// portal sponsors, for the same session and with nonce key 0: with a paymaster of its own that names relayers, only the
// portal's relay can send a signed operation, and only while the session lasts. It returns an Invalid fault for a
// malformed operation, a Forbidden fault with its reason for one that the policy does not allow, a Conflict fault for
// one that is no longer sponsored, the Guard's error, TooMany beyond the limit, and NotFound without a wallet.
func (s *Signer) SignUserOperation(
	ctx context.Context, player, session string, chain onchain.ChainID, op *eth.UserOperation,
) (signature eth.Bytes, err error) {
	defer func() { s.logRefusal(ctx, "user operation", player, chain, err) }()
	policy, w, err := s.admit(ctx, player, chain)
	if err != nil {
		return nil, err
	}
	if err := op.Validate(); err != nil {
		return nil, err
	}
	if err := policy.CheckNonce(op); err != nil {
		return nil, err
	}
	if err := s.checkSponsorship(policy, op); err != nil {
		return nil, err
	}
	if _, err := policy.Cost(op); err != nil {
		return nil, err
	}
	calls, err := policy.Check(w.Account, op)
	if err != nil {
		return nil, err
	}
	if err := s.guard.Allow(ctx, gas.Intent{Player: player, Chain: chain, Sender: op.Sender, Nonce: op.Nonce, Calls: calls}); err != nil {
		return nil, err
	}
	hash := op.Hash(policy.EntryPoint, uint64(chain))
	if err := s.sponsored.Sponsored(ctx, gas.Caller{Player: player, Session: session}, hash, s.clock.Now()); err != nil {
		return nil, err
	}
	if err := s.bindings.Bind(ctx, player, chain, op, hash, calls); err != nil {
		return nil, err
	}
	if signature, err = s.sign(ctx, player, w, eth.MessageHash(hash[:])); err != nil {
		return nil, err
	}
	return recorded(signature, s.record.OperationSigned(ctx, player, chain, hash, calls))
}

// recorded returns a signature, unless it could not be recorded.
func recorded(signature eth.Bytes, err error) (eth.Bytes, error) {
	if err != nil {
		return nil, err
	}
	return signature, nil
}

// SignCancellation signs an operation of the player's own account that makes no calls and so only uses its
// nonce, sponsored like all others. It needs no session: the portal uses it to invalidate operations signed in an ended
// session.
func (s *Signer) SignCancellation(ctx context.Context, player string, chain onchain.ChainID,
	op *eth.UserOperation) (signature eth.Bytes, err error) {
	defer func() { s.logRefusal(ctx, "cancellation", player, chain, err) }()
	policy, ok := s.policies[chain]
	if !ok {
		return nil, refuse("chain", "Nothing is signed for chain %d here.", chain)
	}
	w, err := s.open(ctx, player)
	if err != nil {
		return nil, err
	}
	if err := op.Validate(); err != nil {
		return nil, err
	}
	if op.Sender != w.Smart {
		return nil, refuse("sender", "This operation is for another account than the player's.")
	}
	if !gas.IsCancellation(op.CallData) {
		return nil, refuse("calls", "A cancellation makes no calls.")
	}
	if err := policy.CheckNonce(op); err != nil {
		return nil, err
	}
	if err := s.checkSponsorship(policy, op); err != nil {
		return nil, err
	}
	hash := op.Hash(policy.EntryPoint, uint64(chain))
	if signature, err = s.sign(ctx, player, w, eth.MessageHash(hash[:])); err != nil {
		return nil, err
	}
	return recorded(signature, s.record.OperationSigned(ctx, player, chain, hash, nil))
}

// maxValidity is how long a signed operation may be valid. The chain's time may be ahead of the clock.
const maxValidity = gas.SponsorshipTTL + onchain.ClockLead

// checkSponsorship returns a Forbidden fault unless the portal's own paymaster signed the operation, for no longer
// than maxValidity. The signature of an external paymaster is not checked.
func (s *Signer) checkSponsorship(p *gas.Policy, op *eth.UserOperation) error {
	if err := p.CheckPaymaster(op); err != nil {
		return err
	}
	if p.ExternalPaymaster { // its relay has checked the promise, and keeps the sponsorship of exactly this operation
		return nil
	}
	given, err := contracts.ParseSponsorship(op.PaymasterData)
	if err != nil {
		return refuse("sponsorship", "This operation is not sponsored.")
	}
	if given.ValidUntil.Unix() == 0 || given.ValidUntil.After(s.clock.Now().Add(maxValidity)) {
		return refuse("sponsorship", "This operation is sponsored for too long.")
	}
	digest := contracts.SponsorshipHash(op, uint64(p.Chain), p.Paymaster, given.ValidUntil, given.ValidAfter)
	if !slices.Contains(p.PaymasterSigners, signerOf(eth.MessageHash(digest[:]), given.Signature)) {
		return refuse("sponsorship", "This operation is not sponsored by us.")
	}
	return nil
}

// signerOf returns the address whose key made a signature (r ‖ s ‖ v, with v 27 or 28); zero if it is invalid.
func signerOf(hash eth.Hash, signature [65]byte) eth.Address {
	if v := signature[64]; v != 27 && v != 28 {
		return eth.Address{}
	}
	compact := append([]byte{signature[64]}, signature[:64]...) // v ‖ r ‖ s
	key, _, err := ecdsa.RecoverCompact(compact, hash[:])
	if err != nil {
		return eth.Address{}
	}
	return addressOfPoint(key)
}

// signing is a player's wallet with its sealed key.
type signing struct {
	gas.Account
	sealed wallet.Sealed
}

// admit checks the chain and the player's limit and returns the policy and the wallet.
func (s *Signer) admit(ctx context.Context, player string, chain onchain.ChainID) (*gas.Policy, signing, error) {
	policy, ok := s.policies[chain]
	if !ok {
		return nil, signing{}, refuse("chain", "Nothing is signed for chain %d here.", chain)
	}
	if err := s.count(player); err != nil {
		return nil, signing{}, err
	}
	w, err := s.open(ctx, player)
	return policy, w, err
}

func (s *Signer) open(ctx context.Context, player string) (signing, error) {
	owner, sealed, by, err := s.keys.SealedKey(ctx, player)
	if err != nil {
		return signing{}, err
	}
	return signing{s.account(owner), wallet.Sealed{Player: player, Key: sealed, By: by}}, nil
}

// count counts a request against the player's limit. The counts are reset every minute.
func (s *Signer) count(player string) error {
	now := s.clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if minute := now.Truncate(time.Minute); !minute.Equal(s.minute) {
		s.minute = minute
		clear(s.asked)
	}
	if s.asked[player] >= s.perMinute {
		return fault.Wait(s.minute.Add(time.Minute).Sub(now), "That was a lot at once. Please wait a moment.")
	}
	s.asked[player]++
	return nil
}

// sign signs a hash with the player's owner key and returns r ‖ s ‖ v, with v 27 or 28. The key is overwritten after use;
// copies that the runtime may have made cannot be.
func (s *Signer) sign(ctx context.Context, player string, w signing, hash eth.Hash) (eth.Bytes, error) {
	secret, err := s.seal.open(ctx, w.sealed)
	if err != nil {
		return nil, err
	}
	defer clear(secret)
	key := secp256k1.PrivKeyFromBytes(secret)
	defer key.Zero()
	if addressOf(key) != w.Owner {
		return nil, errors.New("signer: a sealed key is not its owner's")
	}
	compact := ecdsa.SignCompact(key, hash[:], false) // v ‖ r ‖ s
	return append(compact[1:], compact[0]), nil
}

// addressOf returns the address of a key: the last 20 bytes of the hash of its public point.
func addressOf(key *secp256k1.PrivateKey) eth.Address { return addressOfPoint(key.PubKey()) }

func addressOfPoint(key *secp256k1.PublicKey) eth.Address {
	hash := eth.Keccak256(key.SerializeUncompressed()[1:]) // without the prefix byte of the uncompressed form
	return eth.Address(hash[12:])
}

func (s *Signer) logRefusal(ctx context.Context, what, player string, chain onchain.ChainID, err error) {
	if f := fault.As(err); f != nil {
		s.log.WarnContext(ctx, "signature refused", "what", what, "player", player, "chain", uint64(chain), "code", f.Code, "reason", f.Reason,
			"message", f.Message)
	} else if err != nil {
		s.log.ErrorContext(ctx, "signing failed", "what", what, "player", player, "error", err)
	}
}
