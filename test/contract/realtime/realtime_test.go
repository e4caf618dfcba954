// Package realtime_test tests the realtime hub with the vendor's own client, which runs unmodified in Node: through
// broken connections, restarts and crashes of a real server process it must receive every message exactly once, and
// detect when it cannot.
package realtime_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// waitTimeout is how long a test waits for an expected event; the client itself may try to recover for 30 s.
const waitTimeout = 60 * time.Second

// until reports whether condition became true.
func until(condition func() bool) bool {
	deadline := time.After(waitTimeout)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-tick.C:
		case <-deadline:
			return false
		}
	}
	return true
}

func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	if !until(condition) {
		t.Fatalf("waited in vain for: %s", what)
	}
}

// message is a published message; its index in the list of all is its id.
type message struct{ to, name string }

// world is a server process, the network in front of it, and what a site stores besides: the published messages.
type world struct {
	t     *testing.T
	dir   string
	proxy *proxy
	site  *httptest.Server

	publishing sync.Mutex // serializes publishing, so that the ids give the order of storing

	mu        sync.Mutex
	cmd       *exec.Cmd
	address   string
	published []message
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), proxy: startProxy(t)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /negotiate", func(rw http.ResponseWriter, r *http.Request) {
		q := url.Values{"user": {r.FormValue("user")}, "base": {w.proxy.address()}}
		res, err := http.Get(w.hub("/access", q))
		if err != nil {
			http.Error(rw, "not now", http.StatusServiceUnavailable)
			return
		}
		defer func() { _ = res.Body.Close() }()
		rw.WriteHeader(res.StatusCode)
		_, _ = io.Copy(rw, res.Body)
	})
	mux.HandleFunc("GET /state", func(rw http.ResponseWriter, _ *http.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		ids := make([]string, len(w.published))
		for i := range ids {
			ids[i] = fmt.Sprint(i)
		}
		_ = json.NewEncoder(rw).Encode(ids)
	})
	w.site = httptest.NewServer(mux)
	t.Cleanup(w.site.Close)
	w.start()
	t.Cleanup(func() { w.stop(syscall.SIGTERM) })
	return w
}

// start starts the server process on its existing data.
func (w *world) start() {
	w.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hubDir+"="+w.dir)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = cmd.Wait()
		w.t.Fatalf("server did not start: %v\n%s", err, errs.String())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cmd, w.address = cmd, strings.TrimSpace(line)
	w.proxy.point(w.address)
}

// stop ends the server process with a signal.
func (w *world) stop(signal syscall.Signal) {
	w.mu.Lock()
	cmd := w.cmd
	w.mu.Unlock()
	_ = cmd.Process.Signal(signal)
	_ = cmd.Wait()
}

func (w *world) hub(path string, q url.Values) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return "http://" + w.address + path + "?" + q.Encode()
}

// call posts to the server process and reports success.
func (w *world) call(path string, q url.Values) bool {
	res, err := http.Post(w.hub(path, q), "", nil)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// publish stores a message and publishes it until that succeeds, like an outbox. It returns the id. It may be called
// from any goroutine.
func (w *world) publish(to, name string) string {
	w.publishing.Lock()
	defer w.publishing.Unlock()
	w.mu.Lock()
	id := fmt.Sprint(len(w.published))
	w.published = append(w.published, message{to, name})
	w.mu.Unlock()
	if !until(func() bool { return w.call("/publish", url.Values{"id": {id}, "to": {to}, "name": {name}}) }) {
		w.t.Errorf("message %s could not be published", id)
	}
	return id
}

// messagesFor returns the ids of the messages for a client, in order.
func (w *world) messagesFor(user string, groups ...string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var ids []string
	for i, m := range w.published {
		if m.to == "all" || m.to == "user" && m.name == user || m.to == "group" && slices.Contains(groups, m.name) {
			ids = append(ids, fmt.Sprint(i))
		}
	}
	return ids
}

// metric returns a metric of the server process, -1 if unavailable.
func (w *world) metric(name string) float64 {
	res, err := http.Get(w.hub("/metrics", nil))
	if err != nil {
		return -1
	}
	defer func() { _ = res.Body.Close() }()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		var v float64
		if _, err := fmt.Sscanf(lines.Text(), "pantheon_realtime_"+name+" %g", &v); err == nil {
			return v
		}
	}
	return -1
}

// event is what the Node process reports about one client.
type event struct {
	Client       int      `json:"client"`
	Event        string   `json:"event"`
	ID           string   `json:"id"`
	IDs          []string `json:"ids"`
	ConnectionID string   `json:"connectionId"`
	UserID       string   `json:"userId"`
	Command      string   `json:"command"`
	Message      string   `json:"message"`
	Error        string   `json:"error"`
	Group        string   `json:"group"`
	From         string   `json:"from"`
	Duplicate    bool     `json:"duplicate"`
}

// clients are vendor clients in one Node process.
type clients struct {
	t  *testing.T
	in io.Writer

	mu     sync.Mutex
	events [][]event // by client
}

// startClients starts a client for each user and waits until all are connected.
func (w *world) startClients(users ...string) *clients {
	w.t.Helper()
	cmd := exec.Command("node", append([]string{"client.mjs", w.site.URL}, users...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatalf("Node is needed for this test: %v", err)
	}
	c := &clients{t: w.t, in: in, events: make([][]event, len(users))}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var e event
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				c.t.Errorf("output of the client: %s", lines.Text())
				continue
			}
			c.mu.Lock()
			c.events[e.Client] = append(c.events[e.Client], e)
			c.mu.Unlock()
		}
	}()
	w.t.Cleanup(func() {
		_ = in.Close() // which ends it
		<-ended
		if err := cmd.Wait(); err != nil {
			w.t.Errorf("client: %v\n%s", err, errs.String())
		}
	})
	for i := range users {
		c.do(i, "start", nil)
	}
	for i := range users {
		eventually(w.t, "client connected", func() bool {
			select {
			case <-ended:
				w.t.Fatalf("the client ended: %s", errs.String())
			default:
			}
			return c.count(i, "connected") > 0
		})
	}
	return c
}

// do sends a command without waiting for its result.
func (c *clients) do(client int, command string, args map[string]any) {
	c.t.Helper()
	line := map[string]any{"client": client, "name": command}
	for k, v := range args {
		line[k] = v
	}
	b, err := json.Marshal(line)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(append(b, '\n')); err != nil {
		c.t.Fatal(err)
	}
}

// run sends a command and returns its result.
func (c *clients) run(client int, command string, args map[string]any) event {
	c.t.Helper()
	ended := func() []event {
		return slices.DeleteFunc(c.all(client), func(e event) bool {
			return e.Command != command || e.Event != "done" && e.Event != "failed"
		})
	}
	before := len(ended())
	c.do(client, command, args)
	eventually(c.t, command, func() bool { return len(ended()) > before })
	return ended()[before]
}

// all returns a copy of a client's events so far.
func (c *clients) all(client int) []event {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.events[client])
}

func (c *clients) count(client int, kind string) int {
	n := 0
	for _, e := range c.all(client) {
		if e.Event == kind {
			n++
		}
	}
	return n
}

// ids returns the ids of the messages a client has received, in order.
func (c *clients) ids(client int) []string {
	var ids []string
	for _, e := range c.all(client) {
		if e.Event == "message" || e.Event == "group-message" {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// waitFor waits until every client has received a message.
func (c *clients) waitFor(id string) {
	c.t.Helper()
	for i := range c.events {
		eventually(c.t, "message "+id, func() bool { return slices.Contains(c.ids(i), id) })
	}
}

// Spec: LIVE-23
func TestClient_NothingIsLostOrDoubledWithinTheWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	users := []string{"ada", "ada", "bob"}
	c := w.startClients(users...)
	if e := c.run(2, "join", map[string]any{"group": "g"}); e.Event != "done" {
		t.Fatalf("join: %+v", e)
	}

	// Messages are published throughout, to everybody, to users and to a group.
	stop := make(chan struct{})
	var publishing sync.WaitGroup
	publishing.Go(func() {
		targets := []message{{"all", ""}, {"user", "ada"}, {"user", "bob"}, {"group", "g"}, {"group", "not joined"}}
		pace := time.NewTicker(2 * time.Millisecond)
		defer pace.Stop()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-pace.C:
				w.publish(targets[i%len(targets)].to, targets[i%len(targets)].name)
			}
		}
	})
	trouble := []struct {
		name string
		make func()
	}{
		{"reset", w.proxy.reset},
		{"half-open at the server", w.proxy.halfOpen},
		{"reset", w.proxy.reset},
		{"silence, then reset", func() {
			w.proxy.freeze()
			w.publish("all", "")
			w.proxy.reset()
		}},
		{"restart", func() { w.stop(syscall.SIGTERM); w.start() }},
		{"half-open at the server", w.proxy.halfOpen},
		{"crash", func() { w.stop(syscall.SIGKILL); w.start() }},
		{"network down for a while", func() {
			w.proxy.cutOff(true)
			w.publish("all", "")
			w.proxy.cutOff(false)
		}},
		{"crash while the network is down", func() {
			w.proxy.cutOff(true)
			w.stop(syscall.SIGKILL)
			w.start()
			w.proxy.cutOff(false)
		}},
		{"reset", w.proxy.reset},
	}
	for _, trouble := range trouble {
		t.Log(trouble.name)
		trouble.make()
		c.waitFor(w.publish("all", ""))
	}
	close(stop)
	publishing.Wait()
	c.waitFor(w.publish("all", ""))
	for i, user := range users {
		want := w.messagesFor(user)
		if user == "bob" {
			want = w.messagesFor(user, "g")
		}
		if got := c.ids(i); !slices.Equal(got, want) {
			t.Errorf("client %d (%s) got %d messages, %d were for it; first difference: %s", i, user, len(got), len(want),
				firstDifference(got, want))
		}
		if n, m := c.count(i, "disconnected"), c.count(i, "negotiated"); n != 0 || m != 1 {
			t.Errorf("client %d was disconnected %d times and asked for an access URL %d times; it should have recovered", i, n, m)
		}
	}
}

func firstDifference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			return fmt.Sprintf("at %d, got %v, want %v", i, got[min(i, len(got)):min(i+5, len(got))],
				want[min(i, len(want)):min(i+5, len(want))])
		}
	}
	return "none"
}

// Spec: LIVE-23
func TestClient_LossBeyondTheWindowIsNoticedAndMadeGood(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.startClients("ada")
	c.waitFor(w.publish("all", ""))
	w.proxy.cutOff(true)
	lost := w.publish("user", "ada")
	if !w.call("/advance", url.Values{"by": {"61s"}}) {
		t.Fatal("cannot move the clock")
	}
	eventually(t, "session given up", func() bool { return w.metric("sessions") == 0 })
	w.proxy.cutOff(false)
	eventually(t, "fresh start and refetch", func() bool { return c.count(0, "refetched") == 1 })
	if n, m := c.count(0, "disconnected"), c.count(0, "connected"); n != 1 || m != 2 {
		t.Errorf("disconnected %d times, connected %d times", n, m)
	}
	c.waitFor(w.publish("all", ""))
	checkComplete(t, c, 0, w.messagesFor("ada"))
	if slices.Contains(c.ids(0), lost) {
		t.Error("the lost message came after all: the test did not get beyond the window")
	}
}

// checkComplete checks that a client has received or refetched all messages, and received none twice.
func checkComplete(t *testing.T, c *clients, client int, want []string) {
	t.Helper()
	known := make(map[string]bool)
	for _, e := range c.all(client) {
		for _, id := range e.IDs {
			known[id] = true
		}
	}
	got := c.ids(client)
	for i, id := range got {
		known[id] = true
		if slices.Contains(got[:i], id) {
			t.Errorf("message %s came twice", id)
		}
	}
	for _, id := range want {
		if !known[id] {
			t.Errorf("message %s is not known", id)
		}
	}
}

// Spec: LIVE-5
func TestClient_ClosedUserStartsAfreshAtOnceAndOthersDoNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.startClients("ada", "bob")
	if e := c.run(0, "join", map[string]any{"group": "g"}); e.Event != "done" {
		t.Fatalf("join: %+v", e)
	}
	c.waitFor(w.publish("all", ""))
	if !w.call("/close-user", url.Values{"user": {"ada"}}) {
		t.Fatal("closing failed")
	}
	eventually(t, "fresh start and refetch", func() bool { return c.count(0, "refetched") == 1 })
	w.publish("group", "g") // the client has rejoined its groups before it reported that it is connected
	c.waitFor(w.publish("all", ""))
	checkComplete(t, c, 0, w.messagesFor("ada", "g"))
	var told []string
	ids := make(map[string]bool)
	for _, e := range c.all(0) {
		if e.Event == "disconnected" {
			told = append(told, e.Message)
		}
		if e.Event == "connected" {
			ids[e.ConnectionID] = true
		}
	}
	if !slices.Equal(told, []string{"signed out"}) || len(ids) != 2 {
		t.Errorf("disconnected with %q, connection ids %v", told, ids)
	}
	if n := c.count(1, "disconnected"); n != 0 {
		t.Error("another user was disconnected")
	}
	if got, want := c.ids(1), w.messagesFor("bob"); !slices.Equal(got, want) {
		t.Errorf("another user got %v, want %v", got, want)
	}
}

// Spec: LIVE-7
func TestClient_WhatTheClientAsksForIsAnsweredTheWayItExpects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.startClients("ada", "bob")
	for i := range 2 {
		if e := c.run(i, "join", map[string]any{"group": "open"}); e.Event != "done" {
			t.Fatalf("join: %+v", e)
		}
	}
	if e := c.run(0, "event", map[string]any{"id": "x"}); e.Event != "done" {
		t.Errorf("event: %+v", e)
	}
	send := map[string]any{"group": "open", "id": "from-ada", "ackId": 4711, "noEcho": true}
	if e := c.run(0, "send", send); e.Event != "done" || e.Duplicate {
		t.Errorf("send: %+v", e)
	}
	if e := c.run(0, "send", send); e.Event != "done" || !e.Duplicate {
		t.Errorf("the same again: %+v, want a duplicate", e)
	}
	if e := c.run(0, "send", map[string]any{"group": "closed", "id": "x"}); e.Event != "failed" ||
		e.Message != "Failed to send message." || e.Error != "Forbidden" {
		t.Errorf("send without a role: %+v", e)
	}
	c.waitFor(w.publish("all", ""))
	if got := c.ids(0); len(got) != 1 {
		t.Errorf("the sender got %v, want no echo", got)
	}
	i := slices.IndexFunc(c.all(1), func(e event) bool { return e.Event == "group-message" })
	if i < 0 || c.all(1)[i].ID != "from-ada" || c.all(1)[i].From != "ada" || c.all(1)[i].Group != "open" {
		t.Errorf("the other got %+v", c.all(1))
	}
	if e := c.run(1, "leave", map[string]any{"group": "open"}); e.Event != "done" {
		t.Errorf("leave: %+v", e)
	}
	c.do(0, "stop", nil)
	eventually(t, "client stopped", func() bool { return c.count(0, "stopped") == 1 })
	eventually(t, "connection closed", func() bool { return w.metric("connections") == 1 })
}

// What the vendor's client reports for a message that was not acknowledged: when its connection breaks, and while it
// has none.
// Spec: LIVE-7
func TestClient_SaysWhatBecameOfAMessageWithoutAnAck(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.startClients("ada/once")
	failed := func() (messages []string) {
		for _, e := range c.all(0) {
			if e.Event == "failed" {
				messages = append(messages, e.Message)
			}
		}
		return messages
	}
	send := map[string]any{"group": "open", "id": "x"}
	if e := c.run(0, "send", send); e.Event != "done" {
		t.Fatalf("send: %+v", e)
	}

	w.proxy.freeze() // the message is dropped
	c.do(0, "send", send)
	eventually(t, "message sent", w.proxy.lost)
	w.proxy.cutOff(true)
	eventually(t, "message given up", func() bool { return len(failed()) == 1 })
	c.do(0, "send", send)
	eventually(t, "message refused", func() bool { return len(failed()) == 2 })
	if got, want := failed(), []string{
		"Connection is disconnected before receive ack from the service", "The connection is not connected.",
	}; !slices.Equal(got, want) {
		t.Errorf("the client says %q, want %q", got, want)
	}

	w.proxy.cutOff(false)
	c.waitFor(w.publish("all", ""))
	if e := c.run(0, "send", send); e.Event != "done" {
		t.Errorf("after the recovery: %+v", e)
	}
}
