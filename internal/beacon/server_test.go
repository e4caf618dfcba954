package beacon

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
)

// relay is a beacon of which round 21 is the newest, and round 22 is published after 1.5 s.
func relay() (s *Server, hash string) {
	clk := clock.NewFake(genesis.Add(61500 * time.Millisecond))
	s = &Server{Signer: NewSigner([32]byte{1}), ID: "test", Genesis: genesis, Period: 3 * time.Second, Clock: clk}
	sum := s.Info().Hash()
	return s, hex.EncodeToString(sum[:])
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// Spec: DRAW-17
func TestServer_AnswersAsDrandsRelaysDo(t *testing.T) {
	t.Parallel()
	s, hash := relay()
	round := func(number uint64) string {
		signature, err := s.Signer.Sign(number)
		if err != nil {
			t.Fatal(err)
		}
		randomness, err := s.Signer.PublicKey().Randomness(number, signature)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"round":%d,"randomness":"%x","signature":"%x"}`, number, randomness, signature)
	}
	info := fmt.Sprintf(`{"public_key":"%x","period":3,"genesis_time":1767225600,"hash":"%s","groupHash":"%x",`+
		`"schemeID":"bls-unchained-g1-rfc9380","metadata":{"beaconID":"test"}}`, s.Signer.PublicKey().Bytes(), hash, s.Info().GroupHash)
	const (
		week = "public, max-age=604800, immutable"
		next = "public, must-revalidate, max-age=1"
		no   = "no-cache"
	)
	for _, c := range []struct {
		path   string
		status int
		body   string // "" for any
		cache  string
	}{
		{"/chains", 200, `["` + hash + `"]`, no},
		{"/info", 200, info, no},
		{"/health", 200, `{"current":21,"expected":21}`, no},
		{"/public/latest", 200, round(21), next},
		{"/public/0", 200, round(21), next},
		{"/public/1", 200, round(1), no},
		{"/public/22", 425, "", no},
		{"/" + hash + "/info", 200, info, week},
		{"/" + hash + "/health", 200, `{"current":21,"expected":21}`, no},
		{"/" + hash + "/public/latest", 200, round(21), next},
		{"/" + hash + "/public/0", 200, round(21), next},
		{"/" + hash + "/public/21", 200, round(21), week},
		{"/" + hash + "/public/22", 425, "", no},
		{"/" + hash + "/public/18446744073709551615", 425, "", no},
		{"/" + hash + "/public/18446744073709551616", 400, "", ""},
		{"/public/-1", 400, "", ""},
		{"/public/x", 400, "", ""},
		{"/public/", 404, "", ""},
		{"/" + hash, 404, "", ""},
		{"/" + strings.Repeat("ab", 32) + "/info", 404, "", ""},
		{"/" + hash + "/chains", 404, "", ""},
		{"/", 404, "", ""},
	} {
		w := get(s.Handler(), c.path)
		if w.Code != c.status || w.Header().Get("Cache-Control") != c.cache || w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %v, want %d, cached %q, for all origins", c.path, w.Code, w.Header(), c.status, c.cache)
		}
		if c.body == "" {
			continue
		}
		if got := w.Header().Get("Content-Type"); got != "application/json" {
			t.Errorf("%s is of type %s", c.path, got)
		}
		if got := strings.TrimSpace(w.Body.String()); got != c.body {
			t.Errorf("%s: %s, want %s", c.path, got, c.body)
		}
	}
}

func TestServer_HasNothingBeforeItsFirstRound(t *testing.T) {
	t.Parallel()
	clk := clock.NewFake(genesis.Add(-time.Millisecond))
	s := &Server{Signer: NewSigner([32]byte{1}), Genesis: genesis, Period: time.Second, Clock: clk}
	h := s.Handler()
	for _, path := range []string{"/public/latest", "/public/1"} {
		if w := get(h, path); w.Code != 425 {
			t.Errorf("%s before the first round: %d", path, w.Code)
		}
	}
	clk.Advance(time.Millisecond)
	for _, path := range []string{"/public/latest", "/public/1"} {
		if w := get(h, path); w.Code != 200 || !strings.Contains(w.Body.String(), `"round":1,`) {
			t.Errorf("%s with the first round: %d %s", path, w.Code, w.Body)
		}
	}
	if w := get(h, "/info"); !strings.Contains(w.Body.String(), `"metadata":{"beaconID":"default"}`) {
		t.Errorf("a beacon without a name: %s", w.Body)
	}
}
