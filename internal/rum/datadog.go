// Package rum passes on what browsers report (Real User Monitoring): to Datadog, as counts to Prometheus, and to the operator.
// Everything here is safe for concurrent use and runs no goroutines.
package rum

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"pantheon/internal/portal/monitoring"
)

// Datadog is the intake of Datadog's Real User Monitoring.
type Datadog struct {
	base   string // https:// and the intake's host
	token  string
	client *http.Client
}

// sendTimeout bounds one request to the intake.
const sendTimeout = 15 * time.Second

// NewDatadog returns the intake of a site, such as datadoghq.eu. token is the client token. A nil transport means the
// default one.
func NewDatadog(site, token string, transport http.RoundTripper) *Datadog {
	return &Datadog{base: intakeOf(site), token: token, client: &http.Client{
		Transport: transport, Timeout: sendTimeout,
		// Requests go to the intake and are never redirected.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// intakeOf returns the address of a site's intake, by the rule of @datadog/js-core 0.0.19, transport/endpointBuilder.
func intakeOf(site string) string {
	dot := strings.LastIndexByte(site, '.')
	return "https://browser-intake-" + strings.ReplaceAll(site[:dot], ".", "-") + site[dot:]
}

// Send passes one report on unchanged, with our own token. Nothing else of the browser's request is sent: no
// cookie, no credential, and its address only if the report contains it.
func (d *Datadog) Send(ctx context.Context, r monitoring.Report) error {
	query := maps.Clone(r.Parameters)
	if query == nil {
		query = url.Values{}
	}
	query.Set("dd-api-key", d.token)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.base+"/api/v2/"+string(r.Kind)+"?"+query.Encode(),
		bytes.NewReader(r.Body))
	if err != nil {
		return errors.New("datadog: the request is malformed")
	}
	request.Header.Set("Content-Type", r.ContentType)
	request.Header.Set("User-Agent", "pantheon")
	if r.Address != "" {
		request.Header.Set("X-Forwarded-For", r.Address)
	}
	response, err := d.client.Do(request)
	if err != nil {
		// The error's own text begins with the URL, which contains the token.
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err
		}
		return fmt.Errorf("datadog: %w", err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection can be reused
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return fmt.Errorf("datadog: answers %s", response.Status)
	}
	return nil
}
