package realtime

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/golang-jwt/jwt/v5"
)

// azureService is the part of the vendor's REST API that the adapter uses. Like the service, it rejects requests
// without a token for exactly the called URL.
type azureService struct {
	key    []byte
	server *httptest.Server

	mu     sync.Mutex
	calls  []string // method, path and body
	answer int      // status to answer with instead of the proper one
}

func startAzure(t *testing.T, key string) *azureService {
	a := &azureService{key: []byte(key)}
	mux := http.NewServeMux()
	for _, target := range []string{"", "users/{id}/", "groups/{id}/"} {
		mux.HandleFunc("POST /api/hubs/{hub}/"+target+":send", a.handle(http.StatusAccepted))
		mux.HandleFunc("POST /api/hubs/{hub}/"+target+":closeConnections", a.handle(http.StatusNoContent))
	}
	a.server = httptest.NewServer(mux)
	t.Cleanup(a.server.Close)
	return a
}

func (a *azureService) handle(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fail := func(status int, code string) {
			w.Header().Set("x-ms-error-code", code)
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(map[string]string{"code": code})
		}
		address := a.server.URL + r.URL.RequestURI()
		_, err := jwt.Parse(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "),
			func(*jwt.Token) (any, error) { return a.key, nil },
			jwt.WithValidMethods([]string{"HS256"}), jwt.WithAudience(address), jwt.WithExpirationRequired())
		switch {
		case err != nil:
			fail(http.StatusUnauthorized, "Unauthorized")
			return
		case r.URL.Query().Get("api-version") != "2024-12-01":
			fail(http.StatusBadRequest, "Version")
			return
		case strings.HasSuffix(r.URL.Path, ":send") && r.Header.Get("Content-Type") != "application/json":
			fail(http.StatusUnsupportedMediaType, "ContentType")
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			fail(http.StatusBadRequest, "Body")
			return
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.answer != 0 {
			fail(a.answer, "Throttled")
			return
		}
		a.calls = append(a.calls, fmt.Sprintf("%s %s %s", r.Method, r.URL.EscapedPath(), body))
		w.WriteHeader(status)
	}
}

// Spec: LIVE-30
func TestAzure_CallsAreThoseOfTheVendorsAPI(t *testing.T) {
	t.Parallel()
	service := startAzure(t, "key==")
	a, err := NewAzure(AzureOptions{ConnectionString: "Endpoint=" + service.server.URL + ";AccessKey=key==;Version=1.0;", Hub: "portal",
		Client: service.server.Client()})
	if err != nil {
		t.Fatal(err)
	}
	data := json.RawMessage(`{"channelId":"listing"}`)
	for _, err := range []error{
		a.Publish(t.Context(), Message{"1", Everyone(), data}),
		a.Publish(t.Context(), Message{"2", User("a/b c"), data}),
		a.Publish(t.Context(), Message{"3", Group("g"), data}),
		a.CloseUser(t.Context(), "ada"),
		a.CloseSession(t.Context(), "s-1"),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	want := []string{
		`POST /api/hubs/portal/:send {"channelId":"listing"}`,
		`POST /api/hubs/portal/users/a%2Fb%20c/:send {"channelId":"listing"}`,
		`POST /api/hubs/portal/groups/g/:send {"channelId":"listing"}`,
		`POST /api/hubs/portal/users/ada/:closeConnections `,
		`POST /api/hubs/portal/groups/session.s-1/:closeConnections `,
	}
	if !slices.Equal(service.calls, want) {
		t.Errorf("calls:\n%s\nwant:\n%s", strings.Join(service.calls, "\n"), strings.Join(want, "\n"))
	}
	for name, err := range map[string]error{
		"no id":      a.Publish(t.Context(), Message{"", Everyone(), data}),
		"no target":  a.Publish(t.Context(), Message{"x", Target{}, data}),
		"not JSON":   a.Publish(t.Context(), Message{"x", Everyone(), json.RawMessage(`{`)}),
		"no session": a.CloseSession(t.Context(), ""),
		"no user":    a.CloseUser(t.Context(), ""),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if len(service.calls) != len(want) {
		t.Error("what is refused was sent")
	}
}

func TestAzure_FailureIsReportedWithoutSecrets(t *testing.T) {
	t.Parallel()
	service := startAzure(t, "right")
	publish := func(key string) error {
		a, err := NewAzure(AzureOptions{ConnectionString: "Endpoint=" + service.server.URL + ";AccessKey=" + key, Hub: "portal",
			Client: service.server.Client()})
		if err != nil {
			t.Fatal(err)
		}
		return a.Publish(t.Context(), Message{"1", Everyone(), json.RawMessage(`1`)})
	}
	if err := publish("wrong-key"); err == nil || !strings.Contains(err.Error(), "401") || strings.Contains(err.Error(), "wrong-key") {
		t.Errorf("wrong key: %v", err)
	}
	service.answer = http.StatusTooManyRequests
	if err := publish("right"); err == nil || !strings.Contains(err.Error(), "429 Throttled") {
		t.Errorf("throttled: %v", err)
	}
	service.server.Close()
	if err := publish("right"); err == nil {
		t.Error("published without a service")
	}
}

func TestAzure_AccessURLLeadsToTheService(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	a, err := NewAzure(AzureOptions{
		ConnectionString: "Endpoint=https://x.webpubsub.azure.com/;AccessKey=k;Port=8443", Hub: "portal", Clock: clk,
	})
	if err != nil {
		t.Fatal(err)
	}
	address, err := a.AccessURL("ada", "s-1", "https://pantheon.test", RoleJoinLeaveGroup)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if got := u.Scheme + "://" + u.Host + u.Path; got != "wss://x.webpubsub.azure.com:8443/client/hubs/portal" {
		t.Errorf("address = %s", got)
	}
	claims := jwt.MapClaims{}
	if _, err := jwt.ParseWithClaims(u.Query().Get("access_token"), claims, func(*jwt.Token) (any, error) { return []byte("k"), nil },
		jwt.WithAudience("https://x.webpubsub.azure.com:8443/client/hubs/portal")); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintln(claims["sub"], claims["role"], claims["webpubsub.group"]) != "ada [webpubsub.joinLeaveGroup] [session.s-1]\n" {
		t.Errorf("claims = %v", claims)
	}
}

func TestAzure_ConnectionStringIsChecked(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"Endpoint=https://x.test;AccessKey=a=b==;Version=1.0":          "https://x.test",
		"endpoint=http://127.0.0.1;port=80;accesskey=secret;":          "http://127.0.0.1:80",
		" AccessKey=secret ; Endpoint=https://x.test/ ; Version=1.0; ": "https://x.test",
		"":                                 "",
		"Endpoint=https://x.test":          "",
		"AccessKey=secret":                 "",
		"Endpoint=x.test;AccessKey=secret": "",
		"https://x.test;secret":            "",
		"Endpoint=https://x.test/path;AccessKey=secret":        "",
		"Endpoint=https://x.test;AccessKey=secret;Version=2.0": "",
	} {
		endpoint, _, err := parseConnectionString(s)
		if endpoint != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", s, endpoint, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("error shows the key: %v", err)
		}
	}
	if _, err := NewAzure(AzureOptions{ConnectionString: "Endpoint=https://x.test;AccessKey=k", Hub: "a/b"}); err == nil {
		t.Error("accepted an impossible hub name")
	}
}
