package api

import (
	"context"
	"net/http"
	"regexp"
	"time"

	"pantheon/internal/collections"
	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/money"
	"pantheon/internal/kit/rarity"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/claim"
	"pantheon/internal/portal/flags"
	"pantheon/internal/portal/market"
	"pantheon/internal/portal/reward"
)

// Season is a period in which each vault can be claimed once.
type Season struct {
	ID    string    `json:"id" doc:"Its id."`
	Name  string    `json:"name" doc:"Its name."`
	From  time.Time `json:"from" doc:"When it begins."`
	Until time.Time `json:"until" doc:"When it is over."`
}

// VaultGods are the vaults of the player's Elder Gods.
type VaultGods struct {
	Season    *Season    `json:"season,omitempty" doc:"The season that is open; absent for none."`
	Next      *Season    `json:"next,omitempty" doc:"The next season; absent while it is not announced."`
	Gods      []VaultGod `json:"gods" doc:"All Elder Gods in the player's wallets." nullable:"false"`
	Total     int        `json:"total" doc:"How many there are." minimum:"0"`
	Claimable string     `json:"claimable" doc:"GOD in the vaults that can be claimed now, decimal."`
}

// VaultGod is the vault of one Elder God.
type VaultGod struct {
	Contract    eth.Address             `json:"contract" doc:"The Elder Gods' contract."`
	TokenID     string                  `json:"tokenId" doc:"The god's id, decimal."`
	Wallet      string                  `json:"wallet" enum:"smart,verified" doc:"The player's wallet that holds it. The GOD comes to the smart wallet."`
	Metadata    market.MetadataDocument `json:"metadata" doc:"What it is."`
	Amount      string                  `json:"amount" doc:"GOD in its vault in the season that is open, else in the next one, decimal; 0 without either, and while its rarity is not known."`
	State       string                  `json:"state" doc:"eligible: it can be claimed. claimed: it was, in this season. not-known: its rarity, by which it pays, is not known yet. not-now: no season is open." enum:"eligible,claimed,not-known,not-now"`
	ClaimID     string                  `json:"claimId,omitempty" doc:"The claim; absent without one, and where it was another player's, who had the god before."`
	RewardState reward.State            `json:"rewardState,omitempty" doc:"How far the claim is; absent without claimId." enum:"drawn,sending,done,failed"`
}

// NewVaultClaim names the Elder Gods whose vaults are claimed: one by tokenId, or several by tokenIds.
type NewVaultClaim struct {
	TokenID  string   `json:"tokenId,omitempty" doc:"Id of the Elder God."`
	TokenIDs []string `json:"tokenIds,omitempty" doc:"Ids of several Elder Gods: all are claimed, or none." maxItems:"100" nullable:"false"`
}

// VaultClaim is the response to a claim of vaults. The claims are rewards; see getRewards.
type VaultClaim struct {
	ClaimID  string   `json:"claimId" doc:"The id of the first claim."`
	ClaimIDs []string `json:"claimIds" doc:"The ids of all claims, in the order of the request." nullable:"false"`
}

type avatarClaimQuestion struct {
	WalletAddress string `json:"walletAddress" doc:"Any wallet."`
}

// AvatarClaimCheck says whether the season avatar is claimed.
type AvatarClaimCheck struct {
	Success bool `json:"success" doc:"Always true."`
	Claimed bool `json:"claimed" doc:"Whether this wallet has claimed its avatar; for the player's verified wallet, whether the smart one has."`
	// Claimable keeps pages from offering what would be refused.
	Claimable bool `json:"claimable" doc:"Whether the player can claim it now: the wallet is the player's own, has not, and there are avatars in this season."`
}

// AvatarClaim is the response to a claim of the avatar. The claim is a reward; see getRewards.
type AvatarClaim struct {
	ClaimID string `json:"claimId" doc:"The id of the claim."`
}

func (a *API) registerClaims() {
	limits := []limiter{{perMinute: a.Limits.CartPerMinute, key: byPlayer}}
	player(a, call{
		method: http.MethodGet, path: "/api/auth/vault", id: "getVault", tag: tagClaims,
		summary: "The vaults of the player's Elder Gods in this season",
	}, a.vault)
	player(a, call{
		method: http.MethodPost, path: "/api/auth/vault/claim", id: "claimVault", tag: tagClaims, status: http.StatusAccepted,
		summary: "Claim the GOD in the vaults of Elder Gods, once a season", errors: []int{400, 403, 409}, limits: limits,
		needs: flags.AllowClaims,
	}, a.claimVault)
	player(a, call{
		method: http.MethodPost, path: "/api/auth/marketplace/avatar/avatarClaimCheck", id: "checkAvatarClaim", tag: tagClaims,
		summary: "Whether the season avatar of a wallet is claimed", errors: []int{400},
	}, a.checkAvatarClaim)
	player(a, call{
		method: http.MethodPost, path: "/api/auth/marketplace/avatar/claim", id: "claimAvatar", tag: tagClaims, status: http.StatusAccepted,
		summary: "Claim the season avatar, once a wallet", errors: []int{409}, limits: limits, needs: flags.AllowClaims,
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[AvatarClaim], error) {
		id, err := a.Claims.ClaimAvatar(ctx, c.PlayerID)
		return body(AvatarClaim{id}), err
	})
}

func seasonOf(s *claim.Season) *Season {
	if s == nil {
		return nil
	}
	return &Season{ID: s.ID, Name: s.Name, From: s.From.UTC(), Until: s.Until.UTC()}
}

func (a *API) vault(ctx context.Context, c account.Caller, _ *Empty) (*Body[VaultGods], error) {
	now, next := a.Claims.Season()
	out := VaultGods{Season: seasonOf(now), Next: seasonOf(next), Gods: []VaultGod{}}
	wallets, err := a.walletsOf(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	claimed, err := a.Claims.VaultsOf(ctx, c.PlayerID, now)
	if err != nil {
		return nil, err
	}
	var sum money.Units
	for page := (holdingsQuery{}); ; {
		held, err := a.held(ctx, wallets, collections.ElderGods, &page)
		if err != nil {
			return nil, err
		}
		ids := make([]string, len(held.Items))
		for i, h := range held.Items {
			ids[i] = h.TokenID
		}
		unknown, err := a.Claims.Unknown(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, h := range held.Items {
			god, amount := vaultOf(h, now, next, claimed, unknown)
			if god.State == "eligible" {
				if sum, err = sum.Add(amount); err != nil {
					return nil, err
				}
			}
			out.Gods = append(out.Gods, god)
		}
		if held.NextCursor == "" {
			break
		}
		page.Cursor = held.NextCursor
	}
	out.Total, out.Claimable = len(out.Gods), sum.Decimal(claim.Decimals)
	return body(out), nil
}

// vaultOf returns the vault of a god and what it holds.
func vaultOf(h Holding, now, next *claim.Season, claimed claim.Vaults, unknown map[string]bool) (VaultGod, money.Units) {
	god := VaultGod{Contract: h.Contract, TokenID: h.TokenID, Wallet: h.Wallet, Metadata: h.Metadata, State: "eligible"}
	season := now
	if now == nil {
		god.State, season = "not-now", next
	} else if c, ok := claimed[h.TokenID]; ok {
		god.State, god.ClaimID, god.RewardState = "claimed", c.ID, c.State
	} else if unknown[h.TokenID] {
		god.State = "not-known"
	}
	var amount money.Units
	if season != nil && !unknown[h.TokenID] {
		amount = season.Vault.Amount(rarity.Rarity(h.Metadata.Rarity))
	}
	god.Amount = amount.Decimal(claim.Decimals)
	return god, amount
}

// tokenID matches a token's id: a decimal number without leading zeros.
var tokenID = regexp.MustCompile(`^(0|[1-9][0-9]{0,77})$`)

func (a *API) claimVault(ctx context.Context, c account.Caller, in *Body[NewVaultClaim]) (*Body[VaultClaim], error) {
	ids := in.Body.TokenIDs
	if in.Body.TokenID != "" {
		ids = append([]string{in.Body.TokenID}, ids...)
	}
	if len(ids) == 0 || len(ids) > claim.MaxVaults {
		return nil, fault.InvalidFields("Please choose from 1 to 100 Elder Gods.",
			fault.Field{Location: "body.tokenIds", Message: "Give tokenId, or 1 to 100 tokenIds."})
	}
	for _, id := range ids {
		if !tokenID.MatchString(id) {
			return nil, fault.InvalidFields("These are not Elder Gods.", fault.Field{
				Location: "body.tokenIds", Message: "Token ids are decimal numbers.",
			})
		}
	}
	claims, err := a.Claims.ClaimVaults(ctx, c.PlayerID, ids)
	if err != nil {
		return nil, err
	}
	return body(VaultClaim{ClaimID: claims[0], ClaimIDs: claims}), nil
}

func (a *API) checkAvatarClaim(ctx context.Context, c account.Caller, in *Body[avatarClaimQuestion]) (*Body[AvatarClaimCheck], error) {
	address, err := eth.ParseAddress(in.Body.WalletAddress)
	if err != nil {
		return nil, fault.InvalidFields("Invalid address", fault.Field{Location: "body.walletAddress", Message: err.Error()})
	}
	of, err := a.walletsOf(ctx, c.PlayerID)
	if err != nil {
		return nil, err
	}
	if of.verified != nil && address == *of.verified && of.smart != nil {
		address = *of.smart // which claims for both
	}
	claimed, err := a.Claims.HasAvatar(ctx, address)
	if err != nil {
		return nil, err
	}
	season, _ := a.Claims.Season()
	claimable := !claimed && of.smart != nil && address == *of.smart && season != nil && season.Avatars != nil
	return body(AvatarClaimCheck{Success: true, Claimed: claimed, Claimable: claimable}), nil
}
