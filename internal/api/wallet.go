package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/wallet"
)

// WalletOptions are what the calls about wallets need.
type WalletOptions struct {
	Wallets *wallet.Service
	Proofs  *wallet.Proofs
}

type playerBody struct {
	PlayFabID string `json:"playfabid" doc:"The player's own id."`
}

// WalletPair is the player's registered pair of wallets.
type WalletPair struct {
	EmbeddedWallet *eth.Address `json:"embeddedWallet" doc:"The embedded wallet; null until the pair is registered." nullable:"true"`
	SmartWallet    *eth.Address `json:"smartWallet" doc:"The smart wallet; null until the pair is registered." nullable:"true"`
}

// NewWalletPair registers the pair that the browser uses.
type NewWalletPair struct {
	PlayFabID      string `json:"playfabid" doc:"The player's own id."`
	EmbeddedWallet string `json:"embeddedWallet" doc:"Address of the embedded wallet."`
	SmartWallet    string `json:"smartWallet" doc:"Address of the smart wallet."`
}

// RegisteredPair is the response to a registration.
type RegisteredPair struct {
	Success        bool        `json:"success" doc:"Always true."`
	EmbeddedWallet eth.Address `json:"embeddedWallet" doc:"The embedded wallet."`
	SmartWallet    eth.Address `json:"smartWallet" doc:"The smart wallet."`
}

// Token is a token of the embedded wallet.
type Token struct {
	Token string `json:"token" doc:"JWT for the embedded wallet; lasts 15 minutes."`
}

// WalletAddress is the address of the embedded wallet.
type WalletAddress struct {
	Address eth.Address `json:"address" doc:"The embedded wallet, which owns the smart wallet."`
}

// Message is a text to sign.
type Message struct {
	Message string `json:"message" doc:"The text: an EIP-4361 message of this site." maxLength:"4096"`
}

// TypedData is EIP-712 data to sign.
type TypedData struct {
	TypedData json.RawMessage `json:"typedData" doc:"The EIP-712 object: domain, types, primaryType, message."`
}

// UserOperation is an operation of the smart wallet to sign.
type UserOperation struct {
	ChainID       onchain.ChainID `json:"chainId" doc:"Chain the operation is for."`
	UserOperation json.RawMessage `json:"userOperation" doc:"The operation in the JSON-RPC form of ERC-4337 (EntryPoint v0.7)."`
}

// Signature is a signature of the embedded wallet.
type Signature struct {
	Signature eth.Bytes `json:"signature" doc:"65 bytes, hex."`
}

func (a *API) registerWallet() {
	player(a, call{
		method: http.MethodPost, path: "/api/smartWallet/has-smart-wallet", id: "hasSmartWallet", tag: tagWallet,
		summary: "The registered pair of wallets", errors: []int{403},
	}, func(ctx context.Context, c account.Caller, in *Body[playerBody]) (*Body[WalletPair], error) {
		w, err := a.Wallets.Registered(ctx, c.PlayerID, in.Body.PlayFabID)
		if w == nil || err != nil {
			return body(WalletPair{}), err
		}
		return body(WalletPair{EmbeddedWallet: &w.Owner, SmartWallet: &w.Smart}), nil
	})
	player(a, call{
		method: http.MethodPost, path: "/api/smartWallet/create-smart-wallet", id: "createSmartWallet", tag: tagWallet,
		summary: "Register the pair of wallets", errors: []int{400, 403},
	}, func(ctx context.Context, c account.Caller, in *Body[NewWalletPair]) (*Body[RegisteredPair], error) {
		w, err := a.Wallets.Register(ctx, c.PlayerID, in.Body.PlayFabID, in.Body.EmbeddedWallet, in.Body.SmartWallet)
		return body(RegisteredPair{Success: true, EmbeddedWallet: w.Owner, SmartWallet: w.Smart}), err
	})
	signedIn(a, call{
		method: http.MethodGet, path: "/api/smartWallet/embedded-token", id: "getEmbeddedToken", tag: tagWallet,
		summary: "A token for the embedded wallet; Authorization carries the sessionAuthorization",
	}, sessionScheme, a.Accounts.AuthenticateSession, func(_ context.Context, c account.Caller, _ *Empty) (*Body[Token], error) {
		token, err := a.Accounts.WalletToken(c)
		return body(Token{token}), err
	})

	signing := []limiter{{perMinute: a.Limits.SigningPerMinute, key: byPlayer}}
	signedIn(a, call{
		method: http.MethodPost, path: "/api/wallet/connect", id: "connectWallet", tag: tagWallet,
		summary: "Connect the embedded wallet, making it the first time", limits: signing,
	}, walletScheme, a.Accounts.AuthenticateWallet, func(ctx context.Context, c account.Caller, _ *Empty) (*Body[WalletAddress], error) {
		w, err := a.Wallets.Connect(ctx, c.PlayerID)
		return body(WalletAddress{w.Owner}), err
	})
	signedIn(a, call{
		method: http.MethodPost, path: "/api/wallet/sign-message", id: "signMessage", tag: tagWallet,
		summary: "Sign a sign-in message of this site", errors: []int{403, 404}, limits: signing,
	}, walletScheme, a.Accounts.AuthenticateWallet, func(ctx context.Context, c account.Caller, in *Body[Message]) (*Body[Signature], error) {
		s, err := a.Wallets.SignMessage(ctx, c.PlayerID, in.Body.Message)
		return body(Signature{s}), err
	})
	signedIn(a, call{
		method: http.MethodPost, path: "/api/wallet/sign-typed-data", id: "signTypedData", tag: tagWallet,
		summary: "Sign the account's own typed data", errors: []int{403, 404}, limits: signing,
	}, walletScheme, a.Accounts.AuthenticateWallet,
		func(ctx context.Context, c account.Caller, in *Body[TypedData]) (*Body[Signature], error) {
			s, err := a.Wallets.SignTypedData(ctx, c.PlayerID, in.Body.TypedData)
			return body(Signature{s}), err
		})
	signedIn(a, call{
		method: http.MethodPost, path: "/api/wallet/sign-user-operation", id: "signUserOperation", tag: tagWallet,
		summary: "Sign an operation of the smart wallet", errors: []int{400, 403, 404, 409}, limits: signing, maxBody: maxRPCBody,
	}, walletScheme, a.Accounts.AuthenticateWallet, a.signUserOperation)
}

func (a *API) signUserOperation(ctx context.Context, c account.Caller, in *Body[UserOperation]) (*Body[Signature], error) {
	var op eth.UserOperation
	if err := json.Unmarshal(in.Body.UserOperation, &op); err != nil {
		return nil, fault.InvalidFields("This is not a user operation.",
			fault.Field{Location: "body.userOperation", Message: strings.TrimPrefix(err.Error(), "json: ")})
	}
	s, err := a.Wallets.SignUserOperation(ctx, c.PlayerID, c.SessionID, in.Body.ChainID, &op)
	return body(Signature{s}), err
}
