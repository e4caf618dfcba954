package realtime

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gobwas/ws"
)

// storeTimeout bounds the reads and writes of session records for which a client waits.
const storeTimeout = 5 * time.Second

// serve upgrades a request to a WebSocket and attaches it to a new or a recovered session.
func (h *Hub) serve(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("hub") != h.name {
		http.Error(w, "no such hub", http.StatusNotFound)
		return
	}
	// Pages of other sites must not connect through a user's browser, RFC 6455 §10.2; programs send no Origin.
	if origin := r.Header.Get("Origin"); origin != "" && !h.origins[strings.ToLower(origin)] && origin != h.siteOf(r.Host) {
		http.Error(w, "origin not allowed", http.StatusForbidden)
		return
	}
	protocol := chooseProtocol(r.Header)
	if protocol == "" {
		http.Error(w, "offer the subprotocol "+protocolReliable+" or "+protocolPlain, http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), storeTimeout)
	defer cancel()
	select {
	case <-h.ready:
	case <-ctx.Done():
	}
	if !h.isReady() || h.draining.Load() {
		unavailable(w, "starting or stopping")
		return
	}
	s, moved, err := h.identify(ctx, r, protocol)
	var refused httpError
	switch {
	case errors.As(err, &refused):
		http.Error(w, refused.message, refused.status)
		return
	case errors.Is(err, errUnknown):
	case err != nil:
		h.logger.Warn("cannot open a session", "error", err)
		unavailable(w, "please try again")
		return
	}
	conn, rest, err := upgrade(w, r, protocol)
	if err != nil {
		return // the upgrader has responded
	}
	recovery := r.URL.Query().Has(paramConnection)
	if s == nil || !h.attach(s, conn, rest) {
		if recovery {
			h.metrics.recoveries.WithLabelValues(recoveryRefused).Inc()
		}
		// The client would retry a rejected upgrade many times; this code makes it start a new session at once.
		turnAway(conn, h.limits.CloseWait)
		return
	}
	switch {
	case moved:
		h.metrics.recoveries.WithLabelValues(recoveryMoved).Inc()
	case recovery:
		h.metrics.recoveries.WithLabelValues(recoveryResumed).Inc()
	}
}

// The parameters a client adds to its access URL to recover a session. The access token in that URL is the old one and
// may have expired: only the reconnection token is checked.
const (
	paramConnection = "awps_connection_id"
	paramToken      = "awps_reconnection_token"
)

// httpError rejects a request before the upgrade.
type httpError struct {
	status  int
	message string
}

func (e httpError) Error() string { return e.message }

func unavailable(w http.ResponseWriter, message string) {
	w.Header().Set("Retry-After", "1")
	http.Error(w, message, http.StatusServiceUnavailable)
}

// identify returns the session a request is for. It returns an httpError to reject the request, errUnknown
// if the client must start a new session, and another error if the store does not respond.
func (h *Hub) identify(ctx context.Context, r *http.Request, protocol string) (s *session, moved bool, err error) {
	query := r.URL.Query()
	h.mu.Lock()
	full := len(h.transports) >= h.limits.Connections
	h.mu.Unlock()
	if full {
		return nil, false, httpError{http.StatusServiceUnavailable, "too many connections"}
	}
	if query.Has(paramConnection) {
		if protocol != protocolReliable {
			return nil, false, errUnknown
		}
		return h.resume(ctx, query.Get(paramConnection), query.Get(paramToken))
	}
	c, err := h.verify(query.Get("access_token"))
	if err != nil {
		return nil, false, httpError{http.StatusUnauthorized, "access token is missing, wrong or expired"}
	}
	s = &session{id: randomID(16), user: c.Subject, sid: c.SessionID, issued: c.IssuedMillis, roles: c.Role,
		frames: h.frameLimiter(), reliable: protocol == protocolReliable, token: randomID(32), lost: h.now()}
	s.secret = sha256.Sum256([]byte(s.token))
	// The position is read before the revocations are checked, so that a later revocation is found in the log.
	s.rewind(h.log.head.Load())
	void, err := h.isRevoked(ctx, c)
	if err != nil {
		return nil, false, err
	}
	if void {
		return nil, false, httpError{http.StatusUnauthorized, "signed out"}
	}
	if !h.makeRoom(s.user) {
		return nil, false, httpError{http.StatusTooManyRequests, "too many connections of this user"}
	}
	if s.reliable {
		if err := h.create(ctx, s); err != nil {
			return nil, false, err
		}
	}
	return s, false, nil
}

// makeRoom reports whether a user may have one more session here, evicting one without a connection if necessary.
func (h *Hub) makeRoom(user string) bool {
	h.mu.Lock()
	own := slices.Clone(h.byUser[user])
	h.mu.Unlock()
	if len(own) < h.limits.SessionsPerUser {
		return true
	}
	i := slices.IndexFunc(own, func(s *session) bool { return s.transport() == nil })
	if i < 0 {
		return false
	}
	h.end(own[i], closePolicy, "", endExpired)
	return true
}

// chooseProtocol returns the first of the client's subprotocols that is supported, or "".
func chooseProtocol(header http.Header) string {
	for _, line := range header.Values("Sec-WebSocket-Protocol") {
		for offered := range strings.SplitSeq(line, ",") {
			if p := strings.TrimSpace(offered); p == protocolReliable || p == protocolPlain {
				return p
			}
		}
	}
	return ""
}

// upgrade takes the connection over from the HTTP server. rest is what the client has already sent.
func upgrade(w http.ResponseWriter, r *http.Request, protocol string) (conn net.Conn, rest []byte, err error) {
	up := ws.HTTPUpgrader{Timeout: storeTimeout, Protocol: func(p string) bool { return p == protocol }}
	conn, rw, _, err := up.Upgrade(r, w)
	if err != nil {
		if conn != nil {
			_ = conn.Close()
		}
		return nil, nil, fmt.Errorf("realtime: upgrade: %w", err)
	}
	if n := rw.Reader.Buffered(); n > 0 {
		b, _ := rw.Reader.Peek(n)
		rest = bytes.Clone(b)
	}
	return conn, rest, nil
}

// turnAway closes a connection with 1008.
func turnAway(conn net.Conn, wait time.Duration) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(wait))
	if _, err := conn.Write(appendClose(nil, closePolicy, "session is gone")); err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(conn, 1<<20)) // until the client has read it and closed
}

// attach connects a session to a connection, replacing its previous one. It reports false, and ends the session,
// when the session cannot continue.
func (h *Hub) attach(s *session, conn net.Conn, rest []byte) bool {
	// Register first, then check: a close in between is noticed by one or the other.
	h.register(s)
	t := &transport{h: h, s: s, conn: conn}
	t.heard.Store(h.now())
	s.mu.Lock()
	closed := s.isClosed(&h.log)
	if s.ended || closed || !s.keepsUp(&h.log, &h.limits) {
		s.mu.Unlock()
		h.end(s, closePolicy, "", map[bool]string{true: endRevoked, false: endOverflow}[closed])
		return false
	}
	old := s.t
	s.t, s.lost = t, 0
	s.rewind(s.position())
	hello := connectedMessage{Type: "system", Event: "connected", UserID: s.user, ConnectionID: s.id}
	if s.reliable {
		hello.ReconnectionToken = s.token
	}
	t.out = appendMessage(nil, hello)
	s.mu.Unlock()
	if old != nil {
		_ = old.conn.Close()
	}
	if !h.enter(t) {
		_ = conn.Close()
		h.detach(t, nil)
		return true
	}
	var source io.Reader = conn
	if len(rest) > 0 {
		source = io.MultiReader(bytes.NewReader(rest), conn)
	}
	go func() {
		defer h.readers.Done()
		h.detach(t, t.read(source))
	}()
	t.wake()
	return true
}

// randomID returns n random bytes as text.
func randomID(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}
