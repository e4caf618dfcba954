package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
	"pantheon/test/contract/x"
)

// Players sign in by a link from the game and by X, and connect an external wallet. X is a fake; the journey chooses
// its signed-in user, and asks the test for links from the game's server.
func TestExternalLogins(t *testing.T) {
	t.Parallel()
	standIn := x.New(x.Options{ClientID: "portal-client-id", ClientSecret: "portal-client-secret"},
		x.Person{ID: "44196397", Username: "athena"})
	mux := http.NewServeMux()
	mux.Handle("/", standIn)
	mux.HandleFunc("POST /person", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		standIn.SignIn(x.Person{ID: q.Get("id"), Username: q.Get("username")}, q.Get("denies") == "true")
		w.WriteHeader(http.StatusNoContent)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	site := testkit.StartSite(t, testkit.SiteOptions{Engine: store.SQLite, Env: []string{
		"X_CLIENT_ID=portal-client-id", "X_CLIENT_SECRET=portal-client-secret", "X_API_URL=" + server.URL,
	}})
	standIn.RedirectTo(site.URL + "/auth/callback/twitter")

	game := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		link, err := site.Command("player", "sign-in-link", "id:"+q.Get("player"), "--page", q.Get("page"), "--reason", "the game's").Output()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(link)
	}))
	defer game.Close()
	out, err := run(t.Context(), site, "external-login.mjs", "X_URL="+server.URL, "GAME_URL="+game.URL)
	report(t, site, "external-login.mjs", out, err)
}
