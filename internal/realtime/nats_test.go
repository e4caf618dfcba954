package realtime

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"pantheon/internal/kit/keyset"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

func TestNATS_OptionsAreCheckedAllAtOnce(t *testing.T) {
	t.Parallel()
	_, err := New(t.Context(), Options{Name: "9 lives", SigningKeys: keyset.Keys{[]byte("short")}, PublicURL: "pantheon.test",
		AllowedOrigins: []string{"*"}, Retention: time.Second, Limits: Limits{FrameBurst: -1}})
	if err == nil {
		t.Fatal("accepted")
	}
	for _, part := range []string{
		"JetStream", "name", "signing key", `"pantheon.test"`, `"*"`, "retention must", "limits must not be negative",
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error does not speak of %s: %v", part, err)
		}
	}
	if strings.Contains(err.Error(), "short") && strings.Contains(err.Error(), `"short"`) {
		t.Errorf("error shows the key: %v", err)
	}
}

func TestNATS_ConfigurationIsChecked(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]NATSConfig{
		"neither":        {},
		"both":           {URL: "nats://127.0.0.1:4222", DataDir: t.TempDir()},
		"nobody there":   {URL: "nats://127.0.0.1:1"},
		"not a folder":   {DataDir: filepath.Join(file, "nats")},
		"not a real URL": {URL: "nats://[::1"},
	} {
		cfg.Logger = quietLogger()
		if n, err := StartNATS(cfg); err == nil {
			n.Close()
			t.Errorf("%s: accepted", name)
		}
	}
}

// A replica that starts while NATS is away answers everything else, and has messages once NATS is there.
// Spec: RUN-19
func TestNATS_HubStartsWithoutAServerAndWaitsForIt(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	n, err := StartNATS(NATSConfig{URL: fmt.Sprintf("nats://127.0.0.1:%d", port), Name: "test", Wait: true, Logger: quietLogger()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	r := startHub(t, n, nil)
	if err := r.Ready(); err == nil || err.Error() != "realtime: no connection to NATS" {
		t.Errorf("without a server: %v", err)
	}
	if err := r.Publish(t.Context(), Message{"lost", Everyone(), json.RawMessage(`{}`)}); err == nil {
		t.Error("a message is taken without a server")
	}
	if err := r.CloseSession(t.Context(), "session"); err == nil {
		t.Error("a session is closed without a server")
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	eventually(t, "the hub is ready", func() bool { return r.Ready() == nil })
	c := r.connect("ada")
	r.publish(User("ada"), "hello")
	c.expect("hello")
}

func TestNATS_HubWorksOnAnExternalServerAndSurvivesItsRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start := func(port int) *server.Server {
		s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		if !s.ReadyForConnections(waitTimeout) {
			t.Fatal("NATS did not start")
		}
		return s
	}
	s := start(server.RANDOM_PORT)
	address := s.ClientURL()
	n, err := StartNATS(NATSConfig{URL: address, Name: "test", Logger: quietLogger()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	r := startHub(t, n, nil)
	c := r.connect("ada")
	r.publish(Everyone(), "before")
	c.expect("before")
	port := s.Addr().(*net.TCPAddr).Port
	s.Shutdown()
	s.WaitForShutdown()
	if err := r.Publish(t.Context(), Message{"meanwhile", Everyone(), []byte(`1`)}); err == nil {
		t.Error("published without a server")
	}
	if err := r.Ready(); err == nil {
		t.Error("says that it is ready")
	}
	s = start(port)
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	eventually(t, "ready again", func() bool { return r.Ready() == nil })
	eventually(t, "publishing again", func() bool {
		return r.Publish(t.Context(), Message{"after", Everyone(), []byte(`{"id":"after"}`)}) == nil
	})
	c.expect("after") // on the original connection
	c.reset()
	c.recover(r).expect("before", "after")
}

// A cluster whose leader changes takes no messages for a moment.
func TestNATS_MessagesStayInOrderAfterTheStreamWasAway(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	r := startHub(t, n, nil)
	if err := n.js.DeleteStream(t.Context(), r.stream()); err != nil {
		t.Fatal(err)
	}
	want, messages := make([]string, 200), make([]Message, 200)
	for i := range messages {
		want[i] = fmt.Sprintf("server:m%d", i)
		messages[i] = Message{fmt.Sprint("m", i), User("ada"), json.RawMessage(`1`)}
	}
	eventually(t, "publishing again", func() bool { return r.Publish(t.Context(), messages...) == nil })
	consumer, err := n.js.OrderedConsumer(t.Context(), r.stream(), jetstream.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := consumer.Fetch(len(want), jetstream.FetchMaxWait(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for m := range batch.Messages() {
		got = append(got, m.Headers().Get(jetstream.MsgIDHeader))
	}
	if !slices.Equal(got, want) {
		t.Errorf("stored %q", got)
	}
}

// A single server keeps no replicas: the hub says so instead of waiting for ever.
func TestNATS_ReplicasNeedACluster(t *testing.T) {
	t.Parallel()
	_, err := New(t.Context(), Options{
		JetStream: startNATS(t, t.TempDir()).JetStream(), Name: "portal", SigningKeys: keyset.Keys{[]byte(testKey)}, PublicURL: testSite,
		Logger: quietLogger(), Replicas: 3,
	})
	if err == nil || !strings.Contains(err.Error(), "3 replicas of realtime_portal need a NATS cluster (NATS_REPLICAS)") {
		t.Errorf("three replicas on one server: %v", err)
	}
}
