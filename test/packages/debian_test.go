package packages_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"filippo.io/age"

	"pantheon/internal/testkit"
)

// buildPackage builds the Debian package, and returns its path.
func buildPackage(t *testing.T) string {
	t.Helper()
	tool(t, "nfpm")
	server(t)
	folder := t.TempDir()
	run(t, []string{"VERSION=1.2.3", "SOURCE_DATE_EPOCH=1700000000"}, "scripts/deb", folder)
	files, err := filepath.Glob(filepath.Join(folder, "pantheon_1.2.3_*.deb"))
	if err != nil || len(files) != 1 {
		t.Fatalf("built: %v (%v)", files, err)
	}
	return files[0]
}

// Spec: RUN-28
func TestDebian_PackageHasWhatAServiceNeeds(t *testing.T) {
	t.Parallel()
	file := buildPackage(t)
	if got, want := run(t, nil, "dpkg-deb", "--show", "--showformat", "${Package} ${Version} ${Depends}", file),
		"pantheon 1.2.3 ca-certificates"; got != want {
		t.Errorf("the package is %s, want %s", got, want)
	}
	contents := run(t, nil, "dpkg-deb", "--contents", file)
	for path, want := range map[string]string{
		"/usr/bin/pantheon":                             "-rwxr-xr-x root/root",
		"/usr/lib/systemd/system/pantheon.service":      "-rw-r--r-- root/root",
		"/usr/lib/systemd/system/pantheon-backup.timer": "-rw-r--r-- root/root",
		"/etc/pantheon/pantheon.env":                    "-rw-r----- root/root",
		"/etc/pantheon/secrets/":                        "drwx------ root/root",
		"/usr/share/doc/pantheon/copyright":             "-rw-r--r-- root/root",
		"/usr/share/doc/pantheon/operations/README.md":  "-rw-r--r-- root/root",
	} {
		match := regexp.MustCompile(`(?m)^(\S+ \S+) .* \.` + regexp.QuoteMeta(path) + `$`).FindStringSubmatch(contents)
		if match == nil || match[1] != want {
			t.Errorf("%s is %q, want %q", path, match, want)
		}
	}
	dir := t.TempDir()
	run(t, nil, "dpkg-deb", "--raw-extract", file, dir)
	text, err := os.ReadFile(filepath.Join(dir, "DEBIAN/conffiles"))
	if err != nil || string(text) != "/etc/pantheon/pantheon.env\n" {
		t.Errorf("upgrades keep %q (%v)", text, err)
	}
	text, err = os.ReadFile(filepath.Join(dir, "etc/pantheon/pantheon.env"))
	must(t, err)
	settings := map[string]string{}
	add(settings, string(text))
	for _, line := range directives(t)["Environment"] {
		name, _, _ := strings.Cut(line, "=")
		for _, name := range []string{name, strings.TrimSuffix(name, "_FILE")} {
			if value, ok := settings[name]; ok {
				t.Errorf("pantheon.env overrides the unit's %s: %q", name, value)
			}
		}
	}
	if settings["ENVIRONMENT"] != "prod" || len(settings) < 30 {
		t.Errorf("pantheon.env has %v", settings)
	}
	if again := buildPackage(t); run(t, nil, "cmp", file, again) != "" {
		t.Error("two builds differ")
	}
}

// boot installs the package on a copy of this machine, with secrets and settings, and boots systemd there.
const boot = `set -e
mount -t tmpfs tmpfs "$FOLDER"
mkdir "$FOLDER/upper" "$FOLDER/work" "$FOLDER/root"
mount -t overlay -o "lowerdir=/,upperdir=$FOLDER/upper,workdir=$FOLDER/work" overlay "$FOLDER/root"
dpkg --root="$FOLDER/root" --force-depends --install "$PACKAGE"
install -m 0600 "$SECRETS"/* "$FOLDER/root/etc/pantheon/secrets"
cat "$SETTINGS" >"$FOLDER/root/etc/pantheon/pantheon.env"
printf '[Unit]\nRequires=basic.target\nAfter=basic.target\nWants=pantheon.service\n' >"$FOLDER/root/etc/systemd/system/portal.target"
exec systemd-nspawn --quiet --register=no --keep-unit --machine="$MACHINE" --directory="$FOLDER/root" \
	--boot systemd.unit=portal.target systemd.journald.forward_to_console=1
`

// The installed package runs as its unit says: as a user of its own, without rights, on SQLite in its folder, and it stops in order.
// Spec: RUN-28
func TestDebian_ServiceRunsInItsSandbox(t *testing.T) {
	t.Parallel()
	proveOnly(t)
	needRoot(t) // to boot systemd in a container
	file, settings := buildPackage(t), deploy(t)
	folder, secrets := t.TempDir(), t.TempDir()
	for _, line := range directives(t)["Environment"] {
		name, path, _ := strings.Cut(line, "=")
		credential, is := strings.CutPrefix(path, "%d/")
		if !is {
			continue
		}
		value := []byte(settings[strings.TrimSuffix(name, "_FILE")])
		if from := settings[name]; from != "" {
			var err error
			value, err = os.ReadFile(from)
			must(t, err)
		}
		must(t, os.WriteFile(filepath.Join(secrets, credential), value, 0o600))
		delete(settings, name)
		delete(settings, strings.TrimSuffix(name, "_FILE"))
	}
	address, err := testkit.FreeAddress()
	must(t, err)
	key, err := age.GenerateX25519Identity()
	must(t, err)
	settings["BACKUP_DIR"], settings["BACKUP_RECIPIENTS"] = "/var/lib/pantheon-backups", key.Recipient().String()
	settings["LISTEN_ADDR"], settings["PUBLIC_URL"], settings["DRAIN_TIME"] = address, "http://"+address, "1s"
	env := filepath.Join(t.TempDir(), "env")
	must(t, os.WriteFile(env, []byte(strings.Join(lines(settings), "\n")+"\n"), 0o600))

	machine := exec.CommandContext(t.Context(), "unshare", "--mount", "--propagation", "private", "sh", "-c", boot)
	machine.Env = append(os.Environ(), "FOLDER="+folder, "PACKAGE="+file, "SECRETS="+secrets, "SETTINGS="+env,
		fmt.Sprintf("MACHINE=portal-%d", os.Getpid()))
	var log testkit.Log
	machine.Stdout, machine.Stderr = &log, &log
	machine.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	must(t, machine.Start())
	ended := make(chan error, 1)
	go func() { ended <- machine.Wait() }()
	t.Cleanup(func() { _ = syscall.Kill(-machine.Process.Pid, syscall.SIGKILL) }) // the group, of which the container ends with its parent
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	testkit.Eventually(t, waitTimeout, func() bool {
		select {
		case err := <-ended:
			t.Fatalf("the machine ended: %v\n%s", err, log.String())
		default:
		}
		response, err := client.Get("http://" + address + "/readyz")
		if err == nil {
			_ = response.Body.Close()
		}
		return err == nil && response.StatusCode == http.StatusOK
	}, "the service is not ready: %s", &log)

	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", machine.Process.Pid))
	must(t, err)
	inside := func(args ...string) string {
		t.Helper()
		return run(t, nil, "nsenter", append([]string{"--target", strings.Fields(string(children))[0], "--all"}, args...)...)
	}
	state := func(name string) string {
		t.Helper()
		return strings.TrimSpace(inside("systemctl", "show", "--value", "--property", name, "pantheon"))
	}
	process := inside("cat", "/proc/"+state("MainPID")+"/status")
	for name, want := range map[string]string{
		"Name": "pantheon", "Uid": `(6[1-5]\d{3}) $1 $1 $1`, "CapPrm": "0{16}", "CapEff": "0{16}", "CapBnd": "0{16}", "NoNewPrivs": "1",
		"Seccomp": "2",
	} {
		match := regexp.MustCompile(`(?m)^` + name + `:\s*(.*)$`).FindStringSubmatch(process)
		if match == nil {
			t.Fatalf("no %s in\n%s", name, process)
		}
		got := strings.Join(strings.Fields(match[1]), " ")
		user, _, _ := strings.Cut(got, " ")
		want = strings.ReplaceAll(want, "$1", user)
		if !regexp.MustCompile(`^` + want + `$`).MatchString(got) {
			t.Errorf("%s is %q, want %s", name, got, want)
		}
	}
	inside("systemctl", "start", "pantheon-backup")
	if backups := inside("ls", "/var/lib/pantheon-backups/"); !strings.HasSuffix(backups, ".tar.zst.age\n") {
		t.Errorf("the folder of backups has %s", backups)
	}
	check := strings.NewReplacer("--pty", "--quiet --pipe --wait", "systemctl enable --now pantheon", "systemctl is-active pantheon").
		Replace(commands(t, "systemd-run"))
	if out := inside("sh", "-c", check); !strings.Contains(out, "signer key   ok\n") || !strings.HasSuffix(out, "active\n") {
		t.Errorf("the documented commands say\n%s", out)
	}
	if data := inside("ls", "/var/lib/pantheon/"); !strings.Contains(data, "pantheon.db\n") {
		t.Errorf("the folder of data has %s", data)
	}
	inside("systemctl", "stop", "pantheon")
	if got := state("Result") + " " + state("ExecMainStatus") + " " + state("NRestarts"); got != "success 0 0" {
		t.Errorf("stopped: %s, want success 0 0", got)
	}
	inside("systemctl", "poweroff")
	<-ended
}
