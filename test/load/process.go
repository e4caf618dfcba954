package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// process is a server under test.
type process struct {
	cmd  *exec.Cmd
	host string
}

// launch starts a server and waits until the path returns 200.
func launch(ctx context.Context, host, ready string, env []string, name string, args ...string) (*process, error) {
	return launchUntil(ctx, host, func(host string) bool {
		response, err := http.Get("http://" + host + ready)
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	}, env, name, args...)
}

// launchUntil starts a server and waits until it is ready.
func launchUntil(
	ctx context.Context, host string, isReady func(host string) bool, env []string, name string, args ...string,
) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, name, args...), host: host}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = os.Stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	end := time.Now().Add(time.Minute)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if isReady(host) {
			return p, nil
		}
		if time.Now().After(end) || ctx.Err() != nil {
			p.stop()
			return nil, fmt.Errorf("%s did not become ready", name)
		}
		<-tick.C
	}
}

// stop shuts down the server gracefully and waits for it.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
}
