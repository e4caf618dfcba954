package testkit

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Webhooks serves webhooks for a test: each is passed to take with its topic, signature and body, and answered with 200, or with
// 401 if that fails.
func Webhooks(t testing.TB, take func(ctx context.Context, topic, signature string, body []byte) error) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = take(r.Context(), r.Header.Get("X-WC-Webhook-Topic"), r.Header.Get("X-WC-Webhook-Signature"), body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
		}
	}))
	t.Cleanup(s.Close)
	return s
}
