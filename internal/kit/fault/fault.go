// Package fault classifies the ways in which a request can fail, independently of HTTP and SQL.
//
// A capability returns a *Fault for every outcome a caller is expected to handle; any other error is an
// internal one, whose text never leaves the process.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Code classifies a fault; the API maps each to one HTTP status.
type Code string

// The codes, with the HTTP status the API gives them.
const (
	Invalid      Code = "invalid"      // 400: the request breaks a rule; Fields says which
	Unauthorized Code = "unauthorized" // 401: not signed in, or the credentials are wrong
	Forbidden    Code = "forbidden"    // 403: signed in, but not allowed
	NotFound     Code = "not-found"    // 404: no such thing, or not the caller's
	Conflict     Code = "conflict"     // 409: the current state does not allow it
	TooMany      Code = "too-many"     // 429: rate limited; RetryAfter says for how long
	Barred       Code = "barred"       // 451: the law does not let us serve the caller
	Unavailable  Code = "unavailable"  // 503: a dependency is down; try again
)

// Field is one broken rule, at one place in the request.
type Field struct {
	Location string // where, as a path such as "body.email"
	Message  string // what is wrong, in words for the person who typed it
}

// Fault is an expected failure. Message is plain English and safe to show to anyone.
type Fault struct {
	Code       Code
	Message    string
	Reason     string        // optional machine-readable cause, such as "held" or "own-listing"
	Fields     []Field       // the broken rules of an Invalid fault
	RetryAfter time.Duration // how long to wait, for TooMany and Unavailable; 0 when unknown
	// Details are the data of Reason, for programs. They are as safe to show as Message.
	Details map[string]string
	cause   error
}

// Error returns the message, followed by the cause if there is one; the cause is for logs only.
func (f *Fault) Error() string {
	if f.cause != nil {
		return fmt.Sprintf("%s: %v", f.Message, f.cause)
	}
	return f.Message
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.cause }

// Because returns a copy of f that wraps err as its cause.
func (f *Fault) Because(err error) *Fault {
	c := *f
	c.cause = err
	return &c
}

// WithReason returns a copy of f with a machine-readable reason.
func (f *Fault) WithReason(reason string) *Fault {
	c := *f
	c.Reason = reason
	return &c
}

// WithDetails returns a copy of f with details for programs.
func (f *Fault) WithDetails(details map[string]string) *Fault {
	c := *f
	c.Details = details
	return &c
}

// New returns a fault with a formatted message.
func New(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// InvalidFields returns an Invalid fault that lists every broken rule.
func InvalidFields(message string, fields ...Field) *Fault {
	return &Fault{Code: Invalid, Message: message, Fields: fields}
}

// Wait returns a TooMany fault with the waiting time.
func Wait(d time.Duration, format string, args ...any) *Fault {
	f := New(TooMany, format, args...)
	f.RetryAfter = d
	return f
}

// As returns the fault in err's chain, or nil when err is an internal error or nil.
func As(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// Is reports whether err is a fault of the given code.
func Is(err error, code Code) bool {
	f := As(err)
	return f != nil && f.Code == code
}
