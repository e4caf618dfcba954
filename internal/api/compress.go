package api

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// compressedPaths are the paths whose responses are the same for everybody. Responses to players are not compressed:
// the length of a secret compressed together with parts of the request can reveal the secret (BREACH).
var compressedPaths = []string{"/metadata/", "/api/marketplace/", "/api/openapi.json", "/api/packs/", "/api/leaderboards/"}

// minCompressed is the minimum size in bytes that is worth compressing.
const minCompressed = 1024

// compress gzips public responses for clients that accept it.
func compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(minCompressed))
	if err != nil {
		panic("api: compression: " + err.Error()) // the options are constants
	}
	compressed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, prefix := range compressedPaths {
			if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, prefix) {
				compressed.ServeHTTP(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
