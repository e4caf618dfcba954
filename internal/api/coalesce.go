package api

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// coalescedTimeout is the timeout of a response that several requests wait for.
const coalescedTimeout = 15 * time.Second

// coalescer answers concurrent requests for one URL together. While a response is computed, further requests wait, and one
// computation that begins afterwards answers all of them: no response is older than its request, so a request that follows a
// message sees the change. It is safe for concurrent use.
type coalescer struct {
	next http.Handler
	// shared has the calls whose responses depend on nothing but the URL, by path, and which many browsers make at the same
	// moment: when a sale begins, or when a message makes all of them refetch. Its checks are run for each request.
	shared map[string]sharedCall
	note   func(ctx context.Context, call string)
	refuse func(http.ResponseWriter, *http.Request, error)

	mu sync.Mutex
	// flying has a key, of URL and encoding, while a response is computed. Its value is the group that waits for the next one; nil
	// for none.
	flying map[string]*group
}

// sharedCall is a call whose response several requests share.
type sharedCall struct {
	id     string
	checks []check
}

// group is requests that are answered together. The first of them computes the response when it is their turn.
type group struct {
	turn     chan struct{}
	done     chan struct{}
	response recording // valid once done is closed
}

func (a *API) coalesce(next http.Handler) http.Handler {
	return &coalescer{next: next, shared: a.shared, note: a.noteCall, refuse: a.refuse, flying: map[string]*group{}}
}

// ServeHTTP implements http.Handler.
func (c *coalescer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call, isShared := c.shared[r.URL.Path]
	if r.Method != http.MethodGet || !isShared {
		c.next.ServeHTTP(w, r)
		return
	}
	c.note(r.Context(), call.id)
	passed, err := run(call.checks, w, r)
	if err != nil {
		c.refuse(w, r, err)
		return
	}
	r = with(passed, checkedKey{}, true)
	key := r.Header.Get("Accept-Encoding") + " " + r.URL.RequestURI()
	g, first := c.board(key)
	if first {
		<-g.turn
		c.compute(key, g, r)
	}
	select {
	case <-g.done:
		g.response.writeTo(w)
	case <-r.Context().Done(): // the client is gone
	}
}

// board returns the group of a request, and whether the request is the one to compute the response.
func (c *coalescer) board(key string) (g *group, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting, flying := c.flying[key]
	if waiting != nil {
		return waiting, false
	}
	g = &group{turn: make(chan struct{}), done: make(chan struct{})}
	g.response = recording{header: http.Header{}, status: http.StatusInternalServerError} // if computing it panics
	if flying {
		c.flying[key] = g
	} else {
		c.flying[key] = nil
		close(g.turn)
	}
	return g, true
}

// compute computes the response of a group. It is written to nobody yet: a client that reads slowly must not delay the others. Nor
// does it end with the client that it began with.
func (c *coalescer) compute(key string, g *group, r *http.Request) {
	defer c.land(key)
	defer close(g.done)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), coalescedTimeout)
	defer cancel()
	r = r.Clone(ctx)
	r.Header.Del("Accept") // the type that one client prefers is not for the others
	c.next.ServeHTTP(&g.response, r)
}

// land ends a computation and gives the turn to the group that waits.
func (c *coalescer) land(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := c.flying[key]
	if waiting == nil {
		delete(c.flying, key)
		return
	}
	c.flying[key] = nil
	close(waiting.turn)
}

// recording is a response in memory.
type recording struct {
	header http.Header
	status int
	wrote  bool
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *recording) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *recording) WriteHeader(status int) {
	if !r.wrote {
		r.status, r.wrote = status, true
	}
}

// Write implements http.ResponseWriter.
func (r *recording) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(b)
}

func (r *recording) writeTo(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.header)
	w.Header().Set("Content-Length", strconv.Itoa(r.body.Len()))
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body.Bytes())
}
