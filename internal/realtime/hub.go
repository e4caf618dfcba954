package realtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/keyset"
	"pantheon/internal/kit/periodic"
)

// Publisher sends messages to clients and authorises connections; [Hub] is one, [Azure] another.
type Publisher interface {
	// Publish sends messages in their order and returns once none of them will be lost. After an error any of them may
	// have been sent: publishing them again with the same ids is safe, but those that failed may then arrive after later
	// ones.
	Publish(ctx context.Context, messages ...Message) error
	// AccessURL returns the URL at which a user's client connects, within [AccessTokenTTL]. sessionID is the
	// server session that ends the connection; base is the http or https address of this server as the client sees
	// it, empty for the configured one. Without roles the client can only receive messages.
	AccessURL(userID, sessionID, base string, roles ...string) (string, error)
	// CloseSession closes the connections of a server session everywhere and permanently.
	CloseSession(ctx context.Context, sessionID string) error
	// CloseUser closes the current connections of a user, everywhere; access URLs issued before are revoked.
	CloseUser(ctx context.Context, userID string) error
}

// Message is a message from the server.
type Message struct {
	ID   string // identifies the message
	To   Target
	Data json.RawMessage // valid JSON
}

// Target is the recipient of a message.
type Target struct {
	kind kind
	name string
}

// Everyone is every connected client.
func Everyone() Target { return Target{kind: toEveryone} }

// User is every connection of one user.
func User(id string) Target { return Target{kind: toUser, name: id} }

// Group is every connection that has joined a group.
func Group(name string) Target { return Target{kind: toGroup, name: name} }

func (t Target) validate() error {
	if t.kind == 0 || t.kind != toEveryone && t.name == "" || len(t.name) > maxGroupName {
		return errors.New("realtime: target must be everyone, or a user or group with a name")
	}
	return nil
}

// Options configures a Hub.
type Options struct {
	JetStream      jetstream.JetStream      // stores messages and session records; shared by all replicas
	Name           string                   // of the hub: a letter, then letters, digits or underscores
	SigningKeys    keyset.Keys              // sign access tokens, at least 32 bytes each; the same on all replicas
	PublicURL      string                   // http or https address of the site; the same on all replicas
	AllowedOrigins []string                 // other origins whose pages may connect
	SiteOf         func(host string) string // the site's address for a request's host, whose pages may connect; nil: PublicURL
	Replicas       int                      // copies of the data in a NATS cluster; default 1
	Retention      time.Duration            // how long messages are kept, and their ids deduplicated; default 10 min
	Limits         Limits                   // zero: the defaults
	Clock          clock.Clock              // nil: the system clock
	Logger         *slog.Logger             // nil: slog.Default
	Metrics        prometheus.Registerer    // nil: none
	Reopen         func() error             // restarts an embedded server that stores nothing; nil: none. See NATS.Reopen.
}

var hubName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,127}$`)

func (o *Options) validate() error {
	var faults []error
	if o.JetStream == nil {
		faults = append(faults, errors.New("JetStream is missing"))
	}
	if !hubName.MatchString(o.Name) {
		faults = append(faults, fmt.Errorf("name must match %s", hubName))
	}
	if len(o.SigningKeys) == 0 || o.SigningKeys.Any(func(key []byte) bool { return len(key) < 32 }) {
		faults = append(faults, errors.New("signing keys must have at least 32 bytes"))
	}
	for _, u := range append([]string{o.PublicURL}, o.AllowedOrigins...) {
		if _, err := parseBase(u); err != nil {
			faults = append(faults, fmt.Errorf("address %q: %w", u, err))
		}
	}
	l := &o.Limits
	if o.Retention < 0 || o.Replicas < 0 || l.FramesPerSecond < 0 ||
		min(l.Connections, l.SessionsPerUser, l.FrameBytes, l.FrameBurst, l.PublishBytes, l.PendingMessages,
			l.PendingBytes, l.WindowBytes) < 0 ||
		min(l.Window, l.SessionTTL, l.Silence, l.WriteTimeout, l.CloseWait, l.DrainTimeout, l.ReopenAfter, l.Tick) < 0 {
		faults = append(faults, errors.New("retention, replicas and limits must not be negative"))
	}
	if o.Retention > 0 && o.Retention < o.Limits.Window {
		faults = append(faults, errors.New("retention must not be shorter than the window of recovery"))
	}
	if len(faults) > 0 {
		return fmt.Errorf("realtime: %w", errors.Join(faults...))
	}
	return nil
}

// Hub serves the realtime channel on one replica.
type Hub struct {
	name      string
	keys      keyset.Keys
	publicURL string
	origins   map[string]bool
	siteOf    func(host string) string
	retention time.Duration
	replicas  int
	limits    Limits
	clock     clock.Clock
	logger    *slog.Logger
	metrics   *metrics

	js       jetstream.JetStream
	buckets  atomic.Pointer[buckets] // nil until NATS has answered
	reopen   func() error            // nil for none
	failure  failure
	log      eventLog
	epoch    atomic.Int64  // when the stream was created, nanoseconds; its sequence numbers are meaningless in another
	ready    chan struct{} // closed once the log contains the stream as of the start
	millis   atomic.Int64  // the clock's time, updated every tick
	draining atomic.Bool
	drain    sync.Once
	readers  sync.WaitGroup // reading goroutines
	inbound  sync.Pool      // *bytes.Buffer

	mu         sync.Mutex
	sessions   map[string]*session   // by connection id
	byUser     map[string][]*session // by user id
	byGroup    map[string][]*session // by group joined
	transports []*transport          // open connections, in no order
}

// buckets are where replicas share what they know of sessions.
type buckets struct {
	records jetstream.KeyValue // session records
	revoked jetstream.KeyValue // sessions and users whose access tokens are revoked
}

// errStarting means that NATS has not answered yet.
var errStarting = errors.New("realtime: NATS has not answered yet")

// kept returns the buckets.
func (h *Hub) kept() (*buckets, error) {
	if b := h.buckets.Load(); b != nil {
		return b, nil
	}
	return nil, errStarting
}

// New creates a hub and, if they do not exist yet, its stream and buckets. It serves while [Hub.Run] runs. If NATS does not answer, the
// hub starts without and waits for it.
func New(ctx context.Context, o Options) (*Hub, error) {
	limits := o.Limits.withDefaults()
	o.Limits = limits
	if err := o.validate(); err != nil {
		return nil, err
	}
	m, err := newMetrics(o.Metrics)
	if err != nil {
		return nil, err
	}
	h := &Hub{
		name:      o.Name,
		keys:      o.SigningKeys,
		publicURL: strings.TrimSuffix(o.PublicURL, "/"),
		origins:   make(map[string]bool),
		siteOf:    o.SiteOf,
		retention: cmp.Or(o.Retention, max(10*time.Minute, limits.Window)),
		replicas:  cmp.Or(o.Replicas, 1),
		limits:    limits,
		clock:     o.Clock,
		logger:    o.Logger,
		metrics:   m,
		js:        o.JetStream,
		reopen:    o.Reopen,
		log:       eventLog{maxAge: limits.Window, maxBytes: limits.WindowBytes},
		ready:     make(chan struct{}),
		inbound:   sync.Pool{New: func() any { return new(bytes.Buffer) }},
		sessions:  make(map[string]*session),
		byUser:    make(map[string][]*session),
		byGroup:   make(map[string][]*session),
	}
	if h.siteOf == nil {
		h.siteOf = func(string) string { return h.publicURL }
	}
	if h.clock == nil {
		h.clock = clock.System{}
	}
	if h.logger == nil {
		h.logger = slog.Default()
	}
	h.logger = h.logger.With("component", "realtime")
	for _, base := range append([]string{o.PublicURL}, o.AllowedOrigins...) {
		u, _ := parseBase(base) // validated above
		h.origins[strings.ToLower(u.Scheme+"://"+u.Host)] = true
	}
	h.tick()
	if !h.js.Conn().IsConnected() {
		h.logger.Warn("NATS does not answer; messages wait for it")
		return h, nil
	}
	if err := h.prepare(ctx); err != nil {
		if !isTemporary(err) {
			return nil, err
		}
		h.logger.Warn("NATS does not take the streams; messages wait for it", "error", err)
	}
	return h, nil
}

// isTemporary reports whether an error may be due to a cluster that is starting, has no leader, or no space.
func isTemporary(err error) bool {
	api, ok := errors.AsType[*jetstream.APIError](err)
	if ok && api.ErrorCode == errCodeNoCluster {
		return false
	}
	return ok && (api.Code >= 500 || api.ErrorCode == errCodeNoPeers) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) ||
		errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled)
}

// Errors of nats-server (server/errors.json).
const (
	errCodeNoPeers   = 10005 // too few servers are up for the replicas
	errCodeNoCluster = 10074 // a server that is no cluster keeps no replicas
)

// replicate calls set with the number of replicas of a stream: the configured one, or the existing one if that is higher, so that
// portals with other settings, or of the previous version, do not scale it down. If too few servers are up to scale it up, it is left
// unchanged.
func (h *Hub) replicate(ctx context.Context, stream string, set func(replicas int) error) error {
	has := 0
	if s, err := h.js.Stream(ctx, stream); err == nil {
		has = s.CachedInfo().Config.Replicas
	}
	err := set(max(h.replicas, has))
	api, ok := errors.AsType[*jetstream.APIError](err)
	switch {
	case ok && api.ErrorCode == errCodeNoCluster:
		return fmt.Errorf("%d replicas of %s need a NATS cluster (NATS_REPLICAS): %w", h.replicas, stream, err)
	case ok && api.ErrorCode == errCodeNoPeers && has > 0:
		h.logger.Warn("too few NATS servers are up for more replicas", "stream", stream, "replicas", has, "wanted", h.replicas)
		return set(has)
	}
	return err
}

// prepare creates the stream and the buckets.
func (h *Hub) prepare(ctx context.Context) error {
	err := h.replicate(ctx, h.stream(), func(replicas int) error {
		_, err := h.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name:        h.stream(),
			Description: "messages of the realtime hub " + h.name,
			Subjects:    []string{h.subject(">", "")},
			MaxAge:      h.retention,
			MaxBytes:    streamBytes,
			Discard:     jetstream.DiscardOld,
			Duplicates:  h.retention,
			Storage:     jetstream.FileStorage,
			Replicas:    replicas,
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("realtime: make stream: %w", err)
	}
	bucket := func(name string, ttl time.Duration) (kv jetstream.KeyValue, err error) {
		bucket := h.stream() + "_" + name
		err = h.replicate(ctx, "KV_"+bucket, func(replicas int) error {
			kv, err = h.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
				Bucket: bucket, TTL: ttl, Storage: jetstream.FileStorage, Replicas: replicas,
			})
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("realtime: make bucket of %s: %w", name, err)
		}
		return kv, nil
	}
	records, err := bucket("sessions", recordTTL)
	if err != nil {
		return err
	}
	revoked, err := bucket("revoked", AccessTokenTTL)
	if err == nil {
		h.buckets.Store(&buckets{records, revoked})
	}
	return err
}

func (h *Hub) stream() string { return "realtime_" + h.name }

// subject is the subject of messages of one kind, to one target. Targets are encoded, because subjects have their own
// syntax.
func (h *Hub) subject(kind, target string) string {
	s := "realtime." + h.name + "." + kind
	if target != "" {
		s += "." + base64.RawURLEncoding.EncodeToString([]byte(target))
	}
	return s
}

// The kinds of subjects.
const (
	subjectAll          = "all"
	subjectUser         = "user"
	subjectGroup        = "group"
	subjectCloseUser    = "close-user"
	subjectCloseSession = "close-session"
)

// headerExclude names the connection that must not receive a message.
const headerExclude = "Exclude"

// Messages are published in batches, each of which waits for the stream once. A batch is small enough for a slow link to carry it
// within the timeout.
const (
	publishBatchMessages = 64
	publishBatchBytes    = 256 << 10 // reached by the last message
	publishTimeout       = 5 * time.Second
)

// Publish implements [Publisher].
func (h *Hub) Publish(ctx context.Context, messages ...Message) error {
	for len(messages) > 0 {
		n, size := 0, 0
		for n < min(len(messages), publishBatchMessages) && size < publishBatchBytes {
			size += len(messages[n].Data)
			n++
		}
		if err := h.publishBatch(ctx, messages[:n]); err != nil {
			return err
		}
		messages = messages[n:]
	}
	return nil
}

func (h *Hub) publishBatch(ctx context.Context, messages []Message) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	var futures []jetstream.PubAckFuture
	var malformed, failed error
	for i, m := range messages {
		msg, err := h.encode(m)
		if err != nil {
			malformed = err
			break
		}
		if i == 0 {
			// Alone, so that none overtakes it if the stream is away for a moment.
			if _, failed = h.store(ctx, msg, "server:"+m.ID); failed != nil {
				break
			}
			continue
		}
		// The client would retry a message after the ones that follow it. The caller retries all of them.
		future, err := h.js.PublishMsgAsync(msg, append(h.publishOptions("server:"+m.ID), jetstream.WithRetryAttempts(0))...)
		if err != nil {
			failed = fmt.Errorf("realtime: store message: %w", err)
			break
		}
		futures = append(futures, future)
	}
	for _, f := range futures {
		select {
		case <-f.Ok():
		case err := <-f.Err():
			failed = cmp.Or(failed, fmt.Errorf("realtime: store message: %w", err))
		case <-ctx.Done():
			failed = cmp.Or(failed, fmt.Errorf("realtime: store message: %w", ctx.Err()))
		}
	}
	if failed != nil || malformed == nil {
		h.noteStored(failed)
	}
	return cmp.Or(failed, malformed)
}

// encode checks a message and encodes it for the stream.
func (h *Hub) encode(m Message) (*nats.Msg, error) {
	if m.ID == "" {
		return nil, errors.New("realtime: message id is missing")
	}
	if err := m.To.validate(); err != nil {
		return nil, err
	}
	if len(m.Data) == 0 {
		return nil, errors.New("realtime: message has no data")
	}
	if len(m.Data) > h.limits.PublishBytes {
		return nil, fmt.Errorf("realtime: message of %d bytes is longer than %d", len(m.Data), h.limits.PublishBytes)
	}
	tail, err := message{Type: "message", From: "server", DataType: "json"}.tail(m.Data)
	if err != nil {
		return nil, err
	}
	subject := map[kind]string{toEveryone: subjectAll, toUser: subjectUser, toGroup: subjectGroup}[m.To.kind]
	return &nats.Msg{Subject: h.subject(subject, m.To.name), Data: tail}, nil
}

// store appends to the stream. It reports whether a message with that id was already stored.
func (h *Hub) store(ctx context.Context, msg *nats.Msg, id string) (duplicate bool, err error) {
	ack, err := h.js.PublishMsg(ctx, msg, h.publishOptions(id)...)
	if err != nil {
		return false, fmt.Errorf("realtime: store message: %w", err)
	}
	return ack.Duplicate, nil
}

// publishOptions returns the options of a message; its id is "" if it is not deduplicated.
func (h *Hub) publishOptions(id string) []jetstream.PublishOpt {
	opts := []jetstream.PublishOpt{jetstream.WithExpectStream(h.stream())}
	if id != "" {
		opts = append(opts, jetstream.WithMsgID(id))
	}
	return opts
}

// AccessURL implements [Publisher].
func (h *Hub) AccessURL(userID, sessionID, base string, roles ...string) (string, error) {
	if len(sessionID) > maxID {
		return "", fmt.Errorf("realtime: session id must have at most %d bytes", maxID)
	}
	now := h.clock.Now()
	c := jwt.MapClaims{"sid": sessionID, "iat_ms": now.UnixMilli()}
	if len(roles) > 0 {
		c["role"] = roles
	}
	return accessURL(cmp.Or(base, h.publicURL), h.publicURL, h.name, h.keys.SignJWT, userID, c, now)
}

// CloseSession closes, on every replica, the connections made with access URLs of a server session, with code 1008.
// After that neither recovery nor such a URL can open a connection.
func (h *Hub) CloseSession(ctx context.Context, sessionID string) error {
	return h.close(ctx, subjectCloseSession, sessionID)
}

// CloseUser does for all current sessions of a user what CloseSession does for one. Access URLs issued later are valid.
func (h *Hub) CloseUser(ctx context.Context, userID string) error {
	return h.close(ctx, subjectCloseUser, userID)
}

func (h *Hub) close(ctx context.Context, subject, id string) error {
	if id == "" || len(id) > maxID {
		return fmt.Errorf("realtime: id must have 1 to %d bytes", maxID)
	}
	// First the tokens, then the connections: otherwise a connection could be opened in between.
	until := h.clock.Now().UnixMilli()
	if err := h.revoke(ctx, subject, id, until); err != nil {
		return err
	}
	msg := &nats.Msg{Subject: h.subject(subject, id), Data: strconv.AppendInt(nil, until, 10)}
	_, err := h.store(ctx, msg, "")
	return err
}

// Run serves until ctx ends, then drains and returns nil. It survives a loss of NATS and resumes when NATS is back.
func (h *Hub) Run(ctx context.Context) error {
	// The workers outlive ctx by the time it takes to drain.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var g errgroup.Group
	g.Go(func() error { h.follow(work); return nil })
	g.Go(func() error { return h.every(work, h.sweep) })
	g.Go(func() error { return h.every(work, func() { h.saveDue(work) }) })
	<-ctx.Done()
	leave, cancel := context.WithTimeout(work, h.limits.DrainTimeout)
	defer cancel()
	h.Drain(leave)
	stop()
	return g.Wait()
}

// Ready returns why the hub cannot serve at the moment, or nil.
func (h *Hub) Ready() error {
	switch {
	case h.draining.Load():
		return errors.New("realtime: stopping")
	case !h.js.Conn().IsConnected():
		return errors.New("realtime: no connection to NATS")
	}
	if err := h.failure.load(); err != nil {
		return fmt.Errorf("realtime: messages are not taken: %w", err)
	}
	if !h.isReady() {
		return errors.New("realtime: starting")
	}
	return nil
}

// failure is why messages cannot be stored or followed at the moment.
type failure struct {
	mu       sync.Mutex
	store    error
	follow   error
	since    time.Time // of the first failure to store in a row
	last     time.Time // of the last one
	reopened time.Time // when the server was restarted last
}

// storeMemory is how long a failure to store counts. The outbox, which is all that must be stored, retries sooner.
const storeMemory = 15 * time.Second

func (f *failure) load() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.store != nil && time.Since(f.last) < storeMemory {
		return f.store
	}
	return f.follow
}

// noteFollowed notes whether the stream is followed. It reports whether that is news.
func (f *failure) noteFollowed(err error) (isNew bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	isNew = fmt.Sprint(f.follow) != fmt.Sprint(err)
	f.follow = err
	return isNew
}

// noteStored notes whether messages are stored. An embedded server whose disk was full rejects every publish until it is restarted,
// although it answers.
func (h *Hub) noteStored(err error) {
	if err != nil && !h.js.Conn().IsConnected() { // known otherwise
		return
	}
	if h.failure.noteStored(err, h.limits.ReopenAfter) && h.reopen != nil {
		h.restartServer()
	}
}

// noteStored reports whether the server should be restarted: storing has failed for so long, and it was not restarted for as long.
func (f *failure) noteStored(err error, after time.Duration) (restart bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.store = err
	now := time.Now()
	switch {
	case err == nil:
		f.since = time.Time{}
		return false
	case f.since.IsZero():
		f.since = now
	}
	f.last = now
	restart = min(now.Sub(f.since), now.Sub(f.reopened)) >= after
	if restart {
		f.reopened = now
	}
	return restart
}

// restartServer restarts an embedded server. It may take long, and holds no lock that Ready needs.
func (h *Hub) restartServer() {
	switch err := h.reopen(); {
	case err == nil:
		h.logger.Warn("the message server stored nothing and was restarted")
	case errors.Is(err, errors.ErrUnsupported): // an external server is its operator's
	case errors.Is(err, ErrDiskFull):
		h.failure.noteStored(err, math.MaxInt64)
		h.logger.Error("the message server stores nothing", "error", err)
	default:
		h.logger.Error("the message server stores nothing and does not restart, retrying", "error", err)
	}
}

// every calls f each tick.
func (h *Hub) every(ctx context.Context, f func()) error {
	return periodic.Run(ctx, h.limits.Tick, func(context.Context) error { f(); return nil }, nil)
}

// tick updates the time.
func (h *Hub) tick() { h.millis.Store(h.clock.Now().UnixMilli()) }

// now is the time of the last tick, in milliseconds; precise enough for deadlines and cheap enough for every frame.
func (h *Hub) now() int64 { return h.millis.Load() }

// Handler returns the endpoint GET /client/hubs/{hub}?access_token=…; mount it at /client/.
func (h *Hub) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /client/hubs/{hub}", h.serve)
	return mux
}
