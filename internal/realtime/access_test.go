package realtime

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// forge returns a connect URL with a token of the given key, method and claims.
func forge(t *testing.T, r *replica, key string, method jwt.SigningMethod, signWith any, claims jwt.MapClaims) string {
	t.Helper()
	if signWith == nil {
		signWith = []byte(key)
	}
	token, err := jwt.NewWithClaims(method, claims).SignedString(signWith)
	if err != nil {
		t.Fatal(err)
	}
	return hubURL(r, url.Values{"access_token": {token}})
}

func hubURL(r *replica, q url.Values) string {
	return "ws" + strings.TrimPrefix(r.server.URL, "http") + "/client/hubs/portal?" + q.Encode()
}

// Spec: LIVE-1
func TestAccess_URLIsWhatTheVendorsServiceWouldGive(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Clock = clk })
	for base, want := range map[string]string{
		"":                      "wss://pantheon.test/client/hubs/portal",
		"http://localhost:8080": "ws://localhost:8080/client/hubs/portal",
	} {
		address, err := r.AccessURL("ada", "s-1", base, RoleSendToGroup+".g")
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Scheme + "://" + u.Host + u.Path; got != want {
			t.Errorf("address for base %q = %s, want %s", base, got, want)
		}
		claims := jwt.MapClaims{}
		if _, err := jwt.ParseWithClaims(u.Query().Get("access_token"), claims, func(token *jwt.Token) (any, error) {
			if token.Method.Alg() != "HS256" {
				t.Errorf("algorithm = %s", token.Method.Alg())
			}
			return []byte(testKey), nil
		}); err != nil {
			t.Fatal(err)
		}
		now := clk.Now().Unix()
		if aud, _ := claims.GetAudience(); len(aud) != 1 || aud[0] != testSite+"/client/hubs/portal" {
			t.Errorf("aud = %v", aud)
		}
		if claims["sub"] != "ada" || claims["sid"] != "s-1" || int64(claims["exp"].(float64)) != now+3600 {
			t.Errorf("claims = %v", claims)
		}
		if role, ok := claims["role"].([]any); !ok || len(role) != 1 || role[0] != "webpubsub.sendToGroup.g" {
			t.Errorf("role = %v", claims["role"])
		}
	}
	for _, bad := range [][3]string{{"", "s", ""}, {strings.Repeat("x", 257), "s", ""}, {"ada", "s", "ftp://x"}, {"ada", "s", "x"}} {
		if _, err := r.AccessURL(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("AccessURL(%.9q, %q, %q) gave an address", bad[0], bad[1], bad[2])
		}
	}
}

// Spec: LIVE-1
func TestAccess_ConnectionNeedsAGoodToken(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	good := func() jwt.MapClaims {
		return jwt.MapClaims{"aud": testSite + "/client/hubs/portal", "sub": "ada", "exp": time.Now().Add(time.Minute).Unix()}
	}
	with := func(key string, value any) jwt.MapClaims { c := good(); c[key] = value; return c }
	without := func(key string) jwt.MapClaims { c := good(); delete(c, key); return c }
	hs := jwt.SigningMethodHS256
	for name, test := range map[string]struct {
		address string
		status  int
	}{
		"good":               {forge(t, r, testKey, hs, nil, good()), 101},
		"missing":            {hubURL(r, nil), 401},
		"garbage":            {hubURL(r, url.Values{"access_token": {"a.b.c"}}), 401},
		"foreign key":        {forge(t, r, strings.Repeat("k", 32), hs, nil, good()), 401},
		"other algorithm":    {forge(t, r, testKey, jwt.SigningMethodHS512, nil, good()), 401},
		"no algorithm":       {forge(t, r, "", jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, good()), 401},
		"expired":            {forge(t, r, testKey, hs, nil, with("exp", time.Now().Add(-time.Second).Unix())), 401},
		"without expiry":     {forge(t, r, testKey, hs, nil, without("exp")), 401},
		"other hub":          {forge(t, r, testKey, hs, nil, with("aud", testSite+"/client/hubs/other")), 401},
		"for something else": {forge(t, r, testKey, hs, nil, with("aud", "embedded-wallet")), 401},
		"without audience":   {forge(t, r, testKey, hs, nil, without("aud")), 401},
		"nobody's":           {forge(t, r, testKey, hs, nil, without("sub")), 401},
	} {
		if got := dialStatus(t, test.address, protocolReliable, nil); got != test.status {
			t.Errorf("%s: status %d, want %d", name, got, test.status)
		}
	}
}

func TestAccess_RequestsThatAreNotForTheHub(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	good := r.url("ada", "s")
	if got := dialStatus(t, strings.Replace(good, "/portal?", "/other?", 1), protocolReliable, nil); got != http.StatusNotFound {
		t.Errorf("other hub: %d", got)
	}
	if got := dialStatus(t, good, "", nil); got != http.StatusBadRequest {
		t.Errorf("no subprotocol: %d", got)
	}
	if got := dialStatus(t, good, "mqtt", nil); got != http.StatusBadRequest {
		t.Errorf("foreign subprotocol: %d", got)
	}
	if got := dialStatus(t, good, "mqtt, "+protocolPlain, nil); got != http.StatusSwitchingProtocols {
		t.Errorf("ours as the second choice: %d", got)
	}
	plain := "http" + strings.TrimPrefix(good, "ws")
	for method, want := range map[string]int{http.MethodPost: http.StatusMethodNotAllowed, http.MethodGet: http.StatusBadRequest} {
		req, err := http.NewRequestWithContext(t.Context(), method, plain, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("plain %s: %d, want %d", method, res.StatusCode, want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestAccess_ForeignPagesAreRefused(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.AllowedOrigins = []string{"http://localhost:5173"} })
	for origin, want := range map[string]int{
		"":                          101,
		testSite:                    101,
		"HTTPS://Pantheon.TEST":     101,
		"http://localhost:5173":     101,
		"http://localhost:5174":     403,
		"http://pantheon.test":      403,
		"https://evil.test":         403,
		testSite + ".evil.test":     403,
		"null":                      403,
		"https://pantheon.test:444": 403,
	} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		if got := dialStatus(t, r.url("ada", "s"), protocolReliable, header); got != want {
			t.Errorf("origin %q: %d, want %d", origin, got, want)
		}
	}
}

func TestAccess_PagesOfTheSitesAddressForTheHostMayConnect(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.SiteOf = func(host string) string { return "http://" + host } })
	host := strings.TrimPrefix(r.server.URL, "http://")
	for origin, want := range map[string]int{"http://" + host: 101, testSite: 101, "https://" + host: 403, "http://evil.test": 403} {
		if got := dialStatus(t, r.url("ada", "s"), protocolReliable, http.Header{"Origin": {origin}}); got != want {
			t.Errorf("origin %q: %d, want %d", origin, got, want)
		}
	}
}

func TestAccess_ExpiredTokenOpensNothingButDoesNotBlockRecovery(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) {
		o.Clock = clk
		o.Limits.Window, o.Limits.SessionTTL = 3*time.Hour, 3*time.Hour
		o.Limits.Silence = 3 * time.Hour
	})
	c := r.connect("ada")
	clk.Advance(2 * time.Hour)
	if got := dialStatus(t, c.url, protocolReliable, nil); got != http.StatusUnauthorized {
		t.Errorf("fresh connection: %d", got)
	}
	r.publish(User("ada"), "while-away")
	c.reset()
	c.recover(r).expect("while-away")
}

func TestAccess_RecoveryNeedsTheReconnectionToken(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c, other := r.connect("ada"), r.connect("bob")
	for name, change := range map[string]func(url.Values){
		"no token":        func(q url.Values) { q.Del(paramToken) },
		"wrong token":     func(q url.Values) { q.Set(paramToken, strings.Repeat("A", 43)) },
		"another's token": func(q url.Values) { q.Set(paramToken, other.hello.ReconnectionToken) },
		"its hash":        func(q url.Values) { q.Set(paramToken, base64.StdEncoding.EncodeToString(make([]byte, 32))) },
		"unknown id":      func(q url.Values) { q.Set(paramConnection, randomID(16)) },
		"no id":           func(q url.Values) { q.Set(paramConnection, "") },
		"impossible id":   func(q url.Values) { q.Set(paramConnection, "*.>") },
	} {
		u, err := url.Parse(c.recoveryURL(r))
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		change(q)
		u.RawQuery = q.Encode()
		// The upgrade is accepted and the connection then closed: the client starts a new session at once.
		dialOpen(t, u.String(), protocolReliable).expectClose(closePolicy)
		if t.Failed() {
			t.Fatal(name)
		}
	}
	c.settle() // the attempts did not disturb it
}
