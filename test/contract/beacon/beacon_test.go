// Package beacon_test holds the development beacon against drand's own client.
package beacon_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pantheon/internal/beacon"
	"pantheon/internal/kit/clock"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// Spec: DRAW-17
func TestDevelopmentBeacon_IsWhatDrandsClientVerifies(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(filepath.Join("node_modules", "drand-client")); err != nil {
		t.Fatal("drand's client is missing: run `npm ci --ignore-scripts --prefix test/contract/beacon`")
	}
	served := func(seed byte) *beacon.Server {
		return &beacon.Server{
			Signer: beacon.NewSigner([32]byte{seed}), ID: "pantheon-dev", Genesis: time.Now().Truncate(time.Second).Add(-time.Hour),
			Period: time.Second,
			Clock:  clock.System{},
		}
	}
	right, another := served(1), served(2)
	listen := func(h http.Handler) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	}
	first, err := beacon.NewClient([]string{listen(right.Handler())}, right.Signer.PublicKey()).Round(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	// Mirrors that tell of the right chain and whose rounds are not the beacon's.
	forged := map[string]string{}
	for what, rounds := range map[string]http.Handler{
		"another beacon's":            another.Handler(),
		"another round's signature":   changed(t, right, func(signature []byte) []byte { return first.Signature }),
		"a signature with a byte off": changed(t, right, func(signature []byte) []byte { signature[47] ^= 1; return signature }),
	} {
		mux := http.NewServeMux()
		mux.Handle("/info", right.Handler())
		mux.Handle("/public/", rounds)
		forged[what] = listen(mux)
	}
	settings, err := json.Marshal(map[string]any{
		"url": listen(right.Handler()), "forged": forged, "publicKey": hex.EncodeToString(right.Signer.PublicKey().Bytes()),
		"chainHash": fmt.Sprintf("%x", right.Info().Hash()), "round1": fmt.Sprintf("%x", first.Randomness),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "client.mjs")
	cmd.Env = append(os.Environ(), "BEACON="+string(settings))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// changed serves round 2 of a beacon with another signature, and the randomness that follows from it.
func changed(t *testing.T, s *beacon.Server, change func(signature []byte) []byte) http.Handler {
	t.Helper()
	signature, err := s.Signer.Sign(2)
	if err != nil {
		t.Fatal(err)
	}
	signature = change(signature)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"round":2,"randomness":"%x","signature":"%x"}`, sha256.Sum256(signature), signature)
	})
}
