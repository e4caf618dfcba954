package packages_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"pantheon/internal/store"
	"pantheon/internal/testkit"
)

const (
	chart = "deploy/helm/pantheon"
	// What says how the objects of a cluster look.
	kubernetes         = "k8s.io/kubernetes@v1.37.2"
	prometheusOperator = "github.com/prometheus-operator/prometheus-operator@v0.85.0"
)

// render returns the objects that the chart makes of values, of a file of its folder ci and of further ones, "name=value".
func render(t *testing.T, values string, further ...string) string {
	t.Helper()
	out, err := template(t, values, further...)
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", values, further, err, out)
	}
	return out
}

func template(t *testing.T, values string, further ...string) (string, error) {
	t.Helper()
	args := []string{"template", "portal", filepath.Join(root, chart), "--namespace", "studio", "--kube-version", "1.37.2",
		"--values", filepath.Join(root, chart, "ci", values+".yaml")}
	for _, value := range further {
		args = append(args, "--set", value)
	}
	out, err := exec.CommandContext(t.Context(), tool(t, "helm"), args...).CombinedOutput()
	return string(out), err
}

// object is what tests ask of an object of Kubernetes.
type object struct {
	Kind     string
	Metadata struct {
		Name                string
		Labels, Annotations map[string]string
	}
	Data map[string]string
	Spec struct {
		Replicas int
		Template struct {
			Metadata struct{ Annotations map[string]string }
			Spec     struct {
				Containers []struct {
					Args    []string
					EnvFrom []struct {
						From struct{ Name string } `yaml:"configMapRef"`
					} `yaml:"envFrom"`
					Env    []struct{ Name, Value string }
					Mounts []struct {
						Name string
						Path string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
				Grace   int `yaml:"terminationGracePeriodSeconds"`
				Volumes []struct {
					Name      string
					Projected struct {
						Sources []map[string]struct {
							Name  string
							Items []struct{ Key, Path string }
						}
					}
				}
			}
		}
	}
}

// objects returns the objects of a kind.
func objects(t *testing.T, text, kind string) (found []object) {
	t.Helper()
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var o object
		if decoder.Decode(&o) != nil {
			return found
		}
		if o.Kind == kind {
			found = append(found, o)
		}
	}
}

func only(t *testing.T, text, kind string) object {
	t.Helper()
	found := objects(t, text, kind)
	if len(found) != 1 {
		t.Fatalf("%d objects are a %s, want 1", len(found), kind)
	}
	return found[0]
}

// mounted returns the files that an object's container gets from secrets and config maps, with what they come from.
func (o object) mounted() map[string]string {
	files, pod := map[string]string{}, o.Spec.Template.Spec
	for _, m := range pod.Containers[0].Mounts {
		for _, v := range pod.Volumes {
			for _, source := range v.Projected.Sources {
				for kind, from := range source {
					for _, item := range from.Items {
						if v.Name == m.Name {
							files[filepath.Join(m.Path, item.Path)] = kind + " " + from.Name + " " + item.Key
						}
					}
				}
			}
		}
	}
	return files
}

// module returns the folder of a module at a version.
func module(t *testing.T, name string) string {
	t.Helper()
	var m struct{ Dir string }
	must(t, json.Unmarshal([]byte(run(t, nil, "go", "mod", "download", "-json", name)), &m))
	return m.Dir
}

// schemas writes JSON schemas of the kinds that the chart makes, with all that they refer to, and returns their folder. They are those of
// Kubernetes and of the Prometheus operator, and refuse fields that these do not know.
func schemas(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	write := func(name string, schema map[string]any) {
		t.Helper()
		text, err := json.Marshal(schema)
		must(t, err, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
	text, err := os.ReadFile(filepath.Join(module(t, kubernetes), "api/openapi-spec/swagger.json"))
	must(t, err)
	var api struct{ Definitions map[string]map[string]any }
	must(t, json.Unmarshal(text, &api))
	for _, definition := range api.Definitions {
		forbidOthers(definition)
	}
	api.Definitions["io.k8s.apimachinery.pkg.util.intstr.IntOrString"] = map[string]any{"type": []string{"string", "integer"}}
	for _, kind := range []string{
		"api.apps.v1.Deployment", "api.batch.v1.Job", "api.core.v1.ConfigMap", "api.core.v1.Service", "api.core.v1.ServiceAccount",
		"api.networking.v1.Ingress", "api.networking.v1.NetworkPolicy", "api.policy.v1.PodDisruptionBudget",
	} {
		needed := map[string]any{}
		need(api.Definitions, needed, "io.k8s."+kind)
		parts := strings.Split(kind, ".")
		write(strings.ToLower(parts[3])+"-"+strings.TrimPrefix(parts[1]+"-"+parts[2], "core-")+".json", map[string]any{
			"$ref": "#/definitions/io.k8s." + kind, "definitions": needed, "required": []string{"apiVersion", "kind", "metadata"},
		})
	}
	text, err = os.ReadFile(filepath.Join(module(t, prometheusOperator),
		"example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml"))
	must(t, err)
	var crd struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					Object map[string]any `yaml:"openAPIV3Schema"`
				}
			}
		}
	}
	must(t, yaml.Unmarshal(text, &crd))
	forbidOthers(crd.Spec.Versions[0].Schema.Object)
	write("servicemonitor-monitoring-v1.json", crd.Spec.Versions[0].Schema.Object)
	return folder
}

// forbidOthers makes a schema, and those in it, refuse properties that it does not name.
func forbidOthers(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		if _, named := s["properties"].(map[string]any); named && s["additionalProperties"] == nil {
			s["additionalProperties"] = false
		}
		for _, v := range s {
			forbidOthers(v)
		}
	case []any:
		for _, v := range s {
			forbidOthers(v)
		}
	}
}

// need adds a definition, and all that it refers to.
func need(all map[string]map[string]any, needed map[string]any, name string) {
	if needed[name] != nil {
		return
	}
	needed[name] = all[name]
	var follow func(any)
	follow = func(v any) {
		switch s := v.(type) {
		case map[string]any:
			if ref, ok := s["$ref"].(string); ok {
				need(all, needed, strings.TrimPrefix(ref, "#/definitions/"))
			}
			for _, v := range s {
				follow(v)
			}
		case []any:
			for _, v := range s {
				follow(v)
			}
		}
	}
	follow(all[name])
}

// conform checks objects with kubeconform, and returns what it says of them.
func conform(t *testing.T, folder, text string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tool(t, "kubeconform"), "-strict", "-summary", "-schema-location",
		folder+"/{{ .ResourceKind }}{{ .KindSuffix }}.json")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// sets are the values of the chart's folder ci, with how many objects they make.
var sets = map[string]int{"least": 7, "production": 9, "folder": 7, "off": 5}

// Kubernetes knows every field of what the chart makes, and kube-score has nothing to recommend, but for two things: limits of processors,
// which slow replicas down that would not take anything from others, and asking the registry for an image whose tag never changes.
// Spec: RUN-28
func TestHelm_ObjectsAreValidAndFollowAdvice(t *testing.T) {
	t.Parallel()
	tool(t, "kubeconform")
	score := tool(t, "kube-score")
	folder := schemas(t)
	for values, count := range sets {
		run(t, nil, tool(t, "helm"), "lint", "--strict", "--values", filepath.Join(chart, "ci", values+".yaml"), chart)
		text := render(t, values)
		out, err := conform(t, folder, text)
		if want := fmt.Sprintf("%d resources found parsing stdin - Valid: %[1]d, Invalid: 0, Errors: 0, Skipped: 0", count); err != nil ||
			!strings.Contains(out, want) {
			t.Errorf("%s: %v, want %s\n%s", values, err, want, out)
		}
		args := []string{"score", "--kubernetes-version", "v1.37", "--enable-optional-test", "container-seccomp-profile",
			"--ignore-container-cpu-limit", "--ignore-test", "container-image-pull-policy", "--exit-one-on-warning", "-"}
		if values == "off" {
			args = append(args, "--ignore-test", "pod-networkpolicy", "--ignore-test", "deployment-replicas")
		}
		cmd := exec.CommandContext(t.Context(), score, args...)
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", values, err, out)
		}
	}
	for _, fault := range [][2]string{
		{"readOnlyRootFilesystem: true", "readOnlyRootFileSystem: true"}, {"replicas: 2", "replicas: two"}, {"port: metrics", "ports: metrics"},
		{"sizeLimit:", "size:"},
	} {
		values := "least"
		if fault[0] == "port: metrics" {
			values = "production"
		}
		text := render(t, values)
		damaged := strings.Replace(text, fault[0], fault[1], 1)
		if out, err := conform(t, folder, damaged); damaged == text || err == nil {
			t.Errorf("%s is taken: %s", fault[1], out)
		}
	}
}

// A replica of the chart is a complete production, whose files are mounted where its settings name them, and which is not killed while it
// stops.
// Spec: RUN-28
func TestHelm_ReplicasAreCompleteProductions(t *testing.T) {
	t.Parallel()
	for values, grace := range map[string]int{"production": 50, "folder": 35} {
		text := render(t, values)
		deployment := only(t, text, "Deployment")
		pod := deployment.Spec.Template.Spec
		portal := pod.Containers[0]
		var from []string
		for _, source := range portal.EnvFrom {
			from = append(from, source.From.Name)
		}
		if !slices.Equal(from, []string{"portal-contracts", "portal-pantheon"}) || !slices.Equal(portal.Args, []string{"serve"}) {
			t.Errorf("%s: %v with the settings of %v", values, portal.Args, from)
		}
		settings := map[string]string{}
		for name, value := range filled(t) { // portal-contracts
			if strings.HasSuffix(name, "_ADDRESS") || strings.HasSuffix(name, "_WALLET") {
				settings[name] = value
			}
		}
		maps.Copy(settings, only(t, text, "ConfigMap").Data)
		files := deployment.mounted()
		for _, v := range portal.Env {
			settings[v.Name] = v.Value
		}
		for name, path := range settings {
			if strings.HasSuffix(name, "_FILE") && files[path] == "" && !strings.HasPrefix(path, "/lists/") {
				t.Errorf("%s: %s is %s, where nothing is mounted", values, name, path)
			}
		}
		if got := files["/run/secrets/pantheon/DATABASE_URL"]; got != map[string]string{
			"production": "secret portal-database url", "folder": "secret portal database-url",
		}[values] {
			t.Errorf("%s: the database's address is of %s", values, got)
		}
		mountSecrets(t, settings, map[string]string{
			"TOKEN_SECRET": tokenSecret, "DATABASE_URL": "postgres://pantheon@db.example/pantheon?sslmode=verify-full",
			"NATS_URL": "tls://nats.example:4222", "GAME_CHAIN_RPC_URL": "https://game.example", "MAIN_CHAIN_RPC_URL": "https://main.example",
			"SMTP_PASSWORD": "secret", "S3_SECRET_KEY": "secret",
		})
		c := mustBeProduction(t, settings)
		if pod.Grace != grace || time.Duration(grace)*time.Second != c.DrainTime+20*time.Second || c.Migrate != "off" {
			t.Errorf("%s: it is killed after %d s, drains for %s, and MIGRATE is %s", values, pod.Grace, c.DrainTime, c.Migrate)
		}
	}
}

// The job that migrates needs no other setting than the database's.
// Spec: RUN-28
func TestHelm_JobMigratesBeforeReplicasAreReplaced(t *testing.T) {
	t.Parallel()
	text := render(t, "production")
	job := only(t, text, "Job")
	container := job.Spec.Template.Spec.Containers[0]
	if job.Metadata.Annotations["helm.sh/hook"] != "pre-install,pre-upgrade" || len(container.EnvFrom) != 0 || len(container.Env) != 1 {
		t.Fatalf("%v with %v, %v", job.Metadata.Annotations, container.EnvFrom, container.Env)
	}
	if files := job.mounted(); len(files) != 1 || files[container.Env[0].Value] != "secret portal-database url" {
		t.Errorf("mounted: %v", files)
	}
	url := filepath.Join(t.TempDir(), "url")
	must(t, os.WriteFile(url, []byte(testkit.EmptyDatabaseOptions(t, store.PostgreSQL).URL), 0o600))
	out := run(t, []string{container.Env[0].Name + "=" + url}, server(t), container.Args...)
	if !strings.Contains(out, "was brought from version 0") {
		t.Error(out)
	}
	if jobs := objects(t, render(t, "production", "migrate.enabled=false"), "Job"); len(jobs) != 0 {
		t.Errorf("switched off: %v", jobs)
	}
}

// Replicas are replaced when a setting changes, and only then.
func TestHelm_ChangedSettingsReplaceReplicas(t *testing.T) {
	t.Parallel()
	sum := func(further ...string) string {
		t.Helper()
		return only(t, render(t, "least", further...), "Deployment").Spec.Template.Metadata.Annotations["checksum/settings"]
	}
	before := sum()
	if len(before) != 64 || sum("replicas=5") != before || sum("settings.LOG_LEVEL=debug") == before || sum("drainSeconds=20") == before {
		t.Errorf("the checksum is %q", before)
	}
}

// Values that cannot be meant are refused, and named.
func TestHelm_FaultyValuesAreRefused(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"replica=3":                     "replica",
		"replicas=0":                    "replicas",
		"image.tag=latest":              "tag",
		"image.digest=sha256:1":         "digest",
		"settings.listen=1":             "listen",
		"settings.DRAIN_TIME=1s":        "DRAIN_TIME",
		"settings.TLS_DOMAIN=a.example": "TLS_DOMAIN",  // the ingress has the certificate
		"settings.TRACE_READS=1":        "TRACE_READS", // a number, not a text
		"secrets.DATABASE_URL=null":     "DATABASE_URL",
		"secrets.TOKEN_SECRET.key=":     "key",
		"files.SIGNER_KEY_FILE=null":    "SIGNER_KEY_FILE",
		"files.FLAGS_FILE.path=x":       "FLAGS_FILE",
		"drainSeconds=2":                "drainSeconds",
		"ingress.enabled=true":          "host",
		"networkPolicy.clusterPorts=no": "clusterPorts",
	} {
		out, err := template(t, "least", value)
		if err == nil || !strings.Contains(out, want) || !strings.Contains(out, "don't meet the specifications") {
			t.Errorf("%s: %v, want %s\n%s", value, err, want, out)
		}
	}
}
