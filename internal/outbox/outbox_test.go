package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/announce"
	"pantheon/internal/outbox"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var errDown = errors.New("the channel is down")

// channel is the realtime channel: it delivers each id once and can fail before or after the delivery.
type channel struct {
	mu        sync.Mutex
	attempts  []string // ids of all publish calls
	delivered []string // "player: data", each id once
	seen      map[string]bool
	closed    []string                         // sessions whose connections were closed
	fail      func(n int) (before, after bool) // called with the number of the attempt, from 1
}

func (c *channel) Publish(_ context.Context, messages ...outbox.Message) error {
	for _, m := range messages {
		if err := c.publish(m.ID, m.Player, m.Data); err != nil {
			return err
		}
	}
	return nil
}

func (c *channel) publish(id, player string, data json.RawMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.attempts = append(c.attempts, id)
	before, after := false, false
	if c.fail != nil {
		before, after = c.fail(len(c.attempts))
	}
	if before {
		return errDown
	}
	if !c.seen[id] {
		if c.seen == nil {
			c.seen = map[string]bool{}
		}
		c.seen[id] = true
		c.delivered = append(c.delivered, player+": "+string(data))
	}
	if after {
		return errDown
	}
	return nil
}

// composer composes messages from the current state.
type composer struct {
	mu    sync.Mutex
	state map[string]int // by listing; absent if gone
}

func (c *channel) CloseSession(_ context.Context, sessionID string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail != nil {
		if before, _ := c.fail(len(c.closed) + 1); before {
			return errDown
		}
	}
	c.closed = append(c.closed, sessionID)
	return nil
}

func (c *composer) Compose(_ context.Context, announcements []announce.Announcement) (map[string]announce.Realtime, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string]announce.Realtime{}
	for _, a := range announcements {
		if state, ok := c.state[a.Payload]; ok {
			out[a.ID] = announce.Realtime{ChannelID: "change", Type: string(a.Topic), Payload: fmt.Sprintf("%s is %d", a.Payload, state)}
		}
	}
	return out, nil
}

func say(t testing.TB, db *store.DB, announcements ...announce.Announcement) {
	t.Helper()
	err := db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for _, a := range announcements {
			if err := tx.Announce(ctx, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func message(player, text string) announce.Announcement {
	return announce.Announcement{Topic: announce.Message, Target: player, Payload: `"` + text + `"`}
}

func listing(topic announce.Topic, id string) announce.Announcement {
	return announce.Announcement{Topic: topic, Payload: id}
}

func left(t testing.TB, db *store.DB) int {
	t.Helper()
	rows, err := store.Outbox{DB: db}.Announcements(t.Context(), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return len(rows)
}

func TestOutbox_AnnouncementsGoOutInTheOrderTheyWereMade(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := &channel{}
		box := outbox.New(store.Outbox{DB: db}, c, &composer{state: map[string]int{"1": 5}})
		var want []string
		for i := range 450 { // more than two batches
			say(t, db, message(fmt.Sprintf("player%d", i%3), fmt.Sprint(i)))
			want = append(want, fmt.Sprintf("player%d: %q", i%3, fmt.Sprint(i)))
		}
		for range 3 {
			if _, err := box.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(c.delivered, want) {
			t.Errorf("delivered %d in another order, want %d", len(c.delivered), len(want))
		}
		if n := left(t, db); n != 0 {
			t.Errorf("%d rows are left", n)
		}
		if n, err := box.Step(t.Context()); n != 0 || err != nil {
			t.Errorf("an empty outbox sent %d, %v", n, err)
		}
	})
}

// Consecutive changes of a listing become one message, with the latest state; messages about its start and end are
// separate.
func TestOutbox_ChangesOfAListingAreFolded(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := &channel{}
		box := outbox.New(store.Outbox{DB: db}, c, &composer{state: map[string]int{"1": 5, "2": 8}})
		say(t, db, listing(announce.ListingNew, "1"), listing(announce.Listing, "1"), listing(announce.Listing, "2"), message("A", "hello"),
			listing(announce.Listing, "1"), listing(announce.Listing, "taken back"), listing(announce.Listing, "1"),
			listing(announce.ListingGone, "2"))
		n, err := box.Step(t.Context())
		if n != 8 || err != nil {
			t.Errorf("%d rows done, %v; want 8", n, err)
		}
		live := func(kind, text string) string {
			return fmt.Sprintf(`: {"channelId":"change","type":%q,"payload":%q}`, kind, text)
		}
		want := []string{
			live("listing-new", "1 is 5"), live("listing", "2 is 8"), `A: "hello"`, live("listing", "1 is 5"), live("listing-gone", "2 is 8"),
		}
		if !slices.Equal(c.delivered, want) {
			t.Errorf("delivered\n%s\nwant\n%s", strings.Join(c.delivered, "\n"), strings.Join(want, "\n"))
		}
		if n := left(t, db); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	})
}

// Any number of changes of the packs for sale becomes one message with the current number.
// Spec: LIVE-10
func TestOutbox_ChangesOfThePacksForSaleAreFolded(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c, state := &channel{}, &composer{state: map[string]int{"": 9, "1": 5}}
		box := outbox.New(store.Outbox{DB: db}, c, state)
		packs := announce.Announcement{Topic: announce.Packs}
		say(t, db, packs, listing(announce.Listing, "1"), packs, message("A", "hello"), packs)
		state.state[""] = 3
		if n, err := box.Step(t.Context()); n != 5 || err != nil {
			t.Errorf("%d rows done, %v; want 5", n, err)
		}
		want := []string{
			`: {"channelId":"change","type":"listing","payload":"1 is 5"}`, `A: "hello"`,
			`: {"channelId":"change","type":"packs","payload":" is 3"}`,
		}
		if !slices.Equal(c.delivered, want) {
			t.Errorf("delivered\n%s\nwant\n%s", strings.Join(c.delivered, "\n"), strings.Join(want, "\n"))
		}
	})
}

// After a failure between publishing and deleting, the same id is published again, so that nothing is lost and nothing
// is delivered twice.
func TestOutbox_RowIsSentAgainUnderItsIdUntilItIsRemoved(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		// Each run gets one row further than the one before, and fails alternately before and after publishing.
		c := &channel{fail: func(n int) (before, after bool) { return n == 1 || n == 6, n == 3 || n == 10 }}
		var want []string
		for i := range 5 {
			say(t, db, message("A", fmt.Sprint(i)))
			want = append(want, fmt.Sprintf("A: %q", fmt.Sprint(i)))
		}
		rows, err := store.Outbox{DB: db}.Announcements(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		failures := 0
		for range 100 {
			// A new service each time, as after a crash.
			_, err := outbox.New(store.Outbox{DB: db}, c, &composer{}).Step(t.Context())
			if err == nil {
				break
			}
			if !errors.Is(err, errDown) {
				t.Fatal(err)
			}
			failures++
			if n := left(t, db); n != 5 {
				t.Fatalf("%d rows are left after a failure, want all 5", n)
			}
		}
		if failures != 4 || left(t, db) != 0 {
			t.Fatalf("%d failures, %d rows left", failures, left(t, db))
		}
		if !slices.Equal(c.delivered, want) {
			t.Errorf("delivered %v, want %v", c.delivered, want)
		}
		known := map[string]bool{}
		for _, r := range rows {
			known[r.ID] = true
		}
		for _, id := range c.attempts {
			if !known[id] {
				t.Errorf("sent under the id %s, which is no row's", id)
			}
		}
	})
}

// removing is a store whose process dies after the messages were sent and before their rows were deleted.
type removing struct {
	store.Outbox
	die bool
}

func (r *removing) Announced(ctx context.Context, ids ...string) error {
	if r.die {
		r.die = false
		return errDown
	}
	return r.Outbox.Announced(ctx, ids...)
}

func TestOutbox_CrashBetweenSendingAndRemovingDeliversOnce(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := &channel{}
		say(t, db, message("A", "first"), message("", "second"))
		s := &removing{Outbox: store.Outbox{DB: db}, die: true}
		if _, err := outbox.New(s, c, &composer{}).Step(t.Context()); !errors.Is(err, errDown) {
			t.Fatal(err)
		}
		if _, err := outbox.New(s, c, &composer{}).Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := []string{`A: "first"`, `: "second"`}; !slices.Equal(c.delivered, want) {
			t.Errorf("delivered %v, want %v", c.delivered, want)
		}
		if len(c.attempts) != 4 || !slices.Equal(c.attempts[:2], c.attempts[2:]) {
			t.Errorf("ids of the attempts: %v, want the same two twice", c.attempts)
		}
	})
}

// Spec: SAFE-5, LIVE-29
func TestOutbox_ClosesTheConnectionsOfSessionsThatHaveEnded(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		down := true
		c := &channel{fail: func(int) (before, after bool) { return down, false }}
		box := outbox.New(store.Outbox{DB: db}, c, &composer{})
		say(t, db, announce.Announcement{Topic: announce.SessionEnded, Payload: "s-1"},
			announce.Announcement{Topic: announce.SessionEnded, Payload: "s-2"})
		if _, err := box.Step(t.Context()); !errors.Is(err, errDown) || left(t, db) != 2 {
			t.Fatalf("while the channel is down: %v, %d rows are left", err, left(t, db))
		}
		down = false
		if _, err := box.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := []string{"s-1", "s-2"}; !slices.Equal(c.closed, want) || left(t, db) != 0 || len(c.attempts) != 0 {
			t.Errorf("closed %v, want %v; %d rows are left, %d messages were sent", c.closed, want, left(t, db), len(c.attempts))
		}
	})
}

func TestOutbox_RunSendsWhatIsAnnouncedAndGoesOnAfterFailures(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := &channel{fail: func(n int) (before, after bool) { return n == 1, false }}
		box := outbox.New(store.Outbox{DB: db}, c, &composer{})
		say(t, db, message("A", "before the start"))
		ctx, stop := context.WithCancel(t.Context())
		reported := make(chan error, 10)
		ended := make(chan error, 1)
		go func() { ended <- box.Run(ctx, func(err error) { reported <- err }) }()
		if err := <-reported; !errors.Is(err, errDown) {
			t.Errorf("reported %v", err)
		}
		say(t, db, message("A", "while it runs"))
		box.Wake()
		box.Wake() // never blocks
		testkit.Eventually(t, 20*time.Second, func() bool { return left(t, db) == 0 }, "rows are left")
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if want := []string{`A: "before the start"`, `A: "while it runs"`}; !slices.Equal(c.delivered, want) {
			t.Errorf("delivered %v, want %v", c.delivered, want)
		}
	})
}
