package realtime

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// modelClient behaves like the vendor's: it drops duplicates by sequence number, and recovers when a connection ends.
type modelClient struct {
	user   string
	conn   *client
	groups []string
	want   []string // ids of the messages for it, in the order of publishing
	acks   chan frame

	mu   sync.Mutex
	seen uint64
	got  []string
}

// listen reads from the current connection until it ends.
func (m *modelClient) listen() {
	go func(c *client) {
		for {
			f, err := c.read()
			if err != nil {
				_ = c.conn.Close()
				return
			}
			switch f.Type {
			case "ack":
				m.acks <- f
			case "message":
				m.mu.Lock()
				if f.SequenceID > m.seen {
					m.seen = f.SequenceID
					m.got = append(m.got, f.id())
				}
				m.mu.Unlock()
			}
		}
	}(m.conn)
}

// caughtUp reports whether the client has received as many messages as were sent to it.
func (m *modelClient) caughtUp() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.got) >= len(m.want)
}

// TestModel_NoScheduleOfFailuresLosesOrDoublesAMessage tries random sequences of publishing, reading, breaking
// connections, moving between replicas, draining and crashing.
// Spec: LIVE-23
func TestModel_NoScheduleOfFailuresLosesOrDoublesAMessage(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		start := func() *replica { return startHub(t, n, func(o *Options) { o.Limits.FrameBurst = 1000 }) }
		ada, bob := fmt.Sprint("ada", run), fmt.Sprint("bob", run)
		replicas := []*replica{start(), start()}
		anyReplica := func() int { return rapid.IntRange(0, len(replicas)-1).Draw(rt, "replica") }
		clients := []*modelClient{{user: ada}, {user: ada}, {user: bob}}
		defer func() {
			for _, m := range clients {
				_ = m.conn.conn.Close()
			}
			for _, r := range replicas {
				r.stop()
			}
		}()
		for i, m := range clients {
			m.acks = make(chan frame, 1)
			m.conn = replicas[i%2].connect(m.user, RoleJoinLeaveGroup)
			m.listen()
		}
		anyClient := func() *modelClient { return rapid.SampledFrom(clients).Draw(rt, "client") }
		published := 0
		publish := func(to Target, isFor func(*modelClient) bool) {
			id := fmt.Sprintf("%d-%d", run, published)
			published++
			replicas[anyReplica()].publish(to, id)
			for _, m := range clients {
				if isFor(m) {
					m.want = append(m.want, id)
				}
			}
		}
		wait := func(ms ...*modelClient) {
			for _, m := range ms {
				eventually(t, "messages of "+m.user, m.caughtUp)
			}
		}
		recover := func(m *modelClient) {
			m.conn = m.conn.recover(replicas[anyReplica()])
			m.listen()
		}
		ask := func(m *modelClient, request, group string) {
			m.conn.send(request, group)
			if f := <-m.acks; !f.Success {
				rt.Fatalf("%s: %+v", request, f)
			}
		}
		// When a replica stops, its clients recover at another one or at its successor.
		restart := func(stop func(*replica)) {
			i := anyReplica()
			stop(replicas[i])
			replicas[i] = start()
			for _, m := range clients {
				_ = m.conn.conn.Close()
				recover(m)
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"publish to all":  func(*rapid.T) { publish(Everyone(), func(*modelClient) bool { return true }) },
			"publish to user": func(*rapid.T) { publish(User(ada), func(m *modelClient) bool { return m.user == ada }) },
			"publish to group": func(rt *rapid.T) {
				group := rapid.SampledFrom([]string{"g", "h"}).Draw(rt, "group")
				publish(Group(group), func(m *modelClient) bool { return slices.Contains(m.groups, group) })
			},
			"acknowledge": func(*rapid.T) {
				m := anyClient()
				m.mu.Lock()
				seen := m.seen
				m.mu.Unlock()
				m.conn.send(`{"type":"sequenceAck","sequenceId":%d}`, seen)
			},
			"join": func(rt *rapid.T) {
				m, group := anyClient(), rapid.SampledFrom([]string{"g", "h"}).Draw(rt, "group")
				for _, r := range replicas {
					r.catchUp() // a message still in flight counts as sent after the join
				}
				ask(m, `{"type":"joinGroup","group":%q,"ackId":1}`, group)
				if !slices.Contains(m.groups, group) {
					m.groups = append(m.groups, group)
				}
			},
			"leave": func(rt *rapid.T) {
				m, group := anyClient(), rapid.SampledFrom([]string{"g", "h"}).Draw(rt, "group")
				wait(m)
				ask(m, `{"type":"leaveGroup","group":%q,"ackId":1}`, group)
				m.groups = slices.DeleteFunc(m.groups, func(g string) bool { return g == group })
			},
			"reset":     func(*rapid.T) { m := anyClient(); m.conn.reset(); recover(m) },
			"half open": func(*rapid.T) { m := anyClient(); old := m.conn; recover(m); _ = old.conn.Close() },
			"drain":     func(*rapid.T) { restart(func(r *replica) { r.stop() }) },
			"crash":     func(*rapid.T) { restart((*replica).kill) },
			"wait":      func(*rapid.T) { wait(clients...) },
		})
		publish(Everyone(), func(*modelClient) bool { return true })
		wait(clients...)
		for _, m := range clients {
			if !slices.Equal(m.got, m.want) {
				rt.Fatalf("%s in %v got %v\nwant %v", m.user, m.groups, m.got, m.want)
			}
		}
	})
}
