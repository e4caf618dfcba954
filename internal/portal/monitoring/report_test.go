package monitoring_test

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/monitoring"
)

const (
	id      = "3f1c0c52-9a4e-4f7e-8d0e-0a1b2c3d4e5f"
	forward = "/api/v2/rum?ddsource=browser&dd-api-key=pubSECRET&dd-evp-origin-version=7.16.2&dd-evp-origin=browser" +
		"&dd-request-id=7d7a9c51-1111-4222-8333-944445555666&batch_time=1764000000000&_dd.api=fetch"
	plain = "text/plain;charset=UTF-8"
)

var view = `{"type":"view","session":{"id":"` + id + `","type":"user"},"view":{"url":"https://portal.example/"}}`

// free is a Spend without a limit.
func free(int) error { return nil }

func TestReport_IsReadEventByEvent(t *testing.T) {
	t.Parallel()
	body := view + "\n" + ` {"type" : "error", "error":{"message":"it\nbroke ☃"}}` + "\n\n" + `{"odd":[1,{"type":7}]}` + "\n"
	r, err := monitoring.Read(forward, plain, []byte(body), free)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{view, `{"type":"error","error":{"message":"it\nbroke ☃"}}`, `{"odd":[1,{"type":7}]}`}
	if got := texts(r.Events); !slices.Equal(got, want) || r.Kind != monitoring.RUM || r.Session != id || r.Errors != 1 {
		t.Errorf("read %s %s, %d errors: %q", r.Kind, r.Session, r.Errors, got)
	}
	if string(r.Body) != body || r.ContentType != plain {
		t.Errorf("what is passed on is not what came: %q %s", r.Body, r.ContentType)
	}
}

func texts(events []json.RawMessage) (out []string) {
	for _, e := range events {
		out = append(out, string(e))
	}
	return out
}

// Of the browser's forwarded query, known parameters are forwarded; its key is not.
func TestReport_ForwardedQueryIsReduced(t *testing.T) {
	t.Parallel()
	r, err := monitoring.Read(forward+"&ddtags=env:prod&cookie=x&_dd.retry_count=2&_dd.retry_after=503&_dd.api=beacon",
		plain, []byte(view), free)
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{
		"ddsource": {"browser"}, "dd-evp-origin-version": {"7.16.2"}, "dd-evp-origin": {"browser"},
		"dd-request-id": {"7d7a9c51-1111-4222-8333-944445555666"},
		"batch_time":    {"1764000000000"}, "_dd.api": {"fetch"}, "_dd.retry_count": {"2"}, "_dd.retry_after": {"503"},
	}
	if r.Parameters.Encode() != want.Encode() {
		t.Errorf("passed on is %v, want %v", r.Parameters, want)
	}
}

// Spec: MON-8
func TestReport_OnlyTheKnownIntakesAreForwardedTo(t *testing.T) {
	t.Parallel()
	for _, forward := range []string{
		"", "/", "rum", "/api/v2", "/api/v2/", "/api/v2/rum/", "/api/v2/rum/x", "/api/v2/rumour", "/API/v2/rum", "/api/v1/rum", "/api/v2/profile",
		"/api/v2/exposures",
		"https://evil.example/api/v2/rum", "//evil.example/api/v2/rum", "/\\evil.example/api/v2/rum", "http:/api/v2/rum",
		"@evil.example/api/v2/rum",
		"/api/v2/../v2/rum", "/api/v2/rum/../../../secret", "/api/v2/%72um", "/api/v2/rum%3Fx", "/api/v2/rum#x", "/api/v2/rum;x", " /api/v2/rum",
		"/api/v2/rum\n", "/api/v2/rum ?x",
		"/api/v2/rum?%zz=1", "/api/v2/rum?batch_time=now", "/api/v2/rum?dd-evp-encoding=gzip", "/api/v2/rum?ddsource=a%0d%0ab",
		"/api/v2/rum?x=" + strings.Repeat("x", 3000),
	} {
		if r, err := monitoring.Read(forward, plain, []byte(view), free); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q is taken: %+v (%v)", forward, r, err)
		}
	}
	for _, kind := range []monitoring.Kind{monitoring.RUM, monitoring.Logs} {
		if r, err := monitoring.Read("/api/v2/"+string(kind), plain, []byte(view), free); err != nil || r.Kind != kind {
			t.Errorf("%s is not taken: %v", kind, err)
		}
	}
}

func TestReport_BadBodiesAreRefused(t *testing.T) {
	t.Parallel()
	for what, body := range map[string]string{
		"nothing": "", "blank": " \n\n", "text": "hello", "an array": "[1]", "a number": "1", "null": "null", "cut": `{"type":`,
		"one good, one bad": view + "\n}",
		"no UTF-8":          "{\"x\":\"\xff\"}", "two on a line": view + view, "too many": strings.Repeat("{}\n", 501),
		"a large event": `{"x":"` + strings.Repeat("x", 256<<10) + `"}`,
		"large":         strings.Repeat(`{"x":"`+strings.Repeat("x", 100<<10)+`"}`+"\n", 11),
	} {
		if r, err := monitoring.Read(forward, plain, []byte(body), free); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s is taken: %d events (%v)", what, len(r.Events), err)
		}
	}
	// The content type is ignored, since beacons have none.
	for _, contentType := range []string{"", "application/json", ";;"} {
		if r, err := monitoring.Read(forward, contentType, []byte(view), free); err != nil || r.ContentType != plain {
			t.Errorf("content type %q: %v", contentType, err)
		}
	}
}

func deflated(t testing.TB, text string) []byte {
	t.Helper()
	body, err := deflate(text)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func deflate(text string) ([]byte, error) {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write([]byte(text))
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// bomb is 64 MiB in 64 KiB. With the race detector it takes seconds to make.
var bomb = sync.OnceValue(func() []byte {
	body, err := deflate(strings.Repeat(" ", 64<<20))
	if err != nil {
		panic(err)
	}
	return body
})

func TestReport_CompressedReportsAreInflatedWithinBounds(t *testing.T) {
	t.Parallel()
	const compressed = forward + "&dd-evp-encoding=deflate"
	body := deflated(t, view+"\n"+view)
	r, err := monitoring.Read(compressed, "", body, free)
	if err != nil || len(r.Events) != 2 || string(r.Events[1]) != view || !bytes.Equal(r.Body, body) ||
		r.Parameters.Get("dd-evp-encoding") != "deflate" {
		t.Errorf("read %+v (%v)", r, err)
	}
	for what, body := range map[string][]byte{
		"a bomb": bomb(), "not compressed": []byte(view), "cut": body[:len(body)-6],
		"damaged": append(bytes.Clone(body[:20]), 0xff, 0xff, 0xff), "nothing": nil,
	} {
		if r, err := monitoring.Read(compressed, "", body, free); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s is taken: %d events (%v)", what, len(r.Events), err)
		}
	}
	if _, err := monitoring.Read(forward, "", body, free); !fault.Is(err, fault.Invalid) {
		t.Errorf("compressed without saying so: %v", err)
	}
}

// Inflated bytes count as they are produced, and no more are inflated than may be spent.
// Spec: MON-6
func TestRead_SpendsWhatItUnpacks(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(view+"\n", 1000)
	const compressed = forward + "&dd-evp-encoding=deflate"
	contentType, recorded := recording(t, part{"segment", "x", strings.Repeat("x", 30_000)}, part{"event", "blob", "{}"})
	for what, c := range map[string]struct {
		forward, contentType string
		body                 []byte
		least, most          int
	}{
		"plain":       {forward, plain, []byte(view), len(view), len(view)},
		"compressed":  {compressed, plain, deflated(t, view), len(view), len(view)},
		"too many":    {compressed, plain, deflated(t, text), len(text), len(text)},
		"a bomb":      {compressed, plain, bomb(), 1 << 20, 1<<20 + 32<<10},
		"a lie":       {compressed, plain, []byte(view), 0, 0},
		"a recording": {replayForward, contentType, recorded, 40_000, 41_000}, // base64 of its segment
	} {
		spent := 0
		_, _ = monitoring.Read(c.forward, c.contentType, c.body, func(n int) error { spent += n; return nil })
		if spent < c.least || spent > c.most {
			t.Errorf("%s: %d bytes are spent, want %d to %d", what, spent, c.least, c.most)
		}
	}
	errSpent, unpacked := errors.New("spent"), 0
	_, err := monitoring.Read(compressed, plain, bomb(), func(n int) error {
		if unpacked += n; unpacked > 100_000 {
			return errSpent
		}
		return nil
	})
	if !errors.Is(err, errSpent) || unpacked > 100_000+32<<10 {
		t.Errorf("%v after %d bytes, want an end after 100,000", err, unpacked)
	}
}

// part is one part of a recording's body.
type part struct{ name, file, content string }

func recording(t testing.TB, parts ...part) (contentType string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		disposition := `form-data; name="` + p.name + `"`
		if p.file != "" {
			disposition += `; filename="` + p.file + `"`
		}
		out, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {"application/octet-stream"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte(p.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.Bytes()
}

const replayForward = "/api/v2/replay?ddsource=browser&dd-api-key=x&dd-request-id=1"

func TestReport_RecordingIsKeptWithItsSegment(t *testing.T) {
	t.Parallel()
	segment := string(deflated(t, `{"records":[]}`)) + "\r\n--x\x00\xff"
	contentType, body := recording(t, part{"segment", id + "-1764000000000", segment}, part{
		"event", "blob", `{"session":{"id":"` + id + `"},"records_count": 3}`,
	})
	r, err := monitoring.Read(replayForward, contentType, body, free)
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Records int `json:"records_count"`
		Segment []byte
	}
	if err := json.Unmarshal(r.Events[0], &kept); err != nil {
		t.Fatal(err)
	}
	if len(r.Events) != 1 || r.Kind != monitoring.Replay || r.Session != id || kept.Records != 3 || string(kept.Segment) != segment ||
		!bytes.Equal(r.Body, body) || r.ContentType != contentType {
		t.Errorf("read %+v", r)
	}
	event, good := part{"event", "blob", "{}"}, part{"segment", "x", "xyz"}
	for what, parts := range map[string][]part{
		"no segment": {event}, "no event": {good}, "an empty segment": {event, {"segment", "x", ""}},
		"a third part": {event, good, {"more", "", "x"}},
		"no object":    {{"event", "blob", "[]"}, good}, "null": {{"event", "blob", "null"}, good}, "no JSON": {{"event", "blob", "{"}, good},
		"no name": {event, good, {"", "", ""}},
		"nothing": nil,
	} {
		contentType, body := recording(t, parts...)
		if r, err := monitoring.Read(replayForward, contentType, body, free); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s is taken: %+v (%v)", what, r, err)
		}
	}
	for what, contentType := range map[string]string{
		"text": plain, "no boundary": "multipart/form-data", "another boundary": "multipart/form-data; boundary=other",
		"mixed": strings.Replace(contentType, "form-data", "mixed", 1),
	} {
		if _, err := monitoring.Read(replayForward, contentType, body, free); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestReport_SessionIsAnIdAndNothingElse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		id: true, strings.ToUpper(id): false, "": false, id + "x": false, "A1B2C3D4E5F60718": false, "zeus@olympus.example": false,
		id[:35] + "\n": false,
	} {
		event, err := json.Marshal(map[string]any{"session": map[string]string{"id": text}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := monitoring.Read(forward, plain, event, free)
		if err != nil || (r.Session == text) != (want || text == "") || monitoring.IsSession(text) != want {
			t.Errorf("%q: session %q (%v)", text, r.Session, err)
		}
	}
	if r, err := monitoring.Read("/api/v2/logs", plain, []byte(`{"status":"error","session_id":"`+id+`"}`), free); err != nil ||
		r.Session != id || r.Errors != 1 {
		t.Errorf("a log line: %+v (%v)", r, err)
	}
}

func FuzzRead(f *testing.F) {
	contentType, body := recording(f, part{"segment", "x", "xyz"}, part{"event", "blob", "{}"})
	f.Add(forward, plain, []byte(view))
	f.Add(forward+"&dd-evp-encoding=deflate", "", deflated(f, view))
	f.Add(replayForward, contentType, body)
	f.Fuzz(func(t *testing.T, forward, contentType string, body []byte) {
		r, err := monitoring.Read(forward, contentType, body, free)
		if err != nil {
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("%v is no fault", err)
			}
			return
		}
		if len(r.Events) == 0 || !slices.Contains(monitoring.Kinds(), r.Kind) || r.Session != "" && !monitoring.IsSession(r.Session) ||
			r.Parameters.Has("dd-api-key") {
			t.Fatalf("read %+v", r)
		}
		for _, e := range r.Events {
			if !json.Valid(e) || bytes.ContainsAny(e, "\n\r") || e[0] != '{' {
				t.Fatalf("event %q", e)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	body := []byte(strings.Repeat(view+"\n", 50))
	for b.Loop() {
		if _, err := monitoring.Read(forward, plain, body, free); err != nil {
			b.Fatal(err)
		}
	}
}
