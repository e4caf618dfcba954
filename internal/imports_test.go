package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed says what the packages below a folder may import of ours, besides packages of their own folder. The most
// specific folder counts. Tests may import more: they put parts together.
var allowed = map[string][]string{
	"internal/kit":         {},
	"internal/collections": {"internal/kit"},
	"internal/portal":      {"internal/kit", "internal/collections"},
	"internal/portal/packs": {
		"internal/kit", "internal/collections", "internal/portal/draw", "internal/portal/projection", "internal/portal/reward",
	},
	"internal/portal/claim":      {"internal/kit", "internal/portal/projection", "internal/portal/reward"},
	"internal/portal/move":       {"internal/kit", "internal/portal/reward"},
	"internal/portal/operator":   {"internal/kit", "internal/portal/draw", "internal/portal/reward"},
	"internal/portal/burn":       {"internal/kit", "internal/collections", "internal/portal/projection", "internal/portal/reward"},
	"internal/portal/webstore":   {"internal/kit", "internal/portal/draw", "internal/portal/projection", "internal/portal/reward"},
	"internal/portal/projection": {"internal/kit", "internal/collections", "internal/portal/reward"},
	"internal/catalogue":         {"internal/kit", "internal/collections"},
	"internal/brand":             {"internal/kit", "internal/catalogue", "internal/collections"},
	"internal/config":            {"internal/kit", "internal/brand", "internal/collections"},
	"internal/beacon":            {"internal/kit"},
	"internal/certificate":       {"internal/kit"},
	"internal/audit":             {"internal/kit", "internal/beacon", "internal/portal/draw"},
	"internal/backup":            {"internal/kit"},
	"internal/files":             {"internal/kit"},
	"internal/kms":               {"internal/kit"},
	"internal/metadata":          {"internal/kit"},
	"internal/mail":              {"internal/kit"},
	"internal/outbox":            {"internal/kit"},
	"internal/site":              {"internal/kit"},
	"internal/api":               {"internal/kit", "internal/brand", "internal/collections", "internal/portal"},
	"internal/realtime":          {"internal/kit", "internal/portal"},
	"internal/social":            {"internal/kit", "internal/portal"},
	"internal/shop":              {"internal/kit", "internal/portal"},
	"internal/store":             {"internal/kit", "internal/metadata", "internal/portal"},
	"internal/chain":             {"internal/kit", "internal/collections", "internal/portal"},
	"internal/chain/devnet":      {"internal/kit", "internal/brand", "internal/chain", "internal/collections"},
	"internal/gameplatform":      {"internal/kit", "internal/portal"},
	"internal/rum":               {"internal/kit", "internal/portal"},
	"internal/testkit":           {"internal/kit", "internal/brand", "internal/metadata", "internal/portal", "internal/store"},
	"internal/app":               {"internal", "brands"},
	"cmd": {
		"internal/app", "internal/brand", "internal/config", "internal/kit", "internal/portal/operator", "internal/portal/securitylog",
	},
	"brands": {"internal/kit", "internal/catalogue"},
	"test":   {"internal", "test"},
}

// module is what our own import paths begin with.
const module = "pantheon/"

// Spec: RUN-10
func TestImports_Rules(t *testing.T) {
	t.Parallel()
	eachImport(t, func(file, folder, imported string) {
		rule, ok := ruleFor(folder)
		if !ok {
			t.Errorf("%s: no rule says what %s may import", file, folder)
			return
		}
		if within(imported, ownFolder(folder)) {
			return
		}
		for _, prefix := range allowed[rule] {
			if within(imported, prefix) {
				return
			}
		}
		t.Errorf("%s: %s must not import %s", file, folder, imported)
	})
}

// The binary for servers links neither the development chains nor drawing code.
func TestImports_TheBinaryForServersHasNoDevelopmentWorld(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", "nodev", "../cmd/pantheon").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		imported := strings.TrimPrefix(strings.TrimSpace(line), module)
		if within(imported, "internal/chain/devnet") || within(imported, "brands") || strings.Contains(imported, "go-ethereum/core/vm") {
			t.Errorf("it has %s", imported)
		}
	}
}

// A package without a need for go-ethereum must not pull it in: it costs minutes of building.
func TestImports_OnlyTheChainKnowsGoEthereum(t *testing.T) {
	t.Parallel()
	walk(t, func(file, folder, imported string) {
		if !strings.HasPrefix(imported, "github.com/ethereum/go-ethereum") {
			return
		}
		for _, prefix := range []string{"internal/chain", "internal/app", "test"} {
			if within(folder, prefix) {
				return
			}
		}
		t.Errorf("%s: only internal/chain and internal/app may import go-ethereum", file)
	})
}

// vocabulary are the capabilities whose values and pure rules others use: what rewards consist of, what facts lead to, how
// is drawn.
var vocabulary = []string{"internal/portal/reward", "internal/portal/projection", "internal/portal/draw"}

// Spec: RUN-10
func TestImports_CapabilitiesDoNotImportEachOther(t *testing.T) {
	t.Parallel()
	eachImport(t, func(file, folder, imported string) {
		if slices.Contains(vocabulary, imported) {
			return // where a folder's own rule allows it
		}
		if within(folder, "internal/portal") && within(imported, "internal/portal") && ownFolder(folder) != ownFolder(imported) {
			t.Errorf("%s: a capability declares the ports it needs instead of importing %s", file, imported)
		}
	})
}

// ownFolder is the folder whose packages may import each other freely: one capability of portal, else the part itself.
func ownFolder(folder string) string {
	parts := strings.Split(folder, "/")
	depth := 2
	if within(folder, "internal/portal") || within(folder, "internal/gameplatform") {
		depth = 3
	}
	return strings.Join(parts[:min(depth, len(parts))], "/")
}

func ruleFor(folder string) (rule string, ok bool) {
	for prefix := range allowed {
		if within(folder, prefix) && len(prefix) > len(rule) {
			rule, ok = prefix, true
		}
	}
	return rule, ok
}

func within(folder, prefix string) bool {
	return folder == prefix || strings.HasPrefix(folder, prefix+"/")
}

// eachImport calls f for every import of one of our packages by another.
func eachImport(t *testing.T, f func(file, folder, imported string)) {
	t.Helper()
	walk(t, func(file, folder, imported string) {
		if ours, ok := strings.CutPrefix(imported, module); ok && ours != folder {
			f(file, folder, ours)
		}
	})
}

// walk calls f for every import of every file that is not a test.
func walk(t *testing.T, f func(file, folder, imported string)) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "data" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f(filepath.ToSlash(name), filepath.ToSlash(filepath.Dir(name)), imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("only %d files were read", files)
	}
}
