package api

import (
	"context"
	"net/http"
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

func (a *API) registerMetadata() {
	limits := []limiter{{perMinute: a.Limits.ArtPerMinute, key: byAddress}}
	public(a, call{
		method: http.MethodGet, path: "/metadata/{contract}/{tokenId}", id: "getMetadata", tag: tagSystem,
		summary: "A token's metadata (ERC-721, ERC-1155)", errors: []int{404}, limits: limits,
	}, func(ctx context.Context, in *artPath) (*file, error) {
		b, err := a.Art.Metadata(ctx, in.Contract, in.TokenID)
		return (&file{ContentType: "application/json", Body: b}).answer(in), err
	})
	public(a, call{
		method: http.MethodGet, path: "/metadata/{contract}/{tokenId}/image.svg", id: "getImage", tag: tagSystem,
		summary: "A token's picture", errors: []int{404}, limits: limits,
	}, func(ctx context.Context, in *artPath) (*file, error) {
		b, err := a.Art.Image(ctx, in.Contract, in.TokenID)
		// An image opened directly is a document: nothing in it may run or load.
		return (&file{ContentType: "image/svg+xml", SecurityPolicy: "default-src 'none'; sandbox", Body: b}).answer(in), err
	})
}

// answer prepares a file's response: 304 if the client already has it.
func (f *file) answer(in *artPath) *file {
	// Weak, as the same tag is used for the compressed body.
	f.Status, f.ETag, f.CacheControl, f.AllowOrigin = http.StatusOK, "W/"+entityTag(f.Body), artAge, "*"
	if noneMatches(in.IfNoneMatch, f.ETag) {
		f.Status, f.Body = http.StatusNotModified, nil
	}
	return f
}

// artAge lets clients cache images and metadata for an hour: they change only with a release.
const artAge = "public, max-age=3600"
