package packages_test

import (
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pantheon/internal/testkit"
)

// image is an image in a storage of its own.
type image struct {
	*testing.T
	env []string // of buildah
}

const imageName = "pantheon:test"

// buildImage builds the image as `make image` does.
func buildImage(t *testing.T) image {
	t.Helper()
	server(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "storage.conf")
	text := fmt.Appendf(nil, "[storage]\ndriver = \"vfs\"\ngraphroot = \"%s/storage\"\nrunroot = \"%[1]s/run\"\n", dir)
	must(t, os.WriteFile(config, text, 0o600))
	i := image{t, []string{"CONTAINERS_STORAGE_CONF=" + config, "VERSION=1.2.3", "COMMIT=4d1f", "SOURCE_DATE_EPOCH=1700000000"}}
	run(t, i.env, "scripts/image", imageName)
	return i
}

// description is what an engine knows of an image.
type description struct {
	Docker struct {
		Created string `json:"created"`
		Config  struct {
			User, WorkingDir, StopSignal string
			Env, Entrypoint, Cmd         []string
			ExposedPorts, Volumes        map[string]struct{}
			Labels                       map[string]string
			Healthcheck                  struct{ Test []string }
		} `json:"config"`
		Layers struct {
			Files []string `json:"diff_ids"`
		} `json:"rootfs"`
	}
}

func (i image) describe() (d description) {
	i.Helper()
	must(i.T, json.Unmarshal([]byte(run(i.T, i.env, "buildah", "inspect", "--type", "image", imageName)), &d))
	return d
}

// unpack returns a folder with the image's files.
func (i image) unpack() string {
	i.Helper()
	container := strings.TrimSpace(run(i.T, i.env, "buildah", "from", "--pull-never", imageName))
	return strings.TrimSpace(run(i.T, i.env, "buildah", "mount", container))
}

// Spec: RUN-28
func TestImage_SaysHowItIsRun(t *testing.T) {
	t.Parallel()
	i := buildImage(t)
	d := i.describe()
	c := d.Docker.Config
	got := fmt.Sprint(d.Docker.Created, c.User, c.WorkingDir, c.StopSignal, c.Env[1:], c.Entrypoint, c.Cmd, c.ExposedPorts, c.Volumes,
		c.Healthcheck)
	const want = "2023-11-14T22:13:20Z 65532:65532 /data SIGTERM [LISTEN_ADDR=0.0.0.0:8080 DATA_DIR=/data] [/usr/bin/pantheon] [serve] " +
		"map[8080/tcp:{}] map[/data:{}] {[CMD /usr/bin/pantheon health]}"
	if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("the image says\n%s, want\n%s", got, want)
	}
	for label, want := range map[string]string{"title": "Pantheon", "licenses": "Apache-2.0", "version": "1.2.3", "revision": "4d1f"} {
		if got := c.Labels["org.opencontainers.image."+label]; got != want {
			t.Errorf("the label %s is %q, want %q", label, got, want)
		}
	}
	var files []string
	dir := i.unpack()
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files = append(files, path)
		info, err := e.Info()
		if err != nil {
			return err
		}
		if s := info.Sys().(*syscall.Stat_t); s.Uid != 0 || s.Gid != 0 || info.Mode()&0o7022 != 0 {
			t.Errorf("%s is of user %d, with mode %v", path, s.Uid, info.Mode())
		}
		return nil
	}))
	if want := []string{"etc/passwd", "etc/ssl/certs/ca-certificates.crt", "usr/bin/pantheon"}; !slices.Equal(files, want) {
		t.Errorf("the image has %v, want %v", files, want)
	}
	authorities, err := os.ReadFile(filepath.Join(dir, "etc/ssl/certs/ca-certificates.crt"))
	must(t, err)
	if n := strings.Count(string(authorities), "BEGIN CERTIFICATE"); n < 100 || !x509.NewCertPool().AppendCertsFromPEM(authorities) {
		t.Errorf("%d certificate authorities", n)
	}
	run(t, i.env, "scripts/image", imageName)
	if again := i.describe(); len(d.Docker.Layers.Files) != 1 || !slices.Equal(again.Docker.Layers.Files, d.Docker.Layers.Files) {
		t.Errorf("built twice: %v, %v", d.Docker.Layers.Files, again.Docker.Layers.Files)
	}
}

// container runs the image as an engine does: with its files as a read-only root, as its user, without capabilities.
type container struct {
	*testing.T
	description
	root, data, secrets string
	settings            []string
}

// enter mounts and enters the root, then runs a program there.
const enter = `set -e
mount --bind "$ROOT" "$ROOT"
mount --bind "$DATA" "$ROOT/data"
mount --bind "$SECRETS" "$ROOT/run/secrets"
mount -o remount,bind,ro "$ROOT/run/secrets"
mount -o remount,bind,ro "$ROOT"
user=$USER_ID group=$GROUP_ID root=$ROOT wd=$WORKING_DIR
unset ROOT DATA SECRETS USER_ID GROUP_ID WORKING_DIR
exec setpriv --no-new-privs unshare --root "$root" --wd "$wd" --setgid "$group" --setuid "$user" "$@"
`

func (c *container) command(args ...string) *exec.Cmd {
	user, group, _ := strings.Cut(c.Docker.Config.User, ":")
	args = append([]string{"--mount", "--propagation", "private", "sh", "-c", enter, "sh"}, args...)
	cmd := exec.CommandContext(c.Context(), "unshare", args...)
	cmd.Env = slices.Concat(c.Docker.Config.Env, c.settings, []string{
		"ROOT=" + c.root, "DATA=" + c.data, "SECRETS=" + c.secrets, "USER_ID=" + user, "GROUP_ID=" + group,
		"WORKING_DIR=" + c.Docker.Config.WorkingDir,
	})
	return cmd
}

// health runs the image's health check.
func (c *container) health() (state string, err error) {
	out, err := c.command(c.Docker.Config.Healthcheck.Test[1:]...).Output()
	state, _, _ = strings.Cut(string(out), "\n")
	return state, err
}

// newContainer prepares a container of the image with an empty folder of data, and without secrets and settings.
func newContainer(t *testing.T) *container {
	t.Helper()
	i := buildImage(t)
	c := &container{T: t, description: i.describe(), root: i.unpack(), data: t.TempDir(), secrets: t.TempDir()}
	must(t, os.Chown(c.data, 65532, 65532), os.MkdirAll(filepath.Join(c.root, "run/secrets"), 0o755), os.Chmod(c.secrets, 0o755))
	return c
}

// configure gives the container settings. Secrets are mounted as Kubernetes does: of root, for the group.
func (c *container) configure(settings map[string]string) {
	c.Helper()
	secret := func(name string, value []byte) string {
		c.Helper()
		file := filepath.Join(c.secrets, name)
		must(c.T, os.WriteFile(file, value, 0o440), os.Chown(file, 0, 65532))
		return "/run/secrets/" + name
	}
	c.settings = nil
	for name, value := range settings {
		switch {
		case strings.HasSuffix(name, "_FILE"):
			text, err := os.ReadFile(value)
			must(c.T, err)
			value = secret(strings.ToLower(name), text)
		case name == "TOKEN_SECRET":
			name, value = name+"_FILE", secret("token_secret", []byte(value))
		}
		c.settings = append(c.settings, name+"="+value)
	}
}

// start runs the portal until the test or the container ends.
func (c *container) start() (process *os.Process, log *testkit.Log, ended <-chan error) {
	c.Helper()
	cmd := c.command(append(c.Docker.Config.Entrypoint, c.Docker.Config.Cmd...)...)
	log = new(testkit.Log)
	cmd.Stdout, cmd.Stderr = log, log
	must(c.T, cmd.Start())
	end := make(chan error, 1)
	go func() { end <- cmd.Wait() }()
	c.Cleanup(func() { _ = cmd.Process.Kill() })
	testkit.Eventually(c.T, waitTimeout, func() bool {
		select {
		case err := <-end:
			c.Fatalf("it ended: %v\n%s", err, log.String())
		default:
		}
		_, err := c.health() // degraded without the beacon, which tests do not reach
		return err == nil
	}, "it is not healthy: %s", log)
	return cmd.Process, log, end
}

// status returns a line of what the system knows of a process.
func status(t *testing.T, process int, name string) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	must(t, err)
	match := regexp.MustCompile(`(?m)^` + name + `:(.*)$`).FindSubmatch(text)
	if match == nil {
		t.Fatalf("no %s in\n%s", name, text)
	}
	return strings.Join(strings.Fields(string(match[1])), " ")
}

// The image needs no rights, no writable root and no temporary folder; its health check tells a replica that stops from one that works.
// Spec: RUN-28
func TestImage_RunsWithoutRightsOnAReadOnlyRoot(t *testing.T) {
	t.Parallel()
	needRoot(t) // to mount file systems and to become the image's user
	c := newContainer(t)
	settings := deploy(t)
	address, err := testkit.FreeAddress()
	must(t, err)
	settings["LISTEN_ADDR"], settings["PUBLIC_URL"], settings["DRAIN_TIME"] = address, "https://portal.example", "5s"
	c.configure(settings)
	if state, err := c.health(); err == nil {
		t.Errorf("before the start it is %s", state)
	}
	process, log, ended := c.start()
	for name, want := range map[string]string{
		"Name": "pantheon", "Uid": "65532 65532 65532 65532", "Gid": "65532 65532 65532 65532", "Groups": "", "CapPrm": "0000000000000000",
		"CapEff": "0000000000000000", "CapInh": "0000000000000000", "NoNewPrivs": "1",
	} {
		if got := status(t, process.Pid, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	mounts, err := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", process.Pid))
	must(t, err)
	for path, option := range map[string]string{"/": "ro", "/run/secrets": "ro", "/data": "rw"} {
		if !regexp.MustCompile(`(?m)^(\S+ ){4}` + path + ` ` + option + `\b`).Match(mounts) {
			t.Errorf("%s is not %s:\n%s", path, option, mounts)
		}
	}
	if _, err := os.Stat(filepath.Join(c.data, "pantheon.db")); err != nil {
		t.Error(err)
	}

	must(t, process.Signal(syscall.SIGTERM)) // the image's StopSignal
	testkit.Eventually(t, waitTimeout, func() bool {
		state, err := c.health()
		return err != nil && state == "unready"
	}, "it stops, and is healthy: %s", log)
	if err := <-ended; err != nil {
		t.Errorf("stopped: %v\n%s", err, log.String())
	}
	var now []string
	must(t, fs.WalkDir(os.DirFS(c.root), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			now = append(now, path)
		}
		return err
	}))
	if len(now) != 3 {
		t.Errorf("the root has %v", now)
	}
}
