package flags

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"go.yaml.in/yaml/v3"

	"pantheon/internal/kit/reload"
)

// Check checks the text of a file of flags, which has a name. The error has every fault.
func Check(name string, text []byte) error {
	if _, err := parse(text); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// openFile reads the file, or takes the defaults if path is "".
func openFile(path string, defaults []byte, report func(error)) (*reload.File[map[string]flag], error) {
	f, err := reload.Open(path, "", defaults, func(_ string, text []byte) (map[string]flag, error) { return parse(text) }, report)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("flags file: %w", err)
	}
	return f, err
}

// entry is one flag in the file.
type entry struct {
	Key         string      `yaml:"key"`
	Enabled     bool        `yaml:"enabled"`
	Description string      `yaml:"description"`
	Rules       []entryRule `yaml:"rules"`
}

type entryRule struct {
	Environments []string `yaml:"environments"`
	Projects     []string `yaml:"projects"`
	Percent      *float64 `yaml:"percent"`
	Enabled      *bool    `yaml:"enabled"`
}

// parse compiles the file's rules. It reports every error.
func parse(text []byte) (map[string]flag, error) {
	var doc struct {
		Flags []entry `yaml:"flags"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&doc); err != nil {
		return nil, fmt.Errorf("flags file: %w", err)
	}
	flags := make(map[string]flag, len(doc.Flags))
	var faults []error
	for i, e := range doc.Flags {
		if e.Key == "" {
			faults = append(faults, fmt.Errorf("entry %d has no key", i+1))
		}
		if _, twice := flags[e.Key]; twice {
			faults = append(faults, fmt.Errorf("%q is there twice", e.Key))
		}
		f := flag{on: e.Enabled}
		for n, r := range e.Rules {
			compiled, err := r.compile()
			if err != nil {
				faults = append(faults, fmt.Errorf("%q, rule %d: %w", e.Key, n+1, err))
			}
			f.rules = append(f.rules, compiled)
		}
		flags[e.Key] = f
	}
	for _, key := range Keys() {
		if _, ok := flags[key]; !ok {
			faults = append(faults, fmt.Errorf("%q is missing", key))
		}
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("flags file: %w", errors.Join(faults...))
	}
	return flags, nil
}

func (r entryRule) compile() (rule, error) {
	out := rule{environments: r.Environments, projects: r.Projects}
	var faults []error
	if r.Enabled == nil {
		faults = append(faults, errors.New("does not say whether the flag is enabled"))
	} else {
		out.on = *r.Enabled
	}
	if len(r.Environments) == 0 && len(r.Projects) == 0 && r.Percent == nil {
		faults = append(faults, errors.New("has no condition: give environments, projects or percent"))
	}
	if p := r.Percent; p != nil {
		if !(*p >= 0 && *p <= 100) { // NaN is neither
			faults = append(faults, errors.New("percent must be from 0 to 100"))
		} else {
			out.share = share{limited: true, of: uint64(math.Round(*p * wholeShare / 100))}
		}
	}
	return out, errors.Join(faults...)
}
