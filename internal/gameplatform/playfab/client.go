package playfab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/trace"
)

// kind says how a call is retried.
type kind int

const (
	// signIn calls need no key, are counted by IP address, and are never retried.
	signIn kind = iota
	// repeatable calls are idempotent.
	repeatable
	// once calls are not idempotent: they are retried only after a response that says that nothing happened.
	once
)

// method is one call of PlayFab's API.
type method struct {
	name string
	kind kind
}

var (
	registerPlayFabUser   = method{"Client/RegisterPlayFabUser", signIn}
	loginWithEmailAddress = method{"Client/LoginWithEmailAddress", signIn}
	sendRecoveryEmail     = method{"Client/SendAccountRecoveryEmail", signIn}

	getTime                     = method{"Server/GetTime", repeatable}
	authenticateSessionTicket   = method{"Server/AuthenticateSessionTicket", repeatable}
	getUserAccountInfo          = method{"Server/GetUserAccountInfo", repeatable}
	getPlayerCombinedInfo       = method{"Server/GetPlayerCombinedInfo", repeatable}
	addUserVirtualCurrency      = method{"Server/AddUserVirtualCurrency", once}
	subtractUserVirtualCurrency = method{"Server/SubtractUserVirtualCurrency", once}
	updatePlayerStatistics      = method{"Server/UpdatePlayerStatistics", once} // a statistic may be a sum
	getLeaderboard              = method{"Server/GetLeaderboard", repeatable}
	getLeaderboardAroundUser    = method{"Server/GetLeaderboardAroundUser", repeatable}
	sendCustomRecoveryEmail     = method{"Server/SendCustomAccountRecoveryEmail", once}

	getPlayerIDFromAuthToken   = method{"Admin/GetPlayerIdFromAuthToken", repeatable}
	resetPassword              = method{"Admin/ResetPassword", once}
	updateUserTitleDisplayName = method{"Admin/UpdateUserTitleDisplayName", repeatable}
	deleteMasterPlayerAccount  = method{"Admin/DeleteMasterPlayerAccount", repeatable}
)

const (
	defaultTimeout = 10 * time.Second
	defaultPause   = 200 * time.Millisecond
	maxAttempts    = 4
	maxWait        = 3 * time.Second // the longest retry pause for which a caller waits
	maxAnswer      = 1 << 20
)

// client makes the calls.
type client struct {
	http    *http.Client
	url     string
	secret  string
	timeout time.Duration
	pause   time.Duration
	budget  *budget
	clock   clock.Clock
}

func newClient(o Options) *client {
	c := &client{
		url: strings.TrimRight(o.URL, "/"), secret: o.SecretKey, timeout: o.Timeout, pause: o.Pause,
		budget: newBudget(o.LoginsPerMinute, o.Log), clock: o.Clock,
	}
	if c.url == "" {
		c.url = "https://" + o.TitleID + ".playfabapi.com"
	}
	if c.timeout == 0 {
		c.timeout = defaultTimeout
	}
	if c.pause == 0 {
		c.pause = defaultPause
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	c.http = &http.Client{
		Transport: trace.Transport("PlayFab", transport),
		// Following a redirect would leak the key.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// call makes a call and decodes its data. The error is a *refusal, a *lost, the context's or the budget's.
func (c *client) call(ctx context.Context, m method, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if m.kind == signIn {
		if err := c.budget.take(c.clock.Now()); err != nil {
			return err
		}
	}
	pause := c.pause
	for attempt := 1; ; attempt++ {
		err := c.try(ctx, m, body, out)
		if r := refused(err); r != nil && m.kind == signIn && r.isThrottling() {
			c.budget.close(c.clock.Now(), r.retryAfter)
		}
		if err == nil || attempt == maxAttempts || !repeats(m.kind, err) {
			return err
		}
		wait := pause/2 + rand.N(pause) // jitter, so that callers do not retry all at once
		if r := refused(err); r.retryAfter > wait {
			wait = r.retryAfter
		}
		if wait > maxWait {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
		pause *= 2
	}
}

// repeats reports whether a call may be retried after its error.
func repeats(k kind, err error) bool {
	r := refused(err)
	if r == nil || k == signIn {
		return false
	}
	switch r.code {
	case rateLimitExceeded, concurrentRequestLimitExceeded, concurrentEditError, dataUpdateRateExceeded:
		return true
	case downstreamServiceUnavailable, serviceUnavailable:
		return k == repeatable
	}
	return false
}

// envelope is the common form of all responses.
type envelope struct {
	Code              int
	Data              json.RawMessage
	Error             string
	ErrorCode         int
	ErrorDetails      json.RawMessage
	RetryAfterSeconds int
}

func (c *client) try(ctx context.Context, m method, body []byte, out any) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/"+m.name, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("playfab: %s: PLAYFAB_URL is not a valid URL", m.name)
	}
	request.Header.Set("Content-Type", "application/json")
	if m.kind != signIn {
		request.Header.Set("X-SecretKey", c.secret)
	}
	response, err := c.http.Do(request)
	if err != nil {
		dial, ok := errors.AsType[*net.OpError](err)
		return &lost{call: m.name, err: err, unsent: ok && dial.Op == "dial"}
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return &lost{call: m.name, err: err}
	}
	if len(raw) > maxAnswer {
		return nonsense(m, "response too large")
	}
	return c.read(m, response, raw, out)
}

func (c *client) read(m method, response *http.Response, raw []byte, out any) error {
	var e envelope
	if err := json.Unmarshal(raw, &e); err != nil || e.Code == 0 {
		if response.StatusCode == http.StatusTooManyRequests { // from a gateway
			return &refusal{call: m.name, name: "TooManyRequests", code: rateLimitExceeded, retryAfter: retryAfter(response, 0)}
		}
		return nonsense(m, "status %d and no envelope", response.StatusCode)
	}
	if e.ErrorCode != 0 || e.Error != "" {
		r := &refusal{call: m.name, name: errorName(e.Error), code: e.ErrorCode, retryAfter: retryAfter(response, e.RetryAfterSeconds)}
		var details map[string]json.RawMessage
		if json.Unmarshal(e.ErrorDetails, &details) == nil {
			for field := range details {
				r.fields = append(r.fields, field)
			}
		}
		return r
	}
	data := bytes.TrimSpace(e.Data)
	if response.StatusCode != http.StatusOK || e.Code != http.StatusOK || len(data) == 0 || data[0] != '{' {
		return nonsense(m, "status %d, code %d and no data", response.StatusCode, e.Code)
	}
	if err := json.Unmarshal(data, out); err != nil {
		return nonsense(m, "data of another form")
	}
	return nil
}

// retryAfter returns the time to wait that PlayFab asks for, in the envelope or the header.
func retryAfter(response *http.Response, seconds int) time.Duration {
	if header, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		seconds = max(seconds, header)
	}
	return time.Duration(min(max(seconds, 0), 3600)) * time.Second
}

// refusal is an error returned by PlayFab.
type refusal struct {
	call, name string
	code       int
	fields     []string // invalid fields of the request
	retryAfter time.Duration
}

// Error returns call and error code. PlayFab's own message is left out: it may quote the request.
func (r *refusal) Error() string { return fmt.Sprintf("playfab: %s: %s (%d)", r.call, r.name, r.code) }

func (r *refusal) isThrottling() bool {
	return r.code == requestLimitExceeded || r.code == rateLimitExceeded || r.code == concurrentRequestLimitExceeded
}

var plainName = regexp.MustCompile(`^[A-Za-z]{1,64}$`)

func errorName(s string) string {
	if plainName.MatchString(s) {
		return s
	}
	return "error"
}

// lost is a call without a valid response: it is unknown whether it took effect.
type lost struct {
	call   string
	err    error
	unsent bool // it never reached PlayFab
}

// Error returns the call and the cause.
func (l *lost) Error() string { return fmt.Sprintf("playfab: %s: %v", l.call, l.err) }

// Unwrap returns the cause.
func (l *lost) Unwrap() error { return l.err }

// nonsense returns the error for an invalid response. The response is not quoted: it may contain anything.
func nonsense(m method, format string, args ...any) error {
	return &lost{call: m.name, err: fmt.Errorf("invalid response: "+format, args...)}
}

// refused returns PlayFab's error in err's chain, or nil.
func refused(err error) *refusal {
	r, _ := errors.AsType[*refusal](err)
	return r
}

func isLost(err error) bool {
	_, ok := errors.AsType[*lost](err)
	return ok
}

// code returns PlayFab's error code, or 0.
func code(err error) int {
	if r := refused(err); r != nil {
		return r.code
	}
	return 0
}

// broken reports whether PlayFab refused the field of the request.
func broken(err error, field string) bool {
	r := refused(err)
	return r != nil && slices.Contains(r.fields, field)
}

var errRange = errors.New("a number out of range")
