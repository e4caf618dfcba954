package packages_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const unit = "deploy/pantheon.service"

// directives returns the values of the unit's directives, in their order.
func directives(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, unit))
	must(t, err)
	out := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			out[name] = append(out[name], value)
		}
	}
	return out
}

// systemd understands the unit, and finds no more to object than 1.1 of 10: the portal needs the network.
// Spec: RUN-28
func TestUnit_IsSandboxed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, unit))
	must(t, err)
	file := filepath.Join(t.TempDir(), "pantheon.service")
	verified := strings.Replace(string(text), "ExecStart=/usr/bin/pantheon ", "ExecStart="+server(t)+" ", 1)
	verify := func(text string) string { // unknown directives are only told
		t.Helper()
		must(t, os.WriteFile(file, []byte(text), 0o600))
		out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", file).CombinedOutput()
		must(t, err)
		return string(out)
	}
	if out := verify(verified); out != "" {
		t.Errorf("systemd says: %s", out)
	}
	if out := verify(verified + "[Service]\nProtectSystems=strict\n"); !strings.Contains(out, "ProtectSystems") {
		t.Errorf("of an unknown directive systemd says %q", out)
	}
	out := run(t, nil, "systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=11", unit)
	if !strings.Contains(out, "Overall exposure level for pantheon.service: 1.1 OK") {
		t.Error(out)
	}
}

// Spec: RUN-31
func TestUnit_OfBackupsIsSandboxed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"pantheon-backup.service", "pantheon-backup.timer"} {
		text, err := os.ReadFile(filepath.Join(root, "deploy", name))
		must(t, err)
		text = []byte(strings.Replace(string(text), "ExecStart=/usr/bin/pantheon ", "ExecStart="+server(t)+" ", 1))
		must(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
	for _, name := range []string{"pantheon-backup.service", "pantheon-backup.timer"} {
		out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", filepath.Join(folder, name)).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: systemd says %s (%v)", name, out, err)
		}
	}
	out := run(t, nil, "systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=15", "deploy/pantheon-backup.service")
	if !strings.Contains(out, "Overall exposure level for pantheon-backup.service: 1.") {
		t.Error(out)
	}
}

// The settings of the package, and those of the unit, are together a complete production, whose secrets are credentials.
// Spec: RUN-28
func TestUnit_IsACompleteProduction(t *testing.T) {
	t.Parallel()
	d := directives(t)
	var names []string
	of := map[string]string{}
	for _, line := range d["Environment"] {
		name, value, _ := strings.Cut(line, "=")
		names, of[name] = append(names, name), strings.ReplaceAll(value, "%S", "/var/lib")
		credential, is := strings.CutPrefix(value, "%d/")
		if want := credential + ":/etc/pantheon/secrets/" + credential; is && !slices.Contains(d["LoadCredential"], want) {
			t.Errorf("%s: the credential %s is not loaded", name, credential)
		}
	}
	settings := filled(t)
	for name := range of { // as scripts/deb does
		delete(settings, name)
		delete(settings, strings.TrimSuffix(name, "_FILE"))
	}
	maps.Copy(settings, of)
	mountSecrets(t, settings, map[string]string{"TOKEN_SECRET": tokenSecret})
	c := mustBeProduction(t, settings)
	if c.DataDir != "/var/lib/pantheon" || !slices.Equal(d["StateDirectory"], []string{"pantheon pantheon-backups"}) {
		t.Errorf("the data is in %s, and the unit's folder is %v", c.DataDir, d["StateDirectory"])
	}
	if stop, err := time.ParseDuration(d["TimeoutStopSec"][0] + "s"); err != nil || stop < c.DrainTime+15*time.Second {
		t.Errorf("it is killed after %s (%v), and drains for %s", stop, err, c.DrainTime)
	}
	if want := 1 + 6; len(names) != want {
		t.Errorf("the unit sets %v, want %d", names, want)
	}
}
