package monitoring

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"pantheon/internal/kit/fault"
)

// Kind is the kind of a report; it is the last segment of its path at the intake.
type Kind string

// The accepted kinds.
const (
	RUM    Kind = "rum"    // page views, their errors, actions and resources
	Logs   Kind = "logs"   // log lines
	Replay Kind = "replay" // a segment of a session recording
)

// Kinds returns the accepted kinds.
func Kinds() []Kind { return []Kind{RUM, Logs, Replay} }

// Limits of one report, in bytes unless stated otherwise. The browser SDK sends 16 KiB at a time; a single event may
// have up to 256 KiB, and a recording begins with a snapshot of the whole page.
const (
	MaxBody     = 1 << 20 // maximum size of a request body
	maxInflated = 1 << 20 // maximum size after inflating
	maxEvent    = 256 << 10
	maxEvents   = 500
	maxForward  = 2 << 10

	// inflateStep is how much is inflated before it is counted.
	inflateStep = 32 << 10
)

// Report is one request of a browser's monitoring SDK.
type Report struct {
	Kind    Kind
	Session string            // the id of the monitoring session; "" if no event has one
	Events  []json.RawMessage // one JSON object each, without line breaks
	Errors  int               // how many of the events are errors

	// What is forwarded: the parameters without the key, and the body unchanged.
	Parameters  url.Values
	ContentType string
	Body        []byte
	Address     string // the browser's address, if it is to be forwarded; "" otherwise. It is never stored
}

// parameters returns the query parameters that browsers may forward, and the form of their values. The portal adds
// the key itself and drops everything else. The names are those of @datadog/js-core 0.0.19,
// transport/endpointBuilder.
func parameters() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"ddsource": word, "dd-evp-origin": word, "dd-evp-origin-version": word, "dd-request-id": word, "dd-evp-encoding": deflate,
		"batch_time": digits, "_dd.api": word, "_dd.retry_count": digits, "_dd.retry_after": digits,
	}
}

var (
	word    = regexp.MustCompile(`^[\w.+-]{1,100}$`)
	digits  = regexp.MustCompile(`^\d{1,20}$`)
	deflate = regexp.MustCompile(`^deflate$`)
	session = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
)

// IsSession reports whether the text has the form of a monitoring session's id: a UUID in lower case.
func IsSession(text string) bool { return session.MatchString(text) }

func invalid(format string, args ...any) error { return fault.New(fault.Invalid, format, args...) }

// Spend counts bytes of a report against its sender's quota. It returns an error if the quota is exceeded, which ends
// the reading of the report.
type Spend func(bytes int) error

// Read parses a report from a request. forward is the value of ddforward: the path and query of the intake to which
// the browser SDK would have sent it. It returns fault.Invalid for anything but one of the known paths with events in
// the body. Inflated bytes are counted with spend as they are produced, even if the report is then refused; an error
// of spend is returned unchanged.
func Read(forward, contentType string, body []byte, spend Spend) (Report, error) {
	kind, query, err := readForward(forward)
	if err != nil {
		return Report{}, err
	}
	r := Report{Kind: kind, Parameters: query, Body: body}
	if len(body) > MaxBody {
		return Report{}, invalid("The report is larger than %d bytes.", MaxBody)
	}
	media, params, err := mime.ParseMediaType(contentType)
	switch {
	case kind == Replay:
		if err != nil || media != "multipart/form-data" || params["boundary"] == "" {
			return Report{}, invalid("A recording is sent as multipart/form-data.")
		}
		r.ContentType = mime.FormatMediaType(media, map[string]string{"boundary": params["boundary"]})
		err = r.readRecording(params["boundary"], spend)
	default:
		r.ContentType = "text/plain;charset=UTF-8"
		err = r.readLines(query.Get("dd-evp-encoding") != "", spend)
	}
	if err != nil {
		return Report{}, err
	}
	return r, nil
}

// readForward parses the forwarded path and query. The browser never chooses the host.
func readForward(forward string) (Kind, url.Values, error) {
	unknown := invalid("ddforward must be the path and query of one of the monitoring's intakes.")
	if len(forward) > maxForward || !strings.HasPrefix(forward, "/") {
		return "", nil, unknown
	}
	path, rawQuery, _ := strings.Cut(forward, "?")
	for _, kind := range Kinds() {
		if path != "/api/v2/"+string(kind) {
			continue
		}
		said, err := url.ParseQuery(rawQuery)
		if err != nil {
			return "", nil, unknown
		}
		known := url.Values{}
		for name, form := range parameters() {
			if value := said.Get(name); form.MatchString(value) {
				known.Set(name, value)
			} else if said.Has(name) {
				return "", nil, invalid("ddforward: %s is malformed.", name)
			}
		}
		return kind, known, nil
	}
	return "", nil, unknown
}

// readLines reads a body of JSON objects, one per line.
func (r *Report) readLines(deflated bool, spend Spend) (err error) {
	text := r.Body
	if deflated {
		text, err = inflate(r.Body, spend)
	} else {
		err = spend(len(text))
	}
	if err != nil {
		return err
	}
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := r.add(line); err != nil {
			return err
		}
	}
	if len(r.Events) == 0 {
		return invalid("The report is empty.")
	}
	return nil
}

// inflate decompresses a body in steps, so that memory and quota do not depend on the size the body declares.
func inflate(packed []byte, spend Spend) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, invalid("The report is not compressed as it says.")
	}
	var text bytes.Buffer
	for {
		n, err := io.CopyN(&text, z, inflateStep)
		if over := spend(int(n)); over != nil {
			return nil, over
		}
		switch {
		case text.Len() > maxInflated:
			return nil, invalid("The report is larger than %d bytes when it is inflated.", maxInflated)
		case errors.Is(err, io.EOF):
			return text.Bytes(), nil
		case err != nil:
			return nil, invalid("The report is not compressed as it says.")
		}
	}
}

// readRecording reads a multipart body with a compressed segment and the event that describes it. The report stores
// the event, with the compressed segment added in base64.
func (r *Report) readRecording(boundary string, spend Spend) error {
	if err := spend(base64.StdEncoding.EncodedLen(len(r.Body))); err != nil { // about the size of what is stored of it
		return err
	}
	malformed := invalid("A recording has two parts: segment, and event, a JSON object.")
	var event, segment []byte
	for parts := multipart.NewReader(bytes.NewReader(r.Body), boundary); ; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return malformed
		}
		content, err := io.ReadAll(part) // not longer than the body
		if err != nil {
			return malformed
		}
		switch part.FormName() {
		case "event":
			event = content
		case "segment":
			segment = content
		default:
			return malformed
		}
	}
	var described map[string]json.RawMessage
	if err := json.Unmarshal(event, &described); err != nil || described == nil || len(segment) == 0 {
		return malformed
	}
	text, err := json.Marshal(segment)
	if err != nil {
		return err
	}
	described["segment"] = text
	if event, err = json.Marshal(described); err != nil {
		return malformed
	}
	return r.add(event)
}

// IsError reports whether an event is an error.
func IsError(event json.RawMessage) bool {
	var e struct {
		Type   string `json:"type"`
		Status string `json:"status"` // of a log line
	}
	return json.Unmarshal(event, &e) == nil && (e.Type == "error" || e.Status == "error")
}

// add adds one event.
func (r *Report) add(line []byte) error {
	if len(r.Events) == maxEvents {
		return invalid("The report has more than %d events.", maxEvents)
	}
	var event struct {
		Session struct {
			ID string `json:"id"`
		} `json:"session"`
		SessionID string `json:"session_id"`
	}
	if r.Kind != Replay && len(line) > maxEvent {
		return invalid("An event is larger than %d bytes.", maxEvent)
	}
	var kept bytes.Buffer
	if !utf8.Valid(line) || line[0] != '{' || json.Compact(&kept, line) != nil {
		return invalid("The report must be JSON objects, one a line.")
	}
	// An event whose fields have other types is kept unchanged.
	_ = json.Unmarshal(line, &event)
	for _, id := range []string{event.Session.ID, event.SessionID} {
		if r.Session == "" && IsSession(id) {
			r.Session = id
		}
	}
	if IsError(line) {
		r.Errors++
	}
	r.Events = append(r.Events, kept.Bytes())
	return nil
}
