package app

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Spec: OPERATE-6
func TestConsole_IsOnTheSiteOrAtItsOwnListenerAlone(t *testing.T) {
	t.Parallel()
	paths := map[string]int{"/operate": 200, "/operate/players/A": 200, "/api/operate/session": 401}
	onSite := serve(t, nil)
	own := serve(t, map[string]string{"OPERATE_ADDR": "localhost:0", "OPERATE_URL": "https://operate.example"})
	ofConsole := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://operate.example"+path, nil)
		own.app.console.server.Handler.ServeHTTP(w, r)
		return w
	}
	for path, want := range paths {
		if w := onSite.send(http.MethodGet, path, "", nil); w.Code != want && (want != 200 || w.Code != 503) { // 503: not built
			t.Errorf("%s on the site: %d", path, w.Code)
		}
		if w := own.send(http.MethodGet, path, "", nil); w.Code != 404 && (want != 200 || w.Code != 503) {
			t.Errorf("%s on the site with a listener of its own: %d", path, w.Code)
		}
		if w := ofConsole(path); w.Code != want && (want != 200 || w.Code != 503) {
			t.Errorf("%s at the own listener: %d", path, w.Code)
		}
	}
	for _, path := range []string{"/api/config", "/readyz", "/metrics", "/kod-marketplace", "/client/hubs/portal", "/dev/mail"} {
		if w := ofConsole(path); w.Code != 404 {
			t.Errorf("%s at the own listener: %d", path, w.Code)
		}
	}
	if ofConsole("/api/operate/session").Header().Get("X-Request-Id") == "" {
		t.Error("requests at the own listener have no id")
	}
	page := ofConsole("/operate").Header()
	for name, want := range map[string]string{
		"Strict-Transport-Security": "max-age=31536000", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex",
	} {
		if got := page.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
