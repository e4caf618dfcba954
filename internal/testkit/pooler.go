package testkit

import (
	"bytes"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Pooler starts PgBouncer in transaction mode before the server of a PostgreSQL database until the test ends, and returns the
// database's URL there. It skips the test where PgBouncer is not installed.
func Pooler(t testing.TB, databaseURL string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/pgbouncer"); err != nil { // Debian's
			t.Skip("pgbouncer is not installed")
		}
	}
	address, err := FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(address)
	serverHost, serverPort, _ := net.SplitHostPort(cluster.address)
	file := filepath.Join(t.TempDir(), "pgbouncer.ini")
	settings := fmt.Sprintf("[databases]\n* = host=%s port=%s user=test\n[pgbouncer]\nlisten_addr=%s\nlisten_port=%s\nunix_socket_dir=\n"+
		"auth_type=any\npool_mode=transaction\ndefault_pool_size=3\n", serverHost, serverPort, host, port)
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(file); len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) { // the server runs as another user
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	owner, err := postgresUser()
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(owner, program, file)
	var log bytes.Buffer
	cmd.Stderr = &log
	started, stopped := make(chan error, 1), make(chan struct{})
	go func() {
		runtime.LockOSThread() // see postgres.run
		defer runtime.UnlockOSThread()
		defer close(stopped)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGQUIT)
		<-stopped
	})
	url := strings.Replace(databaseURL, cluster.address, address, 1)
	db, err := sql.Open("pgx", url+"&default_query_exec_mode=exec")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	Eventually(t, 30*time.Second, func() bool { return db.PingContext(t.Context()) == nil }, "pgbouncer does not answer: %s", &log)
	return url
}
