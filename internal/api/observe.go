package api

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"

	"pantheon/internal/kit/request"
	"pantheon/internal/kit/trace"
	"pantheon/internal/portal/account"
)

// requestHeader names a request: in every response, in problems and in the log.
const requestHeader = "X-Request-Id"

// requestID is the form of an id that a proxy has given a request.
var requestID = regexp.MustCompile(`^[0-9A-Za-z._:-]{1,64}$`)

// idOf returns the id that a proxy has given a request, or a new one.
func idOf(r *http.Request) string {
	if id := r.Header.Get(requestHeader); requestID.MatchString(id) {
		return id
	}
	return rand.Text()
}

// Observer logs and measures requests. See NewObserver.
type Observer struct {
	log      *slog.Logger
	level    slog.Level
	duration *prometheus.HistogramVec
	requests *prometheus.CounterVec
	refused  *prometheus.CounterVec
}

// NewObserver returns an Observer that logs each request at a level, those of probes at debug, and security events at info.
func NewObserver(log *slog.Logger, level slog.Level, registry prometheus.Registerer) (*Observer, error) {
	o := &Observer{
		log: log, level: level,
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "pantheon", Subsystem: "http", Name: "request_duration_seconds", Help: "How long requests took, by call of the contract.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"call"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "pantheon", Subsystem: "http", Name: "requests_total", Help: "Requests, by call of the contract and status.",
		}, []string{"call", "status"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "pantheon", Subsystem: "http", Name: "refused_total",
			Help: "Calls that were refused, by call and reason: of the contract, or too-many for a limit, invalid, unauthorized and the like.",
		}, []string{"call", "reason"}),
	}
	return o, errors.Join(registry.Register(o.duration), registry.Register(o.requests), registry.Register(o.refused))
}

// Handler observes the requests of a handler, and gives each its id.
func (o *Observer) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		info := &request.Info{ID: idOf(r)}
		w.Header().Set(requestHeader, info.ID)
		watched := &watchedWriter{ResponseWriter: w}
		ctx, span := traced(r)
		r = r.WithContext(request.With(ctx, info))
		defer func() {
			noted := info.Noted()
			o.done(r, watched, noted, time.Since(began))
			span.SetName(cmp.Or(noted.Call, kindOf(r.URL.Path)))
			span.Set("request.id", info.ID)
			span.SetAttributes(attribute.Int("http.response.status_code", cmp.Or(watched.status, http.StatusOK)))
			span.End()
		}()
		next.ServeHTTP(watched, r)
	})
}

// traced begins the span of a call. Pages, files and connections have none.
func traced(r *http.Request) (context.Context, trace.Span) {
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		return trace.Start(r.Context(), "")
	}
	return trace.Request(r)
}

// done logs and counts a request.
func (o *Observer) done(r *http.Request, w *watchedWriter, n request.Noted, took time.Duration) {
	call, status := cmp.Or(n.Call, kindOf(r.URL.Path)), cmp.Or(w.status, http.StatusOK)
	o.duration.WithLabelValues(call).Observe(took.Seconds())
	o.requests.WithLabelValues(call, strconv.Itoa(status)).Inc()
	reason := n.Reason
	if status >= http.StatusBadRequest && n.Call != "" {
		reason = cmp.Or(reason, reasonOf(status))
		o.refused.WithLabelValues(call, reason).Inc()
	}
	level := o.level
	if call == "healthz" || call == "readyz" {
		level = slog.LevelDebug
	}
	ctx := r.Context()
	attrs := append(make([]slog.Attr, 0, 10), slog.String("method", r.Method), slog.String("call", call), slog.Int("status", status),
		slog.Float64("ms", float64(took.Microseconds())/1000), slog.Int64("bytes", w.written))
	if n.Call == "" { // an unknown path is worth knowing; what follows it may be secret
		attrs = append(attrs, slog.String("path", r.URL.Path))
	}
	for _, a := range [][2]string{{"player", n.Player}, {"visit", n.Visit}, {"reason", reason}} {
		if a[1] != "" {
			attrs = append(attrs, slog.String(a[0], a[1]))
		}
	}
	o.log.LogAttrs(ctx, level, "request", attrs...)
	if n.Security {
		o.security(ctx, call, status, reason, n)
	}
}

// security logs a security event.
func (o *Observer) security(ctx context.Context, call string, status int, reason string, n request.Noted) {
	result := "ok"
	if status >= http.StatusBadRequest {
		result = reason
	}
	o.log.LogAttrs(ctx, slog.LevelInfo, "security event", slog.String("event", call), slog.String("result", result),
		slog.String("player", n.Player), slog.String("account", n.Account), slog.String("network", n.Network))
}

// kindOf says what is served where there is no call.
func kindOf(path string) string {
	switch {
	case strings.HasPrefix(path, "/assets/"):
		return "asset"
	case strings.HasPrefix(path, "/client/"):
		return "realtime"
	case strings.HasPrefix(path, "/api/"):
		return "unknown"
	case strings.HasPrefix(path, "/dev/"):
		return "dev"
	}
	return "page"
}

// reasonOf names a refusal that has no reason of its own.
func reasonOf(status int) string {
	for code, is := range statusOf {
		if is == status {
			return string(code)
		}
	}
	if status >= http.StatusInternalServerError {
		return "internal"
	}
	return "invalid"
}

// securityEvents are the calls that the log names as security events, whatever comes of them.
var securityEvents = map[string]bool{
	"login": true, "register": true, "tokenLogin": true, "finishX": true, "logout": true, "endSession": true, "endOtherSessions": true,
	"passkeyLogin": true, "addPasskey": true, "removePasskey": true,
	"changePassword": true, "forgotPassword": true, "resetPassword": true, "addEmail": true, "confirmEmail": true, "notMe": true,
	"sendDeletionCode": true, "deleteAccount": true, "keepAccount": true, "keepAccountByLink": true,
	"connectWallet": true, "verifyWallet": true, "disconnectWallet": true, "createSmartWallet": true,
	"signMessage": true, "signTypedData": true,
	"createWithdrawal": true, "confirmWithdrawal": true, "cancelWithdrawal": true, "cancelWithdrawalByLink": true,
	"confirmApproval": true, "requestTradeApproval": true,
	"consoleSignIn": true, "consoleJoin": true, "consoleConfirm": true, "consoleSignOut": true,
	"consoleBeginPasskey": true, "consoleAddPasskey": true, "consoleRemovePasskey": true,
}

// noteCall notes the call of a request.
func (a *API) noteCall(ctx context.Context, id string) {
	network := ""
	if securityEvents[id] {
		network = a.networkTag(ctx)
	}
	request.From(ctx).Note(func(n *request.Noted) {
		n.Call, n.Security, n.Visit, n.Network = id, securityEvents[id], visitOf(ctx), network
	})
}

// noteAccount notes which account a caller wants to sign in to, by a tag: the address belongs in no log.
func (a *API) noteAccount(ctx context.Context, email string) {
	mac := hmac.New(sha256.New, a.NetworkKey)
	mac.Write([]byte("account " + account.EmailKey(email)))
	tag := hex.EncodeToString(mac.Sum(nil)[:12])
	request.From(ctx).Note(func(n *request.Noted) { n.Account = tag })
}

// notePlayer notes the player of a request.
func notePlayer(ctx context.Context, id string) {
	request.From(ctx).Note(func(n *request.Noted) { n.Player = id })
}

// noteReason notes why a request is refused.
func noteReason(ctx context.Context, reason string) {
	request.From(ctx).Note(func(n *request.Noted) { n.Reason = reason })
}
