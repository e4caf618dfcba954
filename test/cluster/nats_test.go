package cluster_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"pantheon/internal/kit/keyset"
	"pantheon/internal/realtime"
	"pantheon/internal/testkit"
)

// natsOptions is the environment variable with which this program is a NATS server: its options, in JSON.
const natsOptions = "CLUSTER_TEST_NATS"

// natsNode is one server of a NATS cluster, in a process of its own.
type natsNode struct {
	*testing.T
	Name, Address, Cluster, Dir string
	Routes                      []string

	cmd *exec.Cmd
	log bytes.Buffer
}

// startNATSCluster starts three servers, and returns once they have a leader.
func startNATSCluster(t *testing.T) (nodes []*natsNode) {
	t.Helper()
	for i := range 3 {
		nodes = append(nodes, &natsNode{T: t, Name: fmt.Sprint("n", i+1), Address: address(t), Cluster: address(t), Dir: t.TempDir()})
	}
	for _, n := range nodes {
		for _, other := range nodes {
			n.Routes = append(n.Routes, "nats://"+other.Cluster)
		}
		n.start()
		t.Cleanup(n.kill)
	}
	for _, n := range nodes {
		n.isUp()
	}
	return nodes
}

func (n *natsNode) start() {
	n.Helper()
	options, err := json.Marshal(n)
	must(n.T, err)
	program, err := os.Executable()
	must(n.T, err)
	n.cmd = exec.CommandContext(n.Context(), program)
	n.cmd.Env = append(os.Environ(), natsOptions+"="+string(options))
	n.cmd.Stderr = &n.log
	must(n.T, n.cmd.Start())
}

// kill kills the server, like kill -9.
func (n *natsNode) kill() {
	if n.cmd != nil {
		_ = n.cmd.Process.Signal(syscall.SIGKILL)
		_ = n.cmd.Wait() // killed
		n.cmd = nil
	}
}

// isUp waits until the server answers for JetStream.
func (n *natsNode) isUp() {
	n.Helper()
	testkit.Eventually(n.T, waitTimeout, func() bool {
		conn, err := nats.Connect("nats://" + n.Address)
		if err != nil {
			return false
		}
		defer conn.Close()
		js, err := conn.JetStream()
		if err == nil {
			_, err = js.AccountInfo()
		}
		return err == nil
	}, "NATS server %s is not up: %s", n.Name, &n.log)
}

// serveNATS serves until it is killed.
func serveNATS(text string) {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	var n natsNode
	fail(json.Unmarshal([]byte(text), &n))
	host, port := split(n.Address)
	clusterHost, clusterPort := split(n.Cluster)
	o := &server.Options{
		ServerName: n.Name, Host: host, Port: port, JetStream: true, StoreDir: n.Dir, NoSigs: true,
		// Clients keep to the addresses they were given, behind which links fail.
		Cluster: server.ClusterOpts{Name: "test", Host: clusterHost, Port: clusterPort, NoAdvertise: true},
	}
	for _, route := range n.Routes {
		u, err := url.Parse(route)
		fail(err)
		o.Routes = append(o.Routes, u)
	}
	s, err := server.NewServer(o)
	fail(err)
	s.Start()
	s.WaitForShutdown()
}

func split(address string) (host string, port int) {
	host, text, _ := net.SplitHostPort(address)
	port, _ = strconv.Atoi(text)
	return host, port
}

// urlOf returns the NATS_URL of servers at addresses.
func urlOf(addresses ...string) string { return "nats://" + strings.Join(addresses, ",nats://") }

// Portals with another setting, or of the previous version, do not scale the streams down. While a server is missing the portal starts all
// the same, and leaves the streams as they are.
// Spec: RUN-19
func TestCluster_StreamsAreNeverScaledDown(t *testing.T) {
	t.Parallel()
	nodes := startNATSCluster(t)
	n, err := realtime.StartNATS(realtime.NATSConfig{URL: urlOf(nodes[0].Address, nodes[1].Address, nodes[2].Address), Name: "test"})
	must(t, err)
	t.Cleanup(n.Close)
	js := n.JetStream()
	hub := func(asked, want int) {
		t.Helper()
		testkit.Eventually(t, waitTimeout, func() bool { // a stream has no leader at first
			_, err := realtime.New(t.Context(), realtime.Options{
				JetStream: js, Name: "portal", SigningKeys: keyset.Keys{[]byte(strings.Repeat("k", 32))}, PublicURL: "https://portal.example",
				Replicas: asked,
			})
			must(t, err)
			for _, name := range []string{"realtime_portal", "KV_realtime_portal_sessions", "KV_realtime_portal_revoked"} {
				stream, err := js.Stream(t.Context(), name)
				if err != nil || stream.CachedInfo().Config.Replicas != want {
					return false
				}
			}
			return true
		}, "asked for %d replicas: the streams do not have %d", asked, want)
	}
	hub(1, 1)
	hub(3, 3)
	hub(1, 3)
	// A stream whose first server is lost before the others have its data has no leader until that server is back.
	testkit.Eventually(t, waitTimeout, func() bool {
		current := 0
		for info := range js.ListStreams(t.Context()).Info() {
			for _, replica := range info.Cluster.Replicas {
				if replica.Current {
					current++
				}
			}
		}
		return current == 3*2
	}, "the replicas do not have the data")
	nodes[2].kill()
	hub(3, 3)
}
