package accounts_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pantheon/internal/kit/email"
	"pantheon/internal/portal/account"
	"pantheon/internal/store"
	"pantheon/internal/store/accounts"
	"pantheon/internal/testkit"
	"pantheon/internal/testkit/storetest"
)

// while runs work on PostgreSQL until it waits for a lock that a transaction with the statements holds, commits the transaction,
// and returns what work returned. SQLite has no concurrent writers.
func whileWriting(x *storetest.Indexed, work func() error, statements ...string) error {
	x.T.Helper()
	tx, err := x.Raw.BeginTx(x.T.Context(), nil)
	x.OK(err)
	defer func() { _ = tx.Rollback() }()
	for _, s := range statements {
		_, err := tx.ExecContext(x.T.Context(), s)
		x.OK(err)
	}
	done := make(chan error, 1)
	go func() { done <- work() }()
	testkit.Eventually(x.T, time.Minute, func() bool { return x.Waiting(1) }, "it waits for no lock")
	x.OK(tx.Commit())
	return <-done
}

const lockA = "SELECT 1 FROM player WHERE id = 'A' FOR UPDATE"

// A notice that another one has ended, while its link was being followed, freezes nothing and restores no address.
func TestNotice_ThatEndsMeanwhileDoesNothing(t *testing.T) {
	t.Parallel()
	x := storetest.OpenIndex(t, store.PostgreSQL)
	m := email.NewNotice("https://portal.example", "A notice", 0, "test", 0)
	m.To, m.PlayerID = "a@example.org", "A"
	x.OK(x.DB.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.Post(ctx, m) }))
	err := whileWriting(x, func() error {
		_, err := accounts.New(x.DB).FreezeByNotice(t.Context(), account.SelfFreeze{TokenHash: m.Notice.TokenHash, At: x.Clock.Now()})
		return err
	}, lockA, "DELETE FROM notice")
	if !errors.Is(err, account.ErrNotMeLink) {
		t.Errorf("got %v, want %v", err, account.ErrNotMeLink)
	}
	if frozen := x.Rows("SELECT id FROM player WHERE frozen_at > 0"); len(frozen) != 0 {
		t.Errorf("frozen: %v", frozen)
	}
}

// A link for a new password that is requested while the address is being replaced is nobody's.
func TestRecoveryLink_OfAnAddressThatIsReplacedMeanwhileIsNobodys(t *testing.T) {
	t.Parallel()
	x := storetest.OpenIndex(t, store.PostgreSQL)
	x.Exec("INSERT INTO local_account (player_id, email_key, password_hash) VALUES ('A', 'old@example.org', 'x')")
	now := x.Clock.Now()
	link := account.RecoveryLink{TokenHash: "t", EmailKey: "old@example.org", At: now, Expires: now.Add(time.Hour)}
	x.OK(whileWriting(x, func() error { return accounts.New(x.DB).SaveRecoveryLink(t.Context(), link) }, lockA,
		"UPDATE local_account SET email_key = 'new@example.org' WHERE player_id = 'A'"))
	if links := x.Rows("SELECT player_id FROM recovery_link WHERE player_id IS NOT NULL"); len(links) != 0 {
		t.Errorf("links of players: %v", links)
	}
}
