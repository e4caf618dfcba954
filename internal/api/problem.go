package api

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"pantheon/internal/kit/fault"
	"pantheon/internal/kit/request"
)

// Problem is the body of every error response: RFC 9457 problem details, with success and message added for clients
// that expect {success, message}.
type Problem struct {
	Type    string         `json:"type" doc:"Always about:blank: title says what the status means."`
	Title   string         `json:"title" doc:"The status in words."`
	Status  int            `json:"status" doc:"The HTTP status."`
	Detail  string         `json:"detail" doc:"What went wrong, in words for the player."`
	Success bool           `json:"success" doc:"Always false."`
	Message string         `json:"message" doc:"The same as detail."`
	Reason  string         `json:"reason,omitempty" doc:"The cause, for programs: such as held, gone or price-changed."`
	Errors  []ProblemField `json:"errors,omitempty" doc:"Every broken rule of the request." nullable:"false"`
	// Details is an extension member (RFC 9457, section 3.2).
	Details map[string]string `json:"details,omitempty" doc:"What the reason is about, for programs: with insufficient-funds, missing, needed and balance (decimal), currency, depositAddress and, where there is one, faucet; with approval-needed, approvalId, kind, way, sentTo and expiresAt of the approval that confirmApproval confirms before the call is repeated; with not-empty, an entry for each kind of getDeletion, such as money: 480 USDC."`

	RequestID string `json:"requestId,omitempty" doc:"Names the request in the portal's log, for questions to the support."`

	retryAfter int
}

// ProblemField is one broken rule of a request.
type ProblemField struct {
	Location string `json:"location" doc:"Where, such as body.email."`
	Message  string `json:"message" doc:"What is wrong there."`
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders returns the headers that the status requires.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(p.retryAfter))
	}
	return h
}

// ContentType returns the media type of RFC 9457.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// huma has one constructor of errors per process; it is the same for every API.
func init() {
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return newProblem(status, message, errs...)
	}
}

// newProblem returns the problem of an error that huma found. The offending values are left out: they may be secrets.
func newProblem(status int, message string, errs ...error) *Problem {
	if status == http.StatusUnprocessableEntity {
		// One status for every broken rule, whether huma or the API finds it.
		status, message = http.StatusBadRequest, "Please check what you entered."
	}
	p := &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: message, Message: message}
	for _, err := range errs {
		if err == nil {
			continue
		}
		field := ProblemField{Message: err.Error()}
		if d := huma.ErrorDetailer(nil); errors.As(err, &d) {
			field = fieldOf(d.ErrorDetail())
		}
		p.Errors = append(p.Errors, field)
	}
	return p
}

// inWords maps huma's validation messages to messages for people who fill in a form; $1 is the captured value.
var inWords = []struct {
	form  *regexp.Regexp
	words string
}{
	{formOf(validation.MsgUnexpectedProperty), "This is not known here."},
	{formOf(validation.MsgExpectedString), "This must be a text."},
	{formOf(validation.MsgExpectedBoolean), "This must be true or false."},
	{formOf(validation.MsgExpectedNumber), "This must be a number."},
	{formOf(validation.MsgExpectedInteger), "This must be a whole number."},
	{formOf(validation.MsgExpectedArray), "This must be a list."},
	{formOf(validation.MsgExpectedObject), "This must be an object."},
	{formOf(validation.MsgExpectedMinItems), "This must have at least $1 entries."},
	{formOf(validation.MsgExpectedMaxItems), "This must have at most $1 entries."},
	{formOf(validation.MsgExpectedOneOf), "Use one of: $1."},
	{formOf(validation.MsgExpectedMinimumNumber), "This must be at least $1."},
	{formOf(validation.MsgExpectedMaximumNumber), "This must be at most $1."},
	{formOf(validation.MsgExpectedMatchPattern), "This does not have the right form."},
	{formOf(validation.MsgExpectedMaxLength), "This is too long: at most $1 characters."},
}

var (
	missing = formOf(validation.MsgExpectedRequiredProperty)
	// outOfRange matches the error of encoding/json for a number that its type cannot hold.
	outOfRange = regexp.MustCompile(`^json: cannot unmarshal number \S+ into Go struct field \w+\.(\S+) of type \S+$`)
)

// formOf matches the messages that a validation format produces; its placeholder, if any, is captured.
func formOf(message string) *regexp.Regexp {
	before, after, gap := strings.Cut(message, "%")
	if !gap {
		return regexp.MustCompile("^" + regexp.QuoteMeta(message) + "$")
	}
	return regexp.MustCompile("^" + regexp.QuoteMeta(before) + "(.+)" + regexp.QuoteMeta(after[1:]) + "$") // after the verb
}

// fieldOf returns the field of an error in the request's form, with a message for people. huma reports a missing
// field at its parent and an out-of-range number at the body: here both have the location of their field.
func fieldOf(d *huma.ErrorDetail) ProblemField {
	if m := missing.FindStringSubmatch(d.Message); m != nil {
		return ProblemField{Location: d.Location + "." + m[1], Message: "Please fill this in."}
	}
	if m := outOfRange.FindStringSubmatch(d.Message); m != nil {
		return ProblemField{Location: d.Location + "." + m[1], Message: "This number is out of range."}
	}
	for _, w := range inWords {
		if w.form.MatchString(d.Message) {
			return ProblemField{Location: d.Location, Message: w.form.ReplaceAllString(d.Message, w.words)}
		}
	}
	return ProblemField{Location: d.Location, Message: d.Message}
}

var statusOf = map[fault.Code]int{
	fault.Invalid:      http.StatusBadRequest,
	fault.Unauthorized: http.StatusUnauthorized,
	fault.Forbidden:    http.StatusForbidden,
	fault.NotFound:     http.StatusNotFound,
	fault.Conflict:     http.StatusConflict,
	fault.TooMany:      http.StatusTooManyRequests,
	fault.Barred:       http.StatusUnavailableForLegalReasons,
	fault.Unavailable:  http.StatusServiceUnavailable,
}

const internalMessage = "Something went wrong on our side. Please try again in a moment."

// problem converts an error of a capability into a response. Errors other than faults are logged and not shown.
func problem(ctx context.Context, log *slog.Logger, err error) error {
	f := fault.As(err)
	if f == nil && errors.Is(err, context.DeadlineExceeded) { // of what the call has asked, such as a chain
		f = fault.New(fault.Unavailable, "This took too long. Please try again in a moment.").Because(err)
	}
	if f == nil {
		if ctx.Err() == nil {
			log.ErrorContext(ctx, "request failed", "error", err, "visit", visitOf(ctx))
		}
		p := newProblem(http.StatusInternalServerError, internalMessage)
		p.RequestID = request.From(ctx).ID
		return p
	}
	noteReason(ctx, cmp.Or(f.Reason, string(f.Code)))
	if f.Code == fault.Unavailable {
		log.WarnContext(ctx, "request failed", "error", err, "visit", visitOf(ctx))
	}
	p := newProblem(statusOf[f.Code], f.Message)
	p.Reason, p.Details, p.RequestID = f.Reason, f.Details, request.From(ctx).ID
	for _, field := range f.Fields {
		p.Errors = append(p.Errors, ProblemField{Location: field.Location, Message: field.Message})
	}
	p.retryAfter = int((f.RetryAfter.Seconds()) + 0.999)
	return p
}
