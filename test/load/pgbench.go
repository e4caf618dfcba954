package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"pantheon/internal/store"
	"pantheon/internal/store/gen"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// holdTarget is the target for the ratio of the portal's rate to that of the bare transaction.
const holdTarget = 0.6

// compareHolds compares holds on a durable PostgreSQL with pgbench, which runs the same statements on the same server.
func compareHolds(ctx context.Context, binary, dir string, each time.Duration) (err error) {
	stop, err := testkit.StartDurablePostgres()
	if err != nil {
		return fmt.Errorf("PostgreSQL: %w", err)
	}
	defer func() { err = errors.Join(err, stop()) }()
	bare, err := newBareHolds(ctx, filepath.Join(dir, "pgbench"))
	if err != nil {
		return fmt.Errorf("pgbench: %w", err)
	}
	defer func() { err = errors.Join(err, bare.db.Close()) }()
	theirs, err := bare.measure(ctx, each)
	if err != nil {
		return fmt.Errorf("pgbench: %w", err)
	}
	ours, err := holdsOnPostgres(ctx, binary, filepath.Join(dir, "portal"), each)
	if err != nil {
		return fmt.Errorf("portal: %w", err)
	}
	fmt.Println("| portal on PostgreSQL | /s | p50 | p99 | pgbench | /s | p50 | p99 | ratio | target |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	fmt.Printf("| hold | %.0f | %s | %s | its statements | %.0f | %s | %s | %.2f | %.2f |\n",
		ours.perSecond, round(ours.p50), round(ours.p99), theirs.perSecond, round(theirs.p50), round(theirs.p99),
		ours.perSecond/theirs.perSecond, holdTarget)
	return nil
}

// holdsOnPostgres measures the portal's holds, on a separate database.
func holdsOnPostgres(ctx context.Context, binary, dir string, each time.Duration) (f figures, err error) {
	url, err := testkit.NewPostgresDatabase("portal")
	if err != nil {
		return f, err
	}
	portal, err := startPortal(ctx, binary, dir, url)
	if err != nil {
		return f, err
	}
	defer portal.stop()
	if err := portal.enter(ctx, players, player.SignUp); err != nil {
		return f, fmt.Errorf("players: %w", err)
	}
	return portal.holds(ctx, each, copies)
}

// bareHolds is a database with the same numbers of players and listings as the portal's, and a pgbench script of a hold.
type bareHolds struct {
	db      *store.DB
	url     string
	dir     string
	program string
}

func newBareHolds(ctx context.Context, dir string) (*bareHolds, error) {
	program, err := testkit.PostgresProgram("pgbench")
	if err != nil {
		return nil, err
	}
	script, err := holdScript()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "hold.sql"), []byte(script), 0o600); err != nil {
		return nil, err
	}
	url, err := testkit.NewPostgresDatabase("bare")
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, store.Options{URL: url})
	if err != nil {
		return nil, err
	}
	b := &bareHolds{db, url, dir, program}
	if err := b.fill(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return b, nil
}

func (b *bareHolds) fill(ctx context.Context) error {
	if err := addListings(ctx, b.db, "0x00000000000000000000000000000000000000cc"); err != nil {
		return err
	}
	return b.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		for i := range players {
			name := fmt.Sprint("player", i)
			if err := tx.InsertPlayer(ctx, gen.InsertPlayerParams{ID: name, DisplayName: name, Email: name + "@example.org"}); err != nil {
				return err
			}
		}
		return nil
	})
}

// measure runs the same rounds as portal.holds: every player holds the same number of units, of the same listings in the same
// order. Releasing them is not measured.
func (b *bareHolds) measure(ctx context.Context, limit time.Duration) (figures, error) {
	var rounds []figures
	for end := time.Now().Add(limit); time.Now().Before(end); {
		f, err := b.round(ctx, len(rounds))
		if err != nil {
			return f, err
		}
		rounds = append(rounds, f)
	}
	return median(rounds), nil
}

func (b *bareHolds) round(ctx context.Context, round int) (f figures, err error) {
	const holds = players * unitsEach
	prefix := filepath.Join(b.dir, fmt.Sprint("round", round))
	now := time.Now().UnixMilli()
	cmd := exec.CommandContext(ctx, b.program, "-n", "-f", filepath.Join(b.dir, "hold.sql"), "-M", "prepared",
		"-c", strconv.Itoa(connections), "-j", "2", "-t", strconv.Itoa(holds/connections), "-l", "--log-prefix", prefix,
		"-D", "n=-1", "-D", fmt.Sprint("now=", now), "-D", fmt.Sprint("until=", now+10*time.Minute.Milliseconds()),
		"-D", fmt.Sprint("round=", round), b.url)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return f, fmt.Errorf("%w: %s", err, out)
	}
	if _, after, ok := strings.Cut(string(out), "tps = "); ok {
		_, err = fmt.Sscan(after, &f.perSecond)
	}
	if err != nil || f.perSecond == 0 {
		return f, fmt.Errorf("no rate in %s", out)
	}
	if f.p50, f.p99, err = loggedLatencies(prefix, holds); err != nil {
		return f, err
	}
	return f, b.release(ctx, holds)
}

// release releases the holds of a round and checks their number.
func (b *bareHolds) release(ctx context.Context, want int) error {
	return b.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		got := 0
		for i := range players {
			holds, err := tx.ReleaseHolds(ctx, fmt.Sprint("player", i))
			if err != nil {
				return err
			}
			got += len(holds)
		}
		if got != want {
			return fmt.Errorf("%d holds instead of %d", got, want)
		}
		return nil
	})
}

// loggedLatencies returns the latencies in pgbench's logs, one log for each thread.
func loggedLatencies(prefix string, want int) (p50, p99 time.Duration, err error) {
	logs, err := filepath.Glob(prefix + ".*")
	if err != nil {
		return 0, 0, err
	}
	var all []time.Duration
	for _, name := range logs {
		log, err := os.Open(name)
		if err != nil {
			return 0, 0, err
		}
		for lines := bufio.NewScanner(log); lines.Scan(); {
			var client, n int
			var µs int64
			if _, err := fmt.Sscan(lines.Text(), &client, &n, &µs); err != nil {
				return 0, 0, errors.Join(fmt.Errorf("%s: %w", name, err), log.Close())
			}
			all = append(all, time.Duration(µs)*time.Microsecond)
		}
		if err := log.Close(); err != nil {
			return 0, 0, err
		}
	}
	if len(all) != want {
		return 0, 0, fmt.Errorf("%d transactions instead of %d", len(all), want)
	}
	slices.Sort(all)
	return all[want/2], all[want*99/100], nil
}

// holdStatements are the queries of a hold in the order in which the store runs them, with pgbench's values for their
// parameters. Clients do not share players, and players do not share units.
var holdStatements = []struct {
	file, name string
	values     []string
}{
	{"cart", "LockPlayerHolds", []string{"$1", ":player"}},
	{"cart", "LockListing", []string{"$1", ":listing"}},
	{"cart", "LockHoldNetwork", []string{"$1", ":network"}},
	{"cart", "HoldFacts", []string{
		"sqlc.arg(player_id)", ":player", "sqlc.arg(listing_id)", ":listing", "sqlc.arg(now)", ":now", "sqlc.arg(network)", ":network",
	}},
	{
		"cart", "TakeFreeUnit",
		[]string{"$1", ":listing", "$2", ":unit", "$3", ":player", "$4", ":now", "$5", ":until", "$6", "'2000000'", "$7", ":network"},
	},
	{"system", "InsertOutbox", []string{"$1", ":announcement", "$2", "'listing'", "$3", "''", "$4", ":listing", "$5", ":now"}},
	{"system", "BumpListing", []string{"$1", ":listing"}},
}

// holdScript returns the pgbench script of one hold, built from the store's own queries.
func holdScript() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "\\set n :n + 1\n\\set i :client_id + :n / %d * %d\n", unitsEach, connections)
	fmt.Fprintf(&b, "\\set unit mod(:n, %d)\n\\set number %d + mod(:i + :unit * 37, %d)\nBEGIN;\n", unitsEach, firstNumber, testListings)
	parameters := strings.NewReplacer(
		":player", "('player' || CAST(:i AS TEXT))", ":listing", "('1337042-' || CAST(:number AS TEXT))",
		":network", "('network' || CAST(:i AS TEXT))",
		":announcement", "CAST(:round AS TEXT) || '-' || CAST(:client_id AS TEXT) || '-' || CAST(:n AS TEXT)")
	for _, s := range holdStatements {
		text, err := query(s.file, s.name)
		if err != nil {
			return "", err
		}
		text = strings.NewReplacer(s.values...).Replace(text)
		fmt.Fprintln(&b, parameters.Replace(text))
	}
	b.WriteString("COMMIT;\n")
	return b.String(), nil
}

// query returns the text of one of the store's queries.
func query(file, name string) (string, error) {
	path := filepath.Join("internal", "store", "queries", file+".sql")
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("run this in the repository's folder: %w", err)
	}
	for part := range strings.SplitSeq(string(text), "-- name: ") {
		if head, body, _ := strings.Cut(part, "\n"); strings.HasPrefix(head, name+" ") {
			return strings.TrimSpace(body), nil
		}
	}
	return "", fmt.Errorf("%s has no query %s", path, name)
}
