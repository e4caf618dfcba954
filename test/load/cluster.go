package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// tradeOnCluster lets players trade on a cluster whose parts fail in turn, and prints the report. The test that proves that nothing is lost
// or sold twice does it.
func tradeOnCluster(ctx context.Context, dir string) error {
	file := filepath.Join(dir, "report.md")
	cmd := exec.CommandContext(ctx, "go", "test", "./test/cluster", "-run", "^TestCluster_TradeGoesOnWhilePartsFail$", "-count", "1",
		"-timeout", "30m", "-args", "-report", file)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the trade: %w", err)
	}
	report, err := os.ReadFile(file)
	if err == nil {
		_, err = os.Stdout.Write(report)
	}
	return err
}
