package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// request is one prepared HTTP/1.1 request and the expected response.
type request struct {
	wire   []byte
	status int
	want   string // must be in the body
}

// prepare encodes a request. from is the X-Forwarded-For address; "" for none.
func prepare(method, host, path, from, token, body string, status int, want string) request {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, path, host)
	if from != "" {
		fmt.Fprintf(&b, "X-Forwarded-For: %s\r\n", from)
	}
	if token != "" {
		fmt.Fprintf(&b, "Authorization: %s\r\n", token)
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n" + body)
	return request{[]byte(b.String()), status, want}
}

// figures are the measurements of a run.
type figures struct {
	total     int
	perSecond float64
	p50, p99  time.Duration
}

// run sends requests over a number of connections, each waiting for its response, until the time is over or next has
// no more. next is called by every connection, with its number and how many requests it has sent. Any wrong response
// fails the run.
func run(ctx context.Context, host string, connections int, limit time.Duration,
	next func(connection, n int) (request, bool)) (figures, error) {
	return runOn(ctx, []string{host}, connections, limit, next)
}

// runOn is run with several servers, among which the connections are divided.
func runOn(ctx context.Context, hosts []string, connections int, limit time.Duration,
	next func(connection, n int) (request, bool)) (figures, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		failure error
		all     []time.Duration
	)
	began := time.Now()
	for i := range connections {
		group.Go(func() {
			times, err := client(ctx, hosts[i%len(hosts)], i, next)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, times...)
			if err != nil && failure == nil {
				failure = err
				cancel()
			}
		})
	}
	group.Wait()
	took := time.Since(began)
	if failure != nil {
		return figures{}, failure
	}
	if len(all) == 0 {
		return figures{}, errors.New("no request was answered")
	}
	return summarize(all, took), nil
}

// summarize returns the figures of responses, of which there is one at least, within a time.
func summarize(times []time.Duration, took time.Duration) figures {
	slices.Sort(times)
	return figures{len(times), float64(len(times)) / took.Seconds(), times[len(times)/2], times[len(times)*99/100]}
}

// client is one connection's loop; it returns the latency of each response.
func client(ctx context.Context, host string, number int, next func(connection, n int) (request, bool)) (times []time.Duration, err error) {
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	reader := bufio.NewReaderSize(conn, 64<<10)
	for n := 0; ctx.Err() == nil; n++ {
		r, ok := next(number, n)
		if !ok {
			return times, nil
		}
		sent := time.Now()
		if _, err := conn.Write(r.wire); err != nil {
			return times, err
		}
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return times, err
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			return times, err
		}
		if response.StatusCode != r.status || !strings.Contains(string(body), r.want) {
			return times, fmt.Errorf("wrong answer to %.60q: %d %.300s", r.wire, response.StatusCode, body)
		}
		times = append(times, time.Since(sent))
	}
	return times, nil
}
