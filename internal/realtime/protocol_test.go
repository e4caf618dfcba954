package realtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/gobwas/ws"
)

func TestProtocol_GreetingNamesUserConnectionAndReconnectionToken(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	a, b := r.connect("ada"), r.connect("ada")
	if a.hello.UserID != "ada" || a.hello.ConnectionID == "" || len(a.hello.ReconnectionToken) < 32 {
		t.Errorf("greeting = %+v", a.hello)
	}
	if a.hello.ConnectionID == b.hello.ConnectionID || a.hello.ReconnectionToken == b.hello.ReconnectionToken {
		t.Error("two connections share an id or a token")
	}
	if plain := dial(t, r.url("ada", "s"), protocolPlain); plain.hello.ReconnectionToken != "" {
		t.Error("the subprotocol without recovery got a reconnection token")
	}
}

func TestProtocol_MessagesReachTheirTargetsInOrder(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	ada, ada2, bob := r.connect("ada"), r.connect("ada"), r.connect("bob", RoleJoinLeaveGroup)
	if f := bob.ask(`{"type":"joinGroup","group":"g.1 >","ackId":1}`); !f.Success || f.AckID != 1 {
		t.Fatalf("join = %+v", f)
	}
	r.publish(Everyone(), "all-1")
	r.publish(User("ada"), "ada-1")
	r.publish(User("bob"), "bob-1")
	r.publish(Group("g.1 >"), "group-1")
	r.publish(Group("g.2"), "other-group")
	r.publish(User("ad"), "somebody-else")
	r.publish(Everyone(), "all-2")
	ada.expect("all-1", "ada-1", "all-2")
	ada2.expect("all-1", "ada-1", "all-2")
	bob.expect("all-1", "bob-1", "group-1", "all-2")
}

func TestProtocol_MessageHasTheVendorsShape(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	reliable, plain := r.connect("ada"), dial(t, r.url("ada", "s"), protocolPlain)
	data := json.RawMessage(`{"channelId":"listing","type":"new","payload":{"listingId":"7"}}`)
	if err := r.Publish(t.Context(), Message{"row-1", Everyone(), data}); err != nil {
		t.Fatal(err)
	}
	read := func(c *client) string {
		h, err := ws.ReadHeader(c.r)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, h.Length)
		if _, err := io.ReadFull(c.r, b); err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	tail := fmt.Sprintf(`"type":"message","from":"server","dataType":"json","data":%s}`, data)
	if got, want := read(reliable), `{"sequenceId":1,`+tail; got != want {
		t.Errorf("reliable message = %s\nwant %s", got, want)
	}
	if got, want := read(plain), "{"+tail; got != want {
		t.Errorf("plain message = %s\nwant %s", got, want)
	}
}

func TestProtocol_FramesOfEveryLengthArriveWhole(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada")
	sizes := []int{1, 40, 50, 60, 125, 126, 127, 65_400, 65_535, 65_536, 200_000}
	for i, size := range sizes {
		if err := r.Publish(t.Context(), Message{fmt.Sprint(i), User("ada"), large(size)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range sizes {
		if f := c.next(); !bytes.Equal(f.Data, large(size)) {
			t.Fatalf("message of %d bytes arrived as %d", size, len(f.Data)-2)
		}
	}
}

func TestProtocol_SameIDIsDeliveredOnce(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada")
	r.publish(Everyone(), "row-1", "row-1", "row-2", "row-1")
	c.expect("row-1", "row-2")
	c.expectNothing(r)
}

func TestProtocol_PublishRefusesWhatCannotBeSent(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), func(o *Options) { o.Limits.PublishBytes = 1000 })
	for name, call := range map[string]struct {
		id   string
		to   Target
		data json.RawMessage
	}{
		"no id":        {"", Everyone(), json.RawMessage(`1`)},
		"no target":    {"x", Target{}, json.RawMessage(`1`)},
		"nameless":     {"x", User(""), json.RawMessage(`1`)},
		"not JSON":     {"x", Everyone(), json.RawMessage(`{"a":`)},
		"nothing":      {"x", Everyone(), nil},
		"two values":   {"x", Everyone(), json.RawMessage(`1,"x":2`)},
		"much too big": {"x", Everyone(), large(1001)},
	} {
		if err := r.Publish(t.Context(), Message{call.id, call.to, call.data}); err == nil {
			t.Errorf("%s: published", name)
		}
	}
}

// What a caller publishes again after an error arrives once, and in its order.
func TestProtocol_MessagesPublishedTogetherArriveInOrderAndOnce(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	ada := r.connect("ada")
	all := make([]Message, 200)
	want := make([]string, len(all))
	for i := range all {
		want[i] = fmt.Sprint("m", i)
		all[i] = Message{want[i], User("ada"), json.RawMessage(fmt.Sprintf(`{"id":%q}`, want[i]))}
	}
	broken := slices.Clone(all)
	broken[100].Data = json.RawMessage(`{`)
	if err := r.Publish(t.Context(), broken...); err == nil {
		t.Error("published what is not JSON")
	}
	ada.expect(want[:100]...)
	if err := r.Publish(t.Context(), all...); err != nil {
		t.Fatal(err)
	}
	ada.expect(want[100:]...)
	ada.expectNothing(r)
}

func TestProtocol_ConcurrentPublishersLoseNothing(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	clients := []*client{r.connect("ada"), r.connect("bob"), r.connect("cyd")}
	const publishers, each = 8, 100
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			for _, id := range numbers(fmt.Sprintf("p%d-", p), each) {
				if err := r.Publish(t.Context(), Message{id, Everyone(), json.RawMessage(fmt.Sprintf(`{"id":%q}`, id))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, c := range clients {
		seen := make(map[string]bool)
		last := uint64(0)
		for range publishers * each {
			f := c.next()
			if f.SequenceID <= last {
				t.Fatalf("sequence %d after %d: the client would drop it", f.SequenceID, last)
			}
			last = f.SequenceID
			seen[f.id()] = true
		}
		if len(seen) != publishers*each {
			t.Errorf("%d different messages of %d", len(seen), publishers*each)
		}
	}
}

func TestProtocol_EveryRequestIsAnswered(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada")
	if f := c.ask(`{"type":"ping"}`); f.Type != "pong" {
		t.Errorf("ping: %+v", f)
	}
	if f := c.ask(`{"type":"event","event":"e","ackId":4,"dataType":"json","data":{}}`); f.Type != "ack" || f.AckID != 4 || !f.Success {
		t.Errorf("event: %+v", f)
	}
	if f := c.ask(`{"type":"invoke","invocationId":"9","target":"event","event":"e"}`); f.Type != "invokeResponse" || f.InvocationID != "9" ||
		f.Success || f.Error == nil {
		t.Errorf("invoke: %+v", f)
	}
	if err := ws.WriteFrame(c.conn, ws.MaskFrame(ws.NewPingFrame([]byte("hi")))); err != nil {
		t.Fatal(err)
	}
	if f := c.next(); f.Type != "websocket pong" || f.Message != "hi" {
		t.Errorf("WebSocket ping: %+v", f)
	}
}

func TestProtocol_WhatIsNotKnownIsIgnored(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada")
	c.send(`{"type":"fromTheFuture","group":"g","ackId":1}`)
	c.send(`{}`)
	c.send(`{"type":"cancelInvocation","invocationId":"1"}`)
	c.send(`{"type":"sequenceAck","sequenceId":99999}`)
	c.send(`{"type":"event","event":"nobody waits for an answer"}`)
	c.settle()
}

func TestProtocol_GroupsNeedARole(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	join := `{"type":"joinGroup","group":%q,"ackId":1}`
	leave := `{"type":"leaveGroup","group":%q,"ackId":1}`
	send := `{"type":"sendToGroup","group":%q,"ackId":1,"dataType":"text","data":"hi"}`
	for _, test := range []struct {
		role, request, group string
		allowed              bool
	}{
		{"", join, "g", false},
		{"", leave, "g", false},
		{"", send, "g", false},
		{RoleJoinLeaveGroup, join, "g", true},
		{RoleJoinLeaveGroup, leave, "g", true},
		{RoleJoinLeaveGroup, send, "g", false},
		{RoleJoinLeaveGroup + ".g", join, "g", true},
		{RoleJoinLeaveGroup + ".g", join, "g2", false},
		{RoleSendToGroup, send, "g", true},
		{RoleSendToGroup, join, "g", false},
		{RoleSendToGroup + ".g", send, "g", true},
		{RoleSendToGroup + ".g", send, "h", false},
		{RoleJoinLeaveGroup, join, "", false},
	} {
		c := r.connect(fmt.Sprintf("%s %.12s %s", test.role, test.request, test.group), test.role)
		f := c.ask(test.request, test.group)
		if f.Type != "ack" || f.AckID != 1 || f.Success != test.allowed {
			t.Errorf("role %q: "+test.request+" = %+v", test.role, test.group, f)
		}
		if !test.allowed && (f.Error == nil || f.Error.Name != "Forbidden") {
			t.Errorf("role %q: "+test.request+" refused with %+v", test.role, test.group, f.Error)
		}
	}
}

func TestProtocol_GroupMessageTellsItsSenderAndSparesTheEcho(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	ada, bob := r.connect("ada", RoleJoinLeaveGroup, RoleSendToGroup), r.connect("bob", RoleJoinLeaveGroup)
	for _, c := range []*client{ada, bob} {
		if f := c.ask(`{"type":"joinGroup","group":"g","ackId":1}`); !f.Success {
			t.Fatalf("join: %+v", f)
		}
	}
	ada.send(`{"type":"sendToGroup","group":"g","ackId":2,"noEcho":true,"dataType":"json","data":{"id":"quiet"}}`)
	if f := ada.next(); f.Type != "ack" || !f.Success {
		t.Fatalf("answer = %+v, want an ack and no echo", f)
	}
	ada.send(`{"type":"sendToGroup","group":"g","dataType":"json","data":{"id":"loud"}}`)
	ada.expect("loud")
	f := bob.next()
	if f.id() != "quiet" || f.From != "group" || f.Group != "g" || f.FromUserID != "ada" || f.DataType != "json" {
		t.Errorf("message = %+v", f)
	}
	bob.expect("loud")
	if f := bob.ask(`{"type":"leaveGroup","group":"g","ackId":3}`); !f.Success {
		t.Fatalf("leave: %+v", f)
	}
	r.publish(Group("g"), "after-leaving")
	bob.expectNothing(r)
}

func TestProtocol_RepeatedAckIDIsADuplicate(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada", RoleSendToGroup)
	const send = `{"type":"sendToGroup","group":"g","ackId":7,"dataType":"json","data":1}`
	if f := c.ask(send); !f.Success {
		t.Fatalf("first: %+v", f)
	}
	if f := c.ask(send); f.Success || f.Error == nil || f.Error.Name != "Duplicate" {
		t.Errorf("second: %+v", f)
	}
	c.reset()
	if f := c.recover(r).ask(send); f.Success || f.Error == nil || f.Error.Name != "Duplicate" {
		t.Errorf("after recovery: %+v", f)
	}
}

func TestProtocol_GroupDataMustFitItsType(t *testing.T) {
	t.Parallel()
	r := startHub(t, startNATS(t, t.TempDir()), nil)
	c := r.connect("ada", RoleSendToGroup)
	for i, test := range []struct {
		dataType, data string
		valid          bool
	}{
		{"json", `{"a":[1,null]}`, true}, {"json", `null`, true}, {"text", `"t"`, true}, {"binary", `"aGk="`, true},
		{"protobuf", `"aGk="`, true}, {"text", `5`, false}, {"text", `null`, false}, {"binary", `"%"`, false},
		{"xml", `"x"`, false}, {"", `"x"`, false},
	} {
		f := c.ask(`{"type":"sendToGroup","group":"g","ackId":%d,"dataType":%q,"data":%s}`, i, test.dataType, test.data)
		if f.AckID != uint64(i) || f.Success != test.valid {
			t.Errorf("%s %s: %+v", test.dataType, test.data, f)
		}
	}
}
