package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"pantheon/internal/testkit"
)

func TestChainMetadataIsKeptByBrowsersForFiveMinutes(t *testing.T) {
	t.Parallel()
	p := open(t)
	a := p.send(request{method: http.MethodGet, path: "/api/proxy/chains/1337042"})
	var answer struct {
		Data struct{ ChainID uint64 }
	}
	if err := json.Unmarshal([]byte(a.text), &answer); err != nil || a.status != http.StatusOK || answer.Data.ChainID != uint64(testkit.GameChain) {
		t.Errorf("%d %s, %v", a.status, a.text, err)
	}
	if age := a.header.Get("Cache-Control"); age != "public, max-age=300" {
		t.Errorf("Cache-Control is %q", age)
	}
	p.mustBeProblem("another chain", p.send(request{method: http.MethodGet, path: "/api/proxy/chains/1"}), http.StatusNotFound)
}
