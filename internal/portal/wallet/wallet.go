// Package wallet gives each player an embedded wallet, whose key the portal stores sealed, and the smart wallet it
// owns. The key signs only what the signer's policy can decode and allows.
package wallet

import (
	"context"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
)

// ErrNotReady means that the player's wallets have not been created yet.
var ErrNotReady = fault.New(fault.Conflict, "Your wallet is not ready yet. Please wait a moment.").WithReason("no-wallet")

// Key is a player's sealed owner key with the addresses derived from it.
type Key struct {
	Owner    eth.Address // the embedded wallet
	Smart    eth.Address // the smart account it owns, deployed or not
	Sealed   string      // can be opened only for its player
	SealedBy string      // the fingerprint of the key that it is sealed with
}

// Sealed is a player's sealed owner key.
type Sealed struct {
	Player string
	Key    string // sealed
	By     string // the fingerprint of the key that it is sealed with; "" for those of earlier releases
}

// Wallet is a player's pair of wallets.
type Wallet struct {
	PlayerID string
	Key
	StoredAt time.Time // when the browser registered the pair; zero before
}

// Gift is a gift for registering the pair, given once per source.
type Gift struct {
	Source string
	Kind   string
	Detail string
}

// Signer creates keys and signs with stored ones. It returns fault.Forbidden with the reason for what its policy
// refuses, and fault.NotFound for a player without a wallet.
type Signer interface {
	NewKey(ctx context.Context, playerID string) (Key, error)
	// SignUserOperation signs an operation that is sponsored for the session.
	SignUserOperation(ctx context.Context, playerID, sessionID string, chain onchain.ChainID, op *eth.UserOperation) (eth.Bytes, error)
	SignMessage(ctx context.Context, playerID, message string) (eth.Bytes, error)
	SignTypedData(ctx context.Context, playerID string, data []byte) (eth.Bytes, error)
}

// Store stores the wallets.
type Store interface {
	// Wallet returns fault.NotFound if the player has none.
	Wallet(ctx context.Context, playerID string) (Wallet, error)
	// CreateWallet stores the wallet unless the player already has one; it returns the stored one.
	CreateWallet(ctx context.Context, w Wallet, at time.Time) (Wallet, error)
	// RegisterPair marks the pair as registered and records the gifts, in one transaction, once.
	RegisterPair(ctx context.Context, playerID string, at time.Time, gifts []Gift) error
}

// Service implements the capability. It is safe for concurrent use.
type Service struct {
	store  Store
	signer Signer
	clock  clock.Clock
	// welcome returns the gifts for a newly registered pair; it may be nil.
	welcome func(w Wallet) []Gift
	copies  *Copies
}

// NewService returns a Service; welcome, which may be nil, returns the gifts for a newly registered pair. copies keeps wallets in a second
// place before they are used; nil for none.
func NewService(s Store, signer Signer, c clock.Clock, welcome func(w Wallet) []Gift, copies *Copies) *Service {
	if welcome == nil {
		welcome = func(Wallet) []Gift { return nil }
	}
	return &Service{store: s, signer: signer, clock: c, welcome: welcome, copies: copies}
}

// Registered returns the player's pair, or nil if it is not registered. It returns fault.Forbidden for another
// player's pair.
func (s *Service) Registered(ctx context.Context, playerID, asked string) (*Wallet, error) {
	if asked != playerID {
		return nil, fault.New(fault.Forbidden, "This is not your account.")
	}
	w, err := s.store.Wallet(ctx, playerID)
	if fault.Is(err, fault.NotFound) || (err == nil && w.StoredAt.IsZero()) {
		return nil, nil
	}
	return &w, err
}

// Pair returns the addresses of the registered pair, or nil for both.
func (s *Service) Pair(ctx context.Context, playerID string) (embedded, smart *eth.Address, err error) {
	w, err := s.Registered(ctx, playerID, playerID)
	if w == nil || err != nil {
		return nil, nil, err
	}
	return &w.Owner, &w.Smart, nil
}

// Owns returns fault.Forbidden unless the address is the player's smart wallet.
func (s *Service) Owns(ctx context.Context, playerID, address string) error {
	a, err := eth.ParseAddress(address)
	if err != nil {
		return err
	}
	w, err := s.store.Wallet(ctx, playerID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err != nil || w.Smart != a {
		return fault.New(fault.Forbidden, "This is not your wallet.")
	}
	return nil
}

// Connect returns the player's wallet, creating it and its key on the first call. It returns ErrNotCopied while a wallet that is not
// registered yet cannot be copied to the second place.
func (s *Service) Connect(ctx context.Context, playerID string) (Wallet, error) {
	w, err := s.store.Wallet(ctx, playerID)
	if err == nil && !w.StoredAt.IsZero() {
		return w, nil
	}
	if fault.Is(err, fault.NotFound) {
		if s.copies != nil {
			if err := s.copies.MayCreate(ctx, playerID); err != nil {
				return Wallet{}, err
			}
		}
		var key Key
		if key, err = s.signer.NewKey(ctx, playerID); err != nil {
			return Wallet{}, err
		}
		w, err = s.store.CreateWallet(ctx, Wallet{PlayerID: playerID, Key: key}, s.clock.Now())
	}
	if err == nil && s.copies != nil {
		err = s.copies.Keep(ctx, playerID)
	}
	if err != nil {
		return Wallet{}, err
	}
	return w, nil
}

// Register records that the player's browser uses the pair. Registering the same pair again changes nothing. It
// returns fault.Forbidden for another player, and fault.Invalid if the addresses are not this player's pair.
func (s *Service) Register(ctx context.Context, playerID, asked string, embedded, smart string) (Wallet, error) {
	if asked != playerID {
		return Wallet{}, fault.New(fault.Forbidden, "This is not your account.")
	}
	owner, ownerErr := eth.ParseAddress(embedded)
	account, smartErr := eth.ParseAddress(smart)
	var faults []fault.Field
	if ownerErr != nil {
		faults = append(faults, fault.Field{Location: "body.embeddedWallet", Message: ownerErr.Error()})
	}
	if smartErr != nil {
		faults = append(faults, fault.Field{Location: "body.smartWallet", Message: smartErr.Error()})
	}
	if len(faults) > 0 {
		return Wallet{}, fault.InvalidFields("Invalid address", faults...)
	}
	w, err := s.store.Wallet(ctx, playerID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return Wallet{}, err
	}
	if err != nil || w.Owner != owner || w.Smart != account {
		return Wallet{}, fault.InvalidFields("These are not the wallets that were made for you. Please connect again.")
	}
	if !w.StoredAt.IsZero() {
		return w, nil
	}
	if s.copies != nil {
		if err := s.copies.Keep(ctx, playerID); err != nil {
			return Wallet{}, err
		}
	}
	if err := s.store.RegisterPair(ctx, playerID, s.clock.Now(), s.welcome(w)); err != nil {
		return Wallet{}, err
	}
	return s.store.Wallet(ctx, playerID)
}

// SignUserOperation signs an operation of the player's smart wallet; see Signer.
func (s *Service) SignUserOperation(ctx context.Context, playerID, sessionID string, chain onchain.ChainID,
	op *eth.UserOperation) (eth.Bytes, error) {
	return s.signer.SignUserOperation(ctx, playerID, sessionID, chain, op)
}

// SignMessage signs a sign-in message of the portal's own domain (EIP-4361); see Signer.
func (s *Service) SignMessage(ctx context.Context, playerID, message string) (eth.Bytes, error) {
	return s.signer.SignMessage(ctx, playerID, message)
}

// SignTypedData signs EIP-712 data of the account itself; see Signer.
func (s *Service) SignTypedData(ctx context.Context, playerID string, data []byte) (eth.Bytes, error) {
	return s.signer.SignTypedData(ctx, playerID, data)
}
