package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// healthTimeout is longer than a replica takes for its checks.
const healthTimeout = 5 * time.Second

type healthCommand struct{ printing }

// Run asks the replica at LISTEN_ADDR whether it is ready. It is the health check of images, which have no other program.
func (cmd healthCommand) Run(ctx context.Context, con *console) error {
	c, err := con.read()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Local()+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("LISTEN_ADDR: %w", err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // and no proxy
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // only read
	var answer struct {
		State  string            `json:"state"`
		Checks map[string]string `json:"checks"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&answer); err != nil {
		return fmt.Errorf("/readyz: %s: %w", response.Status, err)
	}
	err = cmd.print(con, answer, func(out io.Writer) {
		printf(out, "%s\n", answer.State)
		for _, part := range slices.Sorted(maps.Keys(answer.Checks)) {
			if state := answer.Checks[part]; state != "ok" {
				printf(out, "%s: %s\n", part, strings.TrimSpace(state))
			}
		}
	})
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("the replica is %s", answer.State)
	}
	return err
}
