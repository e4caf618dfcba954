package realtime

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

// recordTTL is how long a record lasts without renewal. Records of ended sessions expire by it: by then the log no
// longer contains what they could recover.
const recordTTL = 2 * time.Minute

// recordRefresh is the longest interval between renewals of a record.
const recordRefresh = recordTTL / 4

// savers is how many records are written concurrently.
const savers = 16

// record is a session as stored in the bucket, by connection id. The writer of the next revision owns the session.
type record struct {
	User     string            `json:"user"`
	Session  string            `json:"sid,omitempty"`
	Issued   int64             `json:"issued"` // of the access token, milliseconds
	Roles    []string          `json:"roles,omitempty"`
	Secret   []byte            `json:"secret"` // SHA-256 of the reconnection token
	Groups   map[string]uint64 `json:"groups,omitempty"`
	Position uint64            `json:"position"`
	Epoch    int64             `json:"epoch"` // of the stream the sequence numbers belong to
}

var (
	errUnknown = errors.New("realtime: no such session, or not with this token")
	errLost    = errors.New("realtime: another replica has taken over the session")
)

// create writes the first record of a session.
func (h *Hub) create(ctx context.Context, s *session) error {
	kept, err := h.kept()
	if err != nil {
		return err
	}
	return h.write(ctx, s, func(b []byte) (uint64, error) { return kept.records.Create(ctx, s.id, b) })
}

// save updates the record of a session. It returns errLost if another replica now owns it.
func (h *Hub) save(ctx context.Context, s *session) error {
	kept, err := h.kept()
	if err != nil {
		return err
	}
	return h.write(ctx, s, func(b []byte) (uint64, error) { return kept.records.Update(ctx, s.id, b, s.rev) })
}

func (h *Hub) write(ctx context.Context, s *session, put func([]byte) (uint64, error)) error {
	s.record.Lock()
	defer s.record.Unlock()
	s.mu.Lock()
	r := record{User: s.user, Session: s.sid, Issued: s.issued, Roles: s.roles, Secret: s.secret[:], Groups: maps.Clone(s.groups),
		Position: s.position(), Epoch: h.epoch.Load()}
	s.mu.Unlock()
	b, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("realtime: encode session: %w", err)
	}
	rev, err := put(b)
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return errLost
	}
	if err != nil {
		return fmt.Errorf("realtime: save session: %w", err)
	}
	s.rev = rev
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saved, s.savedAt = r.Position, h.now()
	return nil
}

// resume returns the session that a client recovers: the local one, or one made from its record, which this replica
// then owns. It returns errUnknown when there is nothing to resume, and another error when the store is unavailable.
func (h *Hub) resume(ctx context.Context, id, token string) (s *session, moved bool, err error) {
	h.mu.Lock()
	s = h.sessions[id]
	h.mu.Unlock()
	if s != nil {
		s.record.Lock() // so that our own save is not mistaken for another replica's
		defer s.record.Unlock()
	}
	shared, err := h.kept()
	if err != nil {
		return nil, false, err
	}
	kept, err := shared.records.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey) {
		return nil, false, errUnknown
	}
	if err != nil {
		return nil, false, fmt.Errorf("realtime: read session: %w", err)
	}
	var r record
	if err := json.Unmarshal(kept.Value(), &r); err != nil {
		return nil, false, fmt.Errorf("realtime: decode session: %w", err)
	}
	secret := sha256.Sum256([]byte(token))
	if subtle.ConstantTimeCompare(secret[:], r.Secret) != 1 || r.Epoch != h.epoch.Load() {
		return nil, false, errUnknown
	}
	if s != nil && s.rev == kept.Revision() {
		return s, false, nil
	}
	s = &session{id: id, user: r.User, sid: r.Session, issued: r.Issued, roles: r.Roles, secret: secret, reliable: true,
		frames: h.frameLimiter(), rev: kept.Revision(), token: token, groups: r.Groups,
		lost: h.now()}
	s.rewind(r.Position)
	return s, true, h.save(ctx, s)
}

func (h *Hub) frameLimiter() *rate.Limiter {
	return rate.NewLimiter(rate.Limit(h.limits.FramesPerSecond), h.limits.FrameBurst)
}

// saveDue saves the sessions whose record is too far behind: in time, so that the log still covers the rest
// after an outage, or in messages, so that not too many are sent again.
func (h *Hub) saveDue(ctx context.Context) {
	now, head := h.now(), h.log.head.Load()
	h.saveAll(ctx, h.selectSessions(func(s *session) bool {
		if !s.reliable {
			return false
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		age := time.Duration(now-s.savedAt) * time.Millisecond
		behind := s.position() > s.saved &&
			(age >= h.limits.Window/6 || head-s.saved > uint64(h.limits.PendingMessages/4))
		return behind || age >= recordRefresh
	}))
}

// saveAll saves sessions, and forgets those that another replica owns.
func (h *Hub) saveAll(ctx context.Context, sessions []*session) {
	var g errgroup.Group
	g.SetLimit(savers)
	for _, s := range sessions {
		g.Go(func() error {
			err := h.save(ctx, s)
			if errors.Is(err, errLost) {
				h.end(s, closeRestart, "", endMoved)
				return nil
			}
			return err
		})
	}
	if err := g.Wait(); err != nil && ctx.Err() == nil {
		h.logger.Warn("saving sessions failed; trying again", "error", err)
	}
}

// revoke revokes the access tokens of a user or server session issued up to a time in milliseconds.
func (h *Hub) revoke(ctx context.Context, subject, id string, until int64) error {
	kept, err := h.kept()
	if err == nil {
		_, err = kept.revoked.Put(ctx, revocationKey(subject, id), strconv.AppendInt(nil, until, 10))
	}
	if err != nil {
		return fmt.Errorf("realtime: revoke access: %w", err)
	}
	return nil
}

// isRevoked reports whether a token is revoked.
func (h *Hub) isRevoked(ctx context.Context, c *claims) (bool, error) {
	since := func(subject, id string) (int64, error) {
		if id == "" {
			return -1, nil
		}
		kept, err := h.kept()
		if err != nil {
			return 0, err
		}
		e, err := kept.revoked.Get(ctx, revocationKey(subject, id))
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return -1, nil
		}
		if err != nil {
			return 0, fmt.Errorf("realtime: read revocations: %w", err)
		}
		return strconv.ParseInt(string(e.Value()), 10, 64)
	}
	session, err := since(subjectCloseSession, c.SessionID)
	if err != nil {
		return false, err
	}
	user, err := since(subjectCloseUser, c.Subject)
	if err != nil {
		return false, err
	}
	return session >= 0 || c.IssuedMillis <= user, nil
}

func revocationKey(subject, id string) string {
	return subject + "." + base64.RawURLEncoding.EncodeToString([]byte(id))
}
