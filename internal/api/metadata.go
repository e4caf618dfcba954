package api

import (
	"context"
	"net/http"

	"pantheon/internal/portal/account"
)

type artPath struct {
	Contract string `path:"contract" doc:"The token's contract."`
	TokenID  string `path:"tokenId" doc:"The token's id: decimal, or 64 hex digits as ERC-1155 clients write it." maxLength:"78"`

	IfNoneMatch string `header:"If-None-Match" doc:"The ETag of what the reader has."`
}

type file struct {
	Status         int
	ETag           string `header:"ETag"`
	ContentType    string `header:"Content-Type"`
	CacheControl   string `header:"Cache-Control"`
	SecurityPolicy string `header:"Content-Security-Policy"`
	AllowOrigin    string `header:"Access-Control-Allow-Origin"`
	Body           []byte
}

type imagePath struct {
	Contract string `path:"contract" doc:"The token's contract."`
	TokenID  string `path:"tokenId" doc:"The token's id: decimal, or 64 hex digits as ERC-1155 clients write it." maxLength:"78"`

	IfNoneMatch string `header:"If-None-Match" doc:"The ETag of what the reader has."`

	Width int `query:"w" doc:"The least width in pixels; drawings have none." default:"640" minimum:"1" maximum:"4096"`
}

type refreshPath struct {
	Contract string `path:"contract" doc:"The token's contract."`
	TokenID  string `path:"tokenId" doc:"The token's id, decimal." maxLength:"78"`
}

// imagePolicy lets drawings have styles and pictures of their own, and nothing else.
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

func (a *API) registerMetadata() {
	limits := []limiter{{perMinute: a.Limits.ArtPerMinute, key: byAddress}}
	public(a, call{
		method: http.MethodGet, path: "/metadata/{contract}/{tokenId}", id: "getMetadata", tag: tagSystem,
		summary: "A token's metadata (ERC-721, ERC-1155)", errors: []int{404}, limits: limits,
	}, func(ctx context.Context, in *artPath) (*file, error) {
		b, err := a.Art.Metadata(ctx, in.Contract, in.TokenID)
		return (&file{ContentType: "application/json", Body: b}).answer(in.IfNoneMatch), err
	})
	public(a, call{
		method: http.MethodGet, path: "/metadata/{contract}/{tokenId}/image.svg", id: "getImage", tag: tagSystem,
		summary: "A token's picture", errors: []int{404}, limits: limits,
	}, func(ctx context.Context, in *imagePath) (*file, error) {
		p, err := a.Art.Image(ctx, in.Contract, in.TokenID, in.Width)
		// An image opened directly is a document: nothing in it may run or load.
		out := (&file{ContentType: p.Type, SecurityPolicy: imagePolicy, Body: p.Body}).answer(in.IfNoneMatch)
		if p.Temporary {
			out.CacheControl = "no-store"
		}
		return out, err
	})
	player(a, call{
		method: http.MethodPost, path: "/api/marketplace/items/{contract}/{tokenId}/refresh", id: "refreshItem", tag: tagMarket,
		summary: "Refresh a token's name, traits and picture from its contract, at most every five minutes",
		errors:  []int{404},
	}, func(ctx context.Context, _ account.Caller, in *refreshPath) (*Body[Success], error) {
		const message = "We are looking at the item's contract again. What is new shows within a minute."
		return success(message), a.Art.Refresh(ctx, in.Contract, in.TokenID)
	})
}

// answer prepares a file's response: 304 if the client already has it.
func (f *file) answer(noneMatch string) *file {
	// Weak, as the same tag is used for the compressed body.
	f.Status, f.ETag, f.CacheControl, f.AllowOrigin = http.StatusOK, "W/"+entityTag(f.Body), artAge, "*"
	if noneMatches(noneMatch, f.ETag) {
		f.Status, f.Body = http.StatusNotModified, nil
	}
	return f
}

// artAge lets clients cache images and metadata for an hour: they change only with a release.
const artAge = "public, max-age=3600"
