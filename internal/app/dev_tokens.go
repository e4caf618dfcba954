//go:build !nodev

package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"pantheon/brands/pantheon/generator"
	"pantheon/internal/brand"
	"pantheon/internal/kit/eth"
)

// withGenerator returns the brand with what describes and draws the tokens of its development world that the catalogue does not list.
func withGenerator(b *brand.Brand) (*brand.Brand, error) {
	switch name := b.Catalogue.Generator; name {
	case "":
		return b, nil
	case "pantheon":
		g, err := generator.New(b.Catalogue)
		if err != nil {
			return nil, err
		}
		out := *b
		out.Catalogue = b.Catalogue.With(g)
		return &out, nil
	default:
		return nil, fmt.Errorf("catalogue.yaml: generator: there is none called %q", name)
	}
}

// tokenMetadata serves the metadata and the pictures of the development world's tokens, as their contracts' URIs name them:
// /metadata/{contract}/{token id}. The base is its own address, "http://host:port".
func tokenMetadata(b *brand.Brand, base string) (http.Handler, error) {
	game, main, err := worlds(b)
	if err != nil {
		return nil, err
	}
	slugs := map[eth.Address]string{}
	for _, world := range []map[string]eth.Address{game.Collections, main.Collections} {
		for slug, address := range world {
			slugs[address] = slug
		}
	}
	mux := http.NewServeMux()
	serve := func(w http.ResponseWriter, r *http.Request, picture bool) {
		contract, err := eth.ParseAddress(r.PathValue("contract"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		item, err := b.Catalogue.Describe(slugs[contract], decimalID(r.PathValue("token")))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		kind, body := "image/svg+xml", []byte(nil)
		if picture {
			body = b.Catalogue.Picture(item)
		} else {
			kind = "application/json"
			if body, err = json.Marshal(b.Catalogue.Metadata(base, contract.Checksum(), item)); err != nil {
				http.Error(w, "the metadata cannot be encoded", http.StatusInternalServerError)
				return
			}
		}
		w.Header().Set("Content-Type", kind)
		// A picture that is opened as a document runs nothing: pages of this address may call the chains.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(body) // to a client that may have left
	}
	mux.HandleFunc("GET /metadata/{contract}/{token}", func(w http.ResponseWriter, r *http.Request) { serve(w, r, false) })
	mux.HandleFunc("GET /metadata/{contract}/{token}/image.svg", func(w http.ResponseWriter, r *http.Request) { serve(w, r, true) })
	return mux, nil
}

// besides serves paths below /metadata/ by one handler and all others by another.
func besides(metadata, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/metadata/") {
			metadata.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}
