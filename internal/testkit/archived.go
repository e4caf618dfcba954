package testkit

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Archived is a PostgreSQL server of its own, which pgBackRest backs up and whose log (WAL) it archives.
type Archived struct {
	t      testing.TB
	server postgres
	folder string // of pgBackRest
	copies []*postgres
}

// StartArchived starts a server with an empty database until the test ends.
func StartArchived(t testing.TB) *Archived {
	t.Helper()
	if _, err := exec.LookPath("pgbackrest"); err != nil {
		t.Fatal("testkit: pgbackrest is not installed; `make test` installs it")
	}
	a := &Archived{t: t}
	t.Cleanup(func() {
		errs := []error{a.server.stop(), os.RemoveAll(a.folder)}
		for _, c := range a.copies {
			errs = append(errs, c.stop())
		}
		if err := errors.Join(errs...); err != nil {
			t.Error("testkit: stopping PostgreSQL:", err)
		}
	})
	if err := a.start(); err != nil {
		t.Fatal("testkit: starting PostgreSQL with an archive:", err)
	}
	return a
}

// URL returns the URL of the database.
func (a *Archived) URL() string { return a.server.url("portal") }

func (a *Archived) configuration() string { return filepath.Join(a.folder, "pgbackrest.conf") }

func (a *Archived) start() (err error) {
	a.server.settings = []string{"archive_mode=on", "wal_level=replica"}
	owner, err := postgresUser()
	if err != nil {
		return err
	}
	if a.folder, err = os.MkdirTemp("", "pantheon-pgbackrest-"); err != nil {
		return err
	}
	a.server.settings = append(a.server.settings, "archive_command=pgbackrest --config="+a.configuration()+" --stanza=portal archive-push %p")
	if err := a.server.start(); err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(a.server.address)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("[global]\nrepo1-path=%[1]s/repo\nrepo1-cipher-type=aes-256-cbc\nrepo1-cipher-pass=a long secret of the test\n"+
		"repo1-retention-full=2\nstart-fast=y\nlog-path=%[1]s\nlock-path=%[1]s\nspool-path=%[1]s\ncompress-type=lz4\n"+
		"[portal]\npg1-path=%[2]s\npg1-port=%[3]s\npg1-socket-path=%[4]s\npg1-user=test\n", a.folder, a.server.data(), port, a.server.folder)
	if err := os.WriteFile(a.configuration(), []byte(text), 0o600); err != nil {
		return err
	}
	if owner != nil {
		for _, path := range []string{a.folder, a.configuration()} {
			if err := os.Chown(path, int(owner.Uid), int(owner.Gid)); err != nil {
				return err
			}
		}
	}
	if err := a.server.execute("CREATE DATABASE portal TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"); err != nil {
		return err
	}
	a.PgBackRest("stanza-create")
	return nil
}

// PgBackRest runs a command of pgBackRest.
func (a *Archived) PgBackRest(args ...string) {
	a.t.Helper()
	owner, err := postgresUser()
	if err != nil {
		a.t.Fatal(err)
	}
	program, err := exec.LookPath("pgbackrest")
	if err != nil {
		a.t.Fatal(err)
	}
	args = append([]string{"--config=" + a.configuration(), "--stanza=portal"}, args...)
	if out, err := command(owner, program, args...).CombinedOutput(); err != nil {
		a.t.Fatalf("pgbackrest %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// Aside starts a copy of the server on another port, and returns the URL of its database. restore writes the copy's data folder.
func (a *Archived) Aside(restore func(folder string)) string {
	a.t.Helper()
	c := &postgres{settings: []string{"archive_mode=off"}}
	a.copies = append(a.copies, c)
	if err := c.prepare(); err != nil {
		a.t.Fatal(err)
	}
	restore(c.data())
	if err := c.run(); err != nil {
		a.t.Fatal("testkit: starting a restored server:", err)
	}
	a.awaitPromotion(c)
	return c.url("portal")
}

// awaitPromotion waits until a restored server takes writes.
func (a *Archived) awaitPromotion(p *postgres) {
	a.t.Helper()
	Eventually(a.t, time.Minute, func() bool {
		return p.execute("CREATE TABLE takes_writes (now BIGINT)") == nil && p.execute("DROP TABLE takes_writes") == nil
	}, "the restored server takes no writes")
}

// BaseBackup copies the server by pg_basebackup into a folder.
func (a *Archived) BaseBackup(folder string) {
	a.t.Helper()
	host, port, err := net.SplitHostPort(a.server.address)
	if err != nil {
		a.t.Fatal(err)
	}
	backup, err := postgresCommand("pg_basebackup", "-h", host, "-p", port, "-U", "test", "--pgdata="+folder, "--wal-method=stream",
		"-c", "fast", "--no-sync")
	if err != nil {
		a.t.Fatal(err)
	}
	if out, err := backup.CombinedOutput(); err != nil {
		a.t.Fatalf("pg_basebackup: %v\n%s", err, out)
	}
}

// Destroy ends the server as a crash would, and deletes its data.
func (a *Archived) Destroy() {
	a.t.Helper()
	if err := errors.Join(a.server.kill(), os.RemoveAll(a.server.data())); err != nil {
		a.t.Fatal("testkit: destroying PostgreSQL:", err)
	}
}

// Restore brings the server back from its archive, to the newest moment, at its address.
func (a *Archived) Restore() {
	a.t.Helper()
	a.PgBackRest("restore")
	if err := a.server.run(); err != nil {
		a.t.Fatal("testkit: starting the restored server:", err)
	}
	a.awaitPromotion(&a.server)
}
