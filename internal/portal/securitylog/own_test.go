package securitylog_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"pantheon/internal/portal/securitylog"
	"pantheon/internal/store"
	"pantheon/internal/store/securitylogs"
	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// A player reads page by page what concerned the own account, and of operators only that they did something.
// Spec: PLAYER-9
func TestSecurityLog_PlayerReadsTheOwnEntries(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, db *store.DB) {
		log := securitylogs.New(db)
		for i, e := range []securitylog.Entry{
			{Event: securitylog.SessionOpened, Kind: securitylog.Player, Actor: "A1", Subject: "A1", Session: "S1", Detail: "Firefox on Linux"},
			{Event: securitylog.PasswordRefused, Kind: securitylog.Visitor, Subject: "A1", Refusal: "password"},
			{Event: "player freeze", Kind: securitylog.Operator, Actor: "ada@db-1", Subject: "A1", Detail: "suspect 7", Reason: "stolen card"},
			{Event: securitylog.OperationSigned, Kind: securitylog.Player, Actor: "A1", Subject: "A1", Session: "S1",
				Detail: "operation 0x12 on chain 1: end listing 7; list 1 of avatars 9 at 20 USDC each"},
			{Event: securitylog.SessionOpened, Kind: securitylog.Player, Actor: "B2", Subject: "B2", Detail: "Chrome on Windows"},
			{Event: securitylog.ApprovalRequested, Kind: securitylog.Player, Actor: "A1", Subject: "A1", Detail: "approval X of trade, by code"},
		} {
			e.At = start.Add(time.Duration(i) * time.Minute)
			if err := log.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.LogSecurity(ctx, e) }); err != nil {
				t.Fatal(err)
			}
		}
		own := securitylog.Own{Log: log}
		var got []string
		next, pages := "", 0
		for {
			entries, after, err := own.Entries(t.Context(), "A1", next, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				got = append(got, strings.Join([]string{string(e.Kind), string(e.Event), e.Session, e.Detail, e.Actor, e.Reason, e.Network}, "|"))
			}
			pages++
			if next = after; next == "" {
				break
			}
		}
		want := []string{
			"player|approval.requested|||||", "player|operation.signed|S1|end listing 7; list 1 of avatars 9 at 20 USDC each|||",
			"operator|support.act|||||", "visitor|password.refused|||||", "player|session.opened|S1|Firefox on Linux|||",
		}
		if !slices.Equal(got, want) || pages != 3 {
			t.Errorf("%d pages with\n%s", pages, strings.Join(got, "\n"))
		}
		if _, _, err := own.Entries(t.Context(), "A1", "nonsense", 2); err == nil {
			t.Error("a malformed cursor is taken")
		}
	})
}
