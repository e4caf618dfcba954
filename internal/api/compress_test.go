package api_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"pantheon/internal/testkit"
)

var takesGzip = http.Header{"Accept-Encoding": {"gzip"}}

func unzip(t *testing.T, a answer) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(a.text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCompression_PublicResponsesAreCompressedIfAccepted(t *testing.T) {
	t.Parallel()
	p := open(t)
	plain := p.send(request{method: "GET", path: "/api/openapi.json"})
	packed := p.send(request{method: "GET", path: "/api/openapi.json", header: takesGzip})
	if plain.header.Get("Content-Encoding") != "" || packed.header.Get("Content-Encoding") != "gzip" ||
		packed.header.Get("Vary") != "Accept-Encoding" {
		t.Fatalf("headers %v and %v", plain.header, packed.header)
	}
	if unzip(t, packed) != plain.text || len(packed.text) >= len(plain.text) {
		t.Errorf("%d bytes became %d", len(plain.text), len(packed.text))
	}
}

func TestCompression_AnswersToPlayersAreNotCompressed(t *testing.T) {
	t.Parallel()
	p := open(t)
	zeus := p.admit("zeus", "1")
	if a := p.send(request{
		method: "GET", path: "/api/auth/profile", authorization: zeus.token, header: takesGzip,
	}); a.header.Get("Content-Encoding") != "" {
		t.Errorf("headers %v", a.header)
	}
}

func TestCompression_PictureIsSentOnce(t *testing.T) {
	t.Parallel()
	p := open(t)
	r := request{method: "GET", path: "/metadata/" + testkit.Items + "/1/image.svg"}
	first := p.send(r)
	for _, known := range []string{
		first.header.Get("ETag"), strings.TrimPrefix(first.header.Get("ETag"), "W/"), `"other", ` + first.header.Get("ETag"), "*",
	} {
		r.header = http.Header{"If-None-Match": {known}}
		if again := p.send(r); again.status != http.StatusNotModified || again.text != "" ||
			again.header.Get("ETag") != first.header.Get("ETag") {
			t.Errorf("to a reader of %s: %d, %d bytes, %v", known, again.status, len(again.text), again.header)
		}
	}
	r.header = http.Header{"If-None-Match": {`"other"`}}
	if again := p.send(r); again.status != http.StatusOK || again.text != first.text {
		t.Errorf("to a reader of something else: %d", again.status)
	}
}
