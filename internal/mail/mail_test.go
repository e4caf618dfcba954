package mail_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/email"
	"pantheon/internal/kit/panics"
	"pantheon/internal/mail"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// sender records the emails it is given, and fails on request.
type sender struct {
	mu   sync.Mutex
	sent []email.Queued
	fail func(email.Queued) error
}

func (s *sender) Send(_ context.Context, m email.Queued) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, m)
	if s.fail != nil {
		return s.fail(m)
	}
	return nil
}

// office is the service on a database.
type office struct {
	*mail.Service
	t     *testing.T
	db    *store.DB
	clock *clock.Fake
	out   *sender
}

func eachOffice(t *testing.T, test func(t *testing.T, o office)) {
	t.Helper()
	testkit.EachDatabaseAt(t, opening, func(t *testing.T, db *store.DB, c *clock.Fake) {
		o := office{t: t, db: db, clock: c, out: &sender{}}
		o.Service = mail.New(store.Mail{DB: db}, o.out, c)
		test(t, o)
	})
}

func (o office) post(m email.Message) {
	o.t.Helper()
	if err := o.db.Write(o.t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.Post(ctx, m) }); err != nil {
		o.t.Fatal(err)
	}
}

func (o office) kept() []email.Queued {
	o.t.Helper()
	emails, err := (store.Mail{DB: o.db}).RecentEmails(o.t.Context(), 100)
	if err != nil {
		o.t.Fatal(err)
	}
	return emails
}

var toZeus = email.Message{
	To: "zeus@olympus.example", ReplyTo: "hera@olympus.example", Subject: "Your code", Text: "123456\n", PlayerID: "A",
}

// Spec: SAFE-13
func TestEmail_IsSentOnceAndItsTextForgotten(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		o.post(toZeus)
		for range 3 {
			if err := o.SendDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			o.clock.Advance(time.Hour)
		}
		if len(o.out.sent) != 1 || o.out.sent[0].Message.Text != toZeus.Text || o.out.sent[0].To != toZeus.To ||
			o.out.sent[0].ReplyTo != toZeus.ReplyTo {
			t.Errorf("sent was %+v", o.out.sent)
		}
		kept := o.kept()
		if len(kept) != 1 || kept[0].State != email.Sent || kept[0].Text != "" || kept[0].To != "" || kept[0].ReplyTo != "" ||
			kept[0].Error != "" {
			t.Errorf("kept is %+v", kept)
		}
	})
}

// An email belongs to the transaction of its cause: after a rollback there is no email.
// Spec: SAFE-13
func TestEmail_EmailOfWhatDidNotHappenIsNotWritten(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		undone := errors.New("undone")
		err := o.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			if err := tx.Post(ctx, toZeus); err != nil {
				return err
			}
			return undone
		})
		if !errors.Is(err, undone) || len(o.kept()) != 0 {
			t.Errorf("%v; kept is %+v", err, o.kept())
		}
	})
}

// Spec: SAFE-13
func TestEmail_ThatCannotBeSentIsTriedLaterAndLater(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		o.out.fail = func(m email.Queued) error { return fmt.Errorf("no connection for %s", m.To) }
		o.post(toZeus)
		for i, wait := range []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, time.Hour} {
			if err := o.SendDue(t.Context()); err == nil || strings.Contains(err.Error(), toZeus.To) {
				t.Errorf("the error is %v", err)
			}
			o.clock.Advance(wait - time.Millisecond)
			if err := o.SendDue(t.Context()); err != nil || len(o.out.sent) != i+1 {
				t.Errorf("tried %d times, want %d and no other within %v; %v", len(o.out.sent), i+1, wait, err)
			}
			o.clock.Advance(time.Millisecond)
		}
		if m := o.kept()[0]; m.State != email.Pending || m.Text == "" || m.Error != "no connection for the recipient" {
			t.Errorf("kept is %+v", m)
		}
		o.clock.Advance(48 * time.Hour)
		if err := o.SendDue(t.Context()); err != nil {
			t.Error(err)
		}
		if m := o.kept()[0]; m.State != email.Failed || m.Text != "" || m.To != "" || m.Error != "expired: no connection for the recipient" {
			t.Errorf("two days later kept is %+v", m)
		}
	})
}

func TestEmail_ThatIsRefusedForGoodIsGivenUp(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		o.out.fail = func(m email.Queued) error { return fmt.Errorf("no such mailbox: %w", mail.ErrPermanent) }
		o.post(toZeus)
		o.post(email.Message{To: "hera@olympus.example", Subject: "Another one"})
		if err := o.SendDue(t.Context()); err == nil {
			t.Error("nobody hears of it")
		}
		o.clock.Advance(time.Hour)
		if err := o.SendDue(t.Context()); err != nil || len(o.out.sent) != 2 {
			t.Errorf("sent %d times, %v", len(o.out.sent), err)
		}
		for _, m := range o.kept() {
			if m.State != email.Failed || m.Text != "" {
				t.Errorf("kept is %+v", m)
			}
		}
	})
}

// If a process dies while sending, another one retries the email; two at once do not both send it.
// Spec: SAFE-13
func TestEmail_IsClaimedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		o.post(toZeus)
		m := o.kept()[0]
		claimed := make([]bool, 8)
		var wg sync.WaitGroup
		for i := range claimed {
			wg.Go(func() {
				var err error
				if claimed[i], err = (store.Mail{DB: o.db}).ClaimEmail(t.Context(), m.ID, m.Attempts, o.clock.Now().Add(2*time.Minute)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		n := 0
		for _, c := range claimed {
			if c {
				n++
			}
		}
		if n != 1 {
			t.Errorf("claimed %d times", n)
		}
		if err := o.SendDue(t.Context()); err != nil || len(o.out.sent) != 0 {
			t.Errorf("sent %d times while it is claimed, %v", len(o.out.sent), err)
		}
		o.clock.Advance(2 * time.Minute)
		if err := o.SendDue(t.Context()); err != nil || len(o.out.sent) != 1 {
			t.Errorf("sent %d times once the claim has run out, %v", len(o.out.sent), err)
		}
	})
}

// A process that is stopped while sending does not record a result either.
func TestEmail_OfAnAttemptThatWasCutOffIsTriedAgainAfterTwoMinutes(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		o.post(toZeus)
		ctx, stop := context.WithCancel(t.Context())
		o.out.fail = func(email.Queued) error { stop(); return errors.New("stopped") }
		if err := o.SendDue(ctx); err != nil {
			t.Error(err)
		}
		o.out.fail = nil
		o.clock.Advance(2*time.Minute - time.Millisecond)
		if err := o.SendDue(t.Context()); err != nil || len(o.out.sent) != 1 {
			t.Errorf("sent %d times within two minutes, %v", len(o.out.sent), err)
		}
		o.clock.Advance(time.Millisecond)
		if err := o.SendDue(t.Context()); err != nil || len(o.out.sent) != 2 {
			t.Errorf("sent %d times after two minutes, %v", len(o.out.sent), err)
		}
	})
}

func TestEmails_AreForgottenAfterAWeek(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		o.post(toZeus)
		o.clock.Advance(7 * 24 * time.Hour)
		for _, left := range []int{1, 0} {
			if err := o.Prune(t.Context()); err != nil || len(o.kept()) != left {
				t.Errorf("%d are kept, want %d; %v", len(o.kept()), left, err)
			}
			o.clock.Advance(time.Millisecond)
		}
	})
}

func TestEmail_OldEmailsAreForgotten(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		o.post(toZeus)
		o.clock.Advance(time.Hour)
		o.post(toZeus)
		if err := (store.Mail{DB: o.db}).DeleteEmails(t.Context(), o.clock.Now(), o.clock.Now()); err != nil || len(o.kept()) != 1 {
			t.Errorf("%d are kept, %v", len(o.kept()), err)
		}
	})
}

func TestEmail_RunSendsUntilItIsStopped(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		ctx, cancel := context.WithCancel(t.Context())
		sent := make(chan struct{}, 1)
		o.out.fail = func(email.Queued) error { sent <- struct{}{}; return nil }
		o.post(toZeus)
		done := make(chan error)
		go func() { done <- o.Run(ctx, func(err error) { t.Error(err) }) }()
		<-sent
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// panickingStore panics where the given method is called.
type panickingStore struct {
	mail.Store
	prunes bool
}

func (s panickingStore) DueEmails(context.Context, time.Time, int) ([]email.Queued, error) {
	if !s.prunes {
		panic("an email that cannot be read")
	}
	return nil, nil
}

func (panickingStore) DeleteEmails(context.Context, time.Time, time.Time) error {
	panic("emails that cannot be pruned")
}

// The caller of Run recovers panics: one in another goroutine would end the process.
func TestEmail_PanicsReachTheCallerOfRun(t *testing.T) {
	t.Parallel()
	for _, prunes := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := mail.New(panickingStore{prunes: prunes}, nil, clock.System{})
			err := panics.Call(func() error { return s.Run(t.Context(), func(err error) { t.Error(err) }) })
			if _, ok := errors.AsType[*panics.Panic](err); !ok {
				t.Errorf("while pruning %t: %v", prunes, err)
			}
		})
	}
}

// Spec: SAFE-13
func TestEmail_MailboxShowsEmailsNewestFirst(t *testing.T) {
	t.Parallel()
	eachOffice(t, func(t *testing.T, o office) {
		get := func(accept string) *httptest.ResponseRecorder {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/dev/mail", nil)
			r.Header.Set("Accept", accept)
			w := httptest.NewRecorder()
			mail.Mailbox(store.Mail{DB: o.db}, brand).ServeHTTP(w, r)
			return w
		}
		if page := get("text/html").Body.String(); !strings.Contains(page, "There are none yet.") {
			t.Errorf("an empty mailbox: %s", page)
		}
		o.post(email.Message{
			To: "zeus@olympus.example", Subject: "First <b>",
			Text: "Look:\nhttps://portal.example/new-password?token=A&b=1\n<script>alert(1)</script>\n",
		})
		o.clock.Advance(time.Second)
		o.post(toZeus)
		page := get("text/html")
		text := page.Body.String()
		for _, want := range []string{
			"First &lt;b&gt;", `<a href="https://portal.example/new-password?token=A&amp;b=1">`, "&lt;script&gt;", "to zeus@olympus.example",
			"1 March, 12:00:01 UTC", `<html lang="en">`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the page has no %s:\n%s", want, text)
			}
		}
		if strings.Index(text, "Your code") > strings.Index(text, "First") {
			t.Error("the oldest comes first")
		}
		if policy := page.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") ||
			page.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("the headers are %v", page.Header())
		}
		var list struct {
			Items []struct{ ID, To, Subject, Text, State string }
		}
		if err := json.Unmarshal(get("application/json").Body.Bytes(), &list); err != nil || len(list.Items) != 2 ||
			list.Items[0].Text != "123456\n" || list.Items[0].State != "pending" {
			t.Errorf("as JSON: %+v, %v", list, err)
		}
		for id, want := range map[string]int{list.Items[1].ID: http.StatusOK, "unknown": http.StatusNotFound} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/dev/mail/"+id+"?scheme=dark", nil)
			r.SetPathValue("id", id)
			w := httptest.NewRecorder()
			mail.Mailbox(store.Mail{DB: o.db}, brand).ServeHTTP(w, r)
			if w.Code != want || want == http.StatusOK && (!strings.Contains(w.Body.String(), ">Choose a new password</a>") ||
				!strings.Contains(w.Header().Get("Content-Security-Policy"), "sandbox")) {
				t.Errorf("%s as its reader sees it: %d %s", id, w.Code, w.Body)
			}
		}
	})
}
