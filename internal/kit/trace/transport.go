package trace

import (
	"errors"
	"net/http"
)

// Transport returns a transport whose requests are spans of the trace that asks for them, named after who is asked. Their URLs, which may
// name players or hold secrets, are not recorded, and the trace ends there: no header names it to others.
func Transport(name string, base http.RoundTripper) http.RoundTripper { return transport{base, name} }

var errStatus = errors.New("trace: the response is an error")

type transport struct {
	http.RoundTripper
	name string
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := Start(r.Context(), t.name)
	defer span.End()
	if IsRecorded(ctx) {
		span.Set(Method, r.Method)
	}
	response, err := t.RoundTripper.RoundTrip(r)
	span.Fail(err)
	if err == nil && response.StatusCode >= http.StatusInternalServerError {
		span.Fail(errStatus)
	}
	return response, err
}

// CloseIdleConnections closes those of the transport, for http.Client.
func (t transport) CloseIdleConnections() {
	if c, ok := t.RoundTripper.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
