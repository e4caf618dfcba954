package realtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pantheon/internal/kit/keyset"
	"pantheon/internal/realtime"
)

// hubDir names the environment variable that makes the test binary a server, so that a test can kill it.
const hubDir = "PANTHEON_TEST_HUB_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(hubDir); dir != "" {
		if err := serveHub(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// shiftedClock is the system clock, shifted as the test demands.
type shiftedClock struct{ by atomic.Int64 }

func (c *shiftedClock) Now() time.Time { return time.Now().Add(time.Duration(c.by.Load())) }

// serveHub runs a hub with its data in dir until the process is signalled. The first line of its output is its
// address. Besides the hub it serves what the test and a page need with it.
func serveHub(dir string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	n, err := realtime.StartNATS(realtime.NATSConfig{DataDir: dir, Logger: logger})
	if err != nil {
		return err
	}
	defer n.Close()
	clk := &shiftedClock{}
	registry := prometheus.NewRegistry()
	hub, err := realtime.New(ctx, realtime.Options{
		JetStream: n.JetStream(), Name: "portal", SigningKeys: keyset.Keys{[]byte("a key that is known to the test only")},
		PublicURL: "http://pantheon.test", Clock: clk, Logger: logger, Metrics: registry,
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/client/", hub.Handler())
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("POST /publish", func(w http.ResponseWriter, r *http.Request) {
		to := map[string]realtime.Target{
			"all": realtime.Everyone(), "user": realtime.User(r.FormValue("name")), "group": realtime.Group(r.FormValue("name")),
		}[r.FormValue("to")]
		id := r.FormValue("id")
		answer(w, hub.Publish(r.Context(), realtime.Message{ID: id, To: to, Data: json.RawMessage(fmt.Sprintf(`{"id":%q}`, id))}))
	})
	var session atomic.Int64 // each access URL is for a new server session, as after a new sign-in
	mux.HandleFunc("GET /access", func(w http.ResponseWriter, r *http.Request) {
		user := r.FormValue("user")
		url, err := hub.AccessURL(user, fmt.Sprint(os.Getpid(), "-", session.Add(1)), r.FormValue("base"),
			realtime.RoleJoinLeaveGroup, realtime.RoleSendToGroup+".open")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"url": url})
	})
	mux.HandleFunc("POST /close-user", func(w http.ResponseWriter, r *http.Request) {
		answer(w, hub.CloseUser(r.Context(), r.FormValue("user")))
	})
	mux.HandleFunc("POST /advance", func(_ http.ResponseWriter, r *http.Request) {
		d, _ := time.ParseDuration(r.FormValue("by"))
		clk.by.Add(int64(d))
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	var running sync.WaitGroup
	running.Go(func() { _ = hub.Run(ctx) })
	running.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			stop()
		}
	})
	fmt.Println(listener.Addr())
	<-ctx.Done()
	hub.Drain(context.WithoutCancel(ctx))
	_ = server.Close()
	running.Wait()
	return nil
}

func answer(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}
