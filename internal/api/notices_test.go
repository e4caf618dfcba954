package api_test

import (
	"net/http"
	"testing"

	"pantheon/internal/api"
)

// cookie returns the browser's id that a sign-in has set.
func cookie(t *testing.T, a answer) *http.Cookie {
	t.Helper()
	c, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
	if err != nil || len(c.Value) != 26 || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.MaxAge != 400*24*60*60 {
		t.Fatalf("the cookie is %v, %v", c, err)
	}
	return c
}

func TestNotice_ABrowserIsKnownByItsCookie(t *testing.T) {
	t.Parallel()
	for url, name := range map[string]string{"https://portal.example": "__Host-browser", "http://localhost:8080": "browser"} {
		t.Run(url, func(t *testing.T) {
			t.Parallel()
			p := open(t, func(o *api.Options) { o.PublicURL = url })
			first := cookie(t, p.send(request{
				method: "POST", path: "/api/auth/register",
				body: `{"email":"zeus@olympus.example","displayName":"Zeus","password":"thunder and rain"}`,
			}))
			if first.Name != name || first.Secure != (name == "__Host-browser") {
				t.Errorf("%s: the cookie is %v", url, first)
			}
			login := func(sent string) string {
				r := request{
					method: "POST", path: "/api/auth/login", body: `{"email":"zeus@olympus.example","password":"thunder and rain"}`,
					header: http.Header{},
				}
				if sent != "" {
					r.header.Set("Cookie", name+"="+sent)
				}
				return cookie(t, p.mustSucceed(r, 200)).Value
			}
			if got := login(first.Value); got != first.Value {
				t.Errorf("the browser that is known became %s", got)
			}
			for _, other := range []string{"", "short", first.Value + "A"} {
				if got := login(other); got == first.Value || got == other {
					t.Errorf("a browser with %q became %s", other, got)
				}
			}
		})
	}
}

// Programs that read mail open links.
func TestNotice_AGetChangesNothing(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.mustBeProblem("a GET", p.send(request{method: "GET", path: "/api/auth/not-me?token=ABCDEFGHIJKLMNOPQRSTUVWXYZ"}), 405)
	p.mustBeProblem("an unknown token", p.send(request{
		method: "POST", path: "/api/auth/not-me", body: `{"token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}`,
	}), 404)
}
