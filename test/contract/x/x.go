// Package x is a fake of X (Twitter) for tests: its authorization page, its tokens (OAuth 2.0 with PKCE) and its user
// lookup. It is an http.Handler; serve it with httptest. No button needs to be pressed: the page redirects the
// browser back at once, with the answer the test has chosen.
//
// It is as strict as the standards require (RFC 6749, RFC 7636) where X's documentation says nothing.
package x

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Options describe the app registered at X.
type Options struct {
	ClientID     string
	ClientSecret string // "" for a public client
	Redirect     string // the one allowed redirect URL
}

// Person is a user of X.
type Person struct{ ID, Username string }

// codeTTL is the lifetime of a code.
const codeTTL = 30 * time.Second

// Server is the fake. It is safe for concurrent use.
type Server struct {
	options Options
	mux     *http.ServeMux

	mu     sync.Mutex
	person Person
	denies bool
	broken int // HTTP status of everything but the page; 0 if all works
	codes  map[string]grant
	tokens map[string]Person
	asked  []string
}

type grant struct {
	person    Person
	challenge string
	expires   time.Time
}

// New returns X with the person signed in.
func New(o Options, p Person) *Server {
	s := &Server{options: o, person: p, codes: map[string]grant{}, tokens: map[string]Person{}, mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /i/oauth2/authorize", s.authorize)
	s.mux.HandleFunc("POST /2/oauth2/token", s.token)
	s.mux.HandleFunc("GET /2/users/me", s.me)
	return s
}

// RedirectTo changes the allowed redirect URL.
func (s *Server) RedirectTo(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.options.Redirect = address
}

// SignIn changes the signed-in person, and whether that person denies access.
func (s *Server) SignIn(p Person, denies bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.person, s.denies = p, denies
}

// Break makes all calls respond with the status from now on; 0 ends that.
func (s *Server) Break(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = status
}

// Asked returns the calls that were answered, such as "POST /2/oauth2/token".
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// ServeHTTP responds like X.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	if s.broken != 0 && r.URL.Path != "/i/oauth2/authorize" {
		http.Error(w, "Over capacity", s.broken)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// authorize is the authorization page. It only redirects to the registered URL.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": s.options.ClientID, "redirect_uri": s.options.Redirect, "code_challenge_method": "S256",
		"scope": "tweet.read users.read",
	} {
		if q.Get(name) != want {
			http.Error(w, "Something went wrong: "+name, http.StatusBadRequest)
			return
		}
	}
	if len(q.Get("code_challenge")) != 43 || q.Get("state") == "" {
		http.Error(w, "Something went wrong: code_challenge or state", http.StatusBadRequest)
		return
	}
	back := url.Values{"state": {q.Get("state")}}
	if s.denies {
		back.Set("error", "access_denied")
	} else {
		code := rand.Text()
		s.codes[code] = grant{s.person, q.Get("code_challenge"), time.Now().Add(codeTTL)}
		back.Set("code", code)
	}
	http.Redirect(w, r, s.options.Redirect+"?"+back.Encode(), http.StatusFound)
}

// token exchanges a code for a token, once, if the verifier matches.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	if !s.isApp(r) {
		refuse(w, http.StatusUnauthorized, "unauthorized_client")
		return
	}
	code := r.PostFormValue("code")
	g, known := s.codes[code]
	delete(s.codes, code)
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	proven := base64.RawURLEncoding.EncodeToString(sum[:]) == g.challenge
	if !known || !proven || r.PostFormValue("grant_type") != "authorization_code" || r.PostFormValue("redirect_uri") != s.options.Redirect ||
		time.Now().After(g.expires) {
		refuse(w, http.StatusBadRequest, "invalid_request")
		return
	}
	token := rand.Text()
	s.tokens[token] = g.person
	answer(w, http.StatusOK, map[string]any{
		"token_type": "bearer", "expires_in": 7200, "access_token": token, "scope": "tweet.read users.read",
	})
}

// isApp reports whether the request is the app's: by its secret, or, without one, by its id alone.
func (s *Server) isApp(r *http.Request) bool {
	id, secret, basic := r.BasicAuth()
	if s.options.ClientSecret == "" {
		return !basic && r.PostFormValue("client_id") == s.options.ClientID
	}
	return basic && id == s.options.ClientID && subtle.ConstantTimeCompare([]byte(secret), []byte(s.options.ClientSecret)) == 1
}

// me returns the user who holds a token.
func (s *Server) me(w http.ResponseWriter, r *http.Request) {
	const prefix = "Bearer "
	authorization := r.Header.Get("Authorization")
	p, ok := s.tokens[authorization[min(len(prefix), len(authorization)):]]
	if !ok {
		answer(w, http.StatusUnauthorized, map[string]any{
			"title": "Unauthorized", "type": "about:blank", "status": http.StatusUnauthorized, "detail": "Unauthorized",
		})
		return
	}
	answer(w, http.StatusOK, map[string]any{"data": map[string]string{"id": p.ID, "name": p.Username, "username": p.Username}})
}

func refuse(w http.ResponseWriter, status int, code string) {
	answer(w, status, map[string]any{"error": code, "error_description": "Value passed for the token was invalid."})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
