package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/chain/signer"
	"pantheon/internal/config"
	"pantheon/internal/kit/clock"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
)

// replica is one of several portals on one database and one NATS server, as far as connections need it.
type replica struct {
	*served
	address string
}

// startReplicas starts two portals; the first holds the lease.
func startReplicas(t *testing.T, c clock.Clock) (first, second replica) {
	t.Helper()
	env := map[string]string{
		"DATABASE_URL": testkit.DatabaseOptions(t, store.PostgreSQL).URL, "NATS_URL": natsWithPassword(t),
		"SIGNER_KEY_FILE": filepath.Join(t.TempDir(), "signer.key"),
	}
	if err := signer.MakeKeyFile(env["SIGNER_KEY_FILE"]); err != nil {
		t.Fatal(err)
	}
	start := func(leads bool) replica {
		s, settings := configure(t, env)
		return replica{s, s.run(settings, c, leads)}
	}
	return start(true), start(false)
}

// run builds the portal and runs what connections need until the test ends; it returns the address.
func (s *served) run(c config.Config, clk clock.Clock, leads bool) (address string) {
	s.t.Helper()
	o := s.options()
	o.Clock = clk
	var err error
	if s.app, err = New(s.t.Context(), c, o); err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(s.t.Context()))
	var group errgroup.Group
	group.Go(func() error { return s.app.live.hub.Run(ctx) })
	group.Go(func() error {
		if err := s.app.server.Serve(s.app.gate.guard(s.app.listener)); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	if leads {
		group.Go(func() error { return s.app.leader["outbox"](ctx) })
		group.Go(func() error { return s.app.leader["accounts"](ctx) })
	}
	s.t.Cleanup(func() {
		stop()
		if err := errors.Join(s.app.server.Close(), group.Wait(), s.app.Close()); err != nil {
			s.t.Error(err)
		}
		if strings.Contains(s.log.String(), "background work failed") {
			s.t.Error(s.log)
		}
	})
	return s.app.Addr()
}

// signIn registers a player, or signs in a registered one, and returns the token.
func (r replica) signIn(call, name string) (token string) {
	r.t.Helper()
	w := r.send(http.MethodPost, "/api/auth/"+call,
		fmt.Sprintf(`{"email":"%[1]s@olympus.example","displayName":"%[1]s","password":"thunder and rain"}`, name), nil)
	if call == "login" {
		w = r.send(http.MethodPost, "/api/auth/"+call, fmt.Sprintf(`{"email":"%s@olympus.example","password":"thunder and rain"}`, name), nil)
	}
	var answer struct{ Token string }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Token == "" {
		r.t.Fatalf("%s: %d %s", call, w.Code, w.Body)
	}
	return answer.Token
}

// socket is a realtime connection.
type socket struct {
	t    *testing.T
	url  string // without the recovery parameters
	conn net.Conn
	id   string
	key  string // the reconnection token
}

// connect opens a player's realtime connection to this replica.
func (r replica) connect(token string) *socket {
	r.t.Helper()
	w := r.send(http.MethodGet, "/api/auth/pubSubAccessToken", "", http.Header{"Authorization": {token}})
	var answer struct{ URL string }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		r.t.Fatalf("access: %d %s", w.Code, w.Body)
	}
	u, err := url.Parse(answer.URL)
	if err != nil {
		r.t.Fatal(err)
	}
	u.Scheme, u.Host = "ws", r.address
	s := &socket{t: r.t, url: u.String()}
	s.conn, err = s.dial("")
	if err != nil {
		r.t.Fatal(err)
	}
	hello, err := wsutil.ReadServerText(s.conn)
	if err != nil {
		r.t.Fatal(err)
	}
	var connected struct {
		Event, ConnectionID, ReconnectionToken string
	}
	if err := json.Unmarshal(hello, &connected); err != nil || connected.Event != "connected" {
		r.t.Fatalf("greeted with %s", hello)
	}
	s.id, s.key = connected.ConnectionID, connected.ReconnectionToken
	return s
}

func (s *socket) dial(more string) (net.Conn, error) {
	s.t.Helper()
	dialer := ws.Dialer{Protocols: []string{"json.reliable.webpubsub.azure.v1"}, Timeout: startTimeout}
	conn, early, _, err := dialer.Dial(s.t.Context(), s.url+more)
	if err != nil {
		return nil, err
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	if early != nil { // received together with the response
		conn = readFirst{conn, early}
	}
	return conn, conn.SetDeadline(time.Now().Add(startTimeout))
}

// readFirst is a connection with some data already read.
type readFirst struct {
	net.Conn
	from io.Reader
}

func (r readFirst) Read(b []byte) (int, error) { return r.from.Read(b) }

// mustEnd waits for the close frame that makes the vendor's client start over, and checks that the connection cannot
// be recovered.
func (s *socket) mustEnd(what string) {
	s.t.Helper()
	if code, said := closing(s.conn); code != 1008 || !strings.Contains(said, `"disconnected"`) {
		s.t.Errorf("%s: closed with %d after %s", what, code, said)
		return
	}
	again, err := s.dial("&awps_connection_id=" + url.QueryEscape(s.id) + "&awps_reconnection_token=" + url.QueryEscape(s.key))
	if err != nil {
		s.t.Errorf("%s: a recovery is refused instead of closed: %v", what, err)
	} else if code, said := closing(again); code != 1008 || strings.Contains(said, `"connected"`) {
		s.t.Errorf("%s: recovery ends with %d after %s", what, code, said)
	}
	var refused ws.StatusError
	if _, err := s.dial(""); !errors.As(err, &refused) || int(refused) != http.StatusUnauthorized {
		s.t.Errorf("%s: connecting again by the same address: %v", what, err)
	}
}

// closing reads a connection to its end and returns the code of the close frame, 0 for none, and what was received
// before.
func closing(conn net.Conn) (code int, said string) {
	_ = conn.SetDeadline(time.Now().Add(startTimeout))
	for {
		text, err := wsutil.ReadServerText(conn)
		var end wsutil.ClosedError
		if errors.As(err, &end) {
			return int(end.Code), said
		}
		if err != nil {
			return 0, said + err.Error()
		}
		said += string(text)
	}
}

// mustLive checks that a connection is open.
func (s *socket) mustLive(what string) {
	s.t.Helper()
	_ = s.conn.SetDeadline(time.Now().Add(startTimeout))
	if err := wsutil.WriteClientText(s.conn, []byte(`{"type":"ping"}`)); err != nil {
		s.t.Errorf("%s: %v", what, err)
		return
	}
	if text, err := wsutil.ReadServerText(s.conn); err != nil || string(text) != `{"type":"pong"}` {
		s.t.Errorf("%s: answered with %s, %v", what, text, err)
	}
}

// A realtime connection ends with its session, however the session ends, and on every replica.
// Spec: LIVE-29
func TestSockets_CloseWhenTheirSessionEnds(t *testing.T) {
	t.Parallel()
	first, second := startReplicas(t, nil)
	call := func(method, path, token, body string) {
		t.Helper()
		if w := first.send(method, path, body, http.Header{"Authorization": {token}}); w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	callerOf := func(token string) account.Caller {
		t.Helper()
		c, err := first.app.people.accounts.Authenticate(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	bystander := second.connect(first.signIn("register", "hera"))
	for i, c := range []struct {
		what string
		stay bool // whether the calling session stays open
		end  func(token, other string)
	}{
		{"signing out", true, func(_, other string) { call(http.MethodGet, "/api/auth/logout", other, "") }},
		{"ending one session", true, func(token, other string) {
			call(http.MethodDelete, "/api/auth/sessions/"+callerOf(other).SessionID, token, "")
		}},
		{"ending the others", true, func(token, _ string) { call(http.MethodPost, "/api/auth/sessions/end-others", token, "") }},
		{"a new password", true, func(token, _ string) {
			call(http.MethodPost, "/api/auth/password", token, `{"current":"thunder and rain","password":"lightning rods"}`)
		}},
		{"deletion", false, func(token, _ string) {
			call(http.MethodPost, "/api/auth/delete-account", token, `{"password":"thunder and rain"}`)
		}},
		// Like a process without a connection to NATS, or one that dies before it has closed anything.
		{"an end in the database alone", false, func(token, _ string) {
			now := time.Now()
			if _, err := accounts.New(second.app.db).EndSessions(t.Context(),
				account.EndSessions{PlayerID: callerOf(token).PlayerID, At: now, Since: now}); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		bystander.mustLive("another player, before " + c.what)
		name := fmt.Sprintf("player%d", i)
		token := first.signIn("register", name)
		other := first.signIn("login", name)
		own, near, far := first.connect(token), first.connect(other), second.connect(other)
		c.end(token, other)
		near.mustEnd(c.what + ", at the same replica")
		far.mustEnd(c.what + ", at another replica")
		if c.stay {
			own.mustLive(c.what + ", the session that asked for it")
		} else {
			own.mustEnd(c.what + ", the session that asked for it")
		}
	}
	bystander.mustLive("another player")
}

// A connection opened just before its session's expiry used to stay open.
// Spec: LIVE-29
func TestSockets_CloseWhenTheirSessionExpires(t *testing.T) {
	t.Parallel()
	clk := clock.NewFake(time.Now())
	first, second := startReplicas(t, clk)
	token := first.signIn("register", "zeus")
	early := []*socket{first.connect(token), second.connect(token)}
	clk.Advance(24*time.Hour - 4*time.Second)
	for _, s := range early { // silent for a day: dropped once the hub has noticed
		closing(s.conn)
	}
	later := first.signIn("login", "zeus")
	near, far, newer := first.connect(token), second.connect(token), second.connect(later)
	near.mustLive("before its time")
	clk.Advance(4 * time.Second) // less than the hub's limits for a write and for the client's close frame
	near.mustEnd("at the same replica")
	far.mustEnd("at another replica")
	newer.mustLive("a newer session")
}
