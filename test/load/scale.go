package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"pantheon/internal/chain/signer"
	"pantheon/internal/testkit"
	"pantheon/test/player"
)

// mostReplicas is how many replicas are measured at most.
const mostReplicas = 3

// scale measures what calls cost with one replica and more, on one durable PostgreSQL, one NATS server and a pair of chains.
func scale(ctx context.Context, binary, dir string, each time.Duration) (err error) {
	stop, err := testkit.StartDurablePostgres()
	if err != nil {
		return fmt.Errorf("PostgreSQL: %w", err)
	}
	defer func() { err = errors.Join(err, stop()) }()
	messages, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: filepath.Join(dir, "nats"), NoLog: true, NoSigs: true,
	})
	if err != nil {
		return fmt.Errorf("NATS: %w", err)
	}
	messages.Start()
	defer messages.Shutdown()
	if !messages.ReadyForConnections(time.Minute) {
		return errors.New("NATS did not start")
	}
	r, err := startReplicas(ctx, binary, dir, messages.ClientURL())
	if err != nil {
		return err
	}
	defer r.stop()
	db, err := sql.Open("pgx", r.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	fmt.Println("| call | replicas | /s | p50 | p99 | portal, CPU of one | PostgreSQL, CPU of one |\n|---|---|---|---|---|---|---|")
	for n := 1; n <= mostReplicas; n++ {
		if _, err := db.ExecContext(ctx, "VACUUM ANALYZE"); err != nil {
			return err
		}
		if err := errors.Join(r.measure(ctx, n, each), r.purchases(ctx, n)); err != nil {
			return err
		}
	}
	return r.measure(ctx, 1, each) // shows what has changed meanwhile
}

// replicas are the portals that are measured.
type replicas struct {
	chain    *process
	database string // its URL
	all      []*portal
	players  []*player.Player
}

func (r *replicas) stop() {
	for _, p := range r.all {
		p.stop()
	}
	r.chain.stop()
}

// startReplicas starts all replicas. The first one signs players up, whom all know.
func startReplicas(ctx context.Context, binary, dir, nats string) (_ *replicas, err error) {
	game, err := testkit.FreeAddress()
	if err != nil {
		return nil, err
	}
	main, err := testkit.FreeAddress()
	if err != nil {
		return nil, err
	}
	r := &replicas{}
	r.chain, err = launchUntil(ctx, game, answersRPC, []string{"DATA_DIR=" + filepath.Join(dir, "chain"), unpaced}, binary,
		"chain", "--game", game, "--main", main)
	if err != nil {
		return nil, fmt.Errorf("the chains: %w", err)
	}
	defer func() {
		if err != nil {
			r.stop()
		}
	}()
	url, err := testkit.NewPostgresDatabase("portal")
	if err != nil {
		return nil, err
	}
	r.database = url
	key := filepath.Join(dir, "signer.key")
	if err := signer.MakeKeyFile(key); err != nil {
		return nil, err
	}
	settings := []string{
		"NATS_URL=" + nats, "GAME_CHAIN_RPC_URL=http://" + game, "MAIN_CHAIN_RPC_URL=http://" + main, "SIGNER_KEY_FILE=" + key,
		"TOKEN_SECRET=" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))),
		"RELAY_OPERATIONS_PER_MINUTE=1000", "RELAY_OPERATIONS_PER_NETWORK=100000", "RELAY_OPERATIONS_PER_DAY=10000",
	}
	first, err := startPortal(ctx, binary, filepath.Join(dir, "replica1"), url, settings...)
	if err != nil {
		return nil, fmt.Errorf("the first replica: %w", err)
	}
	r.all = append(r.all, first)
	for i := 2; i <= mostReplicas; i++ {
		p := *first
		if p.metrics, err = testkit.FreeAddress(); err != nil {
			return nil, err
		}
		host, err := testkit.FreeAddress()
		if err != nil {
			return nil, err
		}
		folder := filepath.Join(dir, fmt.Sprint("replica", i))
		if p.process, err = startReplica(ctx, binary, folder, url, host, p.metrics, settings...); err != nil {
			return nil, fmt.Errorf("replica %d: %w", i, err)
		}
		r.all = append(r.all, &p)
	}
	if err := first.enter(ctx, players, player.SignUp); err != nil {
		return nil, fmt.Errorf("players: %w", err)
	}
	r.players = first.players
	return r, nil
}

// answersRPC reports whether a chain answers.
func answersRPC(address string) bool {
	response, err := http.Post("http://"+address, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`))
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// measure measures each call with the first n replicas.
func (r *replicas) measure(ctx context.Context, n int, each time.Duration) error {
	first := r.all[0]
	var hosts []string
	for _, p := range r.all[:n] {
		hosts = append(hosts, p.host)
	}
	first.hosts = hosts
	for _, m := range []struct {
		name string
		run  func() (figures, int, error)
	}{
		{"profile", counted(func() (figures, error) { return first.profiles(ctx, each) })},
		{"page of 30 listings", counted(func() (figures, error) { return first.listings(ctx, each) })},
		{"pages of 30 listings, all different", counted(func() (figures, error) { return first.others(ctx, each) })},
		{"hold of a single item, and its release", func() (figures, int, error) {
			f, rounds, err := first.holdRounds(ctx, each, unique)
			return f, rounds * players * unitsEach, err
		}},
	} {
		before, err := r.cpu()
		if err != nil {
			return err
		}
		f, done, err := m.run()
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		after, err := r.cpu()
		if err != nil {
			return err
		}
		of := func(ticks int64) time.Duration { return time.Duration(ticks) * tick / time.Duration(max(done, 1)) }
		fmt.Printf("| %s | %d | %.0f | %s | %s | %s | %s |\n", m.name, n, f.perSecond, round(f.p50), round(f.p99),
			of(after.portal-before.portal).Round(time.Microsecond), of(after.postgres-before.postgres).Round(time.Microsecond))
	}
	return nil
}

func counted(run func() (figures, error)) func() (figures, int, error) {
	return func() (figures, int, error) {
		f, err := run()
		return f, f.total, err
	}
}

// purchases measures purchases, one after the other, through the nth replica.
func (r *replicas) purchases(ctx context.Context, n int) error {
	shop := *r.all[n-1]
	if err := r.all[0].enter(ctx, buyers, player.Register); err != nil { // with money
		return fmt.Errorf("buyers: %w", err)
	}
	shop.players = r.all[0].players
	r.all[0].players = r.players
	for _, b := range shop.players {
		if err := funded(ctx, b); err != nil {
			return err
		}
		b.At("http://" + shop.host)
	}
	before, err := r.cpu()
	if err != nil {
		return err
	}
	began := time.Now()
	stages, err := shop.purchases(ctx)
	if err != nil {
		return fmt.Errorf("purchases: %w", err)
	}
	took := time.Since(began)
	after, err := r.cpu()
	if err != nil {
		return err
	}
	done := len(stages[3].times)
	complete := summarize(stages[3].times, took)
	fmt.Printf("| purchase, until it is complete | %d | %.1f | %s | %s | %s | %s |\n", n, complete.perSecond, round(complete.p50),
		round(complete.p99), (time.Duration(after.portal-before.portal) * tick / time.Duration(done)).Round(10*time.Microsecond),
		(time.Duration(after.postgres-before.postgres) * tick / time.Duration(done)).Round(10*time.Microsecond))
	return nil
}

// tick is the unit of processor time in /proc (proc(5)).
const tick = 10 * time.Millisecond

// used is processor time, in ticks.
type used struct{ portal, postgres int64 }

// cpu returns what the replicas and PostgreSQL have used so far.
func (r *replicas) cpu() (u used, err error) {
	for _, p := range r.all {
		n, _, err := ticksOf(strconv.Itoa(p.cmd.Process.Pid))
		if err != nil {
			return u, err
		}
		u.portal += n
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return u, err
	}
	for _, e := range entries {
		// A process may have ended meanwhile.
		if n, name, err := ticksOf(e.Name()); err == nil && name == "postgres" {
			u.postgres += n
		}
	}
	return u, nil
}

// ticksOf returns the processor time and the name of a process.
func ticksOf(pid string) (ticks int64, name string, err error) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, "", err
	}
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return 0, "", fmt.Errorf("/proc/%s/stat has no name", pid)
	}
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) < 13 {
		return 0, "", fmt.Errorf("/proc/%s/stat is short", pid)
	}
	for _, field := range fields[11:13] { // utime and stime
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, "", err
		}
		ticks += n
	}
	return ticks, string(stat[open+1 : end]), nil
}
