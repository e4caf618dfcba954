package api

import (
	"context"
	"net/http"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/wallet"
)

// NewChallenge requests the message that proves ownership of a wallet.
type NewChallenge struct {
	Address string          `json:"address" doc:"The wallet's address."`
	ChainID onchain.ChainID `json:"chainId" doc:"The chain the wallet is on: one of the portal's."`
}

// Challenge is the message to sign.
type Challenge struct {
	Message string `json:"message" doc:"An EIP-4361 message, good once and for 10 minutes, to be signed with personal_sign. It ends the one before."`
}

// Proof is a signed message.
type Proof struct {
	Message   string `json:"message" doc:"The message of the challenge, unchanged." maxLength:"2048"`
	Signature string `json:"signature" doc:"The wallet's signature, hex: of a key, of a contract (ERC-1271), or of one not deployed yet (ERC-6492)."`
}

// ProvenWallet is the profile's part on the verified wallet.
type ProvenWallet struct {
	Success            bool            `json:"success" doc:"Always true."`
	UserVerifiedWallet *VerifiedWallet `json:"userVerifiedWallet,omitempty" doc:"The player's own wallet; absent when there is none."`
}

func (a *API) registerProofs() {
	limits := []limiter{{perMinute: a.Limits.LoginsPerMinute, key: byPlayer}}
	player(a, call{
		method: http.MethodPost, path: "/api/auth/wallet/challenge", id: "challengeWallet", tag: tagWallet,
		summary: "The message that proves a wallet of the player's own", errors: []int{400}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *Body[NewChallenge]) (*Body[Challenge], error) {
		message, err := a.Proofs.Challenge(ctx, c.PlayerID, in.Body.Address, in.Body.ChainID)
		return body(Challenge{message}), err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/auth/wallet/verify", id: "verifyWallet", tag: tagWallet,
		summary: "Connect a wallet of the player's own by the signed message, once the player has approved it (approval-needed)",
		errors:  []int{400, 403, 409, 503}, limits: limits,
	}, func(ctx context.Context, c account.Caller, in *Body[Proof]) (*Body[ProvenWallet], error) {
		var signature eth.Bytes
		if err := signature.UnmarshalText([]byte(in.Body.Signature)); err != nil {
			return nil, fault.InvalidFields("This is not a signature.", fault.Field{Location: "body.signature", Message: err.Error()})
		}
		w, err := a.Proofs.Verify(ctx, wallet.Caller(c), in.Body.Message, signature)
		return body(ProvenWallet{Success: true, UserVerifiedWallet: &VerifiedWallet{w.Address}}), err
	})
	player(a, call{
		method: http.MethodDelete, path: "/api/auth/wallet", id: "disconnectWallet", tag: tagWallet,
		summary: "Disconnect the player's own wallet, once the player has approved it (approval-needed)", errors: []int{403, 409, 503},
		limits: limits,
	}, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[ProvenWallet], error) {
		return body(ProvenWallet{Success: true}), a.Proofs.Disconnect(ctx, wallet.Caller(c))
	})
}
