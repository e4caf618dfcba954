package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"pantheon/internal/kit/eth"
	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/onchain"
	"pantheon/internal/portal/account"
	"pantheon/internal/portal/gas"
)

// ChainOptions are what the calls to the chains and about tokens need.
type ChainOptions struct {
	GameChain onchain.ChainID
	Chains    []ChainMetadata
	Relay     Relay
	Nodes     Nodes
	Art       Art
}

// Relay handles the JSON-RPC of bundler (ERC-4337) and paymaster (ERC-7677) for one player.
type Relay interface {
	HandleBundler(ctx context.Context, c gas.Caller, chain onchain.ChainID, request json.RawMessage) json.RawMessage
	HandlePaymaster(ctx context.Context, c gas.Caller, chain onchain.ChainID, request json.RawMessage) json.RawMessage
}

// ItemText is the text about a token. It is untrusted where the contract provides it.
type ItemText struct {
	Description string
	Use         string    // in the game
	ByContract  bool      // whether its contract says what it is
	ReadAt      time.Time // when its contract was last asked; zero for never
}

// Picture is a token's picture.
type Picture struct {
	Type string // image/svg+xml, image/jpeg or image/png
	Body []byte
	// Temporary means that the picture is a placeholder for one that cannot be read now; clients must not cache it.
	Temporary bool
}

// Nodes handles the read-only JSON-RPC calls of the chains.
type Nodes interface {
	// HandleRead handles one request or a batch. It returns fault.NotFound for an unsupported chain.
	HandleRead(ctx context.Context, chain onchain.ChainID, request json.RawMessage) (json.RawMessage, error)
}

// Art describes and draws tokens.
type Art interface {
	// Metadata returns a token's ERC-721 or ERC-1155 metadata as JSON. It returns fault.NotFound for an
	// unknown token.
	Metadata(ctx context.Context, contract, tokenID string) ([]byte, error)
	// ItemText returns the text about a token. It returns fault.NotFound for an unknown token.
	ItemText(ctx context.Context, contract, tokenID string) (ItemText, error)
	// CollectionTexts returns the descriptions that contracts give of themselves; one that gives none is missing. They are untrusted.
	CollectionTexts(ctx context.Context) (map[eth.Address]string, error)
	// Image returns a token's picture, at least width pixels wide if there is such a one. It returns fault.NotFound for an unknown token.
	Image(ctx context.Context, contract, tokenID string, width int) (Picture, error)
	// Refresh queues a token's metadata to be fetched again, unless it was fetched recently. It returns fault.NotFound for an unknown
	// token.
	Refresh(ctx context.Context, contract, tokenID string) error
}

// ChainMetadata describes a chain in the format of public chain lists.
type ChainMetadata struct {
	ChainID        onchain.ChainID `json:"chainId" doc:"EIP-155 chain id."`
	Name           string          `json:"name" doc:"The chain's name."`
	Slug           string          `json:"slug" doc:"The chain's short name."`
	Testnet        bool            `json:"testnet" doc:"Whether its money is worth nothing."`
	NativeCurrency NativeCurrency  `json:"nativeCurrency" doc:"What gas is paid in."`
	RPC            []string        `json:"rpc" doc:"Where to read the chain, relative to the site." nullable:"false"`
	Explorers      []ChainExplorer `json:"explorers" doc:"Block explorers." nullable:"false"`
}

// NativeCurrency is the currency in which gas is paid.
type NativeCurrency struct {
	Name     string `json:"name" doc:"Its name."`
	Symbol   string `json:"symbol" doc:"Its symbol."`
	Decimals int    `json:"decimals" doc:"Its decimals."`
}

// ChainExplorer is a block explorer.
type ChainExplorer struct {
	Name string `json:"name" doc:"Its name."`
	URL  string `json:"url" doc:"Its address."`
}

// ChainPath identifies a chain. It is exported because only exported structs are read when embedded.
type ChainPath struct {
	ChainID onchain.ChainID `path:"chainId" doc:"EIP-155 chain id."`
}

type rpcInput struct {
	ChainPath
	Body json.RawMessage `doc:"A JSON-RPC 2.0 request, or an array of at most 100, each of which counts against the limit."`
}

// metadataAge is how long browsers cache chain metadata, in seconds.
const metadataAge = "300"

type chainAnswer struct {
	CacheControl string `header:"Cache-Control"`
	Body         struct {
		Data ChainMetadata `json:"data" doc:"The chain."`
	}
}

func (a *API) registerChain() {
	relayed := []limiter{{perMinute: a.Limits.SigningPerMinute, key: byPlayer}}
	player(a, call{
		method: http.MethodPost, path: "/api/proxy/bundler/{chainId}", id: "bundler", tag: tagChain,
		summary: "ERC-4337 bundler", limits: relayed, maxBody: maxRPCBody,
	}, func(ctx context.Context, c account.Caller, in *rpcInput) (*Body[json.RawMessage], error) {
		if err := countBatch(ctx, in.Body); err != nil {
			return nil, err
		}
		return body(a.Relay.HandleBundler(ctx, a.gasCaller(ctx, c), in.ChainID, in.Body)), nil
	})
	player(a, call{
		method: http.MethodPost, path: "/api/proxy/paymaster/{chainId}", id: "paymaster", tag: tagChain,
		summary: "ERC-7677 paymaster", limits: relayed, maxBody: maxRPCBody,
	}, func(ctx context.Context, c account.Caller, in *rpcInput) (*Body[json.RawMessage], error) {
		if err := countBatch(ctx, in.Body); err != nil {
			return nil, err
		}
		return body(a.Relay.HandlePaymaster(ctx, a.gasCaller(ctx, c), in.ChainID, in.Body)), nil
	})
	public(a, call{
		method: http.MethodPost, path: "/api/proxy/rpc/{chainId}", id: "rpc", tag: tagChain,
		summary: "Read the chain by JSON-RPC", errors: []int{404, 503},
		limits: []limiter{{perMinute: a.Limits.ChainReadsPerMinute, key: byAddress}},
	}, func(ctx context.Context, in *rpcInput) (*Body[json.RawMessage], error) {
		if err := countBatch(ctx, in.Body); err != nil {
			return nil, err
		}
		out, err := a.Nodes.HandleRead(ctx, in.ChainID, in.Body)
		return body(out), err
	})
	public(a, call{
		method: http.MethodGet, path: "/api/proxy/chains/{chainId}", id: "getChain", tag: tagChain, summary: "What a chain is",
		errors: []int{404}, unlimited: fromMemory,
	}, func(_ context.Context, in *ChainPath) (*chainAnswer, error) {
		for _, c := range a.Chains {
			if c.ChainID == in.ChainID {
				out := &chainAnswer{CacheControl: "public, max-age=" + metadataAge}
				out.Body.Data = c
				return out, nil
			}
		}
		return nil, fault.New(fault.NotFound, "We do not work with this chain.")
	})
}

// gasCaller returns the signed-in player as the relay's caller.
func (a *API) gasCaller(ctx context.Context, c account.Caller) gas.Caller {
	return gas.Caller{Player: c.PlayerID, Session: c.SessionID, Network: a.networkTag(ctx)}
}
