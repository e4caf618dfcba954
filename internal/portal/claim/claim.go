// Package claim gives players what they claim: in each season the GOD in the vaults of their Elder Gods, once for each god
// whoever owns it, and once for each smart wallet a season avatar. A claim is recorded with its reward in one transaction,
// which also checks the ownership by the index; package reward then gives it. The seasons are a section of the game's rules.
//
// A Service is safe for concurrent use and runs nothing in the background.
package claim

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/portal/projection"
	"pantheon/internal/portal/reward"
)

// MaxVaults is how many vaults can be claimed at once.
const MaxVaults = 100

// Contract is a token contract on a chain.
type Contract struct {
	Chain   onchain.ChainID
	Address eth.Address
}

// Vaults are the claimed vaults of a player's gods, by token id.
type Vaults map[string]Claimed

// Claimed is a vault that was claimed in a season.
type Claimed struct {
	// ID is the claim's, and State its reward's; "" for the claim of another player, who owned the god before.
	ID    string
	State reward.State
}

// Store stores the claims.
type Store interface {
	// Claim runs fn in one transaction, in which the player makes no other claim. It returns fault.NotFound for an
	// unknown player and fault.Forbidden for a frozen one.
	Claim(ctx context.Context, playerID string, fn func(context.Context, Tx) error) error
	// Vaults returns the claims, in a season, of the gods that the player's wallets hold.
	Vaults(ctx context.Context, playerID, season string, gods Contract) (Vaults, error)
	// Described reports of tokens whether it is known what their contract says of them.
	Described(ctx context.Context, contract eth.Address, tokenIDs []string) (map[string]bool, error)
	// HasAvatar reports whether a wallet has claimed its avatar.
	HasAvatar(ctx context.Context, wallet eth.Address) (bool, error)
}

// Tx is the transaction of one player's claim.
type Tx interface {
	// Held returns the rarity of a token and whether the player's smart or verified wallet holds it by the index.
	Held(ctx context.Context, of Contract, tokenID string) (r rarity.Rarity, held bool, err error)
	// Described reports whether it is known what the contract says of a token.
	Described(ctx context.Context, contract eth.Address, tokenID string) (bool, error)
	// MarkVault records that the vault of a god is claimed in a season, and reports whether it was not yet.
	MarkVault(ctx context.Context, season string, god eth.Address, tokenID, source string) (first bool, err error)
	// SmartWallet returns the player's registered smart wallet, or the zero address.
	SmartWallet(ctx context.Context) (eth.Address, error)
	// HasAvatar reports whether a wallet has claimed its avatar.
	HasAvatar(ctx context.Context, wallet eth.Address) (bool, error)
	// TakeAvatar gives the lowest of the ids above all given ones to a wallet that has no avatar, or returns 0 if there is
	// none left.
	TakeAvatar(ctx context.Context, wallet eth.Address, season string, ids IDs) (tokenID int64, err error)
	// AddReward records a reward unless its source exists, and reports whether it did.
	AddReward(ctx context.Context, r reward.Reward) (added bool, err error)
}

// Options configure a Service; all but ByContract and Reachable are required.
type Options struct {
	Store   Store
	Seasons func() Seasons // the current ones
	Clock   clock.Clock
	Gods    Contract // those with vaults; zero for none
	GOD     Contract // the currency
	Avatars Contract // the season avatars; zero for none
	Claimed func()   // called after a claim
	// ByContract reports whether the rarity of a god is what its contract says, and not known before that was read; nil for never.
	ByContract func(tokenID string) bool
	// Reachable reports whether the portal can reach a player, for whom it pays the minting; nil if that does not matter.
	Reachable func(ctx context.Context, playerID string) (bool, error)
}

// Service implements the capability.
type Service struct{ Options }

// NewService returns a Service.
func NewService(o Options) *Service { return &Service{o} }

// Season returns the season that is open, and the next one; nil for none.
func (s *Service) Season() (now, next *Season) { return s.Seasons().At(s.Clock.Now()) }

// VaultsOf returns the claims of the player's gods in a season; none for nil.
func (s *Service) VaultsOf(ctx context.Context, playerID string, season *Season) (Vaults, error) {
	if season == nil {
		return nil, nil
	}
	return s.Store.Vaults(ctx, playerID, season.ID, s.Gods)
}

// Unknown returns those of the gods whose rarity is not known yet, by which their vaults pay.
func (s *Service) Unknown(ctx context.Context, tokenIDs []string) (map[string]bool, error) {
	unknown := map[string]bool{}
	var ask []string
	for _, id := range tokenIDs {
		if s.byContract(id) {
			ask = append(ask, id)
		}
	}
	known, err := s.Store.Described(ctx, s.Gods.Address, ask)
	for _, id := range ask {
		unknown[id] = !known[id]
	}
	return unknown, err
}

func (s *Service) byContract(tokenID string) bool {
	return s.ByContract != nil && s.ByContract(tokenID)
}

// reachable returns fault.Forbidden with the reason "email" for a player who must confirm an email address first.
func (s *Service) reachable(ctx context.Context, playerID string) error {
	if s.Reachable == nil {
		return nil
	}
	ok, err := s.Reachable(ctx, playerID)
	if err == nil && !ok {
		err = fault.New(fault.Forbidden, "Please confirm your email address first: we pay the minting for players we can reach.").
			WithReason("email")
	}
	return err
}

// ClaimVaults claims the vaults of 1 to MaxVaults gods, all or none, and returns the claims' ids in the order of tokenIDs,
// each once. It returns fault.Forbidden with the reason "email" for a player who cannot be reached, and with "not-yours" for a
// god that the player's wallets do not hold, and fault.Conflict with the reason "not-known" for one whose rarity is not known yet,
// "claimed" for one whose vault was claimed in the season, or "no-season".
func (s *Service) ClaimVaults(ctx context.Context, playerID string, tokenIDs []string) (claims []string, err error) {
	if err := s.reachable(ctx, playerID); err != nil {
		return nil, err
	}
	if s.Gods.Address.IsZero() {
		return nil, fault.New(fault.NotFound, "There are no vaults here.")
	}
	now, next := s.Season()
	if now == nil {
		return nil, refusal(next, "no-season", "No season is open")
	}
	var ids []string
	for _, id := range tokenIDs {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	source := func(tokenID string) string {
		return fmt.Sprintf("vault/%s/%s/%s", now.ID, s.Gods.Address, tokenID)
	}
	err = s.Store.Claim(ctx, playerID, func(ctx context.Context, tx Tx) error {
		// Always in the same order: claims of the same gods wait for one another and do not deadlock.
		for _, id := range slices.Sorted(slices.Values(ids)) {
			r, held, err := tx.Held(ctx, s.Gods, id)
			if err != nil {
				return err
			}
			if !held {
				return fault.New(fault.Forbidden, "Elder God #%s is not in your wallets. Only its owner can claim its vault.", id).
					WithReason("not-yours")
			}
			if s.byContract(id) {
				known, err := tx.Described(ctx, s.Gods.Address, id)
				if err != nil {
					return err
				}
				if !known {
					return fault.New(fault.Conflict, "The rarity of #%s is not known yet, and its vault pays by it. Please try again in a few minutes.",
						id).WithReason("not-known")
				}
			}
			first, err := tx.MarkVault(ctx, now.ID, s.Gods.Address, id, source(id))
			if err != nil {
				return err
			}
			if first {
				first, err = tx.AddReward(ctx, s.vault(playerID, *now, id, source(id), now.Vault.Amount(r)))
			}
			if err != nil {
				return err
			}
			if !first {
				return refusal(next, "claimed", "The vault of Elder God #"+id+" has been claimed in this season")
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Claimed()
	for _, id := range ids {
		claims = append(claims, source(id))
	}
	return claims, nil
}

// vault is the reward of a vault's claim.
func (s *Service) vault(playerID string, now Season, tokenID, source string, amount money.Units) reward.Reward {
	return reward.Reward{
		Source: source, Origin: reward.FromVault, PlayerID: playerID,
		Detail: encode(projection.VaultClaimed{TokenID: tokenID, Season: now.ID, Amount: amount.Decimal(Decimals)}),
		Grants: []reward.Content{reward.Mint{
			Chain: s.GOD.Chain, Contract: s.GOD.Address, Standard: onchain.ERC20, TokenID: "0", Amount: amount,
		}.Content()},
	}
}

// HasAvatar reports whether a wallet has claimed its avatar.
func (s *Service) HasAvatar(ctx context.Context, wallet eth.Address) (bool, error) {
	return s.Store.HasAvatar(ctx, wallet)
}

// ClaimAvatar claims the season avatar of the player's smart wallet and returns the claim's id. It returns fault.Forbidden with
// the reason "email" for a player who cannot be reached, and fault.Conflict
// with the reason "claimed", "no-season" (also for a season without avatars), "none-left" or "no-wallet".
func (s *Service) ClaimAvatar(ctx context.Context, playerID string) (claimID string, err error) {
	if err := s.reachable(ctx, playerID); err != nil {
		return "", err
	}
	if s.Avatars.Address.IsZero() {
		return "", fault.New(fault.NotFound, "There are no season avatars here.")
	}
	now, next := s.Season()
	if now == nil {
		return "", refusal(next, "no-season", "No season is open")
	}
	err = s.Store.Claim(ctx, playerID, func(ctx context.Context, tx Tx) error {
		wallet, err := tx.SmartWallet(ctx)
		if err != nil {
			return err
		}
		if wallet.IsZero() {
			return fault.New(fault.Conflict, "You do not have a wallet yet. Please connect it first.").WithReason("no-wallet")
		}
		claimed := fault.New(fault.Conflict, "Your wallet has claimed its season avatar. There is one for each wallet.").WithReason("claimed")
		has, err := tx.HasAvatar(ctx, wallet)
		switch {
		case err != nil:
			return err
		case has:
			return claimed
		case now.Avatars == nil:
			return refusal(next, "no-season", "There are no avatars in this season")
		}
		tokenID, err := tx.TakeAvatar(ctx, wallet, now.ID, *now.Avatars)
		if err != nil {
			return err
		}
		if tokenID == 0 {
			return refusal(next, "none-left", "All avatars of this season are claimed")
		}
		claimID = "avatar/" + wallet.String()
		id := strconv.FormatInt(tokenID, 10)
		added, err := tx.AddReward(ctx, reward.Reward{
			Source: claimID, Origin: reward.FromAvatar, PlayerID: playerID,
			Detail: encode(projection.AvatarClaimed{TokenID: id, Season: now.ID, Contract: s.Avatars.Address}),
			Grants: []reward.Content{reward.Mint{
				Chain: s.Avatars.Chain, Contract: s.Avatars.Address, Standard: onchain.ERC721, TokenID: id, Amount: money.FromInt(1), To: wallet,
			}.Content()},
		})
		if err == nil && !added {
			return claimed
		}
		return err
	})
	if err != nil {
		return "", err
	}
	s.Claimed()
	return claimID, nil
}

// refusal returns a Conflict fault that says when the next season begins. Its details have it for programs.
func refusal(next *Season, reason, message string) *fault.Fault {
	if next == nil {
		return fault.New(fault.Conflict, "%s. The next season is not announced yet.", message).WithReason(reason)
	}
	from := next.From.UTC()
	return fault.New(fault.Conflict, "%s. The next season begins on %s.", message,
		from.Format("2 January 2006, 15:04 UTC")).WithReason(reason).
		WithDetails(map[string]string{"nextSeason": next.ID, "nextFrom": from.Format(time.RFC3339)})
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("claim: %T cannot be written as JSON: %v", v, err)) // plain structs always can
	}
	return string(b)
}
