package cluster_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
)

// generated are what builds read and git does not have: the site, the contracts, the brand. Both versions are built with this tree's.
var generated = []string{"internal/site/dist", "internal/chain/contracts/artifacts", "internal/brand/files"}

// binaries returns the programs of the release before, whose commit the file "before" names, and of this version. The former is built once
// and kept in bin.
func binaries(t *testing.T) (before, now string) {
	t.Helper()
	root, err := brandtest.Root()
	must(t, err)
	text, err := os.ReadFile("before")
	must(t, err)
	commit := strings.TrimSpace(string(text))
	before, now = filepath.Join(root, "bin", "before-"+commit), filepath.Join(root, "bin", "pantheon")
	if exec.Command("git", "-C", root, "cat-file", "-e", commit+"^{commit}").Run() != nil {
		t.Fatalf("the release before, commit %s, is not in the history: fetch it (git fetch --unshallow)", commit)
	}
	// Replicas share chains, so the two versions have the same contracts. A release with others needs a world of its own here.
	command(t, root, "git", "diff", "--exit-code", "--stat", commit, "--", "contracts/src", "contracts/package.json")
	if _, err := os.Stat(before); err == nil {
		return before, now
	}
	source := t.TempDir()
	archive := filepath.Join(t.TempDir(), "source.tar")
	command(t, root, "git", "archive", "--output="+archive, commit)
	command(t, source, "tar", "-xf", archive)
	for _, folder := range generated {
		must(t, os.RemoveAll(filepath.Join(source, folder)))
		must(t, os.CopyFS(filepath.Join(source, folder), os.DirFS(filepath.Join(root, folder))))
	}
	draft := before + ".new"
	command(t, source, "go", "build", "-o", draft, "./cmd/pantheon")
	must(t, os.Rename(draft, before))
	return before, now
}

// command runs a command in a folder. It builds with the flags of the Makefile, so that libraries come from the build cache.
func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-buildvcs=false -trimpath", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
