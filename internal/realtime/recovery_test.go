package realtime

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/nats-io/nats.go/jetstream"
)

func TestRecovery_ResetConnectionLosesNothing(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada")
	r.publish(Everyone(), "seen")
	c.expect("seen")
	c.reset()
	r.publish(Everyone(), "missed-1")
	r.publish(User("ada"), "missed-2")
	r.publish(User("bob"), "not-hers")
	again := c.recover(r)
	if again.hello.ConnectionID != c.hello.ConnectionID || again.hello.ReconnectionToken == "" {
		t.Errorf("greeting after recovery = %+v", again.hello)
	}
	again.expect("seen", "missed-1", "missed-2") // "seen" was not acknowledged; the client drops it by its sequence number
	r.publish(Everyone(), "live")
	again.expect("live")
}

func TestRecovery_AcknowledgedMessagesAreNotRepeated(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada")
	r.publish(Everyone(), "a", "b", "c")
	last := c.expect("a", "b")
	c.expect("c")
	c.send(`{"type":"sequenceAck","sequenceId":%d}`, last)
	c.settle()
	c.reset()
	r.publish(Everyone(), "d")
	c.recover(r).expect("c", "d")
}

func TestRecovery_HalfOpenConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada")
	// The server has not noticed that c is dead: no FIN, no RST.
	r.publish(User("ada"), "lost-on-the-way")
	again := c.recover(r)
	again.expect("lost-on-the-way")
	if _, err := drain(c); err == nil {
		t.Error("the replaced connection is still open")
	}
	again.settle()
	again.reset()
	third := again.recover(r)
	third.expect("lost-on-the-way")
	third.expectNothing(r)
}

// drain reads until the connection ends.
func drain(c *client) (frames []frame, err error) {
	for range 10_000 {
		f, err := c.read()
		if err != nil {
			return frames, err
		}
		frames = append(frames, f)
	}
	return frames, nil
}

func TestRecovery_GoodbyeEndsTheSessionAndOtherClosesDoNot(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	for _, test := range []struct {
		name    string
		frame   ws.Frame
		goodbye bool
	}{
		{"page goes away", ws.NewCloseFrame(ws.NewCloseFrameBody(1001, "")), true},
		{"normal", ws.NewCloseFrame(ws.NewCloseFrameBody(1000, "")), true},
		{"keep-alive timed out, no code", ws.NewCloseFrame(nil), false},
		{"some trouble", ws.NewCloseFrame(ws.NewCloseFrameBody(1011, "")), false},
	} {
		c := r.connect("user of " + test.name)
		if err := ws.WriteFrame(c.conn, ws.MaskFrame(test.frame)); err != nil {
			t.Fatal(err)
		}
		var closed errClosed
		if _, err := drain(c); !errors.As(err, &closed) {
			t.Errorf("%s: the close frame was not answered: %v", test.name, err)
		}
		_ = c.conn.Close()
		eventually(t, test.name, func() bool { return !r.connected(c.hello.ConnectionID) })
		if test.goodbye {
			eventually(t, test.name, func() bool { return !r.known(c.hello.ConnectionID) })
			continue
		}
		c.recover(r).settle()
	}
}

func TestRecovery_EchoOfOurOwnCloseIsNoGoodbye(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	a, b := startHub(t, n, nil), startHub(t, n, nil)
	c := a.connect("ada")
	go a.stop()
	c.expectClose(closeRestart)
	if err := ws.WriteFrame(c.conn, ws.MaskFrame(ws.NewCloseFrame(ws.NewCloseFrameBody(1001, "")))); err != nil {
		t.Fatal(err)
	}
	b.publish(User("ada"), "for-later")
	c.recover(b).expect("for-later")
}

func TestRecovery_SessionWaitsForItsClientAndThenEnds(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Clock = clk })
	c := r.connect("ada")
	c.reset()
	eventually(t, "loss noticed", func() bool { return !r.connected(c.hello.ConnectionID) })
	r.advance(clk, 39*time.Second)
	c = c.recover(r)
	c.reset()
	eventually(t, "loss noticed", func() bool { return !r.connected(c.hello.ConnectionID) })
	r.advance(clk, 41*time.Second)
	eventually(t, "session ended", func() bool { return !r.known(c.hello.ConnectionID) })
}

// Spec: LIVE-5
func TestRecovery_BeyondTheWindowStartsAfresh(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Clock, o.Limits.SessionTTL = clk, time.Hour })
	c := r.connect("ada")
	c.reset()
	eventually(t, "loss noticed", func() bool { return !r.connected(c.hello.ConnectionID) })
	r.publish(User("ada"), "too-old-to-recover")
	r.catchUp()
	r.advance(clk, 61*time.Second)
	eventually(t, "message dropped", func() bool {
		r.log.mu.RLock()
		defer r.log.mu.RUnlock()
		return len(r.log.entries) == 0
	})
	dialOpen(t, c.recoveryURL(r), protocolReliable).expectClose(closePolicy)
}

func TestRecovery_QuietSessionOutlivesTheWindow(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Clock, o.Limits.Silence = clk, time.Hour })
	c := r.connect("ada")
	for i := range 5 { // other users' messages are added and dropped
		r.publish(User("bob"), fmt.Sprint(i))
		eventually(t, "cursor moved on", func() bool {
			r.Hub.mu.Lock()
			s := r.Hub.sessions[c.hello.ConnectionID]
			r.Hub.mu.Unlock()
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.position() == uint64(i+1)
		})
		r.advance(clk, 50*time.Second)
	}
	c.reset()
	r.publish(User("ada"), "hers")
	c.recover(r).expect("hers")
}

func TestRecovery_ClientThatFallsTooFarBehindStartsAfresh(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	for name, publish := range map[string]func(r *replica, i int) error{
		"by messages": func(r *replica, i int) error {
			return r.Publish(t.Context(), Message{fmt.Sprint(i), User("ada"), large(10)})
		},
		"by bytes": func(r *replica, i int) error {
			return r.Publish(t.Context(), Message{fmt.Sprint(i), User("ada"), large(60_000)})
		},
	} {
		r := startHub(t, n, func(o *Options) {
			o.Name = map[string]string{"by messages": "a", "by bytes": "b"}[name]
			o.Limits.PendingMessages, o.Limits.PendingBytes = 50, 1<<20
		})
		slow, away, other := r.connect("ada"), r.connect("ada"), r.connect("bob")
		away.reset()
		for i := range 55 {
			if err := publish(r, i); err != nil {
				t.Fatal(err)
			}
		}
		// slow has read, but not acknowledged, messages.
		_, err := drain(slow)
		var closed errClosed
		if !errors.As(err, &closed) || closed.code != 1008 {
			t.Errorf("%s: slow client: %v, want 1008", name, err)
		}
		for _, c := range []*client{slow, away} {
			dialOpen(t, c.recoveryURL(r), protocolReliable).expectClose(closePolicy)
		}
		other.settle() // messages of others do not count
	}
}

func TestRecovery_RestartLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*replica){"drained": func(r *replica) { r.stop() }, "crashed": (*replica).kill} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			n := startNATS(t, dir)
			r := startHub(t, n, nil)
			c := r.connect("ada", RoleJoinLeaveGroup)
			r.publish(Group("g"), "before-joining")
			r.catchUp()
			if f := c.ask(`{"type":"joinGroup","group":"g","ackId":1}`); !f.Success {
				t.Fatalf("join: %+v", f)
			}
			r.publish(Everyone(), "acknowledged")
			c.send(`{"type":"sequenceAck","sequenceId":%d}`, c.expect("acknowledged"))
			c.settle()
			r.publish(Everyone(), "not-acknowledged")
			c.expect("not-acknowledged")
			closed := make(chan error, 1)
			go func() { _, err := drain(c); _ = c.conn.Close(); closed <- err }()
			stop(r)
			if err := <-closed; name == "drained" && err.Error() != (errClosed{1012, ""}).Error() {
				t.Errorf("drained hub closed with %v, want 1012", err)
			}
			n.Close()

			r = startHub(t, startNATS(t, dir), nil)
			r.publish(Group("g"), "to-the-group")
			r.publish(User("ada"), "to-her", "not-acknowledged") // the same id again, as the outbox would send after a crash
			again := c.recover(r)
			got := []string{}
			for len(got) == 0 || got[len(got)-1] != "to-her" {
				got = append(got, again.next().id())
			}
			// A crash may have lost the last acknowledgement: the client drops duplicates by sequence number.
			if name == "crashed" && got[0] == "acknowledged" {
				got = got[1:]
			}
			if want := []string{"not-acknowledged", "to-the-group", "to-her"}; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("after the restart: %v, want %v", got, want)
			}
			again.expectNothing(r)
		})
	}
}

func TestRecovery_SessionMovesBetweenReplicas(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	// A replica notices that it has lost a session when it saves it, after a sixth of the window at the latest.
	shortWindow := func(o *Options) { o.Limits.Window = 3 * time.Second }
	a, b := startHub(t, n, shortWindow), startHub(t, n, shortWindow)
	c := a.connect("ada", RoleJoinLeaveGroup)
	var want []string
	for round, to := range []*replica{b, a, b, b, a} {
		group := fmt.Sprintf("g%d", round)
		if f := c.ask(`{"type":"joinGroup","group":%q,"ackId":1}`, group); !f.Success {
			t.Fatalf("join: %+v", f)
		}
		a.publish(Everyone(), fmt.Sprintf("%d-from-a", round))
		b.publish(Group("g0"), fmt.Sprintf("%d-group", round))
		want = []string{fmt.Sprintf("%d-from-a", round), fmt.Sprintf("%d-group", round)}
		last := c.expect(want...)
		c.send(`{"type":"sequenceAck","sequenceId":%d}`, last)
		c.settle()
		if round%2 == 0 {
			c.reset() // otherwise half open: the replica it leaves still has its connection
		}
		missed := fmt.Sprintf("%d-missed", round)
		a.publish(User("ada"), missed)
		c = c.recover(to)
		for f := c.next(); f.id() != missed; f = c.next() {
			if f.SequenceID > last {
				t.Fatalf("round %d: unexpected %+v", round, f)
			}
		}
	}
	eventually(t, "one replica alone keeps the session", func() bool {
		return a.known(c.hello.ConnectionID) != b.known(c.hello.ConnectionID)
	})
}

func TestRecovery_ReplicaThatLostASessionDoesNotTakeItBack(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	a, b := startHub(t, n, nil), startHub(t, n, nil)
	c := a.connect("ada", RoleJoinLeaveGroup)
	moved := c.recover(b)
	if f := moved.ask(`{"type":"joinGroup","group":"g","ackId":1}`); !f.Success {
		t.Fatalf("join: %+v", f)
	}
	// The old connection still reaches a, which does not know the group and must not overwrite the record.
	if f := c.ask(`{"type":"joinGroup","group":"stale","ackId":2}`); f.Success {
		t.Error("the replica that lost the session saved it")
	}
	moved.reset()
	back := moved.recover(a)
	b.publish(Group("g"), "kept")
	b.publish(Group("stale"), "not-joined")
	back.expect("kept")
	back.expectNothing(b)
}

func TestRecovery_ClosedSessionEndsEverywhereAndForGood(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	a, b := startHub(t, n, nil), startHub(t, n, nil)
	victim := []*client{dial(t, a.url("ada", "s-1"), protocolReliable), dial(t, b.url("ada", "s-1"), protocolReliable),
		dial(t, a.url("ada", "s-1"), protocolPlain)}
	lost := dial(t, a.url("ada", "s-1"), protocolReliable)
	lost.reset()
	eventually(t, "loss noticed", func() bool { return !a.connected(lost.hello.ConnectionID) })
	other := []*client{dial(t, b.url("ada", "s-2"), protocolReliable), dial(t, a.url("bob", "s-3"), protocolReliable)}
	if err := b.CloseSession(t.Context(), "s-1"); err != nil {
		t.Fatal(err)
	}
	for _, c := range victim {
		c.expectClose(closePolicy)
	}
	for _, r := range []*replica{a, b} {
		for _, c := range []*client{victim[0], victim[1], lost} {
			dialOpen(t, c.recoveryURL(r), protocolReliable).expectClose(closePolicy)
			if got := dialStatus(t, c.url, protocolReliable, nil); c.conn != nil && r == a && got != http.StatusUnauthorized {
				t.Errorf("access URL of the closed session: %d, want 401", got)
			}
		}
	}
	for _, c := range other {
		c.settle()
	}
}

func TestRecovery_ClosedUserMaySignInAgain(t *testing.T) {
	t.Parallel()
	clk := fakeClock()
	n := startNATS(t, t.TempDir())
	withClock := func(o *Options) { o.Clock = clk }
	a, b := startHub(t, n, withClock), startHub(t, n, withClock)
	old := []*client{dial(t, a.url("ada", "s-1"), protocolReliable), dial(t, b.url("ada", "s-2"), protocolReliable)}
	bob := b.connect("bob")
	if err := a.CloseUser(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	clk.Advance(time.Millisecond)
	fresh := dial(t, b.url("ada", "s-4"), protocolReliable)
	for _, c := range old {
		c.expectClose(closePolicy)
		dialOpen(t, c.recoveryURL(b), protocolReliable).expectClose(closePolicy)
		if got := dialStatus(t, c.url, protocolReliable, nil); got != http.StatusUnauthorized {
			t.Errorf("old access URL: %d, want 401", got)
		}
	}
	fresh.expectNothing(a)
	fresh.reset()
	fresh.recover(a).next() // the message it had not acknowledged
	bob.expectNothing(b)
}

func TestRecovery_CloseReachesASessionWhoseReplicaCrashed(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	a, b := startHub(t, n, nil), startHub(t, n, nil)
	c := a.connect("ada")
	a.kill()
	if err := b.CloseSession(t.Context(), "session-of-ada"); err != nil {
		t.Fatal(err)
	}
	b.publish(User("ada"), "not-for-her-any-more")
	dialOpen(t, c.recoveryURL(b), protocolReliable).expectClose(closePolicy)
}

func TestRecovery_StreamMadeAnewStartsEverybodyAfresh(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	r := startHub(t, n, nil)
	c := r.connect("ada")
	r.publish(Everyone(), "1", "2", "3")
	c.expect("1", "2", "3")
	if err := n.JetStream().DeleteStream(t.Context(), r.stream()); err != nil {
		t.Fatal(err)
	}
	c.expectClose(closePolicy)
	dialOpen(t, c.recoveryURL(r), protocolReliable).expectClose(closePolicy)
	again := r.connect("ada")
	r.publish(Everyone(), "4")
	if last := again.expect("4"); last != 1 {
		t.Errorf("sequence in the new stream = %d", last)
	}
}

func TestRecovery_HubSurvivesTheLossOfItsConsumer(t *testing.T) {
	t.Parallel()
	n := startNATS(t, t.TempDir())
	r := startHub(t, n, nil)
	c := r.connect("ada")
	r.publish(Everyone(), "before")
	stream, err := n.JetStream().Stream(t.Context(), r.stream())
	if err != nil {
		t.Fatal(err)
	}
	for name := range stream.ConsumerNames(t.Context()).Name() {
		if err := stream.DeleteConsumer(t.Context(), name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			t.Fatal(err)
		}
	}
	r.publish(Everyone(), "after")
	c.expect("before", "after")
}
