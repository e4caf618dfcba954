package testkit

import (
	"cmp"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/store"
)

// SiteOptions configure a site.
type SiteOptions struct {
	Engine  store.Engine // SQLite when empty
	Binary  string       // bin/pantheon when empty
	Command string       // dev when empty
	Name    string       // in the URL, instead of the address; such as localhost
	Env     []string     // further "NAME=value" settings
}

// Site is the built binary, running with its own data folder until the test ends.
type Site struct {
	URL string // http://127.0.0.1:port, or with the name
	Dir string // data folder

	t       testing.TB
	binary  string
	command string
	env     []string
	cmd     *exec.Cmd
	exited  chan error
	log     Log
}

const startTimeout = 90 * time.Second

// StartSite starts `pantheon dev`, or another command, and waits until it is ready. The binary must have been built (make build).
func StartSite(t testing.TB, o SiteOptions) *Site {
	t.Helper()
	address, err := FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	s := &Site{
		URL: "http://" + net.JoinHostPort(cmp.Or(o.Name, "127.0.0.1"), port), Dir: t.TempDir(),
		t: t, binary: o.Binary, command: cmp.Or(o.Command, "dev"),
	}
	if s.binary == "" {
		s.binary = filepath.Join(root(), "bin", "pantheon")
	}
	s.env = append(os.Environ(), "DATA_DIR="+s.Dir, "LISTEN_ADDR="+address, "PUBLIC_URL="+s.URL, "DRAIN_TIME=1s",
		"LIMIT_READS=0", "TRADE_RISK_PER_DAY=1000000", "DEV_BLOCK_LEAD=1m", // tests poll, trade at any price, and in bursts
		"DEV_BEACON_PORT=0") // and at the same time
	if o.Engine == store.PostgreSQL {
		s.env = append(s.env, "DATABASE_URL="+createPostgres(t, "template0"))
	}
	s.env = append(s.env, o.Env...)
	t.Cleanup(s.Stop)
	s.start(s.Ready)
	return s
}

// Set changes a setting, "NAME=value", for later starts and commands.
func (s *Site) Set(setting string) { s.env = append(s.env, setting) }

// Restart restarts the site on its data folder, after it has exited, and waits until it is ready.
func (s *Site) Restart() {
	s.t.Helper()
	s.Stop()
	s.start(s.Ready)
}

// RestartDegraded is Restart without waiting for anything but that it answers.
func (s *Site) RestartDegraded() {
	s.t.Helper()
	s.Stop()
	s.start(s.Answers)
}

func (s *Site) start(isReady func() bool) {
	s.t.Helper()
	if _, err := os.Stat(s.binary); err != nil {
		s.t.Fatalf("testkit: %s is missing: run `make build`", s.binary)
	}
	cmd := exec.Command(s.binary, s.command)
	cmd.Env, cmd.Stdout, cmd.Stderr = s.env, &s.log, &s.log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started, exited := make(chan error, 1), make(chan error, 1)
	go func() {
		// See postgres.run: the signal is sent when the starting thread ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		exited <- cmd.Wait()
		close(exited)
	}()
	if err := <-started; err != nil {
		s.t.Fatal(err)
	}
	s.cmd, s.exited = cmd, exited
	Eventually(s.t, startTimeout, func() bool {
		select {
		case err := <-exited:
			s.t.Fatalf("testkit: the site ended: %v\n%s", err, s.Log())
		default:
		}
		return isReady()
	}, "testkit: the site is not ready:\n%s", s.Log())
}

// Answers reports whether the site answers, whatever parts fail.
func (s *Site) Answers() bool {
	_, ok := s.checks()
	return ok
}

// checks returns the states of the parts, and false unless the site answers.
func (s *Site) checks() (map[string]string, bool) {
	response, err := http.Get(s.URL + "/readyz")
	if err != nil {
		return nil, false
	}
	defer response.Body.Close()
	var body struct{ Checks map[string]string }
	ok := response.StatusCode == http.StatusOK && json.NewDecoder(response.Body).Decode(&body) == nil
	return body.Checks, ok
}

// Ready reports whether the site answers, and its messages, chains and indexes work.
func (s *Site) Ready() bool {
	checks, ok := s.checks()
	if !ok {
		return false
	}
	for _, part := range []string{"messages", "game chain", "main chain"} {
		if state, ok := checks[part]; ok && state != "ok" {
			return false
		}
	}
	return true
}

// Kill kills the site, like kill -9.
func (s *Site) Kill() { s.end(syscall.SIGKILL) }

// Stop shuts the site down gracefully.
func (s *Site) Stop() { s.end(syscall.SIGTERM) }

// Exited receives the result of the running process when it has exited, and is then closed.
func (s *Site) Exited() <-chan error { return s.exited }

func (s *Site) end(signal syscall.Signal) {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(signal)
	select {
	case <-s.exited:
	case <-time.After(startTimeout):
		_ = s.cmd.Process.Kill()
		<-s.exited
		s.t.Errorf("testkit: the site did not end by itself:\n%s", s.Log())
	}
	s.cmd = nil
	http.DefaultClient.CloseIdleConnections()
}

// Command returns another command of the site's binary, with the site's settings, such as "version".
func (s *Site) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(s.binary, args...)
	cmd.Env = s.env
	return cmd
}

// Log returns the site's output so far.
func (s *Site) Log() string { return s.log.String() }

// root is the folder of the module.
func root() string {
	folder, err := brandtest.Root()
	if err != nil {
		panic(err)
	}
	return folder
}
