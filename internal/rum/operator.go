package rum

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"pantheon/internal/portal/monitoring"
)

// The maximum number of reports in one response to the operator, and the default number.
const (
	mostReports  = 1000
	usualReports = 100
)

// Operator serves stored reports on the metrics' listener: the newest first, one event a line as
// {"receivedAt", "kind", "session", "event"}. The query parameters are kind, session, errors=true (errors only) and
// limit (of reports).
func Operator(service *monitoring.Service, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		filter := monitoring.Filter{
			Kind: monitoring.Kind(query.Get("kind")), Session: query.Get("session"), Errors: query.Get("errors") == "true",
		}
		limit := usualReports
		if text := query.Get("limit"); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > mostReports {
				http.Error(w, "limit must be from 1 to "+strconv.Itoa(mostReports), http.StatusBadRequest)
				return
			}
			limit = n
		}
		if filter.Kind != "" && !slices.Contains(monitoring.Kinds(), filter.Kind) {
			http.Error(w, "kind must be rum, logs or replay", http.StatusBadRequest)
			return
		}
		reports, err := service.Reports(r.Context(), filter, limit)
		if err != nil {
			log.ErrorContext(r.Context(), "monitoring reports cannot be read", "error", err)
			http.Error(w, "The reports cannot be read; the log says why.", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		out := json.NewEncoder(w) // also escapes HTML
		for _, report := range reports {
			for _, event := range report.Events {
				if filter.Errors && !monitoring.IsError(event) {
					continue
				}
				line := struct {
					ReceivedAt time.Time       `json:"receivedAt"`
					Kind       monitoring.Kind `json:"kind"`
					Session    string          `json:"session"`
					Event      json.RawMessage `json:"event"`
				}{report.ReceivedAt, report.Kind, report.Session, event}
				if err := out.Encode(line); err != nil {
					return // the client has disconnected
				}
			}
		}
	})
}
