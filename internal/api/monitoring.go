package api

import (
	"bytes"
	"context"
	"net/http"

	"pantheon/internal/portal/monitoring"
)

// visitHeader contains the visit (the monitoring session's id) in every call of a browser, so that its reports can be
// correlated with the log.
const visitHeader = "X-Session-Id"

type (
	visitKey struct{}
)

// withVisit stores the request's visit in the context if it has the right form: it may be logged.
func withVisit(r *http.Request) *http.Request {
	id := r.Header.Get(visitHeader)
	if !monitoring.IsSession(id) {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), visitKey{}, id))
}

// visitOf returns the visit of a request; "" for none.
func visitOf(ctx context.Context) string {
	id, _ := ctx.Value(visitKey{}).(string)
	return id
}

type reportInput struct {
	Forward     string `query:"ddforward" required:"true" maxLength:"2048" doc:"Path and query of the intake: /api/v2/rum, /api/v2/logs or /api/v2/replay. What it says beyond the path and known parameters is left out."`
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"text/plain"`
}

func (a *API) registerMonitoring() {
	op := a.operation(call{
		method: http.MethodPost, path: "/api/monitoring", id: "report", tag: tagSystem, status: http.StatusAccepted,
		summary: "What a browser reports of itself", maxBody: monitoring.MaxBody, errors: []int{400, 404, 413},
		limits: []limiter{{perMinute: a.Limits.ReportsPerMinute, key: byAddress}},
	}, "")
	op.Description = "The form is that of the proxy option of Datadog's browser SDK: JSON objects, one a line, compressed by zlib where " +
		"ddforward says so; " +
		"or, for a recording, multipart/form-data with a segment and an event. Bytes are limited by address and in total, as they are unpacked."
	op.SkipValidateBody = true
	register(a, op, func(ctx context.Context, in *reportInput) (*struct{}, error) {
		address := ""
		if from := originOf(ctx).addr; a.PassAddress && from.IsValid() {
			address = from.String()
		}
		// Reports wait in a queue, and huma reuses the memory of a raw body for other requests as soon as the call returns.
		body := bytes.Clone(in.RawBody)
		return nil, a.Monitoring.Take(in.Forward, in.ContentType, body, address, func(bytes int) error { return a.reports.spend(ctx, bytes) })
	})
}
