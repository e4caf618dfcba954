package testkit

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver

	"pantheon/internal/store"
)

// cluster is the one PostgreSQL server of a test process. It lasts as long as the process:
// starting a server per test would take seconds each.
var cluster struct {
	postgres
	once sync.Once
	err  error
	next atomic.Int64
}

// postgres is a PostgreSQL server.
type postgres struct {
	address  string // the listen address, host:port
	folder   string
	cmd      *exec.Cmd
	exited   chan error
	durable  bool     // commits are on disk when they return
	settings []string // further ones, "name=value"
}

// StartDurablePostgres starts the PostgreSQL server of this process for a benchmark: unlike that of tests, it syncs commits
// to disk as in production. It must come before anything that uses PostgreSQL. The returned function stops and deletes
// the server.
func StartDurablePostgres() (stop func() error, err error) {
	cluster.once.Do(func() {
		cluster.durable = true
		cluster.err = cluster.start()
	})
	if cluster.err == nil && !cluster.durable {
		return nil, errors.New("testkit: the server of this process runs without durability")
	}
	return cluster.stop, cluster.err
}

// NewPostgresDatabase creates an empty database with a name, on the server of StartDurablePostgres, and returns its URL.
func NewPostgresDatabase(name string) (url string, err error) {
	return cluster.url(name), createDatabase(name, "template0")
}

// PostgresProgram returns the path of a program that comes with the PostgreSQL server.
func PostgresProgram(name string) (string, error) {
	bin, err := postgresBinaries()
	return filepath.Join(bin, name), err
}

// migratedPostgres returns the name of the template database with all migrations applied.
func migratedPostgres(t testing.TB) string {
	t.Helper()
	const name = "migrated"
	migrated.postgres.Do(func() {
		if migrated.postgresErr = createDatabase(name, "template0"); migrated.postgresErr == nil {
			migrated.postgresErr = migrate(store.Options{URL: cluster.url(name)})
		}
	})
	if migrated.postgresErr != nil {
		t.Fatal("testkit: migrating PostgreSQL:", migrated.postgresErr)
	}
	return name
}

// createPostgres creates a database as a copy of another, with C collation, and returns its URL.
func createPostgres(t testing.TB, template string) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", cluster.next.Add(1))
	if err := createDatabase(name, template); err != nil {
		t.Fatal("testkit: creating a database:", err)
	}
	return cluster.url(name)
}

func createDatabase(name, template string) error {
	cluster.once.Do(func() { cluster.err = cluster.start() })
	if cluster.err != nil {
		return fmt.Errorf("starting PostgreSQL: %w", cluster.err)
	}
	// Copying the files is two to four times as fast as the default of PostgreSQL 15, which copies through the WAL.
	return cluster.execute("CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY FILE_COPY LC_COLLATE 'C' LC_CTYPE 'C'")
}

// execute executes a statement of the server's administrator.
func (p *postgres) execute(statement string) error {
	admin, err := sql.Open("pgx", p.url("postgres"))
	if err != nil {
		return err
	}
	defer admin.Close()
	_, err = admin.Exec(statement)
	return err
}

func (p *postgres) url(database string) string {
	return fmt.Sprintf("postgres://test@%s/%s?sslmode=disable", p.address, database)
}

// start makes a folder and an empty server in it, and starts it.
func (p *postgres) start() error {
	if err := p.prepare(); err != nil {
		return err
	}
	initdb, err := postgresCommand("initdb", "-D", p.data(), "-U", "test", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8")
	if err != nil {
		return err
	}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	return p.run()
}

// prepare chooses an address and makes the folder.
func (p *postgres) prepare() error {
	owner, err := postgresUser()
	if err != nil {
		return err
	}
	if p.folder, err = os.MkdirTemp("", "pantheon-postgres-"); err != nil {
		return err
	}
	if owner != nil {
		if err := os.Chown(p.folder, int(owner.Uid), int(owner.Gid)); err != nil {
			return err
		}
	}
	p.address, err = FreeAddress()
	return err
}

func (p *postgres) data() string { return filepath.Join(p.folder, "data") }

// run starts the server on its data and waits until it responds.
func (p *postgres) run() error {
	host, port, err := net.SplitHostPort(p.address)
	if err != nil {
		return err
	}
	args := []string{"-D", p.data(), "-p", port, "-k", p.folder, "-c", "listen_addresses=" + host, "-c", "max_connections=400"}
	if !p.durable {
		args = append(args, "-c", "fsync=off", "-c", "full_page_writes=off")
	}
	for _, setting := range p.settings {
		args = append(args, "-c", setting)
	}
	if p.cmd, err = postgresCommand("postgres", args...); err != nil {
		return err
	}
	var log bytes.Buffer
	p.cmd.Stderr = &log
	p.exited = make(chan error, 1)
	started := make(chan error, 1)
	go func() {
		// The kernel signals the child when the thread that started it ends: keep the thread as long as the server
		// runs.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := p.cmd.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		p.exited <- p.cmd.Wait()
		close(p.exited)
	}()
	if err := <-started; err != nil {
		return err
	}
	return p.wait(&log)
}

// WithoutPostgres stops the server of this test process as a crash would, calls f, and restarts it on its data. The
// test must not run in parallel with others that use PostgreSQL.
func WithoutPostgres(t testing.TB, f func()) {
	t.Helper()
	if err := cluster.kill(); err != nil {
		t.Fatal("testkit: stopping PostgreSQL:", err)
	}
	defer func() { // also if f fails the test
		if err := cluster.run(); err != nil {
			t.Error("testkit: starting PostgreSQL again:", err)
		}
	}()
	f()
}

// wait waits until the server responds.
func (p *postgres) wait(log *bytes.Buffer) error {
	db, err := sql.Open("pgx", p.url("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if db.PingContext(ctx) == nil {
			return nil
		}
		select {
		case err := <-p.exited:
			return fmt.Errorf("the server ended (%w): %s", err, bytes.TrimSpace(log.Bytes()))
		case <-ctx.Done():
			return errors.New("the server did not answer within 30 s")
		case <-tick.C:
		}
	}
}

// kill stops the server as a crash would.
func (p *postgres) kill() error {
	if p.cmd == nil || p.cmd.Process == nil {
		return nil
	}
	if err := p.cmd.Process.Signal(syscall.SIGQUIT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.exited
	return nil
}

// stop stops the server, if it was started, and deletes its data.
func (p *postgres) stop() error {
	err := p.kill()
	if p.folder == "" {
		return err
	}
	return errors.Join(err, os.RemoveAll(p.folder))
}

// postgresCommand returns a command of PostgreSQL, run by the server's account.
func postgresCommand(name string, args ...string) (*exec.Cmd, error) {
	bin, err := postgresBinaries()
	if err != nil {
		return nil, err
	}
	owner, err := postgresUser()
	if err != nil {
		return nil, err
	}
	return command(owner, filepath.Join(bin, name), args...), nil
}

func command(owner *syscall.Credential, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: owner, Pdeathsig: syscall.SIGQUIT}
	return cmd
}

// postgresUser returns the account the server runs as: PostgreSQL refuses root.
func postgresUser() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root and there is no user postgres: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// postgresBinaries finds the folder of initdb and postgres: on PATH, or in Debian's location.
func postgresBinaries() (string, error) {
	if p, err := exec.LookPath("initdb"); err == nil {
		if p, err = filepath.EvalSymlinks(p); err == nil {
			return filepath.Dir(p), nil
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", errors.New("not installed; `make test` installs it, or install your system's PostgreSQL server package")
	}
	newest := found[0]
	for _, f := range found {
		if postgresMajor(f) > postgresMajor(newest) {
			newest = f
		}
	}
	return filepath.Dir(newest), nil
}

func postgresMajor(path string) int {
	n, _ := strconv.Atoi(strings.Split(path, "/")[4])
	return n
}
