// Package playfab is a fake of PlayFab for tests: one title's accounts, currencies, statistics and recovery emails in
// memory, with the calls that the portal makes and those that a game's own client would make. It is an http.Handler;
// serve it with httptest.
//
// Its own tests check it against the vendor's SDK: the SDK works with it, and the SDK's type declarations match every
// request and response. What these do not define (HTTP statuses, the lifetime of a ticket, how names are compared) is
// observed or assumed, and the portal must not depend on it.
package playfab

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"pantheon/internal/kit/clock"
)

// Options configure the title.
type Options struct {
	TitleID    string   // "A5C3" when empty
	SecretKey  string   // random when empty
	Currencies []string // codes of two characters; the portal's when nil
	// SharedNames allows equal display names.
	SharedNames bool
	// Statistics says how a statistic aggregates values: "Last" (the default), "Max", "Min" or "Sum".
	Statistics map[string]string

	// Logins limits one address's calls without a ticket or key: logins, registrations, recovery emails.
	Logins Limit
	// Server limits the calls with the title's key.
	Server Limit

	Clock clock.Clock // the system's when nil
}

// Limit is how many calls are allowed in a window of time; the zero value means no limit.
type Limit struct {
	Calls  int
	Window time.Duration
}

// TicketTTL is the lifetime of a session ticket.
const TicketTTL = 24 * time.Hour

// recoveryTTL is the lifetime of a recovery email's token.
const recoveryTTL = 30 * time.Minute

const maxBody = 1 << 20

// Server is the title. It is safe for concurrent use.
type Server struct {
	options Options
	clock   clock.Clock

	mu         sync.Mutex
	accounts   map[string]*account // by PlayFabId
	tickets    map[string]ticket
	recoveries map[string]*recovery // by token
	mails      []Mail
	windows    map[string]*window
	faults     []*Fault
	exchanges  []Exchange
}

// Mail is a recovery email that was sent.
type Mail struct {
	To       string
	Template string // "" for the title's default
	Token    string // the token in its link
}

// Exchange is one call and its response.
type Exchange struct {
	Call    string          `json:"call"` // such as "Client/LoginWithEmailAddress"
	Request json.RawMessage `json:"request"`
	Answer  json.RawMessage `json:"answer"` // the whole envelope
}

// Fault is an injected failure of calls.
type Fault struct {
	Call    string // the affected call, such as "Server/AddUserVirtualCurrency"; every call when empty
	Times   int    // how many calls it affects; 0 for all of them, until Heal
	Applied bool   // whether the call takes effect before its response is lost
	// Answer is what the caller gets instead; nil for the real response.
	Answer http.HandlerFunc
}

type ticket struct {
	player  string
	expires time.Time
}

type recovery struct {
	player  string
	expires time.Time
	used    bool
}

type window struct {
	ends  time.Time
	calls int
}

// New returns the title, without players.
func New(o Options) *Server {
	if o.TitleID == "" {
		o.TitleID = "A5C3"
	}
	if o.SecretKey == "" {
		o.SecretKey = rand.Text()
	}
	if o.Currencies == nil {
		o.Currencies = []string{"d0", "d1", "f2", "f3", "gt", "nt", "et", "ct", "ig", "ne", "fa"}
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	return &Server{
		options: o, clock: o.Clock, accounts: map[string]*account{}, tickets: map[string]ticket{}, recoveries: map[string]*recovery{},
		windows: map[string]*window{},
	}
}

// TitleID is the title's id.
func (s *Server) TitleID() string { return s.options.TitleID }

// SecretKey is the title's key.
func (s *Server) SecretKey() string { return s.options.SecretKey }

// Break injects a fault.
func (s *Server) Break(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Heal removes all faults.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Exchanges returns the calls that got their real response, in order.
func (s *Server) Exchanges() []Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Exchange(nil), s.exchanges...)
}

// Count returns how often a call got its real response, or took effect.
func (s *Server) Count(call string) (n int) {
	for _, e := range s.Exchanges() {
		if e.Call == call {
			n++
		}
	}
	return n
}

// ServeHTTP answers one call.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		write(w, refusal(RequestTooLarge))
		return
	}
	fault := s.nextFault(name)
	if fault != nil && fault.Answer != nil && !fault.Applied {
		fault.Answer(w, r)
		return
	}
	answer := s.answer(name, r, body)
	if fault != nil && fault.Answer != nil {
		fault.Answer(w, r)
		return
	}
	write(w, answer)
}

// nextFault returns the oldest fault that affects the call.
func (s *Server) nextFault(name string) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.faults {
		if f.Call != "" && f.Call != name {
			continue
		}
		if f.Times > 0 {
			f.Times--
			if f.Times == 0 {
				s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
			}
		}
		return f
	}
	return nil
}

// envelope is the common form of all responses.
type envelope struct {
	Code              int                 `json:"code"`
	Status            string              `json:"status"`
	Data              any                 `json:"data,omitempty"`
	Error             string              `json:"error,omitempty"`
	ErrorCode         int                 `json:"errorCode,omitempty"`
	ErrorMessage      string              `json:"errorMessage,omitempty"`
	ErrorDetails      map[string][]string `json:"errorDetails,omitempty"`
	RetryAfterSeconds int                 `json:"retryAfterSeconds,omitempty"`
}

func (s *Server) answer(name string, r *http.Request, body []byte) envelope {
	s.mu.Lock()
	defer s.mu.Unlock()
	result, failed := s.call(name, r, body)
	data, _ := json.Marshal(result) // with the lock held; plain values always can
	answer := envelope{Code: http.StatusOK, Status: "OK", Data: json.RawMessage(data)}
	if failed != nil {
		answer = refusal(failed)
	}
	if json.Valid(body) {
		written, _ := json.Marshal(answer)
		s.exchanges = append(s.exchanges, Exchange{Call: name, Request: body, Answer: written})
	}
	return answer
}

func (s *Server) call(name string, r *http.Request, body []byte) (any, *Error) {
	c, known := calls[name]
	switch mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); {
	case !known || r.Method != http.MethodPost:
		return nil, InvalidAPIEndpoint
	case mediaType != "application/json":
		return nil, InvalidContentType
	case !json.Valid(body):
		return nil, InvalidJSONContent
	}
	var who *account
	switch c.needs {
	case nothing:
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		if e := s.limited("address "+host, s.options.Logins); e != nil {
			return nil, e
		}
	case ticketOfPlayer:
		var e *Error
		if who, e = s.holder(r.Header.Get("X-Authorization")); e != nil {
			return nil, e
		}
	case keyOfTitle:
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-SecretKey")), []byte(s.options.SecretKey)) != 1 {
			return nil, NotAuthenticated
		}
		if e := s.limited("title", s.options.Server); e != nil {
			return nil, e
		}
	}
	return c.do(s, who, body)
}

// limited counts a call in its fixed window.
func (s *Server) limited(key string, l Limit) *Error {
	if l.Calls == 0 {
		return nil
	}
	now := s.clock.Now()
	w := s.windows[key]
	if w == nil || !now.Before(w.ends) {
		w = &window{ends: now.Add(l.Window)}
		s.windows[key] = w
	}
	if w.calls++; w.calls <= l.Calls {
		return nil
	}
	e := *APIClientRequestRateLimitExceeded
	e.RetryAfter = int((w.ends.Sub(now) + time.Second - 1) / time.Second)
	return &e
}

func refusal(e *Error) envelope {
	return envelope{
		Code: e.HTTP, Status: strings.ReplaceAll(http.StatusText(e.HTTP), " ", ""), Error: e.Name, ErrorCode: e.Code, ErrorMessage: e.Message,
		ErrorDetails: e.Details, RetryAfterSeconds: e.RetryAfter,
	}
}

func write(w http.ResponseWriter, e envelope) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if e.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.RetryAfterSeconds))
	}
	w.WriteHeader(e.Code)
	_ = json.NewEncoder(w).Encode(e)
}

// Refuse responds with an error of PlayFab's.
func Refuse(e *Error) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { write(w, refusal(e)) }
}

// Slow responds with 429 and a number of seconds to wait.
func Slow(seconds int) http.HandlerFunc {
	e := *APIClientRequestRateLimitExceeded
	e.RetryAfter = seconds
	return Refuse(&e)
}

// Text responds with a status and an arbitrary body.
func Text(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Truncated declares a longer body than it sends.
func Truncated(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
		_, _ = io.WriteString(w, body)
	}
}

// Cut closes the connection without a response.
func Cut() http.HandlerFunc {
	return func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
}

// Silence never responds: it waits until the caller gives up.
func Silence() http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
}
