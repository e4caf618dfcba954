package config_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pantheon/internal/brand/brandtest"
	"pantheon/internal/config"
)

// An operator who fills in the empty lines of .env.example has all that production needs, and accepts no risk.
func TestExample_FilledInIsACompleteProduction(t *testing.T) {
	t.Parallel()
	settings, names := example(t)
	complete := complete()
	for name, value := range settings {
		if value == "" {
			settings[name] = complete[name]
		}
	}
	c, faults := load(t, settings)
	if faults != nil {
		t.Errorf("the example is refused: %q", faults)
	}
	if accepted, refused := c.Risks(); accepted != nil || refused != nil {
		t.Errorf("the example takes the risks %v and %v", accepted, refused)
	}
	for name := range settings {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not a setting", name)
		}
	}
}

func TestExample_OptionalLinesAreSettings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	_, names := example(t)
	optional := regexp.MustCompile(`(?m)^#([A-Z][A-Z0-9_]*)=`).FindAllStringSubmatch(string(text), -1)
	if len(optional) == 0 {
		t.Error("the example has no optional settings")
	}
	for _, m := range optional {
		if !slices.Contains(names, m[1]) {
			t.Errorf("%s is not a setting", m[1])
		}
	}
}

// example returns the settings of .env.example, and the names of all settings.
func example(t *testing.T) (settings map[string]string, names []string) {
	t.Helper()
	text, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	settings = map[string]string{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			t.Errorf("not a setting: %s", line)
		}
		settings[name] = value
	}
	for _, v := range config.Variables(brandtest.Pantheon()) {
		names = append(names, v.Name)
	}
	return settings, names
}
