package realtime

import (
	"errors"
	"slices"
	"time"
)

// register adds a session to the indexes, replacing an outdated copy of it.
func (h *Hub) register(s *session) {
	h.mu.Lock()
	old := h.sessions[s.id]
	if old == s {
		h.mu.Unlock()
		return
	}
	if old != nil {
		h.forget(old)
	}
	h.sessions[s.id] = s
	h.byUser[s.user] = append(h.byUser[s.user], s)
	for group := range s.groups {
		h.byGroup[group] = append(h.byGroup[group], s)
	}
	h.metrics.sessions.Set(float64(len(h.sessions)))
	h.mu.Unlock()
	if old != nil {
		h.finish(old, closeRestart, "", endMoved)
	}
}

// forget removes a session from the hub's indexes and reports whether it was there. The caller holds h.mu.
func (h *Hub) forget(s *session) bool {
	if h.sessions[s.id] != s {
		return false
	}
	delete(h.sessions, s.id)
	remove(h.byUser, s.user, s)
	s.mu.Lock()
	for group := range s.groups {
		remove(h.byGroup, group, s)
	}
	s.mu.Unlock()
	h.metrics.sessions.Set(float64(len(h.sessions)))
	return true
}

// remove takes s out of index[key].
func remove(index map[string][]*session, key string, s *session) {
	rest := slices.DeleteFunc(index[key], func(other *session) bool { return other == s })
	if len(rest) == 0 {
		delete(index, key)
		return
	}
	index[key] = rest
}

// end removes a session permanently, counts the reason in the metrics, and closes its connection.
func (h *Hub) end(s *session, code closeCode, message, reason string) {
	h.mu.Lock()
	known := h.forget(s)
	h.mu.Unlock()
	if known {
		h.finish(s, code, message, reason)
	}
}

// finish closes the connection of a session that has been removed.
func (h *Hub) finish(s *session, code closeCode, message, reason string) {
	h.metrics.ended.WithLabelValues(reason).Inc()
	s.mu.Lock()
	s.ended = true
	t := s.t
	s.mu.Unlock()
	if t != nil {
		t.shut(code, message)
	}
}

// enter adds a connection to the open ones, unless the hub is draining.
func (h *Hub) enter(t *transport) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.draining.Load() {
		return false
	}
	h.readers.Add(1)
	t.index = len(h.transports)
	h.transports = append(h.transports, t)
	h.metrics.connections.Set(float64(len(h.transports)))
	return true
}

// detach releases a connection that has ended with err. Its session waits for the client, unless the client said
// goodbye or cannot recover.
func (h *Hub) detach(t *transport, err error) {
	_ = t.conn.Close()
	h.mu.Lock()
	if t.index < len(h.transports) && h.transports[t.index] == t {
		last := len(h.transports) - 1
		h.transports[t.index] = h.transports[last]
		h.transports[t.index].index = t.index
		h.transports[last] = nil
		h.transports = h.transports[:last]
		h.metrics.connections.Set(float64(last))
	}
	h.mu.Unlock()
	s := t.s
	s.mu.Lock()
	current := s.t == t
	if current {
		s.rewind(s.position())
		s.t, s.lost = nil, h.now()
	}
	s.mu.Unlock()
	if current && (errors.Is(err, errGoodbye) || !s.reliable) {
		h.end(s, closeNormal, "", endGoodbye)
	}
}

// selectSessions returns the sessions for which match holds. match may take the session's lock.
func (h *Hub) selectSessions(match func(*session) bool) []*session {
	h.mu.Lock()
	defer h.mu.Unlock()
	var selected []*session
	for _, s := range h.sessions {
		if match(s) {
			selected = append(selected, s)
		}
	}
	return selected
}

// sweep drops everything that has expired: old messages, dead connections, lost sessions, clients that do not keep up.
func (h *Hub) sweep() {
	h.tick()
	now, head := h.now(), h.log.head.Load()
	older := func(since int64, limit time.Duration) bool { return now-since > limit.Milliseconds() }
	h.log.trim(now)
	h.mu.Lock()
	transports := slices.Clone(h.transports)
	h.mu.Unlock()
	for _, t := range transports {
		t.s.mu.Lock()
		closing, behind := t.closing, t.s.sent < head
		t.s.mu.Unlock()
		writing := t.writing.Load()
		switch {
		case older(t.heard.Load(), h.limits.Silence),
			writing != 0 && older(writing, h.limits.WriteTimeout),
			closing != 0 && older(closing, h.limits.CloseWait):
			_ = t.conn.Close()
		case behind:
			t.wake() // moves the cursor past messages for other sessions
		}
	}
	for _, s := range h.selectSessions(func(s *session) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.t == nil && older(s.lost, h.limits.SessionTTL)
	}) {
		h.end(s, closePolicy, "", endExpired)
	}
	for _, s := range h.selectSessions(func(s *session) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return head > s.position() && !s.keepsUp(&h.log, &h.limits)
	}) {
		h.end(s, closePolicy, "too far behind", endOverflow)
	}
}
