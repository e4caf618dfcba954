package app

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store/securitylogs"
)

// What a player's account goes through is in the log, with where it came from; what a thief tries is there too.
// Spec: RUN-35
func TestSecurityLog_TellsWhatAnAccountWentThrough(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]string{"TRUSTED_PROXIES": "192.0.2.0/24"})
	var player struct{ Token, SessionAuthorization, PlayFabID string }
	call := func(method, path, body, from string, want int) {
		t.Helper()
		header := http.Header{"X-Forwarded-For": {from}, "User-Agent": {"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}}
		if player.Token != "" {
			header.Set("Authorization", player.Token)
		}
		w := s.send(method, path, body, header)
		if w.Code != want {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		if strings.HasSuffix(path, "/login") && want == http.StatusOK || want == http.StatusCreated {
			if err := json.Unmarshal(w.Body.Bytes(), &player); err != nil {
				t.Fatal(err)
			}
		}
	}
	const home, abroad = "203.0.113.7", "198.51.100.9"
	call("POST", "/api/auth/register", `{"email":"zeus@olympus.example","displayName":"Zeus","password":"thunder and rain"}`, home, 201)
	call("GET", "/api/auth/logout", "", home, 200)
	player.Token = ""
	call("POST", "/api/auth/login", `{"email":"zeus@olympus.example","password":"lightning and rain"}`, abroad, 401)
	call("POST", "/api/auth/login", `{"email":"hera@olympus.example","password":"lightning and rain"}`, abroad, 401)
	call("POST", "/api/auth/login", `{"email":"zeus@olympus.example","password":"thunder and rain"}`, "203.0.113.200", 200)

	log := securitylogs.New(s.app.db)
	all, err := log.Entries(t.Context(), securitylog.Filter{Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(all)
	var got []string
	for _, e := range all {
		line := string(e.Kind) + " " + string(e.Event)
		if e.Refusal != "" {
			line += ", refused: " + e.Refusal
		}
		if e.Subject == "" {
			line += ", of nobody"
		}
		got = append(got, line)
	}
	want := []string{
		"player account.created", "player session.opened", "player session.ended", "visitor password.refused, refused: password",
		"visitor password.refused, refused: password, of nobody", "player session.opened",
	}
	if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("the log says %q, want %q", got, want)
	}
	networks := map[string][]string{}
	for _, e := range all {
		networks[e.Network] = append(networks[e.Network], string(e.Event))
		if strings.Contains(e.Detail+e.Subject+e.Actor, "olympus") {
			t.Errorf("an entry names an address: %+v", e)
		}
	}
	if len(networks) != 2 {
		t.Errorf("entries of %d networks, want those of home and abroad: %v", len(networks), networks)
	}
}
