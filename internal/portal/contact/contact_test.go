package contact_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pantheon/internal/kit/clock"
	"pantheon/internal/kit/fault"
	"pantheon/internal/portal/contact"
	"pantheon/internal/portal/operator"
	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var opening = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Spec: PLAYER-6
func TestContact_EmailIsStoredOnceInAnySpelling(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		at := clock.NewFake(opening)
		s := contact.NewService(store.Contacts{DB: db}, at, "")
		for _, spelling := range []string{"Zeus@Olympus.example", "zeus@olympus.example", "  ZEUS@OLYMPUS.EXAMPLE "} {
			if err := s.PreRegister(t.Context(), spelling); err != nil {
				t.Fatalf("%q: %v", spelling, err)
			}
			at.Advance(time.Minute)
		}
		if err := s.PreRegister(t.Context(), "hera@olympus.example"); err != nil {
			t.Fatal(err)
		}
		kept, err := testkit.Operator(db, at).Addresses(t.Context())
		if err != nil || len(kept) != 2 || kept[0].Email != "Zeus@Olympus.example" || !kept[0].CreatedAt.Equal(opening) ||
			kept[1].Email != "hera@olympus.example" {
			t.Errorf("kept %v, %v", kept, err)
		}
	})
}

func TestContact_ConcurrentPreRegistrationsStoreOneAddress(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		at := clock.NewFake(opening)
		s := contact.NewService(store.Contacts{DB: db}, at, "")
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				if err := s.PreRegister(t.Context(), "zeus@olympus.example"); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if kept, err := testkit.Operator(db, at).Addresses(t.Context()); err != nil || len(kept) != 1 {
			t.Errorf("kept %v, %v", kept, err)
		}
	})
}

func TestContact_WhatIsNoAddressIsNotKept(t *testing.T) {
	t.Parallel()
	db, at := testkit.Database(t, store.SQLite), clock.NewFake(opening)
	s := contact.NewService(store.Contacts{DB: db}, at, "")
	for _, address := range []string{
		"", " ", "zeus", "zeus@", "@olympus.example", "zeus@olympus", "ze us@olympus.example", "zeus@olympus.example\x00", "a@b.cd\xff",
	} {
		mustNameFields(t, s.PreRegister(t.Context(), address), "body.email")
	}
	if kept, err := testkit.Operator(db, at).Addresses(t.Context()); err != nil || len(kept) != 0 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

// Spec: PLAYER-7
func TestContact_SupportRequestsAreKeptInTheOrderInWhichTheyCome(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		at := clock.NewFake(opening)
		s := contact.NewService(store.Contacts{DB: db}, at, "")
		for i, topic := range contact.Topics() {
			if err := s.Write(t.Context(), " zeus@olympus.example ", topic, fmt.Sprintf("\r\nRequest %d:\r\nπάντα ῥεῖ\n", i)); err != nil {
				t.Fatal(err)
			}
		}
		requests, err := testkit.Operator(db, at).SupportRequests(t.Context())
		if err != nil || len(requests) != len(contact.Topics()) {
			t.Fatalf("%v, %v", requests, err)
		}
		for i, r := range requests {
			want := operator.SupportRequest{
				ID: r.ID, Email: "zeus@olympus.example", Topic: string(contact.Topics()[i]),
				Message: fmt.Sprintf("Request %d:\nπάντα ῥεῖ", i), CreatedAt: r.CreatedAt,
			}
			if r != want || r.ID == "" || !r.CreatedAt.Equal(opening) {
				t.Errorf("request %d is %+v", i, r)
			}
		}
	})
}

func TestContact_SupportRequestThatBreaksRulesIsNotKept(t *testing.T) {
	t.Parallel()
	db, at := testkit.Database(t, store.SQLite), clock.NewFake(opening)
	s := contact.NewService(store.Contacts{DB: db}, at, "")
	const good, words = "zeus@olympus.example", "Where is my lightning?"
	for _, c := range []struct {
		email   string
		topic   contact.Topic
		message string
		fields  []string
	}{
		{"zeus", "weather", "rain", []string{"body.email", "body.topic", "body.message"}},
		{good, "", words, []string{"body.topic"}},
		{good, contact.Other, "  nine char  ", []string{"body.message"}},
		{good, contact.Other, strings.Repeat("ω", 4001), []string{"body.message"}},
		{good, contact.Other, words + "\x00", []string{"body.message"}},
		{good, contact.Other, words + "\x1b[2J", []string{"body.message"}},
		{good, contact.Other, words + "\xff", []string{"body.message"}},
	} {
		mustNameFields(t, s.Write(t.Context(), c.email, c.topic, c.message), c.fields...)
	}
	for _, message := range []string{"ten chars.", strings.Repeat("ω", 4000)} {
		if err := s.Write(t.Context(), good, contact.Other, message); err != nil {
			t.Errorf("%.20s: %v", message, err)
		}
	}
	if requests, err := testkit.Operator(db, at).SupportRequests(t.Context()); err != nil || len(requests) != 2 {
		t.Errorf("%d requests, %v; want the two that break no rule", len(requests), err)
	}
}

func mustNameFields(t *testing.T, err error, fields ...string) {
	t.Helper()
	f := fault.As(err)
	if f == nil || f.Code != fault.Invalid || len(f.Fields) != len(fields) {
		t.Errorf("error %v, want one at each of %v", err, fields)
		return
	}
	for i, field := range f.Fields {
		if field.Location != fields[i] || field.Message == "" {
			t.Errorf("field %+v, want %s", field, fields[i])
		}
	}
}

// A support request is emailed to the operator, with replies going to the sender; without an operator's address it is
// only stored.
// Spec: PLAYER-7
func TestContact_OperatorIsWrittenToo(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, operator := range []string{"", "help@olympus.example"} {
			s := contact.NewService(store.Contacts{DB: db}, clock.NewFake(opening), operator)
			if err := s.Write(t.Context(), "zeus@olympus.example", contact.Wallet, "Where is my lightning?"); err != nil {
				t.Fatal(err)
			}
			mailed, err := store.Mail{DB: db}.RecentEmails(t.Context(), 10)
			if err != nil || len(mailed) != len(operator)/len("help@olympus.example") {
				t.Fatalf("to %q: %+v, %v", operator, mailed, err)
			}
			if operator == "" {
				continue
			}
			if m := mailed[0]; m.To != operator || m.ReplyTo != "zeus@olympus.example" || m.Subject != "Support request: wallet" ||
				m.Text != "From zeus@olympus.example:\n\nWhere is my lightning?\n" {
				t.Errorf("%+v", m)
			}
		}
	})
}
