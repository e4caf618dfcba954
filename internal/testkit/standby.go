package testkit

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// Pair is a PostgreSQL server of its own with a standby that streams from it: a commit returns once the standby has it too.
type Pair struct {
	t                testing.TB
	primary, standby postgres
}

// StartPair starts a pair with an empty database until the test ends.
func StartPair(t testing.TB) *Pair {
	t.Helper()
	p := &Pair{t: t}
	t.Cleanup(func() {
		if err := errors.Join(p.standby.stop(), p.primary.stop()); err != nil {
			t.Error("testkit: stopping PostgreSQL:", err)
		}
	})
	if err := p.start(); err != nil {
		t.Fatal("testkit: starting PostgreSQL with a standby:", err)
	}
	return p
}

// Addresses returns where the primary and the standby listen.
func (p *Pair) Addresses() []string { return []string{p.primary.address, p.standby.address} }

// URL returns the URL of the database at whichever of the two takes writes: by addresses in front of them, or their own.
func (p *Pair) URL(addresses ...string) string {
	if len(addresses) == 0 {
		addresses = p.Addresses()
	}
	return fmt.Sprintf("postgres://test@%s/portal?sslmode=disable&target_session_attrs=read-write", strings.Join(addresses, ","))
}

func (p *Pair) start() error {
	if err := p.primary.start(); err != nil {
		return err
	}
	if err := p.standby.prepare(); err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(p.primary.address)
	if err != nil {
		return err
	}
	backup, err := postgresCommand("pg_basebackup", "-h", host, "-p", port, "-U", "test", "-D", p.standby.data(),
		"-R", "-c", "fast", "--no-sync")
	if err != nil {
		return err
	}
	if out, err := backup.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w: %s", err, bytes.TrimSpace(out))
	}
	if err := p.standby.run(); err != nil {
		return err
	}
	for _, statement := range []string{
		"CREATE DATABASE portal TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'",
		"ALTER SYSTEM SET synchronous_standby_names = '*'",
		"SELECT pg_reload_conf()",
	} {
		if err := p.primary.execute(statement); err != nil {
			return err
		}
	}
	return nil
}

// FailOver kills the primary and promotes the standby. It returns how long the promotion took.
func (p *Pair) FailOver() time.Duration {
	p.t.Helper()
	began := time.Now()
	if err := p.primary.kill(); err != nil {
		p.t.Fatal("testkit: killing the primary:", err)
	}
	for _, statement := range []string{"SELECT pg_promote()", "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()"} {
		if err := p.standby.execute(statement); err != nil {
			p.t.Fatal("testkit: promoting the standby:", err)
		}
	}
	return time.Since(began)
}
