package api

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// compressedPaths are what everybody gets alike. Answers to players are left as they are: compressing a secret together
// with what a request says can tell the secret by the length (BREACH).
var compressedPaths = []string{"/metadata/", "/api/marketplace/", "/api/openapi.json", "/api/packs/", "/api/leaderboards/"}

// minCompressed is the size in bytes from which compressing pays.
const minCompressed = 1024

// compress serves what is public in gzip to those who accept it.
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
